/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, minima and maxima of rows, for CPUs, in the virtual layout of mote/reduce.h: few work-items
 * each with a range of the blocks of all rows.
 *
 * Whole tiles are usually read in the order of memory, with the sums of their lanes in the
 * innermost cache: reading eight rows side by side, each in its own page, reaches only two thirds
 * of this speed. Rows of one block are written at once; for other rows, sum_finish combines the
 * blocks.
 *
 * Form: CPU.
 * Defines: VALUES, RESULT, OP, WIDE, PAIR, SKIP_NAN (reduce/sum_value.clh). */
#include "reduce/sum_value.clh"

#define STRIP  16
#define STRIPS (LANES / STRIP)
/* Strips of a tile that are processed together: all strips, so that memory is read in order, or as
 * many as fit the registers if sums in the innermost cache cost more. */
#define PART (PAIR ? 4 : STRIPS)

#define INDEX_16 ((INDEX)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

DEFINE_ACC(8)
DEFINE_ACC(16)

#define VALUE_16 CAT(VALUE, 16)

/* Combines two levels of pairs, 16 lanes to 4; the order of the results is one that CPUs can
 * shuffle cheaply. Written element by element, because Oclgrind treats elements of a 16-element
 * shuffle as uninitialised. */
#define FIRSTS(v)  ((CAT(ACC, 8))((v).s0, (v).s4, (v).s2, (v).s6, (v).s8, (v).sc, (v).sa, (v).se))
#define SECONDS(v) ((CAT(ACC, 8))((v).s1, (v).s5, (v).s3, (v).s7, (v).s9, (v).sd, (v).sb, (v).sf))
#define LOWS(v)    ((v).s0145)
#define HIGHS(v)   ((v).s2367)

inline acc4 quarter16(acc16 a)
{
    acc8 first, second;
    acc4 low, high;
    first.s = FIRSTS(a.s);
    second.s = SECONDS(a.s);
    IF_PAIR(first.e = FIRSTS(a.e);)
    IF_PAIR(second.e = SECONDS(a.e);)
    first = join8(first, second);
    low.s = LOWS(first.s);
    high.s = HIGHS(first.s);
    IF_PAIR(low.e = LOWS(first.e);)
    IF_PAIR(high.e = HIGHS(first.e);)
    return join4(low, high);
}

#define SCALARS(v) (v).s0, (v).s1, (v).s2, (v).s3

inline acc16 sixteen(const acc4 *four)
{
    acc16 a;
    a.s = (CAT(ACC, 16))(SCALARS(four[0].s), SCALARS(four[1].s), SCALARS(four[2].s),
                         SCALARS(four[3].s));
    IF_PAIR(a.e = (CAT(ACC, 16))(SCALARS(four[0].e), SCALARS(four[1].e), SCALARS(four[2].e),
                                 SCALARS(four[3].e));)
    return a;
}

/* Combines the levels after the first two, for `count` fours; there must be room for three more. */
inline acc join_fours(acc4 *four, uint count)
{
    for (uint left = count; left > 1; left = (left + 3) / 4) {
        for (uint k = left; k & 3; k++)
            four[k] = identity4();
        for (uint k = 0; k < (left + 3) / 4; k++)
            four[k] = quarter16(sixteen(four + 4 * k));
    }
    return halve2(halve4(four[0]));
}

/* The first `count` of 16 values; the others are FILL. Values before `end` may be read. */
inline VALUE_16 load_some(const __global STORED *p, uint count, const __global STORED *end)
{
    VALUE x[STRIP];
    if (end - p >= STRIP)
        return (INDEX)(count) > INDEX_16 ? VALUES_LOAD(16, p) : (VALUE_16)(FILL);
    for (uint k = 0; k < STRIP; k++)
        x[k] = k < count ? value_at(p, k) : FILL;
    return vload16(0, x);
}

/* Adds a whole tile to all lanes. */
inline void tile_sums(acc16 *lanes, const __global STORED *p)
{
    for (uint first = 0; first < STRIPS; first += PART) {
        for (uint k = first; k < first + PART; k++)
            lanes[k] = put16(identity16(), VALUES_LOAD(16, p + STRIP * k));
        for (uint r = 1; r < TILE_ROWS; r++)
            for (uint k = first; k < first + PART; k++)
                lanes[k] = put16(lanes[k], VALUES_LOAD(16, p + r * LANES + STRIP * k));
    }
}

/* 16 lanes of an incomplete tile, of which `left` values begin at p. */
inline acc16 strip_sums(const __global STORED *p, uint left, const __global STORED *end)
{
    acc16 a = identity16();
    uint full = left < STRIP ? 0 : (left - STRIP) / LANES + 1;
    for (uint r = 0; r < full; r++)
        a = put16(a, VALUES_LOAD(16, p + r * LANES));
    if (left > full * LANES)
        a = put16(a, load_some(p + full * LANES, left - full * LANES, end));
    return a;
}

