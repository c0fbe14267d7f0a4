/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the commands on the values of lists: sort, scan, filter, nonzero, gather, pairs,
 * product, and histogram, which accepts any array. */
#include "lists/lists.h"
#include "commands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ID_OFFSETS = 300,
    ID_DESCENDING,
    ID_INDICES,
    ID_OP,
    ID_EXCLUSIVE,
    ID_OUT,
    ID_BINS,
    ID_RANGE,
    ID_EDGES,
    ID_WEIGHTS
};

/* What a command computes. Letters for its operands: o for OFFSETS, b for OFFSETS of a second
 * array, v for VALUES. */
typedef struct lists_operation {
    const tool_command *command;
    lists_compute compute;
    const char *operands;
    const char *columns; /* of CSV */
} lists_operation;

static const lists_operation operations[] = {
    {&tool_sort, lists_sort, "ov", "list,value"},
    {&tool_scan, lists_scan, "ov", "list,value"},
    {&tool_filter, lists_filter, "ovv", "list,value"},
    {&tool_nonzero, lists_nonzero, "ov", "list,position"},
    {&tool_gather, lists_gather, "ov", "list,value"},
    {&tool_pairs, lists_pairs, "o", "list,first,second"},
    {&tool_product, lists_product, "ob", "list,first,second"},
    {&tool_histogram, lists_histogram, "v", "low,high,count"},
};

/* ---- options --------------------------------------------------------------------------------- */

#define OPTION_OFFSETS                                                                             \
    {                                                                                              \
        ID_OFFSETS, "offsets", "FILE",                                                             \
            "where the offsets of the new lists go (.npy, .csv or .json)"                          \
    }

static const tool_option sort_table[] = {
    {ID_DESCENDING, "descending", NULL, "the largest value of a list comes first"},
    {ID_INDICES, "indices", NULL,
     "give the positions in its list that the sorted values had,\n"
     "in the type of OFFSETS, instead of the values"},
    {0, NULL, NULL, NULL},
};

static const tool_option scan_table[] = {
    {ID_OP, "op", "sum|prod|min|max", "what to compute (default sum)"},
    {ID_EXCLUSIVE, "exclusive", NULL, "a result leaves out the element itself"},
    {ID_OUT, "out", "float32|float64",
     "the type that sums and products of float32 VALUES are\n"
     "rounded to (default float32)"},
    {0, NULL, NULL, NULL},
};

static const tool_option new_lists_table[] = {OPTION_OFFSETS, {0, NULL, NULL, NULL}};

static const tool_option histogram_table[] = {
    {ID_BINS, "bins", "B", "number of bins of equal width (default 10)"},
    {ID_RANGE, "range", "LOW,HIGH",
     "the lowest and the highest edge (default: the smallest and\n"
     "the largest value)"},
    {ID_EDGES, "edges", "E.npy", "the edges of the bins, which never decrease"},
    {ID_WEIGHTS, "weights", "W.npy",
     "a weight for each value, float32 or float64: gives the sum\n"
     "of the weights in each bin instead of the number of values"},
    {0, NULL, NULL, NULL},
};

static int take_range(const char *value, lists_work *work)
{
    int end = 0;
    work->has_range = sscanf(value, "%lf,%lf%n", &work->low, &work->high, &end) == 2 &&
                      !value[end] && work->low < work->high && isfinite(work->high - work->low);
    return work->has_range
               ? TOOL_GO_ON
               : tool_fail(TOOL_USAGE,
                           "--range: '%s' is not LOW,HIGH: two finite numbers, the lower one first",
                           value);
}

