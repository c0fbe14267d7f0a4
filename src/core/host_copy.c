/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between plain arrays and slots. Large arrays are copied through pinned memory in pieces,
 * so that copies on the host and on the bus overlap. */
#include "core/fail.h"
#include "core/host.h"
#include "core/log.h"
#include "core/size.h"
#include "core/tune.h"

#include <sched.h>

#define STAGE_FROM   ((size_t)64 * 1024) /* below this, the driver's own copy is faster */
#define PIECE        ((size_t)4 * 1024 * 1024)
#define MOST_PIECES  64
#define LOOK_SECONDS 25e-6

/* Returns whether `bytes` at `memory`, a part of `total`, use pinned memory. */
static bool staged(const mote_host *host, const void *memory, size_t bytes, size_t total)
{
    return host->ctx->device.device_class != MOTE_DEVICE_CPU && total >= STAGE_FROM &&
           !mote_pinned_list_holds(host->ctx->pinned, memory, bytes);
}

static size_t piece_size(size_t bytes)
{
    size_t size = bytes / MOST_PIECES + 1;
    return size < PIECE ? PIECE : size;
}

/* Returns NULL if one thread is to copy. */
static mote_copier *copier_of(mote_host *host)
{
    if (!host->copier_tried) {
        size_t usual = mote_copier_threads();
        host->copier_tried = true;
        host->copier =
            mote_copier_create(mote_tune_size(host->ctx, "core.copy_threads", usual, 1, 8));
    }
    return host->copier;
}

/* Returns the memory of a part in the slot's pinned memory, which is as long as the array; NULL if
 * the part is copied without it. */
static void *stage_of(mote_host *host, const mote_host_part *part, size_t total)
{
    void *stage;
    if (!staged(host, part->memory, part->bytes, total) ||
        mote_host_pinned(host, part->slot, total, &stage))
        return NULL;
    return (char *)stage + part->offset;
}

/* The launch callback also receives copies. */
static void report(const char *name, const mote_host_part *part, cl_event event)
{
    const mote_launch_record record = {
        .size = sizeof(record), .kernel = name, .event = event, .bytes = part->bytes};
    mote_launch_callback_call(&record);
}

mote_status mote_host_send(mote_host *host, mote_host_part *part, size_t total, bool wants_event)
{
    cl_mem mem = host->slot[part->slot].device;
    part->stage = stage_of(host, part, total);
    if (part->stage)
        mote_copier_copy(copier_of(host), part->stage, part->memory, part->bytes);
    bool watched = mote_launch_callback_wanted();
    cl_event done = NULL;
    cl_int code = clEnqueueWriteBuffer(part->queue, mem, CL_FALSE, part->offset, part->bytes,
                                       part->stage ? part->stage : part->memory, 0, NULL,
                                       wants_event || watched ? &done : NULL);
    if (code)
        return mote_fail_cl(code, "mote_host", "clEnqueueWriteBuffer");
    if (watched)
        report("copy to device", part, done);
    if (wants_event)
        part->done = done;
    else if (done)
        clReleaseEvent(done);
    return MOTE_SUCCESS;
}

mote_status mote_host_fetch(mote_host *host, mote_host_part *part, size_t total, cl_event after)
{
    cl_mem mem = host->slot[part->slot].device;
    part->stage = stage_of(host, part, total);
    cl_int code = clEnqueueReadBuffer(part->queue, mem, CL_FALSE, part->offset, part->bytes,
                                      part->stage ? part->stage : part->memory, after ? 1 : 0,
                                      after ? &after : NULL, &part->done);
    if (code)
        return mote_fail_cl(code, "mote_host", "clEnqueueReadBuffer");
    if (mote_launch_callback_wanted())
        report("copy to host", part, part->done);
    return MOTE_SUCCESS;
}

mote_status mote_host_wait_part(mote_host *host, mote_host_part *part)
{
    cl_int code = clWaitForEvents(1, &part->done);
    if (!code && part->stage)
        mote_copier_copy(copier_of(host), part->memory, part->stage, part->bytes);
    clReleaseEvent(part->done);
    part->done = NULL;
    return code ? mote_fail_cl(code, "mote_host", "clWaitForEvents") : MOTE_SUCCESS;
}

/* Returns the number of bytes that are copied and sent at once. */
static size_t step_of(mote_host *host, size_t k, const void *memory, size_t bytes)
{
    void *stage;
    bool pieces = staged(host, memory, bytes, bytes) && !mote_host_pinned(host, k, bytes, &stage);
    return pieces ? piece_size(bytes) : bytes;
}

