/* SPDX-License-Identifier: Apache-2.0 */
/* One line of the benchmark of jagged arrays and sums: the timed call, and its output. */
#ifndef MOTE_BENCH_ROW_H
#define MOTE_BENCH_ROW_H

#include "bench/bench.h"

typedef struct mote_bench_row {
    const char *area, *call, *set;
    char way[40];     /* strategy or type, and other properties of this line */
    size_t lists, n;  /* lists (or rows) and elements */
    unsigned scale;   /* factor by which the set is smaller than its name says */
    mote_bytes bytes; /* least traffic */
    mote_call_times times;
    double whole_us; /* by the host layer; 0 = not timed */
} mote_bench_row;

/* Prints the line above the rows. */
void mote_bench_row_head(const mote_bench_state *bench, const char *title);

/* The columns that only a program with peers and targets prints: "" without them, else the
 * words. */
typedef struct mote_bench_extra {
    char text[64];
} mote_bench_extra;

mote_bench_extra mote_bench_extra_head(const mote_bench_options *options, bool whole);
mote_bench_extra mote_bench_extra_of(const mote_bench_options *options, double ratio,
                                     const mote_bench_target *target, bool whole);

/* Returns the target of a line for this device; zeros if there are no targets. */
mote_bench_target mote_bench_target_of(const mote_bench_state *bench, mote_bench_line line);

/* Runs all sets of a table, or the one that the options name, and prints the line above the rows
 * before the first of them. `name` returns NULL after the last set. */
mote_bench_status mote_bench_row_sets(mote_bench_state *bench, const char *title,
                                      const char *(*name)(size_t k),
                                      mote_bench_status (*run)(mote_bench_state *bench, size_t k));

/* Prints a row that was timed. */
void mote_bench_row_print(const mote_bench_state *bench, const mote_bench_row *row);

/* Prints that a row was skipped, and why. */
void mote_bench_row_skip(const mote_bench_state *bench, const mote_bench_row *row, const char *why);

/* Prints the median time of native code on the row's set, and keeps the best one for the following
 * ratios. */
void mote_bench_row_peer(mote_bench_state *bench, const mote_bench_row *row, const char *name,
                         const mote_spread *times);

/* True if the options' `only` is NULL or contains this name. */
bool mote_bench_wants(const mote_bench_state *bench, const char *name);

/* Passes a row's call to the trial of the options; *status receives its result. Does nothing if the
 * options name another variant. False without a trial. */
bool mote_bench_try(const mote_bench_state *bench, const mote_bench_row *row, mote_timed_fn run,
                    mote_bench_check_fn check, void *job, mote_bench_status *status);

/* Warm-up, runs and budget of a timing. */
mote_repeats mote_bench_repeats(const mote_bench_state *bench);

/* Report that a row failed: the first function prints the library's message, the second one that
 * memory ran out. */
mote_bench_status mote_bench_failed(const mote_bench_state *bench, const mote_bench_row *row);
mote_bench_status mote_bench_no_memory(const mote_bench_state *bench, const char *set);

/* A device buffer, filled from the host if `contents` is given, which must not be NULL if bytes is
 * 0; NULL on failure. */
cl_mem mote_bench_buffer(const mote_bench_state *bench, size_t bytes, const void *contents);

/* The first function overwrites a buffer, so that no correct result can remain in it; the second
 * one reads the buffer back. */
bool mote_bench_poison(const mote_bench_state *bench, cl_mem mem, size_t bytes);
bool mote_bench_read(const mote_bench_state *bench, cl_mem mem, size_t bytes, void *out);

#endif
