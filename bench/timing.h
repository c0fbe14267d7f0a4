/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks of the benchmark. */
#ifndef MOTE_BENCH_TIMING_H
#define MOTE_BENCH_TIMING_H

#include <stdbool.h>

#include "mote/mote.h"

#include "bench/spread.h"

/* Seconds of a monotonic clock. */
double mote_seconds(void);

/* Collects the kernels of calls on a profiling queue through the launch callback. While it is on,
 * every kernel of the process is collected; only one collector may be on. */
typedef struct mote_collector {
    cl_event events[64];
    size_t n;
    bool overflow;
} mote_collector;

/* Starts and stops collecting. */
void mote_collector_on(mote_collector *collector);
void mote_collector_off(mote_collector *collector);

/* Microseconds from the first START to the last END of the collected kernels, which must be
 * complete; empties the collector. Below 0 if profiling information is missing. */
double mote_collector_take(mote_collector *collector);

/* A call that can be repeated; it enqueues on the queue that it is timed on. */
typedef mote_status (*mote_timed_fn)(void *job);

/* The number of repetitions. */
typedef struct mote_repeats {
    size_t warm_up, runs; /* runs: at least 1 */
    double budget; /* seconds after which fewer runs are enough, but at least 3; 0 = no limit */
} mote_repeats;

/* Times of a call in microseconds. */
typedef struct mote_call_times {
    mote_spread device; /* on the device alone: see bench.h */
    double in_a_row;    /* many calls enqueued before one wait, divided by their number */
    size_t runs;
} mote_call_times;

/* Times a call whose kernels are enqueued on `queue`, in order and profiling. Returns the status of
 * the first call that fails. */
mote_status mote_time_call(cl_command_queue queue, mote_timed_fn call, void *job,
                           mote_repeats repeats, mote_call_times *out);

/* Times a blocking call by the host's clock. */
mote_status mote_time_whole(mote_timed_fn call, void *job, mote_repeats repeats, mote_spread *out);

/* The beginning and the end of a finished event, in nanoseconds of the device; returns false
 * without them. */
bool mote_event_times(cl_event event, cl_ulong *start, cl_ulong *end);

#endif
