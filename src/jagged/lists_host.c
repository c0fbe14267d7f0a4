/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the calls on plain arrays that select, expand, filter, reduce, scan and sort lists. */
#include "core/check.h"
#include "core/fail.h"
#include "core/host_job.h"
#include "core/size.h"
#include "jagged/host_call.h"
#include "jagged/list_fault.h"
#include "jagged/lists.h"
#include "reduce/reductions.h"

/* A plan: the arguments, those of the device, and numbers that follow from the arguments. */
#define PLAN(title, device_args)                                                                   \
    typedef struct title##_plan {                                                                  \
        mote_jagged_##title##_host_args args;                                                      \
        device_args device;                                                                        \
        size_t count;                                                                              \
        mote_type type;                                                                            \
    } title##_plan

#define FIELD(title, array, type, count, flags)                                                    \
    HOST_FIELD(title##_plan, #array, args.array, type, count, array, flags)
#define OFFSETS(title) FIELD(title, offsets, args.offsets_type, args.lists, HOST_LISTS)
#define VALUES(title)  FIELD(title, values, args.values_type, args.values_length, 0)
#define CONTENT(title) offsetof(title##_plan, args.values_length)

/* New lists, and results that are elements or positions. */
#define NEW(title, array) FIELD(title, array, args.offsets_type, args.lists, HOST_OUT | HOST_NEW)
#define ROOM(title, array, type)                                                                   \
    FIELD(title, array, args.type, args.capacity, HOST_OUT | HOST_ROOM | HOST_OPTIONAL)

/* Returns the product, or SIZE_MAX if it is too large. */
static size_t times(size_t a, size_t b)
{
    return a && b > SIZE_MAX / a ? SIZE_MAX : a * b;
}

/* ---- gather ---------------------------------------------------------------------------------- */

PLAN(gather_by_parent, mote_jagged_gather_by_parent_args);

static mote_status set_gather_by_parent(void *plan)
{
    gather_by_parent_plan *p = plan;
    mote_jagged_gather_by_parent_args_init(&p->device);
    p->device.validate = MOTE_JAGGED_VALIDATE_FULL;
    p->device.squared = p->args.squared;
    return MOTE_SUCCESS;
}

MOTE_DEFINE_HOST_CALL(gather_by_parent, mote_jagged_gather_by_parent, 0, OFFSETS(gather_by_parent),
                      FIELD(gather_by_parent, values, args.values_type, args.lists, 0),
                      FIELD(gather_by_parent, result, args.values_type, args.n,
                            HOST_OUT | HOST_ROOM),
                      FIELD(gather_by_parent, elements, args.elements_type, args.n, HOST_OPTIONAL))

/* ---- combinations ---------------------------------------------------------------------------- */

PLAN(combinations, mote_jagged_combinations_args);

static mote_status set_combinations(void *plan)
{
    combinations_plan *p = plan;
    mote_jagged_combinations_args_init(&p->device);
    p->device.validate = MOTE_JAGGED_VALIDATE_FULL;
    p->device.n = p->args.n;
    return MOTE_SUCCESS;
}

#define ARRAY(array)                                                                               \
    FIELD(combinations, array, args.offsets_type, args.lists, HOST_LISTS | HOST_OPTIONAL)

MOTE_DEFINE_HOST_CALL(combinations, mote_jagged_combinations, 0,
                      FIELD(combinations, offsets_a, args.offsets_type, args.lists, HOST_LISTS),
                      ARRAY(offsets_b), ARRAY(offsets_c), ARRAY(offsets_d),
                      NEW(combinations, offsets), ROOM(combinations, first, offsets_type),
                      ROOM(combinations, second, offsets_type),
                      ROOM(combinations, third, offsets_type),
                      ROOM(combinations, fourth, offsets_type))

/* ---- nonzero and run lengths ----------------------------------------------------------------- */

PLAN(nonzero, mote_jagged_nonzero_args);

/* A call that only computes offsets needs no elements. */
static mote_status set_nonzero(void *plan)
{
    nonzero_plan *p = plan;
    mote_jagged_nonzero_args_init(&p->device);
    if (!p->args.positions && !p->args.filtered)
        p->args.elements = NULL;
    if (p->args.filtered && !p->args.values_length)
        p->device.elements.type = p->args.elements_type;
    return MOTE_SUCCESS;
}

MOTE_DEFINE_HOST_CALL(nonzero, mote_jagged_nonzero, CONTENT(nonzero), OFFSETS(nonzero),
                      VALUES(nonzero),
                      FIELD(nonzero, elements, args.elements_type, args.values_length,
                            HOST_OPTIONAL),
                      NEW(nonzero, offsets_out), ROOM(nonzero, positions, offsets_type),
                      ROOM(nonzero, filtered, elements_type))

PLAN(run_lengths, mote_jagged_run_lengths_args);

static mote_status set_run_lengths(void *plan)
{
    run_lengths_plan *p = plan;
    mote_jagged_run_lengths_args_init(&p->device);
    p->device.equal_nan = p->args.equal_nan;
    return MOTE_SUCCESS;
}

MOTE_DEFINE_HOST_CALL(run_lengths, mote_jagged_run_lengths, CONTENT(run_lengths),
                      OFFSETS(run_lengths), VALUES(run_lengths), NEW(run_lengths, offsets_out),
                      ROOM(run_lengths, positions, offsets_type),
                      ROOM(run_lengths, run_values, values_type),
                      ROOM(run_lengths, lengths, offsets_type))

/* ---- reduce ---------------------------------------------------------------------------------- */

PLAN(reduce, mote_jagged_reduce_args);

/* Returns the largest valid offset. */
static size_t content_of(const mote_jagged_reduce_host_args *a)
{
    bool relative = a->base_first && a->offsets && mote_type_in(MOTE_JAGGED_INDEX, a->offsets_type);
    if (!a->values && a->reduction == MOTE_REDUCE_COUNT)
        return MOTE_HOST_NO_CONTENT;
    return a->values_length +
           (relative ? (size_t)mote_host_index(a->offsets, a->offsets_type, 0) : 0);
}

static mote_status set_reduce(void *plan)
{
    reduce_plan *p = plan;
    const mote_jagged_reduce_host_args *a = &p->args;
    mote_jagged_reduce_args *d = &p->device;
    bool needs_values = a->reduction != MOTE_REDUCE_COUNT;
    mote_status st =
        MOTE_CHECK_CHOICE("mote_jagged_reduce_host", "reduction", a->reduction, mote_reduction);
    if (st)
        return st;
    mote_jagged_reduce_args_init(d);
    p->count = content_of(a);
    p->type = a->result_type
                  ? a->result_type
                  : mote_reduction_usual_result(a->reduction, a->values_type, a->offsets_type);
    if (a->values || needs_values)
        d->values.type = a->values_type;
    d->validate = MOTE_JAGGED_VALIDATE_FULL;
    d->base_first = a->base_first;
    d->reduction = a->reduction;
    d->nan = a->nan;
    d->ddof = a->ddof;
    return a->values || !needs_values || a->values_length == 0
               ? MOTE_SUCCESS
               : mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_jagged_reduce_host: values is NULL");
}

MOTE_DEFINE_HOST_CALL(reduce, mote_jagged_reduce, offsetof(reduce_plan, count), OFFSETS(reduce),
                      FIELD(reduce, values, args.values_type, args.values_length, HOST_OPTIONAL),
                      FIELD(reduce, result, type, args.lists, HOST_OUT))

/* ---- scan and sort --------------------------------------------------------------------------- */

PLAN(scan, mote_jagged_scan_args);

static mote_status set_scan(void *plan)
{
    scan_plan *p = plan;
    mote_status st =
        MOTE_CHECK_CHOICE("mote_jagged_scan_host", "reduction", p->args.reduction, mote_reduction);
    if (st)
        return st;
    mote_jagged_scan_args_init(&p->device);
    p->type = p->args.result_type
                  ? p->args.result_type
                  : mote_reduction_usual_result(p->args.reduction, p->args.values_type,
                                                p->args.offsets_type);
    p->device.validate = MOTE_JAGGED_VALIDATE_FULL;
    p->device.reduction = p->args.reduction;
    p->device.exclusive = p->args.exclusive;
    return MOTE_SUCCESS;
}

MOTE_DEFINE_HOST_CALL(scan, mote_jagged_scan, CONTENT(scan), OFFSETS(scan), VALUES(scan),
                      FIELD(scan, result, type, args.values_length, HOST_OUT))

PLAN(sort, mote_jagged_sort_args);

static mote_status set_sort(void *plan)
{
    sort_plan *p = plan;
    mote_jagged_sort_args_init(&p->device);
    p->device.validate = MOTE_JAGGED_VALIDATE_FULL;
    p->device.descending = p->args.descending;
    if (!p->args.result && !p->args.indices && p->args.values_length)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "mote_jagged_sort_host: result and indices are NULL: give one of them");
    return MOTE_SUCCESS;
}

