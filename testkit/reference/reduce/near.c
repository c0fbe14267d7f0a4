/* SPDX-License-Identifier: Apache-2.0 */
/* Comparison of float sums with exact ones. */
#include "testkit/reference/reduce/exact.h"
#include "testkit/reference/reduce/oracle.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static double ulp(double x, bool single)
{
    if (single)
        return (double)nextafterf((float)fabs(x), INFINITY) - (double)(float)fabs(x);
    return nextafter(fabs(x), INFINITY) - fabs(x);
}

static double bound(const mote_reduce_task *task, size_t n, mote_type result, double exact,
                    double size_sum)
{
    bool single = task->type == MOTE_FLOAT32 &&
                  (task->accumulation == MOTE_ACCUMULATE_NATIVE || !task->has_fp64);
    double eps = single ? (double)FLT_EPSILON : DBL_EPSILON;
    double rounding = 0.5 * ulp(exact, result == MOTE_FLOAT32);
    double count = (double)n;
    if (task->accumulation == MOTE_ACCUMULATE_COMPENSATED)
        return 4 * rounding + count * count * eps * eps * size_sum;
    return eps * (ceil(log2(count > 1 ? count : 1)) + 16) * size_sum + rounding;
}

bool mote_reduce_is_near(const mote_reduce_task *task, const void *values, size_t n,
                         mote_type result, double got, double low, char *message, size_t size)
{
    mote_exact sum = {0}, sizes = {0};
    for (size_t i = 0; i < n; i++) {
        double x = task->type == MOTE_FLOAT32 ? (double)((const float *)values)[i]
                                              : ((const double *)values)[i];
        if (isnan(x) && task->nan == MOTE_NAN_SKIP)
            continue;
        mote_exact_add(&sum, x);
        mote_exact_add(&sizes, fabs(x));
    }
    double exact = mote_exact_value(&sum), largest = result == MOTE_FLOAT32 ? FLT_MAX : DBL_MAX;
    if (isnan(exact) || isinf(exact)) {
        if (isnan(exact) ? isnan(got) : exact == got)
            return true;
        snprintf(message, size, "the sum of %zu values is %g, not %g", n, got, exact);
        return false;
    }
    mote_exact_add(&sum, -got);
    mote_exact_add(&sum, -low);
    double error = fabs(mote_exact_value(&sum));
    double allowed = bound(task, n, result, exact, mote_exact_value(&sizes));
    if (error <= allowed || (isinf(got) && fabs(exact) > largest))
        return true;
    snprintf(message, size,
             "the sum of %zu values is %.17g + %.9g, but exactly %.17g: off by %g, "
             "allowed %g",
             n, got, low, exact, error, allowed);
    return false;
}
