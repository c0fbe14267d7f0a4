/* SPDX-License-Identifier: Apache-2.0 */
/* Checking one call against the oracle. */
#include "testkit/cases/coordination/cases.h"
#include "testkit/reference/coordination/oracle_switch.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long the box's vectors are together, or how far the lists' atoms reach without a box. */
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

/* How long the terms are that a position's fractions of a triclinic box are added up from, each as
 * far along its vector as it moves the position; the extent of positions in other boxes. The terms
 * of a long and tilted box are far larger than the position, and so are their rounding errors. */
static double reach_of(const mote_system *s, size_t frame)
{
    const double *box = s->box + 9 * frame;
    double extent = mote_system_extent(s, frame), sum = 0.0, volume = 0.0;
    if (s->pbc != MOTE_PBC_TRICLINIC)
        return extent;
    for (size_t k = 0; k < 3; k++) {
        const double *b = box + 3 * ((k + 1) % 3), *c = box + 3 * ((k + 2) % 3);
        double area = 0.0;
        volume = 0.0;
        for (size_t m = 0; m < 3; m++) {
            double normal = b[(m + 1) % 3] * c[(m + 2) % 3] - b[(m + 2) % 3] * c[(m + 1) % 3];
            area += fabs(normal);
            volume += normal * box[3 * k + m];
        }
        sum += hypot(hypot(box[3 * k], box[3 * k + 1]), box[3 * k + 2]) * area;
    }
    return extent * sum / fabs(volume);
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

double mote_coordination_blur(const mote_system *s, const mote_coordination_how *how)
{
    double most = 0.0;
    bool in_double = how->precision == MOTE_PRECISION_DOUBLE;
    mote_oracle_switch function;
    mote_oracle_switch_make(&s->function, &function);
    for (size_t f = 0; f < s->frames; f++) {
        double cell = cell_of(s, f), extent = mote_system_extent(s, f);
        double exact = 2.0 * DBL_EPSILON * (cell + reach_of(s, f));
        if (in_double)
            most = fmax(most, exact);
        else if (s->pbc != MOTE_PBC_NONE && !how->positions32)
            most = fmax(most, FLT_EPSILON * fmin(cell, 32.0 * (double)function.d_max) +
                                  0x1p-31 * fmin(cell, largest_in_fractions(&function)) + exact);
        else if (how->positions32)
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

/* A copy with positions and boxes as the call gets them. */
static bool copy_rounded(mote_system *copy, const mote_system *s, const mote_coordination_how *how)
{
    if (!mote_system_copy(copy, s))
        return false;
    mote_system_round(copy, how->positions32, how->box_device == MOTE_FLOAT32);
    copy->weighted = how->weights != MOTE_TYPE_NONE;
    return true;
}

/* One call, on the plan of one share. */
static bool run_share(mote_context *ctx, cl_command_queue queue, const mote_system *s,
                      const mote_coordination_how *how, uint32_t share,
                      mote_coordination_result *result, char *message, size_t size)
{
    mote_coordination *plan = NULL;
    mote_status status = mote_coordination_share_of(ctx, s, how, share, &plan);
    if (status) {
        snprintf(message, size, "mote_coordination_create failed with %s: %s",
                 mote_status_name(status), mote_last_error());
        return false;
    }
    bool good = mote_coordination_run(ctx, queue, s, plan, how, result, message, size);
    mote_coordination_release(plan);
    return good;
}

static bool run(mote_context *ctx, cl_command_queue queue, const mote_system *s,
                const mote_truth *truth, const mote_coordination_how *how, char *message,
                size_t size)
{
    mote_coordination_result sum = {0}, result = {0};
    bool good = run_share(ctx, queue, s, how, 0, &sum, message, size);
    for (uint32_t share = 1; good && share < how->shares; share++) {
        good = run_share(ctx, queue, s, how, share, &result, message, size);
        if (good)
            mote_coordination_result_add(&sum, &result);
        mote_coordination_result_free(&result);
    }
    if (good)
        good = mote_coordination_compare(
            s, truth, how, &sum, mote_coordination_relative(how->precision), NULL, message, size);
    mote_coordination_result_free(&sum);
    return good;
}

bool mote_coordination_check_system(mote_context *ctx, cl_command_queue queue,
                                    const mote_system *given, const mote_coordination_how *how,
                                    char *message, size_t size)
{
    mote_system s;
    mote_truth truth;
    snprintf(message, size, "out of memory");
    if (!copy_rounded(&s, given, how))
        return false;
    bool good = mote_truth_make(&truth, &s, mote_coordination_blur(&s, how));
    if (good) {
        good = run(ctx, queue, &s, &truth, how, message, size);
        mote_truth_free(&truth);
    }
    mote_system_free(&s);
    return good;
}
