/* SPDX-License-Identifier: Apache-2.0 */
/* The commands on the values of lists, and histogram, which accepts any array: their options and
 * help texts. */
#include "lists.h"
#include "../commands.h"

/* All of these commands. */
const lists_operation lists_operations[] = {
    {&tool_sort, lists_sort, "ov", "list,value", false},
    {&tool_scan, lists_scan, "ov", "list,value", false},
    {&tool_topk, lists_topk, "ov", "list,value", false},
    {&tool_filter, lists_filter, "ovv", "list,value", false},
    {&tool_nonzero, lists_nonzero, "ov", "list,position", false},
    {&tool_slice, lists_slice, "ov", "list,value", false},
    {&tool_pad, lists_pad, "ov", "list", false},
    {&tool_quantile, lists_quantile, "ov", "list,quantile", false},
    {&tool_median, lists_quantile, "ov", "list,median", false},
    {&tool_run_lengths, lists_run_lengths, "ov", "list,value,length", false},
    {&tool_unique, lists_unique, "ov", "list,value", false},
    {&tool_gather, lists_gather, "ov", "list,value", false},
    {&tool_pairs, lists_combinations, "o", NULL, false},
    {&tool_combinations, lists_combinations, "o", NULL, false},
    {&tool_product, lists_product, "oo", NULL, true},
    {&tool_histogram, lists_histogram, "v", "low,high,count", false},
};

/* ---- options --------------------------------------------------------------------------------- */

#define OPTION_OFFSETS                                                                             \
    {                                                                                              \
        ID_OFFSETS, "offsets", "FILE",                                                             \
            "where the offsets of the new lists go (.npy, .csv or .json)"                          \
    }

#define OPTION_INDICES                                                                             \
    {                                                                                              \
        ID_INDICES, "indices", NULL,                                                               \
            "give the positions in its list that the values had, in the\n"                         \
            "type of OFFSETS, instead of the values"                                               \
    }

static const tool_option sort_table[] = {
    {ID_DESCENDING, "descending", NULL, "the largest value of a list comes first"},
    OPTION_INDICES,
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

static const tool_option topk_table[] = {
    {'k', "number", "K", "number of values of each list"},
    {ID_SMALLEST, "smallest", NULL, "the smallest values instead of the largest ones"},
    OPTION_INDICES,
    OPTION_OFFSETS,
    {0, NULL, NULL, NULL},
};

static const tool_option slice_table[] = {
    {ID_START, "start", "I", "index of the first element (default 0)"},
    {ID_STOP, "stop", "I", "index behind the last element (default: the end of the list)"},
    OPTION_OFFSETS,
    {0, NULL, NULL, NULL},
};

static const tool_option pad_table[] = {
    {'k', "number", "K", "number of elements of each row"},
    {ID_START, "start", "I",
     "index of the first element of each row (default 0); -K aligns\n"
     "the rows to the ends of the lists"},
    {ID_FILL, "fill", "X", "the value where a list has no element (default 0)"},
    {0, NULL, NULL, NULL},
};

static const tool_option quantile_table[] = {
    {ID_QUANTILES, "quantiles", "Q[,Q...]", "up to 256 numbers from 0 to 1 (default 0.5)"},
    {0, NULL, NULL, NULL},
};

static const tool_option runs_table[] = {
    {ID_LENGTHS, "lengths", "FILE", "where the lengths of the runs go (.npy, .csv or .json)"},
    OPTION_OFFSETS,
    {0, NULL, NULL, NULL},
};

static const tool_option unique_table[] = {
    {ID_LENGTHS, "counts", "FILE",
     "where the number of times that each value occurs goes (.npy,\n"
     ".csv or .json)"},
    OPTION_OFFSETS,
    {0, NULL, NULL, NULL},
};

static const tool_option combinations_table[] = {
    {'n', "elements", "2|3|4", "number of elements of a combination (default 2)"},
    OPTION_OFFSETS,
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
    {ID_SVG, "svg", "FILE", "also a picture"},
    {0, NULL, NULL, NULL},
};

/* ---- commands -------------------------------------------------------------------------------- */

#define LISTS "\nList k is VALUES[OFFSETS[k]] .. VALUES[OFFSETS[k+1]-1].\n"

/* The rule for commands with several outputs. */
#define OUTPUTS                                                                                    \
    "Each output is one array. The result goes to -o, and what else the command finds to the\n"    \
    "files of its other options, such as --offsets with the offsets of the new lists. CSV,\n"      \
    "JSON and a terminal show the result as lists, so that they need no --offsets.\n"

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
        "many values as VALUES." LISTS "\n" OUTPUTS "\n" JAGGED_FILES,
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
             "as before and in the type of OFFSETS." LISTS "\n" OUTPUTS "\n" JAGGED_FILES,
    .examples = "mote nonzero offsets.npy values.npy -o places.npy --offsets place_offsets.npy\n"
                "mote nonzero offsets.npy values.npy -o places.csv",
    .options = new_lists_table,
    .run = lists_run,
};

