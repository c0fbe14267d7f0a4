/* SPDX-License-Identifier: Apache-2.0 */
#include "core/buffer.h"
#include "core/call.h"
#include "core/fail.h"
#include "core/fork.h"
#include "core/scratch.h"

#include <stdlib.h>

/* Allocates device memory for `count` elements, after releasing idle scratch if necessary; NULL for
 * none. */
static mote_status allocate(const mote_buffer *buffer, const char *name, size_t count, cl_mem *mem)
{
    const mote_device_info *device = &buffer->ctx->device;
    size_t size = mote_type_size(buffer->type);
    cl_int code = CL_SUCCESS;
    *mem = NULL;
    if (count == 0)
        return MOTE_SUCCESS;
    if (count > SIZE_MAX / size || count * size > device->max_alloc_bytes)
        return mote_fail(MOTE_ERROR_OUT_OF_DEVICE_MEMORY,
                         "%s: %zu elements of %s do not fit in a buffer of %s, which holds at most "
                         "%llu bytes",
                         name, count, mote_type_name(buffer->type), device->name,
                         (unsigned long long)device->max_alloc_bytes);
    *mem = clCreateBuffer(buffer->ctx->cl, buffer->flags, count * size, NULL, &code);
    if (code) {
        mote_scratch_trim(buffer->ctx);
        *mem = clCreateBuffer(buffer->ctx->cl, buffer->flags, count * size, NULL, &code);
    }
    if (!code)
        return MOTE_SUCCESS;
    *mem = NULL;
    if (mote_is_memory_code(code))
        return mote_fail(MOTE_ERROR_OUT_OF_DEVICE_MEMORY,
                         "%s: no memory on %s for %zu bytes (global memory %llu bytes)", name,
                         device->name, count * size, (unsigned long long)device->global_bytes);
    return mote_fail_cl(code, name, "clCreateBuffer");
}

mote_status mote_buffer_create(mote_context *ctx, mote_type type, size_t count, cl_mem_flags flags,
                               mote_buffer **out)
{
    if (out)
        *out = NULL;
    if (!ctx || !out)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_buffer_create: %s is NULL",
                         ctx ? "out" : "ctx");
    if (mote_type_size(type) == 0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "mote_buffer_create: type %d is no element type", (int)type);
    if (flags != 0 && flags != CL_MEM_READ_WRITE && flags != CL_MEM_READ_ONLY &&
        flags != CL_MEM_WRITE_ONLY)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "mote_buffer_create: flags 0x%llx are none of 0, CL_MEM_READ_WRITE, "
                         "CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY",
                         (unsigned long long)flags);
    mote_status status = mote_check_process("mote_buffer_create");
    if (status)
        return status;
    mote_buffer *buffer = malloc(sizeof(*buffer));
    if (!buffer)
        return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "mote_buffer_create: out of host memory");
    *buffer = (mote_buffer){.ctx = ctx,
                            .type = type,
                            .flags = flags ? flags : CL_MEM_READ_WRITE,
                            .size = count,
                            .reserved = count};
    status = allocate(buffer, "mote_buffer_create", count, &buffer->mem);
    if (status) {
        free(buffer);
        return status;
    }
    *out = buffer;
    return MOTE_SUCCESS;
}

void mote_buffer_release(mote_buffer *buffer)
{
    if (buffer && buffer->mem && !mote_is_forked())
        clReleaseMemObject(buffer->mem);
    free(buffer);
}

size_t mote_buffer_size(const mote_buffer *buffer)
{
    return buffer ? buffer->size : 0;
}

size_t mote_buffer_reserved(const mote_buffer *buffer)
{
    return buffer ? buffer->reserved : 0;
}

mote_view mote_buffer_view(const mote_buffer *buffer)
{
    return buffer ? mote_view_make(buffer->mem, buffer->size, buffer->type) : (mote_view){0};
}

