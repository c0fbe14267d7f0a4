/* SPDX-License-Identifier: Apache-2.0 */
#include "jagged/lengths/compact.h"
#include "jagged/lists.h"
#include "reduce/scan.h"

#include "cl_sources.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>

#include "core/size.h"
#include "core/tune.h"

/* Lists that one work-item of a CPU processes before a second launch is worthwhile. Two cores that
 * read the lists twice take 1.5 times as long as one core that reads them once. */
#define ALONE     ((size_t)65536)
#define FEW_CORES 2

/* Rows of a tile of the GPU form, of four lists per work-item; up to FEW lists there are few
 * groups. */
#define ROWS     ((size_t)6)
#define ROWS_FEW ((size_t)3)
#define FEW      ((size_t)1 << 20)

/* In larger groups, the sum of a row of bytes could exceed the bits that the kernel uses for it. */
#define GROUP_MOST ((size_t)2048)

static size_t rows_of(const mote_compact *c)
{
    return c->lists > FEW ? ROWS : ROWS_FEW;
}

static mote_scan_plan make_plan(const mote_context *ctx, const mote_compact *c)
{
    mote_scan_plan plan = mote_scan_plan_make(ctx, "jagged.form", c->lists);
    size_t alone = ctx->device.compute_units <= FEW_CORES ? SIZE_MAX : ALONE;
    if (plan.cpu && c->lists <= mote_tune_size(ctx, "jagged.cpu_serial_lists", alone, 0, SIZE_MAX))
        plan = (mote_scan_plan){.cpu = true, .local = 1, .groups = 1, .each = c->lists};
    if (!plan.cpu && plan.local > GROUP_MOST)
        plan.local = GROUP_MOST;
    if (!plan.cpu && plan.groups > 1) {
        plan.each = rows_of(c) * 4 * plan.local;
        plan.groups = div_ceil(c->lists, plan.each);
    }
    return plan;
}

/* The GPU form stores three words per tile and a byte per list. */
void mote_compact_carve(const mote_context *ctx, mote_compact *c, mote_carve *carve)
{
    const mote_scan_plan plan = make_plan(ctx, c);
    size_t groups = plan.groups > 1 ? plan.groups : 0, tiles = plan.cpu ? 0 : groups;
    c->sums = mote_carve_take(carve, plan.cpu ? groups : 3 * groups, MOTE_UINT64);
    c->bytes = mote_carve_take(carve, tiles * (plan.each / 4), MOTE_UINT32);
}

/* Returns whether each group adds up the sums of the tiles itself. */
static bool is_started(const mote_scan_plan *plan)
{
    return !plan->cpu && plan->groups > 4 * plan->local;
}

/* The sum of lengths fits 64 bits if the number of elements does; that of combinations need not. */
static void make_defines(const mote_compact *c, const mote_scan_plan *plan, char *text, size_t size)
{
    bool combinations = c->of >= MOTE_LENGTH_OF_PRODUCT;
    int used = snprintf(text, size, "%s -DLENGTH_OF=%d -DSCAN_LONG=1 -DSCAN_SATURATE=%d -DWG=%zu",
                        mote_lists_defines(c->offsets.type), (int)c->of,
                        combinations && c->offsets.type == MOTE_INT64, plan->local);
    if (plan->cpu)
        snprintf(text + used, size - (size_t)used, " -DCPU_FORM");
    else
        snprintf(text + used, size - (size_t)used, " -DROWS=%zu -DSTARTED=%d", rows_of(c),
                 is_started(plan));
}

static void begin(mote_launch *launch, mote_call *call, const mote_compact *c,
                  const mote_scan_plan *plan, const char *kernel)
{
    char defines[192];
    make_defines(c, plan, defines, sizeof(defines));
    mote_launch_begin(launch, call,
                      plan->cpu ? &mote_cl_jagged_lengths_compact_cpu
                                : &mote_cl_jagged_lengths_compact,
                      defines, kernel);
}

/* A single group reads no sums. Mesa's rusticl reads the first element before the loop, and faults
 * at NULL. */
static void set_scratch(mote_launch *launch, const char *name, const mote_compact *c,
                        const mote_view *scratch)
{
    mote_launch_view(launch, name, scratch->mem ? scratch : &(mote_view){.mem = c->offsets.mem});
}

/* Sets the first arguments of kernels that read lengths. */
static void set_lengths(mote_launch *launch, const mote_compact *c, const mote_scan_plan *plan)
{
    mote_launch_view(launch, "a", &c->a);
    mote_launch_view(launch, "b", &c->b);
    if (c->of == MOTE_LENGTH_OF_PRODUCT_3 || c->of == MOTE_LENGTH_OF_PRODUCT_4) {
        mote_launch_view(launch, "c", &c->c);
        mote_launch_view(launch, "d", &c->d);
    }
    mote_launch_u64(launch, "lists", c->lists);
    if (plan->cpu)
        mote_launch_u64(launch, "each", plan->each);
    else
        mote_launch_u32(launch, "tiles", (uint32_t)plan->groups);
    set_scratch(launch, "sums", c, &c->sums);
    if (!plan->cpu)
        set_scratch(launch, "bytes", c, &c->bytes);
}

static mote_status launch_sums(mote_call *call, const mote_compact *c, const mote_scan_plan *plan,
                               uint64_t read)
{
    mote_launch launch;
    begin(&launch, call, c, plan, "compact_sums");
    set_lengths(&launch, c, plan);
    mote_launch_view(&launch, "error", &c->error);
    mote_launch_bytes(&launch, read);
    return mote_launch_run(&launch, plan->groups, plan->local);
}

static mote_status launch_starts(mote_call *call, const mote_compact *c, const mote_scan_plan *plan)
{
    mote_launch launch;
    begin(&launch, call, c, plan, "compact_starts");
    mote_launch_u32(&launch, "tiles", (uint32_t)plan->groups);
    mote_launch_view(&launch, "sums", &c->sums);
    return mote_launch_run(&launch, div_ceil(plan->groups, 4 * plan->local), plan->local);
}

mote_status mote_compact_run(mote_call *call, const mote_compact *c, bool last)
{
    const mote_scan_plan plan = make_plan(call->ctx, c);
    uint64_t bytes = (uint64_t)c->lists * mote_type_size(c->offsets.type);
    uint64_t read = bytes * (1u + !!c->b.count + !!c->c.count + !!c->d.count);
    mote_launch launch;
    mote_status st = MOTE_SUCCESS;
    assert(plan.groups == 1 || (plan.each * plan.groups >= c->lists &&
                                c->sums.count == (plan.cpu ? 1 : 3) * plan.groups &&
                                c->bytes.count * 4 == (plan.cpu ? 0 : plan.each * plan.groups)));
    if (plan.groups > 1)
        st = launch_sums(call, c, &plan, read);
    if (!st && is_started(&plan))
        st = launch_starts(call, c, &plan);
    if (st)
        return st;
    begin(&launch, call, c, &plan, "compact_chunks");
    set_lengths(&launch, c, &plan);
    mote_launch_view(&launch, "offsets", &c->offsets);
    mote_launch_view(&launch, "error", &c->error);
    mote_launch_bytes(&launch, read + bytes);
    if (last)
        mote_launch_last(&launch);
    return mote_launch_run(&launch, plan.groups, plan.local);
}
