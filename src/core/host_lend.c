/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of the caller that a CPU device uses in place. */
#include "core/fail.h"
#include "core/host.h"
#include "core/log.h"
#include "core/pinned.h"
#include "core/quirks.h"
#include "core/tune.h"

/* An array must be aligned to its element type; records consist of words. Forms for GPUs load
 * vectors if a buffer that OpenCL allocates would be aligned to them. Work-items of these forms
 * meet at barriers and must therefore read the same values, so their inputs must not change during
 * the call and are copied. */
static bool usable(const mote_context *ctx, const mote_host_array *a)
{
    size_t word = a->element % sizeof(uint64_t) == 0 ? sizeof(uint64_t) : a->element;
    if (mote_tune_any_gpu_form(ctx))
        return a->writes && (uintptr_t)a->memory % MOTE_ALIGNMENT == 0;
    return (uintptr_t)a->memory % word == 0;
}

static bool apart(const mote_host_array *a, const mote_host_array *b)
{
    uintptr_t first = (uintptr_t)a->memory, second = (uintptr_t)b->memory;
    return first < second ? second - first >= a->bytes : first - second >= b->bytes;
}

/* OpenCL does not specify the contents of two buffers over the same bytes after one of them is
 * written. Arrays that are only read may share bytes, as starts and stops do. */
static bool shared(const mote_host *host, const mote_host_array *array)
{
    for (size_t k = 0; k < MOTE_HOST_SLOTS; k++) {
        const mote_host_array *other = &host->slot[k].array;
        if (host->slot[k].lent && (array->writes || other->writes) && !apart(array, other))
            return true;
    }
    return false;
}

void mote_host_unwrap(mote_host_slot *slot)
{
    if (slot->lent)
        clReleaseMemObject(slot->lent);
    slot->lent = NULL;
    slot->array = (mote_host_array){0};
}

/* Returns whether a code means that the request is wrong, and not that a resource is exhausted. */
static bool refuses(cl_int code)
{
    return code <= CL_INVALID_VALUE;
}

mote_status mote_host_wrap(mote_host *host, size_t k, const mote_host_array *array, cl_mem *mem)
{
    cl_int code = CL_SUCCESS;
    cl_mem_flags flags =
        CL_MEM_USE_HOST_PTR | (array->writes ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY);
    *mem = NULL;
    if (host->ctx->device.device_class != MOTE_DEVICE_CPU || k >= MOTE_HOST_SLOTS ||
        mote_has_quirk(host->ctx, MOTE_QUIRK_LENT))
        return MOTE_SUCCESS;
    mote_host_unwrap(&host->slot[k]);
    if (!array->memory || !array->bytes || !usable(host->ctx, array) || shared(host, array))
        return MOTE_SUCCESS;
    *mem = clCreateBuffer(host->ctx->cl, flags, array->bytes, array->memory, &code);
    if (!code) {
        host->slot[k].lent = *mem;
        host->slot[k].array = *array;
        return MOTE_SUCCESS;
    }
    *mem = NULL;
    if (!refuses(code))
        return mote_host_no_buffer(host, array->bytes, code);
    mote_log(MOTE_LOG_DEBUG, "an array of %zu bytes is copied: the driver does not use it (%s)",
             array->bytes, mote_status_name(code));
    return MOTE_SUCCESS;
}

/* A mapping copies the driver's own copy, if there is one, to the array. */
mote_status mote_host_sync(mote_host *host, size_t k, cl_event *done)
{
    const mote_host_slot *slot = &host->slot[k];
    cl_int code = CL_SUCCESS;
    void *memory = clEnqueueMapBuffer(host->queue, slot->lent, CL_FALSE, CL_MAP_READ, 0,
                                      slot->array.bytes, 0, NULL, NULL, &code);
    if (code)
        return mote_fail_cl(code, "mote_host", "clEnqueueMapBuffer");
    code = clEnqueueUnmapMemObject(host->queue, slot->lent, memory, 0, NULL, done);
    return code ? mote_fail_cl(code, "mote_host", "clEnqueueUnmapMemObject") : MOTE_SUCCESS;
}

void mote_host_unwrap_all(mote_host *host)
{
    for (size_t k = 0; k < MOTE_HOST_SLOTS; k++)
        mote_host_unwrap(&host->slot[k]);
}