static mote_host_part part_of(const mote_host *host, size_t k, size_t at, size_t bytes,
                              size_t piece, const void *memory)
{
    return (mote_host_part){.queue = host->queue,
                            .slot = k,
                            .offset = at,
                            .bytes = min_size(bytes - at, piece),
                            .memory = (char *)(uintptr_t)memory + at};
}

mote_status mote_host_upload(mote_host *host, size_t k, const void *source, size_t bytes)
{
    cl_mem mem;
    mote_status status = mote_host_device(host, k, bytes, &mem);
    size_t piece = status || bytes == 0 ? 1 : step_of(host, k, source, bytes);
    for (size_t at = 0; !status && at < bytes; at += piece) {
        mote_host_part part = part_of(host, k, at, bytes, piece, source);
        status = mote_host_send(host, &part, bytes, false);
    }
    return status;
}

/* Enqueues the reads of an array, piece by piece; `total` as for mote_host_fetch(). */
static mote_status fetch_pieces(mote_host *host, const mote_host_target *target, size_t total,
                                mote_host_part *part, size_t *count)
{
    size_t piece = step_of(host, target->slot, target->memory, target->bytes);
    mote_status status = MOTE_SUCCESS;
    if (target->slot >= MOTE_HOST_SLOTS || host->slot[target->slot].device_bytes < target->bytes)
        return mote_fail(MOTE_ERROR_INTERNAL, "mote_host: slot %zu does not hold %zu bytes",
                         target->slot, target->bytes);
    for (size_t at = 0; !status && at < target->bytes; at += piece) {
        part[*count] = part_of(host, target->slot, at, target->bytes, piece, target->memory);
        status = mote_host_fetch(host, &part[*count], total, NULL);
        *count += !status;
    }
    return status;
}

static bool is_lent(const mote_host *host, const mote_host_target *target)
{
    size_t k = target->slot;
    return k < MOTE_HOST_SLOTS && host->slot[k].lent &&
           host->slot[k].array.memory == target->memory;
}

/* Polls for a while whether an event of a CPU device is complete: a sleeping thread wakes up 15 us
 * too late, and many commands take no longer. Other threads that need the core run first. */
static void look(const mote_host *host, cl_event event)
{
    cl_int state = CL_QUEUED;
    double end = mote_host_clock() + LOOK_SECONDS;
    clFlush(host->queue);
    while (state > CL_COMPLETE && mote_host_clock() < end) {
        sched_yield();
        if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state, NULL))
            return;
    }
}

/* Enqueues all reads, then copies each piece to the caller when it has arrived. `least`: the number
 * of bytes that each array counts for at least when the kind of copy is chosen. */
static mote_status fetch_all(mote_host *host, const mote_host_target *targets, size_t count,
                             size_t least)
{
    mote_host_part part[MOTE_HOST_TARGETS * MOST_PIECES];
    size_t parts = 0;
    cl_event lent = NULL; /* the last array that was settled */
    cl_int code = CL_SUCCESS;
    mote_status status = MOTE_SUCCESS;
    for (size_t t = 0; !status && t < count; t++) {
        size_t bytes = targets[t].bytes;
        if (bytes > 0 && is_lent(host, &targets[t])) {
            if (lent)
                clReleaseEvent(lent);
            lent = NULL;
            status = mote_host_sync(host, targets[t].slot, &lent);
        } else if (bytes > 0) {
            status = fetch_pieces(host, &targets[t], max_size(bytes, least), part, &parts);
        }
    }
    if (lent) {
        look(host, parts > 0 ? part[parts - 1].done : lent);
        code = clFinish(host->queue);
        clReleaseEvent(lent);
    }
    for (size_t i = 0; i < parts; i++) {
        mote_status arrived = mote_host_wait_part(host, &part[i]);
        status = status ? status : arrived;
    }
    return status || !code ? status : mote_fail_cl(code, "mote_host", "clFinish");
}

/* A read to memory that is not pinned can block while the previous work runs: even small reads use
 * pinned memory. */
mote_status mote_host_download_all(mote_host *host, const mote_host_target *targets, size_t count)
{
    return fetch_all(host, targets, count, STAGE_FROM);
}

mote_status mote_host_download(mote_host *host, size_t k, void *target, size_t bytes)
{
    return fetch_all(host, &(mote_host_target){k, target, bytes}, 1, 0);
}
