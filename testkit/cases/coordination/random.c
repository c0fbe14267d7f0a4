/* SPDX-License-Identifier: Apache-2.0 */
/* Random atoms, boxes and lists. */
#include "testkit/cases/coordination/system.h"
#include "testkit/rng.h"

#include <math.h>
#include <stdlib.h>

#define CLUSTERS 4

/* A random number in [0, 1), and one in [low, high). */
static double unit(mote_rng *rng)
{
    return (double)(mote_rng_next(rng) >> 11) * 0x1p-53;
}

static double within(mote_rng *rng, double low, double high)
{
    return low + (high - low) * unit(rng);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static void add_vector(double *to, const double *from, double times)
{
    for (int k = 0; k < 3; k++)
        to[k] += times * from[k];
}

/* Right-handed and far from flat: each vector deviates from its axis by at most a third of a
 * unit. */
static void make_triclinic(mote_rng *rng, double *box)
{
    for (int k = 0; k < 9; k++)
        box[k] = k % 4 == 0 ? within(rng, 0.8, 1.3) : within(rng, -0.33, 0.33);
}

static void make_box(mote_rng *rng, mote_lattice lattice, double *box)
{
    for (int k = 0; k < 9; k++)
        box[k] = k % 4 == 0;
    if (lattice == MOTE_LATTICE_CUBE)
        return;
    if (lattice == MOTE_LATTICE_ORTHORHOMBIC) {
        for (int k = 0; k < 9; k += 4)
            box[k] = within(rng, 0.4, 2.5);
        box[mote_rng_below(rng, 3) * 4] *= mote_rng_below(rng, 2) ? 1.0 : -1.0;
        return;
    }
    make_triclinic(rng, box);
    if (lattice == MOTE_LATTICE_LEFT)
        for (int k = 3; k < 6; k++)
            box[k] = -box[k];
    if (lattice == MOTE_LATTICE_SKEWED) {
        add_vector(box + 3, box, within(rng, -6.0, 6.0));
        add_vector(box + 6, box, within(rng, -4.0, 4.0));
        add_vector(box + 6, box + 3, within(rng, -2.0, 2.0));
    }
    if (lattice == MOTE_LATTICE_NEEDLE)
        for (int k = 0; k < 3; k++)
            box[k] *= 12.0;
}

/* ---- positions ------------------------------------------------------------------------------- */

static void place(const double *box, const double *fractions, double *x)
{
    for (int k = 0; k < 3; k++)
        x[k] = fractions[0] * box[k] + fractions[1] * box[3 + k] + fractions[2] * box[6 + k];
}

static void place_in_cluster(mote_rng *rng, const double *centre, double *fractions)
{
    for (int k = 0; k < 3; k++) {
        double sum = unit(rng) + unit(rng) + unit(rng) + unit(rng) - 2.0;
        fractions[k] = centre[k] + 0.04 * sum;
    }
}

static void place_atom(mote_rng *rng, const mote_system_recipe *recipe, const double *box,
                       const double *centres, double *x)
{
    double fractions[3] = {unit(rng), unit(rng), unit(rng)};
    mote_layout layout = recipe->layout;
    if (layout == MOTE_LAYOUT_CLUSTERED && mote_rng_below(rng, 8))
        place_in_cluster(rng, centres + 3 * mote_rng_below(rng, CLUSTERS), fractions);
    for (int k = 0; k < 3; k++) {
        if (layout == MOTE_LAYOUT_OUTSIDE)
            fractions[k] += (double)mote_rng_between(rng, -20, 20);
        if (layout == MOTE_LAYOUT_FAR)
            fractions[k] += 300.0;
    }
    place(box, fractions, x);
    double step = 0.5 * recipe->function.r_0;
    if (layout == MOTE_LAYOUT_GRID && step > 0.0)
        for (int k = 0; k < 3; k++)
            x[k] = step * floor(x[k] / step);
}

static void place_frame(mote_rng *rng, const mote_system_recipe *recipe, const double *box,
                        double *x)
{
    double centres[3 * CLUSTERS];
    for (size_t k = 0; k < 3 * CLUSTERS; k++)
        centres[k] = unit(rng);
    for (size_t i = 0; i < recipe->n_atoms; i++) {
        place_atom(rng, recipe, box, centres, x + 3 * i);
        bool again = recipe->layout == MOTE_LAYOUT_EQUAL && i > 0 && mote_rng_below(rng, 2);
        size_t from = again ? mote_rng_below(rng, (uint32_t)i) : i;
        for (size_t k = 0; k < 3; k++)
            x[3 * i + k] = x[3 * from + k];
    }
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Picks `count` of the atoms from `first` to `end`, in any order, possibly repeated. */
static bool pick(mote_system *s, mote_rng *rng, bool b, size_t count, size_t first, size_t end)
{
    uint32_t *atoms = calloc(count + 1, sizeof(*atoms));
    if (!atoms)
        return false;
    if (end <= first)
        count = 0;
    for (size_t i = 0; i < count; i++)
        atoms[i] = (uint32_t)first + mote_rng_below(rng, (uint32_t)(end - first));
    bool good = mote_system_group(s, b, atoms, count);
    free(atoms);
    return good;
}

static bool make_groups(mote_system *s, mote_rng *rng, mote_groups_kind groups)
{
    size_t n = s->n_atoms, third = n / 3;
    if (groups == MOTE_GROUPS_ALL)
        return true;
    if (groups == MOTE_GROUPS_SELF)
        return pick(s, rng, false, n - third / 2, 0, n);
    s->mode = groups == MOTE_GROUPS_PAIR ? MOTE_COORDINATION_PAIR : MOTE_COORDINATION_TWO;
    if (groups == MOTE_GROUPS_TWO)
        return pick(s, rng, false, third, 0, third) && pick(s, rng, true, n - third, third, n);
    if (groups == MOTE_GROUPS_OVERLAP)
        return pick(s, rng, false, third + 1, 0, n) && pick(s, rng, true, n - third, 0, n);
    return pick(s, rng, false, 2 * n, 0, n) && pick(s, rng, true, 2 * n, 0, n);
}

size_t mote_recipe_entries(const mote_system_recipe *recipe)
{
    size_t n = recipe->n_atoms;
    switch (recipe->groups) {
    case MOTE_GROUPS_SELF:
        return n - n / 3 / 2;
    case MOTE_GROUPS_OVERLAP:
        return n ? n + 1 : 0;
    case MOTE_GROUPS_PAIR:
        return 4 * n;
    default:
        return n;
    }
}

bool mote_system_random(mote_system *s, const mote_system_recipe *recipe)
{
    mote_rng rng;
    mote_rng_seed(&rng, recipe->seed);
    if (!mote_system_make(s, recipe->n_atoms, recipe->frames))
        return false;
    s->pbc = recipe->pbc;
    s->function = recipe->function;
    for (size_t f = 0; f < recipe->frames; f++) {
        make_box(&rng, recipe->lattice, s->box + 9 * f);
        place_frame(&rng, recipe, s->box + 9 * f, s->positions + 3 * f * recipe->n_atoms);
    }
    if (make_groups(s, &rng, recipe->groups))
        return true;
    mote_system_free(s);
    return false;
}