MOTE_DEFINE_HOST_CALL(sort, mote_jagged_sort, CONTENT(sort), OFFSETS(sort), VALUES(sort),
                      FIELD(sort, result, args.values_type, args.values_length,
                            HOST_OUT | HOST_OPTIONAL),
                      FIELD(sort, indices, args.indices_type, args.values_length,
                            HOST_OUT | HOST_OPTIONAL))

/* ---- slice, pad and quantile ----------------------------------------------------------------- */

PLAN(slice, mote_jagged_slice_args);

static mote_status set_slice(void *plan)
{
    slice_plan *p = plan;
    mote_jagged_slice_args_init(&p->device);
    p->device.start = p->args.start;
    p->device.stop = p->args.stop;
    return MOTE_SUCCESS;
}

MOTE_DEFINE_HOST_CALL(slice, mote_jagged_slice, CONTENT(slice), OFFSETS(slice), VALUES(slice),
                      NEW(slice, offsets_out), ROOM(slice, sliced, values_type),
                      ROOM(slice, positions, offsets_type))

PLAN(pad, mote_jagged_pad_args);

static mote_status set_pad(void *plan)
{
    pad_plan *p = plan;
    mote_jagged_pad_args_init(&p->device);
    p->count = times(p->args.lists, p->args.k);
    p->device.start = p->args.start;
    p->device.k = p->args.k;
    p->device.fill = p->args.fill;
    return MOTE_SUCCESS;
}

MOTE_DEFINE_HOST_CALL(pad, mote_jagged_pad, CONTENT(pad), OFFSETS(pad), VALUES(pad),
                      FIELD(pad, starts, args.offsets_type, args.lists, HOST_OPTIONAL),
                      FIELD(pad, result, args.values_type, count, HOST_OUT))

PLAN(quantile, mote_jagged_quantile_args);

static mote_status set_quantile(void *plan)
{
    quantile_plan *p = plan;
    mote_jagged_quantile_args_init(&p->device);
    p->count = times(p->args.lists, p->args.count);
    p->type =
        mote_reduction_usual_result(MOTE_REDUCE_MEAN, p->args.values_type, p->args.offsets_type);
    p->device.quantiles = p->args.quantiles;
    p->device.count = p->args.count;
    return MOTE_SUCCESS;
}

MOTE_DEFINE_HOST_CALL(quantile, mote_jagged_quantile, CONTENT(quantile), OFFSETS(quantile),
                      VALUES(quantile), FIELD(quantile, result, type, count, HOST_OUT))
