/* SPDX-License-Identifier: Apache-2.0 */
/* Draws a histogram: a bar for each bin. */
#include "lists.h"
#include "../io/svg_axis.h"

#include <float.h>
#include <math.h>

#include "testkit/cases/jagged/values.h"

#define WIDTH     900.0
#define HEIGHT    448.0
#define LEFT      96.0
#define RIGHT     24.0
#define TOP       52.0
#define BOTTOM    56.0
#define MOST_BARS ((size_t)1600) /* of more bins, the largest of a few neighbours is drawn */

static double value_of(const jagged_job *job, size_t bin)
{
    return mote_jagged_value(job->result.values, job->result.type, bin);
}

/* Draws the outline of the bars. Infinite edges lie at the ends of the axis, and bins whose sum is
 * not finite have no bar. */
static void draw_bars(out_file *out, const jagged_job *job, const svg_axis *x, const svg_axis *y)
{
    size_t bins = job->result.count, each = (bins + MOST_BARS - 1) / MOST_BARS;
    out_text(out, "<path class=\"bar\" d=\"");
    for (size_t k = 0; k < bins && !out_is_closed(out); k += each) {
        size_t end = bins - k > each ? k + each : bins;
        double largest = 0;
        for (size_t i = k; i < end; i++) {
            double value = value_of(job, i);
            largest = isfinite(value) && fabs(value) > fabs(largest) ? value : largest;
        }
        double from = fmax(job->table.edges[k], x->least),
               to = fmin(job->table.edges[end], x->most);
        if (largest != 0)
            out_print(out, "M%.6g %.6gV%.6gH%.6gV%.6gZ", svg_axis_place(x, from),
                      svg_axis_place(y, 0), svg_axis_place(y, largest), svg_axis_place(x, to),
                      svg_axis_place(y, 0));
    }
    out_text(out, "\"/>\n");
}

/* Returns the range of the finite values and 0, or of the finite edges. */
static svg_axis range_of(const jagged_job *job, bool edges)
{
    double least = edges ? DBL_MAX : 0, most = edges ? -DBL_MAX : 0;
    for (size_t k = 0; k < job->result.count + edges; k++) {
        double value = edges ? job->table.edges[k] : value_of(job, k);
        least = isfinite(value) && value < least ? value : least;
        most = isfinite(value) && value > most ? value : most;
    }
    return least <= most ? svg_axis_make(least, most, 0.0) : svg_axis_make(0.0, 1.0, 0.0);
}

void lists_draw(out_file *out, const jagged_job *job)
{
    svg_axis x = range_of(job, true), y = range_of(job, false);
    x.begin = LEFT;
    x.length = WIDTH - LEFT - RIGHT;
    y.begin = HEIGHT - BOTTOM;
    y.length = TOP + BOTTOM - HEIGHT;
    out_print(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.5g\" height=\"%.5g\" "
              "viewBox=\"0 0 %.5g %.5g\" font-family=\"sans-serif\" font-size=\"13\">\n"
              "<style>.grid{stroke:#ddd;fill:none}.frame{stroke:#444;fill:none}"
              ".bar{stroke:#1f5fa8;fill:#c9dcf2}</style>\n"
              "<rect width=\"%.5g\" height=\"%.5g\" fill=\"#fff\"/>\n"
              "<text x=\"%.5g\" y=\"22\" font-size=\"15\">",
              WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT);
    svg_escape(out, array_name(job->inputs[0]));
    out_print(out, ": %s in %zu bin%s</text>\n",
              job->result.type == MOTE_INT64 ? "values" : "sums of weights", job->result.count,
              tool_plural(job->result.count));
    svg_axis_draw_x(out, &x, TOP, HEIGHT - BOTTOM, true);
    svg_axis_draw_y(out, &y, LEFT, WIDTH - RIGHT);
    draw_bars(out, job, &x, &y);
    out_print(out,
              "<rect class=\"frame\" x=\"%.5g\" y=\"%.5g\" width=\"%.6g\" height=\"%.6g\"/>\n"
              "</svg>\n",
              LEFT, TOP, x.length, -y.length);
}
