/* SPDX-License-Identifier: Apache-2.0 */
#include "core/host.h"
#include "core/call.h"
#include "core/fail.h"
#include "core/fork.h"
#include "core/log.h"

#include <stdlib.h>
#include <time.h>

/* Creates the host's own queue, with profiling if a launch callback is set. */
static mote_status make_queue(mote_context *ctx, cl_command_queue *out)
{
    return mote_context_queue(ctx, mote_launch_callback_wanted() ? CL_QUEUE_PROFILING_ENABLE : 0,
                              out);
}

/* Uses the caller's queue, after checking that host calls can use it, or creates one. */
static mote_status take_queue(mote_context *ctx, cl_command_queue queue, cl_command_queue *out)
{
    mote_call call;
    mote_status status =
        mote_call_begin(&call, "mote_host_create", ctx, queue, true, 0, NULL, NULL);
    if (status)
        return status;
    if (!queue)
        return make_queue(ctx, out);
    if (!call.in_order)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "mote_host_create: queue is out of order: give an in-order one, or NULL");
    cl_int code = clRetainCommandQueue(queue);
    if (code)
        return mote_fail_cl(code, "mote_host_create", "clRetainCommandQueue");
    *out = queue;
    return MOTE_SUCCESS;
}

mote_status mote_host_create(mote_context *ctx, cl_command_queue queue, mote_host **out)
{
    if (!out)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_host_create: out is NULL");
    *out = NULL;
    cl_command_queue taken = NULL;
    mote_status status = take_queue(ctx, queue, &taken);
    if (status)
        return status;
    mote_host *host = calloc(1, sizeof(*host));
    if (!host) {
        clReleaseCommandQueue(taken);
        return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "mote_host_create: out of host memory");
    }
    host->ctx = ctx;
    host->queue = taken;
    *out = host;
    return MOTE_SUCCESS;
}

void mote_host_release(mote_host *host)
{
    if (!host || mote_is_forked())
        return;
    clFinish(host->queue);
    mote_copier_release(host->copier);
    if (host->up)
        clReleaseCommandQueue(host->up);
    if (host->down)
        clReleaseCommandQueue(host->down);
    if (host->other)
        clReleaseCommandQueue(host->other);
    for (size_t k = 0; k < MOTE_HOST_SLOTS; k++) {
        mote_host_slot *slot = &host->slot[k];
        if (slot->device)
            clReleaseMemObject(slot->device);
        mote_pinned_unmake(host->queue, &slot->pinned);
        free(slot->plain);
    }
    clReleaseCommandQueue(host->queue);
    free(host);
}

cl_command_queue mote_host_queue(const mote_host *host)
{
    return host ? host->queue : NULL;
}

double mote_host_device_seconds(const mote_host *host)
{
    return host ? host->device_seconds : 0.0;
}

mote_status mote_host_side_queues(mote_host *host)
{
    mote_status st = host->up ? MOTE_SUCCESS : make_queue(host->ctx, &host->up);
    if (!st && !host->down)
        st = make_queue(host->ctx, &host->down);
    if (!st && !host->other)
        st = make_queue(host->ctx, &host->other);
    return st;
}

double mote_host_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

mote_status mote_host_wait(mote_host *host, cl_event event)
{
    double begin = mote_host_clock();
    cl_int code = clWaitForEvents(1, &event);
    host->device_seconds = mote_host_clock() - begin;
    return code ? mote_fail_cl(code, "mote_host", "clWaitForEvents") : MOTE_SUCCESS;
}
