/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets from labels, for GPUs. Every group takes an equal share of elements and lists together,
 * so that neither long lists nor long runs of lists without elements are slow. In a share each
 * element writes the offsets of the lists that begin with it; where these are many, the group does.
 *
 * Form: GPU.
 * Defines: WG, INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). */
#include "jagged/labels.clh"

#define ITEMS       4 /* elements a work-item takes at a time */
#define TILE        (ITEMS * WG)
#define SHORT       4                         /* lists a work-item writes by itself */
#define TEAM        (WG % 32 == 0 ? 32 : WG) /* work-items that write a run together */
#define LONG        (4 * WG)                  /* lists that are worth the whole group */
#define MOST_ROUNDS 33

/* Finds how many elements lie before two places, by as many probes as there are work-items in each
 * round; `rounds` is enough for n elements. found: 2 * MOST_ROUNDS zeros, below: 2 * WG. */
inline ulong2 find_places(const labels *in, ulong2 place, uint rounds, volatile __local uint *found,
                          __local uchar *below)
{
    uint lid = get_local_id(0);
    ulong2 lo = (ulong2)(place_least(in, place.x), place_least(in, place.y));
    ulong2 hi = (ulong2)(place_most(in, place.x), place_most(in, place.y));
    for (uint r = 0; r < rounds; r++) {
        ulong2 step = (hi - lo) / (WG + 1) + 1;
        ulong2 at = lo + (ulong)(lid + 1) * step - 1;
        bool x = at.x < hi.x && place_behind(in, place.x, at.x);
        bool y = at.y < hi.y && place_behind(in, place.y, at.y);
        below[lid] = x;
        below[WG + lid] = y;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (x && (lid == WG - 1 || !below[lid + 1]))
            atomic_max(&found[2 * r], lid + 1);
        if (y && (lid == WG - 1 || !below[WG + lid + 1]))
            atomic_max(&found[2 * r + 1], lid + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        lo += (ulong2)(found[2 * r], found[2 * r + 1]) * step;
        hi = min(hi, lo + step - 1);
    }
    return lo;
}

/* Lists first .. first + count - 1 begin with the same element. */
typedef struct run {
    uint first, count, element;
} run;

/* Writes a tile's runs: short ones by teams of neighbours, long ones by the whole group. */
inline void write_runs(const __local run *queue, uint runs, __global INDEX *offsets)
{
    uint lid = get_local_id(0);
    for (uint q = lid / TEAM; q < runs; q += WG / TEAM)
        if (queue[q].count < LONG)
            for (uint k = lid % TEAM; k < queue[q].count; k += TEAM)
                offsets[queue[q].first + k] = (INDEX)queue[q].element;
    for (uint q = 0; q < runs; q++)
        if (queue[q].count >= LONG)
            for (uint k = lid; k < queue[q].count; k += WG)
                offsets[queue[q].first + k] = (INDEX)queue[q].element;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void offsets_from_parents(
    const __global INDEX *restrict parents, ulong parents_at, ulong n, uint m, ulong each,
    uint rounds, __global INDEX *restrict offsets, ulong offsets_at,
    volatile __global uint *error, ulong error_at)
{
    __local uint found[2 * MOST_ROUNDS], queued[2];
    __local uchar below[2 * WG];
    __local run queue[TILE];
    const uint lid = get_local_id(0);
    const labels in = {parents + parents_at, n, m};
    const ulong all = n + m + 1, place = min(each * get_group_id(0), all);
    offsets += offsets_at;
    error += error_at;
    for (uint k = lid; k < 2 * MOST_ROUNDS; k += WG)
        found[k] = 0;
    if (lid == 0)
        queued[0] = queued[1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong2 places = (ulong2)(place, min(place + each, all));
    const ulong2 elements = find_places(&in, places, rounds, found, below);
    const long list = places.x - elements.x, list_end = places.y - elements.y;
    const uint tiles =
        elements.y > elements.x ? (uint)((elements.y - elements.x - 1) / TILE + 1) : 0;
    for (uint t = 0; t < tiles; t++) {
        const ulong at = elements.x + (ulong)t * TILE + lid;
        int label[ITEMS], before[ITEMS];
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            ulong i = min(at + j * WG, elements.y - 1);
            label[j] = label_of(&in, i);
            before[j] = label_before(&in, i);
        }
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            ulong i = at + j * WG;
            if (i >= elements.y)
                continue;
            if (label_bad(&in, before[j], label[j]))
                error_report(error, MOTE_SLOT_PARENTS, (uint)i);
            long first = max((long)before[j] + 1, list);
            long end = min((long)label[j] + 1, list_end);
            if (end - first > SHORT) {
                run r = {(uint)first, (uint)(end - first), (uint)i};
                queue[atomic_inc(&queued[t & 1])] = r;
            } else {
                for (; first < end; first++)
                    offsets[first] = (INDEX)i;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        write_runs(queue, queued[t & 1], offsets);
        if (lid == 0)
            queued[(t + 1) & 1] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    /* Lists of the share behind its last element. */
    long rest = max((long)label_before(&in, elements.y) + 1, list);
    for (rest += lid; rest < list_end; rest += WG)
        offsets[rest] = (INDEX)elements.y;
}
