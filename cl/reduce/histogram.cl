/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms, for GPUs: a group counts a range of the values in local memory if that has room for
 * all bins, and then adds its counts to those in global memory; else it counts there.
 *
 * All counts are words of 32 bits. Several copies of them in global memory share the values, so
 * that none wraps. With few bins, work-items that are neighbours use different copies in local
 * memory. A sum of weights is two words, because OpenCL 1.2 has no atomics of 64 bits: who makes
 * the low word wrap adds the carry to the high one.
 *
 * Form: GPU.
 * Defines: WG, VALUES (8 is float32), EDGES, WEIGHTS (reduce/histogram.clh). */
#include "reduce/histogram.clh"

#define ROWS MOTE_HISTOGRAM_ROWS
#if WEIGHTS
#define WORDS 2 /* of a bin */
#else
#define WORDS 1
#endif
#define MOST_COPIES 32

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void histogram_prepare(
    const __global EDGE_STORED *restrict edges, ulong edges_at, ulong low, ulong high, ulong step,
    uint bins, __global VALUE *restrict keys, ulong keys_at, __global uint *restrict state,
    ulong state_at, __global uint *restrict sums, ulong sums_at, ulong sum_words,
    __global uint *error, ulong error_at)
{
    __local uint found[2];
    const edge_list e = {edges + edges_at, low, high, step, bins};
    uint lid = get_local_id(0), reached = bins;
    if (lid == 0) {
        found[MOTE_HISTOGRAM_REACHED] = bins;
        found[MOTE_HISTOGRAM_NEAR] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float near = make_keys(&e, keys + keys_at, error ? error + error_at : error, &reached);
    if (reached < bins)
        atomic_min(&found[MOTE_HISTOGRAM_REACHED], reached);
    if (near > 0.0f)
        atomic_max(&found[MOTE_HISTOGRAM_NEAR], as_uint(near)); /* ordered as the floats are */
    for (sweep s = sweep_of(sum_words); s.at < s.end; s.at += s.step)
        sums[sums_at + s.at] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) {
        __global uint *part = state + state_at + MOTE_HISTOGRAM_PART(get_group_id(0));
        part[MOTE_HISTOGRAM_REACHED] = found[MOTE_HISTOGRAM_REACHED];
        part[MOTE_HISTOGRAM_NEAR] = found[MOTE_HISTOGRAM_NEAR];
    }
    if (get_global_id(0) == 0)
        state[state_at + MOTE_HISTOGRAM_EXPONENT] = 0;
}

#if WEIGHTS
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void histogram_exponent(
    const __global WEIGHT *restrict weights, ulong weights_at, ulong n,
    __global uint *restrict state, ulong state_at)
{
    __local uint most;
    uint mine = 0;
    if (get_local_id(0) == 0)
        most = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        uint exponent = EXPONENT(weights[weights_at + s.at]);
        mine = exponent < EXPONENT_LIMIT ? max(mine, exponent) : mine;
    }
    atomic_max(&most, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_max(&state[state_at + MOTE_HISTOGRAM_EXPONENT], most);
}
#endif

/* Where a group counts: its copy in local memory that the work-item uses, or global memory. */
typedef struct tally {
    volatile __local uint *local_sums;
    volatile __global uint *sums;
    uint shift, copy; /* local: the logarithm of the number of copies, and the one in use */
    bool small;
#if WEIGHTS
    const __global WEIGHT *weights;
    volatile __global uint *flags;
    two_factors factors;
#endif
} tally;

#if WEIGHTS
/* Adds a number of 64 bits to the words `low` and `high`. */
#define ADD_LONG(low, high, number)                                                                \
    do {                                                                                           \
        uint add_low = (uint)(number), add_high = (uint)((ulong)(number) >> 32);                   \
        add_high += atomic_add(low, add_low) > UINT_MAX - add_low;                                 \
        if (add_high)                                                                              \
            atomic_add(high, add_high);                                                            \
    } while (0)
#endif

inline void tally_add(const tally *t, uint bin, WEIGHT w)
{
    uint k = (bin << t->shift) + t->copy;
#if WEIGHTS
    if (!isfinite(w)) {
        atomic_or(&t->flags[bin], weight_flag(w));
        w = 0;
    }
    long number = fixed_of(w, t->factors);
    if (t->small)
        ADD_LONG(&t->local_sums[k], &t->local_sums[k + MOTE_HISTOGRAM_LOCAL], number);
    else
        ADD_LONG(&t->sums[2 * (ulong)bin], &t->sums[2 * (ulong)bin + 1], number);
#else
    if (t->small)
        atomic_inc(&t->local_sums[k]);
    else
        atomic_inc(&t->sums[bin]);
#endif
}

