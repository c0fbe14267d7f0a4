/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets of packed lists from their lengths, for GPUs: reduce, then scan, with one group for each
 * tile.
 *
 * compact_sums adds up the lengths of each tile, and stores lengths below 256 as bytes;
 * compact_starts scans these sums if there are many; compact_chunks scans each tile, from the bytes
 * if all its lengths fit bytes: lengths are then read only once, which saves a sixth of the
 * traffic. If there are few lists, one group scans them with compact_chunks alone.
 *
 * Form: GPU.
 * Defines: WG, ROWS (of 4 * WG lists, of a tile: a multiple of 3), STARTED (1: compact_starts is
 * launched), LENGTH_OF (jagged/lengths/lengths.clh), SCAN_LONG (1), SCAN_SATURATE
 * (common/scan.clh), INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). */
#include "common/macros.clh"
#include "jagged/lengths/compact.clh"
#include "jagged/width.clh"

#define ROW    (4 * WG) /* lists that a group processes side by side */
#define TILE   (ROWS * ROW)
#define STARTS (4 * WG) /* tiles of a group of compact_starts */

/* The data of a tile in `sums`: after the sums of all `tiles`, the beginnings of the tiles, then
 * whether each is stored as bytes. */
typedef struct compact_tiles {
    __global ulong *sums, *starts, *kept;
} compact_tiles;

inline compact_tiles compact_tiles_of(__global ulong *sums, uint tiles)
{
    compact_tiles t;
    t.sums = sums;
    t.starts = sums + tiles;
    t.kept = sums + 2 * (ulong)tiles;
    return t;
}

inline scan_t four_sum(scan_four v)
{
    return SCAN_ADD(SCAN_ADD(v.x, v.y), SCAN_ADD(v.z, v.w));
}

/* Loads the lengths of a tile's lists. A whole tile needs no tests, so that all its loads are in
 * flight before the first length is used. */
inline void tile_load(const length_input *in, ulong at, ulong lists, bool whole, scan_four *v)
{
    if (whole) {
        length_input aligned = *in;
        aligned.fast_a = aligned.fast_b = true;
#pragma unroll
        for (uint r = 0; r < ROWS; r++)
            v[r] = lengths_load(&aligned, at + r * ROW, at + r * ROW + 4);
    } else {
#pragma unroll
        for (uint r = 0; r < ROWS; r++)
            v[r] = lengths_load(in, at + r * ROW, lists);
    }
}

/* The first launch, which also clears the error word. */
__kernel INDEX_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void compact_sums(
    LENGTH_PARAMETERS, ulong lists, uint tiles, __global ulong *restrict sums, ulong sums_at,
    __global uint *restrict bytes, ulong bytes_at, __global uint *error, ulong error_at)
{
    __local ulong scratch[SCAN_SCRATCH_WORDS];
    __local uint large;
    const compact_tiles t = compact_tiles_of(sums + sums_at, tiles);
    uint lid = get_local_id(0), group = get_group_id(0);
    ulong begin = (ulong)group * TILE;
    bool bad = false;
    length_input in = length_input_make(LENGTH_ARGUMENTS, 0);
    scan_four v[ROWS];
    scan_t sum = 0, total;
    ulong longest = 0;
    in.bad = &bad;
    error_clear_word(error + error_at);
    if (lid == 0)
        large = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    tile_load(&in, begin + 4 * lid, lists, begin + TILE <= lists && in.fast_a && in.fast_b, v);
    bytes += bytes_at + (ulong)group * (TILE / 4) + lid;
#pragma unroll
    for (uint r = 0; r < ROWS; r++) {
        sum = SCAN_ADD(sum, four_sum(v[r]));
        longest |= v[r].x | v[r].y | v[r].z | v[r].w;
        bytes[r * WG] = (uint)v[r].x | (uint)v[r].y << 8 | (uint)v[r].z << 16 | (uint)v[r].w << 24;
    }
    if (bad || longest > 255)
        atomic_or(&large, 1u);
    scan_exclusive(sum, scratch, &total);
    if (lid == 0) {
        t.sums[group] = total;
        t.kept[group] = !large;
    }
}

/* Sums up the tiles before `tile`, by the whole group. */
inline scan_t sums_before(const __global ulong *sums, uint tile, __local scan_t *scratch)
{
    scan_t sum = 0, total;
#pragma unroll 4
    for (uint k = get_local_id(0); k < tile; k += WG)
        sum = SCAN_ADD(sum, sums[k]);
    scan_exclusive(sum, scratch, &total);
    return total;
}

/* The second launch, if there are many tiles. */
__kernel INDEX_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void compact_starts(
    uint tiles, __global ulong *restrict sums, ulong sums_at)
{
    __local ulong scratch[2][SCAN_SCRATCH_WORDS];
    const compact_tiles t = compact_tiles_of(sums + sums_at, tiles);
    uint first = (uint)get_group_id(0) * STARTS, at = first + 4 * (uint)get_local_id(0);
    scan_t total;
    scan_four v;
    v.x = at < tiles ? t.sums[at] : 0;
    v.y = at + 1 < tiles ? t.sums[at + 1] : 0;
    v.z = at + 2 < tiles ? t.sums[at + 2] : 0;
    v.w = at + 3 < tiles ? t.sums[at + 3] : 0;
    scan_t start = sums_before(t.sums, first, scratch[0]);
    start = SCAN_ADD(start, scan_exclusive(four_sum(v), scratch[1], &total));
    if (at < tiles)
        t.starts[at] = start;
    start = SCAN_ADD(start, v.x);
    if (at + 1 < tiles)
        t.starts[at + 1] = start;
    start = SCAN_ADD(start, v.y);
    if (at + 2 < tiles)
        t.starts[at + 2] = start;
    start = SCAN_ADD(start, v.z);
    if (at + 3 < tiles)
        t.starts[at + 3] = start;
}

