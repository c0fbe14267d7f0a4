/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/coordination/run.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct compare {
    double relative, worst;
    double unit; /* unit of the compared numbers, in which the smallest floats underflow */
    char *message;
    size_t size;
} compare;

/* Checks one number that should be base + factor x truth, as far as its stored type can represent
 * it. Numbers so small that floats near them lose digits or underflow may be missing. */
static bool check(compare *c, const char *what, size_t i, double got, const mote_true_sum *truth,
                  double base, double factor, bool is32)
{
    long double expected = base + factor * truth->sum, error = fabsl(got - expected);
    double size = fabs(factor) * truth->size;
    long double allowed = c->relative * size + fabs(factor) * truth->blur;
    if (size > 0.0)
        allowed += (is32 ? FLT_EPSILON : DBL_EPSILON) * (fabsl(expected) + fabs(base));
    if (truth->sum != 0.0L || size > 0.0)
        allowed += (c->relative > FLT_EPSILON ? 1e-30L : 1e-40L) * fmaxl(c->unit, 1.0L);
    if (allowed > 0.0L && error / allowed > c->worst)
        c->worst = (double)(error / allowed);
    if (error <= allowed)
        return true;
    snprintf(c->message, c->size, "%s %zu is %.17g, not %.17Lg: %.3Lg away, allowed are %.3Lg",
             what, i, got, expected, error, allowed);
    return false;
}

static bool check_all(compare *c, const char *what, const double *got, const mote_true_sum *truth,
                      size_t count, bool is32)
{
    for (size_t i = 0; got && i < count; i++)
        if (!check(c, what, i, got[i], &truth[i], 0.0, 1.0, is32))
            return false;
    return true;
}

static bool check_derivatives(compare *c, const mote_coordination_options *options,
                              const mote_coordination_result *result, const mote_true_sum *truth,
                              double unit)
{
    double factor = options->factor != 0.0 ? options->factor : 1.0;
    size_t stride = options->derivatives_by_4 ? 4 : 3;
    c->unit = unit; /* kernels form slopes in units of r_0 */
    for (size_t i = 0; i < 3 * result->frames * result->rows; i++) {
        double base = mote_coordination_base(i / 3 * stride + i % 3);
        if (!check(c, "derivative", i, result->derivatives[i], &truth[i],
                   options->accumulate ? base : 0.0, factor, options->derivatives32))
            return false;
    }
    c->unit = 1.0;
    return true;
}

bool mote_coordination_compare(const mote_system *s, const mote_truth *truth,
                               const mote_coordination_options *options,
                               const mote_coordination_result *result, double relative,
                               double *worst, char *message, size_t size)
{
    compare c = {.relative = relative, .unit = 1.0, .message = message, .size = size};
    size_t frames = truth->frames;
    mote_true_sum *of_atoms = NULL;
    if (result->status) {
        snprintf(message, size, "the error word says %s", mote_last_error());
        return false;
    }
    if (options->of == MOTE_DERIVATIVES_ATOM)
        of_atoms = mote_truth_of_atoms(truth, s);
    bool good = check_all(&c, "value", result->value, truth->value, frames, false) &&
                check_all(&c, "virial", result->virial, truth->virial, 9 * frames, false) &&
                (!result->derivatives ||
                 check_derivatives(&c, options, result, of_atoms ? of_atoms : truth->derivatives,
                                   s->function.r_0 > 0.0 ? 1.0 / s->function.r_0 : 1.0)) &&
                check_all(&c, "coordination number", result->coordination, truth->coordination,
                          frames * truth->entries, options->coordination32);
    free(of_atoms);
    if (worst && c.worst > *worst)
        *worst = c.worst;
    return good;
}
