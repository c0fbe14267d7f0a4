/* SPDX-License-Identifier: Apache-2.0 */
/* An OpenCL for ThreadSanitizer, with the devices and buffers of tests/hostcl: it copies at once,
 * builds in no time, and its kernels do nothing. It has no lock, because a lock would order the
 * threads that call it and so hide races of the library. */
#include "idle_opencl.h"
#include "hostcl/host.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BINARY_BYTES 48
#define FAILS_EVERY  5 /* one in five of the builds that may fail */

static atomic_uint builds;

void host_stop(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    abort();
}

size_t host_number(const char *name, size_t least, size_t most)
{
    (void)name;
    (void)most;
    return least;
}

/* ---- events and queues ----------------------------------------------------------------------- */

/* A command counts as complete when its status was queried twice, so that scratch seems to be in
 * use. Relaxed, because a query does not order threads. */
static cl_int status_of(cl_event event)
{
    cl_int left = __atomic_load_n(&event->status, __ATOMIC_RELAXED);
    if (left > CL_COMPLETE)
        __atomic_store_n(&event->status, left - 1, __ATOMIC_RELAXED);
    return left;
}

static cl_int done(cl_command_queue queue, cl_event *out)
{
    if (!out)
        return CL_SUCCESS;
    *out = host_make(sizeof(struct _cl_event), NULL);
    (*out)->context = queue->context;
    (*out)->status = 2;
    return CL_SUCCESS;
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *code)
{
    cl_command_queue queue = host_make(sizeof(*queue), NULL);
    queue->context = context;
    queue->device = device;
    queue->properties = properties;
    *code = CL_SUCCESS;
    return queue;
}

cl_int clGetCommandQueueInfo(cl_command_queue q, cl_command_queue_info what, size_t size, void *out,
                             size_t *needed)
{
    if (what == CL_QUEUE_CONTEXT)
        return host_answer(&q->context, sizeof(q->context), size, out, needed);
    if (what == CL_QUEUE_DEVICE)
        return host_answer(&q->device, sizeof(q->device), size, out, needed);
    return host_answer(&q->properties, sizeof(q->properties), size, out, needed);
}

cl_int clRetainCommandQueue(cl_command_queue queue)
{
    return host_retain(queue);
}

cl_int clReleaseCommandQueue(cl_command_queue queue)
{
    return host_release(queue);
}

cl_int clFlush(cl_command_queue queue)
{
    (void)queue;
    return CL_SUCCESS;
}

cl_int clFinish(cl_command_queue queue)
{
    (void)queue;
    return CL_SUCCESS;
}

cl_int clRetainEvent(cl_event event)
{
    return host_retain(event);
}

cl_int clReleaseEvent(cl_event event)
{
    return host_release(event);
}

cl_int clWaitForEvents(cl_uint count, const cl_event *events)
{
    for (cl_uint i = 0; i < count; i++)
        __atomic_store_n(&events[i]->status, CL_COMPLETE, __ATOMIC_RELAXED);
    return CL_SUCCESS;
}

cl_int clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *out, size_t *needed)
{
    cl_int status = status_of(event);
    if (what == CL_EVENT_CONTEXT)
        return host_answer(&event->context, sizeof(event->context), size, out, needed);
    return host_answer(&status, sizeof(status), size, out, needed);
}

/* ---- commands -------------------------------------------------------------------------------- */

/* Events need not be waited for: the command of an event is already complete. */
cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t at,
                           size_t bytes, void *to, cl_uint count, const cl_event *wait,
                           cl_event *event)
{
    (void)blocking;
    (void)count;
    (void)wait;
    memcpy(to, mem->bytes + at, bytes);
    return done(queue, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t at,
                            size_t bytes, const void *from, cl_uint count, const cl_event *wait,
                            cl_event *event)
{
    (void)blocking;
    (void)count;
    (void)wait;
    memcpy(mem->bytes + at, from, bytes);
    return done(queue, event);
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_at,
                           size_t to_at, size_t bytes, cl_uint count, const cl_event *wait,
                           cl_event *event)
{
    (void)count;
    (void)wait;
    memcpy(to->bytes + to_at, from->bytes + from_at, bytes);
    return done(queue, event);
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem, const void *pattern, size_t width,
                           size_t at, size_t bytes, cl_uint count, const cl_event *wait,
                           cl_event *event)
{
    (void)count;
    (void)wait;
    for (size_t k = 0; k < bytes; k += width)
        memcpy(mem->bytes + at + k, pattern, width);
    return done(queue, event);
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, cl_map_flags flags,
                         size_t at, size_t bytes, cl_uint count, const cl_event *wait,
                         cl_event *event, cl_int *code)
{
    (void)blocking;
    (void)flags;
    (void)bytes;
    (void)count;
    (void)wait;
    *code = done(queue, event);
    return mem->bytes + at;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *mapped, cl_uint count,
                               const cl_event *wait, cl_event *event)
{
    (void)mem;
    (void)mapped;
    (void)count;
    (void)wait;
    return done(queue, event);
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *wait,
                                   cl_event *event)
{
    (void)count;
    (void)wait;
    return done(queue, event);
}

/* ---- programs -------------------------------------------------------------------------------- */

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts,
                                     const size_t *lengths, cl_int *code)
{
    (void)context;
    (void)count;
    (void)texts;
    (void)lengths;
    *code = CL_SUCCESS;
    return host_make(sizeof(struct _cl_program), NULL);
}

