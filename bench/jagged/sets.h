/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of the benchmark of jagged arrays. */
#ifndef MOTE_BENCH_JAGGED_SETS_H
#define MOTE_BENCH_JAGGED_SETS_H

#include "bench/row.h"
#include "testkit/cases/jagged/lengths.h"

typedef struct mote_jagged_set {
    const char *name;
    mote_lengths lengths;
} mote_jagged_set;

size_t mote_jagged_set_count(void);
const mote_jagged_set *mote_jagged_set_at(size_t k);

/* A generated set, on the host and on the device. */
typedef struct mote_jagged_input {
    const mote_jagged_set *set;
    /* Factor by which the set was reduced, because of the device or for a quick run. */
    unsigned scale;
    size_t lists, n, longest;
    size_t filled; /* lists with elements, whose offsets every call on elements must read */
    int32_t *offsets;
    cl_mem mem;
} mote_jagged_input;

mote_bench_status mote_jagged_input_create(const mote_bench_state *bench,
                                           const mote_jagged_set *set, mote_jagged_input *in);
void mote_jagged_input_release(mote_jagged_input *in);

/* Values of float32 for an input, and room for results of up to four bytes per list; on the host
 * and on the device. */
typedef struct mote_jagged_floats {
    float *values;
    void *result;
    cl_mem mem_values, mem_result;
} mote_jagged_floats;

mote_bench_status mote_jagged_floats_create(const mote_bench_state *bench,
                                            const mote_jagged_input *in,
                                            mote_jagged_floats *floats);
void mote_jagged_floats_release(mote_jagged_floats *floats);

/* A row for an input that is not timed yet. */
mote_bench_row mote_jagged_row(const mote_jagged_input *in, const char *call);

/* Lines of one set: counts, offsets and expansions; parents and local index; segmented sums; other
 * reductions. */
bool mote_jagged_bench_wants_lists(const mote_bench_state *bench);
mote_bench_status mote_jagged_bench_lists(mote_bench_state *bench, const mote_jagged_input *in);
mote_bench_status mote_jagged_bench_parents(mote_bench_state *bench, const mote_jagged_input *in);
mote_bench_status mote_jagged_bench_reduce(mote_bench_state *bench, const mote_jagged_input *in);
mote_bench_status mote_jagged_bench_reductions(mote_bench_state *bench,
                                               const mote_jagged_input *in);

#endif
