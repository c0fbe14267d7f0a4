/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/coordination/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number of boxes by which the search for images exceeds the cutoff, which is far above
 * rounding errors. */
#define MARGIN 1e-3L

/* Computes the reciprocal vectors of the axes that repeat. The product of a reciprocal vector with
 * a vector of the box is 1 for its own axis, and 0 for the other axes that repeat. */
static void make_reciprocals(const double *box, uint32_t pbc, long double reciprocal[3][3])
{
    long double row[3][3] = {{0}};

    memset(reciprocal, 0, 9 * sizeof(long double));
    for (int axis = 0; axis < 3; axis++) {
        /* The axis's own vector comes last and is orthogonalised against the others, by two passes
         * of the Gram-Schmidt method. */
        int used = 0;
        if (!(pbc >> axis & 1))
            continue;
        for (int turn = 1; turn <= 3; turn++) {
            int other = (axis + turn) % 3;
            if (!(pbc >> other & 1))
                continue;
            long double *v = row[used], length = 0;
            for (int k = 0; k < 3; k++)
                v[k] = (long double)box[3 * other + k];
            for (int repeat = 0; repeat < 2; repeat++)
                for (int u = 0; u < used; u++) {
                    long double along = v[0] * row[u][0] + v[1] * row[u][1] + v[2] * row[u][2];
                    for (int k = 0; k < 3; k++)
                        v[k] -= along * row[u][k];
                }
            for (int k = 0; k < 3; k++)
                length += v[k] * v[k];
            if (other == axis)
                for (int k = 0; k < 3; k++)
                    reciprocal[axis][k] = v[k] / length;
            for (int k = 0; k < 3; k++)
                v[k] /= sqrtl(length);
            used++;
        }
    }
}

void mote_neighbours_heights(const double *box, uint32_t pbc, double *heights)
{
    long double r[3][3];

    make_reciprocals(box, pbc, r);
    for (int k = 0; k < 3; k++) {
        long double square = r[k][0] * r[k][0] + r[k][1] * r[k][1] + r[k][2] * r[k][2];
        heights[k] = square > 0 ? (double)(1 / sqrtl(square)) : 0.0;
    }
}

/* Adds a neighbour. Returns false if memory runs out. */
static bool add(mote_neighbours_result *result, const mote_neighbour *neighbour)
{
    if (result->count == result->room) {
        size_t room = result->room ? 2 * result->room : 1024;
        mote_neighbour *more = realloc(result->neighbours, room * sizeof(*more));
        if (!more)
            return false;
        result->neighbours = more;
        result->room = room;
    }
    result->neighbours[result->count++] = *neighbour;
    return true;
}

static bool is_near(const mote_neighbours_task *t, const double *x, const double *y,
                    mote_neighbour *pair)
{
    double square = 0;

    for (int k = 0; k < 3; k++) {
        double a[3] = {0, 0, 0};
        for (int axis = 0; axis < 3; axis++)
            if (t->pbc >> axis & 1)
                a[axis] = t->box[3 * axis + k];
        if (t->in_float) {
            float difference = (float)y[k] - (float)x[k];
            float first = (float)pair->shift[0] * (float)a[0];
            float second = (float)pair->shift[1] * (float)a[1];
            float third = (float)pair->shift[2] * (float)a[2];
            float image = first + second;
            image = image + third;
            pair->d[k] = (double)(float)(difference + image);
            float own = (float)pair->d[k] * (float)pair->d[k];
            square = (double)(float)((float)square + own);
        } else {
            double image = pair->shift[0] * a[0] + pair->shift[1] * a[1];
            image = image + pair->shift[2] * a[2];
            pair->d[k] = (y[k] - x[k]) + image;
            square = square + pair->d[k] * pair->d[k];
        }
    }
    pair->distance = sqrt(square);
    double limit =
        t->in_float ? (double)((float)t->cutoff * (float)t->cutoff) : t->cutoff * t->cutoff;
    return square < limit;
}

