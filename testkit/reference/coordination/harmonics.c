/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/coordination/harmonics.h"

#include <math.h>

static mote_dual times(mote_dual a, mote_dual b)
{
    mote_dual c = {.value = a.value * b.value};

    for (int k = 0; k < 3; k++)
        c.slope[k] = a.slope[k] * b.value + a.value * b.slope[k];
    return c;
}

/* Returns p a + q b. */
static mote_dual sum_of(double p, mote_dual a, double q, mote_dual b)
{
    mote_dual c = {.value = p * a.value + q * b.value};

    for (int k = 0; k < 3; k++)
        c.slope[k] = p * a.slope[k] + q * b.slope[k];
    return c;
}

/* Returns the associated Legendre function of cos(theta) times e^(i m phi), by the recursion
 *
 *     (k - m) P_k = (2 k - 1) z P_(k-1) - (k + m - 1) P_(k-2)
 *
 * which begins with P_m = (-1)^m (2 m - 1)!! (x + i y)^m. */
static mote_dual legendre(int l, int m, mote_dual z, mote_dual around)
{
    mote_dual before = {0}, p = {.value = 1};

    for (int k = 1; k <= m; k++)
        p = times(p, sum_of(-(2.0 * k - 1.0), around, 0, around));
    for (int k = m + 1; k <= l; k++) {
        mote_dual next =
            sum_of((2.0 * k - 1.0) / (k - m), times(z, p), -(double)(k + m - 1) / (k - m), before);
        before = p;
        p = next;
    }
    return p;
}

void mote_oracle_harmonics(int l, const double *vector, mote_dual *harmonics)
{
    const double pi = acos(-1.0), x = vector[0], y = vector[1], z = vector[2];
    const double length = sqrt(x * x + y * y + z * z);
    mote_dual unit[3], around;

    for (int k = 0; k < 3; k++) {
        unit[k].value = vector[k] / length;
        for (int m = 0; m < 3; m++)
            unit[k].slope[m] =
                ((k == m ? 1.0 : 0.0) - vector[k] / length * vector[m] / length) / length;
    }
    around.value = unit[0].value + I * unit[1].value;
    for (int k = 0; k < 3; k++)
        around.slope[k] = unit[0].slope[k] + I * unit[1].slope[k];
    for (int m = 0; m <= l; m++) {
        double ratio = 1.0;
        for (int k = l - m + 1; k <= l + m; k++)
            ratio /= k;
        mote_dual p = legendre(l, m, unit[2], around);
        mote_dual *at = harmonics + l + m, *mirrored = harmonics + l - m;
        *at = sum_of(sqrt((2.0 * l + 1.0) / (4.0 * pi) * ratio), p, 0, p);
        if (m == 0)
            continue;
        double sign = m % 2 ? -1.0 : 1.0;
        mirrored->value = sign * conj(at->value);
        for (int k = 0; k < 3; k++)
            mirrored->slope[k] = sign * conj(at->slope[k]);
    }
}
