/* SPDX-License-Identifier: Apache-2.0 */
#include "svg_inner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FONT       11.0
#define DIGIT      6.6 /* width of a digit at that size */
#define LEAST_CELL 4.0 /* on smaller pixels, numbers would hide clusters */

/* These colours can be distinguished on white with every common colour blindness. */
static const char *const palette[SVG_COLOURS] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                 "#56b4e9", "#d55e00", "#44337a"};
static const char dropped_colour[] = "#bbbbbb";

double svg_page_x(const svg_frame *frame, double x)
{
    return frame->left + (x - frame->x_min) * frame->x_scale;
}

double svg_page_y(const svg_frame *frame, double y)
{
    return frame->top + frame->height - (y + 1.0 - frame->y_min) * frame->y_scale;
}

static int by_cluster(const void *a, const void *b)
{
    const svg_pixel *p = a, *q = b;
    if (p->cluster != q->cluster)
        return p->cluster < q->cluster ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

/* Extends a length that begins at `at` to the smallest mark, about its middle, but inside of the
 * frame, whose border would hide it. */
static void widen(double *at, double *length, double least, double first, double whole)
{
    if (*length >= least)
        return;
    bool inside = *at >= first && *at <= first + whole;
    *at -= 0.5 * (least - *length);
    if (inside)
        *at = fmax(first + 0.5, fmin(*at, first + whole - 0.5 - least));
    *length = least;
}

size_t svg_draw_runs(out_file *out, const svg_frame *frame, const svg_pixel *pixels, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n;) {
        size_t j = i + 1;
        unsigned last = pixels[i].x;
        for (; j < n && pixels[j].y == pixels[i].y && pixels[j].x <= last + 1; j++)
            last = pixels[j].x;
        double width = (last + 1 - pixels[i].x) * frame->x_scale, height = frame->y_scale;
        double x = svg_page_x(frame, pixels[i].x), y = svg_page_y(frame, pixels[i].y);
        widen(&x, &width, frame->least_mark, frame->left, frame->width);
        widen(&y, &height, frame->least_mark, frame->top, frame->height);
        out_print(out, "M%.6g %.6gh%.6gv%.6gh-%.6gz", x, y, width, height, width);
        count += last + 1 - pixels[i].x;
        i = j;
    }
    return count;
}

/* Returns the number of pixels of the list's first cluster. */
static size_t same_cluster(const svg_pixel *pixels, size_t n)
{
    size_t count = 1;
    while (count < n && pixels[count].cluster == pixels[0].cluster)
        count++;
    return count;
}

static void draw_cluster(out_file *out, const svg_frame *frame, const svg_pixel *pixels, size_t n,
                         const uint8_t *colours)
{
    int32_t cluster = pixels[0].cluster;
    if (cluster < 0)
        out_print(out, "<path class=\"dropped\" fill=\"%s\" d=\"", dropped_colour);
    else
        out_print(out, "<path class=\"cluster\" fill=\"%s\" d=\"", palette[colours[cluster]]);
    size_t count = svg_draw_runs(out, frame, pixels, n);
    if (cluster < 0)
        out_print(out, "\"><title>dropped digis</title></path>\n");
    else
        out_print(out, "\"><title>cluster %d: %zu pixel%s</title></path>\n", cluster, count,
                  tool_plural(count));
}

/* Draws the number in the middle of the cluster's box if there is enough room. */
static void draw_number(out_file *out, const svg_frame *frame, const svg_pixel *pixels, size_t n)
{
    if (frame->x_scale < LEAST_CELL || frame->y_scale < LEAST_CELL)
        return;
    unsigned x_min = pixels[0].x, x_max = pixels[0].x;
    for (size_t i = 1; i < n; i++) {
        x_min = pixels[i].x < x_min ? pixels[i].x : x_min;
        x_max = pixels[i].x > x_max ? pixels[i].x : x_max;
    }
    unsigned y_min = pixels[0].y, y_max = pixels[n - 1].y;
    int digits = snprintf(NULL, 0, "%d", pixels[0].cluster);
    if ((x_max + 1 - x_min) * frame->x_scale < digits * DIGIT + 2.0 ||
        (y_max + 1 - y_min) * frame->y_scale < FONT)
        return;
    double x = svg_page_x(frame, 0.5 * (x_min + x_max + 1.0));
    double y = svg_page_y(frame, 0.5 * (y_min + y_max + 1.0) - 1.0) + 0.35 * FONT;
    out_print(out, "<text class=\"number\" x=\"%.6g\" y=\"%.6g\">%d</text>\n", x, y,
              pixels[0].cluster);
}

bool svg_draw_clusters(out_file *out, const svg_module *module, const svg_frame *frame,
                       const uint8_t *colours)
{
    svg_pixel *pixels = malloc((module->n + 1) * sizeof(*pixels));
    if (!pixels)
        return false;
    for (size_t i = 0; i < module->n; i++)
        pixels[i] = module->pixels[i];
    qsort(pixels, module->n, sizeof(*pixels), by_cluster);
    if (frame->clipped)
        out_print(out,
                  "<clipPath id=\"window\"><rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" "
                  "height=\"%.6g\"/></clipPath>\n",
                  frame->left, frame->top, frame->width, frame->height);
    out_print(out, "<g%s>\n<g shape-rendering=\"crispEdges\">\n",
              frame->clipped ? " clip-path=\"url(#window)\"" : "");
    size_t count;
    for (size_t i = 0; i < module->n; i += count) {
        count = same_cluster(pixels + i, module->n - i);
        draw_cluster(out, frame, pixels + i, count, colours);
    }
    out_print(out,
              "</g>\n<g font-size=\"%g\" text-anchor=\"middle\" fill=\"#000\" stroke=\"#fff\" "
              "stroke-width=\"2.5\" stroke-linejoin=\"round\" paint-order=\"stroke\">\n",
              FONT);
    for (size_t i = 0; i < module->n; i += count) {
        count = same_cluster(pixels + i, module->n - i);
        if (pixels[i].cluster >= 0)
            draw_number(out, frame, pixels + i, count);
    }
    out_text(out, "</g>\n</g>\n");
    free(pixels);
    return true;
}
