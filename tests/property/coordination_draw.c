/* SPDX-License-Identifier: Apache-2.0 */
#include "property/coordination_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "testkit/reference/coordination/oracle_switch.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static double unit(mote_rng *rng)
{
    return (double)(mote_rng_next(rng) >> 11) * 0x1p-53;
}

static double within(mote_rng *rng, double low, double high)
{
    return low + (high - low) * unit(rng);
}

/* True with a probability of 1/n. */
static bool one_in(mote_rng *rng, uint32_t n)
{
    return mote_rng_below(rng, n) == 0;
}

static double power_of_ten(mote_rng *rng, double most)
{
    return pow(10.0, within(rng, -most, most));
}

/* ---- functions ------------------------------------------------------------------------------- */

static const char *const expressions[] = {
    "1/(1+x^6)",     "exp(-x)*(1+sin(2*x)^2)/sqrt(1+x^5)",
    "1/(1+x2^3)",    "exp(-x2/2)",
    "exp(-x)/(1+x)", "step(1-x)*(1-x)^2",
    "max(0,1-x)",    "0.5*exp(-x2)",
};

void draw_the_kinds(mote_rng *rng, draw_kinds *s)
{
    static const unsigned masks[] = {0, 0, 0, 4, 6, 2, 8, 10, 1, 14};
    *s = (draw_kinds){.pbc = (mote_pbc)mote_rng_below(rng, 3), .ends = !one_in(rng, 3)};
    mote_switch_init(&s->function);
    mote_switch *f = &s->function;
    f->kind =
        (mote_switch_kind)(one_in(rng, 3) ? 0 : mote_rng_below(rng, mote_coordination_kinds()));
    f->no_stretch = one_in(rng, 3);
    s->d_0 = one_in(rng, 2) ? 0 : one_in(rng, 2) ? 1 : -1;
    if (f->kind == MOTE_SWITCH_RATIONAL && !one_in(rng, 3)) {
        f->nn = (int32_t)mote_rng_between(rng, 1, 14);
        f->mm = one_in(rng, 2) ? 0 : (int32_t)mote_rng_between(rng, 1, 24);
    }
    if (f->kind == MOTE_SWITCH_CUSTOM) {
        snprintf(f->func, sizeof(f->func), "%s",
                 expressions[mote_rng_below(rng, COUNT(expressions))]);
        s->d_0 = strstr(f->func, "x2") ? 0 : s->d_0;
    }
    s->ends = s->ends || f->kind == MOTE_SWITCH_CUBIC || f->mm;
    s->groups = (mote_groups_kind)mote_rng_below(rng, MOTE_GROUPS);
    s->how.precision = (mote_precision)mote_rng_below(rng, 3);
    s->how.without = masks[mote_rng_below(rng, COUNT(masks))];
    s->how.of = (mote_derivatives_of)mote_rng_below(rng, 2);
    s->how.weights = one_in(rng, 4) ? one_in(rng, 2) ? MOTE_FLOAT32 : MOTE_FLOAT64 : MOTE_TYPE_NONE;
    if (s->ends && !one_in(rng, 3))
        s->how.method = (mote_coordination_method)mote_rng_between(rng, 1, 2);
}

