/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a slot: it only grows, and a failure keeps the old memory. */
#include "core/fail.h"
#include "core/host.h"
#include "core/pinned.h"
#include "core/scratch.h"

#include <stdlib.h>

/* An empty array gets this size, too, so that there always is a memory object. */
#define LEAST ((size_t)256)

static mote_status check_slot(size_t k)
{
    if (k < MOTE_HOST_SLOTS)
        return MOTE_SUCCESS;
    return mote_fail(MOTE_ERROR_INTERNAL, "mote_host: there is no slot %zu", k);
}

/* Grows by a quarter if that is more than requested, so that arrays that grow slowly rarely move.
 */
static size_t grown(size_t bytes, size_t had)
{
    size_t more = had <= SIZE_MAX - had / 4 ? had + had / 4 : had;
    if (bytes < LEAST)
        bytes = LEAST;
    return bytes < more ? more : bytes;
}

static cl_mem create(mote_host *host, size_t bytes, cl_int *code)
{
    return clCreateBuffer(host->ctx->cl, CL_MEM_READ_WRITE, bytes, NULL, code);
}

mote_status mote_host_no_buffer(const mote_host *host, size_t bytes, cl_int code)
{
    if (!mote_is_memory_code(code))
        return mote_fail_cl(code, "mote_host", "clCreateBuffer");
    return mote_fail(MOTE_ERROR_OUT_OF_DEVICE_MEMORY,
                     "mote_host: no device memory for an array of %zu bytes on %s (largest "
                     "buffer %llu bytes): clCreateBuffer failed with %s (%d)",
                     bytes, host->ctx->device.name,
                     (unsigned long long)host->ctx->device.max_alloc_bytes, mote_status_name(code),
                     (int)code);
}

mote_status mote_host_device(mote_host *host, size_t k, size_t bytes, cl_mem *mem)
{
    mote_status status = check_slot(k);
    cl_int code = CL_SUCCESS;
    *mem = NULL;
    if (status)
        return status;
    mote_host_slot *slot = &host->slot[k];
    slot->copied = NULL;
    if (!slot->device || slot->device_bytes < bytes) {
        size_t size = grown(bytes, slot->device_bytes);
        cl_mem made = create(host, size, &code);
        if (code) {
            mote_scratch_trim(host->ctx);
            size = bytes < LEAST ? LEAST : bytes;
            made = create(host, size, &code);
        }
        if (code)
            return mote_host_no_buffer(host, bytes, code);
        if (slot->device)
            clReleaseMemObject(slot->device);
        slot->device = made;
        slot->device_bytes = size;
    }
    *mem = slot->device;
    return MOTE_SUCCESS;
}

mote_status mote_host_pinned(mote_host *host, size_t k, size_t bytes, void **memory)
{
    mote_status status = check_slot(k);
    *memory = NULL;
    if (status)
        return status;
    mote_host_slot *slot = &host->slot[k];
    if (!slot->pinned.memory || slot->pinned.bytes < bytes) {
        mote_pinned made;
        status = mote_pinned_make(host->ctx, host->queue, "mote_host",
                                  grown(bytes, slot->pinned.bytes), &made);
        if (status)
            return status;
        mote_pinned_unmake(host->queue, &slot->pinned);
        slot->pinned = made;
    }
    *memory = slot->pinned.memory;
    return MOTE_SUCCESS;
}

mote_status mote_host_plain(mote_host *host, size_t k, size_t bytes, void **memory)
{
    mote_status status = check_slot(k);
    *memory = NULL;
    if (status)
        return status;
    mote_host_slot *slot = &host->slot[k];
    if (!slot->plain || slot->plain_bytes < bytes) {
        size_t size = grown(bytes, slot->plain_bytes);
        void *made = mote_aligned(size);
        if (!made)
            return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY,
                             "mote_host: no host memory for a result of %zu bytes", bytes);
        if (slot->array.memory == slot->plain)
            mote_host_unwrap(slot);
        free(slot->plain);
        slot->plain = made;
        slot->plain_bytes = size;
    }
    *memory = slot->plain;
    return MOTE_SUCCESS;
}

void mote_host_cache_note(mote_host *host, size_t k, const void *array, size_t bytes)
{
    host->slot[k].copied = array;
    host->slot[k].copied_bytes = bytes;
    host->slot[k].copied_by = host->calls;
}

bool mote_host_cache_holds(const mote_host *host, size_t k, const void *array, size_t bytes)
{
    const mote_host_slot *slot = &host->slot[k];
    return array && slot->copied == array && slot->copied_bytes == bytes &&
           slot->copied_by + 1 == host->calls;
}

void mote_host_cache_forget(mote_host *host)
{
    for (size_t k = 0; k < MOTE_HOST_SLOTS; k++)
        host->slot[k].copied = NULL;
}
