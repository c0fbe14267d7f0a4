/* SPDX-License-Identifier: Apache-2.0 */
/* mote_jagged_scan() and mote_jagged_scan_host(). */
#include <stdio.h>
#include <string.h>

#include "reduce/reductions.h"
#include "testkit/operations/jagged.h"

enum { OFFSETS, VALUES, RESULT }; /* the fields */

static void choose_scan(trial_call *c)
{
    mote_jagged_scan_args *a = (mote_jagged_scan_args *)(void *)&c->args;
    bool fp64 = trial_lists_has_fp64(c->ctx);
    uint32_t no_type = fp64 ? 0 : BIT(MOTE_FLOAT64);
    mote_type type = trial_choose(c, c->fields->fields[VALUES].types & ~no_type);

    a->reduction = (mote_reduction)trial_choose(c, BIT(MOTE_REDUCE_MAX + 1) - 1);
    mote_type usual = mote_jagged_reduce_result_type(a->reduction, type, MOTE_INT64);
    uint32_t others =
        mote_reduction_results(a->reduction, type, MOTE_INT64) & ~no_type & ~BIT(usual);
    mote_type result = trial_choose(c, others ? 3 : 1) ? MOTE_FLOAT64 : usual;
    a->exclusive = trial_choose(c, 3);
    trial_lists *l = trial_lists_choose(c, false, false);
    bool rounds = mote_jagged_reduce_rounds(a->reduction, type);

    a->validate = trial_lists_validate(c);
    c->loose = !fp64 && rounds;
    c->kind = trial_lists_values(c, rounds, a->reduction == MOTE_REDUCE_PROD);
    c->promise = rounds ? TRIAL_WITH_FP64 : TRIAL_EVERYWHERE;
    c->array[OFFSETS] = (trial_array){.type = l->type, .count = l->m + 1};
    c->array[VALUES] = (trial_array){.type = type, .count = l->content};
    c->array[RESULT] = (trial_array){.type = result, .count = l->content};
}

static bool fill_scan(trial_call *c, char *message, size_t size)
{
    const mote_jagged_scan_args *a = (const mote_jagged_scan_args *)(const void *)&c->args;
    trial_lists *l = trial_lists_of(c);
    trial_array *values = &c->array[VALUES], *result = &c->array[RESULT];
    mote_jagged_reduce_what what = {.values = values->data,
                                    .type = values->type,
                                    .reduction = a->reduction,
                                    .result = result->type};
    bool good = trial_lists_make(c);

    if (!good)
        return false;
    if (l->made.content < values->count)
        values->count = result->count = l->made.content;
    trial_lists_expect(c, values->count, false);
    mote_jagged_values_fill(&l->made, &what, (mote_jagged_values)c->kind, values->count, &c->rng,
                            values->data);
    if (!c->told)
        good = mote_oracle_scan(&l->made, &what, values->count, a->exclusive, result->data);
    if (!good)
        snprintf(message, size, "out of memory");
    return trial_lists_end(c) && good;
}

/* Returns the largest possible position of element `at` in its list. */
static size_t inside(const trial_array *offsets, size_t at)
{
    size_t low = 0, high = offsets->count;

    while (low < high) {
        size_t k = low + (high - low) / 2;
        if (mote_index_get(offsets->data, offsets->type, k) <= (int64_t)at)
            low = k + 1;
        else
            high = k;
    }
    return low ? at - (size_t)mote_index_get(offsets->data, offsets->type, low - 1) : 0;
}

static bool is_near(const void *call, size_t at, const void *got, const void *expected)
{
    size_t length = inside(&((const trial_call *)call)->array[OFFSETS], at) + 1;
    return trial_sums_are_near((int64_t)length, got, expected);
}

static mote_status run_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_jagged_scan_args *a = (const mote_jagged_scan_args *)(const void *)&c->args;
    mote_jagged_scan_host_args args;

    mote_jagged_scan_host_args_init(&args);
    TRIAL_LISTS_HOST(args, c, arrays);
    args.reduction = a->reduction;
    args.exclusive = a->exclusive;
    args.result_type = c->array[RESULT].type;
    args.result = arrays[RESULT];
    return mote_jagged_scan_host(c->ctx, host, &args);
}

/* Sizes near the ends of runs, blocks, tiles and 16 tiles. */
static const size_t borders[] = {1, 8, 128, 256, 2048, 4096, 8192, 32768, 65536, 0};

static const char *const tunes[] = {
    "jagged.form=cpu",
    "jagged.form=gpu",
    "jagged.form=cpu,jagged.items=7",
    "jagged.form=cpu,jagged.items=1",
    "jagged.form=gpu,jagged.group=36",
    "jagged.form=cpu,jagged_reduce.fp64=0",
    "jagged.form=gpu,jagged_reduce.fp64=0",
    NULL,
};

static const trial_program programs[] = {
    TRIAL_PROGRAM("sum, float32", MOTE_FLOAT32, MOTE_REDUCE_SUM, 0, 0, MOTE_INT64),
    TRIAL_PROGRAM("exclusive product, float64", MOTE_FLOAT64, MOTE_REDUCE_PROD, 0, 1, MOTE_INT32),
    TRIAL_PROGRAM("maximum, float16", MOTE_FLOAT16, MOTE_REDUCE_MAX, 0, 0, MOTE_UINT32),
    TRIAL_PROGRAM("exclusive sum, int32", MOTE_INT32, MOTE_REDUCE_SUM, 0, 1, MOTE_INT32),
    TRIAL_PROGRAM("exclusive minimum, bool", MOTE_BOOL, MOTE_REDUCE_MIN, 0, 1, MOTE_INT64),
    TRIAL_PROGRAM("sum, bool", MOTE_BOOL, MOTE_REDUCE_SUM, 0, 0, MOTE_UINT32),
    TRIAL_END,
};

TRIAL_FUNCTIONS(scan, mote_jagged_scan, mote_jagged_scan_args)
TRIAL_WORKSPACE_SIZE(scan, mote_jagged_scan_workspace_size)

static const trial_program selftest[] = {
    TRIAL_PROGRAM("jagged scan, sum float32", MOTE_FLOAT32, MOTE_REDUCE_SUM, 0, 0, MOTE_INT32),
    TRIAL_VARIANT("jagged scan, exclusive max int32", MOTE_INT32, MOTE_REDUCE_MAX, 0, 1,
                  MOTE_INT32),
    TRIAL_END,
};

const trial_operation trial_scan = {
    TRIAL_OPERATION(scan, mote_jagged_scan, mote_jagged_scan_args, MOTE_OPERATION_JAGGED_SCAN),
    TRIAL_WORKSPACE(scan, mote_jagged_scan_args),
    .run_host = run_host,
    .is_near = is_near,
    .borders = borders,
    .whole = 3,
    .tunes = tunes,
    .programs = programs,
    .selftest = selftest,
    .weight = 3,
};
