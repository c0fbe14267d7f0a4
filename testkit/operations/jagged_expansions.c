/* SPDX-License-Identifier: Apache-2.0 */
/* Describes mote_jagged_gather_by_parent() and mote_jagged_nonzero(), for arrays of the device and
 * of the host. */
#include <string.h>

#include "testkit/cases/jagged/values.h"
#include "testkit/operations/jagged.h"
#include "testkit/reference/jagged/oracle.h"

/* ---- gather ---------------------------------------------------------------------------------- */

enum { OFFSETS, VALUES, GATHERED, ELEMENTS };

static bool has_fp64(mote_context *ctx)
{
    return mote_context_device(ctx)->has_fp64;
}

/* The call gathers values, or subtracts the value of its list from each element. */
static void choose_gather(trial_call *c)
{
    mote_jagged_gather_by_parent_args *a = (mote_jagged_gather_by_parent_args *)(void *)&c->args;
    bool differences = trial_choose(c, has_fp64(c->ctx) ? 3 : 1) != 0;
    mote_type type = trial_choose(c, c->fields->fields[VALUES].types);
    trial_lists *l = trial_lists_choose(c, true, false);

    a->validate = trial_lists_validate(c);
    a->squared = differences && trial_choose(c, 3);
    c->array[OFFSETS] = (trial_array){.type = l->type, .count = l->m + 1};
    c->array[VALUES] = (trial_array){.type = differences ? MOTE_FLOAT64 : type, .count = l->m};
    c->array[GATHERED] = trial_lists_capacity(c, c->array[VALUES].type, l->elements);
    if (differences)
        c->array[ELEMENTS] =
            (trial_array){.type = type, .count = c->array[GATHERED].count, .room = l->elements};
    c->promise = differences ? TRIAL_WITH_FP64 : TRIAL_EVERYWHERE;
}

/* Random bits can be NaN, so the values are numbers of several magnitudes instead. */
static void fill_differences(trial_call *c)
{
    const mote_jagged_gather_by_parent_args *a =
        (const mote_jagged_gather_by_parent_args *)(const void *)&c->args;
    const trial_array *elements = &c->array[ELEMENTS];
    double *values = c->array[VALUES].data, *rest = c->array[GATHERED].data;
    mote_case_lists *lists = &trial_lists_of(c)->made;
    mote_jagged_reduce_what what = {.type = elements->type};

    mote_jagged_values_fill(lists, &what, MOTE_VALUES_PLAIN, elements->room, &c->rng,
                            elements->data);
    for (size_t k = 0; k < c->array[VALUES].count; k++)
        values[k] = (double)(int64_t)mote_rng_next(&c->rng) / 3 / (double)(1ull << (k % 8 * 8));
    for (size_t k = 0, at = 0; k < lists->count && !c->unspecified; k++) {
        int64_t begin, end;

        mote_case_lists_bounds(lists, k, &begin, &end);
        for (int64_t i = begin; i < end; i++, at++) {
            double x = mote_jagged_value(elements->data, elements->type, at) - values[k];
            rest[at] = a->squared ? x * x : x;
        }
    }
}

static bool fill_gather(trial_call *c, char *message, size_t size)
{
    trial_lists *l = trial_lists_of(c);
    const trial_array *values = &c->array[VALUES];

    (void)message, (void)size;
    if (!trial_lists_make(c))
        return false;
    trial_lists_expect(c, MOTE_NO_CONTENT, false);
    if (!c->told)
        trial_lists_expect_room(c, GATHERED, mote_case_lists_elements(&l->made));
    if (c->array[ELEMENTS].type) {
        fill_differences(c);
    } else {
        mote_jagged_values_bits(values->type, values->count, &c->rng, values->data);
        if (!c->unspecified)
            mote_oracle_gather(&l->made, values->data, mote_type_size(values->type),
                               c->array[GATHERED].data);
    }
    return trial_lists_end(c);
}

