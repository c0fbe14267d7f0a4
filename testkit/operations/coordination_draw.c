/* SPDX-License-Identifier: Apache-2.0 */
/* Random atoms, boxes, switching functions and options of calls. */
#include "testkit/operations/coordination.h"
#include "testkit/reference/coordination/oracle_switch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array)  (sizeof(array) / sizeof((array)[0]))
#define BIT(number)   ((uint32_t)1 << (number))
#define FIRST(number) (BIT(number) - 1) /* the set of this number of values */

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

/* ---- decisions about kernels ----------------------------------------------------------------- */

static const char *const expressions[] = {
    "1/(1+x^6)",     "exp(-x)*(1+sin(2*x)^2)/sqrt(1+x^5)",
    "1/(1+x2^3)",    "exp(-x2/2)",
    "exp(-x)/(1+x)", "step(1-x)*(1-x)^2",
    "max(0,1-x)",    "0.5*exp(-x2)",
};

/* The choices that determine the kernels of a function. */
typedef struct kinds {
    mote_switch function; /* the function's kind, exponents, expression and no_stretch */
    int d_0;              /* the sign of d_0 */
    bool ends;            /* d_max is finite */
} kinds;

/* Values beyond the kinds are for RATIONAL with other exponents, which is the most used. */
static void choose_function(trial_call *c, kinds *k)
{
    static const int signs[] = {0, 0, 1, -1};
    uint32_t kind_count = mote_coordination_kinds();
    uint32_t kind = trial_choose(c, FIRST(kind_count + 5));
    bool custom = kind == MOTE_SWITCH_CUSTOM, exponents = kind >= kind_count;
    mote_switch *f = &k->function;

    mote_switch_init(f);
    f->kind = exponents ? MOTE_SWITCH_RATIONAL : (mote_switch_kind)kind;
    uint32_t detail = trial_choose(c, custom      ? FIRST(COUNT(expressions))
                                      : exponents ? FIRST(15) & ~BIT(0) /* 1 to 14 */
                                                  : BIT(0));
    uint32_t mm = trial_choose(c, exponents ? UINT32_MAX : BIT(0));
    f->nn = exponents ? (int32_t)detail : 0;
    f->mm = mm > 24 ? 0 : (int32_t)mm;
    if (custom)
        snprintf(f->func, sizeof(f->func), "%s", expressions[detail]);
    uint32_t shape = trial_choose(c, FIRST(3 * COUNT(signs)));
    f->no_stretch = shape % 3 == 2;
    k->d_0 = strstr(f->func, "x2") ? 0 : signs[shape / 3];
}

