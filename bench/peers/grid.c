/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/grid.h"

#include <math.h>
#include <stdlib.h>

static size_t place(double x, double side, size_t cells)
{
    double turns = x / side;
    size_t k = (size_t)((turns - floor(turns)) * (double)cells);

    return k < cells ? k : cells - 1;
}

static size_t cell_of(const mote_peer_grid *g, const mote_coordination_native *in, size_t atom)
{
    double x[3];

    for (size_t k = 0; k < 3; k++)
        x[k] =
            in->positions64 ? in->positions64[3 * atom + k] : (double)in->positions32[3 * atom + k];
    return (place(x[0], in->side, g->side) * g->side + place(x[1], in->side, g->side)) * g->side +
           place(x[2], in->side, g->side);
}

bool mote_peer_grid_make(mote_peer_grid *g, const mote_coordination_native *in)
{
    size_t side = (size_t)(in->side / in->d_max);
    uint32_t *cell = malloc(in->n * sizeof(*cell) + 1);

    side = side < 4 ? 1 : side;
    *g = (mote_peer_grid){.side = side, .count = side * side * side};
    g->start = calloc(g->count + 2, sizeof(*g->start));
    g->order = malloc(in->n * sizeof(*g->order) + 1);
    bool good = cell && g->start && g->order;

    /* Starts are shifted by one element, so that filling the cells leaves each start at its
     * index. */
    for (size_t i = 0; good && i < in->n; i++) {
        cell[i] = (uint32_t)cell_of(g, in, i);
        g->start[cell[i] + 2]++;
    }
    for (size_t k = 2; good && k < g->count + 2; k++)
        g->start[k] += g->start[k - 1];
    for (size_t i = 0; good && i < in->n; i++)
        g->order[g->start[cell[i] + 1]++] = (uint32_t)i;
    free(cell);
    return good;
}

void mote_peer_grid_free(mote_peer_grid *g)
{
    free(g->start);
    free(g->order);
    *g = (mote_peer_grid){0};
}

static void add_run(const mote_peer_grid *g, size_t first, size_t last, mote_peer_run *runs,
                    size_t *count)
{
    runs[(*count)++] = (mote_peer_run){g->start[first], g->start[last + 1]};
}

/* Adds the cells from z - 1 to z + 1 of a column, across the end of the box. */
static void add_column(const mote_peer_grid *g, size_t column, size_t z, mote_peer_run *runs,
                       size_t *count)
{
    size_t first = column * g->side, top = first + g->side - 1;

    if (z == 0) {
        add_run(g, first, first + 1, runs, count);
        add_run(g, top, top, runs, count);
    } else if (z + 1 == g->side) {
        add_run(g, first, first, runs, count);
        add_run(g, top - 1, top, runs, count);
    } else {
        add_run(g, first + z - 1, first + z + 1, runs, count);
    }
}

size_t mote_peer_grid_later(const mote_peer_grid *g, size_t cell,
                            mote_peer_run runs[MOTE_PEER_MOST_RUNS])
{
    size_t side = g->side, z = cell % side, y = cell / side % side, x = cell / side / side;
    size_t count = 0, up = (x + 1) % side;

    if (side == 1)
        return 0;
    size_t next = cell - z + (z + 1) % side;

    add_run(g, next, next, runs, &count);
    add_column(g, x * side + (y + 1) % side, z, runs, &count);
    for (size_t k = 0; k < 3; k++)
        add_column(g, up * side + (y + side - 1 + k) % side, z, runs, &count);
    return count;
}