static mote_status run_gather_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_jagged_gather_by_parent_args *a =
        (const mote_jagged_gather_by_parent_args *)(const void *)&c->args;
    mote_jagged_gather_by_parent_host_args args;

    mote_jagged_gather_by_parent_host_args_init(&args);
    args.offsets_type = c->array[OFFSETS].type;
    args.lists = c->array[OFFSETS].count - 1;
    args.offsets = arrays[OFFSETS];
    args.values_type = c->array[VALUES].type;
    args.values = arrays[VALUES];
    args.n = c->array[GATHERED].count;
    args.result = arrays[GATHERED];
    args.elements_type = c->array[ELEMENTS].type;
    args.elements = arrays[ELEMENTS];
    args.squared = a->squared;
    return mote_jagged_gather_by_parent_host(c->ctx, host, &args);
}

/* ---- nonzero --------------------------------------------------------------------------------- */

enum { KEPT = 2, POSITIONS, CONTENT, FILTERED };

static void choose_nonzero(trial_call *c)
{
    mote_jagged_nonzero_args *a = (mote_jagged_nonzero_args *)(void *)&c->args;
    mote_type type = trial_choose(c, c->fields->fields[VALUES].types);
    trial_lists *l = trial_lists_choose(c, false, false);

    a->validate = trial_lists_validate(c);
    mote_type moved = trial_choose(c, BIT(MOTE_TYPE_NONE) | BIT(MOTE_UINT8) | BIT(MOTE_INT16) |
                                          BIT(MOTE_FLOAT32) | BIT(MOTE_FLOAT64));
    c->array[OFFSETS] = c->array[KEPT] = (trial_array){.type = l->type, .count = l->m + 1};
    c->array[VALUES] = (trial_array){.type = type, .count = l->content};
    if (!moved || mote_rng_below(&c->rng, 3))
        c->array[POSITIONS] = trial_lists_part(c, l->type);
    if (moved) {
        c->array[CONTENT] = (trial_array){.type = moved, .count = l->content};
        c->array[FILTERED] = trial_lists_part(c, moved);
        if (c->on_host && c->array[POSITIONS].type) /* one capacity */
            c->array[FILTERED].count = c->array[POSITIONS].count;
    }
}

static bool fill_nonzero(trial_call *c, char *message, size_t size)
{
    trial_lists *l = trial_lists_of(c);
    trial_array *values = &c->array[VALUES], *positions = &c->array[POSITIONS];
    trial_array *content = &c->array[CONTENT], *filtered = &c->array[FILTERED];

    (void)message, (void)size;
    if (!trial_lists_make(c))
        return false;
    if (l->made.content < values->count)
        values->count = l->made.content;
    mote_jagged_values_bits(values->type, values->count, &c->rng, values->data);
    if (content->type) {
        content->count = values->count;
        mote_jagged_values_bits(content->type, content->count, &c->rng, content->data);
    }
    trial_lists_expect(c, values->count, false);
    if (c->told)
        return trial_lists_end(c);
    size_t needed = mote_oracle_nonzero(&l->made, values->data, values->type, c->array[KEPT].data,
                                        positions->data, positions->count);
    if (positions->type)
        trial_lists_expect_room(c, POSITIONS, needed);
    if (content->type) {
        mote_oracle_filter(&l->made, values->data, values->type, content->data,
                           mote_type_size(content->type), filtered->data, filtered->count);
        trial_lists_expect_room(c, FILTERED, needed);
    }
    return trial_lists_end(c);
}

static mote_status run_nonzero_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    mote_jagged_nonzero_host_args args;

    mote_jagged_nonzero_host_args_init(&args);
    TRIAL_LISTS_HOST(args, c, arrays);
    args.elements_type = c->array[CONTENT].type;
    args.elements = arrays[CONTENT];
    args.offsets_out = arrays[KEPT];
    args.capacity = c->array[arrays[FILTERED] ? FILTERED : POSITIONS].count;
    args.positions = arrays[POSITIONS];
    args.filtered = arrays[FILTERED];
    return mote_jagged_nonzero_host(c->ctx, host, &args);
}

