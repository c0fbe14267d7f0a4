/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fail.h"
#include "mote/pixels.h"
#include "operations.h"
#include "pixels/views.h"
#include "reduce/scan.h"

typedef struct plan {
    mote_pixels_cluster_start_args args;
    mote_view scan;
} plan;

static mote_status check(mote_call *call, void *call_plan)
{
    const plan *p = call_plan;
    const mote_pixels_cluster_start_args *a = &p->args;
    size_t k = a->n_clusters.count;
    if (k >= (size_t)1 << 31)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: n_clusters has %zu elements: a call takes fewer than 2^31",
                         call->name, k);
    const mote_view_rule views[] = {
        {"n_clusters", &a->n_clusters, MOTE_PIXELS_U32, k, VIEW_EXACT},
        {"cluster_start", &a->cluster_start, MOTE_PIXELS_U32, k + 1, VIEW_EXACT | VIEW_WRITES},
    };
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    size_t words = mote_scan_u32_scratch(call->ctx, p->args.n_clusters.count);
    p->scan = mote_carve_take(carve, words, MOTE_UINT32);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    return mote_scan_u32(call, &p->args.n_clusters, &p->args.cluster_start, &p->scan, true);
}

const mote_descriptor mote_pixels_cluster_start_operation = {
    MOTE_DESCRIBE(mote_pixels_cluster_start, mote_pixels_cluster_start_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_pixels_cluster_start_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_pixels_cluster_start, mote_pixels_cluster_start_args,
                 mote_pixels_cluster_start_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_pixels_cluster_start_workspace_size, mote_pixels_cluster_start_args,
                           mote_pixels_cluster_start_operation)
