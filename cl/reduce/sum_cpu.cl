/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, minima and maxima of rows, for CPUs, in the virtual layout of mote/reduce.h: few work-items,
 * each with a range of the blocks of all rows.
 *
 * The lanes are gone through in strips of 16, a tile's eight rows at a time, so that a strip stays in
 * registers. Rows of one block are written at once, for others sum_finish joins the blocks.
 *
 * Defines: those of sum_value.clh. */
#include "reduce/sum_value.clh"

#define STRIP  16
#define STRIPS (LANES / STRIP)

DEFINE_ACC(8)
DEFINE_ACC(16)
DEFINE_HALVE(8, 4)
DEFINE_HALVE(16, 8)

#define VALUE_16 CAT(VALUE, 16)

inline acc fold16(acc16 a)
{
    return halve2(halve4(halve8(halve16(a))));
}

/* The first `count` of 16 values, FILL for the others. */
inline VALUE_16 load_some(const __global VALUE *p, ulong count)
{
    VALUE x[STRIP];
    for (uint k = 0; k < STRIP; k++)
        x[k] = k < count ? p[k] : FILL;
    return vload16(0, x);
}

/* 16 lanes of a tile of which `left` values begin at p. */
inline acc16 strip_sums(const __global VALUE *p, ulong left)
{
    acc16 a = identity16();
    if (left >= (TILE_ROWS - 1) * LANES + STRIP) {
        for (uint r = 0; r < TILE_ROWS; r++)
            a = put16(a, vload16(0, p + r * LANES));
    } else {
        uint full = left < STRIP ? 0 : (uint)((left - STRIP) / LANES + 1);
        for (uint r = 0; r < full; r++)
            a = put16(a, vload16(0, p + r * LANES));
        if (left > full * LANES)
            a = put16(a, load_some(p + full * LANES, left - full * LANES));
    }
    return a;
}

/* Lanes joined by pairs: `strips` of 16. */
inline acc join_strips(const acc16 *lanes, uint strips)
{
    acc part[STRIPS];
    for (uint k = 0; k < strips; k++)
        part[k] = fold16(lanes[k]);
    for (uint left = strips; left > 1; left = (left + 1) / 2) {
        if (left & 1)
            part[left] = identity();
        for (uint k = 0; k < (left + 1) / 2; k++)
            part[k] = join(part[2 * k], part[2 * k + 1]);
    }
    return part[0];
}

inline acc block_sum(const __global VALUE *p, ulong count)
{
    acc16 lanes[STRIPS];
    uint strips = (uint)min((count + STRIP - 1) / STRIP, (ulong)STRIPS);
    if (count <= STRIP)
        return fold16(put16(identity16(), load_some(p, count)));
    for (uint k = 0; k < strips; k++)
        lanes[k] = strip_sums(p + STRIP * k, count - STRIP * k);
    for (ulong tile = TILE; tile < count; tile += TILE)
        for (uint k = 0; k < STRIPS && STRIP * k < count - tile; k++)
            lanes[k] =
                join16(lanes[k], strip_sums(p + tile + STRIP * k, count - tile - STRIP * k));
    return join_strips(lanes, strips);
}

/* The part of `count` pieces that a work-item has. */
inline ulong range_begin(ulong item, ulong items, ulong count)
{
    return count / items * item + min(item, count % items);
}

__kernel void sum_blocks(const __global VALUE *restrict values, ulong values_at, uint rows,
                         ulong n, uint blocks, ulong block_size, __global ACC *restrict partial,
                         ulong partial_at, __global RESULT_T *restrict result, ulong result_at,
                         __global float *restrict low, ulong low_at)
{
    __global acc *sums = (__global acc *)(partial + partial_at);
    ulong item = get_global_id(0), items = get_global_size(0), all = (ulong)rows * blocks;
    ulong at = range_begin(item, items, all), end = range_begin(item + 1, items, all);
    ulong row = at / blocks, block = at % blocks;
    values += values_at;
    for (; at < end; at++) {
        ulong begin = block * block_size;
        acc sum = block_sum(values + row * n + begin, min(n - begin, block_size));
        if (blocks > 1)
            sums[at] = sum;
        else
            write_result(result, result_at, low, low_at, (uint)row, sum);
        block = block + 1 < blocks ? block + 1 : 0;
        row += block == 0;
    }
}

__kernel void sum_finish(const __global ACC *restrict partial, ulong partial_at, uint rows,
                         uint blocks, __global RESULT_T *restrict result, ulong result_at,
                         __global float *restrict low, ulong low_at)
{
    acc lanes[LANES];
    uint used = min(blocks, (uint)LANES);
    ulong item = get_global_id(0), items = get_global_size(0);
    ulong end = range_begin(item + 1, items, rows);
    for (ulong row = range_begin(item, items, rows); row < end; row++) {
        const __global acc *sums = (const __global acc *)(partial + partial_at) + row * blocks;
        for (uint k = 0; k < used; k++)
            lanes[k] = sums[k]; /* as much as joined with the identity */
        for (uint k = LANES; k < blocks; k++)
            lanes[k % LANES] = join(lanes[k % LANES], sums[k]);
        for (uint left = used; left > 1; left = (left + 1) / 2) {
            if (left & 1)
                lanes[left] = identity();
            for (uint k = 0; k < (left + 1) / 2; k++)
                lanes[k] = join(lanes[2 * k], lanes[2 * k + 1]);
        }
        write_result(result, result_at, low, low_at, (uint)row, lanes[0]);
    }
}