static int lists_option(void *state, int id, const char *value)
{
    static const char *const ops[] = {"sum", "prod", "min", "max", NULL};
    lists_work *work = state;
    if (id == ID_OP) {
        work->choice.op = value;
        return tool_word("--op", value, ops, &work->choice.reduction);
    }
    if (id == ID_OUT)
        return reduce_take_out(value, &work->choice);
    if (id == ID_RANGE)
        return take_range(value, work);
    if (id == ID_BINS) {
        work->has_bins = true;
        return tool_number("--bins", value, 1, INT32_MAX - 1, &work->bins);
    }
    if (id == ID_OFFSETS)
        work->offsets_output = tool_output(value);
    else if (id == ID_EDGES)
        work->edges = value;
    else if (id == ID_WEIGHTS)
        work->weights = value;
    else if (id == ID_DESCENDING)
        work->descending = true;
    else if (id == ID_INDICES)
        work->indices = true;
    else
        work->exclusive = true;
    return TOOL_GO_ON;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static int check_words(const lists_operation *operation, lists_work *work, int argc, char **argv,
                       int first)
{
    int count = (int)strlen(operation->operands);
    if (argc - first < count)
        return tool_fail(TOOL_USAGE, "expected %s (see mote %s --help)",
                         operation->command->arguments, operation->command->name);
    for (int k = 0; k < count; k++)
        work->names[k] = argv[first + k];
    if (work->edges && (work->has_bins || work->has_range))
        return tool_fail(TOOL_USAGE, "--edges gives all edges: leave out --bins and --range");
    return tool_no_operands(argc, argv, first + count);
}

/* Reads arrays of any shape whose number of values is checked already. */
static int read_weights(jagged_job *job, lists_work *work)
{
    static const mote_type types[] = {MOTE_FLOAT32, MOTE_FLOAT64, MOTE_TYPE_NONE};
    mote_npy *weights = &work->weights_array;
    int code = jagged_read(job, work->weights, weights);
    if (code == TOOL_GO_ON)
        code = array_expect_type(work->weights, weights, types);
    if (code == TOOL_GO_ON && weights->count != work->arrays[0].count)
        code = tool_fail(TOOL_INPUT, "%s: has %zu value%s, expected %zu as in %s",
                         array_name(work->weights), weights->count, tool_plural(weights->count),
                         work->arrays[0].count, array_name(work->names[0]));
    return code;
}

static int read_edges(jagged_job *job, lists_work *work)
{
    mote_type type = work->arrays[0].type;
    bool listed = type == MOTE_FLOAT32 || type == MOTE_FLOAT64;
    const mote_type types[] = {MOTE_FLOAT32, MOTE_FLOAT64, listed ? MOTE_TYPE_NONE : type,
                               MOTE_TYPE_NONE};
    mote_npy *edges = &work->edges_array;
    int code = jagged_read_line(job, work->edges, types, edges);
    if (code == TOOL_GO_ON && edges->count < 2)
        code = tool_fail(TOOL_INPUT, "%s: has %zu value%s, expected at least 2 edges",
                         array_name(work->edges), edges->count, tool_plural(edges->count));
    return code;
}

static int read_inputs(jagged_job *job, const lists_operation *operation, lists_work *work)
{
    mote_npy *values = work->arrays;
    int code = TOOL_GO_ON;
    for (int k = 0; operation->operands[k] && code == TOOL_GO_ON; k++) {
        jagged_lists *lists = operation->operands[k] == 'b' ? &work->other : &work->lists;
        const char *name = work->names[k];
        if (operation->operands[k] != 'v') {
            lists->offsets = name;
            code = jagged_lists_read(job, lists);
        } else if (k == 0) { /* not in lists, so it may have any shape */
            code = jagged_read(job, name, values);
            if (code == TOOL_GO_ON)
                code = array_expect_type(name, values, reduce_types);
        } else {
            code = jagged_read_line(job, name, reduce_types, values++);
        }
    }
    if (code == TOOL_GO_ON && work->edges)
        code = read_edges(job, work);
    return code == TOOL_GO_ON && work->weights ? read_weights(job, work) : code;
}

static void summarise(jagged_job *job, const lists_work *work)
{
    size_t values = work->arrays[0].count, lists = work->lists.count;
    if (work->lists.offsets)
        snprintf(job->summary, sizeof(job->summary), "%zu list%s, %zu result%s", lists,
                 tool_plural(lists), job->result.shape[0], tool_plural(job->result.shape[0]));
    else
        snprintf(job->summary, sizeof(job->summary), "%zu bin%s, %zu value%s", job->result.count,
                 tool_plural(job->result.count), values, tool_plural(values));
}

static int lists_run(const tool_command *self, int argc, char **argv)
{
    lists_work work = {.choice = {.op = "sum", .reduction = MOTE_REDUCE_SUM}};
    const lists_operation *operation = operations;
    while (operation->command != self)
        operation++;
    int first;
    int code = tool_parse(self, argc, argv, &work.common, lists_option, &work, &first);
    if (code == TOOL_GO_ON)
        code = check_words(operation, &work, argc, argv, first);
    if (code != TOOL_GO_ON)
        return code;
    jagged_job job = {.common = &work.common,
                      .command = self->name,
                      .offsets_output = work.offsets_output,
                      .table = {.columns = work.weights ? "low,high,sum" : operation->columns,
                                .relative = operation->compute == lists_gather}};
    if (*operation->operands == 'o')
        job.table.offsets = &work.lists.first;
    for (int k = 0; operation->operands[k]; k++)
        jagged_input(&job, work.names[k]);
    jagged_input(&job, work.edges);
    jagged_input(&job, work.weights);
    code = jagged_begin(&job);
    if (code == TOOL_GO_ON)
        code = read_inputs(&job, operation, &work);
    if (code == TOOL_GO_ON)
        code = jagged_device(&job);
    if (code == TOOL_GO_ON)
        code = operation->compute(&job, &work);
    summarise(&job, &work);
    code = jagged_end(&job, code);
    jagged_lists_free(&work.lists);
    jagged_lists_free(&work.other);
    for (int k = 0; k < LISTS_MOST_OPERANDS; k++)
        mote_npy_free(&work.arrays[k]);
    mote_npy_free(&work.edges_array);
    mote_npy_free(&work.weights_array);
    mote_npy_free(&work.shown);
    return code;
}

/* ---- the commands ---------------------------------------------------------------------------- */

#define LISTS "\nList k is VALUES[OFFSETS[k]] .. VALUES[OFFSETS[k+1]-1].\n"
#define TWO_OUTPUTS                                                                                \
    "NPY holds one array, so that the offsets of the new lists go to the file of --offsets.\n"     \
    "CSV, JSON and a terminal show the lists themselves.\n"

const tool_command tool_sort = {
    .name = "sort",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "the values of each list in order, or their positions",
    .about = "Sorts the values of each list. Equal values keep their order, and NaN come last.\n"
             "Values outside of all lists stay." LISTS "\n" JAGGED_FILES,
    .examples = "mote sort offsets.npy values.npy -o sorted.npy\n"
                "mote sort --descending --indices offsets.npy values.npy -o order.csv",
    .options = sort_table,
    .run = lists_run,
};

const tool_command tool_scan = {
    .name = "scan",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "prefix sums, products, minima or maxima inside lists",
    .about =
        "Gives each value the sum (product, minimum, maximum) of the values of its list up to\n"
        "itself, or with --exclusive up to the one before it. Sums and products of bool and\n"
        "integers are int64, or uint64 of unsigned ones." LISTS "\n" JAGGED_FILES,
    .examples = "mote scan offsets.npy values.npy -o sums.npy\n"
                "mote scan --op max --exclusive offsets.npy values.npy -o before.npy",
    .options = scan_table,
    .run = lists_run,
};

const tool_command tool_filter = {
    .name = "filter",
    .arguments = "OFFSETS.npy VALUES.npy MASK.npy",
    .summary = "the values of each list whose mask is not 0",
    .about =
        "Keeps the values whose MASK is not 0 (NaN is not 0), in lists as before. MASK has as\n"
        "many values as VALUES." LISTS "\n" TWO_OUTPUTS "\n" JAGGED_FILES,
    .examples =
        "mote filter offsets.npy values.npy mask.npy -o kept.npy --offsets kept_offsets.npy\n"
        "mote filter offsets.npy values.npy mask.npy -o kept.json",
    .options = new_lists_table,
    .run = lists_run,
};

const tool_command tool_nonzero = {
    .name = "nonzero",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "the positions of the values of each list that are not 0",
    .about = "Gives the positions in VALUES of the values that are not 0 (NaN is not 0), in lists\n"
             "as before and in the type of OFFSETS." LISTS "\n" TWO_OUTPUTS "\n" JAGGED_FILES,
    .examples = "mote nonzero offsets.npy values.npy -o places.npy --offsets place_offsets.npy\n"
                "mote nonzero offsets.npy values.npy -o places.csv",
    .options = new_lists_table,
    .run = lists_run,
};

const tool_command tool_gather = {
    .name = "gather",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "one value for each list to the elements of the lists",
    .about = "Gives each element the value of its list: VALUES has one value for each list. The\n"
             "result begins with position OFFSETS[0].\n\n" JAGGED_FILES,
    .examples =
        "mote reduce --op max offsets.npy values.npy | mote gather offsets.npy - -o maxima.npy\n"
        "mote gather offsets.npy weights.npy -o weight.csv",
    .options = NULL,
    .run = lists_run,
};

const tool_command tool_pairs = {
    .name = "pairs",
    .arguments = "OFFSETS.npy",
    .summary = "all pairs of elements of the same list",
    .about = "Gives the positions i < j of all pairs of elements of the same list, as an array of\n"
             "two columns, in the type of OFFSETS.\n\n" TWO_OUTPUTS "\n" JAGGED_FILES,
    .examples = "mote pairs offsets.npy -o pairs.npy --offsets pair_offsets.npy\n"
                "mote pairs offsets.npy -o pairs.csv",
    .options = new_lists_table,
    .run = lists_run,
};

const tool_command tool_product = {
    .name = "product",
    .arguments = "OFFSETS_A.npy OFFSETS_B.npy",
    .summary = "all pairs of an element of list k of a and one of list k of b",
    .about =
        "Gives all combinations of an element of list k of a first array with one of list k of\n"
        "a second array, as an array of two columns: their positions in the contents of the\n"
        "two. Both OFFSETS have the same type and number of lists.\n\n" TWO_OUTPUTS
        "\n" JAGGED_FILES,
    .examples = "mote product offsets.npy others.npy -o pairs.npy --offsets pair_offsets.npy\n"
                "mote product offsets.npy others.npy -o pairs.csv",
    .options = new_lists_table,
    .run = lists_run,
};

const tool_command tool_histogram = {
    .name = "histogram",
    .arguments = "VALUES.npy",
    .summary = "how many values lie in each bin, or the sum of their weights",
    .about =
        "Counts the values of an array in bins, as numpy.histogram does: a bin includes its\n"
        "lower edge, and the last bin both edges. CSV, JSON and a terminal show the two edges\n"
        "of each bin, and NPY has the counts (int64) or sums alone.\n\n" JAGGED_FILES,
    .examples = "mote histogram values.npy --bins 8 --range 0,64 -o histogram.csv\n"
                "mote histogram values.npy --edges edges.npy --weights weights.npy -o sums.npy",
    .options = histogram_table,
    .run = lists_run,
};
