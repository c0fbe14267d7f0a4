/* SPDX-License-Identifier: Apache-2.0 */
/* mote_jagged_sort() and mote_jagged_sort_host(). */
#include <stdio.h>

#include "testkit/operations/jagged.h"

enum { OFFSETS, VALUES, RESULT, INDICES }; /* the fields */
enum { SORT, ARGSORT, BOTH };              /* the requested outputs */

static void choose_sort(trial_call *c)
{
    mote_jagged_sort_args *a = (mote_jagged_sort_args *)(void *)&c->args;
    mote_type type = trial_choose(c, c->fields->fields[VALUES].types);
    unsigned outputs = trial_choose(c, BIT(SORT) | BIT(ARGSORT) | BIT(BOTH));

    a->descending = trial_choose(c, 3);
    mote_type indices = outputs == SORT
                            ? MOTE_TYPE_NONE
                            : (mote_type)trial_choose(c, c->fields->fields[INDICES].types);
    trial_lists *l = trial_lists_choose(c, false, false);

    a->validate = trial_lists_validate(c);
    c->kind = mote_rng_below(&c->rng, MOTE_VALUES_KINDS + 1);
    c->array[OFFSETS] = (trial_array){.type = l->type, .count = l->m + 1};
    c->array[VALUES] = (trial_array){.type = type, .count = l->content};
    if (outputs != ARGSORT)
        c->array[RESULT] = (trial_array){.type = type, .count = l->content};
    if (indices)
        c->array[INDICES] = (trial_array){.type = indices, .count = l->content};
}

static bool fill_sort(trial_call *c, char *message, size_t size)
{
    const mote_jagged_sort_args *a = (const mote_jagged_sort_args *)(const void *)&c->args;
    trial_lists *l = trial_lists_of(c);
    trial_array *values = &c->array[VALUES], *result = &c->array[RESULT];
    trial_array *indices = &c->array[INDICES];
    mote_jagged_reduce_what what = {
        .values = values->data, .type = values->type, .reduction = MOTE_REDUCE_MIN};
    bool good = trial_lists_make(c);

    if (!good)
        return false;
    if (l->made.content < values->count)
        values->count = l->made.content;
    result->count = result->type ? values->count : 0;
    indices->count = indices->type ? values->count : 0;
    trial_lists_expect(c, values->count, false);
    if (c->kind == MOTE_VALUES_KINDS)
        mote_jagged_values_bits(values->type, values->count, &c->rng, values->data);
    else
        mote_jagged_values_fill(&l->made, &what, (mote_jagged_values)c->kind, values->count,
                                &c->rng, values->data);
    if (!c->told)
        good = mote_oracle_sort(&l->made, &what, values->count, a->descending, result->data,
                                indices->type, indices->data);
    if (!good)
        snprintf(message, size, "out of memory");
    return trial_lists_end(c) && good;
}

static mote_status run_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_jagged_sort_args *a = (const mote_jagged_sort_args *)(const void *)&c->args;
    mote_jagged_sort_host_args args;

    mote_jagged_sort_host_args_init(&args);
    TRIAL_LISTS_HOST(args, c, arrays);
    args.result = c->array[RESULT].type ? arrays[RESULT] : NULL;
    args.indices_type = c->array[INDICES].type;
    args.indices = c->array[INDICES].type ? arrays[INDICES] : NULL;
    args.descending = a->descending;
    return mote_jagged_sort_host(c->ctx, host, &args);
}

/* Sizes near the ends of runs, chunks and windows of both forms, and of 2, 4 and 8 chunks. */
static const size_t borders[] = {1,    8,    16,   256,   1792,  2048, 3584,
                                 4096, 7168, 8192, 16384, 32768, 0};

static const char *const tunes[] = {
    "jagged.form=cpu",
    "jagged.form=gpu",
    "jagged.form=gpu,jagged.group=36,jagged.sort_mean=0",
    "jagged.form=gpu,jagged.sort_mean=1000000,jagged.sort_short=100000000",
    NULL,
};

static const trial_program programs[] = {
    TRIAL_PROGRAM("float32", MOTE_FLOAT32, BOTH, 0, MOTE_INT64, MOTE_INT32),
    TRIAL_PROGRAM("float64, descending", MOTE_FLOAT64, SORT, 1, MOTE_INT64),
    TRIAL_PROGRAM("indices of float16", MOTE_FLOAT16, ARGSORT, 0, MOTE_UINT32, MOTE_UINT32),
    TRIAL_PROGRAM("int8, descending", MOTE_INT8, SORT, 1, MOTE_INT32),
    TRIAL_END,
};

TRIAL_FUNCTIONS(sort, mote_jagged_sort, mote_jagged_sort_args)
TRIAL_WORKSPACE_SIZE(sort, mote_jagged_sort_workspace_size)

static const trial_program selftest[] = {
    TRIAL_PROGRAM("jagged sort, float32", MOTE_FLOAT32, BOTH, 0, MOTE_INT64, MOTE_INT32),
    TRIAL_VARIANT("jagged sort, descending float64", MOTE_FLOAT64, SORT, 1, MOTE_INT32),
    TRIAL_END,
};

const trial_operation trial_sort = {
    TRIAL_OPERATION(sort, mote_jagged_sort, mote_jagged_sort_args, MOTE_OPERATION_JAGGED_SORT),
    TRIAL_WORKSPACE(sort, mote_jagged_sort_args),
    .run_host = run_host,
    .borders = borders,
    .whole = 3,
    .tunes = tunes,
    .programs = programs,
    .selftest = selftest,
    .weight = 3,
};
