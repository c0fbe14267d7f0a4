/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of a module's hits, coloured by time. */
#include "svg_inner.h"

#include <math.h>
#include <stdlib.h>

#define SHADES 64
#define BAR    200.0 /* height of the scale of times */

/* Colours from dark to light, so that the order of times is also visible without colours. */
static const double stops[][3] = {
    {68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};

static void shade_colour(int shade, unsigned colour[3])
{
    double at = (double)shade / (SHADES - 1) * 4.0;
    int k = at < 3.0 ? (int)at : 3;
    for (int c = 0; c < 3; c++)
        colour[c] = (unsigned)lround(stops[k][c] + (at - k) * (stops[k + 1][c] - stops[k][c]));
}

static int by_time(const void *a, const void *b)
{
    const svg_hit *p = a, *q = b;
    if (p->first != q->first)
        return p->first < q->first ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

static int by_shade(const void *a, const void *b)
{
    const svg_pixel *p = a, *q = b;
    if (p->cluster != q->cluster)
        return p->cluster < q->cluster ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

/* Returns the hits as pixels whose `cluster` is a shade, sorted. NULL: out of memory. */
static svg_pixel *shade_hits(const svg_times *times)
{
    svg_pixel *pixels = malloc((times->n + 1) * sizeof(*pixels));
    for (size_t i = 0; pixels && i < times->n; i++) {
        const svg_hit *hit = &times->hits[i];
        double from = (double)times->hits[0].first;
        double range = (double)times->hits[times->n - 1].first - from;
        double part = range > 0.0 ? ((double)hit->first - from) / range : 0.0;
        pixels[i] = (svg_pixel){hit->x, hit->y, (int32_t)(part * (SHADES - 1))};
    }
    if (pixels && times->n)
        qsort(pixels, times->n, sizeof(*pixels), by_shade);
    return pixels;
}

static void draw_hits(out_file *out, const svg_frame *frame, const svg_pixel *pixels, size_t n)
{
    for (size_t i = 0, j; i < n; i = j) {
        unsigned colour[3];
        for (j = i; j < n && pixels[j].cluster == pixels[i].cluster; j++)
            ;
        shade_colour(pixels[i].cluster, colour);
        out_print(out, "<path class=\"hits\" fill=\"#%02x%02x%02x\" d=\"", colour[0], colour[1],
                  colour[2]);
        svg_draw_runs(out, frame, pixels + i, j - i);
        out_text(out, "\"/>\n");
    }
}

static void draw_scale(out_file *out, const svg_times *times, const svg_frame *f)
{
    double x = f->left + f->width + 20.0, step = BAR / SHADES;
    out_print(out, "<g class=\"legend\" transform=\"translate(%.6g %.6g)\">\n", x, f->top + 12.0);
    out_text(out, "<text>first time of the cluster</text>\n");
    for (int shade = 0; shade < SHADES; shade++) {
        unsigned colour[3];
        shade_colour(shade, colour);
        out_print(out, "<rect y=\"%.6g\" width=\"16\" height=\"%.6g\" fill=\"#%02x%02x%02x\"/>\n",
                  12.0 + shade * step, step + 0.3, colour[0], colour[1], colour[2]);
    }
    if (times->n)
        out_print(out,
                  "<text x=\"24\" y=\"24\">%lld</text>\n<text x=\"24\" y=\"%.6g\">%lld</text>\n",
                  (long long)times->hits[0].first, BAR + 10.0,
                  (long long)times->hits[times->n - 1].first);
    out_text(out, "</g>\n");
}

int svg_draw_times(out_file *out, svg_times *times)
{
    if (times->n)
        qsort(times->hits, times->n, sizeof(*times->hits), by_time);
    svg_pixel *pixels = shade_hits(times);
    svg_module module = {.rows = times->rows,
                         .columns = times->columns,
                         .n = pixels ? times->n : 0,
                         .pixels = pixels};
    svg_frame frame;
    svg_choose_part(&module, &frame);
    svg_place_frame(&frame);
    svg_begin(out, fmax(frame.left + frame.width + 210.0, 640.0),
              frame.top + fmax(frame.height, BAR + 30.0) + 60.0);
    out_print(out,
              "<text class=\"title\" x=\"%.6g\" y=\"28\" font-size=\"18\">Module %llu: %llu hit%s"
              "</text>\n<text class=\"subtitle\" x=\"%.6g\" y=\"50\" font-size=\"13\" "
              "fill=\"#444\">%u x %u pixels",
              frame.left, (unsigned long long)times->module, (unsigned long long)times->all,
              tool_plural(times->all), frame.left, times->rows, times->columns);
    if (times->n < times->all)
        out_print(out, ", the first %zu hits are drawn", times->n);
    out_print(out,
              "</text>\n<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\" "
              "fill=\"#f4f4f4\"/>\n<style>.tick{stroke:#000}</style>\n",
              frame.left, frame.top, frame.width, frame.height);
    draw_hits(out, &frame, module.pixels, module.n);
    svg_draw_axes(out, &frame);
    draw_scale(out, times, &frame);
    out_text(out, "</svg>\n");
    free(pixels);
    return pixels ? TOOL_GO_ON : tool_fail(TOOL_OUTPUT, "out of memory for the picture");
}
