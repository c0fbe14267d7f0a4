/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms, for CPUs: few work-items, each with a long range of the values and sums of its own.
 *
 * 16 values are processed at a time, without branches. A work-item has two sums more than there are
 * bins, for the values that are equal to the last edge and for those that are in no bin.
 *
 * Form: CPU.
 * Defines: VALUES (8 is float32), EDGES, WEIGHTS (reduce/histogram.clh). */
#define CPU_FORM
#include "common/lanes_cpu.clh"
#include "reduce/histogram.clh"

#define MORE    2 /* sums than bins */
#define BLOCK   16
#define VALUE16 CAT(VALUE, 16)

#if WEIGHTS
#define SUM      ulong
#define WEIGHT16 CAT(WEIGHT, 16)
#if WEIGHTS == 9
#define WEIGHT_BITS ulong16
#else
#define WEIGHT_BITS uint16
#endif
#else
#define SUM uint
#endif

#if IS_FLOAT
#define DISTANCE16(first, x) convert_float16((x) - (first))
#elif VALUES == 6 || VALUES == 7
#define DISTANCE16(first, x) convert_float16(CAT(as_, ulong16)(x) - (ulong)(first))
#elif VALUES == 4 || VALUES == 5
#define DISTANCE16(first, x) convert_float16(CAT(as_, uint16)(x) - (uint)(first))
#else
#define DISTANCE16(first, x) convert_float16(convert_int16(x) - (int)(first))
#endif

__kernel void histogram_prepare(const __global EDGE_STORED *restrict edges, ulong edges_at,
                                ulong low, ulong high, ulong step, uint bins,
                                __global VALUE *restrict keys, ulong keys_at,
                                __global uint *restrict state, ulong state_at,
                                __global uint *restrict sums, ulong sums_at, ulong sum_words,
                                __global uint *error, ulong error_at)
{
    const edge_list e = {edges + edges_at, low, high, step, bins};
    __global uint *part = state + state_at + MOTE_HISTOGRAM_PART(get_global_id(0));
    uint reached = bins;
    part[MOTE_HISTOGRAM_NEAR] =
        as_uint(make_keys(&e, keys + keys_at, error ? error + error_at : error, &reached));
    part[MOTE_HISTOGRAM_REACHED] = reached;
    if (get_global_id(0) == 0)
        state[state_at + MOTE_HISTOGRAM_EXPONENT] = 0;
    for (sweep s = sweep_of(sum_words); s.at < s.end; s.at += s.step)
        sums[sums_at + s.at] = 0;
}

#if WEIGHTS
inline uint largest_exponent(WEIGHT_BITS bits)
{
#if WEIGHTS == 9
    uint16 e = convert_uint16(bits >> 52) & EXPONENT_LIMIT;
#else
    uint16 e = bits >> 23 & EXPONENT_LIMIT;
#endif
    e &= convert_uint16(e != EXPONENT_LIMIT);
    uint8 eight = max(e.lo, UPPER_8(uint8, e));
    uint4 four = max(eight.lo, eight.hi);
    return max(max(four.x, four.y), max(four.z, four.w));
}

__kernel void histogram_exponent(const __global WEIGHT *restrict weights, ulong weights_at, ulong n,
                                 __global uint *restrict state, ulong state_at)
{
    uint most = 0;
    sweep s = sweep_of(n);
    for (; s.at + BLOCK <= s.end; s.at += BLOCK)
        most = max(
            most, largest_exponent(CAT(as_, WEIGHT_BITS)(vload16(0, weights + weights_at + s.at))));
    for (; s.at < s.end; s.at++) {
        uint exponent = EXPONENT(weights[weights_at + s.at]);
        most = max(most, exponent < EXPONENT_LIMIT ? exponent : 0);
    }
    atomic_max(&state[state_at + MOTE_HISTOGRAM_EXPONENT], most);
}
#endif

/* The sum that each of 16 values belongs to, or with a regular grid that or the next one, if the
 * value is below its key. */
inline void block_sums(const grid *g, VALUE16 v, const VALUE *x, int *sum)
{
    const int none = (int)g->bins + 1;
    int16 inside = convert_int16(v >= g->first && v <= g->end);
    if (g->regular) {
        float16 limit = (float)g->bins, place = DISTANCE16(g->first, v) * g->scale;
        place = inside ? place : limit;
        place = place < limit ? place : limit;
        vstore16(inside ? convert_int16(rint(place)) : (int16)none, 0, sum);
        return;
    }
    for (uint j = 0; j < BLOCK; j++)
        sum[j] = 0;
    for (uint step = g->top; step; step >>= 1)
        for (uint j = 0; j < BLOCK; j++) {
            uint next = (uint)sum[j] + step;
            sum[j] = next <= g->last && g->keys[min(next, g->last)] <= x[j] ? (int)next : sum[j];
        }
    vstore16(inside ? vload16(0, sum) : (int16)none, 0, sum);
}

