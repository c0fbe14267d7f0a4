/* SPDX-License-Identifier: Apache-2.0 */
/* What mote's headers and the package use of OpenCL, for generate.py: no header of OpenCL is read. */
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint32_t cl_bool;
typedef uint64_t cl_bitfield;
typedef cl_bitfield cl_mem_flags;
typedef cl_bitfield cl_command_queue_properties;
typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_event *cl_event;

cl_int clWaitForEvents(cl_uint count, const cl_event *events);
cl_int clReleaseEvent(cl_event event);
cl_int clReleaseMemObject(cl_mem mem);
