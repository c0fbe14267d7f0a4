/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the picture of a benchmark: a panel for each call, with its rate against the size of its
 * input, and the limit of the device. */
#ifndef MOTE_TOOL_BENCH_PLOT_H
#define MOTE_TOOL_BENCH_PLOT_H

#include "io/out.h"

#include "bench/bench.h"

typedef struct bench_point {
    char area[16], call[24], way[40];
    mote_bench_point at; /* without its texts */
} bench_point;

typedef struct bench_plot {
    bench_point *points;
    size_t n;
    mote_bandwidth bandwidth;
    bool failed; /* memory for a point ran out */
} bench_plot;

/* A mote_bench_point_fn; `user` is the plot. */
void bench_plot_add(const mote_bench_point *point, void *user);

/* Draws all points that were added. `device`: a device string as for -d, or NULL for the default.
 * Returns TOOL_DONE, or TOOL_OUTPUT after a message. */
int bench_plot_draw(const bench_plot *plot, const char *device, out_file *out);

void bench_plot_free(bench_plot *plot);

#endif
