/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/method.h"

#include <math.h>

#include "coordination/box.h"
#include "core/log.h"
#include "core/tune.h"

#define LATTICE_REAL double
#include "shared/lattice.h"

/* On a CPU both methods take equal time when (all pairs - CPU_COST x pairs tested by cells) =
 * CPU_LEAST x entries. Measured with PoCL, uniform atoms, single precision: equal at 800 entries
 * when cells test 0.36 of the pairs, at 2300 when 0.5; at 0.76 all pairs are always faster. */
#define CPU_LEAST 170.0
#define CPU_COST  1.7

/* On a GPU the all-pairs kernel tests each pair once and at a higher rate, and cells need a few
 * more launches: cells win when they save more than this number of pair tests, (all pairs -
 * GPU_COST x pairs tested by cells) of all frames. Measured on an NVIDIA H200, uniform atoms, when
 * cells test 0.06 to 0.14 of the pairs: equal at 4800 entries in single precision and at 3800 in
 * double; if lists are kept with a skin, at 3200 and 2000. In 256 frames of 1000 entries, in single
 * precision, when cells test 0.28. */
#define GPU_LEAST             1e7
#define GPU_LEAST_DOUBLE      5e6
#define GPU_LEAST_KEPT        3.5e6
#define GPU_LEAST_KEPT_DOUBLE 1e6
#define GPU_COST              3.5

/* Factors for the pairs that cells must save if the host does not know the box. */
#define CPU_UNSEEN 10.0
#define GPU_UNSEEN 6.0

/* The extent, in d_max, that cells test around an entry: cells of size d_max and one neighbour on
 * either side; along a row, cells of an eighth of d_max. */
#define ROWS_ACROSS 3.0
#define ROWS_ALONG  2.25

bool mote_method_is_open(const mote_coordination_job *job)
{
    const mote_coordination *plan = job->plan;
    return plan->method == MOTE_COORDINATION_AUTO && plan->mode != MOTE_COORDINATION_PAIR &&
           !isinf(plan->function.d_max);
}

/* Returns the part of the box that cells test around an entry. */
static double part_of(const mote_coordination_job *job, const double *box)
{
    double part = 1.0, inverse[9];
    lattice l;
    for (int k = 0; k < 9; k++)
        inverse[k] = k % 4 == 0 ? 1.0 / box[k] : 0.0;
    if (job->plan->pbc == MOTE_PBC_TRICLINIC) {
        lattice_make(&l, box);
        for (int k = 0; k < 9; k++)
            inverse[k] = l.inverse[k];
    }
    for (int k = 0; k < 3; k++) {
        double share =
            job->plan->function.d_max * mote_box_length(inverse[k], inverse[3 + k], inverse[6 + k]);
        part *= fmin(share * (k ? ROWS_ACROSS : ROWS_ALONG), 1.0);
    }
    return part;
}

/* Returns the number of pair tests of a frame that cells must save on a GPU. */
static double least_of_gpu(const mote_coordination_job *job)
{
    bool in_double = mote_coordination_is_double(job);
    if (mote_kept_applies(job))
        return in_double ? GPU_LEAST_KEPT_DOUBLE : GPU_LEAST_KEPT;
    return (in_double ? GPU_LEAST_DOUBLE : GPU_LEAST) / (double)job->args->frames;
}

bool mote_method_is_cells(const mote_coordination_job *job)
{
    const mote_coordination *plan = job->plan;
    if (!mote_method_is_open(job))
        return plan->method == MOTE_COORDINATION_CELLS && plan->mode != MOTE_COORDINATION_PAIR;
    const double *box = mote_coordination_host_box(job); /* of the first frame */
    double a = plan->n_a, b = plan->n_b;
    double pairs = plan->mode == MOTE_COORDINATION_SELF ? a * a / 2.0 : a * b;
    bool cpu = mote_tune_form(job->call->ctx, "coordination.form") == MOTE_DEVICE_CPU;
    double part = box ? part_of(job, box) : 0.0;
    double gain = pairs * (1.0 - (cpu ? CPU_COST : GPU_COST) * part);
    double least = cpu ? CPU_LEAST * (a + b) : least_of_gpu(job);
    if (!box)
        least *= cpu ? CPU_UNSEEN : GPU_UNSEEN;
    bool cells = gain > least;
    mote_log(
        MOTE_LOG_DEBUG,
        "%s: %s: %.3g pairs a frame, of which cells look at %s%.3g; less what those cost, %.3g, "
        "and cells pay above %.3g",
        job->call->name, cells ? "cells" : "all pairs", pairs,
        box ? "" : "an unknown part, more than ", part * pairs, gain, least);
    return cells;
}

void mote_method_choose_shape(const mote_coordination_job *job, bool cells, mote_method *method)
{
    method->cells = cells;
    method->kept = cells && job->entries && mote_kept_applies(job);
    if (method->kept)
        mote_kept_choose_shape(job, &method->of.kept);
    else if (cells)
        mote_cells_choose_shape(job, &method->of.of_cells);
    else
        mote_all_pairs_choose_shape(job, &method->of.all_pairs);
}

void mote_method_carve(const mote_coordination_job *job, mote_method *method, mote_carve *carve)
{
    if (method->kept)
        mote_kept_carve(job, &method->of.kept, carve);
    else if (method->cells)
        mote_cells_carve(job, &method->of.of_cells, carve);
    else
        mote_all_pairs_carve(job, &method->of.all_pairs, carve);
}

mote_status mote_method_run(const mote_coordination_job *job, const mote_method *method)
{
    if (method->kept)
        return mote_kept_run(job, &method->of.kept);
    return method->cells ? mote_cells_run(job, &method->of.of_cells)
                         : mote_all_pairs_run(job, &method->of.all_pairs);
}
