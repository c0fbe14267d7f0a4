/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/recentre.h"
#include "coordination/box.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static size_t atom_at(const mote_recentre_frame *f, size_t i)
{
    return f->atoms ? f->atoms[i] : i;
}

static bool all_finite(const double *x)
{
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static size_t find_bad(const mote_recentre_frame *f)
{
    size_t lowest = SIZE_MAX;
    for (size_t i = 0; i < f->count; i++) {
        size_t atom = atom_at(f, i);
        if (atom < lowest && !all_finite(f->positions + 3 * atom))
            lowest = atom;
    }
    return lowest;
}

/* Finds half of the sum of the lowest and the highest coordinate; both are halved first, so that
 * neither overflows. */
static void find_centre(const mote_recentre_frame *f, double *centre)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < 3; k++) {
            double x = f->positions[3 * atom_at(f, i) + k];
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
    for (int k = 0; k < 3; k++)
        centre[k] = f->count ? 0.5 * low[k] + 0.5 * high[k] : 0.0;
}

static void wrap(const mote_recentre_frame *f, const double *inverse, double *x)
{
    for (int v = 2; v >= 0; v--) {
        double times = rint(x[0] * inverse[v] + x[1] * inverse[3 + v] + x[2] * inverse[6 + v]);
        for (int k = 0; k < 3; k++)
            if (f->pbc == MOTE_PBC_TRICLINIC || k == v)
                x[k] -= times * f->box[3 * v + k];
    }
}

size_t mote_recentre(const mote_recentre_frame *f, float *positions)
{
    double centre[3] = {0.0}, inverse[9];
    size_t bad = find_bad(f);
    if (bad != SIZE_MAX)
        return bad;
    if (f->pbc == MOTE_PBC_NONE) {
        find_centre(f, centre);
    } else {
        /* The centre is at one of the atoms, so that atoms near each other in a large box keep the
         * digits of their differences. */
        for (size_t k = 0; k < 3 && f->count; k++)
            centre[k] = f->positions[3 * atom_at(f, 0) + k];
        mote_box_invert(f->pbc, f->box, inverse);
    }
    memset(positions, 0, 3 * f->n_atoms * sizeof(*positions));
    for (size_t i = 0; i < f->count; i++) {
        size_t atom = atom_at(f, i);
        double x[3];
        for (size_t k = 0; k < 3; k++)
            x[k] = f->positions[3 * atom + k] - centre[k];
        if (f->pbc != MOTE_PBC_NONE)
            wrap(f, inverse, x);
        for (size_t k = 0; k < 3; k++)
            positions[3 * atom + k] = (float)x[k];
    }
    return SIZE_MAX;
}
