/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/host.h"
#include "coordination/box.h"
#include "coordination/plan.h"
#include "core/fail.h"

#include <float.h>
#include <math.h>

#define NAME MOTE_COORDINATION_HOST_NAME

static mote_status fail_argument(const char *what)
{
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, NAME ": %s", what);
}

static mote_status check_arrays(const mote_coordination_host_args *a,
                                const mote_coordination_shape *shape)
{
    if (a->positions64 && a->positions32)
        return fail_argument("positions64 and positions32: give one of them, not both");
    if (!a->positions64 && !a->positions32 && shape->n_atoms)
        return fail_argument("positions64 or positions32 is missing");
    if (a->derivatives64 && a->derivatives32)
        return fail_argument("derivatives64 and derivatives32: give one of them or neither");
    if (a->derivatives_of != MOTE_DERIVATIVES_ENTRY && a->derivatives_of != MOTE_DERIVATIVES_ATOM)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         NAME ": derivatives_of is %d, not a value of mote_derivatives_of",
                         (int)a->derivatives_of);
    if (a->weights && a->coordination)
        return fail_argument(
            "weights and coordination: coordination numbers have no weights, ask for "
            "them in a call of its own");
    if (shape->pbc != MOTE_PBC_NONE && !a->box)
        return fail_argument("box is NULL, but the plan is periodic");
    return MOTE_SUCCESS;
}

/* Limits lengths so that no number of bytes overflows; real calls have far smaller arrays. */
static mote_status check_sizes(const mote_coordination_host_args *a,
                               const mote_coordination_shape *shape)
{
    size_t most = shape->n_atoms > shape->entries ? shape->n_atoms : shape->entries;
    if (a->frames <= SIZE_MAX / 256 / (most + 1))
        return MOTE_SUCCESS;
    return mote_fail(MOTE_ERROR_UNSUPPORTED, NAME ": %zu frames of %zu atoms are too many",
                     a->frames, shape->n_atoms);
}

/* Pairs are weighted in the plan's precision: weights that would become infinite there are
 * rejected. */
static mote_status check_weights(const mote_coordination_host_args *a,
                                 const mote_coordination_shape *shape)
{
    bool wide = a->plan->precision == MOTE_PRECISION_DOUBLE;
    double most = wide ? DBL_MAX : (double)FLT_MAX;
    size_t count = a->weights ? a->frames * shape->entries : 0;
    for (size_t k = 0; k < count; k++)
        if (!(fabs(a->weights[k]) <= most))
            return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                             NAME ": frame %zu: the weight of entry %zu is %g, but must be %s",
                             k / shape->entries, k % shape->entries, a->weights[k],
                             wide ? "finite"
                                  : "within float32's range unless the precision is double");
    return MOTE_SUCCESS;
}

mote_status mote_coordination_check_host(const mote_context *ctx, mote_coordination_host_args *args,
                                         mote_coordination_shape *shape)
{
    const mote_coordination *plan = args->plan;
    if (!plan)
        return fail_argument("plan is NULL");
    if (plan->ctx != ctx)
        return mote_fail(MOTE_ERROR_WRONG_CONTEXT,
                         NAME ": plan was made on another mote_context than ctx");
    if (args->frames == 0)
        args->frames = 1;
    *shape = (mote_coordination_shape){
        .n_atoms = plan->n_atoms,
        .entries = mote_coordination_entries(plan),
        .pbc = plan->pbc,
        .atoms = plan->host_atoms,
    };
    mote_status st = check_arrays(args, shape);
    if (!st)
        st = check_sizes(args, shape);
    if (!st)
        st = check_weights(args, shape);
    return st ? st : mote_box_check(NAME, shape->pbc, args->box, args->frames);
}

mote_recentre_frame mote_coordination_host_frame(const mote_coordination_host_args *args,
                                                 const mote_coordination_shape *shape, size_t frame)
{
    return (mote_recentre_frame){
        .positions = args->positions64 + 3 * frame * shape->n_atoms,
        .box = shape->pbc == MOTE_PBC_NONE ? NULL : args->box + 9 * frame,
        .pbc = shape->pbc,
        .n_atoms = shape->n_atoms,
        .atoms = shape->atoms,
        .count = shape->entries,
    };
}

mote_status mote_coordination_fail_position(const mote_coordination_host_args *args,
                                            const mote_coordination_shape *shape, size_t frame,
                                            size_t atom)
{
    double x[3];
    for (size_t k = 0; k < 3; k++) {
        size_t i = 3 * (frame * shape->n_atoms + atom) + k;
        x[k] = args->positions64 ? args->positions64[i] : (double)args->positions32[i];
    }
    return mote_fail(MOTE_ERROR_POSITION,
                     NAME ": frame %zu: the position of atom %zu is (%g, %g, %g), but must be "
                          "finite",
                     frame, atom, x[0], x[1], x[2]);
}

mote_status mote_coordination_decode(const mote_coordination_host_args *args,
                                     const mote_coordination_shape *shape,
                                     const mote_error_word *word)
{
    uint32_t index = word->slot[MOTE_SLOT_POSITION];
    if (index == MOTE_ERROR_SLOT_CLEAR || !shape->n_atoms)
        return mote_error_decode(word, &index);
    return mote_coordination_fail_position(args, shape, index / shape->n_atoms,
                                           index % shape->n_atoms);
}
