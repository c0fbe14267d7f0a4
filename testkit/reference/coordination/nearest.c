/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/coordination/nearest.h"

#include <math.h>
#include <string.h>

static long double dot(const long double *a, const long double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(long double *a, const long double *b, long double times)
{
    for (int k = 0; k < 3; k++)
        a[k] -= times * b[k];
}

/* Makes vectors shorter by whole numbers of each other until none gets shorter. Any basis of the
 * lattice would do: a short one only leaves fewer images to try. */
static void shorten(long double v[3][3])
{
    bool changed = true;
    for (int round = 0; changed && round < 1000; round++) {
        changed = false;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                long double times = i == j ? 0.0L : rintl(dot(v[i], v[j]) / dot(v[j], v[j]));
                long double before = dot(v[i], v[i]);
                subtract(v[i], v[j], times);
                changed = changed || dot(v[i], v[i]) < 0.999L * before;
            }
    }
}

void mote_nearest_make(mote_nearest *n, mote_pbc pbc, const double *box)
{
    *n = (mote_nearest){.pbc = pbc};
    if (pbc == MOTE_PBC_NONE)
        return;
    for (int i = 0; i < 9; i++)
        if (pbc == MOTE_PBC_TRICLINIC || i % 4 == 0)
            n->vector[i / 3][i % 3] = box[i];
    shorten(n->vector);
    for (int k = 0; k < 3; k++) { /* columns are cross products over the volume */
        const long double *a = n->vector[(k + 1) % 3], *b = n->vector[(k + 2) % 3];
        long double cross[3];
        for (int i = 0; i < 3; i++)
            cross[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
        long double volume = dot(cross, n->vector[k]);
        for (int i = 0; i < 3; i++)
            n->inverse[i][k] = cross[i] / volume;
        n->reach[k] = sqrtl(dot(cross, cross)) / fabsl(volume);
    }
}

static long double fraction(const mote_nearest *n, const long double *d, int k)
{
    return d[0] * n->inverse[0][k] + d[1] * n->inverse[1][k] + d[2] * n->inverse[2][k];
}

/* Moves d into the cell around the origin. If d is longer than about 2^64 vectors, the rounding
 * error of one pass is longer than the cell, so passes are repeated until none moves d. */
static void wrap(const mote_nearest *n, long double *d)
{
    bool moved = true;
    for (int pass = 0; moved && pass < 4; pass++) {
        moved = false;
        for (int k = 2; k >= 0; k--) {
            long double times = rintl(fraction(n, d, k));
            subtract(d, n->vector[k], times);
            moved = moved || times != 0.0L;
        }
    }
}

static bool orthorhombic(const mote_nearest *n, long double *d, long double blur)
{
    bool tie = false;
    wrap(n, d);
    for (int k = 0; k < 3; k++)
        tie = tie || 0.5L * fabsl(n->vector[k][k]) - fabsl(d[k]) <= blur;
    return tie;
}

/* The nearest image so far, which is i vectors further. */
typedef struct best {
    long double d[3], length, second;
} best;

static void try_image(best *b, const long double *d)
{
    long double length = sqrtl(dot(d, d));
    if (length < b->length) {
        b->second = b->length;
        b->length = length;
        memcpy(b->d, d, sizeof(b->d));
    } else if (length < b->second) {
        b->second = length;
    }
}

/* An image no longer than d has a component k of at most |d| reach[k] in the lattice's own
 * coordinates: all of these images are tried, and those that the blur allows. The second nearest
 * image is longer than the nearest one by at most the length of the shortest vector, whatever the
 * blur is. */
static bool triclinic(const mote_nearest *n, long double *d, long double blur)
{
    best b = {.length = INFINITY, .second = INFINITY};
    long double low[3], high[3], at[3], shortest = INFINITY;
    wrap(n, d);
    for (int k = 0; k < 3; k++)
        shortest = fminl(shortest, sqrtl(dot(n->vector[k], n->vector[k])));
    long double length = sqrtl(dot(d, d)) + fminl(2.0L * blur, shortest);
    for (int k = 0; k < 3; k++) {
        long double f = fraction(n, d, k), most = length * n->reach[k] * (1.0L + 1e-12L);
        low[k] = ceill(-most - f);
        high[k] = floorl(most - f);
    }
    for (long double x = low[0]; x <= high[0]; x++)
        for (long double y = low[1]; y <= high[1]; y++)
            for (long double z = low[2]; z <= high[2]; z++) {
                memcpy(at, d, sizeof(at));
                subtract(at, n->vector[0], -x);
                subtract(at, n->vector[1], -y);
                subtract(at, n->vector[2], -z);
                try_image(&b, at);
            }
    memcpy(d, b.d, sizeof(b.d));
    return b.second - b.length <= 2.0L * blur;
}

bool mote_nearest_image(const mote_nearest *n, long double *d, long double blur)
{
    if (n->pbc == MOTE_PBC_NONE)
        return false;
    if (n->pbc == MOTE_PBC_ORTHORHOMBIC)
        return orthorhombic(n, d, blur);
    return triclinic(n, d, blur);
}
