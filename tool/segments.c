/* SPDX-License-Identifier: Apache-2.0 */
/* mote segments: one result for each list of a jagged array. */
#include "commands.h"
#include "jagged/job.h"

#include <stdio.h>

enum { ID_OP = 300, ID_NAN, ID_BASE, ID_OUT };

static const tool_option segments_table[] = {
    {ID_OP, "op", "OP", "what to compute: one of the words above"},
    {ID_NAN, "nan", "POLICY",
     "a NaN among floats makes the result NaN (propagate,\n"
     "default) or is left out (skip)"},
    {ID_BASE, "base", "WHERE",
     "VALUES[0] is position 0 (absolute, default) or position\n"
     "OFFSETS[0] (first)"},
    {ID_OUT, "out", "TYPE",
     "float32 or float64, where results can be either: sums and\n"
     "products of float32 VALUES are rounded to float32 without it"},
    {0, NULL, NULL, NULL},
};

/* The words of --op, as a list and as "sum, prod, ... or all", and what --help says of them: made
 * of the library's table. */
#define MOST_OPS 32
static const char *ops[MOST_OPS + 1];
static char op_words[400], about[3000];

static void describe_ops(void)
{
    size_t words = 0;
    size_t text = (size_t)snprintf(
        about, sizeof(about),
        "Gives one result for each list of a jagged array. List k is VALUES[OFFSETS[k]] ..\n"
        "VALUES[OFFSETS[k+1]-1]; OFFSETS are int32, uint32 or int64, VALUES bool, integers of\n"
        "1 to 8 bytes, float16, float32 or float64 (count needs none). What there is, the type of\n"
        "the results, and the result of a list without values:\n\n");
    for (int k = 0; k < MOST_OPS && mote_reduction_name((mote_reduction)k); k++) {
        bool last = !mote_reduction_name((mote_reduction)(k + 1));
        ops[k] = mote_reduction_name((mote_reduction)k);
        words += (size_t)snprintf(op_words + words, sizeof(op_words) - words, "%s%s",
                                  k == 0 ? ""
                                  : last ? " or "
                                         : ", ",
                                  ops[k]);
        text += (size_t)snprintf(about + text, sizeof(about) - text, "  %-13s %s\n", ops[k],
                                 mote_reduction_about((mote_reduction)k));
    }
    snprintf(about + text, sizeof(about) - text,
             "\nFiles are NPY, as numpy.save writes them; - is standard input.");
}

static const mote_type value_types[] = {
    MOTE_BOOL,  MOTE_INT8,   MOTE_UINT8,   MOTE_INT16,   MOTE_UINT16,  MOTE_INT32,    MOTE_UINT32,
    MOTE_INT64, MOTE_UINT64, MOTE_FLOAT16, MOTE_FLOAT32, MOTE_FLOAT64, MOTE_TYPE_NONE};

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
        return tool_fail(TOOL_USAGE, "what to compute? give --op %s", op_words);
    bool count = options->reduction == MOTE_REDUCE_COUNT;
    if (argc - first < 2 - count)
        return tool_fail(TOOL_USAGE, "%s given: expected OFFSETS.npy%s (see mote segments --help)",
                         first == argc ? "no input" : "one input", count ? "" : " and VALUES.npy");
    options->lists.offsets = argv[first];
    options->values = argc - first > 1 ? argv[first + 1] : NULL;
    return tool_no_operands(argc, argv, first + 1 + (options->values != NULL));
}

/* The type of the results: --out, or the usual one; TOOL_USAGE after a message when they cannot
 * have it. Truth is written as uint8. */
static int choose_result(const segments_options *options, mote_type *type)
{
    mote_type values = options->array.type;
    uint32_t types =
        mote_reduction_results((mote_reduction)options->reduction, values, options->lists.type);
    *type = MOTE_BOOL;
    while (types >> *type > 1 && !(types >> *type & 1))
        ++*type;
    if (types >> MOTE_UINT8 & 1)
        *type = MOTE_UINT8;
    if (!options->out)
        return TOOL_GO_ON;
    mote_type asked = options->out == 2 ? MOTE_FLOAT64 : MOTE_FLOAT32;
    const char *path = options->values ? options->values : options->lists.offsets;
    if (!(types >> asked & 1))
        return tool_fail(TOOL_USAGE, "--out %s: %s holds %s, whose %s is %s", mote_type_name(asked),
                         array_name(path),
                         mote_type_name(options->values ? values : options->lists.type),
                         options->op, mote_type_name(*type));
    *type = asked;
    return TOOL_GO_ON;
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
    if (code == TOOL_GO_ON && options->values)
        code = jagged_read_line(job, options->values, value_types, &options->array);
    if (code != TOOL_GO_ON)
        return code;
    mote_type type;
    code = choose_result(options, &type);
    if (code == TOOL_GO_ON)
        code = jagged_make(job, jagged_lists_name(lists), type, lists->count);
    if (code == TOOL_GO_ON)
        code = jagged_device(job);
    int used = snprintf(job->summary, sizeof(job->summary), "%s of %zu list%s", options->op,
                        lists->count, tool_plural(lists->count));
    if (options->values)
        snprintf(job->summary + used, sizeof(job->summary) - (size_t)used, ", %zu value%s",
                 options->array.count, tool_plural(options->array.count));
    return code == TOOL_GO_ON ? call(job, options) : code;
}

static int segments_run(const tool_command *self, int argc, char **argv)
{
    segments_options options = {0};
    int first;
    describe_ops();
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
    .arguments = "OFFSETS.npy [VALUES.npy]",
    .summary = "sum, min, argmax, any, ... of each list",
    .about = about,
    .options = segments_table,
    .run = segments_run,
};
