/* SPDX-License-Identifier: Apache-2.0 */
/* Joins the hits that touch: each work-group processes a slice of the order by time, and compares
 * each hit with all earlier hits within the window. It joins hits of the slice in local memory, and
 * then adds the sets to those of other slices in global memory. If a window contains too many hits,
 * MOTE_TIME_PIXELS is set, and the kernels of cluster.cl do the work instead.
 *
 * Form: GPU.
 * Defines: WG, which is 256. */
#include "pixels/time/hit.clh"

#if defined(MOTE_NVIDIA)
/* A word is read in one access, and an earlier parent of a node is in the same cluster or is being
 * joined to it. */
#define READ_PARENT(parent) (*(parent))
#endif
#define ARENA    __global
#define FN(name) name
#include "pixels/label/join.clh"
#undef ARENA
#undef FN
#define ARENA    __local
#define FN(name) local_##name
#include "pixels/label/join.clh"

#define SLICE  MOTE_TIME_SLICE
#define BEFORE 512 /* most hits before a slice that may touch its hits */
#define STEP   (BEFORE / WG)

/* Returns the first of the times 0 .. end that is at most `window` before time `end`. */
inline uint first_within(const __local long *times, uint end, ulong window)
{
    const ulong t = (ulong)times[end];
    uint begin = 0;
    while (begin < end) {
        const uint mid = (begin + end) / 2;
        if (t - (ulong)times[mid] > window)
            begin = mid + 1;
        else
            end = mid;
    }
    return begin;
}

inline bool places_touch(uint2 a, uint2 b, uint radius)
{
    return a.x - b.x + radius <= 2 * radius && a.y - b.y + radius <= 2 * radius;
}

/* Joins hit e of the slice, which begins at element `own`, with an earlier hit. `from` is the hit
 * of element 0. */
inline void join_held(volatile __global uint *parent, volatile __local uint *up, uint from,
                      uint own, uint e, uint other)
{
    if (other >= own)
        local_join(up, e - own, other - own);
    else
        join(parent, from + e, from + other);
}

/* Joins element e with the earlier elements that touch it. Of two elements that touch each other
 * and come one after the other in this search, only the first one is joined, since the other one is
 * in its cluster. A pair is joined only when the next one is found or the search ends, so that
 * work-items join pairs at the same time. */
inline void link_held(const __local long *times, const __local uint2 *places,
                      volatile __global uint *parent, volatile __local uint *up, uint from,
                      uint own, uint e, ulong window, uint radius)
{
    const uint2 place = places[e];
    const uint first = first_within(times, e, window);
    uint waiting = e;
    uint2 companion = place;
    for (uint other = e; other > first;) {
        const uint2 there = places[--other];
        if (!places_touch(there, place, radius))
            continue;
        if (waiting == e || !places_touch(there, companion, radius)) {
            if (waiting != e)
                join_held(parent, up, from, own, e, waiting);
            waiting = other;
        }
        companion = there;
    }
    if (waiting != e)
        join_held(parent, up, from, own, e, waiting);
}

/* Joins hits that touch. Places are (x, y), where each module has its own range of y, and ranges
 * are `radius` apart. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void slice_link(
    ulong n, uint rows, uint columns, uint radius, ulong window, const __global uint *hits,
    ulong hits_at, volatile __global uint *parent, ulong parent_at, volatile __global uint *state,
    ulong state_at)
{
    __local long times[BEFORE + SLICE];
    __local uint2 places[BEFORE + SLICE];
    __local volatile uint up[SLICE], within;
    const __global hit *h = (const __global hit *)(hits + hits_at);
    const uint lid = get_local_id(0), begin = get_group_id(0) * SLICE;
    const ulong t = (ulong)h[begin].t;
    bool runs = !state_is_set((const __global uint *)state, state_at, MOTE_TIME_UNSORTED);
    parent += parent_at;
    if (runs && begin > BEFORE && t - (ulong)h[begin - BEFORE - 1].t <= window) {
        runs = false;
        if (lid == 0)
            atomic_or(&state[state_at + MOTE_TIME_PIXELS], 1);
    }
    const uint end = runs ? (uint)min((ulong)begin + SLICE, n) : begin;
    if (lid == 0)
        within = 0;
    for (uint k = lid; k < SLICE; k += WG)
        up[k] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
    /* Every STEP-th hit before the slice is tested. */
    if (runs && lid * STEP < begin && t - (ulong)h[begin - 1 - lid * STEP].t <= window)
        atomic_max(&within, lid + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint own = min(within * STEP, begin), from = begin - own;
    for (uint k = lid; k < end - from; k += WG) {
        const hit one = h[from + k];
        const uint y = one.pixel / rows;
        times[k] = one.t;
        places[k] = (uint2)(one.pixel - y * rows, y + y / columns * radius);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint e = own + lid; e < end - from; e += WG)
        link_held(times, places, parent, up, from, own, e, window, radius);
    barrier(CLK_LOCAL_MEM_FENCE);
    /* Another group may have given a hit another parent meanwhile, also a hit of this slice. */
    uint root[SLICE / WG], old[SLICE / WG];
    for (uint u = 0; u < SLICE / WG; u++)
        root[u] = local_find_root(up, u * WG + lid);
    for (uint u = 0; u < SLICE / WG; u++) {
        const uint k = u * WG + lid;
        old[u] = begin + k;
        if (root[u] != k)
            old[u] = atomic_min(&parent[begin + k], begin + root[u]);
    }
    for (uint u = 0; u < SLICE / WG; u++)
        if (old[u] != begin + u * WG + lid)
            join(parent, old[u], begin + root[u]);
}
