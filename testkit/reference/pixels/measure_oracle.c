/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the pixels of a cluster, and adds them up in the order that the header states. */
#include "testkit/reference/pixels/measure_oracle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "testkit/cases/pixels/decode.h"

#define BLOCK 64 /* digis */

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

/* Sums of w, w c, w d^2 and, about a mean, w (c - mean)^2, along one axis. Statements contain one
 * operation each, so that no compiler fuses two. */
typedef struct sums {
    volatile double w, c, d, squares;
} sums;

static sums add_up(const pixel *pixels, size_t count, int axis, double mean)
{
    sums all = {0, 0, 0, 0};

    for (size_t i = 0; i < count;) {
        sums block = {0, 0, 0, 0};
        size_t number = pixels[i].block;

        for (; i < count && pixels[i].block == number; i++) {
            const pixel *p = &pixels[i];
            volatile double distance = p->centre[axis] - mean;
            volatile double c = p->weight * p->centre[axis];
            volatile double d = p->width[axis] * p->width[axis];
            volatile double square = distance * distance;
            d = p->weight * d;
            square = p->weight * square;
            block.w = block.w + p->weight;
            block.c = block.c + c;
            block.d = block.d + d;
            block.squares = block.squares + square;
        }
        all.w = all.w + block.w;
        all.c = all.c + block.c;
        all.d = all.d + block.d;
        all.squares = all.squares + block.squares;
    }
    return all;
}

static void form(const mote_measure_task *t, const pixel *pixels, size_t count, int axis,
                 const float *shift, float *position, float *variance)
{
    sums s = add_up(pixels, count, axis, 0.0);
    volatile double mean = s.c / s.w, own = s.d / 12.0;

    s = add_up(pixels, count, axis, mean);
    if (t->widths)
        s.squares = s.squares + own;
    *variance = (float)usual((float)(s.squares / s.w));
    if (shift)
        mean = mean + usual(*shift);
    *position = (float)usual((float)mean);
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
    pixel *pixels = malloc((end - begin) * sizeof(*pixels));
    if (!pixels)
        return false;
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
    form(t, pixels, count, 0, t->shift_x ? t->shift_x + module : NULL, &result->x, &result->x_var);
    form(t, pixels, count, 1, t->shift_y ? t->shift_y + module : NULL, &result->y, &result->y_var);
    result->module = module;
    result->rows = high[0] - low[0] + 1;
    result->columns = high[1] - low[1] + 1;
    free(pixels);
    return true;
}
