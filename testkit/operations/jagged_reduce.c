/* SPDX-License-Identifier: Apache-2.0 */
/* mote_jagged_reduce() and mote_jagged_reduce_host(). */
#include <string.h>

#include "reduce/reductions.h"
#include "testkit/operations/jagged.h"
#include "testkit/reference/jagged/oracle.h"

enum { OFFSETS, VALUES, RESULT }; /* the fields */

bool trial_lists_has_fp64(mote_context *ctx)
{
    mote_jagged_reduce_args args;
    size_t bytes;

    mote_jagged_reduce_args_init(&args);
    args.offsets = (mote_view){.count = 1, .type = MOTE_INT32};
    args.values.type = args.result.type = MOTE_FLOAT64;
    return mote_jagged_reduce_workspace_size(ctx, &args, &bytes) != MOTE_ERROR_UNSUPPORTED;
}

mote_jagged_values trial_lists_values(trial_call *c, bool rounds, bool product)
{
    mote_jagged_values any = (mote_jagged_values)mote_rng_below(&c->rng, MOTE_VALUES_KINDS);
    bool half = mote_rng_below(&c->rng, 2);

    if (c->loose)
        return product ? MOTE_VALUES_TIES : MOTE_VALUES_PLAIN;
    if (rounds && (half || c->telling))
        return MOTE_VALUES_ROUNDED;
    return c->telling ? MOTE_VALUES_PLAIN : any;
}

static void choose_jagged_reduce(trial_call *c)
{
    mote_jagged_reduce_args *a = (mote_jagged_reduce_args *)(void *)&c->args;
    bool fp64 = trial_lists_has_fp64(c->ctx);
    uint32_t no_type = fp64 ? 0 : BIT(MOTE_FLOAT64);
    mote_type type = trial_choose(c, c->fields->fields[VALUES].types & ~no_type);

    a->reduction = (mote_reduction)trial_choose(c, BIT(MOTE_REDUCTION_COUNT) - 1);
    mote_type usual = mote_jagged_reduce_result_type(a->reduction, type, MOTE_INT64);
    uint32_t results = mote_reduction_results(a->reduction, type, MOTE_INT64) & ~no_type;
    bool other = trial_choose(c, results & ~BIT(usual) ? 3 : 1) != 0;
    a->nan = (mote_nan_policy)trial_choose(c, 3);
    a->ddof = mote_rng_below(&c->rng, 3);
    trial_lists *l = trial_lists_choose(c, true, false);
    usual = mote_jagged_reduce_result_type(a->reduction, type, l->type);
    results = mote_reduction_results(a->reduction, type, l->type) & ~no_type;
    bool rounds = mote_jagged_reduce_rounds(a->reduction, type);

    a->validate = trial_lists_validate(c);
    a->base_first = l->shape.first >= TRIAL_FAR || mote_rng_below(&c->rng, 3) == 0;
    c->loose = !fp64 && rounds;
    c->kind = trial_lists_values(c, rounds, a->reduction == MOTE_REDUCE_PROD);
    c->promise = rounds ? TRIAL_WITH_FP64 : TRIAL_EVERYWHERE;
    if (other)
        results &= ~BIT(usual);
    else
        results &= BIT(usual);
    c->impossible = c->impossible || !results;
    for (unsigned bit = 0; results >> bit; bit++)
        usual = results >> bit & 1 ? (mote_type)bit : usual;
    c->array[OFFSETS] = (trial_array){.type = l->type, .count = l->m + 1};
    c->array[VALUES] = (trial_array){
        .type = type, .count = l->content - (a->base_first ? (size_t)l->shape.first : 0)};
    c->array[RESULT] = (trial_array){.type = usual, .count = l->m};
}

static bool fill_jagged_reduce(trial_call *c, char *message, size_t size)
{
    const mote_jagged_reduce_args *a = (const mote_jagged_reduce_args *)(const void *)&c->args;
    trial_lists *l = trial_lists_of(c);
    trial_array *values = &c->array[VALUES];
    mote_jagged_reduce_what what = {.values = values->data,
                                    .type = values->type,
                                    .base_first = a->base_first,
                                    .reduction = a->reduction,
                                    .nan = a->nan,
                                    .ddof = a->ddof,
                                    .result = c->array[RESULT].type};

    (void)message, (void)size;
    if (!trial_lists_make(c))
        return false;
    size_t first = a->base_first ? (size_t)l->shape.first : 0;
    if (l->made.content < first + values->count)
        values->count = l->made.content > first ? l->made.content - first : 0;
    int64_t begin = mote_index_get(l->made.offsets, l->type, 0);
    trial_lists_expect(
        c, a->base_first && begin > 0 ? (size_t)begin + values->count : l->made.content, false);
    mote_jagged_values_fill(&l->made, &what, (mote_jagged_values)c->kind, values->count, &c->rng,
                            values->data);
    if (!c->told)
        mote_oracle_jagged_reduce(&l->made, &what, c->array[RESULT].data);
    return trial_lists_end(c);
}

static bool is_near(const void *call, size_t at, const void *got, const void *expected)
{
    const trial_array *offsets = &((const trial_call *)call)->array[OFFSETS];
    int64_t length = mote_index_get(offsets->data, offsets->type, at + 1) -
                     mote_index_get(offsets->data, offsets->type, at);
    return trial_sums_are_near(length, got, expected);
}