/* Sums of three rows of bytes in a word: the sum of a row is below 2^21. */
#define PART      21
#define PART_MASK 0x1fffff
#if ROWS % 3 != 0 || ROW * 255 > PART_MASK
#error rows of a tile
#endif

inline uint byte_sum(uint four)
{
    uint two = (four & 0xff00ff) + (four >> 8 & 0xff00ff);
    return (two & 0xffff) + (two >> 16);
}

inline void bytes_store(const scan_output *out, ulong at, ulong lists, uint four, ulong before)
{
    ulong4 v;
    v.x = before;
    v.y = v.x + (four & 0xff);
    v.z = v.y + (four >> 8 & 0xff);
    v.w = v.z + (four >> 16 & 0xff);
    four_store(out->offsets, at, lists, out->fast, FOUR_OF_ULONG(v));
}

/* Writes the offsets of a tile that is stored as bytes; the type can hold all of them. */
inline void tile_of_bytes(const __global uint *bytes, const scan_output *out, ulong begin,
                          ulong lists, ulong start, __local scan_t *scratch)
{
    uint lid = get_local_id(0), four[ROWS];
#pragma unroll
    for (uint r = 0; r < ROWS; r++)
        four[r] = bytes[r * WG + lid];
#pragma unroll
    for (uint r = 0; r < ROWS; r += 3) {
        ulong total, sums = (ulong)byte_sum(four[r + 2]) << 2 * PART |
                            (ulong)byte_sum(four[r + 1]) << PART | byte_sum(four[r]);
        ulong before = scan_exclusive(sums, scratch + r / 3 * SCAN_SCRATCH_WORDS, &total);
#pragma unroll
        for (uint k = 0; k < 3; k++) {
            bytes_store(out, begin + (r + k) * ROW + 4 * lid, lists, four[r + k],
                        start + (before >> k * PART & PART_MASK));
            start += total >> k * PART & PART_MASK;
        }
    }
}

/* Writes the offsets of lists begin .. end - 1. running: two elements; the total before row r is at
 * r % 2, and is not overwritten while it is in use. */
inline void rows_of_lengths(const length_input *in, const scan_output *out, ulong begin, ulong end,
                            ulong start, bool last, __local scan_t *scratch,
                            __local scan_t *running)
{
    uint lid = get_local_id(0), rows = (uint)((end - begin + ROW - 1) / ROW);
    if (lid == WG - 1)
        running[0] = start;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < rows; r++) {
        ulong at = begin + (ulong)r * ROW + 4 * lid;
        scan_four v = scan_load(in, at, end);
        scan_t sum = four_sum(v), total;
        scan_t before = SCAN_ADD(scan_exclusive(sum, scratch, &total), running[r & 1]);
        if (lid == WG - 1)
            running[(r + 1) & 1] = SCAN_ADD(before, sum);
        scan_t two = SCAN_ADD(v.x, v.y);
        scan_four inside = (scan_four)(0, v.x, two, SCAN_ADD(two, v.z));
        scan_store(out, at, end, v, SCAN_ADD(inside, (scan_four)(before)));
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0 && last)
        scan_finish(out, end, running[rows & 1]);
}

/* The last launch, or the only one, which then clears the error word. */
__kernel INDEX_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void compact_chunks(
    LENGTH_PARAMETERS, ulong lists, uint tiles, __global ulong *restrict sums, ulong sums_at,
    const __global uint *restrict bytes, ulong bytes_at, __global INDEX *restrict offsets,
    ulong offsets_at, __global uint *error, ulong error_at)
{
    __local ulong scratch[ROWS / 3 * SCAN_SCRATCH_WORDS];
    __local ulong running[2];
    const length_input in = length_input_make(LENGTH_ARGUMENTS, error + error_at);
    const scan_output out = compact_output(offsets + offsets_at, error + error_at);
    const compact_tiles t = compact_tiles_of(sums + sums_at, tiles);
    uint groups = get_num_groups(0), group = groups - 1 - (uint)get_group_id(0);
    ulong begin = 0, end = lists, start = 0, kept = 0;
    if (groups == 1) {
        error_clear_word(error + error_at);
    } else {
        /* Tiles are processed backwards, because the last tiles are still in the cache. */
        begin = (ulong)group * TILE;
        end = min(begin + TILE, lists);
#if STARTED
        start = t.starts[group];
#else
        start = sums_before(t.sums, group, scratch);
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        kept = t.kept[group] && SCAN_ADD(start, t.sums[group]) <= INDEX_MOST;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (kept) {
        tile_of_bytes(bytes + bytes_at + (ulong)group * (TILE / 4), &out, begin, lists, start,
                      scratch);
        if (get_group_id(0) == 0 && get_local_id(0) == 0)
            scan_finish(&out, lists, start + t.sums[group]);
        MOTE_RECONVERGE();
    } else {
        rows_of_lengths(&in, &out, begin, end, start, get_group_id(0) == 0, scratch, running);
        MOTE_RECONVERGE();
    }
}
