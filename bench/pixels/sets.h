/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of the pixel benchmark. */
#ifndef MOTE_BENCH_PIXELS_SETS_H
#define MOTE_BENCH_PIXELS_SETS_H

#include "bench/bench.h"

typedef struct mote_bench_set {
    const char *name;
    const char *topology; /* generator used without a file; NULL = the hard events */
    uint32_t n_events, quick_events;
    uint32_t charge_cut, charge_cut_inner, inner_modules;
} mote_bench_set;

size_t mote_bench_set_count(void);
const mote_bench_set *mote_bench_set_at(size_t index);

/* Reads the set's file of options->data, or generates it; quick runs get fewer events. */
mote_bench_status mote_bench_set_load(const mote_bench_set *set, const mote_bench_options *options,
                                      mote_digis *digis, char *message, size_t size);

/* Returns the set's charge cut as clustering options. */
mote_pixels_options mote_bench_set_options(const mote_bench_set *set);

/* Gives options a mask with one pixel of 1024 dead; and gains and pedestals near 1 and 0, different
 * in each module. The options own them; returns false if memory ran out. */
bool mote_bench_set_mask(const mote_digis *digis, mote_pixels_options *options);
bool mote_bench_set_lines(const mote_digis *digis, mote_pixels_options *options);

/* Marks one module of 50 for morphological closing; false if memory ran out. */
bool mote_bench_set_morph(const mote_digis *digis, mote_pixels_options *options);

/* Times the native peers on the set and prints a line for each. */
mote_bench_status mote_bench_pixels_peers(mote_bench_state *bench, const mote_bench_set *set,
                                          const mote_digis *digis);

/* Times lists of digis and measurements of clusters, which are the calls "digis" and "measure". */
mote_bench_status mote_bench_measure(mote_bench_state *bench);

/* Times clusters of hits in space and time, in sets of their own. */
mote_bench_status mote_bench_time(mote_bench_state *bench);
const char *mote_bench_time_set(size_t k); /* NULL after the last one */

/* Times the decoding of packets of Timepix3, in a set of its own. */
mote_bench_status mote_bench_timepix3(mote_bench_state *bench);
const char *mote_bench_timepix3_set(size_t k);

#endif