/* Draws the lengths of a function for a box of a volume of about 1. */
static void draw_lengths(mote_rng *rng, const draw_kinds *s, mote_switch *f)
{
    *f = s->function;
    bool cubic = f->kind == MOTE_SWITCH_CUBIC;
    f->r_0 = cubic ? 0.0 : within(rng, 0.05, 0.5);
    f->d_0 = s->d_0 * within(rng, 0.01, 0.3);
    f->d_max = fmax(f->d_0, 0.0) + (cubic ? within(rng, 0.1, 0.5) : f->r_0 * within(rng, 0.4, 4.0));
    if (one_in(rng, 8)) /* d_max far below r_0, or larger than the box */
        f->d_max = fmax(f->d_0, 0.0) + (one_in(rng, 2) ? 0.05 * power_of_ten(rng, 3.0) : 3.0);
    if (!s->ends)
        f->d_max = INFINITY;
    else if (f->kind == MOTE_SWITCH_RATIONAL && f->mm == 0 && one_in(rng, 3))
        f->d_max = 0.0;
    f->a = within(rng, 1.0, 9.0);
    f->b = within(rng, 0.5, 5.0);
    f->ref = within(rng, 0.05, 0.3);
    f->beta = one_in(rng, 2) ? 0.0 : within(rng, 5.0, 80.0);
    f->lambda = one_in(rng, 2) ? 0.0 : within(rng, 0.5, 2.0);
    if (f->kind == MOTE_SWITCH_RATIONAL && f->no_stretch &&
        one_in(rng, 4)) /* nearly a step function */
        f->r_0 *= pow(10.0, within(rng, 0.0, 25.0));
}

static void scale_function(mote_switch *f, double scale)
{
    if (f->kind == MOTE_SWITCH_Q)
        f->beta = (f->beta != 0.0 ? f->beta : 50.0) / scale;
    f->r_0 *= scale;
    f->d_0 *= scale;
    f->d_max *= scale;
    f->ref *= scale;
}

/* ---- systems --------------------------------------------------------------------------------- */

static size_t draw_atoms(mote_rng *rng)
{
    uint32_t kind = mote_rng_below(rng, 20);
    if (kind < 3)
        return kind;
    if (kind == 3)
        return 300 + mote_rng_below(rng, 500);
    return kind < 8 ? 120 + mote_rng_below(rng, 20) : 3 + mote_rng_below(rng, 60);
}

/* Moves the atoms to a regular grid, on which the distance of a pair may be exactly 0, half a box
 * or a lattice vector. */
static void snap(mote_rng *rng, mote_system *s)
{
    double parts = (double)(1 << mote_rng_between(rng, 1, 3));
    for (size_t i = 0; i < s->frames * s->n_atoms; i++) {
        const double *box = s->box + 9 * (i / s->n_atoms);
        double *x = s->positions + 3 * i, part[3];
        for (int k = 0; k < 3; k++)
            part[k] = (double)mote_rng_between(rng, -4, 12) / parts;
        for (int k = 0; k < 3; k++)
            x[k] = part[0] * box[k] + part[1] * box[3 + k] + part[2] * box[6 + k];
    }
}

static void scale_all(double *values, size_t count, double scale)
{
    for (size_t i = 0; i < count; i++)
        values[i] *= scale;
}

/* Scales the box to be much larger than the atoms, or box and atoms to be too large or too small
 * for the function. Then changes the unit of length. Returns the factor of the box. */
static double resize(mote_rng *rng, mote_system *s)
{
    size_t count = 3 * s->frames * s->n_atoms, box = 9 * s->frames;
    double large = 1.0,
           other = one_in(rng, 8) ? power_of_ten(rng, one_in(rng, 2) ? 20.0 : 9.0) : 1.0;
    if (s->pbc != MOTE_PBC_NONE && one_in(rng, 3)) {
        large = one_in(rng, 3) ? power_of_ten(rng, 30.0) : pow(10.0, within(rng, 0.0, 12.0));
        scale_all(s->box, box, large);
        if (large < 1.0 || one_in(rng, 4))
            scale_all(s->positions, count, large);
        else if (large < 1e8 && one_in(rng, 2))
            for (size_t i = 0; i < count; i++)
                s->positions[i] += 0.7 * s->box[9 * (i / 3 / s->n_atoms) + i % 3 * 4];
    }
    scale_all(s->positions, count, other);
    scale_all(s->box, box, other);
    scale_function(&s->function, other);
    return large;
}

