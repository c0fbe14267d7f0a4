/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of modules' clusters. x (row) goes to the right, y (column) upwards. */
#ifndef MOTE_TOOL_IO_SVG_H
#define MOTE_TOOL_IO_SVG_H

#include "out.h"

typedef struct svg_pixel {
    uint16_t x, y;
    int32_t cluster; /* below 0: dropped */
} svg_pixel;

/* Rows and columns that a picture shows, ends included. */
typedef struct svg_window {
    bool given;
    uint32_t x_min, x_max, y_min, y_max;
} svg_window;

typedef struct svg_module {
    uint64_t event, module;
    uint32_t rows, columns;
    size_t n;
    svg_pixel *pixels; /* sorted by svg_draw() */
    size_t n_clusters;
    svg_window window; /* inside the module */
} svg_module;

void svg_module_free(svg_module *module);

/* TOOL_GO_ON, or TOOL_OUTPUT after a message (out of memory). */
int svg_draw(out_file *out, svg_module *module);

/* Hits of one module, whose colours are those of the first times of their clusters. */
typedef struct svg_hit {
    int64_t first;
    uint16_t x, y;
} svg_hit;

typedef struct svg_times {
    uint64_t module;
    uint32_t rows, columns;
    uint64_t all; /* hits of the module, of which n are drawn */
    size_t n;
    svg_hit *hits; /* sorted by svg_draw_times() */
} svg_times;

/* Draws later clusters over earlier ones. Returns as svg_draw(). */
int svg_draw_times(out_file *out, svg_times *times);

/* All modules with digis of an event, in ascending order of their ids. */
typedef struct svg_event {
    uint64_t event;
    uint32_t rows, columns; /* of every module */
    size_t n;
    svg_pixel *pixels; /* of one module after the other */
    size_t n_modules;
    svg_module *modules; /* their pixels are part of the array above */
} svg_event;

void svg_event_free(svg_event *event);

/* A panel for each module, or for those with the most digis where there are very many. Returns as
 * svg_draw(). */
int svg_draw_event(out_file *out, svg_event *event);

#endif
