/* SPDX-License-Identifier: Apache-2.0 */
/* mote sum: the sum, minimum, maximum or mean of an array, or of each of its rows. */
#include "commands.h"
#include "jagged/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID_PRECISION = 300, ID_OP, ID_NAN };

/* So that a file of a few bytes does not make a huge output. */
#define MOST_EMPTY_ROWS 10000000

static const tool_option sum_table[] = {
    {ID_OP, "op", "OP", "sum (default), min, max or mean"},
    {ID_NAN, "nan", "POLICY",
     "a NaN among floats makes the result NaN (propagate,\n"
     "default) or is left out (skip)"},
    {ID_PRECISION, "precision", "P",
     "of sums of floats: default (added in double, printed as\n"
     "that), native (added in the type of VALUES and rounded to\n"
     "it), or compensated (each addition's rounding error is kept)"},
    {0, NULL, NULL, NULL},
};

static const mote_type value_types[] = {
    MOTE_BOOL,  MOTE_INT8,   MOTE_UINT8,   MOTE_INT16,   MOTE_UINT16,  MOTE_INT32,    MOTE_UINT32,
    MOTE_INT64, MOTE_UINT64, MOTE_FLOAT16, MOTE_FLOAT32, MOTE_FLOAT64, MOTE_TYPE_NONE};

/* The words of --op, and what they are. */
static const char *const ops[] = {"sum", "min", "max", "mean", NULL};
static const mote_reduction reductions[] = {MOTE_REDUCE_SUM, MOTE_REDUCE_MIN, MOTE_REDUCE_MAX,
                                            MOTE_REDUCE_MEAN};

typedef struct sum_options {
    tool_common common;
    int precision; /* mote_accumulation */
    int op, nan;
    const char *path;
    mote_npy array;
} sum_options;

static mote_reduction reduction_of(const sum_options *options)
{
    return reductions[options->op];
}

static int sum_option(void *state, int id, const char *value)
{
    static const char *const words[] = {"default", "native", "compensated", NULL};
    static const char *const policies[] = {"propagate", "skip", NULL};
    sum_options *options = state;
    if (id == ID_OP)
        return tool_word("--op", value, ops, &options->op);
    if (id == ID_NAN)
        return tool_word("--nan", value, policies, &options->nan);
    return tool_word("--precision", value, words, &options->precision);
}

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

static void write_lines(out_file *out, const mote_npy *sums)
{
    for (size_t i = 0; i < sums->count && !out_is_closed(out); i++)
        write_line(out, sums, i);
}

/* Minima and maxima are of the type of the values, sums and means of a wider one. */
static mote_type result_type(const sum_options *options)
{
    mote_type type = options->array.type;
    uint32_t types = mote_reduction_results(reduction_of(options), type, MOTE_TYPE_NONE);
    if (options->precision == MOTE_ACCUMULATE_NATIVE && types >> type & 1)
        return type;
    return types >> MOTE_FLOAT64 & 1  ? MOTE_FLOAT64
           : types >> MOTE_INT64 & 1  ? MOTE_INT64
           : types >> MOTE_UINT64 & 1 ? MOTE_UINT64
                                      : type;
}

static mote_status reduce(jagged_job *job, const sum_options *options, size_t n)
{
    mote_reduce_host_args args;
    mote_reduce_host_args_init(&args);
    args.values = options->array.values;
    args.type = options->array.type;
    args.rows = job->result.count;
    args.n = n;
    args.reduction = reduction_of(options);
    args.accumulation = (mote_accumulation)options->precision;
    args.nan = (mote_nan_policy)options->nan;
    args.result = job->result.values;
    args.result_type = job->result.type;
    return mote_reduce_host(job->ctx, NULL, &args);
}

/* Rows are lists of equal length. */
static mote_status reduce_lists(jagged_job *job, const sum_options *options, const int64_t *offsets)
{
    mote_jagged_segments_host_args args;
    mote_jagged_segments_host_args_init(&args);
    args.offsets_type = MOTE_INT64;
    args.lists = job->result.count;
    args.offsets = offsets;
    args.values_type = options->array.type;
    args.values = options->array.values;
    args.values_length = options->array.count;
    args.reduction = reduction_of(options);
    args.nan = (mote_nan_policy)options->nan;
    args.result_type = job->result.type;
    args.result = job->result.values;
    return mote_jagged_segments_host(job->ctx, NULL, &args);
}