bool draw_system(mote_rng *rng, const draw_kinds *kinds, mote_system *s, double *large)
{
    mote_system_recipe recipe = {.n_atoms = draw_atoms(rng),
                                 .frames = one_in(rng, 4) ? 1 + mote_rng_below(rng, 4) : 1,
                                 .layout = (mote_layout)mote_rng_below(rng, MOTE_LAYOUTS),
                                 .lattice = (mote_lattice)mote_rng_below(rng, MOTE_LATTICES),
                                 .groups = kinds->groups,
                                 .pbc = kinds->pbc,
                                 .seed = mote_rng_next(rng)};
    if (recipe.pbc == MOTE_PBC_ORTHORHOMBIC)
        recipe.lattice = (mote_lattice)mote_rng_below(rng, 2);
    for (int tries = 0;; tries++) {
        mote_switch done;
        mote_oracle_switch oracle;
        draw_lengths(rng, kinds, &recipe.function);
        done = recipe.function;
        /* The oracle stretches by the plain formula, so a large factor would cost it too many
         * digits. */
        mote_oracle_switch_make(&recipe.function, &oracle);
        if (!mote_switch_complete(&done) && fabsl(oracle.stretch) < 1e6L)
            break;
        if (tries == 20)
            return false;
    }
    if (!mote_system_random(s, &recipe))
        return false;
    if (one_in(rng, 4))
        snap(rng, s);
    *large = resize(rng, s);
    return true;
}

void draw_how(mote_rng *rng, mote_coordination_how *how, const mote_system *s)
{
    how->positions32 = one_in(rng, 6);
    how->derivatives32 = one_in(rng, 4);
    how->coordination32 = one_in(rng, 4);
    how->positions_by_4 = one_in(rng, 4);
    how->derivatives_by_4 = one_in(rng, 4);
    if (s->pbc != MOTE_PBC_NONE && one_in(rng, 4))
        how->box_device = one_in(rng, 4) ? MOTE_FLOAT32 : MOTE_FLOAT64;
    how->accumulate = one_in(rng, 4);
    how->factor = one_in(rng, 3) ? within(rng, -3.0, 3.0) : 0.0;
    how->gated = one_in(rng, 3);
    how->workspace = one_in(rng, 3);
    how->silent = one_in(rng, 8);
    how->shares = how->accumulate || !one_in(rng, 6) ? 0 : 2 + mote_rng_below(rng, 3);
    if (how->shares) /* derivatives of shares, and so their rounding errors, can exceed those of the
                        sum */
        how->derivatives32 = how->coordination32 = false;
}

/* ---- tuning ---------------------------------------------------------------------------------- */

void draw_tune(mote_rng *rng, const char *form, char *text, size_t size)
{
    static const struct {
        const char *key;
        int64_t least, most;
    } keys[] = {
        {"symmetric", 0, 1},    {"load", 0, 1},          {"skip", 0, 1},
        {"items", 1, 9},        {"cpu_own", 1, 4},       {"strip", 16, 200},
        {"apart", 0, 1},        {"cells", 1, 400},       {"cells_fine", 1, 12},
        {"cells_across", 1, 4}, {"slices", 1, 7},        {"sort_below", 0, 100},
        {"sort_shares", 1, 5},  {"sort_group", 8, 100},  {"group", 8, 96},
        {"own", 1, 4},          {"tile", 8, 100},        {"split", 1, 4},
        {"subs", 1, 3},         {"groups", 1, 40},       {"load_group", 8, 64},
        {"frames", 1, 3},       {"finish_group", 8, 64}, {"finish_batch", 1, 5},
    };
    const char *of = form ? form : "";
    size_t length = (size_t)snprintf(text, size, "%s%s", form ? "coordination.form=" : "", of);
    for (size_t k = 0, some = one_in(rng, 2) ? 0 : COUNT(keys); k < some; k++) {
        int64_t value = mote_rng_between(rng, keys[k].least, keys[k].most);
        if (one_in(rng, 4) && length < size)
            length += (size_t)snprintf(text + length, size - length, "%scoordination.%s=%d",
                                       length ? "," : "", keys[k].key, (int)value);
    }
}
