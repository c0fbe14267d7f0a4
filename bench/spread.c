/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/spread.h"

#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

mote_spread mote_spread_of(double *values, size_t n)
{
    qsort(values, n, sizeof(double), compare_doubles);
    return (mote_spread){
        .median = n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]),
        .low = values[(n - 1) / 10],
        .high = values[(n - 1) - (n - 1) / 10],
    };
}
