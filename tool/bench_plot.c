/* SPDX-License-Identifier: Apache-2.0 */
/* Both axes are logarithmic, and panels of one kind have the same axes, so that rates can be
 * compared. Every dot is a measured call, its colour the way it was made; the shaded region is
 * beyond the device's memory or arithmetic. docs/bench.md says why dots may lie in it. */
#include "bench_plot.h"
#include "io/svg_axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS      3
#define LEFT         62.0
#define TOP          64.0
#define PANEL_WIDTH  250.0
#define PANEL_HEIGHT 170.0
#define GAP_X        66.0
#define GAP_Y        104.0
#define MARGIN       24.0
#define STEPS        60 /* of a limit's curve */
#define MOST_WAYS    8  /* colours; the legend has as many lines as fit below the panel */
#define LEGEND_LINES 4

static const char *const colours[MOST_WAYS] = {"#1f5fa8", "#c2571a", "#2a8a57", "#9a3f8f",
                                               "#7a6a00", "#cc3b4a", "#3aa0b5", "#666666"};

/* The data area of a panel: decades and position on the page. */
typedef struct panel {
    double x_min, x_max, y_min, y_max; /* powers of ten */
    double left, top;
    const bench_point *first; /* of the call */
} panel;

void bench_plot_add(const mote_bench_point *point, void *user)
{
    bench_plot *plot = user;
    bool full = (plot->n & (plot->n - 1)) == 0;
    size_t room = plot->n ? 2 * plot->n : 1;
    bench_point *grown = full ? realloc(plot->points, room * sizeof(*grown)) : plot->points;
    if (!grown) {
        plot->failed = true;
        return;
    }
    plot->points = grown;
    if (point->us <= 0.0 || point->size <= 0.0)
        return;
    bench_point *p = &grown[plot->n++];
    plot->bandwidth = *point->bandwidth;
    p->at = *point;
    snprintf(p->area, sizeof(p->area), "%s", point->area);
    snprintf(p->call, sizeof(p->call), "%s", point->call);
    snprintf(p->way, sizeof(p->way), "%s", point->way);
}

void bench_plot_free(bench_plot *plot)
{
    free(plot->points);
    *plot = (bench_plot){0};
}

static bool same_panel(const bench_point *a, const bench_point *b)
{
    return strcmp(a->area, b->area) == 0 && strcmp(a->call, b->call) == 0;
}

/* Returns 10^9 bytes or pairs a second. */
static double rate_of(double size, double us)
{
    return 1e-3 * size / us;
}

/* Chooses decades that contain all points of the kind, and their limits. */
static void choose_axes(const bench_plot *plot, panel *p)
{
    double x_min = INFINITY, x_max = 0.0, y_min = INFINITY, y_max = 0.0;
    for (size_t i = 0; i < plot->n; i++) {
        const mote_bench_point *at = &plot->points[i].at;
        if (at->pairs != p->first->at.pairs)
            continue;
        x_min = fmin(x_min, at->size);
        x_max = fmax(x_max, at->size);
        y_min = fmin(y_min, rate_of(at->size, at->us));
        y_max = fmax(y_max, fmax(rate_of(at->size, at->us),
                                 at->limit_us > 0.0 ? rate_of(at->size, at->limit_us) : 0.0));
    }
    p->x_min = floor(log10(x_min));
    p->x_max = fmax(ceil(log10(x_max)), p->x_min + 1.0);
    p->y_min = floor(log10(y_min));
    p->y_max = fmax(ceil(log10(y_max) + 0.05), p->y_min + 1.0);
}

static double page_x(const panel *p, double size)
{
    return p->left + PANEL_WIDTH * (log10(size) - p->x_min) / (p->x_max - p->x_min);
}

static double page_y(const panel *p, double rate)
{
    double part = (log10(rate) - p->y_min) / (p->y_max - p->y_min);
    return p->top + PANEL_HEIGHT * (1.0 - fmin(1.0, fmax(0.0, part)));
}

/* "1", "10", "100 k", "1 M", ... */
static void name_power(char *text, size_t size, int power)
{
    static const char *const units[] = {"", " k", " M", " G", " T", " P"};
    int third = power >= 0 ? power / 3 : 0;
    if (power < 0)
        snprintf(text, size, "%.*f", -power, pow(10.0, power));
    else
        snprintf(text, size, "%.0f%s", pow(10.0, power - 3 * third), units[third < 5 ? third : 5]);
}

