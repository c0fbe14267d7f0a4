/* SPDX-License-Identifier: Apache-2.0 */
/* One pass of a stable counting sort, for GPUs: three launches.
 *
 * The input is divided into tiles of TILE elements, one group each. bin_rank counts a tile's
 * elements of each bin (a row of `matrix`) and finds how many elements of the same bin precede each
 * element in its tile. bin_columns replaces each number in a column of the matrix by the sum of the
 * numbers of the earlier tiles, and writes the columns' totals. bin_scatter scans the totals and so
 * computes the position of every element.
 *
 * Inside a tile, every band of LANES work-items processes ROUNDS x LANES neighbouring elements,
 * LANES per round. The equal keys of a round find each other by comparing all LANES, and the first
 * of them adds all to the band's own byte of the bin's counters at once. Therefore nothing depends
 * on timing, and a tile with one key takes as long as any other tile.
 *
 * Form: GPU.
 * Defines: WG. */
#include "common/guard.clh"
#include "common/scan.clh"
#include "reduce/bin_digit.clh"

#define LANES  32
#define ROUNDS 4
#define BANDS  (WG / LANES)
#define WORDS  ((BANDS + 3) / 4) /* words of four counters, for each bin */
#define TILE   (WG * ROUNDS)
#define NO_BIN 0xffffffffu

/* bin_columns: neighbouring bins of a group; each has SLICES work-items. */
#define COLUMNS 8 /* 32 bytes, the unit of memory transfers */
#define SLICES  (WG / COLUMNS)
/* Counters loaded before any is stored, because loads wait for stores that they may alias. */
#define BATCH 8

inline uint bytes_sum(uint w)
{
    w = (w & 0x00ff00ffu) + (w >> 8 & 0x00ff00ffu);
    return (w & 0xffffu) + (w >> 16);
}

inline uint part(uint4 v, uint k)
{
    return k & 2 ? (k & 1 ? v.w : v.z) : (k & 1 ? v.y : v.x);
}

/* Returns the bins of four neighbouring elements. */
inline uint4 load_digits(const __global uint *key, uint at, uint n, uint n_bins, uint shift,
                         uint mask)
{
    uint4 d = (uint4)(NO_BIN);
    if (at < n)
        d.x = bin_digit(key[at], n_bins, shift, mask);
    if (at + 1 < n)
        d.y = bin_digit(key[at + 1], n_bins, shift, mask);
    if (at + 2 < n)
        d.z = bin_digit(key[at + 2], n_bins, shift, mask);
    if (at + 3 < n)
        d.w = bin_digit(key[at + 3], n_bins, shift, mask);
    return d;
}

/* Returns one bit for each of the LANES elements from quad[0] on: whether it has this bin. */
inline uint match(const __local uint4 *quad, uint bin)
{
    uint same = 0;
    for (uint k = 0; k < LANES / 4; k++) {
        uint4 q = quad[k];
        uint four = (q.x == bin ? 1u : 0u) | (q.y == bin ? 2u : 0u) | (q.z == bin ? 4u : 0u) |
                    (q.w == bin ? 8u : 0u);
        same |= four << 4 * k;
    }
    return same;
}

