/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the pixels of a cluster, and adds them up in the order that the header states. */
#include "testkit/reference/pixels/measure_oracle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "testkit/cases/pixels/decode.h"

#define BLOCK 8 /* digis */

typedef struct pixel {
    size_t block;
    double weight, centre[2], width[2];
} pixel;

static double usual(float a)
{
    return fabsf(a) < FLT_MIN ? 0.0 : (double)a;
}

static void place(const mote_measure_edges *edges, uint32_t design, uint32_t at, double *centre,
                  double *width)
{
    *centre = at;
    *width = 1.0;
    if (!edges->offsets)
        return;
    const float *own = edges->edges + edges->offsets[design];
    *centre = (usual(own[at]) + usual(own[at + 1])) / 2.0;
    *width = usual(own[at + 1]) - usual(own[at]);
}

/* Returns the number of pixels. */
static size_t list_pixels(const mote_measure_task *t, size_t k, pixel *pixels)
{
    const mote_digis *d = t->digis;
    size_t count = 0;

    for (size_t at = t->offsets[k], next; at < t->offsets[k + 1]; at = next) {
        uint32_t first = t->list[at], module = d->module_id[first];
        uint32_t design = t->design ? t->design[module] : 0;
        uint64_t charge = 0;

        for (next = at; next < t->offsets[k + 1]; next++) {
            uint32_t digi = t->list[next];
            uint64_t copy = mote_case_charge(d, t->options, digi);
            if (d->x[digi] != d->x[first] || d->y[digi] != d->y[first])
                break;
            if (t->options->duplicates != MOTE_DUPLICATES_MAX)
                charge += copy;
            else if (copy > charge)
                charge = copy;
        }
        pixel *p = &pixels[count++];
        p->block = (at - t->offsets[k]) / BLOCK;
        p->weight = (double)charge;
        place(&t->rows, design, d->x[first], &p->centre[0], &p->width[0]);
        place(&t->columns, design, d->y[first], &p->centre[1], &p->width[1]);
    }
    return count;
}

/* Sums of w, w u and w q along one axis, with distances u from the first pixel. Statements contain
 * one operation each, so that no compiler fuses two. */
typedef struct sums {
    volatile double w, u, q;
} sums;

static void add(sums *to, const sums *more)
{
    to->w = to->w + more->w;
    to->u = to->u + more->u;
    to->q = to->q + more->q;
}

static void add_pixel(sums *to, const pixel *p, int axis, double reference, bool widths)
{
    volatile double distance = p->centre[axis] - reference;
    volatile double own = p->width[axis] * p->width[axis];
    volatile double square = distance * distance;

    if (widths) {
        square = 12.0 * square;
        square = square + own;
    }
    square = p->weight * square;
    distance = p->weight * distance;
    const sums one = {p->weight, distance, square};
    add(to, &one);
}

/* Adds up the pixels of each block, and then the blocks in pairs, in place. */
static sums add_up(const pixel *pixels, size_t count, int axis, bool widths, sums *blocks,
                   size_t n_blocks)
{
    for (size_t k = 0; k < n_blocks; k++)
        blocks[k] = (sums){0, 0, 0};
    for (size_t i = 0; i < count; i++)
        add_pixel(&blocks[pixels[i].block], &pixels[i], axis, pixels[0].centre[axis], widths);
    for (; n_blocks > 1; n_blocks = (n_blocks + 1) / 2)
        for (size_t k = 0; 2 * k < n_blocks; k++) {
            blocks[k] = blocks[2 * k];
            if (2 * k + 1 < n_blocks)
                add(&blocks[k], &blocks[2 * k + 1]);
        }
    return blocks[0];
}

static void form(bool widths, const pixel *first, const sums *s, int axis, const float *shift,
                 float *position, float *variance)
{
    volatile double mean = s->u / s->w, square = mean * mean, own = s->q;

    if (widths)
        own = own / 12.0;
    own = own / s->w;
    own = own - square;
    *variance = own < 0.0 ? 0.0f : (float)usual((float)own);
    mean = first->centre[axis] + mean;
    if (shift)
        mean = mean + usual(*shift);
    *position = (float)usual((float)mean);
}

/* Replaces a variance by the one that a table has for a size. */
static void look_up(const mote_measure_task *t, uint32_t module, int axis, uint32_t size,
                    float *variance)
{
    const uint32_t design = t->design ? t->design[module] : 0, most = t->var_sizes[axis];

    if (t->var_table[axis])
        *variance = (float)usual(
            t->var_table[axis][(size_t)design * most + (size < most ? size : most) - 1]);
}

bool mote_oracle_measure(const mote_measure_task *t, size_t k, mote_measurement *result)
{
    const mote_digis *d = t->digis;
    size_t begin = t->offsets[k], end = t->offsets[k + 1];
    uint32_t low[2] = {UINT32_MAX, UINT32_MAX}, high[2] = {0, 0};
    double charge = 0;

    *result = (mote_measurement){0};
    if (begin == end)
        return true;
    const size_t n_blocks = (end - begin + BLOCK - 1) / BLOCK;
    pixel *pixels = malloc((end - begin) * sizeof(*pixels));
    sums *blocks = malloc(n_blocks * sizeof(*blocks));
    if (!pixels || !blocks) {
        free(pixels);
        free(blocks);
        return false;
    }
    size_t count = list_pixels(t, k, pixels);
    uint32_t module = d->module_id[t->list[begin]];

    for (size_t i = 0; i < count; i++)
        charge += pixels[i].weight;
    for (size_t i = 0; i < count; i++)
        if (charge == 0 || t->options->weight == MOTE_PIXELS_WEIGHT_NONE)
            pixels[i].weight = 1.0;
    for (size_t at = begin; at < end; at++) {
        const uint32_t xy[2] = {d->x[t->list[at]], d->y[t->list[at]]};
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = xy[axis] < low[axis] ? xy[axis] : low[axis];
            high[axis] = xy[axis] > high[axis] ? xy[axis] : high[axis];
        }
    }
    for (int axis = 0; axis < 2; axis++) {
        const float *shift = axis ? t->shift_y : t->shift_x;
        const sums all = add_up(pixels, count, axis, t->widths, blocks, n_blocks);
        form(t->widths, pixels, &all, axis, shift ? shift + module : NULL,
             axis ? &result->y : &result->x, axis ? &result->y_var : &result->x_var);
    }
    result->module = module;
    result->rows = high[0] - low[0] + 1;
    result->columns = high[1] - low[1] + 1;
    look_up(t, module, 0, result->rows, &result->x_var);
    look_up(t, module, 1, result->columns, &result->y_var);
    free(pixels);
    free(blocks);
    return true;
}