/* Returns the sum of up to four values. */
inline acc four_sum(const __global STORED *p, uint count)
{
    acc none = identity();
    acc low = join(count > 0 ? put(none, value_at(p, 0)) : none,
                   count > 1 ? put(none, value_at(p, 1)) : none);
    acc high = join(count > 2 ? put(none, value_at(p, 2)) : none,
                    count > 3 ? put(none, value_at(p, 3)) : none);
    return join(low, high);
}

/* The sum of at most as many values as there are lanes. */
inline acc short_sum(const __global STORED *p, uint count, const __global STORED *end)
{
    acc4 four[STRIPS + 3];
    uint full = count / STRIP;
    for (uint k = 0; k < full; k++)
        four[k] = quarter16(put16(identity16(), VALUES_LOAD(16, p + STRIP * k)));
    if (count > STRIP * full)
        four[full] =
            quarter16(put16(identity16(), load_some(p + STRIP * full, count - STRIP * full, end)));
    return join_fours(four, (count + STRIP - 1) / STRIP);
}

inline acc tile_sum(const __global STORED *p, uint count, const __global STORED *end)
{
    acc4 four[STRIPS + 3];
    uint strips = min((count + STRIP - 1) / STRIP, (uint)STRIPS);
    if (count == TILE) {
        acc16 lanes[STRIPS];
        tile_sums(lanes, p);
        for (uint k = 0; k < STRIPS; k++)
            four[k] = quarter16(lanes[k]);
    } else {
        for (uint k = 0; k < strips; k++)
            four[k] = quarter16(strip_sums(p + STRIP * k, count - STRIP * k, end));
    }
    return join_fours(four, strips);
}

inline acc tiles_sum(const __global STORED *p, ulong count, const __global STORED *end)
{
    acc16 lanes[STRIPS], tile[STRIPS];
    acc4 four[STRIPS + 3];
    for (uint k = 0; k < STRIPS; k++)
        lanes[k] = identity16();
    for (; count >= TILE; count -= TILE, p += TILE) {
        tile_sums(tile, p);
        for (uint k = 0; k < STRIPS; k++)
            lanes[k] = join16(lanes[k], tile[k]);
    }
    for (uint k = 0; k < STRIPS && STRIP * k < count; k++)
        lanes[k] = join16(lanes[k], strip_sums(p + STRIP * k, (uint)count - STRIP * k, end));
    for (uint k = 0; k < STRIPS; k++)
        four[k] = quarter16(lanes[k]);
    return join_fours(four, STRIPS);
}

/* `end` is the end of all values. */
inline acc block_sum(const __global STORED *p, ulong count, const __global STORED *end)
{
    return count <= 4       ? four_sum(p, (uint)count)
           : count <= LANES ? short_sum(p, (uint)count, end)
           : count <= TILE  ? tile_sum(p, (uint)count, end)
                            : tiles_sum(p, count, end);
}

/* Returns where the part of a work-item begins, in `count` pieces. */
inline ulong range_begin(ulong item, ulong items, ulong count)
{
    return count / items * item + min(item, count % items);
}

__kernel void sum_blocks(const __global STORED *restrict values, ulong values_at, uint rows,
                         ulong n, uint blocks, ulong block_size, __global ACC *restrict partial,
                         ulong partial_at, __global RESULT_T *restrict result, ulong result_at,
                         __global float *restrict result_low, ulong result_low_at)
{
    __global acc *sums = (__global acc *)(partial + partial_at);
    ulong item = get_global_id(0), items = get_global_size(0), all = (ulong)rows * blocks;
    ulong at = range_begin(item, items, all), end = range_begin(item + 1, items, all);
    ulong row = at / blocks, block = at % blocks;
    values += values_at;
    const __global STORED *values_end = values + rows * n;
    for (; at < end; at++) {
        ulong begin = block * block_size;
        acc sum = block_sum(values + row * n + begin, min(n - begin, block_size), values_end);
        if (blocks > 1)
            sums[at] = sum;
        else
            write_result(result, result_at, result_low, result_low_at, (uint)row, sum);
        block = block + 1 < blocks ? block + 1 : 0;
        row += block == 0;
    }
}

__kernel void sum_finish(const __global ACC *restrict partial, ulong partial_at, uint rows,
                         uint blocks, __global RESULT_T *restrict result, ulong result_at,
                         __global float *restrict result_low, ulong result_low_at)
{
    acc lanes[LANES];
    uint used = min(blocks, (uint)LANES);
    ulong item = get_global_id(0), items = get_global_size(0);
    ulong end = range_begin(item + 1, items, rows);
    for (ulong row = range_begin(item, items, rows); row < end; row++) {
        const __global acc *sums = (const __global acc *)(partial + partial_at) + row * blocks;
        for (uint k = 0; k < used; k++)
            lanes[k] = sums[k]; /* equals joining with the identity */
        for (uint k = LANES; k < blocks; k++)
            lanes[k % LANES] = join(lanes[k % LANES], sums[k]);
        for (uint left = used; left > 1; left = (left + 1) / 2) {
            if (left & 1)
                lanes[left] = identity();
            for (uint k = 0; k < (left + 1) / 2; k++)
                lanes[k] = join(lanes[2 * k], lanes[2 * k + 1]);
        }
        write_result(result, result_at, result_low, result_low_at, (uint)row, lanes[0]);
    }
}
