/* SPDX-License-Identifier: Apache-2.0 */
/* The commands on the values of lists, and histogram, which accepts any array: their options and
 * help texts. */
#include "lists.h"
#include "../commands.h"

/* The commands on lists. */
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
            "write the offsets of the new lists to FILE (.npy, .csv or\n"                          \
            ".json)"                                                                               \
    }

#define OPTION_INDICES                                                                             \
    {                                                                                              \
        ID_INDICES, "indices", NULL,                                                               \
            "write the positions of the values in their list, in the type of\n"                    \
            "OFFSETS, instead of the values"                                                       \
    }

static const tool_option sort_table[] = {
    {ID_DESCENDING, "descending", NULL, "sort from the largest to the smallest value"},
    OPTION_INDICES,
    {0, NULL, NULL, NULL},
};

static const tool_option scan_table[] = {
    {ID_OP, "op", "sum|prod|min|max", "operation (default: sum)"},
    {ID_EXCLUSIVE, "exclusive", NULL, "exclude the element itself"},
    {ID_OUT, "out", "float32|float64",
     "type of sums and products of float32 VALUES (default: float32)"},
    {0, NULL, NULL, NULL},
};

static const tool_option topk_table[] = {
    {'k', "number", "K", "number of values of each list"},
    {ID_SMALLEST, "smallest", NULL,
     "write the smallest values instead, beginning with the smallest"},
    OPTION_INDICES,
    OPTION_OFFSETS,
    {0, NULL, NULL, NULL},
};

static const tool_option slice_table[] = {
    {ID_START, "start", "I", "index of the first element (default: 0)"},
    {ID_STOP, "stop", "I", "index after the last element (default: the end of the list)"},
    OPTION_OFFSETS,
    {0, NULL, NULL, NULL},
};

static const tool_option pad_table[] = {
    {'k', "number", "K", "number of elements of each row"},
    {ID_START, "start", "I",
     "index of the first element of each row (default: 0); -K aligns\n"
     "the rows to the ends of the lists"},
    {ID_FILL, "fill", "X", "value for missing elements (default: 0)"},
    {0, NULL, NULL, NULL},
};

static const tool_option quantile_table[] = {
    {ID_QUANTILES, "quantiles", "Q[,Q...]", "up to 256 numbers from 0 to 1 (default: 0.5)"},
    {0, NULL, NULL, NULL},
};

static const tool_option runs_table[] = {
    {ID_LENGTHS, "lengths", "FILE", "write the lengths of the runs to FILE (.npy, .csv or .json)"},
    OPTION_OFFSETS,
    {0, NULL, NULL, NULL},
};

static const tool_option unique_table[] = {
    {ID_LENGTHS, "counts", "FILE",
     "write the number of occurrences of each value to FILE (.npy,\n"
     ".csv or .json)"},
    OPTION_OFFSETS,
    {0, NULL, NULL, NULL},
};

static const tool_option combinations_table[] = {
    {'n', "elements", "2|3|4", "number of elements of a combination (default: 2)"},
    OPTION_OFFSETS,
    {0, NULL, NULL, NULL},
};

static const tool_option new_lists_table[] = {OPTION_OFFSETS, {0, NULL, NULL, NULL}};

static const tool_option histogram_table[] = {
    {ID_BINS, "bins", "B", "number of bins of equal width (default: 10)"},
    {ID_RANGE, "range", "LOW,HIGH",
     "lowest and highest edge (default: the smallest and the largest\n"
     "value)"},
    {ID_EDGES, "edges", "E.npy", "edges of the bins, instead of their number; they never decrease"},
    {ID_WEIGHTS, "weights", "W.npy",
     "a weight for each value, float32 or float64; the results are\n"
     "then the sums of the weights in each bin"},
    {ID_SVG, "svg", "FILE", "also draw a bar for each bin"},
    {0, NULL, NULL, NULL},
};

/* ---- commands -------------------------------------------------------------------------------- */

#define LISTS "\nList k is VALUES[OFFSETS[k]] .. VALUES[OFFSETS[k+1]-1].\n"

/* The rule for commands with several outputs. */
#define OUTPUTS                                                                                    \
    "Each output is one array. The result goes to -o; further arrays, such as the offsets\n"       \
    "of the new lists, go to the files that other options name. CSV, JSON and terminals\n"         \
    "show the result as lists, without --offsets.\n"