static int call_lists(jagged_job *job, const sum_options *options, size_t n)
{
    mote_npy offsets = {.type = MOTE_INT64, .count = job->result.count + 1};
    const char *name = array_name(options->path);
    int code = array_make(name, &offsets);
    if (code != TOOL_GO_ON)
        return code;
    int64_t *at = offsets.values;
    for (size_t row = 0; row < offsets.count; row++)
        at[row] = (int64_t)(row * n);
    code = jagged_called(job, name, reduce_lists(job, options, at));
    mote_npy_free(&offsets);
    return code;
}

static int call(jagged_job *job, const sum_options *options, size_t n)
{
    if (reduction_of(options) == MOTE_REDUCE_MEAN)
        return call_lists(job, options, n);
    return jagged_called(job, array_name(options->path), reduce(job, options, n));
}

static int check_shape(const sum_options *options, size_t rows)
{
    const char *name = array_name(options->path);
    bool extreme =
        reduction_of(options) == MOTE_REDUCE_MIN || reduction_of(options) == MOTE_REDUCE_MAX;
    if (options->array.count || !rows)
        return TOOL_GO_ON;
    if (extreme)
        return tool_fail(TOOL_INPUT, "%s: has no values, and so no %s", name, ops[options->op]);
    if (rows > MOST_EMPTY_ROWS)
        return tool_fail(TOOL_INPUT, "%s: has %zu rows without values, expected at most %d", name,
                         rows, MOST_EMPTY_ROWS);
    return TOOL_GO_ON;
}

static int compute(jagged_job *job, sum_options *options)
{
    mote_npy *array = &options->array;
    int code = jagged_read(job, options->path, array);
    if (code == TOOL_GO_ON)
        code = array_expect_type(options->path, array, value_types);
    if (code != TOOL_GO_ON)
        return code;
    size_t rows = array->n_dims == 2 ? array->shape[0] : 1, n = array->shape[array->n_dims == 2];
    code = check_shape(options, rows);
    if (code == TOOL_GO_ON)
        code = jagged_make(job, array_name(options->path), result_type(options), rows);
    job->result.n_dims = array->n_dims == 2;
    if (code == TOOL_GO_ON)
        code = jagged_device(job);
    snprintf(job->summary, sizeof(job->summary), "%s of %zu row%s of %zu value%s", ops[options->op],
             rows, tool_plural(rows), n, tool_plural(n));
    return code == TOOL_GO_ON && rows ? call(job, options, n) : code;
}

static int sum_run(const tool_command *self, int argc, char **argv)
{
    sum_options options = {0};
    int first;
    int code = tool_parse(self, argc, argv, &options.common, sum_option, &options, &first);
    if (code == TOOL_GO_ON && first == argc)
        code = tool_fail(TOOL_USAGE, "no VALUES.npy given (see mote sum --help)");
    if (code == TOOL_GO_ON)
        code = tool_no_operands(argc, argv, first + 1);
    if (code == TOOL_GO_ON && options.precision && reduction_of(&options) != MOTE_REDUCE_SUM)
        code = tool_fail(TOOL_USAGE, "--precision is for --op sum, not for %s", ops[options.op]);
    if (code != TOOL_GO_ON)
        return code;
    const char *output = options.common.output;
    options.path = argv[first];
    jagged_job job = {.common = &options.common, .command = self->name};
    job.write = output && tool_ends_with(output, ".npy") ? array_write : write_lines;
    jagged_input(&job, options.path);
    code = jagged_begin(&job);
    if (code == TOOL_GO_ON)
        code = compute(&job, &options);
    mote_npy_free(&options.array);
    return jagged_end(&job, code);
}

const tool_command tool_sum = {
    .name = "sum",
    .arguments = "VALUES.npy",
    .summary = "sum, min, max or mean of an array, or of each row",
    .about =
        "Prints the sum (minimum, maximum, mean) of a one-dimensional array, or one a line for\n"
        "the rows of a two-dimensional one: %.17g of float16, float32 and float64, integers of\n"
        "1 to 8 bytes and bool exactly, sums wrapping at 64 bits. A mean is added up in\n"
        "double and divided once; of no values it is nan. The same file gives the same bits on\n"
        "every device with double precision. -o FILE.npy writes NPY instead. VALUES is NPY, as\n"
        "numpy.save writes it; - is standard input.",
    .options = sum_table,
    .run = sum_run,
};
