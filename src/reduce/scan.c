/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/scan.h"
#include "core/fail.h"
#include "core/size.h"
#include "core/tune.h"

#include "cl_sources.h"

#include <stdio.h>

#define FORM      "reduce.form"
#define ONE_GROUP 8192 /* elements that one group scans in a single launch */
#define GROUP     256  /* the limit that some drivers report for every kernel */
/* Several times the groups that run at once, so that all units end together. */
#define GROUPS_PER_UNIT  24
#define ITEM_LEAST       4096 /* CPU form: elements for which another work-item is worthwhile */
#define ITEMS_PER_UNIT   4
#define ELEMENTS_PER_ROW 4 /* elements that a work-item of the GPU form processes at a time */

static mote_scan_plan plan_cpu(const mote_context *ctx, size_t count)
{
    size_t units = ctx->device.compute_units;
    size_t items = min_size(div_ceil(count, ITEM_LEAST), ITEMS_PER_UNIT * units);
    mote_scan_plan plan = {.cpu = true, .local = 1, .groups = 1, .each = count};
    if (items > 1) {
        plan.each = div_ceil(count, items);
        plan.groups = div_ceil(count, plan.each);
        plan.most_groups = items;
    }
    return plan;
}

static mote_scan_plan plan_gpu(const mote_context *ctx, size_t count)
{
    size_t most = ctx->device.max_work_group;
    size_t units = ctx->device.compute_units;
    size_t alone = mote_tune_size(ctx, "reduce.scan_one_group", ONE_GROUP, 0, (size_t)1 << 20);
    size_t local = mote_tune_size(ctx, "reduce.scan_group", min_size(GROUP, most), 1, most);
    mote_scan_plan plan = {.local = local, .groups = 1, .each = count};
    if (count > alone) {
        size_t tile = ELEMENTS_PER_ROW * local, tiles = div_ceil(count, tile);
        size_t groups = mote_tune_size(ctx, "reduce.scan_groups_a_unit", GROUPS_PER_UNIT, 1, 64);
        plan.most_groups = min_size(tiles, groups * units);
        plan.each = div_ceil(tiles, plan.most_groups) * tile;
        plan.groups = div_ceil(count, plan.each);
    }
    return plan;
}

mote_scan_plan mote_scan_plan_make(const mote_context *ctx, const char *form, size_t count)
{
    if (mote_tune_form(ctx, form) == MOTE_DEVICE_CPU)
        return plan_cpu(ctx, count);
    return plan_gpu(ctx, count);
}

size_t mote_scan_u32_scratch(const mote_context *ctx, size_t count)
{
    return mote_scan_plan_make(ctx, FORM, count).most_groups;
}

static void begin(mote_launch *launch, mote_call *call, const mote_scan_plan *plan,
                  const char *kernel, const mote_view *in)
{
    char defines[48];
    snprintf(defines, sizeof(defines), "-DWG=%zu", plan->local);
    mote_launch_begin(launch, call, plan->cpu ? &mote_cl_reduce_scan_cpu : &mote_cl_reduce_scan,
                      defines, kernel);
    mote_launch_view(launch, "in", in);
    mote_launch_u64(launch, "count", in->count);
    mote_launch_u64(launch, "each", plan->each);
}

static mote_status launch_sums(mote_call *call, const mote_scan_plan *plan, const mote_view *in,
                               const mote_view *sums)
{
    mote_launch launch;
    begin(&launch, call, plan, "scan_sums", in);
    mote_launch_view(&launch, "sums", sums);
    mote_launch_bytes(&launch, (uint64_t)in->count * sizeof(uint32_t));
    return mote_launch_run(&launch, plan->groups, plan->local);
}

mote_status mote_scan_u32(mote_call *call, const mote_view *in, const mote_view *out,
                          const mote_view *scratch, bool last)
{
    const mote_scan_plan plan = mote_scan_plan_make(call->ctx, FORM, in->count);
    /* A single group reads no sums. Mesa's rusticl reads the first element before the loop, and
     * faults at NULL.
     */
    const mote_view none = {.mem = out->mem, .type = MOTE_UINT32};
    const mote_view *sums = plan.groups > 1 && scratch ? scratch : &none;
    mote_launch launch;
    mote_status status = MOTE_SUCCESS;
    if (out->count <= in->count || (plan.groups > 1 && sums->count < plan.groups))
        return mote_fail(MOTE_ERROR_INTERNAL,
                         "%s: a scan of %zu elements into %zu with %zu elements of scratch",
                         call->name, in->count, out->count, sums->count);
    if (plan.groups > 1)
        status = launch_sums(call, &plan, in, sums);
    if (status)
        return status;
    begin(&launch, call, &plan, "scan_chunks", in);
    mote_launch_view(&launch, "sums", sums);
    mote_launch_view(&launch, "out", out);
    mote_launch_bytes(&launch, 2 * (uint64_t)in->count * sizeof(uint32_t));
    if (last)
        mote_launch_last(&launch);
    return mote_launch_run(&launch, plan.groups, plan.local);
}
