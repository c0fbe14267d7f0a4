/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>

#include "coordination/job.h"
#include "core/check.h"
#include "core/fail.h"
#include "core/log.h"

#define LATTICE_REAL double
#include "shared/lattice.h"

#define REALS (MOTE_TYPE_BIT(MOTE_FLOAT32) | MOTE_TYPE_BIT(MOTE_FLOAT64))

static mote_status check_stride(const mote_call *call, const char *name, uint32_t *stride)
{
    if (*stride == 0)
        *stride = 3;
    if (*stride == 3 || *stride == 4)
        return MOTE_SUCCESS;
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: %s is %u, but must be 3 or 4 (0 = 3)",
                     call->name, name, (unsigned)*stride);
}

static mote_status check_plain(mote_coordination_job *job, mote_coordination_args *a)
{
    const mote_call *call = job->call;
    if (!a->plan)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: plan is NULL", call->name);
    if (a->plan->ctx != call->ctx)
        return mote_fail(MOTE_ERROR_WRONG_CONTEXT, "%s: plan belongs to another context than ctx",
                         call->name);
    job->plan = a->plan;
    if (a->frames == 0)
        a->frames = 1;
    if (a->frames >= UINT32_MAX)
        return mote_fail(MOTE_ERROR_UNSUPPORTED, "%s: %zu frames; a call takes fewer than 2^32 - 1",
                         call->name, a->frames);
    mote_status st =
        MOTE_CHECK_CHOICE(call->name, "derivatives_of", a->derivatives_of, mote_derivatives_of);
    if (st)
        return st;
    if (!isfinite(a->factor))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: factor is %g, but must be finite",
                         call->name, a->factor);
    if (a->factor == 0.0)
        a->factor = 1.0;
    job->entries = job->numbers = (size_t)a->plan->n_a + a->plan->n_b;
    job->first = job->last = true;
    job->rows = a->derivatives_of == MOTE_DERIVATIVES_ATOM ? a->plan->n_atoms : job->entries;
    st = check_stride(call, "position_stride", &a->position_stride);
    return st ? st : check_stride(call, "derivative_stride", &a->derivative_stride);
}

/* frames x each x numbers, or a number larger than any buffer. */
static size_t elements(const mote_coordination_job *job, size_t each, size_t numbers)
{
    size_t frames = job->args->frames;
    if (each && frames > SIZE_MAX / 2 / each / numbers)
        return SIZE_MAX - 1;
    return frames * each * numbers;
}

const double *mote_coordination_host_box(const mote_coordination_job *job)
{
    const mote_coordination_args *a = job->args;
    bool on_device = a->box_device.mem || a->box_device.count;
    return job->plan->pbc == MOTE_PBC_NONE || on_device ? NULL : a->box;
}

static mote_status check_boxes(const mote_coordination_job *job)
{
    const mote_coordination_args *a = job->args;
    bool on_device = a->box_device.mem || a->box_device.count;
    if (job->plan->pbc == MOTE_PBC_NONE || on_device)
        return MOTE_SUCCESS;
    if (!a->box && job->call->preparing)
        return MOTE_SUCCESS;
    if (!a->box)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: box is NULL, but the plan is periodic: give box or box_device",
                         job->call->name);
    return mote_box_check(job->call->name, job->plan->pbc, a->box, a->frames);
}

/* Fails because of a box out of range. If the box is too small, r_0 may be the wrong value. */
static mote_status fail_range(const mote_coordination_job *job, size_t frame, const double *box,
                              const mote_box_range *range)
{
    const mote_switch *f = &job->plan->function;
    double shortest = mote_box_shortest(job->plan->pbc, box);
    char why[160];
    int used = snprintf(why, sizeof(why), "beside r_0 = %g", f->r_0);
    bool fp64 = job->call->ctx->device.has_fp64;
    bool of_r_0 = job->plan->numbers.unit == f->r_0 &&
                  range->least > (fp64 ? LATTICE_LEAST : (double)LATTICE_LEAST_F);
    if (shortest < range->least && of_r_0)
        snprintf(why + used, sizeof(why) - (size_t)used, ", which may be at most %.3g in this box",
                 f->r_0 * (shortest / range->least));
    else if (!fp64)
        snprintf(why + used, sizeof(why) - (size_t)used, " and d_max = %g in float32", f->d_max);
    return mote_box_fail_outside(job->call->name, frame, box, range, why);
}