/* `counts` is WORDS x bins words; the words w of bin b are at w x bins + b. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void bin_rank(
    const __global uint *restrict key, ulong key_at, uint n, uint n_bins, uint shift, uint mask,
    uint bins, uint stride, __global uint *restrict matrix, ulong matrix_at,
    __global ushort *restrict rank, ulong rank_at, const __global uint *guard, ulong guard_at,
    __local uint *restrict counts)
{
    GUARD_GROUP(guard_stops(guard, guard_at), n = bins = 0);
    __local uint4 digits[TILE / 4];
    /* For the first of equal keys: the equal keys in the band's earlier rounds. */
    __local uint before[TILE];
    uint lid = get_local_id(0), lane = lid % LANES, band = lid / LANES;
    uint tile = get_group_id(0), byte = 8 * (band % 4), word = band / 4 * bins;
    uint first[ROUNDS], below[ROUNDS], digit[ROUNDS];
    digits[lid] = load_digits(key + key_at, tile * TILE + 4 * lid, n, n_bins, shift, mask);
    for (uint k = lid; k < WORDS * bins; k += WG)
        counts[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < ROUNDS; r++) {
        uint start = (band * ROUNDS + r) * LANES, e = start + lane;
        uint bin = part(digits[e / 4], e % 4);
        uint same = match(digits + start / 4, bin);
        uint lower = same & ((1u << lane) - 1);
        digit[r] = bin;
        below[r] = popcount(lower);
        first[r] = start + popcount((same & -same) - 1);
        if (lower == 0 && bin != NO_BIN)
            before[e] = atomic_add(&counts[word + bin], popcount(same) << byte) >> byte & 0xff;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint r = 0; r < ROUNDS; r++) {
        uint e = (band * ROUNDS + r) * LANES + lane;
        if (digit[r] != NO_BIN) {
            uint sum = before[first[r]] + below[r];
            for (uint w = 0; w < WORDS; w++) {
                uint four = counts[w * bins + digit[r]];
                uint full = w < band / 4 ? 0xffffffffu : (1u << byte) - 1;
                sum += w <= band / 4 ? bytes_sum(four & full) : 0;
            }
            rank[rank_at + (size_t)tile * TILE + e] = (ushort)sum;
        }
    }
    __global uint *row = matrix + matrix_at + (size_t)tile * stride;
    for (uint b = lid; b < bins; b += WG) {
        uint sum = 0;
        for (uint w = 0; w < WORDS; w++)
            sum += bytes_sum(counts[w * bins + b]);
        row[b] = sum;
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void bin_columns(
    uint tiles, uint bins, uint stride, __global uint *restrict matrix, ulong matrix_at,
    __global uint *restrict totals, ulong totals_at, const __global uint *guard, ulong guard_at)
{
    GUARD_GROUP(guard_stops(guard, guard_at), bins = 0);
    __local uint part_sum[WG];
    uint lid = get_local_id(0), slice = lid / COLUMNS;
    uint bin = get_group_id(0) * COLUMNS + lid % COLUMNS;
    uint each = (tiles + SLICES - 1) / SLICES;
    uint begin = min(slice * each, tiles), end = bin < bins ? min(begin + each, tiles) : begin;
    __global uint *column = matrix + matrix_at + bin;
    uint sum = 0;
    for (uint t = begin; t < end; t += BATCH)
        for (uint k = 0; k < BATCH; k++)
            sum += t + k < end ? column[(size_t)(t + k) * stride] : 0;
    part_sum[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = 0;
    for (uint k = lid % COLUMNS; k < lid; k += COLUMNS)
        before += part_sum[k];
    if (slice == SLICES - 1 && bin < bins)
        totals[totals_at + bin] = before + sum;
    for (uint t = begin; t < end; t += BATCH) {
        uint count[BATCH];
        for (uint k = 0; k < BATCH; k++)
            count[k] = t + k < end ? column[(size_t)(t + k) * stride] : 0;
        for (uint k = 0; k < BATCH; k++)
            if (t + k < end) {
                column[(size_t)(t + k) * stride] = before;
                before += count[k];
            }
    }
}

/* `from` is the input position of each element, 0 in the first pass. The data of an element is
 * loaded before the scan, which hides the latency. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void bin_scatter(
    const __global uint *restrict key, ulong key_at, uint n, uint n_bins, uint shift, uint mask,
    uint bins, uint stride, const __global uint *restrict matrix, ulong matrix_at,
    const __global ushort *restrict rank, ulong rank_at, const __global uint *restrict totals,
    ulong totals_at, const __global uint *restrict from, ulong from_at,
    __global uint *restrict sorted_key, ulong sorted_key_at, __global uint *restrict index,
    ulong index_at, const __global uint *guard, ulong guard_at, __local uint *restrict start)
{
    GUARD_GROUP(guard_stops(guard, guard_at), n = bins = 0);
    __local uint scratch[SCAN_SCRATCH_WORDS];
    const __global uint *row = matrix + matrix_at + (size_t)get_group_id(0) * stride;
    uint lid = get_local_id(0), first = get_group_id(0) * TILE + lid, total;
    uint own[ROUNDS], bin[ROUNDS], place[ROUNDS], source[ROUNDS];
    for (uint r = 0; r < ROUNDS; r++) {
        uint i = first + r * WG;
        own[r] = i < n ? key[key_at + i] : 0;
        bin[r] = i < n ? bin_digit(own[r], n_bins, shift, mask) : NO_BIN;
    }
    for (uint r = 0; r < ROUNDS; r++) {
        uint i = first + r * WG;
        place[r] = i < n ? row[bin[r]] + rank[rank_at + i] : 0;
        source[r] = from && i < n ? from[from_at + i] : i;
    }
    for (uint b = lid; b < bins; b += WG)
        start[b] = totals[totals_at + b];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint each = scan_each(bins);
    uint begin = min(lid * each, bins), end = min(begin + each, bins), sum = 0;
    for (uint b = begin; b < end; b++)
        sum += start[b];
    uint before = scan_exclusive(sum, scratch, &total);
    for (uint b = begin; b < end; b++) {
        uint count = start[b];
        start[b] = before;
        before += count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < ROUNDS; r++)
        if (bin[r] != NO_BIN) {
            place[r] += start[bin[r]];
            sorted_key[sorted_key_at + place[r]] = own[r];
            index[index_at + place[r]] = source[r];
        }
}
