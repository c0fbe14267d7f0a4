/* SPDX-License-Identifier: Apache-2.0 */
/* The interface between the files of the commands on the values of lists: sort, scan, filter, ...
 */
#ifndef MOTE_TOOL_LISTS_LISTS_H
#define MOTE_TOOL_LISTS_LISTS_H

#include "../jagged/job.h"
#include "../reduce/reduce.h"

/* Options, which tool/lists.c reads. */
enum {
    ID_OFFSETS = 300,
    ID_LENGTHS,
    ID_DESCENDING,
    ID_SMALLEST,
    ID_INDICES,
    ID_OP,
    ID_EXCLUSIVE,
    ID_OUT,
    ID_START,
    ID_STOP,
    ID_FILL,
    ID_QUANTILES,
    ID_BINS,
    ID_RANGE,
    ID_EDGES,
    ID_WEIGHTS,
    ID_SVG
};

#define LISTS_MOST_OPERANDS  4
#define LISTS_MOST_QUANTILES 256

typedef struct lists_work {
    tool_common common;
    const char *offsets_output, *lengths_output; /* --offsets; --lengths or --counts */
    bool descending, indices;                    /* sort and topk */
    reduce_choice choice;                        /* scan: op, out */
    bool exclusive;                              /* scan */
    uint64_t n;                                  /* combinations: elements of each */
    uint64_t k;                                  /* pad and topk */
    const char *fill;                            /* pad; NULL = 0 */
    int64_t start, stop;                         /* slice and pad */
    double quantiles[LISTS_MOST_QUANTILES];
    size_t n_quantiles;
    uint64_t bins; /* for histogram, as are the members below */
    bool has_bins, has_range;
    double low, high;
    const char *edges, *weights, *picture;
    size_t n_lists;                             /* number of operands that are OFFSETS */
    jagged_lists lists[LISTS_MOST_OPERANDS];    /* OFFSETS; product has several */
    const char *names[LISTS_MOST_OPERANDS];     /* operands */
    mote_npy arrays[LISTS_MOST_OPERANDS];       /* the operands that are values */
    mote_npy edges_array, weights_array, shown; /* shown: edges as doubles */
    char *columns;                              /* header of CSV that depends on the options */
} lists_work;

/* Computes the results of one command, whose inputs were read and whose device is open: returns
 * TOOL_GO_ON, or prints a message and returns an exit code. */
typedef int (*lists_compute)(jagged_job *job, lists_work *work);

int lists_sort(jagged_job *job, lists_work *work);
int lists_scan(jagged_job *job, lists_work *work);
int lists_histogram(jagged_job *job, lists_work *work);
int lists_gather(jagged_job *job, lists_work *work);
int lists_filter(jagged_job *job, lists_work *work);
int lists_nonzero(jagged_job *job, lists_work *work);
int lists_run_lengths(jagged_job *job, lists_work *work);
int lists_unique(jagged_job *job, lists_work *work);
int lists_slice(jagged_job *job, lists_work *work);
int lists_topk(jagged_job *job, lists_work *work);
int lists_pad(jagged_job *job, lists_work *work);
int lists_quantile(jagged_job *job, lists_work *work);
int lists_combinations(jagged_job *job, lists_work *work);
int lists_product(jagged_job *job, lists_work *work);

/* A command. Letters for its operands: o for OFFSETS, v for VALUES. */
typedef struct lists_operation {
    const tool_command *command;
    lists_compute compute;
    const char *operands;
    const char *columns; /* of CSV */
    bool more;           /* up to LISTS_MOST_OPERANDS; the others are OFFSETS too */
} lists_operation;

extern const lists_operation lists_operations[];

int lists_run(const tool_command *self, int argc, char **argv);

/* Sets the lists of a call on plain arrays, and their values. */
#define LISTS_SET(args, work)                                                                      \
    do {                                                                                           \
        (args).offsets_type = (work)->lists[0].type;                                               \
        (args).lists = (work)->lists[0].count;                                                     \
        (args).offsets = (work)->lists[0].offset_values;                                           \
    } while (0)
#define LISTS_SET_VALUES(args, array)                                                              \
    do {                                                                                           \
        (args).values_type = (array)->type;                                                        \
        (args).values = (array)->values;                                                           \
        (args).values_length = (array)->count;                                                     \
    } while (0)

/* Draws the result of histogram. */
void lists_draw(out_file *out, const jagged_job *job);

/* Sorts the values, or gives the indices that sort them. */
mote_status lists_sort_call(const jagged_job *job, const lists_work *work, bool descending,
                            void *sorted, void *indices);

#endif