/* Returns whether a pair would be in the list if it were near enough. */
static bool is_listed(const mote_neighbours_task *t, size_t i, const mote_neighbour *pair)
{
    const int32_t *s = pair->shift;
    bool positive = s[0] ? s[0] > 0 : s[1] ? s[1] > 0 : s[2] > 0;

    if (t->other)
        return true;
    if ((int64_t)i == pair->j)
        return t->half ? positive : s[0] || s[1] || s[2];
    return !t->half || (int64_t)i < pair->j;
}

static bool add_images(const mote_neighbours_task *t, long double reciprocal[3][3], size_t i,
                       mote_neighbour *pair, mote_neighbours_result *result)
{
    const double *x = t->positions + 3 * i;
    const double *y = (t->other ? t->other : t->positions) + 3 * pair->j;
    int32_t low[3] = {0}, high[3] = {0};

    for (int axis = 0; axis < 3; axis++) {
        const long double *r = reciprocal[axis];
        long double along = 0,
                    reach = (long double)t->cutoff * sqrtl(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        for (int k = 0; k < 3; k++)
            along += ((long double)y[k] - (long double)x[k]) * r[k];
        if (t->pbc >> axis & 1) {
            low[axis] = (int32_t)ceill(-along - reach - MARGIN);
            high[axis] = (int32_t)floorl(-along + reach + MARGIN);
        }
    }
    int32_t *s = pair->shift;
    for (s[0] = low[0]; s[0] <= high[0]; s[0]++)
        for (s[1] = low[1]; s[1] <= high[1]; s[1]++)
            for (s[2] = low[2]; s[2] <= high[2]; s[2]++)
                if (is_listed(t, i, pair) && is_near(t, x, y, pair) && !add(result, pair))
                    return false;
    return true;
}

bool mote_oracle_neighbours(const mote_neighbours_task *task, mote_neighbours_result *result)
{
    long double reciprocal[3][3];
    size_t partners = task->other ? task->m : task->n;

    memset(result, 0, sizeof(*result));
    result->offsets = calloc(task->n + 1, sizeof(*result->offsets));
    if (!result->offsets)
        return false;
    make_reciprocals(task->box, task->pbc, reciprocal);
    for (size_t i = 0; i < task->n; i++) {
        for (size_t j = 0; j < partners; j++) {
            mote_neighbour pair = {.j = (int64_t)j};
            if (!add_images(task, reciprocal, i, &pair, result))
                return false;
        }
        result->offsets[i + 1] = (int64_t)result->count;
    }
    return true;
}

/* Returns the square of edge k of the bins. */
static double edge_square(const mote_neighbours_task *t, const mote_distances *bins, size_t k)
{
    double width = (t->cutoff - bins->r_min) / (double)bins->bins;

    if (t->in_float) {
        float along = (float)k * (float)width;
        float edge = (float)bins->r_min + along;
        return (double)(edge * edge);
    }
    double along = (double)k * width;
    double edge = bins->r_min + along;
    return edge * edge;
}

static double square_of(const mote_neighbours_task *t, const double *d)
{
    if (t->in_float) {
        float x = (float)d[0] * (float)d[0], y = (float)d[1] * (float)d[1];
        float z = (float)d[2] * (float)d[2], sum = x + y;
        return (double)(sum + z);
    }
    double x = d[0] * d[0], y = d[1] * d[1], z = d[2] * d[2], sum = x + y;
    return sum + z;
}

bool mote_oracle_distances(const mote_neighbours_task *task, const mote_distances *bins,
                           int64_t *counts)
{
    mote_neighbours_result result;
    bool good = mote_oracle_neighbours(task, &result);

    for (size_t i = 0; good && i < task->n; i++)
        for (int64_t k = result.offsets[i]; k < result.offsets[i + 1]; k++) {
            const mote_neighbour *pair = &result.neighbours[k];
            double square = square_of(task, pair->d);
            size_t low = 0, high = bins->bins; /* the bin is in low .. high - 1 */
            if (square < edge_square(task, bins, 0) ||
                (bins->block && i / bins->block == (size_t)pair->j / bins->block_other))
                continue;
            while (high - low > 1) {
                size_t middle = low + (high - low) / 2;
                if (edge_square(task, bins, middle) <= square)
                    low = middle;
                else
                    high = middle;
            }
            counts[low]++;
        }
    free(result.offsets);
    free(result.neighbours);
    return good;
}