static mote_status copy(mote_call *call, const mote_buffer *buffer, cl_mem target, size_t count)
{
    cl_uint num_wait;
    const cl_event *wait;
    cl_event event = NULL;
    mote_call_wait_list(call, &num_wait, &wait);
    cl_int code = clEnqueueCopyBuffer(call->queue, buffer->mem, target, 0, 0,
                                      count * mote_type_size(buffer->type), num_wait, wait,
                                      mote_call_wants_event(call, true) ? &event : NULL);
    if (code)
        return mote_fail_cl(code, call->name, "clEnqueueCopyBuffer");
    mote_call_enqueued(call, event);
    return MOTE_SUCCESS;
}

/* Moves the buffer to memory of `reserved` elements. The old memory is released only when nothing
 * can fail any more. */
static mote_status move(mote_call *call, mote_buffer *buffer, size_t count, size_t reserved,
                        bool keep)
{
    size_t kept = !keep ? 0 : (count < buffer->size ? count : buffer->size);
    cl_mem mem;
    mote_status status = allocate(buffer, call->name, reserved, &mem);
    if (!status && kept > 0)
        status = copy(call, buffer, mem, kept);
    status = mote_call_end(call, status);
    cl_mem unused = status ? mem : buffer->mem;
    if (unused)
        clReleaseMemObject(unused);
    if (status)
        return status;
    buffer->mem = mem;
    buffer->size = count;
    buffer->reserved = reserved;
    return MOTE_SUCCESS;
}

static mote_status begin(mote_call *call, const char *name, const mote_buffer *buffer, int keep,
                         cl_command_queue queue, cl_uint num_wait, const cl_event *wait,
                         cl_event *event)
{
    if (event)
        *event = NULL;
    if (!buffer)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: buffer is NULL", name);
    if (!queue && (keep || event || num_wait))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: queue is NULL: keep, wait and event need one", name);
    return mote_call_begin(call, name, buffer->ctx, queue, true, num_wait, wait, event);
}

/* Grows by a quarter if that is more than requested, so that buffers that grow slowly rarely
 * move. */
static size_t grown(const mote_buffer *buffer, size_t count)
{
    size_t more = buffer->reserved <= SIZE_MAX / 2 ? buffer->reserved + buffer->reserved / 4 : 0;
    size_t most = (size_t)buffer->ctx->device.max_alloc_bytes / mote_type_size(buffer->type);
    return more > count && more <= most ? more : count;
}

mote_status mote_buffer_resize(mote_buffer *buffer, size_t count, int keep, cl_command_queue queue,
                               cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    mote_call call;
    mote_status status =
        begin(&call, "mote_buffer_resize", buffer, keep, queue, num_wait, wait, event);
    if (status)
        return status;
    if (count > buffer->reserved)
        return move(&call, buffer, count, grown(buffer, count), keep != 0);
    status = mote_call_end(&call, MOTE_SUCCESS);
    if (!status)
        buffer->size = count;
    return status;
}

mote_status mote_buffer_reserve(mote_buffer *buffer, size_t count, int keep, cl_command_queue queue,
                                cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    mote_call call;
    mote_status status =
        begin(&call, "mote_buffer_reserve", buffer, keep, queue, num_wait, wait, event);
    if (status)
        return status;
    if (count != buffer->reserved)
        return move(&call, buffer, count, count, keep != 0);
    status = mote_call_end(&call, MOTE_SUCCESS);
    if (!status)
        buffer->size = count;
    return status;
}

mote_status mote_buffer_swap(mote_buffer *a, mote_buffer *b)
{
    if (!a || !b)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_buffer_swap: %s is NULL",
                         a ? "b" : "a");
    if (a->ctx->cl != b->ctx->cl)
        return mote_fail(MOTE_ERROR_WRONG_CONTEXT,
                         "mote_buffer_swap: the buffers belong to different OpenCL contexts");
    mote_buffer old = *a;
    *a = *b;
    *b = old;
    return MOTE_SUCCESS;
}
