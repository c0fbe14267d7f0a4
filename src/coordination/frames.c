/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/frames.h"

#include <math.h>
#include <string.h>

#include "cl_sources.h"
#include "coordination/defines.h"
#include "coordination/kept.h"

#define LATTICE_REAL double
#include "shared/lattice.h"

/* Boxes in kernel arguments at once: OpenCL guarantees 1 KiB of arguments. */
#define GIVEN_NUMBERS MOTE_COORDINATION_GIVEN_NUMBERS

/* Equals given_boxes of cl/coordination/entries/frames.cl. */
typedef struct given_boxes {
    uint32_t words[2 * GIVEN_NUMBERS];
} given_boxes;

/* Equals box_range of cl/coordination/entries/frames.cl. */
typedef struct box_range {
    uint32_t words[4];
} box_range;

static bool on_device(const mote_coordination_job *job)
{
    return job->args->box_device.mem || job->args->box_device.count;
}

/* All frames have one box, which the host knows. When a call is prepared, the frames of a later
 * batch may have different boxes. */
static bool is_given(const mote_coordination_job *job)
{
    const mote_coordination_args *a = job->args;
    bool same = a->frames == 1 || (a->box && !job->call->preparing);
    for (size_t f = 1; same && f < a->frames; f++)
        same = memcmp(a->box + 9 * f, a->box, 9 * sizeof(*a->box)) == 0;
    return job->plan->pbc == MOTE_PBC_NONE || (same && !on_device(job));
}

void mote_frames_carve(const mote_coordination_job *job, mote_frames *frames, mote_carve *carve)
{
    *frames = (mote_frames){.given = is_given(job)};
    if (job->plan->pbc != MOTE_PBC_NONE && (job->args->frames > 1 || on_device(job)))
        frames->array =
            mote_carve_take(carve, job->args->frames * MOTE_COORDINATION_FRAME_WORDS, MOTE_UINT32);
}

/* Off-diagonal numbers and signs are ignored in an orthorhombic box. */
static void clean_box(mote_pbc pbc, const double *box, double *clean)
{
    for (int k = 0; k < 9; k++)
        clean[k] = pbc == MOTE_PBC_TRICLINIC ? box[k] : k % 4 == 0 ? fabs(box[k]) : 0.0;
}

static mote_status make_given(const mote_coordination_job *job, mote_frames *frames)
{
    double box[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}; /* used while a call is prepared */
    bool wide = job->call->ctx->device.has_fp64;
    mote_coordination_frame *f = &frames->frame;
    double clean[9];
    lattice l;
    if (job->args->box)
        memcpy(box, job->args->box, sizeof(box));
    /* The copy is checked: another thread may change the caller's array, and a bad box must not
     * lead to bad cell numbers. */
    mote_status st = mote_box_check(job->call->name, job->plan->pbc, box, 1);
    if (st)
        return st;
    clean_box(job->plan->pbc, box, clean);
    if (job->plan->pbc == MOTE_PBC_ORTHORHOMBIC)
        lattice_keep(&l, clean);
    else
        lattice_make(&l, clean);
    for (int k = 0; k < 9; k++) {
        mote_coordination_put(f->inverse + 2 * k, l.inverse[k], wide);
        mote_coordination_put(f->rotation + 2 * k, l.rotation[k], wide);
    }
    for (int k = 0; k < 6; k++)
        mote_coordination_put(f->cell + 2 * k, l.cell[k], wide);
    f->near_only = lattice_is_wide(&l, mote_kept_reach(job->plan)) ? 1 : 0;
    return MOTE_SUCCESS;
}

/* Prepares one launch; `boxes` NULL: the boxes are on the device. */
static mote_status launch(const mote_coordination_job *job, const mote_frames *frames, size_t first,
                          size_t count, const given_boxes *boxes)
{
    const given_boxes none = {{0}};
    const mote_view from = boxes ? (mote_view){0} : job->args->box_device;
    bool wide = job->call->ctx->device.has_fp64;
    /* Boxes from the host have already been checked, so the widest range is used for them. */
    const mote_kernel_constants *constants = mote_coordination_job_constants(job);
    mote_coordination_params near = constants->params;
    mote_box_range range = {wide ? LATTICE_LEAST : LATTICE_LEAST_F,
                            wide ? LATTICE_MOST : LATTICE_MOST_F};
    box_range words;
    mote_defines d;
    mote_launch l;
    if (!boxes)
        range = constants->boxes;
    mote_coordination_put(words.words, range.least, wide);
    mote_coordination_put(words.words + 2, range.most, wide);
    mote_defines_begin(&d, job);
    if (job->plan->kept) {
        kept_limits limits = mote_kept_limits(job);
        memcpy(near.d_max_2, limits.near_2, sizeof(near.d_max_2));
    }
    mote_launch_begin(&l, job->call, &mote_cl_coordination_entries_frames, d.text, "frames_make");
    mote_launch_struct(&l, "p", &near, sizeof(near));
    mote_launch_struct(&l, "given", boxes ? boxes : &none, sizeof(*boxes));
    mote_launch_struct(&l, "range", &words, sizeof(words));
    mote_launch_view(&l, "boxes", &from);
    mote_launch_u32(&l, "is_double", from.type == MOTE_FLOAT64);
    mote_launch_u32(&l, "first", (uint32_t)first);
    mote_launch_u32(&l, "count", (uint32_t)count);
    mote_launch_view(&l, "frames", &frames->array);
    mote_launch_bytes(&l, count * MOTE_COORDINATION_FRAME_BYTES);
    /* Intel's CPU runtime, which vectorises across work-items, computes wrong boxes in larger
     * groups.
     */
    size_t local = job->call->ctx->device.device_class == MOTE_DEVICE_CPU ? 1 : 32;
    return mote_launch_run(&l, (count + local - 1) / local, local);
}

mote_status mote_frames_run(const mote_coordination_job *job, mote_frames *frames)
{
    size_t count = job->args->frames;
    bool wide = job->call->ctx->device.has_fp64;
    mote_status st = MOTE_SUCCESS;
    if (frames->given)
        return job->plan->pbc == MOTE_PBC_NONE ? MOTE_SUCCESS : make_given(job, frames);
    if (on_device(job))
        return launch(job, frames, 0, count, NULL);
    size_t every = job->plan->pbc == MOTE_PBC_ORTHORHOMBIC ? 4 : 1;
    size_t numbers = 8 / every + 1, most = GIVEN_NUMBERS / numbers;
    for (size_t first = 0; !st && first < count; first += most) {
        given_boxes boxes = {{0}};
        size_t some = count - first < most ? count - first : most;
        for (size_t k = 0; job->args->box && k < numbers * some; k++) {
            double number = job->args->box[9 * (first + k / numbers) + k % numbers * every];
            mote_coordination_put(boxes.words + 2 * k, number, wide);
        }
        st = launch(job, frames, first, some, &boxes);
        if (job->call->preparing)
            break;
    }
    return st;
}

void mote_frames_set(mote_launch *launch, const mote_frames *frames)
{
    mote_launch_struct(launch, "given", &frames->frame, sizeof(frames->frame));
    mote_launch_view(launch, "frames", &frames->array);
}
