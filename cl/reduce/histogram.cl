/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms, for GPUs: a group counts a range of the values in local memory if that has room for
 * all bins, and then adds its counts to those in global memory; else it counts there.
 *
 * All counts are words of 32 bits. Several copies of them in global memory share the values, so
 * that none wraps. With few bins, work-items that are neighbours use different copies in local
 * memory. A sum of weights is two words, because OpenCL 1.2 has no atomics of 64 bits: the
 * work-item whose addition wraps the low word adds the carry to the high word.
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
    for (sweep s = sweep_of(n); s.at < s.end; s.at += ROWS * s.step) {
        WEIGHT w[ROWS];
        UNROLLED for (uint r = 0; r < ROWS; r++) w[r] =
            weights[weights_at + min(s.at + r * s.step, n - 1)];
        UNROLLED for (uint r = 0; r < ROWS; r++)
        {
            uint exponent = EXPONENT(w[r]);
            mine = max(mine, exponent < EXPONENT_LIMIT ? exponent : 0);
        }
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
    uint low_bits; /* local: bits of each number that the low word adds up; 32: it may wrap */
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

/* Returns how many bits of a number of up to 62 - `extra` bits the low word can add up `adds` times
 * without a carry, while the high word can add up the rest. If there is no such number, 32. A
 * number that has been rounded can be 2^(62 - `extra`). */
inline uint low_bits_of(uint extra, ulong adds)
{
    const uint log = adds > 1 ? 32 - clz((uint)min(adds - 1, (ulong)UINT_MAX)) : 0;
    const uint most = extra + (extra <= (WEIGHTS == 9 ? 9 : 38)); /* such numbers are not rounded */
    return log > 0 && 2 * log <= most ? 32 - log : 32;
}

inline void tally_add(const tally *t, uint bin, WEIGHT w)
{
    volatile __local uint *word = &t->local_sums[(bin << t->shift) + t->copy];
    if (!isfinite(w)) {
        atomic_or(&t->flags[bin], weight_flag(w));
        w = 0;
    }
    long number = fixed_of(w, t->factors);
    if (!t->small) {
        ADD_LONG(&t->sums[2 * (ulong)bin], &t->sums[2 * (ulong)bin + 1], number);
    } else if (t->low_bits == 32) {
        ADD_LONG(word, word + MOTE_HISTOGRAM_LOCAL, number);
    } else {
        atomic_add(word, (uint)number & ((1u << t->low_bits) - 1));
        atomic_add(word + MOTE_HISTOGRAM_LOCAL, (uint)(number >> t->low_bits));
    }
}
#else
inline void tally_add(const tally *t, uint bin, WEIGHT w)
{
    if (t->small)
        atomic_inc(&t->local_sums[(bin << t->shift) + t->copy]);
    else
        atomic_inc(&t->sums[bin]);
}
#endif

/* Counts the values of a tile: ROWS of a work-item, WG apart from `at` on. */
inline void tally_tile(const tally *t, const grid *g, const __global STORED *values, ulong at)
{
    VALUE x[ROWS];
    WEIGHT w[ROWS] = {0};
    uint bin[ROWS];
    uint search = g->regular ? 0 : ~0u; /* bit r: the bin of value r is not known yet */
    UNROLLED for (uint r = 0; r < ROWS; r++) x[r] = value_of(values + at, r * WG);
#if WEIGHTS
    UNROLLED for (uint r = 0; r < ROWS; r++) w[r] = t->weights[at + r * WG];
#endif
    if (g->regular) {
        UNROLLED for (uint r = 0; r < ROWS; r++)
        {
            bool near;
            bin[r] = probable_bin(g, x[r], &near);
            search |= near ? 1u << r : 0;
        }
    }
    if (search) {
        UNROLLED for (uint r = 0; r < ROWS; r++) if (search >> r & 1) bin[r] = bin_of(g, x[r]);
    }
    if (WEIGHTS || !t->small) {
        UNROLLED for (uint r = 0; r < ROWS; r++) if (grid_has(g, x[r])) tally_add(t, bin[r], w[r]);
    } else {
        volatile __local uint *sums = t->local_sums + t->copy;
        UNROLLED for (uint r = 0; r < ROWS; r++) if (grid_has(g, x[r]))
            atomic_inc(&sums[bin[r] << t->shift]);
    }
}

/* Counts a value, of a range that is not a tile. */
inline void tally_one(const tally *t, const grid *g, const __global STORED *values, ulong at)
{
    const VALUE x = value_of(values + at, 0);
    WEIGHT w = 0;
#if WEIGHTS
    w = t->weights[at];
#endif
    if (grid_has(g, x))
        tally_add(t, bin_of(g, x), w);
}

/* Adds the group's counts to those in global memory. */
inline void tally_flush(const tally *t, uint bins)
{
    for (uint bin = get_local_id(0); bin < bins; bin += WG) {
        uint first = bin << t->shift, end = first + (1u << t->shift);
#if WEIGHTS
        ulong sum = 0;
        for (uint k = first; k < end; k++) {
            const uint low = t->local_sums[k], high = t->local_sums[k + MOTE_HISTOGRAM_LOCAL];
            sum += ((ulong)(long)(int)high << t->low_bits) + low;
        }
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
    t.low_bits = low_bits_of(extra, (each + WG - 1) / WG * ((WG + (1u << t.shift) - 1) >> t.shift));
    t.factors = fixed_factors(fixed_shift(state[state_at + MOTE_HISTOGRAM_EXPONENT], extra));
#endif
    if (t.small) {
        for (uint k = lid; k < WORDS * MOTE_HISTOGRAM_LOCAL; k += WG)
            local_sums[k] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!g.empty)
        for (ulong at = begin; at < end; at += ROWS * WG) {
            if (end - at >= ROWS * WG)
                tally_tile(&t, &g, values + values_at, at + lid);
            else
                for (ulong i = at + lid; i < end; i += WG)
                    tally_one(&t, &g, values + values_at, i);
        }
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
