/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on lists that the benchmark times: counts, offsets and expansions. */
#ifndef MOTE_BENCH_JAGGED_LISTS_H
#define MOTE_BENCH_JAGGED_LISTS_H

#include "bench/jagged/sets.h"
#include "testkit/reference/jagged/oracle.h"

/* Length of each list of the second array of a product. */
#define LENGTH_B 2

/* Arrays by their purpose. */
enum { IN_COUNTS, IN_PARENTS, IN_VALUES, IN_LIST_VALUES, IN_OFFSETS_B, INPUTS };
enum { OUT_OFFSETS, OUT_FIRST, OUT_SECOND, OUT_THIRD, OUTPUTS };

typedef struct mote_lists_job {
    mote_bench_state *bench;
    const mote_jagged_input *in;
    mote_case_lists lists, lists_b; /* of the host */
    size_t capacity;                /* capacity of the current call */
    int32_t *host_in[INPUTS];       /* float32 stored by their bits */
    int32_t *host_out[OUTPUTS], *expected[OUTPUTS];
    cl_mem mem_in[INPUTS], mem_out[OUTPUTS];
} mote_lists_job;

/* One line. Outputs are int32, or float32 by their bits. */
typedef struct mote_lists_operation {
    const char *name;
    mote_timed_fn call;
    size_t (*capacity)(const mote_lists_job *j); /* elements of each array from OUT_FIRST on */
    bool makes_offsets;
    int arrays;                                                      /* number of these arrays */
    size_t (*expect)(const mote_lists_job *j, int32_t *const out[]); /* returns elements made */
    /* Least traffic in bytes: read for each element, each list, each list with elements and each
     * result; written for each list and each result. */
    double read_element, read_list, read_filled, read_made, write_list, write_made;
} mote_lists_operation;

/* All calls, ended by a NULL name. The first ones are in the order of mote_lists_native_call. */
extern const mote_lists_operation mote_lists_operations[];

#endif