const tool_command tool_sort = {
    .name = "sort",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "sort the values of each list",
    .about = "Sorts the values of each list. Equal values keep their order, and NaNs are last.\n"
             "Values outside of all lists are not moved." LISTS "\n" JAGGED_FILES,
    .examples = "mote sort offsets.npy values.npy -o sorted.npy\n"
                "mote sort --descending --indices offsets.npy values.npy -o order.csv",
    .options = sort_table,
    .run = lists_run,
};

const tool_command tool_scan = {
    .name = "scan",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "compute prefix sums, products, minima or maxima inside lists",
    .about =
        "Writes, for each value, the sum (product, minimum, maximum) of the values of its list\n"
        "up to and including this value. Sums and products of bool and integers are int64, or\n"
        "uint64 if VALUES are unsigned." LISTS "\n" JAGGED_FILES,
    .examples = "mote scan offsets.npy values.npy -o sums.npy\n"
                "mote scan --op max --exclusive offsets.npy values.npy -o before.npy",
    .options = scan_table,
    .run = lists_run,
};

const tool_command tool_filter = {
    .name = "filter",
    .arguments = "OFFSETS.npy VALUES.npy MASK.npy",
    .summary = "keep the values of each list whose mask is not 0",
    .about = "Keeps the values whose MASK is not 0 in their lists. MASK has as many values as\n"
             "VALUES; NaN is not 0." LISTS "\n" OUTPUTS "\n" JAGGED_FILES,
    .examples =
        "mote filter offsets.npy values.npy mask.npy -o kept.npy --offsets kept_offsets.npy\n"
        "mote filter offsets.npy values.npy mask.npy -o kept.json",
    .options = new_lists_table,
    .run = lists_run,
};

const tool_command tool_nonzero = {
    .name = "nonzero",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "write the positions of the values of each list that are not 0",
    .about =
        "Writes the positions in VALUES of the values that are not 0 (NaN is not 0), in their\n"
        "lists and in the type of OFFSETS." LISTS "\n" OUTPUTS "\n" JAGGED_FILES,
    .examples = "mote nonzero offsets.npy values.npy -o places.npy --offsets place_offsets.npy\n"
                "mote nonzero offsets.npy values.npy -o places.csv",
    .options = new_lists_table,
    .run = lists_run,
};

const tool_command tool_slice = {
    .name = "slice",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "keep the elements of each list from one index to another",
    .about = "Keeps the elements list[START:STOP] of each list, as Python does: a negative index\n"
             "counts from the end of the list, and an index outside of the list means its nearest\n"
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
    .summary = "write the largest or smallest values of each list",
    .about =
        "Writes the K largest values of each list, beginning with the largest, or all values if\n"
        "a list has fewer. Equal values keep their order, and NaNs are last." LISTS "\n" OUTPUTS
        "\n" JAGGED_FILES,
    .examples = "mote topk -k 3 offsets.npy values.npy -o largest.csv\n"
                "mote topk -k 1 --smallest --indices offsets.npy values.npy -o places.json",
    .options = topk_table,
    .run = lists_run,
};

const tool_command tool_pad = {
    .name = "pad",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "copy lists of any lengths to rows of the same length",
    .about =
        "Copies the first K elements of each list to a row of a two-dimensional array. Missing\n"
        "elements have the value of --fill." LISTS "\n" JAGGED_FILES,
    .examples = "mote pad -k 4 offsets.npy values.npy -o rows.npy\n"
                "mote pad -k 2 --start -2 --fill nan offsets.npy values.npy -o last_two.csv",
    .options = pad_table,
    .run = lists_run,
};

const tool_command tool_quantile = {
    .name = "quantile",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "compute quantiles of each list",
    .about =
        "Computes quantiles of each list, as numpy.quantile does. With several quantiles, the\n"
        "output has a row for each list. The results are float32 if VALUES are float16 or\n"
        "float32, and float64 otherwise. The result of a list that is empty or contains a NaN\n"
        "is NaN." LISTS "\n" JAGGED_FILES,
    .examples = "mote quantile offsets.npy values.npy -o medians.npy\n"
                "mote quantile --quantiles 0.25,0.5,0.75 offsets.npy values.npy -o quartiles.csv",
    .options = quantile_table,
    .run = lists_run,
};

const tool_command tool_median = {
    .name = "median",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "compute the median of each list",
    .about = "Computes the median of each list, as mote quantile does with the quantile 0.5." LISTS
             "\n" JAGGED_FILES,
    .examples = "mote median offsets.npy values.npy -o medians.npy\n"
                "mote median lists.json lists.json -o medians.csv",
    .options = NULL,
    .run = lists_run,
};

