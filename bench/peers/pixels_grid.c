/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdlib.h>

#include "bench/peers/pixels.h"

#define EMPTY    (-1)
#define REPEATED (-2)
#define PARTS    32 /* parts of an event, which cores share */

typedef struct grid {
    const mote_pixels_native *event;
    /* Columns x rows: the digi at a pixel, EMPTY or REPEATED; EMPTY between modules. */
    int32_t *cell;
    int32_t *parent;
    int32_t *label;
    uint64_t *charge;
    int32_t *number;
} grid;

static bool invalid(const grid *g, size_t i)
{
    return g->event->module_id[i] == g->event->invalid_module_id;
}

static int32_t *cell_of(const grid *g, size_t i)
{
    return &g->cell[(size_t)g->event->y[i] * g->event->rows + g->event->x[i]];
}

static int32_t root_of(int32_t *parent, int32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void join(grid *g, int32_t a, int32_t b)
{
    if (b < 0)
        return;
    a = root_of(g->parent, a);
    b = root_of(g->parent, b);
    if (a < b)
        g->parent[b] = a;
    else
        g->parent[a] = b;
}

/* Visits neighbours before the pixel in (y, x) order, so that every pair is visited once. */
static void join_neighbours(grid *g, size_t i)
{
    uint32_t x = g->event->x[i], rows = g->event->rows;
    const int32_t *cell = cell_of(g, i);
    bool low = x > 0, high = x + 1 < rows;

    if (low)
        join(g, (int32_t)i, cell[-1]);
    if (g->event->y[i] == 0)
        return;
    const int32_t *before = cell - rows;

    join(g, (int32_t)i, before[0]);
    if (low)
        join(g, (int32_t)i, before[-1]);
    if (high)
        join(g, (int32_t)i, before[1]);
}

static void place(grid *g, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
        g->parent[i] = (int32_t)i;
        if (invalid(g, i))
            continue;
        int32_t *cell = cell_of(g, i);

        *cell = *cell == EMPTY ? (int32_t)i : REPEATED;
    }
}

static uint32_t run_module(grid *g, size_t first, size_t last)
{
    int32_t clusters = 0;

    place(g, first, last);
    for (size_t i = first; i < last; i++)
        if (!invalid(g, i) && *cell_of(g, i) == (int32_t)i)
            join_neighbours(g, i);
    /* The root is the first digi of its cluster, so its number exists before it is read. */
    for (size_t i = first; i < last; i++) {
        if (invalid(g, i) || *cell_of(g, i) != (int32_t)i) {
            g->label[i] = -1;
            continue;
        }
        int32_t root = root_of(g->parent, (int32_t)i);

        g->label[i] = root == (int32_t)i ? clusters++ : g->label[root];
    }
    for (size_t i = first; i < last; i++)
        if (!invalid(g, i))
            *cell_of(g, i) = EMPTY;
    return mote_peer_pixels_cut(g->event, first, last, (uint32_t)clusters, g->label, g->charge,
                                g->number);
}

/* Clusters the modules that begin at digis first .. last - 1. */
static size_t run_part(grid *g, size_t first, size_t last, uint32_t *n_clusters)
{
    size_t total = 0;

    for (size_t i = first; i < last;) {
        if (invalid(g, i)) {
            g->label[i++] = -1;
            continue;
        }
        size_t end = mote_peer_pixels_end(g->event, i);
        uint32_t clusters = run_module(g, i, end);

        n_clusters[g->event->module_id[i]] = clusters;
        total += clusters;
        i = end;
    }
    return total;
}

static bool grid_create(grid *g, const mote_pixels_native *event, int32_t *cluster_id)
{
    size_t n = event->n + 1, cells = (size_t)event->rows * event->columns;

    *g = (grid){
        .event = event,
        .cell = malloc(cells * sizeof(int32_t)),
        .parent = malloc(n * sizeof(int32_t)),
        .label = cluster_id,
        .charge = malloc(n * sizeof(uint64_t)),
        .number = malloc(n * sizeof(int32_t)),
    };
    for (size_t i = 0; g->cell && i < cells; i++)
        g->cell[i] = EMPTY;
    return g->cell && g->parent && g->charge && g->number;
}

static void grid_free(grid *g)
{
    free(g->cell);
    free(g->parent);
    free(g->charge);
    free(g->number);
}

size_t mote_peer_pixels_grid(const mote_pixels_native *event, int32_t *cluster_id,
                             uint32_t *n_clusters)
{
    grid g;
    size_t total = SIZE_MAX;

    if (grid_create(&g, event, cluster_id))
        total = run_part(&g, 0, event->n, n_clusters);
    grid_free(&g);
    return total;
}

/* Returns the beginning of the first module that begins at digi i or later. */
static size_t module_from(const mote_pixels_native *event, size_t i)
{
    uint16_t invalid_id = event->invalid_module_id, before = invalid_id;

    for (size_t k = i; k > 0 && before == invalid_id; k--)
        before = event->module_id[k - 1];
    if (before == invalid_id)
        return i;
    while (i < event->n && (event->module_id[i] == before || event->module_id[i] == invalid_id))
        i++;
    return i;
}

size_t mote_peer_pixels_grid_omp(const mote_pixels_native *event, int32_t *cluster_id,
                                 uint32_t *n_clusters)
{
    size_t total = 0;
    bool failed = false;

#pragma omp parallel reduction(+ : total) reduction(|| : failed)
    {
        grid g;

        failed = !grid_create(&g, event, cluster_id);
#pragma omp for schedule(dynamic, 1)
        for (size_t part = 0; part < PARTS; part++) {
            size_t first = part ? module_from(event, event->n * part / PARTS) : 0;
            size_t last = module_from(event, event->n * (part + 1) / PARTS);

            if (!failed)
                total += run_part(&g, first, last, n_clusters);
        }
        grid_free(&g);
    }
    return failed ? SIZE_MAX : total;
}
