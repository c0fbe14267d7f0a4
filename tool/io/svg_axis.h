/* SPDX-License-Identifier: Apache-2.0 */
/* Axes of pictures: ranges with round ticks, their lines and their labels, of the classes `grid`
 * and none; and foreign text in pictures. */
#ifndef MOTE_TOOL_IO_SVG_AXIS_H
#define MOTE_TOOL_IO_SVG_AXIS_H

#include "out.h"

/* A range of an axis and its position on the page. */
typedef struct svg_axis {
    double least, most, step;
    double begin, length; /* page units; negative upwards */
} svg_axis;

/* Makes an axis from the least to the most value, with a part of the range as margin on both sides.
 * If the values are equal, some room is added. `begin` and `length` stay 0. */
svg_axis svg_axis_make(double least, double most, double margin);

/* Returns the position of a value on the page. */
double svg_axis_place(const svg_axis *a, double value);

/* Draw a line and a label for each tick: of a vertical axis from `left` to `right`, of a horizontal
 * axis from `top` to `bottom`. */
void svg_axis_draw_y(out_file *out, const svg_axis *y, double left, double right);
void svg_axis_draw_x(out_file *out, const svg_axis *x, double top, double bottom, bool labelled);

/* Writes text with the escapes of XML; control characters become "?". */
void svg_escape(out_file *out, const char *text);

#endif
