/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults and checks of switching functions. */
#include "coordination/switch.h"
#include "coordination/switch_kinds.h"
#include "core/check.h"
#include "core/fail.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Above this value, single precision would soon overflow. */
#define MOST_VALUE 1e30

static mote_status check_d_max(const char *caller, const mote_switch *f)
{
    bool cubic = f->kind == MOTE_SWITCH_CUBIC;
    if (cubic && (f->d_max == 0.0 || f->d_max == INFINITY))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: CUBIC ends at d_max, which must be given as a finite length", caller);
    if (f->d_max == 0.0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: d_max is 0: only RATIONAL has an automatic one, give a length, or "
                         "INFINITY for none",
                         caller);
    if (!(f->d_max > f->d_0))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: d_max is %g, but must be above d_0 = %g",
                         caller, f->d_max, f->d_0);
    if (!(f->d_max > 0.0))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: d_max is %g, but must be above 0",
                         caller, f->d_max);
    return MOTE_SUCCESS;
}

static mote_status fill_lengths(const char *caller, mote_switch *f)
{
    if (!isfinite(f->d_0))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: d_0 is %g, but must be finite", caller,
                         f->d_0);
    const mote_switch_row *row = mote_switch_find(f->kind);
    bool cubic = f->kind == MOTE_SWITCH_CUBIC;
    mote_status st = cubic ? MOTE_SUCCESS : mote_switch_check_above_zero(caller, "r_0", f->r_0);
    if (!st)
        st = row->complete ? row->complete(caller, f) : MOTE_SUCCESS;
    if (!st && f->kind == MOTE_SWITCH_RATIONAL && f->d_max == 0.0)
        f->d_max = f->d_0 + f->r_0 * pow(1e-5, 1.0 / ((double)f->nn - (double)f->mm));
    if (!st)
        st = check_d_max(caller, f);
    if (!st && cubic && f->r_0 != 0.0 && f->r_0 != f->d_max - f->d_0)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                       "%s: r_0 is %g, but CUBIC has d_max - d_0 = %g for it: leave it 0", caller,
                       f->r_0, f->d_max - f->d_0);
    if (!st && cubic)
        f->r_0 = f->d_max - f->d_0;
    if (!st && !isfinite(1.0 / f->r_0 / f->r_0))
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: r_0 is %g, but must be at least %.3g",
                       caller, f->r_0, 1.0 / sqrt(DBL_MAX));
    return st;
}

/* Stretching needs a function that changes until d_max and stays within bounds. */
static mote_status check_values(const char *caller, const mote_switch *f)
{
    mote_switch_numbers numbers;
    mote_switch plain = *f;
    double slope = 0.0, end = 0.0;
    plain.no_stretch = 1;
    if (isfinite(f->d_max))
        end = mote_switch_value(&plain, f->d_max, &slope);
    if (!(fabs(end) <= MOST_VALUE) || !(fabs(slope * f->r_0) <= MOST_VALUE))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: %s reaches %g at d_max = %g, and its slope %g, more than can be "
                         "computed with",
                         caller, mote_switch_kind_name(f->kind), end, f->d_max, slope);
    if (!mote_switch_get_numbers(f, &numbers))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: %s is as good as the same at 0 and at d_max = %g (%g), and cannot be "
                         "stretched: set no_stretch (NOSTRETCH), or another d_0 or d_max",
                         caller, mote_switch_kind_name(f->kind), f->d_max, end);
    return MOTE_SUCCESS;
}

mote_status mote_switch_complete_for(const char *caller, mote_switch *function)
{
    mote_switch f = *function;
    if (f.size != sizeof(f))
        return mote_fail(MOTE_ERROR_INVALID_STRUCT,
                         "%s: the switching function's size is %zu: call mote_switch_init() on it "
                         "first",
                         caller, f.size);
    for (size_t k = 0; k < sizeof(f.reserved) / sizeof(f.reserved[0]); k++)
        if (f.reserved[k])
            return mote_fail(MOTE_ERROR_INVALID_STRUCT,
                             "%s: the switching function's reserved[%zu] is not 0: call "
                             "mote_switch_init() on it first, or use a newer library",
                             caller, k);
    mote_status st = MOTE_CHECK_CHOICE(caller, "kind", f.kind, mote_switch_kind);
    if (!st)
        st = fill_lengths(caller, &f);
    if (!st)
        st = check_values(caller, &f);
    if (!st)
        *function = f;
    return st;
}

mote_status mote_switch_complete(mote_switch *function)
{
    static const char caller[] = "mote_switch_complete";
    mote_switch f;
    if (!function)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: function is NULL", caller);
    mote_status st = mote_check_args(caller, "mote_switch_init", function, &f, sizeof(f));
    if (!st)
        st = mote_switch_complete_for(caller, &f);
    if (st)
        return st;
    size_t size = function->size;
    memcpy(function, &f, size < sizeof(f) ? size : sizeof(f));
    function->size = size;
    return MOTE_SUCCESS;
}
