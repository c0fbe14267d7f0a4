/* SPDX-License-Identifier: Apache-2.0 */
/* Draws all modules of an event as small multiples: panels of one size that show the same range of
 * pixels. */
#include "svg_inner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_PANELS  200u /* more panels could not be distinguished */
#define PAGE_WIDTH   1500.0
#define PAGE_HEIGHT  1000.0
#define LARGEST_SIDE 320.0
#define LEAST_SIDE   24.0 /* least side of a strip, which is drawn wider than to scale */
#define LARGEST_CELL 24.0
#define LEAST_MARK   2.0
#define MARGIN       46.0 /* room for numbers of columns */
#define TOP          106.0
#define BOTTOM       40.0
#define GAP          10.0
#define LABEL        15.0 /* height of a line above each panel */
#define FONT         10.0
#define DIGIT        5.7 /* width of a digit at that size */

typedef struct layout {
    svg_frame part; /* what every panel shows, and its size */
    size_t across, down;
    double step_x, step_y;
} layout;

void svg_event_free(svg_event *event)
{
    free(event->pixels);
    free(event->modules);
    *event = (svg_event){0};
}

static int by_digis(const void *a, const void *b)
{
    const svg_module *p = a, *q = b;
    if (p->n != q->n)
        return p->n > q->n ? -1 : 1;
    return p->module < q->module ? -1 : p->module > q->module;
}

static int by_id(const void *a, const void *b)
{
    const svg_module *p = a, *q = b;
    return p->module < q->module ? -1 : p->module > q->module;
}

/* Moves the modules to draw to the front; returns their number. */
static size_t choose_modules(svg_event *event)
{
    if (event->n_modules <= MOST_PANELS)
        return event->n_modules;
    qsort(event->modules, event->n_modules, sizeof(*event->modules), by_digis);
    qsort(event->modules, MOST_PANELS, sizeof(*event->modules), by_id);
    return MOST_PANELS;
}

static size_t digits(uint64_t number)
{
    return (size_t)snprintf(NULL, 0, "%llu", (unsigned long long)number);
}

/* Returns page units for each pixel if `across` panels are side by side. */
static double room(const layout *l, size_t n, size_t across, double label)
{
    double nx = l->part.x_max - l->part.x_min + 1.0, ny = l->part.y_max - l->part.y_min + 1.0;
    size_t down = (n + across - 1) / across;
    double width = PAGE_WIDTH / (double)across - GAP;
    double height = PAGE_HEIGHT / (double)down - GAP - LABEL;
    if (width < label)
        return 0.0;
    return fmin(width / nx, height / ny);
}

/* Chooses the number of panels side by side for which they are largest. */
static void lay_out(const svg_event *event, size_t n, layout *l)
{
    svg_frame *f = &l->part;
    double nx = f->x_max - f->x_min + 1.0, ny = f->y_max - f->y_min + 1.0;
    size_t longest = 1;
    for (size_t k = 0; k < n; k++)
        longest =
            digits(event->modules[k].module) > longest ? digits(event->modules[k].module) : longest;
    double label = (double)longest * DIGIT, scale = 0.0;
    l->across = 1;
    for (size_t across = 1; across <= n; across++)
        if (room(l, n, across, label) > scale) {
            scale = room(l, n, across, label);
            l->across = across;
        }
    l->down = n ? (n + l->across - 1) / l->across : 0;
    scale = fmin(fmin(scale, LARGEST_CELL), LARGEST_SIDE / fmax(nx, ny));
    f->x_scale = fmax(scale, LEAST_SIDE / nx);
    f->y_scale = fmax(scale, LEAST_SIDE / ny);
    f->least_mark = LEAST_MARK;
    f->width = nx * f->x_scale;
    f->height = ny * f->y_scale;
    l->step_x = fmax(f->width, label) + GAP;
    l->step_y = f->height + LABEL + GAP;
}

static size_t count_dropped(const svg_module *module)
{
    size_t dropped = 0;
    for (size_t i = 0; i < module->n; i++)
        dropped += module->pixels[i].cluster < 0;
    return dropped;
}

static void draw_title(out_file *out, const svg_event *event, size_t drawn)
{
    size_t clusters = 0, left_out = 0;
    for (size_t k = 0; k < event->n_modules; k++) {
        clusters += event->modules[k].n_clusters;
        left_out += k < drawn ? 0 : event->modules[k].n;
    }
    out_print(out, "<text class=\"title\" x=\"%g\" y=\"28\" font-size=\"18\">", MARGIN);
    out_print(out, "Event %llu: %zu digi%s, %zu cluster%s in %zu module%s</text>\n",
              (unsigned long long)event->event, event->n, tool_plural(event->n), clusters,
              tool_plural(clusters), event->n_modules, tool_plural(event->n_modules));
    if (drawn < event->n_modules)
        out_print(out,
                  "<text class=\"left-out\" x=\"%g\" y=\"86\">The %zu modules with the most digis "
                  "are drawn; %zu with %zu digi%s are left out.</text>\n",
                  MARGIN, drawn, event->n_modules - drawn, left_out, tool_plural(left_out));
}

