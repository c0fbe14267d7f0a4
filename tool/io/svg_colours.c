/* SPDX-License-Identifier: Apache-2.0 */
#include "svg_inner.h"

#include <stdlib.h>

#define REACH 3 /* pixels between clusters that should differ in colour */

typedef struct edge {
    int32_t later, earlier; /* clusters */
} edge;

typedef struct edge_list {
    edge *edges;
    size_t n, reserved;
} edge_list;

static bool add_edge(edge_list *list, int32_t a, int32_t b)
{
    if (list->n == list->reserved) {
        size_t count = list->reserved ? 2 * list->reserved : 1024;
        edge *more = realloc(list->edges, count * sizeof(*more));
        if (!more)
            return false;
        list->edges = more;
        list->reserved = count;
    }
    list->edges[list->n++] = a > b ? (edge){a, b} : (edge){b, a};
    return true;
}

/* Returns the first pixel at or after (y, x) in the sorted list. */
static size_t lower_bound(const svg_module *module, long y, long x)
{
    size_t low = 0, high = module->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const svg_pixel *p = &module->pixels[middle];
        if (p->y < y || (p->y == y && p->x < x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool collect_edges(const svg_module *module, edge_list *list)
{
    for (size_t i = 0; i < module->n; i++) {
        const svg_pixel *p = &module->pixels[i];
        for (long dy = 0; dy <= REACH && p->cluster >= 0; dy++) {
            long x = dy ? (long)p->x - REACH : (long)p->x + 1;
            size_t j = lower_bound(module, p->y + dy, x);
            for (; j < module->n; j++) {
                const svg_pixel *q = &module->pixels[j];
                if (q->y != p->y + dy || q->x > p->x + REACH)
                    break;
                if (q->cluster >= 0 && q->cluster != p->cluster &&
                    !add_edge(list, p->cluster, q->cluster))
                    return false;
            }
        }
    }
    return true;
}

static int by_later(const void *a, const void *b)
{
    const edge *p = a, *q = b;
    if (p->later != q->later)
        return p->later < q->later ? -1 : 1;
    return p->earlier < q->earlier ? -1 : p->earlier > q->earlier;
}

/* Returns the colour that the fewest neighbours have; the search begins at a different colour for
 * each cluster. */
static uint8_t least_used(const size_t *used, size_t cluster)
{
    size_t best = cluster % SVG_COLOURS;
    for (size_t k = 1; k < SVG_COLOURS; k++) {
        size_t colour = (cluster + k) % SVG_COLOURS;
        if (used[colour] < used[best])
            best = colour;
    }
    return (uint8_t)best;
}

uint8_t *svg_choose_colours(const svg_module *module)
{
    uint8_t *colours = malloc(module->n_clusters + 1);
    edge_list list = {0};
    if (!colours || !collect_edges(module, &list)) {
        free(list.edges);
        free(colours);
        return NULL;
    }
    if (list.n)
        qsort(list.edges, list.n, sizeof(*list.edges), by_later);
    size_t at = 0;
    for (size_t cluster = 0; cluster < module->n_clusters; cluster++) {
        size_t used[SVG_COLOURS] = {0};
        for (; at < list.n && (size_t)list.edges[at].later == cluster; at++)
            used[colours[list.edges[at].earlier]]++;
        colours[cluster] = least_used(used, cluster);
    }
    free(list.edges);
    return colours;
}
