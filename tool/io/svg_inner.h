/* SPDX-License-Identifier: Apache-2.0 */
/* Declares functions that the parts of the picture share. */
#ifndef MOTE_TOOL_IO_SVG_INNER_H
#define MOTE_TOOL_IO_SVG_INNER_H

#include "svg.h"

#define SVG_COLOURS 7

/* The part of the module that is shown, and where it lies on the page. */
typedef struct svg_frame {
    uint32_t x_min, x_max, y_min, y_max; /* pixels, ends included */
    double left, top, width, height;
    double x_scale, y_scale; /* page units for a pixel */
    double least_mark;    /* the least size of a mark, so that a single pixel of a large module is
                             visible */
    bool zoomed, clipped; /* clipped: there may be digis outside of the frame */
} svg_frame;

/* Convert a pixel's left and upper edge to page coordinates. */
double svg_page_x(const svg_frame *frame, double x);
double svg_page_y(const svg_frame *frame, double y);

/* Sorts by (y, x). */
void svg_sort(svg_module *module);

/* Chooses the visible part: the window, the whole module, or the occupied part of a large one if
 * that is less than half of it. */
void svg_choose_part(const svg_module *module, svg_frame *frame);

/* Chooses the scale of the visible part and its place on the page. */
void svg_place_frame(svg_frame *frame);

/* Draws the axes and the border. */
void svg_draw_axes(out_file *out, const svg_frame *frame);

/* Draws one rectangle for each run of pixels in a row of the picture. Pixels are sorted by (y, x).
 * Returns the number of pixels. */
size_t svg_draw_runs(out_file *out, const svg_frame *frame, const svg_pixel *pixels, size_t n);

/* Begins a page of this size in SVG units. */
void svg_begin(out_file *out, double width, double height);

/* Gives each cluster one of SVG_COLOURS so that clusters a few pixels apart differ where possible.
 * Pixels are sorted by (y, x). The caller frees the result; NULL = out of memory. */
uint8_t *svg_choose_colours(const svg_module *module);

/* Draws the clusters, then the numbers of those with enough room. Returns false when memory is
 * exhausted. */
bool svg_draw_clusters(out_file *out, const svg_module *module, const svg_frame *frame,
                       const uint8_t *colours);

#endif
