/* SPDX-License-Identifier: Apache-2.0 */
#include "svg_inner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PLOT_WIDTH   900.0
#define PLOT_HEIGHT  860.0
#define LARGEST_CELL 40.0
#define LEAST_SIDE   200.0 /* smaller modules are enlarged to this */
#define THIN_SIDE    60.0  /* a narrow strip is drawn wider than to scale */
#define LEFT         80.0
#define TOP          70.0
#define BOTTOM       60.0
#define RIGHT        190.0
#define LEAST_MARK   3.0
#define LARGE_MODULE 64u /* zooming starts above this many rows or columns */
#define TICKS        8.0

typedef struct svg_counts {
    size_t digis, dropped, largest;
} svg_counts;

void svg_module_free(svg_module *module)
{
    free(module->pixels);
    *module = (svg_module){0};
}

static int by_place(const void *a, const void *b)
{
    const svg_pixel *p = a, *q = b;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

void svg_sort(svg_module *module)
{
    if (module->n)
        qsort(module->pixels, module->n, sizeof(*module->pixels), by_place);
}

static void occupied(const svg_module *module, svg_frame *frame)
{
    const svg_pixel *p = module->pixels;
    frame->x_min = frame->x_max = p[0].x;
    frame->y_min = frame->y_max = p[0].y;
    for (size_t i = 1; i < module->n; i++) {
        frame->x_min = p[i].x < frame->x_min ? p[i].x : frame->x_min;
        frame->x_max = p[i].x > frame->x_max ? p[i].x : frame->x_max;
        frame->y_min = p[i].y < frame->y_min ? p[i].y : frame->y_min;
        frame->y_max = p[i].y > frame->y_max ? p[i].y : frame->y_max;
    }
}

/* Widens [*low, *high] by a margin, inside [0, size). */
static void widen(uint32_t *low, uint32_t *high, uint32_t size)
{
    uint32_t margin = 1 + (*high - *low + 1) / 20;
    *low = *low > margin ? *low - margin : 0;
    *high = size - 1 - *high > margin ? *high + margin : size - 1;
}

void svg_choose_part(const svg_module *module, svg_frame *frame)
{
    svg_frame whole = {.x_max = module->rows - 1, .y_max = module->columns - 1};
    *frame = whole;
    if (module->window.given) {
        const svg_window *w = &module->window;
        *frame = (svg_frame){.x_min = w->x_min,
                             .x_max = w->x_max,
                             .y_min = w->y_min,
                             .y_max = w->y_max,
                             .zoomed = true,
                             .clipped = true};
        return;
    }
    if (!module->n || (module->rows <= LARGE_MODULE && module->columns <= LARGE_MODULE))
        return;
    occupied(module, frame);
    widen(&frame->x_min, &frame->x_max, module->rows);
    widen(&frame->y_min, &frame->y_max, module->columns);
    double part = (frame->x_max - frame->x_min + 1.0) * (frame->y_max - frame->y_min + 1.0);
    if (part < 0.5 * module->rows * module->columns)
        frame->zoomed = true;
    else
        *frame = whole;
}

void svg_place_frame(svg_frame *frame)
{
    double nx = frame->x_max - frame->x_min + 1.0, ny = frame->y_max - frame->y_min + 1.0;
    double most = fmax(LARGEST_CELL, LEAST_SIDE / fmax(nx, ny));
    double scale = fmin(most, fmin(PLOT_WIDTH / nx, PLOT_HEIGHT / ny));
    frame->x_scale = fmax(scale, fmin(THIN_SIDE / nx, most));
    frame->y_scale = fmax(scale, fmin(THIN_SIDE / ny, most));
    frame->least_mark = LEAST_MARK;
    frame->left = LEFT;
    frame->top = TOP;
    frame->width = nx * frame->x_scale;
    frame->height = ny * frame->y_scale;
}

/* Returns 1, 2 or 5 times a power of ten, such that about TICKS of them fit into the length. */
static uint32_t tick_step(double length, double page)
{
    double least = length / fmax(2.0, fmin(TICKS, page / 40.0));
    double ten = 1.0;
    while (ten * 10.0 <= least)
        ten *= 10.0;
    double step = least <= ten       ? ten
                  : least <= 2 * ten ? 2 * ten
                  : least <= 5 * ten ? 5 * ten
                                     : 10 * ten;
    return (uint32_t)step;
}

static void draw_x_axis(out_file *out, const svg_frame *f)
{
    uint32_t step = tick_step(f->x_max - f->x_min + 1.0, f->width);
    double bottom = f->top + f->height;
    for (uint32_t x = (f->x_min + step - 1) / step * step; x <= f->x_max; x += step) {
        double at = svg_page_x(f, x + 0.5);
        out_print(out, "<path class=\"tick\" d=\"M%.6g %.6gv5\"/>", at, bottom);
        out_print(out, "<text x=\"%.6g\" y=\"%.6g\" text-anchor=\"middle\">%u</text>\n", at,
                  bottom + 18.0, x);
    }
    out_print(out, "<text x=\"%.6g\" y=\"%.6g\" text-anchor=\"middle\">x (row)</text>\n",
              f->left + 0.5 * f->width, bottom + 40.0);
}

static void draw_y_axis(out_file *out, const svg_frame *f)
{
    uint32_t step = tick_step(f->y_max - f->y_min + 1.0, f->height);
    for (uint32_t y = (f->y_min + step - 1) / step * step; y <= f->y_max; y += step) {
        double at = svg_page_y(f, y - 0.5);
        out_print(out, "<path class=\"tick\" d=\"M%.6g %.6gh-5\"/>", f->left, at);
        out_print(out, "<text x=\"%.6g\" y=\"%.6g\" text-anchor=\"end\">%u</text>\n", f->left - 8.0,
                  at + 4.0, y);
    }
    double middle = f->top + 0.5 * f->height;
    out_print(out,
              "<text x=\"24\" y=\"%.6g\" text-anchor=\"middle\" transform=\"rotate(-90 24 %.6g)\">"
              "y (column)</text>\n",
              middle, middle);
}

/* Draws borders between pixels, if they are large enough to be distinguished. */
static void draw_grid(out_file *out, const svg_frame *f)
{
    if (f->x_scale < 8.0 || f->y_scale < 8.0)
        return;
    out_text(out, "<path class=\"grid\" fill=\"none\" stroke=\"#fff\" stroke-width=\"0.7\" d=\"");
    for (uint32_t x = f->x_min + 1; x <= f->x_max; x++)
        out_print(out, "M%.6g %.6gv%.6g", svg_page_x(f, x), f->top, f->height);
    for (uint32_t y = f->y_min + 1; y <= f->y_max; y++)
        out_print(out, "M%.6g %.6gh%.6g", f->left, svg_page_y(f, y - 1.0), f->width);
    out_text(out, "\"/>\n");
}

static void count(const svg_module *module, svg_counts *counts)
{
    *counts = (svg_counts){.digis = module->n};
    for (size_t i = 0; i < module->n; i++)
        counts->dropped += module->pixels[i].cluster < 0;
}

static void draw_title(out_file *out, const svg_module *m, const svg_frame *f,
                       const svg_counts *counts)
{
    out_print(out, "<text class=\"title\" x=\"%g\" y=\"28\" font-size=\"18\">", LEFT);
    out_print(out, "Event %llu, module %llu: %zu digi%s, %zu cluster%s</text>\n",
              (unsigned long long)m->event, (unsigned long long)m->module, counts->digis,
              tool_plural(counts->digis), m->n_clusters, tool_plural(m->n_clusters));
    out_print(out, "<text class=\"subtitle\" x=\"%g\" y=\"50\" font-size=\"13\" fill=\"#444\">",
              LEFT);
    out_print(out, "%u x %u pixels", m->rows, m->columns);
    if (f->zoomed)
        out_print(out, ", zoomed to x %u to %u, y %u to %u", f->x_min, f->x_max, f->y_min,
                  f->y_max);
    if (f->x_scale > f->y_scale || f->x_scale < f->y_scale)
        out_text(out, ", axes not to the same scale");
    out_text(out, "</text>\n");
}

static void draw_legend(out_file *out, const svg_module *m, const svg_frame *f,
                        const svg_counts *counts)
{
    double x = f->left + f->width + 20.0;
    out_print(out, "<g class=\"legend\" transform=\"translate(%.6g %.6g)\">\n", x, f->top + 12.0);
    out_print(out, "<text y=\"0\">%zu digi%s</text>\n", counts->digis, tool_plural(counts->digis));
    out_print(out, "<text y=\"20\">%zu in %zu cluster%s</text>\n", counts->digis - counts->dropped,
              m->n_clusters, tool_plural(m->n_clusters));
    if (counts->dropped) {
        out_text(out, "<rect y=\"30\" width=\"12\" height=\"12\" fill=\"#bbbbbb\"/>");
        out_print(out, "<text x=\"18\" y=\"40\">%zu dropped</text>\n", counts->dropped);
    } else {
        out_text(out, "<text y=\"40\">none dropped</text>\n");
    }
    out_text(out, "<text y=\"66\" fill=\"#444\">Colours tell neighbours</text>\n"
                  "<text y=\"82\" fill=\"#444\">apart and repeat.</text>\n</g>\n");
}

void svg_begin(out_file *out, double width, double height)
{
    out_print(out,
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
              "viewBox=\"0 0 %.0f %.0f\" font-family=\"Helvetica, Arial, sans-serif\" "
              "font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
              width, height, width, height);
}

static void draw_page(out_file *out, const svg_module *m, const svg_frame *f,
                      const svg_counts *counts)
{
    double width = fmax(LEFT + f->width + RIGHT, 640.0);
    double height = TOP + fmax(f->height, 110.0) + BOTTOM;
    svg_begin(out, width, height);
    draw_title(out, m, f, counts);
    out_print(out,
              "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\" fill=\"#f4f4f4\"/>\n",
              f->left, f->top, f->width, f->height);
}

void svg_draw_axes(out_file *out, const svg_frame *f)
{
    out_text(out, "<g class=\"axes\" stroke-width=\"1\">\n<g class=\"x-axis\">\n");
    draw_x_axis(out, f);
    out_text(out, "</g>\n<g class=\"y-axis\">\n");
    draw_y_axis(out, f);
    out_print(out,
              "</g>\n<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\" fill=\"none\" "
              "stroke=\"#000\"/>\n</g>\n",
              f->left, f->top, f->width, f->height);
}

int svg_draw(out_file *out, svg_module *module)
{
    svg_sort(module);
    uint8_t *colours = svg_choose_colours(module);
    svg_frame frame;
    svg_counts counts;
    svg_choose_part(module, &frame);
    svg_place_frame(&frame);
    count(module, &counts);
    draw_page(out, module, &frame, &counts);
    out_text(out, "<style>.tick{stroke:#000}</style>\n");
    bool good = colours && svg_draw_clusters(out, module, &frame, colours);
    draw_grid(out, &frame);
    svg_draw_axes(out, &frame);
    draw_legend(out, module, &frame, &counts);
    out_text(out, "</svg>\n");
    free(colours);
    return good ? TOOL_GO_ON : tool_fail(TOOL_OUTPUT, "out of memory for the picture");
}
