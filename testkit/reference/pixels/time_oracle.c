/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/pixels/time_oracle.h"
#include "testkit/reference/pixels/oracle.h"
#include "testkit/reference/pixels/union_find.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* A hit in the order of (t, module, y, x). */
typedef struct entry {
    int64_t t;
    uint32_t module, x, y, hit;
    uint32_t last; /* last hit of a root */
} entry;

mote_status mote_oracle_time_error(const mote_time_hits *h, uint32_t *index)
{
    for (uint32_t i = 0; i < h->n; i++) {
        *index = i;
        if (h->module[i] >= h->n_modules)
            return MOTE_ERROR_MODULE;
    }
    for (uint32_t i = 0; i < h->n; i++) {
        *index = i;
        if (h->x[i] >= h->rows || h->y[i] >= h->columns)
            return MOTE_ERROR_COORDINATE;
    }
    return MOTE_SUCCESS;
}

static int compare(const void *a, const void *b)
{
    const entry *p = a, *q = b;

    if (p->t != q->t)
        return p->t < q->t ? -1 : 1;
    if (p->module != q->module)
        return p->module < q->module ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

static bool in_window(const entry *early, const entry *late, int64_t window)
{
    return (uint64_t)late->t - (uint64_t)early->t <= (uint64_t)window;
}

static void join_pairs(const mote_time_hits *h, const entry *e, uint32_t *parent)
{
    for (uint32_t i = 0; i < h->n; i++)
        for (uint32_t j = 0; j < i; j++)
            if (e[i].module == e[j].module && abs((int)e[i].x - (int)e[j].x) <= (int)h->radius &&
                abs((int)e[i].y - (int)e[j].y) <= (int)h->radius &&
                in_window(&e[j], &e[i], h->window))
                join(parent, i, j);
}

static size_t pixel_of(const mote_time_hits *h, uint32_t module, size_t x, size_t y)
{
    return ((size_t)module * h->columns + y) * h->rows + x;
}

static bool join_latest(const mote_time_hits *h, const entry *e, uint32_t *parent)
{
    size_t pixels = (size_t)h->n_modules * h->rows * h->columns;
    uint32_t *latest = malloc(pixels * sizeof(*latest));

    for (size_t k = 0; latest && k < pixels; k++)
        latest[k] = NONE;
    for (uint32_t i = 0; latest && i < h->n; i++) {
        const entry *a = &e[i];
        size_t x0 = a->x < h->radius ? 0 : a->x - h->radius, x1 = a->x + h->radius;
        size_t y0 = a->y < h->radius ? 0 : a->y - h->radius, y1 = a->y + h->radius;

        for (size_t y = y0; y <= y1 && y < h->columns; y++)
            for (size_t x = x0; x <= x1 && x < h->rows; x++) {
                uint32_t j = latest[pixel_of(h, a->module, x, y)];

                if (j != NONE && in_window(&e[j], a, h->window))
                    join(parent, i, j);
            }
        latest[pixel_of(h, a->module, a->x, a->y)] = i;
    }
    free(latest);
    return latest != NULL;
}

/* Numbers the closed clusters in the order of their roots, and adds up their hits. */
static void number(const mote_time_hits *h, entry *e, uint32_t *parent, mote_time_clusters *c)
{
    for (uint32_t i = 0; i < h->n; i++)
        e[root_of(parent, i)].last = i;
    c->count = 0;
    for (uint32_t i = 0; i < h->n; i++) {
        uint32_t root = root_of(parent, i), hit = e[i].hit;
        int64_t last = e[e[root].last].t;
        bool open = h->streaming && (last >= h->complete ||
                                     (uint64_t)h->complete - (uint64_t)last <= (uint64_t)h->window);

        if (!open && root == i) {
            c->records[c->count] = mote_pixels_record_empty;
            c->module[c->count] = e[i].module;
            c->first[c->count] = e[i].t;
            c->last[c->count] = last;
            c->label[hit] = (int32_t)c->count++;
        } else {
            c->label[hit] = open ? -1 : c->label[e[root].hit];
        }
        if (!open)
            mote_pixels_record_add(&c->records[c->label[hit]], e[i].x, e[i].y, h->charge[hit], hit);
    }
}

bool mote_oracle_time(const mote_time_hits *h, mote_time_clusters *c)
{
    entry *e = malloc((h->n + 1) * sizeof(*e));
    uint32_t *parent = malloc((h->n + 1) * sizeof(*parent));
    bool good = e && parent;

    for (uint32_t i = 0; good && i < h->n; i++)
        e[i] = (entry){h->t[i], h->module[i], h->x[i], h->y[i], i, 0};
    if (good)
        qsort(e, h->n, sizeof(*e), compare);
    for (uint32_t i = 0; good && i < h->n; i++)
        parent[i] = i;
    if (good && h->n <= MOTE_TIME_PAIRS)
        join_pairs(h, e, parent);
    else if (good)
        good = join_latest(h, e, parent);
    if (good)
        number(h, e, parent, c);
    free(e);
    free(parent);
    return good;
}
