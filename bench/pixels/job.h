/* SPDX-License-Identifier: Apache-2.0 */
/* One call of the pixel benchmark that can be repeated, and its times. */
#ifndef MOTE_BENCH_PIXELS_JOB_H
#define MOTE_BENCH_PIXELS_JOB_H

#include "bench/pixels/sets.h"
#include "testkit/cases/pixels/positions.h"
#include "testkit/cases/pixels/run.h"

/* A set of options of a call: the name in the table, and its meaning. */
typedef struct mote_bench_way {
    const char *name;
    mote_pixels_order order;
    mote_pixels_strategy strategy;
    bool positions; /* positions of clusters, besides the labels */
    bool mask;      /* of dead pixels */
    bool lines;     /* a gain and a pedestal for each module */
    bool named; /* timed only if --only names it, and on the device alone, without whole calls */
    bool wide;  /* charges of 32 bits */
    bool threshold; /* drops digis of small charges */
    bool morph;     /* in one of 50 modules */
    mote_pixels_duplicates duplicates;
} mote_bench_way;

/* Inputs on the device and on the host, outputs, arguments. */
typedef struct mote_bench_job {
    mote_bench_state *bench;
    const mote_bench_set *set;
    const mote_bench_way *way;
    mote_digis digis;
    mote_pixels_options options;
    mote_pixels_device in;
    mote_guard cluster_id, module_id_out, n_clusters;
    mote_pixels_positions_device positions;
    mote_pixels_cluster_args args;
    uint16_t *module_id16, *adc16;
} mote_bench_job;

/* Times of a call, in microseconds. */
typedef struct mote_bench_figures {
    mote_call_times call;
    mote_spread whole;  /* from plain arrays to plain arrays */
    mote_spread pinned; /* the same with arrays of mote_host_alloc() */
    mote_spread bus;    /* only the copies of the previous one, to the device and back */
} mote_bench_figures;

/* Prepares a call; takes ownership of the digis, also on failure. Release the job in both cases. */
mote_bench_status mote_bench_job_create(mote_bench_job *j, mote_bench_state *bench,
                                        const mote_bench_set *set, const mote_bench_way *way,
                                        mote_digis *digis);
void mote_bench_job_release(mote_bench_job *j);

/* Times calls on host arrays, and the bus; returns a status if one fails. */
mote_status mote_bench_whole_measure(mote_bench_job *j, size_t runs, mote_bench_figures *f);

/* Compares the call with the oracle, unless this is disabled, then times it. */
mote_bench_status mote_bench_job_measure(mote_bench_job *j, mote_bench_figures *f);

#endif
