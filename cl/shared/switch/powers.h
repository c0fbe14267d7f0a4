/* SPDX-License-Identifier: Apache-2.0 */
/* Whole powers and their sums, in the common part of C and OpenCL C.
 *
 * The including file defines first: real, the type of a number, and VEC, one number or a vector of
 * them. */
#ifndef MOTE_SHARED_SWITCH_POWERS_H
#define MOTE_SHARED_SWITCH_POWERS_H

static inline VEC power_of(VEC x, unsigned n)
{
    VEC p = (VEC)(1);
    for (unsigned rest = n; rest; rest >>= 1) {
        p = rest & 1 ? p * x : p;
        x *= x;
    }
    return p;
}

/* P_n = 1 + x + .. + x^(n - 1) and its derivative, by doubling: P_2k = P_k (1 + x^k). */
static inline void geometric(VEC x, unsigned n, VEC *sum, VEC *slope)
{
    VEC p = (VEC)(1), d = (VEC)(0), below = (VEC)(1); /* below = x^(k - 1) */
    unsigned k = 1, bit = 1;
    while (bit <= n / 2)
        bit <<= 1;
    for (bit >>= 1; bit; bit >>= 1) {
        VEC q = below * x, more = (VEC)(1) + q;
        d = d * more + p * below * (real)k;
        p *= more;
        below *= q;
        k *= 2;
        if (n & bit) {
            q = below * x;
            p += q;
            d += below * (real)k;
            below = q;
            k++;
        }
    }
    *sum = p;
    *slope = d;
}

#endif
