/* SPDX-License-Identifier: Apache-2.0 */
/* Values whose sums are known exactly: random integers below 2^20, times 2^-10. */
#ifndef MOTE_BENCH_REDUCE_VALUES_H
#define MOTE_BENCH_REDUCE_VALUES_H

#include <stddef.h>
#include <stdint.h>

#define MOTE_BENCH_UNIT (1.0 / 1024)

/* Returns the integer of value i: a hash, so that arrays of a gigabyte are filled quickly. */
static inline int32_t mote_bench_integer(uint32_t i, uint32_t seed)
{
    uint32_t x = (i + seed) * 0x9e3779b1u;

    x = (x ^ x >> 15) * 0x85ebca77u;
    x = (x ^ x >> 13) * 0xc2b2ae3du;
    return (int32_t)(x >> 11) - (1 << 20);
}

static inline double mote_bench_abs(double x)
{
    return x < 0 ? -x : x;
}

static inline void mote_bench_values_f32(float *values, size_t n, uint32_t seed)
{
    for (size_t i = 0; i < n; i++)
        values[i] = (float)mote_bench_integer((uint32_t)i, seed) * (float)MOTE_BENCH_UNIT;
}

static inline void mote_bench_values_f64(double *values, size_t n, uint32_t seed)
{
    for (size_t i = 0; i < n; i++)
        values[i] = (double)mote_bench_integer((uint32_t)i, seed) * MOTE_BENCH_UNIT;
}

#endif
