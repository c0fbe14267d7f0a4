/* SPDX-License-Identifier: Apache-2.0 */
/* The targets of mote, for one NVIDIA H200 and for CPUs with two cores. */
#ifndef MOTE_BENCH_TARGETS_H
#define MOTE_BENCH_TARGETS_H

#include "bench/bench.h"

/* Returns the target of a line; zeros if there is none. */
mote_bench_target mote_target_of(const mote_bench_line *line);

#endif