static mote_status run_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_jagged_reduce_args *a = (const mote_jagged_reduce_args *)(const void *)&c->args;
    mote_jagged_reduce_host_args args;

    mote_jagged_reduce_host_args_init(&args);
    TRIAL_LISTS_HOST(args, c, arrays);
    args.base_first = a->base_first;
    args.reduction = a->reduction;
    args.nan = a->nan;
    args.ddof = a->ddof;
    args.result_type = c->array[RESULT].type;
    args.result = arrays[RESULT];
    return mote_jagged_reduce_host(c->ctx, host, &args);
}

static const char *const tunes[] = {
    "jagged.form=cpu",
    "jagged.form=gpu",
    "jagged.form=cpu,jagged_reduce.items=7,jagged_reduce.single_group=4096",
    "jagged.form=cpu,jagged_reduce.items=1",
    "jagged.form=gpu,jagged_reduce.group=64,jagged_reduce.tile=1024,jagged_reduce.tiles=3,"
    "jagged_reduce.staged=2,jagged_reduce.join_group=256",
    "jagged.form=gpu,jagged_reduce.group=16,jagged_reduce.tile=2048,jagged_reduce.single_group="
    "4096,"
    "jagged_reduce.tiles=15,jagged_reduce.join_group=24,jagged_reduce.staged=1,"
    "jagged_reduce.staged_group=24,jagged_reduce.staged_lists=20",
    "jagged.form=gpu,jagged_reduce.group=72,jagged_reduce.tile=3072,jagged_reduce.single_group="
    "60000,"
    "jagged_reduce.staged=3,jagged_reduce.window=1024",
    "jagged.form=gpu,jagged_reduce.single_group=4096,jagged_reduce.staged=3,jagged_reduce.staged_"
    "values=64",
    "jagged.form=cpu,jagged_reduce.fp64=0",
    "jagged.form=gpu,jagged_reduce.fp64=0",
    NULL,
};

static const trial_program programs[] = {
    TRIAL_PROGRAM("sum, float32", MOTE_FLOAT32, MOTE_REDUCE_SUM, 0, MOTE_NAN_PROPAGATE, MOTE_INT64),
    TRIAL_PROGRAM("argmax, float32", MOTE_FLOAT32, MOTE_REDUCE_ARGMAX, 0, MOTE_NAN_SKIP,
                  MOTE_UINT32),
    TRIAL_PROGRAM("any, bool", MOTE_BOOL, MOTE_REDUCE_ANY),
    TRIAL_PROGRAM("mean, float64", MOTE_FLOAT64, MOTE_REDUCE_MEAN),
    TRIAL_PROGRAM("product, float16", MOTE_FLOAT16, MOTE_REDUCE_PROD, 1, MOTE_NAN_SKIP),
    TRIAL_PROGRAM("minimum, int16", MOTE_INT16, MOTE_REDUCE_MIN),
    TRIAL_PROGRAM("number of values that are not 0", MOTE_INT64, MOTE_REDUCE_COUNTNONZERO),
    TRIAL_PROGRAM("standard deviation, float64", MOTE_FLOAT64, MOTE_REDUCE_STD, 0, MOTE_NAN_SKIP),
    TRIAL_PROGRAM("variance, float32", MOTE_FLOAT32, MOTE_REDUCE_VAR),
    TRIAL_PROGRAM("number of values", MOTE_INT32, MOTE_REDUCE_COUNT),
    TRIAL_END,
};

TRIAL_FUNCTIONS(jagged_reduce, mote_jagged_reduce, mote_jagged_reduce_args)
TRIAL_WORKSPACE_SIZE(jagged_reduce, mote_jagged_reduce_workspace_size)

static const trial_program selftest[] = {
    TRIAL_PROGRAM("jagged reduce, sum float32", MOTE_FLOAT32, MOTE_REDUCE_SUM, 0,
                  MOTE_NAN_PROPAGATE, MOTE_INT32),
    TRIAL_VARIANT("jagged reduce, max int32", MOTE_INT32, MOTE_REDUCE_MAX, 0, MOTE_NAN_PROPAGATE,
                  MOTE_INT32),
    TRIAL_VARIANT("jagged reduce, argmin float32", MOTE_FLOAT32, MOTE_REDUCE_ARGMIN, 0,
                  MOTE_NAN_PROPAGATE, MOTE_INT32),
    TRIAL_VARIANT("jagged reduce, count", MOTE_INT32, MOTE_REDUCE_COUNT, 0, MOTE_NAN_PROPAGATE,
                  MOTE_INT32),
    TRIAL_VARIANT("jagged reduce, any bool", MOTE_BOOL, MOTE_REDUCE_ANY, 0, MOTE_NAN_PROPAGATE,
                  MOTE_INT32),
    TRIAL_VARIANT("jagged reduce, var float32", MOTE_FLOAT32, MOTE_REDUCE_VAR, 0,
                  MOTE_NAN_PROPAGATE, MOTE_INT32),
    TRIAL_END,
};

const trial_operation trial_jagged_reduce = {
    TRIAL_OPERATION(jagged_reduce, mote_jagged_reduce, mote_jagged_reduce_args,
                    MOTE_OPERATION_JAGGED_REDUCE),
    TRIAL_WORKSPACE(jagged_reduce, mote_jagged_reduce_args),
    .run_host = run_host,
    .is_near = is_near,
    .borders = trial_lists_borders,
    .whole = 3,
    .tunes = tunes,
    .programs = programs,
    .selftest = selftest,
    .weight = 5,
};
