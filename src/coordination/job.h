/* SPDX-License-Identifier: Apache-2.0 */
/* One checked call of mote_coordination_compute(). */
#ifndef MOTE_COORDINATION_JOB_H
#define MOTE_COORDINATION_JOB_H

#include "coordination/plan.h"
#include "core/call.h"

typedef struct mote_coordination_job {
    const mote_coordination_args *args; /* with the defaults filled in */
    mote_call *call;
    const mote_coordination
        *plan;                /* the plan of the call, or the part of it that the job computes */
    mote_precision precision; /* the plan's precision, or DOUBLE if its boxes need it */
    size_t entries;           /* entries of the plan or of its part */
    size_t numbers,
        rows; /* rows of the outputs in a frame: entries of the call's plan, derivatives */
    bool first,
        last; /* first and last part of a share; the others add to the results of the first */
} mote_coordination_job;

/* Fills in the defaults of the arguments, and a job, which refers to them; fails, before anything
 * is enqueued, if an argument is wrong. */
mote_status mote_coordination_check(mote_call *call, mote_coordination_args *args,
                                    mote_coordination_job *job);

/* Returns the boxes of a call, or NULL if they are on the device, if there are none, or if they are
 * not known yet. */
const double *mote_coordination_host_box(const mote_coordination_job *job);

/* Return the number of jobs of a call (one for each part of a share, else one), and one of these
 * jobs. */
size_t mote_coordination_job_count(const mote_coordination_job *job);
mote_coordination_job mote_coordination_job_part(const mote_coordination_job *job, size_t part);

/* Returns the type of positions and partial sums on the device. */
static inline mote_type mote_coordination_real(const mote_coordination_job *job)
{
    return job->precision == MOTE_PRECISION_DOUBLE ? MOTE_FLOAT64 : MOTE_FLOAT32;
}

static inline bool mote_coordination_is_double(const mote_coordination_job *job)
{
    return job->precision == MOTE_PRECISION_DOUBLE;
}

/* Returns the constants of its plan that the job's kernels receive. */
static inline const mote_kernel_constants *mote_coordination_job_constants(
    const mote_coordination_job *job)
{
    return &job->plan->constants[mote_coordination_is_double(job)];
}

#endif
