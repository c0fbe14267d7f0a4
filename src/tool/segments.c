/* SPDX-License-Identifier: Apache-2.0 */
/* mote segments: one result for each list of a jagged array. */
#include "commands.h"
#include "jagged/job.h"

#include <stdio.h>

enum { ID_OP = 300, ID_NAN, ID_BASE, ID_OUT };

static const tool_option segments_table[] = {
    {ID_OP, "op", "OP",
     "sum, prod, min, max, argmin, argmax, count, countnonzero,\n"
     "any or all"},
    {ID_NAN, "nan", "POLICY",
     "a NaN among floats makes the result NaN (propagate,\n"
     "default) or is left out (skip)"},
    {ID_BASE, "base", "WHERE",
     "VALUES[0] is position 0 (absolute, default) or position\n"
     "OFFSETS[0] (first)"},
    {ID_OUT, "out", "TYPE",
     "float64: do not round the sums and products of float32\n"
     "VALUES to float32"},
    {0, NULL, NULL, NULL},
};

/* In the order of mote_reduction. */
static const char *const ops[] = {"sum",   "prod",         "min", "max", "argmin", "argmax",
                                  "count", "countnonzero", "any", "all", NULL};

static const mote_type value_types[] = {MOTE_BOOL,    MOTE_INT32,   MOTE_UINT32,   MOTE_INT64,
                                        MOTE_FLOAT32, MOTE_FLOAT64, MOTE_TYPE_NONE};

typedef struct segments_options {
    tool_common common;
    const char *op, *values;
    int reduction, nan, base, out; /* out: 0 = not given, 1 = float32, 2 = float64 */
    jagged_lists lists;
    mote_npy array;
} segments_options;

static int segments_option(void *state, int id, const char *value)
{
    static const char *const policies[] = {"propagate", "skip", NULL};
    static const char *const bases[] = {"absolute", "first", NULL};
    static const char *const outs[] = {"float32", "float64", NULL};
    segments_options *options = state;
    if (id == ID_NAN)
        return tool_word("--nan", value, policies, &options->nan);
    if (id == ID_BASE)
        return tool_word("--base", value, bases, &options->base);
    if (id == ID_OP) {
        options->op = value;
        return tool_word("--op", value, ops, &options->reduction);
    }
    int code = tool_word("--out", value, outs, &options->out);
    options->out++;
    return code;
}

static int check_options(segments_options *options, int argc, char **argv, int first)
{
    if (!options->op)
        return tool_fail(TOOL_USAGE, "what to compute? give --op sum, prod, min, max, argmin, "
                                     "argmax, count, countnonzero, any or all");
    if (argc - first < 2)
        return tool_fail(TOOL_USAGE,
                         "%s given: expected OFFSETS.npy and VALUES.npy (see mote segments --help)",
                         first == argc ? "no input" : "one input");
    if (options->out && options->reduction > MOTE_REDUCE_PROD)
        return tool_fail(TOOL_USAGE, "--out is for sum and prod, not for %s", options->op);
    options->lists.offsets = argv[first];
    options->values = argv[first + 1];
    return tool_no_operands(argc, argv, first + 2);
}

/* The type of the results; MOTE_TYPE_NONE when --out asks for what there is not. */
static mote_type result_type(const segments_options *options)
{
    mote_type values = options->array.type;
    mote_type asked = options->out == 2 ? MOTE_FLOAT64 : MOTE_FLOAT32;
    if (options->reduction > MOTE_REDUCE_MAX)
        return options->reduction < MOTE_REDUCE_ANY ? options->lists.type : MOTE_UINT8;
    if (options->reduction >= MOTE_REDUCE_MIN)
        return values;
    if (values == MOTE_FLOAT32)
        return options->out ? asked : MOTE_FLOAT32;
    mote_type only = values == MOTE_FLOAT64 ? MOTE_FLOAT64 : MOTE_INT64;
    return !options->out || asked == only ? only : MOTE_TYPE_NONE;
}

static int call(jagged_job *job, const segments_options *options)
{
    const jagged_lists *lists = &options->lists;
    mote_jagged_segments_host_args args;
    mote_jagged_segments_host_args_init(&args);
    args.offsets_type = lists->type;
    args.lists = lists->count;
    args.offsets = lists->offset_values;
    args.values_type = options->array.type;
    args.values = options->array.values;
    args.values_length = options->array.count;
    args.base_first = options->base == 1;
    args.reduction = (mote_reduction)options->reduction;
    args.nan = (mote_nan_policy)options->nan;
    args.result_type = job->result.type;
    args.result = job->result.values;
    return jagged_called(job, jagged_lists_name(lists),
                         mote_jagged_segments_host(job->ctx, NULL, &args));
}

static int compute(jagged_job *job, segments_options *options)
{
    jagged_lists *lists = &options->lists;
    int code = jagged_lists_read(job, lists);
    if (code == TOOL_GO_ON)
        code = jagged_read_line(job, options->values, value_types, &options->array);
    if (code != TOOL_GO_ON)
        return code;
    mote_type type = result_type(options);
    if (type == MOTE_TYPE_NONE)
        return tool_fail(TOOL_USAGE, "--out: %s holds %s, whose sums and products are %s",
                         array_name(options->values), mote_type_name(options->array.type),
                         options->array.type == MOTE_FLOAT64 ? "float64" : "int64");
    code = jagged_make(job, jagged_lists_name(lists), type, lists->count);
    if (code == TOOL_GO_ON)
        code = jagged_device(job);
    snprintf(job->summary, sizeof(job->summary), "%s of %zu list%s, %zu value%s", options->op,
             lists->count, tool_plural(lists->count), options->array.count,
             tool_plural(options->array.count));
    return code == TOOL_GO_ON ? call(job, options) : code;
}

static int segments_run(const tool_command *self, int argc, char **argv)
{
    segments_options options = {0};
    int first;
    int code = tool_parse(self, argc, argv, &options.common, segments_option, &options, &first);
    if (code == TOOL_GO_ON)
        code = check_options(&options, argc, argv, first);
    if (code != TOOL_GO_ON)
        return code;
    jagged_job job = {.common = &options.common, .command = self->name, .write = array_write};
    jagged_input(&job, options.lists.offsets);
    jagged_input(&job, options.values);
    code = jagged_begin(&job);
    if (code == TOOL_GO_ON)
        code = compute(&job, &options);
    jagged_lists_free(&options.lists);
    mote_npy_free(&options.array);
    return jagged_end(&job, code);
}

const tool_command tool_segments = {
    .name = "segments",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "sum, min, argmax, any, ... of each list",
    .about =
        "Gives one result for each list of a jagged array. List k is VALUES[OFFSETS[k]] ..\n"
        "VALUES[OFFSETS[k+1]-1]; OFFSETS are int32, uint32 or int64, VALUES bool, int32, uint32,\n"
        "int64, float32 or float64.\n\n"
        "  sum, prod            int64 (wrapping) of integers, else of the type of VALUES\n"
        "  min, max             of the type of VALUES\n"
        "  argmin, argmax       the first place of it, from 0 in the list\n"
        "  count, countnonzero  of the type of OFFSETS, as the places\n"
        "  any, all             0 or 1, uint8\n\n"
        "An empty list gives 0, for prod and all 1; min the type's largest value or +inf, max\n"
        "its smallest or -inf; argmin and argmax -1. Files are NPY, as numpy.save writes them;\n"
        "- is standard input.",
    .options = segments_table,
    .run = segments_run,
};