/* Accepts only binaries that this library has returned. */
cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *devices,
                                     const size_t *lengths, const unsigned char **binaries,
                                     cl_int *status, cl_int *code)
{
    (void)count;
    (void)devices;
    *status = lengths[0] == BINARY_BYTES && binaries[0][0] == 1 ? CL_SUCCESS : CL_INVALID_BINARY;
    cl_program program = clCreateProgramWithSource(context, 0, NULL, NULL, code);
    program->log = (char *)(uintptr_t) "from a binary";
    return program;
}

/* Threads that wait for a build must receive its failure. */
cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void (*notify)(cl_program, void *), void *data)
{
    (void)count;
    (void)devices;
    (void)options;
    (void)notify;
    (void)data;
    if (program->log)
        return CL_SUCCESS;
    unsigned number = atomic_fetch_add_explicit(&builds, 1, memory_order_relaxed);
    return number % FAILS_EVERY == 0 ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}

unsigned idle_builds(void)
{
    return atomic_load(&builds);
}

cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t size, void *out,
                        size_t *needed)
{
    size_t bytes = BINARY_BYTES;
    cl_device_id device = NULL;
    (void)program;
    if (what == CL_PROGRAM_BINARY_SIZES)
        return host_answer(&bytes, sizeof(bytes), size, out, needed);
    if (what == CL_PROGRAM_BINARIES) {
        memset(*(unsigned char **)out, 1, bytes);
        return CL_SUCCESS;
    }
    clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    return host_answer(&device, sizeof(device), size, out, needed);
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what,
                             size_t size, void *out, size_t *needed)
{
    (void)program;
    (void)device;
    (void)what;
    return host_answer("a log", sizeof("a log"), size, out, needed);
}

cl_int clReleaseProgram(cl_program program)
{
    return host_release(program);
}

/* `group` counts a kernel's arguments: the number that are set. Setting an argument is a plain
 * write, so that two threads with the same kernel are a race. */
cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    (void)program;
    (void)name;
    *code = CL_SUCCESS;
    return host_make(sizeof(struct _cl_kernel), NULL);
}

cl_int clReleaseKernel(cl_kernel kernel)
{
    return host_release(kernel);
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    (void)value;
    if (index >= HOST_MOST_ARGS)
        return CL_INVALID_ARG_INDEX;
    kernel->arguments[index].size = size;
    kernel->group = index + 1;
    return CL_SUCCESS;
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info what, size_t size, void *out,
                       size_t *needed)
{
    (void)what;
    return host_answer(&kernel->group, sizeof(kernel->group), size, out, needed);
}

cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info what, size_t size,
                          void *out, size_t *needed)
{
    (void)kernel;
    (void)index;
    (void)what;
    (void)size;
    (void)out;
    (void)needed;
    return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info what, size_t size, void *out,
                                size_t *needed)
{
    size_t most = HOST_MOST_ITEMS, any[3] = {0};
    cl_ulong local = 0;
    (void)kernel;
    (void)device;
    if (what == CL_KERNEL_WORK_GROUP_SIZE)
        return host_answer(&most, sizeof(most), size, out, needed);
    if (what == CL_KERNEL_COMPILE_WORK_GROUP_SIZE)
        return host_answer(any, sizeof(any), size, out, needed);
    return host_answer(&local, sizeof(local), size, out, needed);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *wait, cl_event *event)
{
    (void)kernel;
    (void)dimensions;
    (void)offset;
    (void)global;
    (void)local;
    (void)count;
    (void)wait;
    return done(queue, event);
}