static void draw_axes(out_file *out, const panel *p)
{
    char text[32];
    double bottom = p->top + PANEL_HEIGHT;
    int every = p->x_max - p->x_min > 6.0 ? 2 : 1;
    for (int power = (int)p->x_min; power <= (int)p->x_max; power++) {
        double x = page_x(p, pow(10.0, power));
        name_power(text, sizeof(text), power);
        out_print(out, "<path class=\"grid\" d=\"M%.5g %.6gV%.6g\"/>\n", x, p->top, bottom);
        if ((power - (int)p->x_min) % every == 0)
            out_print(out, "<text x=\"%.5g\" y=\"%.6g\" text-anchor=\"middle\">%s</text>\n", x,
                      bottom + 15.0, text);
    }
    for (int power = (int)p->y_min; power <= (int)p->y_max; power++) {
        double y = page_y(p, pow(10.0, power));
        name_power(text, sizeof(text), power);
        out_print(out, "<path class=\"grid\" d=\"M%.5g %.6gH%.6g\"/>\n", p->left, y,
                  p->left + PANEL_WIDTH);
        out_print(out, "<text x=\"%.5g\" y=\"%.6g\" text-anchor=\"end\">%s</text>\n", p->left - 6.0,
                  y + 4.0, text);
    }
}

/* Draws the region of rates that the device's memory bandwidth and launch time rule out. The ratio
 * of bytes read and written is that of the first call. */
static void draw_byte_limit(out_file *out, const bench_plot *plot, const panel *p)
{
    const mote_bench_point *first = &p->first->at;
    out_print(out, "<path class=\"limit\" d=\"M%.6g %.6g", p->left, p->top);
    for (int i = 0; i <= STEPS; i++) {
        double size = pow(10.0, p->x_min + (p->x_max - p->x_min) * i / STEPS);
        mote_bytes bytes = {.read = first->bytes.read * size / first->size,
                            .written = first->bytes.written * size / first->size};
        double us = mote_bandwidth_floor(&plot->bandwidth, bytes);
        out_print(out, "L%.6g %.6g", page_x(p, size), page_y(p, rate_of(size, us)));
    }
    out_print(out, "V%.6gZ\"/>\n", p->top);
}

/* Draws the regions above the arithmetic limit: one for each rate. */
static void draw_pair_limits(out_file *out, const bench_plot *plot, const panel *p)
{
    double before = 0.0;
    for (size_t i = 0; i < plot->n; i++) {
        const mote_bench_point *at = &plot->points[i].at;
        if (!same_panel(&plot->points[i], p->first) || at->limit_us <= 0.0)
            continue;
        double rate = rate_of(at->size, at->limit_us);
        if (rate > before) {
            out_print(out, "<path class=\"limit\" d=\"M%.6g %.6gV%.6gh%.6gV%.6gZ\"/>\n", p->left,
                      p->top, page_y(p, rate), PANEL_WIDTH, p->top);
            before = rate;
        }
    }
}

/* Returns the index of a point's strategy among those of the panel, in the order of measurement. */
static size_t way_of(const bench_plot *plot, const bench_point *point)
{
    const char *seen[MOST_WAYS];
    size_t n = 0;
    for (size_t i = 0; i < plot->n; i++) {
        const bench_point *p = &plot->points[i];
        size_t k = 0;
        if (!same_panel(p, point))
            continue;
        while (k < n && strcmp(seen[k], p->way) != 0)
            k++;
        if (strcmp(p->way, point->way) == 0)
            return k < MOST_WAYS ? k : MOST_WAYS - 1;
        if (k == n && n < MOST_WAYS)
            seen[n++] = p->way;
    }
    return 0;
}

static void draw_legend(out_file *out, const panel *p, const bench_point *point, size_t way)
{
    double x = p->left + (double)(way / LEGEND_LINES) * PANEL_WIDTH / 2.0;
    double y = p->top + PANEL_HEIGHT + 33.0 + (double)(way % LEGEND_LINES) * 14.0;
    out_print(out, "<circle cx=\"%.5g\" cy=\"%.6g\" r=\"3.5\" fill=\"%s\"/>\n", x + 4.0, y - 4.0,
              colours[way]);
    out_print(out, "<text x=\"%.5g\" y=\"%.6g\">", x + 12.0, y);
    svg_escape(out, way + 1 == MOST_WAYS ? "others" : point->way);
    out_text(out, "</text>\n");
}