const tool_command tool_slice = {
    .name = "slice",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "the elements of each list from one index to another",
    .about = "Keeps the elements list[START:STOP] of each list, as Python does: a negative index\n"
             "counts from the end of the list, and an index outside of the list is its nearest\n"
             "end." LISTS "\n" OUTPUTS "\n" JAGGED_FILES,
    .examples =
        "mote slice --stop 2 offsets.npy values.npy -o first_two.json\n"
        "mote slice --start -1 offsets.npy values.npy -o last.npy --offsets last_offsets.npy",
    .options = slice_table,
    .run = lists_run,
};

const tool_command tool_topk = {
    .name = "topk",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "the largest or smallest values of each list",
    .about = "Gives the K largest values of each list, the largest one first, or all values of a\n"
             "list that has fewer. Equal values keep their order, and NaN come last." LISTS
             "\n" OUTPUTS "\n" JAGGED_FILES,
    .examples = "mote topk -k 3 offsets.npy values.npy -o largest.csv\n"
                "mote topk -k 1 --smallest --indices offsets.npy values.npy -o places.json",
    .options = topk_table,
    .run = lists_run,
};

const tool_command tool_pad = {
    .name = "pad",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "lists of any lengths as rows of the same length",
    .about =
        "Copies the first K elements of each list to a row of an array of two dimensions.\n"
        "Where a list has no element, the row has the value of --fill." LISTS "\n" JAGGED_FILES,
    .examples = "mote pad -k 4 offsets.npy values.npy -o rows.npy\n"
                "mote pad -k 2 --start -2 --fill nan offsets.npy values.npy -o last_two.csv",
    .options = pad_table,
    .run = lists_run,
};

const tool_command tool_quantile = {
    .name = "quantile",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "quantiles of each list",
    .about =
        "Gives quantiles of each list, as numpy.quantile does, and a row for each list if there\n"
        "are several. They are float32 if VALUES are float16 or float32, else float64. A list\n"
        "that is empty or has a NaN gives NaN." LISTS "\n" JAGGED_FILES,
    .examples = "mote quantile offsets.npy values.npy -o medians.npy\n"
                "mote quantile --quantiles 0.25,0.5,0.75 offsets.npy values.npy -o quartiles.csv",
    .options = quantile_table,
    .run = lists_run,
};

const tool_command tool_median = {
    .name = "median",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "the median of each list",
    .about =
        "Gives the median of each list, as numpy.median does: mote quantile with one quantile,\n"
        "0.5." LISTS "\n" JAGGED_FILES,
    .examples = "mote median offsets.npy values.npy -o medians.npy\n"
                "mote median lists.json lists.json -o medians.csv",
    .options = NULL,
    .run = lists_run,
};

const tool_command tool_run_lengths = {
    .name = "run-lengths",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "runs of equal neighbours in each list",
    .about =
        "Gives the value of each run of equal neighbours in a list. Its length is beside it in\n"
        "CSV, in JSON and on a terminal. Each NaN is a run of its own." LISTS "\n" OUTPUTS
        "\n" JAGGED_FILES,
    .examples = "mote run-lengths offsets.npy values.npy -o runs.csv\n"
                "mote run-lengths offsets.npy values.npy -o runs.npy --lengths lengths.npy",
    .options = runs_table,
    .run = lists_run,
};

const tool_command tool_unique = {
    .name = "unique",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "the different values of each list",
    .about =
        "Gives the different values of each list in ascending order, as numpy.unique does. NaN\n"
        "is the last value." LISTS "\n" OUTPUTS "\n" JAGGED_FILES,
    .examples = "mote unique offsets.npy values.npy -o different.json\n"
                "mote unique offsets.npy values.npy -o different.csv --counts counts.csv",
    .options = unique_table,
    .run = lists_run,
};

const tool_command tool_gather = {
    .name = "gather",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "the value of its list for each element",
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
             "two columns, in the type of OFFSETS: mote combinations with two elements.\n\n" OUTPUTS
             "\n" JAGGED_FILES,
    .examples = "mote pairs offsets.npy -o pairs.npy --offsets pair_offsets.npy\n"
                "mote pairs offsets.npy -o pairs.csv",
    .options = new_lists_table,
    .run = lists_run,
};

const tool_command tool_combinations = {
    .name = "combinations",
    .arguments = "OFFSETS.npy",
    .summary = "all combinations of two to four elements of the same list",
    .about =
        "Gives the positions of all combinations of different elements of the same list, as an\n"
        "array of two to four columns, in the type of OFFSETS. The positions of a combination\n"
        "ascend.\n\n" OUTPUTS "\n" JAGGED_FILES,
    .examples = "mote combinations -n 3 offsets.npy -o triples.npy --offsets triple_offsets.npy\n"
                "mote combinations --elements 4 offsets.npy -o quadruples.csv",
    .options = combinations_table,
    .run = lists_run,
};

const tool_command tool_product = {
    .name = "product",
    .arguments = "OFFSETS_A.npy OFFSETS_B.npy [OFFSETS_C.npy [OFFSETS_D.npy]]",
    .summary = "all combinations of one element of list k of each array",
    .about =
        "Gives all combinations of one element of list k of each of two to four arrays, as an\n"
        "array with a column for each of them: the positions in their contents. All OFFSETS\n"
        "have the same type and number of lists.\n\n" OUTPUTS "\n" JAGGED_FILES,
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
                "mote histogram values.npy --edges edges.npy --weights weights.npy --svg sums.svg",
    .options = histogram_table,
    .run = lists_run,
};
