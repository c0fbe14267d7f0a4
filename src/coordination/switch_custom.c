/* SPDX-License-Identifier: Apache-2.0 */
/* CUSTOM: a switching function given as an expression by the user. */
#include "coordination/expression.h"
#include "coordination/switch_custom.h"
#include "core/fail.h"

#include <math.h>
#include <string.h>

#define PLACES 257 /* distances at which a function must be finite */

/* The last of these distances for a function without d_max, in units of r_0. */
#define FAR 100.0

static bool read_func(const mote_switch *f, mote_expression *e, mote_expression_error *error)
{
    return mote_expression_parse(f->func, strnlen(f->func, sizeof(f->func)), true, e, error) &&
           mote_expression_derive(e);
}

static bool is_finite_at_0(const mote_expression *e)
{
    double slope, value = mote_expression_value(e, 0.0, &slope);
    return isfinite(value) && isfinite(slope) && isfinite(mote_expression_narrow(e, 0.0));
}

/* Makes the expression that kernels evaluate. It is in x2 if x occurs in even powers only and
 * nothing is infinite near 0, where a slope with respect to x2 overflows earlier than a slope with
 * respect to x. */
static bool read_kernel_func(const mote_switch *f, mote_expression *e, mote_expression_error *error)
{
    mote_expression read;
    if (f->d_0 == 0.0 &&
        mote_expression_parse(f->func, strnlen(f->func, sizeof(f->func)), true, &read, error) &&
        mote_expression_in_square(&read, e) && mote_expression_derive(e) && is_finite_at_0(e))
        return true;
    return read_func(f, e, error);
}

/* Tests distances between multiples at which an expression is likely to have a pole. */
static mote_status check_range(const char *caller, const mote_switch *f, const mote_expression *e,
                               bool narrow)
{
    double first = fmax(-f->d_0, 0.0) / f->r_0;
    double last = isinf(f->d_max) ? first + FAR : (f->d_max - f->d_0) / f->r_0;
    for (int k = e->squares ? 0 : 1; k <= PLACES; k++) {
        double part = k ? (k - 0.38196601) / PLACES : 0.0, x = first + part * (last - first);
        double at = e->squares ? x * x : x;
        double value = narrow ? mote_expression_narrow(e, at) : mote_expression_value(e, at, NULL);
        if (!isfinite(value))
            return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                             "%s: FUNC=%s is %s at x = %.3g%s: it must be finite from d_0 to d_max",
                             caller, f->func, isnan(value) ? "no number" : "infinite", x,
                             narrow ? " in single precision" : "");
    }
    return MOTE_SUCCESS;
}

mote_status mote_switch_custom_complete(const char *caller, mote_switch *f)
{
    mote_expression e;
    mote_expression_error error = {.what = "too many steps, with those of the derivative"};
    if (!memchr(f->func, '\0', sizeof(f->func)))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: func has no end: it is not a string",
                         caller);
    if (!f->func[0])
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: CUSTOM needs func, an expression in x",
                         caller);
    if (!read_func(f, &e, &error))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: FUNC=%s at character %zu, '%.20s': %s",
                         caller, f->func, error.at + 1, f->func + error.at, error.what);
    if (e.squares && f->d_0 != 0.0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: FUNC=%s has x2 alone, which is (r / r_0)^2, but d_0 is %g: write x^2",
                         caller, f->func, f->d_0);
    if (!(f->r_0 > 0.0) || isnan(f->d_max) || f->d_max == 0.0)
        return MOTE_SUCCESS; /* refused for that */
    return check_range(caller, f, &e, false);
}

mote_status mote_switch_custom_check_narrow(const char *caller, const mote_switch *f)
{
    mote_expression e;
    mote_expression_error error;
    if (f->kind != MOTE_SWITCH_CUSTOM || !read_kernel_func(f, &e, &error))
        return MOTE_SUCCESS;
    return check_range(caller, f, &e, true);
}

bool mote_switch_is_of_square(const mote_switch *f)
{
    mote_expression e;
    mote_expression_error error;
    return f->kind == MOTE_SWITCH_CUSTOM && read_func(f, &e, &error) && e.squares;
}

mote_switch_point mote_switch_custom_value(const mote_switch *f, double x)
{
    mote_expression e;
    mote_expression_error error;
    mote_switch_point p = {.value = NAN, .slope = NAN};
    if (!read_func(f, &e, &error))
        return p;
    p.value = mote_expression_value(&e, e.squares ? x * x : x, &p.slope);
    if (e.squares)
        p.slope *= 2.0 * x;
    return p;
}

mote_switch_square mote_switch_custom_square(const mote_switch *f)
{
    mote_expression e;
    mote_expression_error error;
    if (!read_kernel_func(f, &e, &error) || !e.squares)
        return (mote_switch_square){0};
    return (mote_switch_square){.name = "switch_custom", .factor = 2.0, .power = 1.0};
}

bool mote_switch_custom_misses_one(const mote_switch *f, double least)
{
    mote_expression e;
    mote_expression_error error;
    (void)least;
    return !read_kernel_func(f, &e, &error) || !e.squares ||
           mote_expression_value(&e, 0.0, NULL) != 1.0 || mote_expression_narrow(&e, 0.0) != 1.0;
}

void mote_switch_custom_print(const mote_switch *f, bool as_double, char *text, size_t size)
{
    mote_expression e;
    mote_expression_error error;
    text[0] = '\0';
    if (read_kernel_func(f, &e, &error))
        mote_expression_print(&e, as_double, text, size);
}
