/* SPDX-License-Identifier: Apache-2.0 */
/* The short table of mote bench: one line for each of the most common calls. */
#ifndef MOTE_TOOL_BENCH_OVERVIEW_H
#define MOTE_TOOL_BENCH_OVERVIEW_H

#include <stdio.h>

#include "bench/bench.h"

/* Measures the calls and writes the table to options->table, one line after each measurement. */
mote_bench_status bench_overview(mote_bench_options options, char *message, size_t size);

#endif