const tool_command tool_run_lengths = {
    .name = "run-lengths",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "write the runs of equal neighbours in each list",
    .about = "Writes the value of each run of equal neighbours in a list. CSV, JSON and terminals\n"
             "show the length of each run beside its value. Each NaN is a separate run." LISTS
             "\n" OUTPUTS "\n" JAGGED_FILES,
    .examples = "mote run-lengths offsets.npy values.npy -o runs.csv\n"
                "mote run-lengths offsets.npy values.npy -o runs.npy --lengths lengths.npy",
    .options = runs_table,
    .run = lists_run,
};

const tool_command tool_unique = {
    .name = "unique",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "write the distinct values of each list",
    .about =
        "Writes the distinct values of each list in ascending order, as numpy.unique does. NaN\n"
        "is the last value." LISTS "\n" OUTPUTS "\n" JAGGED_FILES,
    .examples = "mote unique offsets.npy values.npy -o different.json\n"
                "mote unique offsets.npy values.npy -o different.csv --counts counts.csv",
    .options = unique_table,
    .run = lists_run,
};

const tool_command tool_gather = {
    .name = "gather",
    .arguments = "OFFSETS.npy VALUES.npy",
    .summary = "write the value of its list for each element",
    .about =
        "Writes, for each element, the value of its list. VALUES has one value for each list.\n"
        "The result begins with position OFFSETS[0].\n\n" JAGGED_FILES,
    .examples =
        "mote reduce --op max offsets.npy values.npy | mote gather offsets.npy - -o maxima.npy\n"
        "mote gather offsets.npy weights.npy -o weight.csv",
    .options = NULL,
    .run = lists_run,
};

const tool_command tool_pairs = {
    .name = "pairs",
    .arguments = "OFFSETS.npy",
    .summary = "write all pairs of elements of the same list",
    .about =
        "Writes the positions i < j of all pairs of elements of the same list, as an array of\n"
        "two columns in the type of OFFSETS. mote combinations does the same with two "
        "elements.\n\n" OUTPUTS "\n" JAGGED_FILES,
    .examples = "mote pairs offsets.npy -o pairs.npy --offsets pair_offsets.npy\n"
                "mote pairs offsets.npy -o pairs.csv",
    .options = new_lists_table,
    .run = lists_run,
};

const tool_command tool_combinations = {
    .name = "combinations",
    .arguments = "OFFSETS.npy",
    .summary = "write all combinations of two to four elements of the same list",
    .about =
        "Writes the positions of all combinations of different elements of the same list, as an\n"
        "array of two to four columns in the type of OFFSETS. The positions of a combination\n"
        "are in ascending order.\n\n" OUTPUTS "\n" JAGGED_FILES,
    .examples = "mote combinations -n 3 offsets.npy -o triples.npy --offsets triple_offsets.npy\n"
                "mote combinations --elements 4 offsets.npy -o quadruples.csv",
    .options = combinations_table,
    .run = lists_run,
};

const tool_command tool_product = {
    .name = "product",
    .arguments = "OFFSETS_A.npy OFFSETS_B.npy [OFFSETS_C.npy [OFFSETS_D.npy]]",
    .summary = "write all combinations of one element of list k of each array",
    .about = "Writes all combinations of one element of list k of each of two to four arrays. The\n"
             "output has a column for each array, with the positions in its contents. All OFFSETS\n"
             "have the same type and number of lists.\n\n" OUTPUTS "\n" JAGGED_FILES,
    .examples = "mote product offsets.npy others.npy -o pairs.npy --offsets pair_offsets.npy\n"
                "mote product offsets.npy others.npy -o pairs.csv",
    .options = new_lists_table,
    .run = lists_run,
};

const tool_command tool_histogram = {
    .name = "histogram",
    .arguments = "VALUES.npy",
    .summary = "count the values in each bin, or add up their weights",
    .about =
        "Counts the values of an array in bins, as numpy.histogram does: a bin includes its\n"
        "lower edge, and the last bin both edges. CSV, JSON and terminals show the two edges of\n"
        "each bin; NPY contains only the counts (int64) or the sums.\n\n" JAGGED_FILES,
    .examples = "mote histogram values.npy --bins 8 --range 0,64 -o histogram.csv\n"
                "mote histogram values.npy --edges edges.npy --weights weights.npy --svg sums.svg",
    .options = histogram_table,
    .run = lists_run,
};
