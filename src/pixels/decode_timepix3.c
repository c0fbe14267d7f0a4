/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/size.h"
#include "core/sweep.h"
#include "mote/pixels_time.h"
#include "operations.h"
#include "pixels/views.h"
#include "reduce/scan.h"

#include "cl_sources.h"

#include <stdio.h>

typedef struct plan {
    mote_pixels_timepix3_args args;
    mote_sweep sweep;
    size_t n;
    size_t capacity; /* of the hits */
    char defines[48];
    mote_view flags, place, scan; /* scratch */
} plan;

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_pixels_timepix3_args *a = &p->args;
    const mote_view no_events = {0};
    const uint32_t narrow = MOTE_TYPE_BIT(MOTE_UINT16);
    const unsigned hits = VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES;
    const size_t n = a->packets.count;
    const size_t places = max_size(max_size(a->module_id.count, a->x.count), a->y.count);
    const size_t capacity = max_size(places, max_size(a->t.count, a->charge.count));
    const mote_view_rule views[] = {
        {"packets", &a->packets, MOTE_TYPE_BIT(MOTE_UINT64), n, VIEW_EXACT},
        {"chip", &a->chip, narrow, n, VIEW_EXACT | VIEW_OPTIONAL},
        {"module_id", &a->module_id, narrow, capacity, hits},
        {"x", &a->x, narrow, capacity, hits},
        {"y", &a->y, narrow, capacity, hits},
        {"t", &a->t, MOTE_TYPE_BIT(MOTE_INT64), capacity, hits},
        {"charge", &a->charge, narrow, capacity, hits},
        {"n_hits", &a->n_hits, MOTE_PIXELS_U32, 1, VIEW_EXACT | VIEW_WRITES},
    };
    mote_status st = mote_pixels_check_sizes(call, n, &no_events, 0);
    if (!st)
        st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    if (st)
        return st;
    p->n = n;
    p->capacity = capacity;
    p->sweep = mote_sweep_make(call->ctx, "pixels.form", n);
    snprintf(p->defines, sizeof(p->defines), "-DWG=%zu%s", p->sweep.local,
             p->sweep.cpu ? " -DCPU_FORM" : "");
    return MOTE_SUCCESS;
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    p->flags = mote_carve_take(carve, p->n, MOTE_UINT32);
    p->place = mote_carve_take(carve, p->n + 1, MOTE_UINT32);
    p->scan = mote_carve_take(carve, mote_scan_u32_scratch(call->ctx, p->n), MOTE_UINT32);
}

static void begin(mote_launch *l, mote_call *call, const plan *p, const char *kernel)
{
    mote_launch_begin(l, call, &mote_cl_pixels_time_timepix3, p->defines, kernel);
    mote_launch_u64(l, "n", p->n);
}

/* Runs a kernel that reads and writes `bytes` bytes for each packet. */
static mote_status run(mote_launch *l, const plan *p, uint64_t bytes)
{
    mote_launch_bytes(l, bytes * p->n);
    return mote_launch_run(l, p->sweep.groups, p->sweep.local);
}

/* Finds the place of each hit. */
static mote_status launch_places(mote_call *call, const plan *p)
{
    mote_launch l;
    mote_status st = mote_error_clear(call);
    if (!st && p->n) {
        begin(&l, call, p, "timepix3_flags");
        mote_launch_view(&l, "packets", &p->args.packets);
        mote_launch_view(&l, "flags", &p->flags);
        mote_launch_view(&l, "error", &call->error);
        st = run(&l, p, 12);
    }
    return st ? st : mote_scan_u32(call, &p->flags, &p->place, &p->scan, false);
}

static mote_status launch_hits(mote_call *call, const plan *p)
{
    const mote_pixels_timepix3_args *a = &p->args;
    mote_launch l;
    begin(&l, call, p, "timepix3_hits");
    mote_launch_view(&l, "packets", &a->packets);
    mote_launch_view(&l, "chip", &a->chip);
    mote_launch_view(&l, "place", &p->place);
    mote_launch_u32(&l, "capacity", (uint32_t)min_size(p->capacity, UINT32_MAX));
    mote_launch_u32(&l, "has_results",
                    a->module_id.mem || a->x.mem || a->y.mem || a->t.mem || a->charge.mem);
    mote_launch_view(&l, "module_id", &a->module_id);
    mote_launch_view(&l, "x", &a->x);
    mote_launch_view(&l, "y", &a->y);
    mote_launch_view(&l, "t", &a->t);
    mote_launch_view(&l, "charge", &a->charge);
    mote_launch_view(&l, "n_hits", &a->n_hits);
    mote_launch_view(&l, "error", &call->error);
    if (!p->n || !a->t.count)
        mote_launch_last(&l);
    return run(&l, p, 8);
}

/* Adds whole periods to the times. */
static mote_status launch_times(mote_call *call, const plan *p)
{
    const mote_pixels_timepix3_args *a = &p->args;
    const uint32_t capacity = (uint32_t)min_size(p->capacity, UINT32_MAX);
    mote_launch l;
    begin(&l, call, p, "timepix3_carries");
    mote_launch_view(&l, "t", &a->t);
    mote_launch_view(&l, "n_hits", &a->n_hits);
    mote_launch_u32(&l, "capacity", capacity);
    mote_launch_u64(&l, "reference", (uint64_t)a->reference);
    mote_launch_view(&l, "carries", &p->flags);
    mote_status st = run(&l, p, 4);
    if (!st)
        st = mote_scan_u32(call, &p->flags, &p->place, &p->scan, false);
    if (st)
        return st;
    begin(&l, call, p, "timepix3_times");
    mote_launch_view(&l, "place", &p->place);
    mote_launch_view(&l, "n_hits", &a->n_hits);
    mote_launch_u32(&l, "capacity", capacity);
    mote_launch_u64(&l, "reference", (uint64_t)a->reference);
    mote_launch_view(&l, "t", &a->t);
    mote_launch_last(&l);
    return run(&l, p, 0);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    mote_status st = launch_places(call, p);
    if (!st)
        st = launch_hits(call, p);
    return !st && p->n && p->args.t.count ? launch_times(call, p) : st;
}

const mote_descriptor mote_pixels_decode_timepix3_operation = {
    MOTE_DESCRIBE(mote_pixels_decode_timepix3, mote_pixels_timepix3_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_pixels_timepix3_args),
    MOTE_DESCRIBE_ERROR(mote_pixels_timepix3_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_pixels_decode_timepix3, mote_pixels_timepix3_args,
                 mote_pixels_decode_timepix3_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_pixels_decode_timepix3_workspace_size, mote_pixels_timepix3_args,
                           mote_pixels_decode_timepix3_operation)
