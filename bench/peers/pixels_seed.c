/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/pixels.h"

/* Without repeats, an 8-connected pixel has at most 5 later neighbours. */
#define MOST_NEIGHBOURS 10

typedef struct seed {
    const mote_pixels_native *event;
    uint32_t *status;  /* two bits per pixel: empty, found, repeated */
    uint32_t *offsets; /* beginnings of the columns in `content` */
    uint32_t *content; /* digis by column */
    uint32_t (*neighbours)[MOST_NEIGHBOURS];
    uint8_t *n_neighbours;
    uint64_t *charge;
    int32_t *number;
    int32_t *label;
} seed;

static bool invalid(const seed *s, size_t i)
{
    return s->event->module_id[i] == s->event->invalid_module_id;
}

static size_t pixel_of(const seed *s, size_t i)
{
    return (size_t)s->event->y[i] * s->event->rows + s->event->x[i];
}

/* Marks the digis to ignore (label -1): invalid ones and all copies of a repeated pixel. */
static void mark(seed *s, size_t first, size_t last)
{
    memset(s->status, 0, ((size_t)s->event->rows * s->event->columns / 16 + 1) * sizeof(uint32_t));
    for (size_t i = first; i < last; i++) {
        if (invalid(s, i))
            continue;
        size_t pixel = pixel_of(s, i);
        uint32_t shift = (uint32_t)(pixel % 16) * 2;
        uint32_t old = s->status[pixel / 16] >> shift & 3u;

        s->status[pixel / 16] |= (old ? 3u : 1u) << shift;
    }
    for (size_t i = first; i < last; i++) {
        size_t pixel = invalid(s, i) ? 0 : pixel_of(s, i);
        bool repeated = (s->status[pixel / 16] >> (pixel % 16 * 2) & 3u) == 3u;

        s->label[i] = invalid(s, i) || repeated ? -1 : (int32_t)i;
    }
}

static void build_histogram(seed *s, size_t first, size_t last)
{
    uint32_t columns = s->event->columns;

    memset(s->offsets, 0, (columns + 2) * sizeof(uint32_t));
    for (size_t i = first; i < last; i++)
        if (s->label[i] >= 0)
            s->offsets[s->event->y[i] + 1]++;
    for (uint32_t y = 0; y < columns; y++)
        s->offsets[y + 1] += s->offsets[y];
    /* The array is filled from the end, so that each offset becomes the beginning of its column. */
    for (size_t i = first; i < last; i++)
        if (s->label[i] >= 0)
            s->content[--s->offsets[s->event->y[i] + 1]] = (uint32_t)i;
    memmove(s->offsets, s->offsets + 1, columns * sizeof(uint32_t));
}

static void find_neighbours(seed *s, uint32_t total)
{
    const uint16_t *x = s->event->x, *y = s->event->y;

    for (uint32_t j = 0; j < total; j++) {
        uint32_t i = s->content[j], column = y[i];
        uint32_t end = column + 2 < s->event->columns ? s->offsets[column + 2] : total;
        uint8_t n = 0;

        for (uint32_t k = j + 1; k < end; k++) {
            int32_t distance = (int32_t)x[s->content[k]] - (int32_t)x[i];

            if (distance >= -1 && distance <= 1 && n < MOST_NEIGHBOURS)
                s->neighbours[j][n++] = s->content[k];
        }
        s->n_neighbours[j] = n;
    }
}

static bool take_least(int32_t *a, int32_t *b)
{
    if (*a == *b)
        return false;
    int32_t least = *a < *b ? *a : *b;

    *a = *b = least;
    return true;
}

/* Labels propagate until each is the least of its cluster; every second round follows chains to
 * their ends. */
static void propagate(seed *s, uint32_t total)
{
    bool more = true;

    for (unsigned turn = 0; more; turn++) {
        if (turn % 2) {
            for (uint32_t j = 0; j < total; j++) {
                int32_t m = s->label[s->content[j]];

                while (m != s->label[m])
                    m = s->label[m];
                s->label[s->content[j]] = m;
            }
            continue;
        }
        more = false;
        for (uint32_t j = 0; j < total; j++)
            for (uint8_t k = 0; k < s->n_neighbours[j]; k++)
                more = take_least(&s->label[s->content[j]], &s->label[s->neighbours[j][k]]) || more;
    }
}

/* Roots get numbers from -2 downwards, members copy them, then the sign is changed. */
static uint32_t renumber(seed *s, size_t first, size_t last)
{
    int32_t clusters = 0;

    for (size_t i = first; i < last; i++)
        if (s->label[i] == (int32_t)i)
            s->label[i] = -2 - clusters++;
    for (size_t i = first; i < last; i++)
        if (s->label[i] >= 0)
            s->label[i] = s->label[s->label[i]];
    for (size_t i = first; i < last; i++)
        s->label[i] = s->label[i] == -1 ? -1 : -2 - s->label[i];
    return (uint32_t)clusters;
}

static size_t run_module(seed *s, size_t first, size_t last, uint32_t *n_clusters)
{
    uint32_t module = s->event->module_id[first];

    mark(s, first, last);
    build_histogram(s, first, last);
    uint32_t total = 0;

    for (size_t i = first; i < last; i++)
        total += s->label[i] >= 0;
    find_neighbours(s, total);
    propagate(s, total);
    uint32_t clusters = renumber(s, first, last);

    n_clusters[module] =
        mote_peer_pixels_cut(s->event, first, last, clusters, s->label, s->charge, s->number);
    return n_clusters[module];
}

static size_t run_event(seed *s, uint32_t *n_clusters)
{
    size_t total = 0;

    for (size_t i = 0; i < s->event->n;) {
        if (invalid(s, i)) {
            s->label[i++] = -1;
            continue;
        }
        size_t end = mote_peer_pixels_end(s->event, i);

        total += run_module(s, i, end, n_clusters);
        i = end;
    }
    return total;
}

size_t mote_peer_pixels_seed(const mote_pixels_native *event, int32_t *cluster_id,
                             uint32_t *n_clusters)
{
    size_t n = event->n + 1, pixels = (size_t)event->rows * event->columns;
    seed s = {
        .event = event,
        .status = malloc((pixels / 16 + 1) * sizeof(uint32_t)),
        .offsets = malloc((event->columns + 2) * sizeof(uint32_t)),
        .content = malloc(n * sizeof(uint32_t)),
        .neighbours = malloc(n * sizeof(uint32_t[MOST_NEIGHBOURS])),
        .n_neighbours = malloc(n),
        .charge = malloc(n * sizeof(uint64_t)),
        .number = malloc(n * sizeof(int32_t)),
        .label = cluster_id,
    };
    size_t total = SIZE_MAX;

    if (s.status && s.offsets && s.content && s.neighbours && s.n_neighbours && s.charge &&
        s.number)
        total = run_event(&s, n_clusters);
    free(s.status);
    free(s.offsets);
    free(s.content);
    free(s.neighbours);
    free(s.n_neighbours);
    free(s.charge);
    free(s.number);
    return total;
}