#if WEIGHTS
/* Notes infinities and NaN among the weights of a block, and replaces them by 0. */
inline void block_flags(const grid *g, const VALUE *x, const int *sum, WEIGHT *w, uint count,
                        volatile __global uint *flags)
{
    for (uint j = 0; j < count; j++) {
        uint bin = (uint)(sum[j] - (x[j] < g->keys[sum[j]]));
        if (isfinite(w[j]))
            continue;
        if (bin <= g->bins)
            atomic_or(&flags[min(bin, g->last)], weight_flag(w[j]));
        w[j] = 0;
    }
}
#endif

__kernel void histogram_count(const __global STORED *restrict values, ulong values_at, ulong n,
                              ulong each,
#if WEIGHTS
                              const __global WEIGHT *restrict weights, ulong weights_at, uint extra,
                              __global uint *restrict flags, ulong flags_at,
#endif
                              uint bins, const __global VALUE *restrict keys, ulong keys_at,
                              const __global uint *restrict state, ulong state_at, uint parts,
                              uint groups_a_copy, __global uint *restrict sums, ulong sums_at)
{
    const grid g = grid_of(keys + keys_at, bins, state + state_at, parts);
    const __global VALUE *key = keys + keys_at;
    __global SUM *mine =
        (__global SUM *)(sums + sums_at) + get_global_id(0) / groups_a_copy * ((ulong)bins + MORE);
    ulong at = each * get_global_id(0), end = g.empty ? at : min(at + each, n);
    VALUE x[BLOCK];
    int sum[BLOCK];
#if WEIGHTS
    const int shift = fixed_shift(state[state_at + MOTE_HISTOGRAM_EXPONENT], extra);
    const two_factors factors = fixed_factors(shift);
    WEIGHT w[BLOCK];
    long number[BLOCK];
#endif
    for (; at < end; at += BLOCK) {
        const uint count = (uint)min(end - at, (ulong)BLOCK);
        VALUE16 v = (VALUE16)(g.first);
        if (count == BLOCK) {
            v = VALUES_LOAD(16, values + values_at + at);
        } else {
            vstore16(v, 0, x);
            for (uint j = 0; j < count; j++)
                x[j] = value_at(values, values_at + at + j);
            v = vload16(0, x);
        }
#if VALUES == 1
        v = min(v, (uchar16)1);
#endif
        vstore16(v, 0, x);
        block_sums(&g, v, x, sum);
#if WEIGHTS
        WEIGHT16 weight = (WEIGHT16)0;
        if (count == BLOCK) {
            weight = vload16(0, weights + weights_at + at);
        } else {
            vstore16(weight, 0, w);
            for (uint j = 0; j < count; j++)
                w[j] = weights[weights_at + at + j];
            weight = vload16(0, w);
        }
        if (!all(isfinite(weight))) {
            vstore16(weight, 0, w);
            block_flags(&g, x, sum, w, count, flags + flags_at);
            weight = vload16(0, w);
        }
        vstore16(convert_long16(rint(weight * factors.a * factors.b)), 0, number);
        for (uint j = 0; j < count; j++)
            mine[sum[j] - (x[j] < key[sum[j]])] += number[j];
#else
        for (uint j = 0; j < count; j++)
            mine[sum[j] - (x[j] < key[sum[j]])]++;
#endif
    }
}

/* The last bin that values reach has those of all later sums but the last one. */
__kernel void histogram_finish(uint bins, uint copies, const __global uint *restrict sums,
                               ulong sums_at, const __global uint *restrict state, ulong state_at,
                               uint parts,
#if WEIGHTS
                               const __global uint *restrict flags, ulong flags_at, uint extra,
#endif
                               __global RESULT *restrict result, ulong result_at)
{
    const __global SUM *sum = (const __global SUM *)(sums + sums_at);
    uint last = max(edges_reached(bins, state + state_at, parts), 1u) - 1;
    for (sweep s = sweep_of(bins); s.at < s.end; s.at += s.step) {
        ulong total = 0;
        for (ulong k = s.at; k <= (s.at < last ? s.at : s.at > last ? 0 : bins); k++)
            for (uint copy = 0; copy < copies; copy++)
                total += sum[copy * ((ulong)bins + MORE) + k];
#if WEIGHTS
        int shift = fixed_shift(state[state_at + MOTE_HISTOGRAM_EXPONENT], extra);
        result[result_at + s.at] = weight_sum((long)total, flags[flags_at + s.at], shift);
#else
        result[result_at + s.at] = (long)total;
#endif
    }
}
