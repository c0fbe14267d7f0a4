/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts the digis of each cluster by (y, x, index), for GPUs. The keys of a cluster's digis are at
 * the positions of its list, in any order (digis.cl):
 *
 *     digis_rank     counts the smaller keys of each digi in a short list; sorts the parts of long
 *                    lists in each tile of TILE positions
 *     digis_merge    merges up to 2^MOTE_PIXELS_MERGE_BITS neighbouring parts of long lists: counts
 * the smaller keys of each digi in each part, by bisection
 *
 * A list that is complete is written to `digis`. Keys differ, because they contain the index.
 *
 * Form: GPU.
 * Defines: WG (a power of two). */
#include "common/macros.clh"
#include "shared/pixels_params.h"

#define TILE      (WG << MOTE_PIXELS_TILE_BITS)
#define SHORT     256 /* digis */
#define TOGETHER  4   /* bisections whose loads wait for memory at the same time */
#define NO_OWNER  0xffffffffu
#define LIST_NONE (uint2)(0, 0)

typedef struct digi_lists {
    const __global uint *owner; /* cluster of each position */
    const __global uint *offsets;
    uint capacity, total;
} digi_lists;

/* Returns the begin and end of the list that has position p. If the arrays contradict each other,
 * which happens if they are changed during the call, there is none. */
inline uint2 list_of(const digi_lists *lists, uint p)
{
    const uint of = lists->owner[p];
    if (of >= lists->capacity)
        return LIST_NONE;
    const uint begin = lists->offsets[of], end = min(lists->offsets[of + 1], lists->total);
    return begin <= p && p < end ? (uint2)(begin, end) : LIST_NONE;
}

inline uint keys_below(const __global ulong *pixel, uint2 list, ulong key)
{
    uint below = 0;
    for (uint at = list.x; at < list.y; at++)
        below += pixel[at] < key;
    return below;
}

