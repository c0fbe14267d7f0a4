/* SPDX-License-Identifier: Apache-2.0 */
#include "svg_axis.h"

#include <math.h>
#include <stdio.h>

#define TICKS 6.0 /* approximate number on an axis */

/* 1, 2 or 5 times a power of ten. */
static double nice_step(double range)
{
    double power = pow(10.0, floor(log10(range / TICKS))), part = range / TICKS / power;
    return power * (part <= 1.0 ? 1.0 : part <= 2.0 ? 2.0 : part <= 5.0 ? 5.0 : 10.0);
}

svg_axis svg_axis_make(double least, double most, double margin)
{
    const double largest = 1e300; /* the ends of an axis, so that their difference is finite */
    svg_axis a = {.least = fmax(least, -largest), .most = fmin(most, largest)};
    double range = a.most - a.least, size = fmax(fabs(a.least), fabs(a.most));
    if (!(range > 1e-12 * size && range > 1e-290)) {
        double room = size > 1e-290 ? 0.01 * size : 1.0;
        a.least -= room;
        a.most += room;
    } else {
        a.least -= margin * range;
        a.most += margin * range;
    }
    a.step = nice_step(a.most - a.least);
    return a;
}

double svg_axis_place(const svg_axis *a, double value)
{
    return a->begin + (value - a->least) / (a->most - a->least) * a->length;
}

/* Uses as many digits as distinguish two ticks. */
static void label(char *text, size_t size, const svg_axis *a, double value)
{
    double largest = fmax(fabs(a->least), fabs(a->most));
    int decimals = (int)fmax(0.0, -floor(log10(a->step) + 1e-9));
    if (fabs(value) < 1e-9 * a->step)
        value = 0.0;
    if (largest >= 1e7 || decimals > 6)
        snprintf(text, size, "%.*g", (int)fmin(12.0, 1.0 + ceil(log10(largest / a->step))), value);
    else
        snprintf(text, size, "%.*f", decimals, value);
}

static double first_tick(const svg_axis *a)
{
    return ceil(a->least / a->step - 1e-9) * a->step;
}

void svg_axis_draw_y(out_file *out, const svg_axis *y, double left, double right)
{
    char text[40];
    for (int i = 0; i < 40; i++) {
        double value = first_tick(y) + i * y->step, up = svg_axis_place(y, value);
        if (value > y->most + 1e-9 * y->step)
            break;
        label(text, sizeof(text), y, value);
        out_print(out, "<path class=\"grid\" d=\"M%.5g %.6gH%.5g\"/>\n", left, up, right);
        out_print(out, "<text x=\"%.5g\" y=\"%.6g\" text-anchor=\"end\">%s</text>\n", left - 8.0,
                  up + 4.5, text);
    }
}

void svg_axis_draw_x(out_file *out, const svg_axis *x, double top, double bottom, bool labelled)
{
    char text[40];
    for (int i = 0; i < 40; i++) {
        double value = first_tick(x) + i * x->step, right = svg_axis_place(x, value);
        if (value > x->most + 1e-9 * x->step)
            break;
        label(text, sizeof(text), x, value);
        out_print(out, "<path class=\"grid\" d=\"M%.6g %.6gV%.6g\"/>\n", right, top, bottom);
        if (labelled)
            out_print(out, "<text x=\"%.6g\" y=\"%.6g\" text-anchor=\"middle\">%s</text>\n", right,
                      bottom + 19.0, text);
    }
}

void svg_escape(out_file *out, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                                            : NULL;
        if (entity)
            out_text(out, entity);
        else
            out_bytes(out, (unsigned char)*text >= ' ' ? text : "?", 1);
    }
}
