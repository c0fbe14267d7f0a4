/* SPDX-License-Identifier: Apache-2.0 */
/* mote sum: the sum of an array, or of each of its rows. */
#include "commands.h"
#include "jagged/job.h"

#include <math.h>
#include <stdio.h>

enum { ID_PRECISION = 300 };

/* So that a file of a few bytes does not make a huge output. */
#define MOST_EMPTY_ROWS 10000000

static const tool_option sum_table[] = {
    {ID_PRECISION, "precision", "P",
     "of floats: default (added in double, printed as that),\n"
     "native (added in the type of VALUES and rounded to it), or\n"
     "compensated (each addition's rounding error is kept)"},
    {0, NULL, NULL, NULL},
};

static const mote_type value_types[] = {MOTE_INT32, MOTE_INT64, MOTE_FLOAT32, MOTE_FLOAT64,
                                        MOTE_TYPE_NONE};

typedef struct sum_options {
    tool_common common;
    int precision; /* mote_accumulation */
    const char *path;
    mote_npy array;
} sum_options;

static int sum_option(void *state, int id, const char *value)
{
    static const char *const words[] = {"default", "native", "compensated", NULL};
    sum_options *options = state;
    (void)id;
    return tool_word("--precision", value, words, &options->precision);
}

static void write_real(out_file *out, double value)
{
    if (isnan(value)) /* printf may give it a sign */
        out_text(out, "nan\n");
    else
        out_print(out, "%.17g\n", value);
}

static void write_lines(out_file *out, const mote_npy *sums)
{
    for (size_t i = 0; i < sums->count && !out_is_closed(out); i++) {
        if (sums->type == MOTE_INT64)
            out_print(out, "%lld\n", (long long)((const int64_t *)sums->values)[i]);
        else if (sums->type == MOTE_FLOAT32)
            write_real(out, (double)((const float *)sums->values)[i]);
        else
            write_real(out, ((const double *)sums->values)[i]);
    }
}

static mote_type result_type(const sum_options *options)
{
    mote_type type = options->array.type;
    if (type == MOTE_INT32 || type == MOTE_INT64)
        return MOTE_INT64;
    return options->precision == MOTE_ACCUMULATE_NATIVE ? type : MOTE_FLOAT64;
}

static int call(jagged_job *job, const sum_options *options)
{
    const mote_npy *array = &options->array;
    mote_reduce_host_args args;
    mote_reduce_host_args_init(&args);
    args.values = array->values;
    args.type = array->type;
    args.rows = job->result.count;
    args.n = array->shape[array->n_dims == 2];
    args.accumulation = (mote_accumulation)options->precision;
    args.result = job->result.values;
    args.result_type = job->result.type;
    snprintf(job->summary, sizeof(job->summary), "%zu row%s of %zu value%s", args.rows,
             tool_plural(args.rows), args.n, tool_plural(args.n));
    return jagged_called(job, array_name(options->path), mote_reduce_host(job->ctx, NULL, &args));
}

static int compute(jagged_job *job, sum_options *options)
{
    mote_npy *array = &options->array;
    const char *name = array_name(options->path);
    int code = jagged_read(job, options->path, array);
    if (code == TOOL_GO_ON)
        code = array_expect_type(options->path, array, value_types);
    if (code != TOOL_GO_ON)
        return code;
    size_t rows = array->n_dims == 2 ? array->shape[0] : 1;
    if (!array->count && rows > MOST_EMPTY_ROWS)
        return tool_fail(TOOL_INPUT, "%s: has %zu rows without values, expected at most %d", name,
                         rows, MOST_EMPTY_ROWS);
    code = jagged_make(job, name, result_type(options), rows);
    job->result.n_dims = array->n_dims == 2;
    if (code == TOOL_GO_ON)
        code = jagged_device(job);
    return code == TOOL_GO_ON && rows ? call(job, options) : code;
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
    .summary = "add up an array, or each of its rows",
    .about =
        "Prints the sum of a one-dimensional array, or one sum a line for the rows of a\n"
        "two-dimensional one: %.17g of float32 and float64, integers (int32, int64) exactly,\n"
        "wrapping at 64 bits. The same file gives the same bits on every device with double\n"
        "precision. -o FILE.npy writes NPY instead. VALUES is NPY, as numpy.save writes it; -\n"
        "is standard input.",
    .options = sum_table,
    .run = sum_run,
};