/* Sorts a tile by cluster and key, and stores the parts of long lists. */
inline void sort_tile(const digi_lists *lists, ulong first, __global ulong *pixel,
                      __global uint *digis, __local ulong *key, __local uint *owner)
{
    const uint me = get_local_id(0);
    for (uint q = me; q < TILE; q += WG) {
        const bool any = first + q < lists->total;
        key[q] = any ? pixel[first + q] : 0;
        owner[q] = any ? lists->owner[first + q] : NO_OWNER;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint size = 2; size <= TILE; size *= 2)
        for (uint stride = size / 2; stride > 0; stride /= 2) {
            for (uint i = me; i < TILE / 2; i += WG) {
                const uint a = 2 * i - (i & (stride - 1)), b = a + stride;
                const uint of_a = owner[a], of_b = owner[b];
                const ulong key_a = key[a], key_b = key[b];
                const bool greater = of_a == of_b ? key_a > key_b : of_a > of_b;
                if (greater == ((a & size) == 0)) {
                    key[a] = key_b;
                    key[b] = key_a;
                    owner[a] = of_b;
                    owner[b] = of_a;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    for (uint q = me; q < TILE; q += WG) {
        if (first + q >= lists->total)
            continue;
        const uint p = (uint)first + q;
        const uint2 list = list_of(lists, p);
        if (list.y - list.x <= SHORT)
            continue;
        if (list.x >= first && list.y <= first + TILE)
            digis[p] = (uint)key[q];
        else
            pixel[p] = key[q];
    }
}

/* Processes the positions of a tile. `found` receives bit 0 if it has a part of a long list, and
 * bit 1 if it has one that goes on in another tile. */
inline void rank_tile(const digi_lists *lists, ulong first, const __global ulong *pixel,
                      __global uint *digis, volatile __local uint *found)
{
    for (uint q = get_local_id(0); q < TILE; q += WG) {
        if (first + q >= lists->total)
            break;
        const uint p = (uint)first + q;
        const uint2 list = list_of(lists, p);
        if (list.y - list.x > SHORT) {
            atomic_or(found, list.x < first || list.y > first + TILE ? 3u : 1u);
        } else if (list.y > list.x) {
            const ulong key = pixel[p];
            const uint below = keys_below(pixel, list, key);
            if (below < list.y - list.x)
                digis[list.x + below] = (uint)key;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void digis_rank(
    mote_pixels_params prm, const __global uint *owner, ulong owner_at,
    const __global uint *offsets, ulong offsets_at, uint capacity, __global ulong *pixel,
    ulong pixel_at, __global uint *merges, ulong merges_at, __global uint *digis, ulong digis_at)
{
    __local ulong key[TILE];
    __local uint own[TILE], found;
    const digi_lists lists = {owner + owner_at, offsets + offsets_at, capacity,
                              min(offsets[offsets_at + capacity], prm.n)};
    pixel += pixel_at;
    digis += digis_at;
    for (ulong tile = get_group_id(0); tile * TILE < prm.n; tile += get_num_groups(0)) {
        if (get_local_id(0) == 0)
            found = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        rank_tile(&lists, tile * TILE, pixel, digis, &found);
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint has = found;
        if (get_local_id(0) == 0)
            merges[merges_at + tile] = has >> 1;
        if (has)
            sort_tile(&lists, tile * TILE, pixel, digis, key, own);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Returns the number of smaller keys in positions lo .. hi - 1, whose parts of 2^shift positions
 * are sorted. */
inline ulong parts_below(const __global ulong *from, ulong lo, ulong hi, uint shift, ulong key)
{
    ulong below = 0;
    for (ulong part = lo >> shift; part << shift < hi; part += TOGETHER) {
        ulong begin[TOGETHER];
        uint length[TOGETHER], at[TOGETHER];
        UNROLLED
        for (uint k = 0; k < TOGETHER; k++) {
            begin[k] = max(lo, (part + k) << shift);
            const ulong end = min(hi, (part + k + 1) << shift);
            length[k] = begin[k] < end ? (uint)(end - begin[k]) : 0;
            at[k] = 0;
        }
        for (uint step = 1u << shift; step > 0; step /= 2) {
            UNROLLED
            for (uint k = 0; k < TOGETHER; k++)
                if (at[k] + step <= length[k] && from[begin[k] + at[k] + step - 1] < key)
                    at[k] += step;
        }
        UNROLLED
        for (uint k = 0; k < TOGETHER; k++)
            below += at[k];
    }
    return below;
}

/* Parts have 2^shift positions. */
inline void merge_digi(const digi_lists *lists, uint p, uint shift, const __global ulong *from,
                       __global ulong *to, __global uint *digis)
{
    const uint2 list = list_of(lists, p);
    if (list.y - list.x <= SHORT || list.x >> shift == (list.y - 1) >> shift)
        return;
    const uint wide = shift + MOTE_PIXELS_MERGE_BITS;
    const ulong lo = max((ulong)list.x, (ulong)p >> wide << wide);
    const ulong hi = min((ulong)list.y, (((ulong)p >> wide) + 1) << wide);
    const ulong key = from[p], at = lo + parts_below(from, lo, hi, shift, key);
    if (at >= hi) /* the arrays contradict each other */
        return;
    if (lo == list.x && hi == list.y)
        digis[at] = (uint)key;
    else
        to[at] = key;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void digis_merge(
    mote_pixels_params prm, const __global uint *owner, ulong owner_at,
    const __global uint *offsets, ulong offsets_at, uint capacity, const __global uint *merges,
    ulong merges_at, const __global ulong *from, ulong from_at, __global ulong *to, ulong to_at,
    uint shift, __global uint *digis, ulong digis_at)
{
    const digi_lists lists = {owner + owner_at, offsets + offsets_at, capacity,
                              min(offsets[offsets_at + capacity], prm.n)};
    for (ulong tile = get_group_id(0); tile * TILE < lists.total; tile += get_num_groups(0)) {
        if (!merges[merges_at + tile])
            continue;
        for (uint q = get_local_id(0); q < TILE; q += WG)
            if (tile * TILE + q < lists.total)
                merge_digi(&lists, (uint)(tile * TILE) + q, shift, from + from_at, to + to_at,
                           digis + digis_at);
    }
}
