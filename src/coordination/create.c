/* SPDX-License-Identifier: Apache-2.0 */
/* mote_coordination_create(): checks the arguments, and creates the plan or a share of it. */
#include <math.h>

#include "coordination/shares.h"
#include "core/check.h"
#include "core/fail.h"
#include "core/fork.h"

#define CALLER "mote_coordination_create"

/* The kernels support fewer than 2^31 atoms and entries. */
#define MOST ((size_t)1 << 31)

/* Work-items that compute the final sums of a frame: one for each total. */
#define LEAST_GROUP 8

static mote_status check_options(const mote_context *ctx, const mote_coordination_plan_args *a)
{
    mote_status st = MOTE_CHECK_CHOICE(CALLER, "mode", a->mode, mote_coordination_mode);
    if (!st)
        st = MOTE_CHECK_CHOICE(CALLER, "pbc", a->pbc, mote_pbc);
    if (!st)
        st = MOTE_CHECK_CHOICE(CALLER, "precision", a->precision, mote_precision);
    if (!st)
        st = MOTE_CHECK_CHOICE(CALLER, "method", a->method, mote_coordination_method);
    if (st)
        return st;
    if (a->precision == MOTE_PRECISION_DOUBLE && !ctx->device.has_fp64)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         CALLER ": precision DOUBLE needs double precision, which %s does not "
                                "have: use MIXED",
                         ctx->device.name);
    if (!(a->skin >= 0.0 && a->skin < INFINITY))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": skin is %g, but must be finite and at least 0 (0 = none)",
                         a->skin);
    if (a->share >= (a->shares ? a->shares : 1) || a->shares > MOTE_COORDINATION_MOST_SHARES)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": share is %u of %u shares: it counts from 0, and there are at "
                                "most %u",
                         (unsigned)a->share, (unsigned)(a->shares ? a->shares : 1),
                         (unsigned)MOTE_COORDINATION_MOST_SHARES);
    if (ctx->device.max_work_group < LEAST_GROUP)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         CALLER ": needs groups of %d work-items, but %s allows at most %zu",
                         LEAST_GROUP, ctx->device.name, ctx->device.max_work_group);
    return MOTE_SUCCESS;
}

static mote_status check_lengths(const mote_coordination_plan_args *a)
{
    size_t n_a = a->group_a || a->n_a ? a->n_a : a->n_atoms;
    if (a->n_atoms >= MOST || n_a >= MOST || a->n_b >= MOST || n_a + a->n_b >= MOST)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         CALLER ": %zu atoms, %zu entries in A and %zu in B: a plan takes fewer "
                                "than 2^31 of each, and of both lists",
                         a->n_atoms, n_a, a->n_b);
    if ((a->n_a && !a->group_a) || (a->n_b && !a->group_b))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, CALLER ": %s is %zu, but %s is NULL",
                         a->n_a && !a->group_a ? "n_a" : "n_b",
                         a->n_a && !a->group_a ? a->n_a : a->n_b,
                         a->n_a && !a->group_a ? "group_a" : "group_b");
    if (a->mode != MOTE_COORDINATION_SELF && !a->group_b)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": mode %s needs a second list, but group_b is NULL",
                         a->mode == MOTE_COORDINATION_TWO ? "TWO" : "PAIR");
    if (a->mode == MOTE_COORDINATION_SELF && a->n_b)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": n_b is %zu, but mode SELF has one list only", a->n_b);
    if (a->mode == MOTE_COORDINATION_PAIR && n_a != a->n_b)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": mode PAIR needs two lists of one length, but A has %zu entries "
                                "and B has %zu",
                         n_a, a->n_b);
    return MOTE_SUCCESS;
}

static mote_status check_all(const mote_context *ctx, mote_coordination_plan_args *a)
{
    mote_status st = check_options(ctx, a);
    if (!st)
        st = check_lengths(a);
    if (!st)
        st = mote_switch_complete_for(CALLER, &a->function);
    if (!st && a->method == MOTE_COORDINATION_CELLS && isinf(a->function.d_max))
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                       CALLER ": method CELLS needs a finite d_max, or all pairs are neighbours");
    return st;
}

mote_status mote_coordination_create(mote_context *ctx, const mote_coordination_plan_args *args,
                                     mote_coordination **out)
{
    mote_coordination_plan_args a;
    if (out)
        *out = NULL;
    if (!ctx || !out)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, CALLER ": %s is NULL", ctx ? "out" : "ctx");
    mote_status st = mote_check_process(CALLER);
    if (!st)
        st = mote_check_args(CALLER, "mote_coordination_plan_args_init", args, &a, sizeof(a));
    if (!st)
        st = check_all(ctx, &a);
    if (!st)
        st = mote_coordination_make(ctx, &a, out);
    if (!st && a.shares > 1)
        st = mote_coordination_divide(*out, a.share, a.shares);
    if (st) {
        mote_coordination_release(*out);
        *out = NULL;
    }
    return st;
}
