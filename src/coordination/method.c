/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/method.h"

#include <math.h>

#include "core/log.h"
#include "core/tune.h"

bool mote_method_is_open(const mote_coordination_job *job)
{
    const mote_coordination *plan = job->plan;
    return plan->method == MOTE_COORDINATION_AUTO && plan->mode != MOTE_COORDINATION_PAIR &&
           !isinf(plan->function.d_max);
}

bool mote_method_is_cells(const mote_coordination_job *job)
{
    const mote_coordination *plan = job->plan;
    return plan->method == MOTE_COORDINATION_CELLS && plan->mode != MOTE_COORDINATION_PAIR;
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