/* The values of a group that lie ROWS to a work-item from `at` on, before `end`. */
inline void tally_rows(const tally *t, const grid *g, const __global STORED *values, ulong at,
                       ulong end)
{
    VALUE x[ROWS];
    WEIGHT w[ROWS] = {0};
    const uint last = (uint)min(end - 1 - at, (ulong)ROWS * WG);
    UNROLLED for (uint r = 0; r < ROWS; r++) x[r] = value_of(values + at, min(r * WG, last));
#if WEIGHTS
    UNROLLED for (uint r = 0; r < ROWS; r++) w[r] = t->weights[at + min(r * WG, last)];
#endif
    if (g->regular) {
        UNROLLED for (uint r = 0; r < ROWS; r++) if (r * WG <= last && grid_has(g, x[r]))
            tally_add(t, regular_bin(g, x[r]), w[r]);
    } else {
        UNROLLED for (uint r = 0; r < ROWS; r++) if (r * WG <= last && grid_has(g, x[r]))
            tally_add(t, searched_bin(g, x[r]), w[r]);
    }
}

/* Adds the group's counts to those in global memory. */
inline void tally_flush(const tally *t, uint bins)
{
    for (uint bin = get_local_id(0); bin < bins; bin += WG) {
        uint first = bin << t->shift, end = first + (1u << t->shift);
#if WEIGHTS
        ulong sum = 0;
        for (uint k = first; k < end; k++)
            sum += (ulong)t->local_sums[k + MOTE_HISTOGRAM_LOCAL] << 32 | t->local_sums[k];
        if (sum)
            ADD_LONG(&t->sums[2 * (ulong)bin], &t->sums[2 * (ulong)bin + 1], sum);
#else
        uint sum = 0;
        for (uint k = first; k < end; k++)
            sum += t->local_sums[k];
        if (sum)
            atomic_add(&t->sums[bin], sum);
#endif
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void histogram_count(
    const __global STORED *restrict values, ulong values_at, ulong n, ulong each,
#if WEIGHTS
    const __global WEIGHT *restrict weights, ulong weights_at, uint extra,
    __global uint *restrict flags, ulong flags_at,
#endif
    uint bins, const __global VALUE *restrict keys, ulong keys_at,
    const __global uint *restrict state, ulong state_at, uint parts, uint groups_a_copy,
    __global uint *restrict sums, ulong sums_at)
{
    __local uint local_sums[WORDS * MOTE_HISTOGRAM_LOCAL];
    tally t;
    uint lid = get_local_id(0), copy = get_group_id(0) / groups_a_copy;
    ulong begin = each * get_group_id(0), end = min(begin + each, n);
    const grid g = grid_of(keys + keys_at, bins, state + state_at, parts);
    t.local_sums = local_sums;
    t.sums = sums + sums_at + (ulong)copy * bins * WORDS;
    t.small = bins <= MOTE_HISTOGRAM_LOCAL;
    t.shift = 0;
    while (t.small && (2u << t.shift) <= MOST_COPIES &&
           (bins << (t.shift + 1)) <= MOTE_HISTOGRAM_LOCAL)
        t.shift++;
    t.copy = lid & ((1u << t.shift) - 1);
#if WEIGHTS
    t.weights = weights + weights_at;
    t.flags = flags + flags_at;
    t.factors = fixed_factors(fixed_shift(state[state_at + MOTE_HISTOGRAM_EXPONENT], extra));
#endif
    if (t.small) {
        for (uint k = lid; k < WORDS * MOTE_HISTOGRAM_LOCAL; k += WG)
            local_sums[k] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!g.empty)
        for (ulong at = begin + lid; at < end; at += ROWS * WG)
            tally_rows(&t, &g, values + values_at, at, end);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t.small)
        tally_flush(&t, bins);
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void histogram_finish(
    uint bins, uint copies, const __global uint *restrict sums, ulong sums_at,
#if WEIGHTS
    const __global uint *restrict state, ulong state_at, const __global uint *restrict flags,
    ulong flags_at, uint extra,
#endif
    __global RESULT *restrict result, ulong result_at)
{
    for (sweep s = sweep_of(bins); s.at < s.end; s.at += s.step) {
        const __global uint *sum = sums + sums_at + WORDS * s.at;
#if WEIGHTS
        int shift = fixed_shift(state[state_at + MOTE_HISTOGRAM_EXPONENT], extra);
        result[result_at + s.at] =
            weight_sum(as_long((ulong)sum[1] << 32 | sum[0]), flags[flags_at + s.at], shift);
#else
        long total = 0;
        for (uint k = 0; k < copies; k++)
            total += sum[(ulong)k * bins];
        result[result_at + s.at] = total;
#endif
    }
}
