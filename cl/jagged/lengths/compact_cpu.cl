/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets of packed lists from their lengths, for CPUs: few work-items, each with one long chunk.
 *
 * Form: CPU.
 * Defines: CPU_FORM, WG (1), LENGTH_OF (jagged/lengths/lengths.clh), SCAN_LONG (1), SCAN_SATURATE
 * (common/scan.clh), INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). */
#include "jagged/lengths/compact.clh"
#include "jagged/lengths/lengths_cpu.clh"

/* The sum of the lengths of lists at .. end - 1; arbitrary if one of them is bad. */
inline ulong chunk_sum(const scan_input *in, ulong at, ulong end)
{
    ulong4 four = (ulong4)(0);
#if LENGTH_OF == MOTE_LENGTH_OF_COUNTS || LENGTH_OF == MOTE_LENGTH_OF_SPANS
    ulong8 eight = (ulong8)(0);
    for (; at + 16 <= end; at += 16) {
        sixteen_bounds s = sixteen_load(in, at);
        index16_t length = s.end - s.begin;
        eight += convert_ulong8(length.lo) + convert_ulong8(UPPER_8(index8_t, length));
    }
    four = eight.lo + eight.hi;
#endif
    for (; at < end; at += 4)
        four = SCAN_ADD(four, scan_load(in, at, end));
    ulong2 two = SCAN_ADD(four.lo, four.hi);
    return SCAN_ADD(two.x, two.y);
}

/* The first of two launches, which also clears the error word. */
__kernel void compact_sums(LENGTH_PARAMETERS, ulong lists, ulong each,
                           __global ulong *restrict sums, ulong sums_at, __global uint *error,
                           ulong error_at)
{
    const scan_input in = length_input_make(LENGTH_ARGUMENTS, 0);
    ulong at = each * get_global_id(0);
    error_clear_word(error + error_at);
    sums[sums_at + get_global_id(0)] = chunk_sum(&in, at, min(at + each, lists));
}

#if LENGTH_OF == MOTE_LENGTH_OF_COUNTS || LENGTH_OF == MOTE_LENGTH_OF_SPANS

/* Writes the sum before each of sixteen lists; *before advances in every lane, which is a chain of
 * one addition. Zeros come from a mask: compilers translate a shuffle with zeros to an expansion,
 * which is slow on AMD's processors. */
#if INDEX_LONG
typedef ulong8 lanes_t;

inline void write_eight(__global INDEX *offsets, ulong8 length, lanes_t *before, lanes_t *all)
{
    const ulong x = ~(ulong)0;
    ulong8 sum = length;
    sum += sum.s00123456 & (ulong8)(0, x, x, x, x, x, x, x);
    sum += sum.s00012345 & (ulong8)(0, 0, x, x, x, x, x, x);
    sum += sum.s00000123 & (ulong8)(0, 0, 0, 0, x, x, x, x);
    ulong8 offset = *before + (sum - length);
    vstore8(offset, 0, (__global ulong *)offsets);
    *all |= offset;
    *before += sum.s7;
}

inline void write_sixteen(__global INDEX *offsets, const index16_t *lengths, lanes_t *before,
                          lanes_t *all)
{
    write_eight(offsets, as_ulong8(lengths->lo), before, all);
    write_eight(offsets + 8, as_ulong8(UPPER_8(index8_t, *lengths)), before, all);
}

inline ulong lanes_bits(lanes_t a)
{
    return a.s0 | a.s1 | a.s2 | a.s3 | a.s4 | a.s5 | a.s6 | a.s7;
}
#else
typedef uint16 lanes_t;

/* Elements are named one by one, because Oclgrind 21.10 treats elements of 16-element swizzles as
 * uninitialised. */
#define UP_1(v)                                                                                    \
    (uint16)((v).s0, (v).s0, (v).s1, (v).s2, (v).s3, (v).s4, (v).s5, (v).s6, (v).s7, (v).s8,       \
             (v).s9, (v).sa, (v).sb, (v).sc, (v).sd, (v).se)
#define UP_2(v)                                                                                    \
    (uint16)((v).s0, (v).s0, (v).s0, (v).s1, (v).s2, (v).s3, (v).s4, (v).s5, (v).s6, (v).s7,       \
             (v).s8, (v).s9, (v).sa, (v).sb, (v).sc, (v).sd)
#define UP_4(v)                                                                                    \
    (uint16)((v).s0, (v).s0, (v).s0, (v).s0, (v).s0, (v).s1, (v).s2, (v).s3, (v).s4, (v).s5,       \
             (v).s6, (v).s7, (v).s8, (v).s9, (v).sa, (v).sb)
#define UP_8(v)                                                                                    \
    (uint16)((v).s0, (v).s0, (v).s0, (v).s0, (v).s0, (v).s0, (v).s0, (v).s0, (v).s0, (v).s1,       \
             (v).s2, (v).s3, (v).s4, (v).s5, (v).s6, (v).s7)