static void draw_subtitle(out_file *out, const svg_event *event, const layout *l)
{
    const svg_frame *f = &l->part;
    out_print(
        out,
        "<text class=\"subtitle\" x=\"%g\" y=\"50\" fill=\"#444\">"
        "%u x %u pixels; a panel for each module, under its id, shows x (row) %u to %u to the "
        "right, y (column) %u to %u upwards",
        MARGIN, event->rows, event->columns, f->x_min, f->x_max, f->y_min, f->y_max);
    if (f->x_scale > f->y_scale || f->x_scale < f->y_scale)
        out_text(out, ", axes not to the same scale");
    out_text(out, ".</text>\n");
}

/* The legend is on a line of its own: with the other text, the line could be wider than the page.
 * Modules that are left out have no grey pixels in the picture. */
static void draw_legend(out_file *out, const svg_event *event, size_t drawn)
{
    size_t dropped = 0;
    for (size_t k = 0; k < drawn; k++)
        dropped += count_dropped(&event->modules[k]);
    out_print(out, "<text class=\"legend\" x=\"%g\" y=\"68\" fill=\"#444\">", MARGIN);
    out_text(out, "Colours tell neighbours apart and repeat");
    if (dropped)
        out_print(out, "; grey: %zu dropped digi%s", dropped, tool_plural(dropped));
    out_text(out, ".</text>\n");
}

/* Draws the ends of the axes at the outer panels only. */
static void draw_ends(out_file *out, const svg_frame *f, bool left, bool lowest)
{
    double bottom = f->top + f->height;
    if (left) {
        out_print(out, "<text class=\"end\" x=\"%.6g\" y=\"%.6g\" text-anchor=\"end\">%u</text>",
                  f->left - 4.0, bottom, f->y_min);
        out_print(out, "<text class=\"end\" x=\"%.6g\" y=\"%.6g\" text-anchor=\"end\">%u</text>\n",
                  f->left - 4.0, f->top + 8.0, f->y_max);
    }
    bool both = (double)(digits(f->x_min) + digits(f->x_max) + 1) * DIGIT <= f->width;
    if (lowest && both)
        out_print(out, "<text class=\"end\" x=\"%.6g\" y=\"%.6g\">%u</text>", f->left,
                  bottom + 11.0, f->x_min);
    if (lowest)
        out_print(out, "<text class=\"end\" x=\"%.6g\" y=\"%.6g\" text-anchor=\"end\">%u</text>\n",
                  f->left + f->width, bottom + 11.0, f->x_max);
}

/* Returns false when memory is exhausted. */
static bool draw_panel(out_file *out, svg_module *m, const svg_frame *f)
{
    size_t dropped = count_dropped(m);
    svg_sort(m);
    uint8_t *colours = svg_choose_colours(m);
    out_print(out, "<g class=\"panel\"><title>module %llu: %zu digi%s, %zu cluster%s",
              (unsigned long long)m->module, m->n, tool_plural(m->n), m->n_clusters,
              tool_plural(m->n_clusters));
    if (dropped)
        out_print(out, ", %zu dropped", dropped);
    out_print(out, "</title>\n<text class=\"module\" x=\"%.6g\" y=\"%.6g\">%llu</text>\n", f->left,
              f->top - 3.0, (unsigned long long)m->module);
    out_print(out,
              "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\" fill=\"#f4f4f4\"/>\n",
              f->left, f->top, f->width, f->height);
    bool good = colours && svg_draw_clusters(out, m, f, colours);
    out_print(out,
              "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\" fill=\"none\" "
              "stroke=\"#888\" stroke-width=\"0.7\"/>\n</g>\n",
              f->left, f->top, f->width, f->height);
    free(colours);
    return good;
}

int svg_draw_event(out_file *out, svg_event *event)
{
    size_t drawn = choose_modules(event);
    svg_module all = {
        .rows = event->rows, .columns = event->columns, .n = event->n, .pixels = event->pixels};
    layout l = {0};
    bool good = true;
    if (event->n)
        svg_choose_part(&all, &l.part);
    lay_out(event, drawn, &l);
    svg_begin(out, fmax(MARGIN + (double)l.across * l.step_x + GAP, 1180.0),
              TOP + LABEL + (double)l.down * l.step_y + BOTTOM);
    draw_title(out, event, drawn);
    if (drawn) {
        draw_subtitle(out, event, &l);
        draw_legend(out, event, drawn);
    }
    out_print(out, "<g font-size=\"%g\">\n", FONT);
    for (size_t k = 0; k < drawn && good; k++) {
        svg_frame f = l.part;
        f.left = MARGIN + (double)(k % l.across) * l.step_x;
        f.top = TOP + LABEL + (double)(k / l.across) * l.step_y;
        good = draw_panel(out, &event->modules[k], &f);
        draw_ends(out, &f, k % l.across == 0, k + l.across >= drawn);
    }
    out_text(out, "</g>\n</svg>\n");
    return good ? TOOL_GO_ON : tool_fail(TOOL_OUTPUT, "out of memory for the picture");
}
