/* SPDX-License-Identifier: Apache-2.0 */
#include "core/pinned.h"
#include "core/fail.h"
#include "core/log.h"

#include <stdlib.h>

static mote_status no_memory(const char *name, size_t bytes)
{
    return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "%s: no host memory for %zu bytes", name,
                     bytes);
}

void *mote_aligned(size_t bytes)
{
    if (bytes > SIZE_MAX - MOTE_ALIGNMENT)
        return NULL;
    return aligned_alloc(MOTE_ALIGNMENT,
                         (bytes + MOTE_ALIGNMENT - 1) / MOTE_ALIGNMENT * MOTE_ALIGNMENT);
}

static mote_status make_plain(const char *name, size_t bytes, mote_pinned *pinned)
{
    void *memory = mote_aligned(bytes);
    if (!memory)
        return no_memory(name, bytes);
    *pinned = (mote_pinned){.memory = memory, .bytes = bytes};
    return MOTE_SUCCESS;
}

/* Some drivers allocate pinned memory when the buffer is created, others when it is mapped. */
static mote_status fail_pinned(const char *name, size_t bytes, cl_int code, const char *cl_name)
{
    if (!mote_is_memory_code(code) && code != CL_OUT_OF_HOST_MEMORY && code != CL_MAP_FAILURE)
        return mote_fail_cl(code, name, cl_name);
    return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY,
                     "%s: no pinned host memory for %zu bytes: %s failed with %s (%d)", name, bytes,
                     cl_name, mote_status_name(code), (int)code);
}

mote_status mote_pinned_make(mote_context *ctx, cl_command_queue queue, const char *name,
                             size_t bytes, mote_pinned *pinned)
{
    cl_int code = CL_SUCCESS;
    if (ctx->device.device_class == MOTE_DEVICE_CPU)
        return make_plain(name, bytes, pinned);
    cl_mem mem =
        clCreateBuffer(ctx->cl, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
    if (code)
        return fail_pinned(name, bytes, code, "clCreateBuffer");
    void *memory = clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                                      NULL, NULL, &code);
    if (code) {
        clReleaseMemObject(mem);
        return fail_pinned(name, bytes, code, "clEnqueueMapBuffer");
    }
    *pinned = (mote_pinned){.mem = mem, .memory = memory, .bytes = bytes};
    return MOTE_SUCCESS;
}

void mote_pinned_unmake(cl_command_queue queue, mote_pinned *pinned)
{
    if (pinned->mem) {
        cl_int code = clEnqueueUnmapMemObject(queue, pinned->mem, pinned->memory, 0, NULL, NULL);
        if (code)
            mote_log(MOTE_LOG_WARN, "clEnqueueUnmapMemObject failed with %s (%d)",
                     mote_status_name(code), (int)code);
        clReleaseMemObject(pinned->mem);
    } else if (pinned->memory) {
        clFinish(queue);
        free(pinned->memory);
    }
    *pinned = (mote_pinned){0};
}
