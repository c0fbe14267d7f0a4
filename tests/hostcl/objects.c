/* SPDX-License-Identifier: Apache-2.0 */
/* The only device, contexts and buffers. */
#include "host.h"

#include <stdlib.h>
#include <string.h>

static struct _cl_platform_id platform;
static struct _cl_device_id device;

void *host_make(size_t bytes, void (*destroy)(void *self))
{
    host_object *object = calloc(1, bytes);
    if (!object)
        host_stop("no memory");
    *object = (host_object){.references = 1, .destroy = destroy};
    return object;
}

cl_int host_retain(void *object)
{
    __atomic_add_fetch(&((host_object *)object)->references, 1, __ATOMIC_SEQ_CST);
    return CL_SUCCESS;
}

cl_int host_release(void *object)
{
    host_object *self = object;
    if (__atomic_sub_fetch(&self->references, 1, __ATOMIC_SEQ_CST) > 0)
        return CL_SUCCESS;
    if (self->destroy)
        self->destroy(self);
    free(self);
    return CL_SUCCESS;
}

cl_int host_answer(const void *value, size_t bytes, size_t size, void *out, size_t *needed)
{
    if (needed)
        *needed = bytes;
    if (out && size < bytes)
        return CL_INVALID_VALUE;
    if (out)
        memcpy(out, value, bytes);
    return CL_SUCCESS;
}

static cl_int answer_text(const char *text, size_t size, void *out, size_t *needed)
{
    return host_answer(text, strlen(text) + 1, size, out, needed);
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *out, cl_uint *count)
{
    if (out && room)
        *out = &platform;
    if (count)
        *count = 1;
    return CL_SUCCESS;
}

/* 0: the device is not an NVIDIA device. */
static size_t capability(void)
{
    return host_number("HOST_CL_NVIDIA", 0, 99);
}

cl_int clGetPlatformInfo(cl_platform_id of, cl_platform_info what, size_t size, void *out,
                         size_t *needed)
{
    const char *name = capability() ? "NVIDIA CUDA on the host" : "Host";
    (void)of;
    return answer_text(what == CL_PLATFORM_VERSION ? "OpenCL 1.2" : name, size, out, needed);
}

cl_int clGetDeviceIDs(cl_platform_id of, cl_device_type type, cl_uint room, cl_device_id *out,
                      cl_uint *count)
{
    (void)of;
    (void)type;
    if (out && room)
        *out = &device;
    if (count)
        *count = 1;
    return CL_SUCCESS;
}

static cl_int device_number(cl_device_info what, uint64_t *value)
{
    const char *cpu = getenv("HOST_CL_CPU");
    switch (what) {
    case CL_DEVICE_TYPE:
        *value = cpu && *cpu == '1' ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU;
        return 8;
    case CL_DEVICE_DOUBLE_FP_CONFIG:
        *value = CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_DENORM;
        return 8;
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        *value = HOST_MOST_ITEMS;
        return 8;
    case CL_DEVICE_LOCAL_MEM_SIZE:
        *value = HOST_LOCAL_BYTES;
        return 8;
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        *value = (uint64_t)1 << 30;
        return 8;
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        *value = 3;
        return 4;
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_COMPILER_AVAILABLE:
        *value = CL_TRUE;
        return 4;
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN: /* bits */
        *value = 128;
        return 4;
    case 0x4000: /* CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV */
        *value = capability() / 10;
        return 4;
    case 0x4001: /* .._MINOR_NV */
        *value = capability() % 10;
        return 4;
    case CL_DEVICE_VENDOR_ID:
        *value = 0;
        return 4;
    default:
        return 0;
    }
}

cl_int clGetDeviceInfo(cl_device_id of, cl_device_info what, size_t size, void *out, size_t *needed)
{
    uint64_t value = 0;
    int bytes = device_number(what, &value);
    cl_platform_id owner = &platform;
    static const struct {
        cl_uint version;
        char name[64];
    } language = {3u << 22, "OpenCL C"};
    (void)of;
    if (bytes)
        return host_answer(&value, (size_t)bytes, size, out, needed);
    if (what == CL_DEVICE_PLATFORM)
        return host_answer(&owner, sizeof(owner), size, out, needed);
    if (what == CL_DEVICE_NAME || what == CL_DEVICE_VENDOR || what == CL_DRIVER_VERSION)
        return answer_text("Host", size, out, needed);
    if (what == CL_DEVICE_VERSION || what == CL_DEVICE_OPENCL_C_VERSION)
        return answer_text("OpenCL C 1.2", size, out, needed);
    size_t sub_group = host_number("HOST_CL_SUB_GROUP", 0, HOST_MOST_ITEMS);
    if (what == CL_DEVICE_EXTENSIONS)
        return answer_text(sub_group ? "cl_khr_fp64 cl_khr_subgroup_shuffle" : "cl_khr_fp64", size,
                           out, needed);
    if (sub_group && what == 0x4108) /* CL_DEVICE_SUB_GROUP_SIZES_INTEL */
        return host_answer(&sub_group, sizeof(sub_group), size, out, needed);
    if (sub_group && what == 0x1066) /* CL_DEVICE_OPENCL_C_ALL_VERSIONS */
        return host_answer(&language, sizeof(language), size, out, needed);
    return CL_INVALID_VALUE;
}

