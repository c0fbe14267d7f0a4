/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fail.h"
#include "pixels/operations.h"
#include "pixels/views.h"
#include "reduce/scan.h"

static mote_status check(const mote_call *call, const void *args, mote_pixels_cluster_start_args *a)
{
    mote_status st =
        mote_check_args(call->name, "mote_pixels_cluster_start_args_init", args, a, sizeof(*a));
    if (st)
        return st;
    size_t k = a->n_clusters.count;
    if (k >= (size_t)1 << 31)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: n_clusters has %zu elements: a call takes fewer than 2^31",
                         call->name, k);
    const mote_view_rule views[] = {
        {"n_clusters", &a->n_clusters, MOTE_PIXELS_U32, k, VIEW_EXACT},
        {"cluster_start", &a->cluster_start, MOTE_PIXELS_U32, k + 1, VIEW_EXACT | VIEW_WRITES},
        {"workspace", &a->workspace, MOTE_PIXELS_U32, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
    };
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

mote_status mote_pixels_cluster_start_enqueue(mote_context *ctx, cl_command_queue queue,
                                              bool prepare, const void *args, cl_uint num_wait,
                                              const cl_event *wait, cl_event *event)
{
    mote_call call;
    mote_pixels_cluster_start_args a;
    mote_view scratch;
    mote_status st = mote_call_begin(&call, "mote_pixels_cluster_start", ctx, queue, prepare,
                                     num_wait, wait, event);
    if (!st)
        st = check(&call, args, &a);
    if (!st)
        st = mote_call_scratch(&call,
                               sizeof(uint32_t) * mote_scan_u32_scratch(ctx, a.n_clusters.count),
                               &a.workspace, &scratch);
    if (!st)
        st = mote_scan_u32(&call, &a.n_clusters, &a.cluster_start, &scratch, true);
    return mote_call_end(&call, st);
}

mote_status mote_pixels_cluster_start(mote_context *ctx, cl_command_queue queue,
                                      const mote_pixels_cluster_start_args *args, cl_uint num_wait,
                                      const cl_event *wait, cl_event *event)
{
    return mote_pixels_cluster_start_enqueue(ctx, queue, false, args, num_wait, wait, event);
}

mote_status mote_pixels_cluster_start_workspace_size(mote_context *ctx,
                                                     const mote_pixels_cluster_start_args *args,
                                                     size_t *bytes)
{
    mote_call call;
    mote_pixels_cluster_start_args a;
    mote_status st = mote_call_begin(&call, "mote_pixels_cluster_start_workspace_size", ctx, NULL,
                                     true, 0, NULL, NULL);
    if (!st && !bytes)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: bytes is NULL", call.name);
    if (!st)
        st = check(&call, args, &a);
    if (!st)
        *bytes = sizeof(uint32_t) * mote_scan_u32_scratch(ctx, a.n_clusters.count) +
                 MOTE_WORKSPACE_SLACK;
    return mote_call_end(&call, st);
}
