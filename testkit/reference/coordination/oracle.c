/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/coordination/oracle.h"
#include "testkit/reference/coordination/nearest.h"
#include "testkit/reference/coordination/oracle_switch.h"

#include <math.h>
#include <stdlib.h>

/* A frame being summed. */
typedef struct frame {
    const double *x;
    mote_nearest nearest;
    mote_oracle_switch function;
    long double blur;
    bool weighted;
    size_t first; /* weight */
    mote_true_sum *value, *virial, *derivatives, *coordination;
} frame;

/* What a distance gives. */
typedef struct term {
    long double s, slope;           /* s and s' */
    long double s_blur, slope_blur; /* their changes within the blur */
} term;

static void add(mote_true_sum *to, long double value, long double size, long double blur)
{
    to->sum += value;
    to->size += (double)size;
    to->blur += (double)blur;
}

/* Evaluates the function at r and within the blur: at both ends of it and, because the function may
 * be flat there, halfway to them, and so on until the steps resolve r_0. `exact`: r is not blurred,
 * because both atoms are at the same position. */
static term evaluate(const frame *f, long double r, bool exact)
{
    term t = {0};
    t.s = mote_oracle_switch_value(&f->function, r, &t.slope);
    if (f->blur == 0.0L || exact)
        return t;
    long double step = f->blur, least = f->function.r_0 / 8.0L;
    do {
        for (int side = -1; side <= 1; side += 2) {
            long double slope, at = fmaxl(r + side * step, 0.0L);
            long double s = mote_oracle_switch_value(&f->function, at, &slope);
            t.s_blur = fmaxl(t.s_blur, fabsl(s - t.s));
            t.slope_blur = fmaxl(t.slope_blur, fabsl(slope - t.slope));
        }
        step /= 2.0L;
    } while (step > least);
    return t;
}

/* Returns the weight of the pair of entries p and q. */
static long double weight_of(const frame *f, size_t p, size_t q)
{
    if (!f->weighted)
        return 1.0L;
    return (long double)mote_system_weight(f->first + p) + mote_system_weight(f->first + q);
}

static void weigh(term *t, long double weight)
{
    t->s *= weight;
    t->slope *= weight;
    t->s_blur *= fabsl(weight);
    t->slope_blur *= fabsl(weight);
}

/* Adds the pair of entries p and q, of atoms i and j. */
static void add_pair(frame *f, size_t p, size_t q, uint32_t i, uint32_t j)
{
    long double d[3];
    if (i == j)
        return;
    for (size_t k = 0; k < 3; k++)
        d[k] = (long double)f->x[3 * (size_t)j + k] - f->x[3 * (size_t)i + k];
    /* True if both atoms are at the same place. An atom at an image of that place is not exact: its
     * distance is known only within the blur. */
    bool exact = d[0] == 0.0L && d[1] == 0.0L && d[2] == 0.0L;
    bool tie = mote_nearest_image(&f->nearest, d, f->blur);
    long double r = sqrtl(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (r > f->function.d_max + f->blur)
        return;
    term t = evaluate(f, r, exact);
    long double size = t.s != 0.0L ? fabsl(f->function.shift) : 0.0L, weight = weight_of(f, p, q);
    weigh(&t, weight);
    size = size * fabsl(weight) + fabsl(t.s);
    long double g = r > 0.0L ? t.slope / r : 0.0L, slope = fabsl(t.slope);
    /* the direction of d is known to blur / r, or not at all */
    bool turns = !exact && (tie || f->blur >= r);
    long double turn = turns ? 2.0L : exact ? 0.0L : 2.0L * f->blur / r;
    long double blur = t.slope_blur + turn * (slope + t.slope_blur);
    add(f->value, t.s, size, t.s_blur);
    add(&f->coordination[p], t.s, size, t.s_blur);
    add(&f->coordination[q], t.s, size, t.s_blur);
    for (size_t k = 0; k < 3; k++) {
        add(&f->derivatives[3 * p + k], -g * d[k], slope, blur);
        add(&f->derivatives[3 * q + k], g * d[k], slope, blur);
        for (size_t l = 0; l < 3; l++)
            add(&f->virial[3 * k + l], -g * d[k] * d[l], slope * r,
                blur * (r + f->blur) + slope * f->blur);
    }
}

static void add_pairs(frame *f, const mote_system *s)
{
    size_t entries = mote_system_entries(s), n_b = s->n_b, n_a = entries - n_b;
    if (s->mode == MOTE_COORDINATION_SELF) {
        for (size_t p = 0; p < entries; p++)
            for (size_t q = p + 1; q < entries; q++)
                add_pair(f, p, q, mote_system_atom(s, p), mote_system_atom(s, q));
        return;
    }
    for (size_t p = 0; p < n_a; p++)
        for (size_t q = 0; q < n_b; q++)
            if (s->mode == MOTE_COORDINATION_TWO || p == q)
                add_pair(f, p, n_a + q, mote_system_atom(s, p), s->group_b[q]);
}

static mote_true_sum *sums(size_t count)
{
    return calloc(count + 1, sizeof(mote_true_sum));
}

bool mote_truth_make(mote_truth *truth, const mote_system *s, double blur)
{
    size_t frames = s->frames, entries = mote_system_entries(s);
    *truth = (mote_truth){.frames = frames, .entries = entries};
    truth->value = sums(frames);
    truth->virial = sums(9 * frames);
    truth->derivatives = sums(3 * frames * entries);
    truth->coordination = sums(frames * entries);
    if (!truth->value || !truth->virial || !truth->derivatives || !truth->coordination) {
        mote_truth_free(truth);
        return false;
    }
    frame f = {.blur = blur, .weighted = s->weighted};
    mote_oracle_switch_make(&s->function, &f.function);
    for (size_t k = 0; k < frames; k++) {
        f.x = s->positions + 3 * k * s->n_atoms;
        f.first = k * entries;
        f.value = truth->value + k;
        f.virial = truth->virial + 9 * k;
        f.derivatives = truth->derivatives + 3 * k * entries;
        f.coordination = truth->coordination + k * entries;
        mote_nearest_make(&f.nearest, s->pbc, s->box + 9 * k);
        add_pairs(&f, s);
    }
    return true;
}

void mote_truth_free(mote_truth *truth)
{
    free(truth->value);
    free(truth->virial);
    free(truth->derivatives);
    free(truth->coordination);
    *truth = (mote_truth){0};
}

mote_true_sum *mote_truth_of_atoms(const mote_truth *truth, const mote_system *s)
{
    mote_true_sum *of = sums(3 * truth->frames * s->n_atoms);
    for (size_t k = 0; of && k < truth->frames; k++)
        for (size_t e = 0; e < truth->entries; e++)
            for (size_t c = 0; c < 3; c++) {
                const mote_true_sum *d = &truth->derivatives[3 * (k * truth->entries + e) + c];
                add(&of[3 * (k * s->n_atoms + mote_system_atom(s, e)) + c], d->sum, d->size,
                    d->blur);
            }
    return of;
}