cl_int clRetainDevice(cl_device_id of)
{
    (void)of;
    return CL_SUCCESS;
}

cl_int clReleaseDevice(cl_device_id of)
{
    (void)of;
    return CL_SUCCESS;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count,
                           const cl_device_id *devices,
                           void (*notify)(const char *, const void *, size_t, void *), void *data,
                           cl_int *code)
{
    (void)properties;
    (void)count;
    (void)devices;
    (void)notify;
    (void)data;
    if (code)
        *code = CL_SUCCESS;
    return host_make(sizeof(struct _cl_context), NULL);
}

cl_int clRetainContext(cl_context context)
{
    return host_retain(context);
}

cl_int clReleaseContext(cl_context context)
{
    return host_release(context);
}

cl_int clGetContextInfo(cl_context of, cl_context_info what, size_t size, void *out, size_t *needed)
{
    cl_device_id only = &device;
    cl_uint one = 1;
    (void)of;
    if (what == CL_CONTEXT_DEVICES)
        return host_answer(&only, sizeof(only), size, out, needed);
    if (what == CL_CONTEXT_NUM_DEVICES)
        return host_answer(&one, sizeof(one), size, out, needed);
    return CL_INVALID_VALUE;
}

static void destroy_mem(void *self)
{
    cl_mem mem = self;
    if (mem->parent)
        host_release(mem->parent);
    else
        free(mem->bytes);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code)
{
    char *bytes = size ? malloc(size) : NULL;
    if (code)
        *code = bytes  ? CL_SUCCESS
                : size ? CL_MEM_OBJECT_ALLOCATION_FAILURE
                       : CL_INVALID_BUFFER_SIZE;
    if (!bytes)
        return NULL;
    cl_mem mem = host_make(sizeof(*mem), destroy_mem);
    mem->context = context;
    mem->flags = flags;
    mem->size = size;
    mem->bytes = bytes;
    memset(bytes, 0xa5, size);
    if (flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR))
        memcpy(bytes, host, size);
    mem->array = flags & CL_MEM_USE_HOST_PTR ? host : NULL;
    return mem;
}

cl_mem clCreateSubBuffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type,
                         const void *info, cl_int *code)
{
    const cl_buffer_region *region = info;
    cl_mem mem = host_make(sizeof(*mem), destroy_mem);
    (void)type;
    mem->context = parent->context;
    mem->flags = flags ? flags : parent->flags;
    mem->origin = region->origin;
    mem->size = region->size;
    mem->bytes = parent->bytes + region->origin;
    mem->parent = parent;
    host_retain(parent);
    if (code)
        *code = CL_SUCCESS;
    return mem;
}

cl_int clRetainMemObject(cl_mem mem)
{
    return host_retain(mem);
}

cl_int clReleaseMemObject(cl_mem mem)
{
    return host_release(mem);
}

cl_int clGetMemObjectInfo(cl_mem mem, cl_mem_info what, size_t size, void *out, size_t *needed)
{
    cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
    cl_uint references = (cl_uint)mem->object.references;
    cl_context context = mem->context;
    if (what == CL_MEM_TYPE)
        return host_answer(&type, sizeof(type), size, out, needed);
    if (what == CL_MEM_FLAGS)
        return host_answer(&mem->flags, sizeof(mem->flags), size, out, needed);
    if (what == CL_MEM_SIZE)
        return host_answer(&mem->size, sizeof(mem->size), size, out, needed);
    if (what == CL_MEM_CONTEXT)
        return host_answer(&context, sizeof(context), size, out, needed);
    if (what == CL_MEM_ASSOCIATED_MEMOBJECT)
        return host_answer(&mem->parent, sizeof(mem->parent), size, out, needed);
    if (what == CL_MEM_OFFSET)
        return host_answer(&mem->origin, sizeof(mem->origin), size, out, needed);
    if (what == CL_MEM_REFERENCE_COUNT)
        return host_answer(&references, sizeof(references), size, out, needed);
    return CL_INVALID_VALUE;
}
