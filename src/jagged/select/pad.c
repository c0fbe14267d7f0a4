/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/fail.h"
#include "core/size.h"
#include "core/sweep.h"
#include "core/type.h"
#include "jagged/lists.h"
#include "mote/jagged.h"
#include "operations.h"

#include "cl_sources.h"

#include <stdio.h>
#include <string.h>

typedef struct plan {
    mote_jagged_pad_args args;
    mote_lists lists;
    mote_type type; /* type of the values */
    uint64_t fill;  /* bits of the fill value */
} plan;

/* Returns the bits of a value of `size` bytes, or 0 if the value is NULL. */
static uint64_t bits_of(const void *value, size_t size)
{
    uint8_t one = 0;
    uint16_t two = 0;
    uint32_t four = 0;
    uint64_t eight = 0;
    void *const to[] = {[1] = &one, [2] = &two, [4] = &four, [8] = &eight};
    if (value)
        memcpy(to[size], value, size);
    return one | two | four | eight;
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_jagged_pad_args *a = &p->args;
    mote_status st = mote_lists_of_offsets(call, &a->offsets, &p->lists);
    if (st)
        return st;
    size_t m = p->lists.count;
    if (m && a->k > SIZE_MAX / m)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: k is %zu, but %zu lists allow at most %zu elements in a row",
                         call->name, a->k, m, SIZE_MAX / m);
    uint32_t moved = mote_types_moved(), same = mote_type_in(moved, a->values.type);
    const mote_view_rule views[] = {
        {"offsets", &a->offsets, MOTE_JAGGED_INDEX, VIEW_ANY_COUNT, 0},
        {"values", &a->values, moved, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"starts", &a->starts, mote_lists_types(&p->lists), m, VIEW_EXACT | VIEW_OPTIONAL},
        {"result", &a->result, same ? same : moved, m * a->k, VIEW_EXACT | VIEW_WRITES},
    };
    st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    p->type = a->result.type ? a->result.type : a->values.type ? a->values.type : MOTE_UINT8;
    if (!st)
        p->fill = bits_of(a->fill, mote_type_size(p->type));
    return st;
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    const mote_jagged_pad_args *a = &p->args;
    const size_t m = p->lists.count, n = m * max_size(a->k, 1), size = mote_type_size(p->type);
    mote_sweep sweep = mote_sweep_make(call->ctx, "jagged.form", n);
    mote_launch launch;
    char defines[128];
    mote_status st = mote_error_clear(call);
    if (st)
        return st;
    snprintf(defines, sizeof(defines), "%s -DVALUE=%s%s", mote_lists_defines(p->lists.type),
             mote_type_moved_as(p->type), sweep.cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(&launch, call, &mote_cl_jagged_select_pad, defines, "pad");
    mote_launch_view(&launch, "offsets", &a->offsets);
    mote_launch_u32(&launch, "m", (uint32_t)m);
    mote_launch_view(&launch, "values", &a->values);
    mote_launch_u64(&launch, "n", a->values.count);
    mote_launch_u64(&launch, "start", (uint64_t)a->start);
    mote_launch_view(&launch, "starts", &a->starts);
    mote_launch_u64(&launch, "k", a->k);
    mote_launch_u64(&launch, "fill", p->fill);
    mote_launch_view(&launch, "result", &a->result);
    mote_launch_view(&launch, "error", &call->error);
    mote_launch_bytes(&launch,
                      (uint64_t)m * mote_type_size(p->lists.type) +
                          (uint64_t)size * (m * a->k + min_size(m * a->k, a->values.count)));
    mote_launch_last(&launch);
    return mote_launch_run(&launch, m ? sweep.groups : 0, sweep.local);
}

const mote_descriptor mote_jagged_pad_operation = {
    MOTE_DESCRIBE(mote_jagged_pad, mote_jagged_pad_args, plan),
    MOTE_DESCRIBE_ERROR(mote_jagged_pad_args),
    .check = check,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_pad, mote_jagged_pad_args, mote_jagged_pad_operation)
