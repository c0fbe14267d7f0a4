/* SPDX-License-Identifier: Apache-2.0 */
/* The interface between the files of the commands on the values of lists: sort, scan, filter, ...
 */
#ifndef MOTE_TOOL_LISTS_LISTS_H
#define MOTE_TOOL_LISTS_LISTS_H

#include "../jagged/job.h"
#include "../reduce/reduce.h"

#define LISTS_MOST_OPERANDS 3

typedef struct lists_work {
    tool_common common;
    const char *offsets_output; /* --offsets */
    bool descending, indices;   /* sort */
    reduce_choice choice;       /* scan: op, out */
    bool exclusive;             /* scan */
    uint64_t bins;              /* for histogram, as are the members below */
    bool has_bins, has_range;
    double low, high;
    const char *edges, *weights;
    jagged_lists lists, other;                  /* OFFSETS, and OFFSETS_B of product */
    const char *names[LISTS_MOST_OPERANDS];     /* operands */
    mote_npy arrays[LISTS_MOST_OPERANDS];       /* the operands that are values */
    mote_npy edges_array, weights_array, shown; /* shown: edges as doubles */
} lists_work;

/* Computes the results of one command, whose inputs were read and whose device is open: returns
 * TOOL_GO_ON, or an exit code after a message. */
typedef int (*lists_compute)(jagged_job *job, lists_work *work);

int lists_sort(jagged_job *job, lists_work *work);
int lists_scan(jagged_job *job, lists_work *work);
int lists_histogram(jagged_job *job, lists_work *work);
int lists_gather(jagged_job *job, lists_work *work);
int lists_filter(jagged_job *job, lists_work *work);
int lists_nonzero(jagged_job *job, lists_work *work);
int lists_pairs(jagged_job *job, lists_work *work);
int lists_product(jagged_job *job, lists_work *work);

#endif
