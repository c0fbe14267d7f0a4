/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/method.h"

#include <math.h>

#include "core/log.h"
#include "core/tune.h"

#define LATTICE_REAL double
#include "shared/lattice.h"

/* Both methods take as long where the pairs less CPU_COST times those that cells look at are this
 * many times the entries on a CPU. Measured with PoCL, uniform atoms, single precision: the same
 * with a part of 0.36 at 800 entries and with 0.5 at 2300; with 0.76 never. */
#define CPU_LEAST 170.0
#define CPU_COST  1.7

/* On GPUs all pairs look at each once and at more of them in the same time, and cells cost some
 * launches more: these are the pairs (1 - 3.5 part) of all frames that all pairs look at meanwhile.
 * Measured on an NVIDIA H200, uniform atoms, single precision: as long at 5000 entries with part
 * 0.06, and with 256 frames of 1000 and part 0.28. */
#define GPU_LEAST 1e7
#define GPU_COST  3.5

/* With a box that the host does not see: so many times as many. */
#define CPU_UNSEEN 10.0
#define GPU_UNSEEN 6.0

/* Cells of d_max and of an eighth of it, and that neighbours on either side are looked at. */
#define ROWS_ACROSS 3.0
#define ROWS_ALONG  2.25

bool mote_method_is_open(const mote_coordination_job *job)
{
    const mote_coordination *plan = job->plan;
    return plan->method == MOTE_COORDINATION_AUTO && plan->mode != MOTE_COORDINATION_PAIR &&
           !isinf(plan->function.d_max);
}

/* The box of the first frame, unless it is on the device or there is none. */
static const double *seen_box(const mote_coordination_job *job)
{
    const mote_coordination_args *a = &job->args;
    bool on_device = a->box_device.mem || a->box_device.count;
    return job->plan->pbc == MOTE_PBC_NONE || on_device ? NULL : a->box;
}

/* The part of the box that cells look at around an entry. */
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
            job->plan->function.d_max * hypot(hypot(inverse[k], inverse[3 + k]), inverse[6 + k]);
        part *= fmin(share * (k ? ROWS_ACROSS : ROWS_ALONG), 1.0);
    }
    return part;
}

bool mote_method_is_cells(const mote_coordination_job *job)
{
    const mote_coordination *plan = job->plan;
    if (!mote_method_is_open(job))
        return plan->method == MOTE_COORDINATION_CELLS && plan->mode != MOTE_COORDINATION_PAIR;
    const double *box = seen_box(job);
    double a = plan->n_a, b = plan->n_b;
    double pairs = plan->mode == MOTE_COORDINATION_SELF ? a * a / 2.0 : a * b;
    bool cpu = mote_tune_form(job->call->ctx, "coordination.form") == MOTE_DEVICE_CPU;
    double part = box ? part_of(job, box) : 0.0;
    double gain = pairs * (1.0 - (cpu ? CPU_COST : GPU_COST) * part);
    double least = cpu ? CPU_LEAST * (a + b) : GPU_LEAST / (double)job->args.frames;
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

void mote_method_carve(const mote_coordination_job *job, bool cells, mote_method *method,
                       mote_carve *carve)
{
    method->cells = cells;
    if (cells)
        mote_cells_carve(job, &method->of.of_cells, carve);
    else
        mote_all_pairs_carve(job, &method->of.all_pairs, carve);
}

mote_status mote_method_run(const mote_coordination_job *job, mote_method *method)
{
    return method->cells ? mote_cells_run(job, &method->of.of_cells)
                         : mote_all_pairs_run(job, &method->of.all_pairs);
}