/* ---------------------------------------------------------------------------------------------- */

static const trial_program gather_programs[] = {
    TRIAL_PROGRAM("float32", 0, MOTE_FLOAT32, MOTE_INT64, MOTE_JAGGED_VALIDATE_FULL),
    TRIAL_PROGRAM("bool", 0, MOTE_BOOL, MOTE_INT32),
    TRIAL_PROGRAM("differences, float32", 1, MOTE_FLOAT32, MOTE_UINT32),
    TRIAL_PROGRAM("int64", 0, MOTE_INT64, MOTE_UINT32),
    TRIAL_PROGRAM("squares of differences, bool", 1, MOTE_BOOL, MOTE_INT32,
                  MOTE_JAGGED_VALIDATE_TOUCHED, 1),
    TRIAL_END,
};

static const trial_program nonzero_programs[] = {
    TRIAL_PROGRAM("float32", MOTE_FLOAT32, MOTE_INT64, MOTE_JAGGED_VALIDATE_FULL),
    TRIAL_PROGRAM("bool", MOTE_BOOL, MOTE_INT32),
    TRIAL_PROGRAM("float16", MOTE_FLOAT16, MOTE_UINT32),
    TRIAL_PROGRAM("filter, float32 by bool", MOTE_BOOL, MOTE_INT64, MOTE_JAGGED_VALIDATE_FULL,
                  MOTE_FLOAT32),
    TRIAL_PROGRAM("int64", MOTE_INT64, MOTE_INT32),
    TRIAL_PROGRAM("filter, bytes by float64", MOTE_FLOAT64, MOTE_INT32,
                  MOTE_JAGGED_VALIDATE_TOUCHED, MOTE_UINT8),
    TRIAL_END,
};

TRIAL_FUNCTIONS(gather, mote_jagged_gather_by_parent, mote_jagged_gather_by_parent_args)
TRIAL_FUNCTIONS(nonzero, mote_jagged_nonzero, mote_jagged_nonzero_args)
TRIAL_WORKSPACE_SIZE(gather, mote_jagged_gather_by_parent_workspace_size)
TRIAL_WORKSPACE_SIZE(nonzero, mote_jagged_nonzero_workspace_size)

static const trial_program gather_selftest[] = {
    TRIAL_PROGRAM("jagged gather_by_parent", 0, MOTE_INT32, MOTE_INT32),
    TRIAL_END,
};

const trial_operation trial_gather = {
    TRIAL_OPERATION(gather, mote_jagged_gather_by_parent, mote_jagged_gather_by_parent_args,
                    MOTE_OPERATION_JAGGED_GATHER_BY_PARENT),
    TRIAL_WORKSPACE(gather, mote_jagged_gather_by_parent_args),
    .run_host = run_gather_host,
    .borders = trial_lists_borders,
    .tunes = trial_lists_tunes,
    .programs = gather_programs,
    .selftest = gather_selftest,
};

static const trial_program nonzero_selftest[] = {
    TRIAL_PROGRAM("jagged nonzero", MOTE_INT32, MOTE_INT32),
    TRIAL_PROGRAM("jagged nonzero, filter", MOTE_INT32, MOTE_INT32, MOTE_JAGGED_VALIDATE_TOUCHED,
                  MOTE_FLOAT32),
    TRIAL_END,
};

const trial_operation trial_nonzero = {
    TRIAL_OPERATION(nonzero, mote_jagged_nonzero, mote_jagged_nonzero_args,
                    MOTE_OPERATION_JAGGED_NONZERO),
    TRIAL_WORKSPACE(nonzero, mote_jagged_nonzero_args),
    .run_host = run_nonzero_host,
    .borders = trial_lists_borders,
    .tunes = trial_lists_tunes,
    .programs = nonzero_programs,
    .selftest = nonzero_selftest,
};
