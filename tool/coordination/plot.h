/* SPDX-License-Identifier: Apache-2.0 */
/* A picture of numbers against time or distance: a panel for each of them, one below the other. */
#ifndef MOTE_TOOL_COORDINATION_PLOT_H
#define MOTE_TOOL_COORDINATION_PLOT_H

#include "../io/out.h"

typedef struct coordination_plot {
    size_t n_cvs, frames, reserved;
    double *rows; /* for each frame, or distance, its time, then its numbers */
    bool timed;   /* rows begin with times, not with frame numbers */
} coordination_plot;

/* Adds a frame; false if memory ran out. */
bool plot_add(coordination_plot *plot, double time, const double *values, size_t stride);

/* The texts of the picture. */
typedef struct plot_names {
    const char *title;
    const char *x, *y;         /* names of the axes */
    uint64_t frames;           /* that the title mentions */
    const char *const *labels; /* of the numbers */
} plot_names;

void plot_draw(const coordination_plot *plot, const plot_names *names, out_file *out);

void plot_free(coordination_plot *plot);

#endif
