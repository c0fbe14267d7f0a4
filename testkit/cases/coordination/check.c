/* SPDX-License-Identifier: Apache-2.0 */
/* Compares one call with the oracle. */
#include "testkit/cases/coordination/cases.h"
#include "testkit/reference/coordination/oracle_switch.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Returns the sum of the lengths of the box's vectors, or the extent of the lists' atoms without a
 * box. */
static double cell_of(const mote_system *s, size_t frame)
{
    const double *x = s->positions + 3 * frame * s->n_atoms, *box = s->box + 9 * frame;
    size_t entries = mote_system_entries(s);
    double sum = 0.0;
    for (size_t k = 0; k < 9 && s->pbc != MOTE_PBC_NONE; k++)
        if (s->pbc == MOTE_PBC_TRICLINIC || k % 4 == 0)
            sum += fabs(box[k]);
    for (size_t k = 0; k < 3 && s->pbc == MOTE_PBC_NONE && entries; k++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t e = 0; e < entries; e++) {
            least = fmin(least, x[3 * mote_system_atom(s, e) + k]);
            most = fmax(most, x[3 * mote_system_atom(s, e) + k]);
        }
        sum += most - least;
    }
    return sum;
}

/* The lengths of the terms whose sum is a position in a triclinic box, each along a vector of the
 * box; the extent of positions in other boxes. The terms of a long and tilted box are far larger
 * than the position, and so are their rounding errors. */
static double reach_of(const mote_system *s, size_t frame)
{
    const double *box = s->box + 9 * frame;
    double extent = mote_system_extent(s, frame);
    long double sum = 0.0L, volume = 0.0L; /* the cube of a box may be beyond a double */
    if (s->pbc != MOTE_PBC_TRICLINIC)
        return extent;
    for (size_t k = 0; k < 3; k++) {
        const double *a = box + 3 * k, *b = box + 3 * ((k + 1) % 3), *c = box + 3 * ((k + 2) % 3);
        long double area = 0.0L, square = 0.0L;
        volume = 0.0L;
        for (size_t m = 0; m < 3; m++) {
            long double normal = (long double)b[(m + 1) % 3] * c[(m + 2) % 3] -
                                 (long double)b[(m + 2) % 3] * c[(m + 1) % 3];
            area += fabsl(normal);
            volume += normal * a[m];
            square += (long double)a[m] * a[m];
        }
        sum += sqrtl(square) * area;
    }
    return (double)(extent * sum / fabsl(volume));
}

/* The largest extent of a box for which the library computes with fractions of 2^-31 in float32;
 * for larger boxes it uses double precision. */
static double largest_in_fractions(const mote_oracle_switch *function)
{
    double change = (double)fminl(function->r_0, function->d_max);
    if (function->given.kind == MOTE_SWITCH_Q)
        change = fmin(change, 1.0 / (function->given.beta != 0.0 ? function->given.beta : 50.0));
    return 3.0 * 16384.0 * change;
}

double mote_coordination_blur(const mote_system *s, const mote_coordination_options *options)
{
    double most = 0.0;
    bool in_double = options->precision == MOTE_PRECISION_DOUBLE;
    mote_oracle_switch function;
    mote_oracle_switch_make(&s->function, &function);
    for (size_t f = 0; f < s->frames; f++) {
        double cell = cell_of(s, f), extent = mote_system_extent(s, f);
        double exact = 2.0 * DBL_EPSILON * (cell + reach_of(s, f));
        if (in_double)
            most = fmax(most, exact);
        else if (s->pbc != MOTE_PBC_NONE && !options->positions32)
            most = fmax(most, FLT_EPSILON * fmin(cell, 32.0 * (double)function.d_max) +
                                  0x1p-31 * fmin(cell, largest_in_fractions(&function)) + exact);
        else if (options->positions32)
            most = fmax(most, FLT_EPSILON * (cell + extent));
        else
            most = fmax(most, FLT_EPSILON * cell);
    }
    return most;
}

double mote_coordination_relative(mote_precision precision)
{
    return 64.0 * (precision == MOTE_PRECISION_DOUBLE ? DBL_EPSILON : FLT_EPSILON);
}

/* Checks that the derivatives of a frame add up to 0. This is true for any choice of images,
 * because the derivatives of a pair's two atoms are opposite. */
static bool check_cancel(const mote_truth *truth, const mote_coordination_options *options,
                         const mote_coordination_result *result, char *message, size_t size)
{
    size_t entries = truth->entries, rows = result->rows;
    double factor = options->factor != 0.0 ? fabs(options->factor) : 1.0;
    double error = mote_coordination_relative(options->precision) +
                   (options->derivatives32 ? FLT_EPSILON : 0.0);
    for (size_t k = 0; result->derivatives && k < 3 * truth->frames; k++) {
        long double sum = 0.0L;
        double most = 0.0;
        for (size_t i = 0; i < rows; i++)
            sum += result->derivatives[3 * (k / 3 * rows + i) + k % 3];
        for (size_t i = 0; i < entries; i++) {
            const mote_true_sum *d = &truth->derivatives[3 * (k / 3 * entries + i) + k % 3];
            most += d->size + d->blur; /* a term may be as large as its blur allows */
        }
        if (fabsl(sum) <= error * factor * most + 1e-30)
            continue;
        snprintf(message, size, "component %zu of frame %zu: derivatives add up to %Lg, of %g",
                 k % 3, k / 3, sum, factor * most);
        return false;
    }
    return true;
}

bool mote_coordination_judge(const mote_system *s, const mote_truth *truth,
                             const mote_coordination_options *options,
                             const mote_coordination_result *result, char *message, size_t size)
{
    return mote_coordination_compare(s, truth, options, result,
                                     mote_coordination_relative(options->precision), NULL, message,
                                     size) &&
           (options->accumulate || check_cancel(truth, options, result, message, size));
}