/* The last value of the second decision is an infinite d_max. */
static void choose_kinds(trial_call *c, kinds *k)
{
    static const unsigned masks[] = {0, 0, 0, 4, 6, 2, 8, 10, 1, 14};
    coordination_notes *drawn = trial_coordination_of(c);
    mote_coordination_options *options = &drawn->options;
    bool fp64 = mote_context_device(c->ctx)->has_fp64;

    choose_function(c, k);
    bool must_end = k->function.kind == MOTE_SWITCH_CUBIC || k->function.mm;
    uint32_t method = trial_choose(c, FIRST(must_end ? 3 : 4));
    k->ends = method < 3;
    options->method = k->ends ? (mote_coordination_method)method : MOTE_COORDINATION_AUTO;
    drawn->recipe.pbc = (mote_pbc)trial_choose(c, FIRST(3));
    drawn->recipe.groups = (mote_groups_kind)trial_choose(c, FIRST(MOTE_GROUPS));
    options->precision = (mote_precision)trial_choose(c, FIRST(fp64 ? 3 : 2));
    options->without = masks[trial_choose(c, FIRST(COUNT(masks)))];
    options->of = (mote_derivatives_of)trial_choose(c, FIRST(2));
    uint32_t weights = trial_choose(c, FIRST(8));
    options->skin = trial_choose(c, FIRST(2));
    options->weights = weights < 6 ? MOTE_TYPE_NONE : weights == 6 ? MOTE_FLOAT32 : MOTE_FLOAT64;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Draws the lengths of a function for a box of a volume of about 1. */
static void draw_lengths(mote_rng *rng, const kinds *k, mote_switch *f)
{
    *f = k->function;
    bool cubic = f->kind == MOTE_SWITCH_CUBIC;
    f->r_0 = cubic ? 0.0 : within(rng, 0.05, 0.5);
    f->d_0 = k->d_0 * within(rng, 0.01, 0.3);
    f->d_max = fmax(f->d_0, 0.0) + (cubic ? within(rng, 0.1, 0.5) : f->r_0 * within(rng, 0.4, 4.0));
    if (one_in(rng, 8)) /* d_max far below r_0, or larger than the box */
        f->d_max = fmax(f->d_0, 0.0) + (one_in(rng, 2) ? 0.05 * power_of_ten(rng, 3.0) : 3.0);
    if (!k->ends)
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

/* Returns false if no lengths suit the function. The oracle stretches by the plain formula, so a
 * large factor would cost it too many digits. */
static bool draw_function(mote_rng *rng, const kinds *k, mote_switch *f)
{
    for (int tries = 0; tries < 20; tries++) {
        mote_oracle_switch oracle;
        draw_lengths(rng, k, f);
        mote_switch done = *f;
        mote_oracle_switch_make(f, &oracle);
        if (!mote_switch_complete(&done) && fabsl(oracle.stretch) < 1e6L)
            return true;
    }
    return false;
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

/* Returns the number of atoms that form this number of pairs. */
static size_t atoms_of(size_t pairs)
{
    return (size_t)(0.5 + sqrt(0.25 + 2.0 * (double)pairs));
}

static size_t draw_atoms(trial_call *c)
{
    uint32_t kind = mote_rng_below(&c->rng, 20);
    size_t atoms = kind < 3    ? kind
                   : kind == 3 ? 300 + mote_rng_below(&c->rng, 500)
                   : kind < 8  ? 120 + mote_rng_below(&c->rng, 20)
                               : 3 + mote_rng_below(&c->rng, 60);
    if (c->size != TRIAL_ANY)
        return atoms_of(c->size);
    return atoms > atoms_of(c->most) ? atoms % (atoms_of(c->most) + 1) : atoms;
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

bool trial_coordination_make(const trial_call *c, mote_system *s, double *large)
{
    const coordination_notes *drawn = trial_coordination_notes(c);
    const trial_coordination_given *given = c->given;
    mote_rng rng = drawn->rng;

    *large = 1.0;
    if (given ? !mote_system_copy(s, given->system) : !mote_system_random(s, &drawn->recipe))
        return false;
    if (!given && one_in(&rng, 4))
        snap(&rng, s);
    if (!given && !c->telling)
        *large = resize(&rng, s);
    mote_system_round(s, drawn->options.positions32, drawn->options.box_device == MOTE_FLOAT32);
    s->weighted = drawn->options.weights != MOTE_TYPE_NONE;
    return true;
}

/* ---- options --------------------------------------------------------------------------------- */

static void draw_how(mote_rng *rng, mote_coordination_options *options, mote_pbc pbc)
{
    options->positions32 = one_in(rng, 6);
    options->derivatives32 = one_in(rng, 4);
    options->coordination32 = one_in(rng, 4);
    options->positions_by_4 = one_in(rng, 4);
    options->derivatives_by_4 = one_in(rng, 4);
    if (pbc != MOTE_PBC_NONE && one_in(rng, 4))
        options->box_device = one_in(rng, 4) ? MOTE_FLOAT32 : MOTE_FLOAT64;
    options->accumulate = one_in(rng, 4);
    if (options->skin > 0)
        options->skin = one_in(rng, 4) ? power_of_ten(rng, 9.0) : within(rng, 0.001, 0.3);
    options->factor = one_in(rng, 3) ? within(rng, -3.0, 3.0) : 0.0;
    options->shares = options->accumulate || !one_in(rng, 6) ? 0 : 2 + mote_rng_below(rng, 3);
    if (options->shares) /* derivatives of shares, and so their rounding errors, can exceed those of
                        the sum */
        options->derivatives32 = options->coordination32 = false;
}

bool trial_coordination_is_steep(const mote_switch *f)
{
    double change = fmin(f->r_0, f->d_max - fmax(f->d_0, 0.0));

    return f->r_0 > 100.0 || change < 0.1 * f->r_0 || f->d_0 < -10.0 * f->r_0;
}

void trial_coordination_draw(trial_call *c)
{
    coordination_notes *drawn = trial_coordination_of(c);
    mote_system_recipe *r = &drawn->recipe;
    kinds k = {.d_0 = 0};

    choose_kinds(c, &k);
    r->n_atoms = draw_atoms(c);
    r->frames = one_in(&c->rng, 4) ? 1 + mote_rng_below(&c->rng, 4) : 1;
    r->layout = (mote_layout)mote_rng_below(&c->rng, MOTE_LAYOUTS);
    r->lattice = (mote_lattice)mote_rng_below(
        &c->rng, r->pbc == MOTE_PBC_ORTHORHOMBIC ? MOTE_LATTICE_ORTHORHOMBIC + 1 : MOTE_LATTICES);
    r->seed = mote_rng_next(&c->rng);
    c->impossible = c->impossible || !draw_function(&c->rng, &k, &r->function);
    draw_how(&c->rng, &drawn->options, r->pbc);
    if (c->size != TRIAL_ANY) /* the call may be prepared, and other shares need other programs */
        drawn->options.shares = 0;
    if (!c->on_host && !mote_coordination_options_fit(c->ctx, &drawn->options))
        c->impossible = true;
    if (c->telling && drawn->options.precision != MOTE_PRECISION_DOUBLE &&
        trial_coordination_is_steep(&r->function))
        drawn->options.box_device = MOTE_TYPE_NONE; /* the box might be rejected */
    drawn->share =
        drawn->options.shares && !c->on_host ? mote_rng_below(&c->rng, drawn->options.shares) : 0;
    drawn->rng = c->rng;
}
