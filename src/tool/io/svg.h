/* SPDX-License-Identifier: Apache-2.0 */
/* A picture of one module's clusters. x (row) goes to the right, y (column) upwards. */
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

#endif
