/* SPDX-License-Identifier: Apache-2.0 */
/* mote reduce: one result for an array, for each of its rows, or for each list of a jagged array.
 */
#include "reduce/reduce.h"
#include "commands.h"

#include <stdio.h>

enum { ID_OP = 300, ID_NAN, ID_PRECISION, ID_BASE, ID_OUT, ID_DDOF };

static const tool_option reduce_table[] = {
    {ID_OP, "op", "OP", "operation: one of the words above (default: sum)"},
    {ID_NAN, "nan", "propagate|skip",
     "propagate (default): a NaN makes the result NaN (of argmin and\n"
     "argmax: its position); skip: NaNs are ignored"},
    {ID_DDOF, "ddof", "N",
     "for var and std: the sum of squares is divided by the number\n"
     "of values minus N (default: 0)"},
    {ID_PRECISION, "precision", "default|native|compensated",
     "without OFFSETS, the precision of sums of floats: default (add\n"
     "and print in double), native (add in the type of VALUES), or\n"
     "compensated (keep every rounding error)"},
    {ID_BASE, "base", "absolute|first",
     "with OFFSETS: VALUES[0] is position 0 (absolute, default)\n"
     "or position OFFSETS[0] (first)"},
    {ID_OUT, "out", "float32|float64",
     "with OFFSETS: the type of sums and products of float32 VALUES\n"
     "(default: float32)"},
    {0, NULL, NULL, NULL},
};

/* The words of --op, and the text of --help that lists them, are made from the library's table. */
#define MOST_OPS 32
static const char *ops[MOST_OPS + 1];
static char about[3000];

static void describe_ops(void)
{
    size_t text = (size_t)snprintf(
        about, sizeof(about),
        "Without OFFSETS, prints one number for a one-dimensional array, or one number for each\n"
        "row of a two-dimensional array, each on a line; floats have 17 digits. Sums and means\n"
        "of floats are float64.\n\n"
        "With OFFSETS, writes one result for each list of a jagged array. List k is\n"
        "VALUES[OFFSETS[k]] .. VALUES[OFFSETS[k+1]-1]; OFFSETS are int32, uint32 or int64.\n\n"
        "VALUES are bool, integers of 1 to 8 bytes, float16, float32 or float64. The operations,\n"
        "the type of the results of lists, and the result of a list without values:\n\n");
    for (int k = 0; k < MOST_OPS && mote_reduction_name((mote_reduction)k); k++) {
        ops[k] = mote_reduction_name((mote_reduction)k);
        text += (size_t)snprintf(about + text, sizeof(about) - text, "  %-13s %s\n", ops[k],
                                 mote_reduction_about((mote_reduction)k));
    }
    snprintf(about + text, sizeof(about) - text,
             "\nThe same file gives the same bits on every device with double "
             "precision.\n\n" JAGGED_FILES);
}

const mote_type reduce_types[] = {
    MOTE_BOOL,  MOTE_INT8,   MOTE_UINT8,   MOTE_INT16,   MOTE_UINT16,  MOTE_INT32,    MOTE_UINT32,
    MOTE_INT64, MOTE_UINT64, MOTE_FLOAT16, MOTE_FLOAT32, MOTE_FLOAT64, MOTE_TYPE_NONE};

static int reduce_option(void *state, int id, const char *value)
{
    static const char *const policies[] = {"propagate", "skip", NULL};
    static const char *const precisions[] = {"default", "native", "compensated", NULL};
    static const char *const bases[] = {"absolute", "first", NULL};
    reduce_options *options = state;
    if (id == ID_NAN)
        return tool_word("--nan", value, policies, &options->nan);
    if (id == ID_OP) {
        options->choice.op = value;
        return tool_word("--op", value, ops, &options->choice.reduction);
    }
    if (id == ID_DDOF)
        return tool_number("--ddof", value, 0, (1 << 20) - 1, &options->ddof);
    if (id == ID_PRECISION)
        return tool_word("--precision", value, precisions, &options->precision);
    if (id == ID_OUT)
        return reduce_take_out(value, &options->choice);
    int code = tool_word("--base", value, bases, &options->base);
    options->base++; /* 0 = not given */
    return code;
}

static int check_options(reduce_options *options, int argc, char **argv, int first)
{
    if (first == argc)
        return tool_fail(TOOL_USAGE, "no VALUES.npy given (see mote reduce --help)");
    bool lists = argc - first > 1;
    options->lists.offsets = lists ? argv[first] : NULL;
    options->values = argv[first + lists];
    int code = tool_no_operands(argc, argv, first + 1 + lists);
    if (code != TOOL_GO_ON)
        return code;
    if (!lists && (options->base || options->choice.out))
        return tool_fail(TOOL_USAGE, "%s is for lists: give OFFSETS.npy before %s",
                         options->choice.out ? "--out" : "--base", options->values);
    if (options->precision && lists)
        return tool_fail(TOOL_USAGE, "--precision is for arrays, not for lists; see --out");
    if (options->precision && options->choice.reduction != MOTE_REDUCE_SUM)
        return tool_fail(TOOL_USAGE, "--precision is for --op sum, not for %s", options->choice.op);
    return TOOL_GO_ON;
}

static int reduce_run(const tool_command *self, int argc, char **argv)
{
    reduce_options options = {.choice = {.op = "sum", .reduction = MOTE_REDUCE_SUM}};
    int first;
    describe_ops();
    int code = tool_parse(self, argc, argv, &options.common, reduce_option, &options, &first);
    if (code == TOOL_GO_ON)
        code = check_options(&options, argc, argv, first);
    if (code != TOOL_GO_ON)
        return code;
    bool lists = options.lists.offsets != NULL;
    char columns[40];
    snprintf(columns, sizeof(columns), "%s%s", lists ? "list," : "", options.choice.op);
    jagged_job job = {.common = &options.common,
                      .command = self->name,
                      .lines = !lists,
                      .table = {.columns = columns}};
    jagged_input(&job, options.lists.offsets);
    jagged_input(&job, options.values);
    code = jagged_begin(&job);
    if (code == TOOL_GO_ON)
        code = lists ? reduce_lists(&job, &options) : reduce_array(&job, &options);
    jagged_lists_free(&options.lists);
    mote_npy_free(&options.array);
    return jagged_end(&job, code);
}

const tool_command tool_reduce = {
    .name = "reduce",
    .arguments = "[OFFSETS.npy] VALUES.npy",
    .summary = "compute sum, min, argmax, any, ... of an array, its rows, or each list",
    .about = about,
    .examples = "mote reduce --op mean values.npy\n"
                "mote reduce --op max offsets.npy values.npy -o maxima.csv",
    .options = reduce_table,
    .run = reduce_run,
};
