/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce.h"

#include <math.h>
#include <stdio.h>

/* Limits the size of the output that a file of a few bytes can produce. */
#define MOST_EMPTY_ROWS 10000000

static void write_real(out_file *out, double value)
{
    if (isnan(value)) /* printf may give it a sign */
        out_text(out, "nan\n");
    else
        out_print(out, "%.17g\n", value);
}

/* A float16 by its bits. */
static double half_number(uint16_t bits)
{
    int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    double x = exponent == 31
                   ? (mantissa ? (double)NAN : (double)INFINITY)
                   : ldexp(mantissa + (exponent ? 1024 : 0), (exponent ? exponent : 1) - 25);
    return bits >> 15 ? -x : x;
}

static void write_line(out_file *out, const mote_npy *sums, size_t i)
{
    const void *v = sums->values;
    switch (sums->type) {
    case MOTE_BOOL:
    case MOTE_UINT8:
        out_print(out, "%u\n", (unsigned)((const uint8_t *)v)[i]);
        break;
    case MOTE_INT8:
        out_print(out, "%d\n", ((const int8_t *)v)[i]);
        break;
    case MOTE_INT16:
        out_print(out, "%d\n", ((const int16_t *)v)[i]);
        break;
    case MOTE_UINT16:
        out_print(out, "%u\n", (unsigned)((const uint16_t *)v)[i]);
        break;
    case MOTE_INT32:
        out_print(out, "%ld\n", (long)((const int32_t *)v)[i]);
        break;
    case MOTE_UINT32:
        out_print(out, "%lu\n", (unsigned long)((const uint32_t *)v)[i]);
        break;
    case MOTE_INT64:
        out_print(out, "%lld\n", (long long)((const int64_t *)v)[i]);
        break;
    case MOTE_UINT64:
        out_print(out, "%llu\n", (unsigned long long)((const uint64_t *)v)[i]);
        break;
    case MOTE_FLOAT16:
        write_real(out, half_number(((const uint16_t *)v)[i]));
        break;
    case MOTE_FLOAT32:
        write_real(out, (double)((const float *)v)[i]);
        break;
    default:
        write_real(out, ((const double *)v)[i]);
    }
}

void reduce_write_lines(out_file *out, const mote_npy *numbers)
{
    for (size_t i = 0; i < numbers->count && !out_is_closed(out); i++)
        write_line(out, numbers, i);
}

/* Which reductions mote_reduce_host() makes; the rows of the others are lists of equal length. */
static bool is_whole(const reduce_options *options)
{
    return options->reduction == MOTE_REDUCE_SUM || options->reduction == MOTE_REDUCE_MIN ||
           options->reduction == MOTE_REDUCE_MAX;
}

/* The widest type that the results can have, except with --precision native. Truth is uint8. */
static mote_type result_type(const reduce_options *options)
{
    static const mote_type widest[] = {MOTE_FLOAT64, MOTE_INT64, MOTE_UINT64, MOTE_UINT8};
    mote_type type = options->array.type;
    uint32_t types = mote_reduction_results((mote_reduction)options->reduction, type,
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
    args.reduction = (mote_reduction)options->reduction;
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
    bool needs_values =
        options->reduction == MOTE_REDUCE_MIN || options->reduction == MOTE_REDUCE_MAX ||
        options->reduction == MOTE_REDUCE_ARGMIN || options->reduction == MOTE_REDUCE_ARGMAX;
    if (options->array.count || !rows)
        return TOOL_GO_ON;
    if (needs_values)
        return tool_fail(TOOL_INPUT, "%s: has no values, and so no %s", name, options->op);
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
    snprintf(job->summary, sizeof(job->summary), "%s of %zu row%s of %zu value%s", options->op,
             rows, tool_plural(rows), n, tool_plural(n));
    if (code != TOOL_GO_ON || !rows)
        return code;
    return is_whole(options) ? jagged_called(job, name, reduce(job, options, n))
                             : call_rows(job, options, n);
}
