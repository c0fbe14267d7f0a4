/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce.h"

#include <stdio.h>

/* Limits the size of the output that a file of a few bytes can produce. */
#define MOST_EMPTY_ROWS 10000000

/* True for reductions that mote_reduce_host() computes; for the others, the rows are lists of equal
 * length. */
static bool is_whole(const reduce_options *options)
{
    return options->choice.reduction == MOTE_REDUCE_SUM ||
           options->choice.reduction == MOTE_REDUCE_MIN ||
           options->choice.reduction == MOTE_REDUCE_MAX;
}

/* Returns the widest type that the results can have, except with --precision native. Truth is
 * uint8. */
static mote_type result_type(const reduce_options *options)
{
    static const mote_type widest[] = {MOTE_FLOAT64, MOTE_INT64, MOTE_UINT64, MOTE_UINT8};
    mote_type type = options->array.type;
    uint32_t types = mote_reduction_results((mote_reduction)options->choice.reduction, type,
                                            is_whole(options) ? MOTE_TYPE_NONE : MOTE_INT64);
    if (options->precision == MOTE_ACCUMULATE_NATIVE && types >> type & 1)
        return type;
    for (size_t k = 0; k < sizeof(widest) / sizeof(widest[0]); k++)
        if (types >> widest[k] & 1)
            return widest[k];
    return type;
}

static mote_status reduce(jagged_job *job, const reduce_options *options, size_t n)
{
    mote_reduce_host_args args;
    mote_reduce_host_args_init(&args);
    args.values = options->array.values;
    args.type = options->array.type;
    args.rows = job->result.count;
    args.n = n;
    args.reduction = (mote_reduction)options->choice.reduction;
    args.accumulation = (mote_accumulation)options->precision;
    args.nan = (mote_nan_policy)options->nan;
    args.result = job->result.values;
    args.result_type = job->result.type;
    return mote_reduce_host(job->ctx, NULL, &args);
}

static int call_rows(jagged_job *job, const reduce_options *options, size_t n)
{
    mote_npy offsets = {.type = MOTE_INT64, .count = job->result.count + 1};
    const char *name = array_name(options->values);
    int code = array_make(name, &offsets);
    if (code != TOOL_GO_ON)
        return code;
    int64_t *at = offsets.values;
    for (size_t row = 0; row < offsets.count; row++)
        at[row] = (int64_t)(row * n);
    const jagged_lists lists = {
        .type = MOTE_INT64, .count = job->result.count, .offset_values = at};
    code = reduce_call_lists(job, options, &lists, name);
    mote_npy_free(&offsets);
    return code;
}

static int check_shape(const reduce_options *options, size_t rows)
{
    const char *name = array_name(options->values);
    bool needs_values = options->choice.reduction == MOTE_REDUCE_MIN ||
                        options->choice.reduction == MOTE_REDUCE_MAX ||
                        options->choice.reduction == MOTE_REDUCE_ARGMIN ||
                        options->choice.reduction == MOTE_REDUCE_ARGMAX;
    if (options->array.count || !rows)
        return TOOL_GO_ON;
    if (needs_values)
        return tool_fail(TOOL_INPUT, "%s: has no values, and so no %s", name, options->choice.op);
    if (rows > MOST_EMPTY_ROWS)
        return tool_fail(TOOL_INPUT, "%s: has %zu rows without values, expected at most %d", name,
                         rows, MOST_EMPTY_ROWS);
    return TOOL_GO_ON;
}

int reduce_array(jagged_job *job, reduce_options *options)
{
    mote_npy *array = &options->array;
    const char *name = array_name(options->values);
    int code = jagged_read(job, options->values, array);
    if (code == TOOL_GO_ON)
        code = array_expect_type(options->values, array, reduce_types);
    if (code != TOOL_GO_ON)
        return code;
    size_t rows = array->n_dims == 2 ? array->shape[0] : 1, n = array->shape[array->n_dims == 2];
    code = check_shape(options, rows);
    if (code == TOOL_GO_ON)
        code = jagged_make(job, name, result_type(options), rows);
    job->result.n_dims = array->n_dims == 2;
    if (code == TOOL_GO_ON)
        code = jagged_device(job);
    snprintf(job->summary, sizeof(job->summary), "%s of %zu row%s of %zu value%s",
             options->choice.op, rows, tool_plural(rows), n, tool_plural(n));
    if (code != TOOL_GO_ON || !rows)
        return code;
    return is_whole(options) ? jagged_called(job, name, reduce(job, options, n))
                             : call_rows(job, options, n);
}