/* Chooses double precision if a box needs it. Boxes on the device cannot change the precision:
 * there, a box that is out of range is treated as bad. */
static mote_status choose_precision(mote_coordination_job *job)
{
    const mote_coordination *plan = job->plan;
    const double *box = mote_coordination_host_box(job);
    bool fp64 = job->call->ctx->device.has_fp64,
         in_double = plan->precision == MOTE_PRECISION_DOUBLE;
    const mote_box_range *range = &plan->constants[in_double].boxes;
    size_t frames = job->args->frames, at = frames;
    job->precision = plan->precision;
    if (box)
        at = mote_box_find_outside(plan->pbc, box, frames, range);
    if (!in_double && fp64 && (at < frames || range->least > range->most)) {
        mote_log(MOTE_LOG_DEBUG, "%s: in double precision, which float32 has no digits for",
                 job->call->name);
        job->precision = MOTE_PRECISION_DOUBLE;
        range = &plan->constants[true].boxes;
        at = box ? mote_box_find_outside(plan->pbc, box, frames, range) : frames;
    }
    if (at == frames)
        return MOTE_SUCCESS;
    return fail_range(job, at, box + 9 * at, range);
}

static mote_status check_fp64(const mote_call *call, const mote_view_rule *views, size_t count)
{
    if (call->ctx->device.has_fp64)
        return MOTE_SUCCESS;
    for (size_t i = 0; i < count; i++)
        if (views[i].view->type == MOTE_FLOAT64)
            return mote_fail(MOTE_ERROR_UNSUPPORTED,
                             "%s: %s is float64, but %s has no double precision: use float32",
                             call->name, views[i].name, call->ctx->device.name);
    return MOTE_SUCCESS;
}

static mote_status check_views(const mote_coordination_job *job)
{
    const mote_coordination_args *a = job->args;
    bool fp64 = job->call->ctx->device.has_fp64;
    uint32_t sums = MOTE_TYPE_BIT(fp64 ? MOTE_FLOAT64 : MOTE_FLOAT32);
    size_t halves = fp64 ? 1 : 2;
    size_t boxes = job->plan->pbc == MOTE_PBC_NONE ? SIZE_MAX : elements(job, 1, 9);
    size_t positions = elements(job, job->plan->n_atoms, a->position_stride);
    const mote_view_rule views[] = {
        {"positions", &a->positions, REALS, positions, VIEW_EXACT},
        {"box_device", &a->box_device, REALS, boxes, VIEW_EXACT | VIEW_OPTIONAL},
        {"value", &a->value, sums, elements(job, 1, halves),
         VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES},
        {"virial", &a->virial, sums, elements(job, 1, 9 * halves),
         VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES},
        {"derivatives", &a->derivatives, REALS, elements(job, job->rows, a->derivative_stride),
         VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES},
        {"coordination", &a->coordination, REALS, elements(job, job->numbers, 1),
         VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES},
        {"weights", &a->weights, REALS, elements(job, job->numbers, 1), VIEW_EXACT | VIEW_OPTIONAL},
    };
    size_t count = sizeof(views) / sizeof(views[0]);
    if (a->weights.count && a->coordination.count)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: weights and coordination: coordination numbers have no weights, ask "
                         "for them in a call of its own",
                         job->call->name);
    mote_status st = check_fp64(job->call, views, count);
    return st ? st : mote_check_views(job->call, views, count);
}

size_t mote_coordination_job_count(const mote_coordination_job *job)
{
    return job->plan->n_parts ? job->plan->n_parts : 1;
}

mote_coordination_job mote_coordination_job_part(const mote_coordination_job *job, size_t part)
{
    mote_coordination_job own = *job;
    if (!job->plan->n_parts)
        return own;
    own.plan = job->plan->parts[part];
    own.entries = (size_t)own.plan->n_a + own.plan->n_b;
    own.first = part == 0;
    own.last = part + 1 == job->plan->n_parts;
    return own;
}

mote_status mote_coordination_check(mote_call *call, mote_coordination_args *args,
                                    mote_coordination_job *job)
{
    *job = (mote_coordination_job){.call = call, .args = args};
    mote_status st = check_plain(job, args);
    if (!st)
        st = check_views(job);
    if (!st)
        st = check_boxes(job);
    return st ? st : choose_precision(job);
}
