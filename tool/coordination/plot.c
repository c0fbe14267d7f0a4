/* SPDX-License-Identifier: Apache-2.0 */
#include "plot.h"
#include "../io/svg_axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH       900.0
#define LEFT        96.0
#define RIGHT       24.0
#define TOP         52.0
#define BOTTOM      56.0
#define ONE_HEIGHT  340.0 /* height of a single panel */
#define HEIGHT      150.0 /* height of each of several panels */
#define GAP         26.0
#define MOST_POINTS ((size_t)1600) /* more frames are drawn as ranges of a few frames each */
#define MOST_DOTS   ((size_t)60)   /* with fewer frames, each has a dot */

bool plot_add(coordination_plot *plot, double time, const double *values, size_t stride)
{
    size_t each = plot->n_cvs + 1;
    if (plot->frames == plot->reserved) {
        size_t frames = plot->reserved ? 2 * plot->reserved : 1024;
        double *more = realloc(plot->rows, frames * each * sizeof(*more));
        if (!more)
            return false;
        plot->rows = more;
        plot->reserved = frames;
    }
    double *row = plot->rows + each * plot->frames++;
    row[0] = time;
    for (size_t c = 0; c < plot->n_cvs; c++)
        row[1 + c] = values[c * stride];
    return true;
}

void plot_free(coordination_plot *plot)
{
    free(plot->rows);
    *plot = (coordination_plot){0};
}

static double at(const coordination_plot *plot, size_t frame, size_t column)
{
    return plot->rows[(plot->n_cvs + 1) * frame + column];
}

/* The range of a column. */
static svg_axis make_axis(const coordination_plot *plot, size_t column, double margin)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t k = 0; k < plot->frames; k++) {
        least = fmin(least, at(plot, k, column));
        most = fmax(most, at(plot, k, column));
    }
    return svg_axis_make(least, most, margin);
}

/* ---- curves ---------------------------------------------------------------------------------- */

static void draw_point(out_file *out, const coordination_plot *plot, const svg_axis *x,
                       const svg_axis *y, size_t frame, size_t column, bool first)
{
    out_print(out, "%s%.6g %.6g", first ? "M" : "L", svg_axis_place(x, at(plot, frame, 0)),
              svg_axis_place(y, at(plot, frame, column)));
}

/* Draws the lowest and the highest of each few frames, in their order. */
static void draw_curve(out_file *out, const coordination_plot *plot, const svg_axis *x,
                       const svg_axis *y, size_t column)
{
    size_t each = (plot->frames + MOST_POINTS - 1) / MOST_POINTS;
    out_text(out, "<path class=\"curve\" d=\"");
    for (size_t k = 0; k < plot->frames; k += each) {
        size_t low = k, high = k;
        for (size_t i = k; i < k + each && i < plot->frames; i++) {
            low = at(plot, i, column) < at(plot, low, column) ? i : low;
            high = at(plot, i, column) > at(plot, high, column) ? i : high;
        }
        draw_point(out, plot, x, y, low < high ? low : high, column, k == 0);
        if (low != high)
            draw_point(out, plot, x, y, low < high ? high : low, column, false);
    }
    out_text(out, "\"/>\n");
    for (size_t k = 0; k < plot->frames && plot->frames <= MOST_DOTS; k++)
        out_print(out, "<circle cx=\"%.6g\" cy=\"%.6g\" r=\"2.6\"/>\n",
                  svg_axis_place(x, at(plot, k, 0)), svg_axis_place(y, at(plot, k, column)));
}

static void draw_panel(out_file *out, const coordination_plot *plot, const plot_names *names,
                       size_t c, double top, double height)
{
    bool last = c + 1 == plot->n_cvs;
    svg_axis x = make_axis(plot, 0, 0.0), y = make_axis(plot, 1 + c, 0.06);
    x.begin = LEFT;
    x.length = WIDTH - LEFT - RIGHT;
    y.begin = top + height;
    y.length = -height;
    svg_axis_draw_x(out, &x, top, top + height, last);
    svg_axis_draw_y(out, &y, LEFT, WIDTH - RIGHT);
    out_print(out, "<rect class=\"frame\" x=\"%.5g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\"/>\n",
              LEFT, top, x.length, height);
    draw_curve(out, plot, &x, &y, 1 + c);
    out_print(out, "<text class=\"name\" x=\"%.5g\" y=\"%.6g\">%s</text>\n", LEFT, top - 7.0,
              names->labels[c]);
}

/* ---- the page -------------------------------------------------------------------------------- */

static void draw_head(out_file *out, const plot_names *names, double height)
{
    out_print(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.5g\" height=\"%.6g\" "
              "viewBox=\"0 0 %.5g %.6g\" font-family=\"sans-serif\" font-size=\"13\">\n"
              "<style>.grid{stroke:#ddd;fill:none}.frame{stroke:#444;fill:none}"
              ".curve{stroke:#1f5fa8;stroke-width:1.3;fill:none;stroke-linejoin:round}"
              "circle{fill:#1f5fa8}.name{font-weight:bold}</style>\n"
              "<rect width=\"%.5g\" height=\"%.6g\" fill=\"#fff\"/>\n",
              WIDTH, height, WIDTH, height, WIDTH, height);
    out_print(out, "<text x=\"%.5g\" y=\"22\" font-size=\"15\">", LEFT);
    svg_escape(out, names->title);
    out_print(out, ", %llu frame%s</text>\n", (unsigned long long)names->frames,
              tool_plural(names->frames));
    out_print(out, "<text transform=\"translate(20 %.6g) rotate(-90)\" text-anchor=\"middle\">",
              (TOP + height - BOTTOM) / 2.0);
    svg_escape(out, names->y);
    out_print(out, "</text>\n<text x=\"%.6g\" y=\"%.6g\" text-anchor=\"middle\">",
              (LEFT + WIDTH - RIGHT) / 2.0, height - 14.0);
    svg_escape(out, names->x);
    out_text(out, "</text>\n");
}

void plot_draw(const coordination_plot *plot, const plot_names *names, out_file *out)
{
    double each = plot->n_cvs == 1 ? ONE_HEIGHT : HEIGHT;
    double height = TOP + (double)plot->n_cvs * (each + GAP) - GAP + BOTTOM;
    draw_head(out, names, height);
    for (size_t c = 0; c < plot->n_cvs; c++)
        draw_panel(out, plot, names, c, TOP + (double)c * (each + GAP), each);
    out_text(out, "</svg>\n");
}