inline void write_sixteen(__global INDEX *offsets, const index16_t *lengths, lanes_t *before,
                          lanes_t *all)
{
    const uint x = ~(uint)0;
    uint16 length = as_uint16(*lengths), sum = length;
    sum += UP_1(sum) & (uint16)(0, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x);
    sum += UP_2(sum) & (uint16)(0, 0, x, x, x, x, x, x, x, x, x, x, x, x, x, x);
    sum += UP_4(sum) & (uint16)(0, 0, 0, 0, x, x, x, x, x, x, x, x, x, x, x, x);
    sum += UP_8(sum) & (uint16)(0, 0, 0, 0, 0, 0, 0, 0, x, x, x, x, x, x, x, x);
    uint16 offset = *before + (sum - length);
    vstore16(offset, 0, (__global uint *)offsets);
    *all |= offset;
    *before += sum.sf;
}

inline uint lanes_bits(lanes_t a)
{
    uint8 eight = a.lo | UPPER_8(uint8, a);
    uint4 four = eight.lo | eight.hi;
    return four.x | four.y | four.z | four.w;
}
#endif

/* Writes the offsets of all complete groups of sixteen lists; *sum and *at advance. Returns false
 * if a list is bad; *all gets the bits of the written offsets. */
inline bool write_sixteens(const scan_input *in, __global INDEX *offsets, ulong *at, ulong end,
                           position_t *sum, position_t *all)
{
    lanes_t before = (lanes_t)(*sum), bits = (lanes_t)(0);
    sixteen_bad bad = (sixteen_bad)(0);
    ulong k = *at;
    for (; k + 16 <= end; k += 16) {
        sixteen_bounds s = sixteen_load(in, k);
        index16_t lengths = s.end - s.begin;
        bad |= sixteen_faults(s);
        write_sixteen(offsets + k, &lengths, &before, &bits);
    }
    *at = k;
    *sum = before.s0;
    *all |= lanes_bits(bits);
    return !sixteen_any(bad);
}

#else

inline bool write_sixteens(const scan_input *in, __global INDEX *offsets, ulong *at, ulong end,
                           position_t *sum, position_t *all)
{
    return true;
}

#endif

/* Whether the sign of a sum shows that the offsets' type cannot hold it: each addend is below half
 * of the range of the unsigned type. */
#define SIGN_TELLS (INDEX_SIGNED && LENGTH_OF <= MOTE_LENGTH_OF_OFFSETS)

/* Writes offsets; returns false if a list is bad, or with SIGN_TELLS if the type cannot hold a sum.
 * *sum advances. */
inline bool write_plain(const scan_input *in, const scan_output *out, ulong at, ulong end,
                        position_t *sum)
{
    position_t all = 0;
    long bad = write_sixteens(in, out->offsets, &at, end, sum, &all) ? 0 : -1;
    for (; at < end; at++) {
        out->offsets[at] = (INDEX)*sum;
        all |= *sum;
        *sum += (position_t)length_one(in, at, &bad); /* wraps if a list is bad */
    }
#if SIGN_TELLS
    bad |= (INDEX)(all | *sum);
#endif
    return bad >= 0;
}

/* Writes offsets and reports errors. */
inline void write_checked(const scan_input *in, const scan_output *out, ulong at, ulong end,
                          ulong sum)
{
    for (; at < end; at += 4) {
        scan_four v = scan_load(in, at, end);
        ulong two = SCAN_ADD(v.x, v.y), three = SCAN_ADD(two, v.z);
        scan_four inside = (scan_four)(0, v.x, two, three);
        scan_store(out, at, end, v, SCAN_ADD(inside, (scan_four)(sum)));
        sum = SCAN_ADD(sum, SCAN_ADD(three, v.w));
    }
}

/* The second launch, or the only one, which then clears the error word. */
__kernel void compact_chunks(LENGTH_PARAMETERS, ulong lists, ulong each,
                             const __global ulong *restrict sums, ulong sums_at,
                             __global INDEX *restrict offsets, ulong offsets_at,
                             __global uint *error, ulong error_at)
{
    const scan_input in = length_input_make(LENGTH_ARGUMENTS, error + error_at);
    const scan_input silent = length_input_make(LENGTH_ARGUMENTS, 0);
    const scan_output out = compact_output(offsets + offsets_at, error + error_at);
    uint item = get_global_id(0);
    ulong at = each * item, end = min(at + each, lists), before = 0;
    bool alone = get_global_size(0) == 1;
    if (alone)
        error_clear_word(error + error_at);
    for (uint k = 0; k < item; k++)
        before = SCAN_ADD(before, sums[sums_at + k]);
#if SIGN_TELLS
    position_t sum = (position_t)before;
    ulong after = 0;
    bool good = before <= INDEX_MOST && write_plain(&in, &out, at, end, &sum);
    if (good)
        after = sum;
    else
        after = SCAN_ADD(before, chunk_sum(&silent, at, end));
#else
    position_t sum = (position_t)before;
    ulong own = alone ? chunk_sum(&silent, at, end) : sums[sums_at + item];
    ulong after = SCAN_ADD(before, own);
    bool good = after >= before && after <= INDEX_MOST && write_plain(&in, &out, at, end, &sum);
#endif
    if (!good)
        write_checked(&in, &out, at, end, before);
    if (item == get_global_size(0) - 1)
        scan_finish(&out, lists, after);
}