static void draw_points(out_file *out, const bench_plot *plot, const panel *p)
{
    bool told[MOST_WAYS] = {false};
    for (size_t i = 0; i < plot->n; i++) {
        const bench_point *point = &plot->points[i];
        if (!same_panel(point, p->first))
            continue;
        size_t way = way_of(plot, point);
        if (!told[way])
            draw_legend(out, p, point, way);
        told[way] = true;
        out_print(out,
                  "<circle cx=\"%.6g\" cy=\"%.6g\" r=\"3.5\" fill=\"%s\" fill-opacity=\".8\"/>\n",
                  page_x(p, point->at.size), page_y(p, rate_of(point->at.size, point->at.us)),
                  colours[way]);
    }
}

static void draw_panel(out_file *out, const bench_plot *plot, const panel *p)
{
    bool pairs = p->first->at.pairs;
    if (pairs)
        draw_pair_limits(out, plot, p);
    else
        draw_byte_limit(out, plot, p);
    draw_axes(out, p);
    out_print(out, "<rect class=\"frame\" x=\"%.5g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\"/>\n",
              p->left, p->top, PANEL_WIDTH, PANEL_HEIGHT);
    out_print(out, "<text class=\"name\" x=\"%.5g\" y=\"%.6g\">", p->left, p->top - 7.0);
    svg_escape(out, p->first->area);
    out_text(out, ": ");
    svg_escape(out, p->first->call);
    out_print(out, "<tspan class=\"unit\">  %s</tspan></text>\n",
              pairs ? "Gpair/s against pairs" : "GB/s against bytes");
    draw_points(out, plot, p);
}

static bool is_first(const bench_plot *plot, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (same_panel(&plot->points[k], &plot->points[i]))
            return false;
    return true;
}

static void draw_head(out_file *out, const char *device, size_t panels)
{
    size_t rows = (panels + COLUMNS - 1) / COLUMNS, columns = panels < COLUMNS ? panels : COLUMNS;
    double width = LEFT + (double)columns * (PANEL_WIDTH + GAP_X) - GAP_X + MARGIN;
    double height = TOP + (double)rows * (PANEL_HEIGHT + GAP_Y);
    width = fmax(width, LEFT + 2.0 * PANEL_WIDTH);
    out_print(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.6g\" height=\"%.6g\" "
              "viewBox=\"0 0 %.6g %.6g\" font-family=\"sans-serif\" font-size=\"11\">\n"
              "<style>.grid{stroke:#ccc;stroke-width:.6;fill:none}.frame{stroke:#444;fill:none}"
              ".limit{fill:#ead9d6}.name{font-weight:bold;font-size:12px}"
              ".unit{font-weight:normal;fill:#555}</style>\n"
              "<rect width=\"%.6g\" height=\"%.6g\" fill=\"#fff\"/>\n"
              "<text x=\"%.5g\" y=\"24\" font-size=\"15\">mote %s on ",
              width, height, width, height, width, height, LEFT, mote_version());
    svg_escape(out, device);
    out_print(out,
              "</text>\n<text x=\"%.5g\" y=\"41\">A dot is a measured call; the shaded region is "
              "beyond what its memory or arithmetic allows.</text>\n",
              LEFT);
}

/* Writes the device's own name, or its device string if it can no longer be opened. */
static void name_device(const char *spec, char *name, size_t size)
{
    mote_context *ctx = NULL;
    snprintf(name, size, "%s", spec ? spec : "the default device");
    if (mote_context_open(spec, &ctx) == MOTE_SUCCESS)
        snprintf(name, size, "%s", mote_context_device(ctx)->name);
    mote_context_release(ctx);
}

int bench_plot_draw(const bench_plot *plot, const char *device, out_file *out)
{
    char name[128];
    size_t panels = 0;
    if (plot->failed)
        return tool_fail(TOOL_OUTPUT, "no memory for the picture");
    for (size_t i = 0; i < plot->n; i++)
        panels += is_first(plot, i);
    name_device(device, name, sizeof(name));
    draw_head(out, name, panels);
    size_t k = 0;
    for (size_t i = 0; i < plot->n; i++) {
        if (!is_first(plot, i))
            continue;
        panel p = {.first = &plot->points[i],
                   .left = LEFT + (double)(k % COLUMNS) * (PANEL_WIDTH + GAP_X),
                   .top = TOP + 16.0 + (double)(k / COLUMNS) * (PANEL_HEIGHT + GAP_Y)};
        choose_axes(plot, &p);
        draw_panel(out, plot, &p);
        k++;
    }
    out_text(out, "</svg>\n");
    return TOOL_DONE;
}
