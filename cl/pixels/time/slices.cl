/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts hits by (t, pixel), and joins those that touch, in slices of this order.
 *
 * A stream is nearly in order, so each hit is near its place. slice_extents finds the lowest and
 * the highest time of each granule of neighbouring hits. slice_judge tests whether a hit is out of
 * order only with hits of its own and of the two neighbouring granules. slice_sort then counts for
 * each hit which hits of these granules come before it, and stores it at its place.
 *
 * If hits are farther out of order, the host's launches of slice_keys, of a counting sort and of
 * slice_gather sort them into bins of time first, and the other kernels process this order. In
 * orderly streams, these launches end at once.
 *
 * slice_link joins the hits that touch: each work-group processes a slice of the order by time, and
 * compares each hit with all earlier hits within the window. It joins hits of the slice in local
 * memory, and then adds the sets to those of other slices in global memory.
 *
 * If bins or windows contain too many hits, MOTE_TIME_PIXELS is set, and the kernels of cluster.cl
 * do the work instead.
 *
 * Form: GPU.
 * Defines: WG, which is 256. */
#include "common/sweep.clh"
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

#define GRANULE MOTE_TIME_GRANULE
#define TILE    MOTE_TIME_TILE
#define HELD    (TILE + 2 * GRANULE) /* hits in local memory: a tile and a granule on both sides */
#define BLOCK   16                   /* hits whose lowest and highest times are known */
#define BLOCKS  (HELD / BLOCK)
#define ITEMS   (WG * GRANULE / TILE) /* work-items of a granule in slice_extents */

#define SLICE  MOTE_TIME_SLICE
#define BEFORE 1024 /* most hits before a slice that may touch its hits */
#define STEP   (BEFORE / WG)

/* Finds the lowest and the highest time of each granule, in extents[2 k] and extents[2 k + 1]. In a
 * later launch with `binned`, the times are those of the hits in bins. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void slice_extents(
    ulong n, const __global long *t, ulong t_at, uint binned, const __global uint *state,
    ulong state_at, __global long *extents, ulong extents_at)
{
    __local long lowest[WG], highest[WG];
    const uint lid = get_local_id(0), item = lid % ITEMS;
    const ulong granule = (ulong)get_group_id(0) * (TILE / GRANULE) + lid / ITEMS;
    long low = LONG_MAX, high = LONG_MIN;
    if (binned && !state_is_set(state, state_at, MOTE_TIME_FAR))
        n = 0;
    for (uint k = item; k < GRANULE; k += ITEMS) {
        const ulong i = granule * GRANULE + k;
        if (i < n) {
            low = min(low, t[t_at + i]);
            high = max(high, t[t_at + i]);
        }
    }
    for (uint other = ITEMS / 2; other > 0; other /= 2) {
        lowest[lid] = low;
        highest[lid] = high;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < other) {
            low = min(low, lowest[lid + other]);
            high = max(high, highest[lid + other]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0 && granule * GRANULE < n) {
        extents[extents_at + 2 * granule] = low;
        extents[extents_at + 2 * granule + 1] = high;
    }
}

/* Tests with one work-group whether each granule is later than all granules before its neighbour.
 * The first launch sets the state; in a later launch with `binned`, hits in bins are tested. There
 * are 2^bits bins. extents[2 granules] receives the lowest time of all. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void slice_judge(
    ulong granules, uint binned, uint bits, __global long *extents, ulong extents_at,
    __global uint *state, ulong state_at)
{
    __local long lowest[WG], highest[WG];
    __local volatile uint far;
    const uint lid = get_local_id(0);
    const ulong each = (granules + WG - 1) / WG;
    const ulong begin = min(lid * each, granules), end = min(begin + each, granules);
    long low = LONG_MAX, high = LONG_MIN;
    extents += extents_at;
    state += state_at;
    for (ulong k = begin; k < end; k++) {
        low = min(low, extents[2 * k]);
        high = max(high, extents[2 * k + 1]);
    }
    lowest[lid] = low;
    highest[lid] = high;
    if (lid == 0)
        far = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    long before = LONG_MIN;
    bool any = false; /* whether `before` is the highest time of a granule */
    for (uint k = 0; k + 1 < lid; k++)
        if (k * each < granules) {
            before = max(before, highest[k]);
            any = true;
        }
    /* The granules of the work-item before this one, except for the last granule. */
    for (ulong k = lid ? (lid - 1) * each : 0; k + 1 < begin; k++) {
        before = max(before, extents[2 * k + 1]);
        any = true;
    }
    bool wrong = false;
    for (ulong k = begin; k < end; k++) {
        wrong |= any && before >= extents[2 * k];
        if (k > 0) {
            before = max(before, extents[2 * k - 1]);
            any = true;
        }
    }
    if (wrong)
        far = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid != 0)
        return;
    if (binned && !state[MOTE_TIME_FAR])
        return;
    if (binned) {
        state[MOTE_TIME_UNSORTED] = state[MOTE_TIME_PIXELS] = far;
        return;
    }
    for (uint k = 1; k < WG; k++) {
        low = min(low, lowest[k]);
        high = max(high, highest[k]);
    }
    const uint width = 64 - (uint)clz((ulong)high - (ulong)low);
    extents[2 * granules] = low;
    state[MOTE_TIME_FAR] = far;
    state[MOTE_TIME_UNSORTED] = state[MOTE_TIME_PIXELS] = 0;
    state[MOTE_TIME_SHIFT] = width > bits ? width - bits : 0;
}

/* Makes the bin of each hit from its time. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void slice_keys(
    ulong n, const __global long *t, ulong t_at, const __global long *lowest, ulong lowest_at,
    const __global uint *state, ulong state_at, __global uint *bin, ulong bin_at)
{
    if (!state_is_set(state, state_at, MOTE_TIME_FAR))
        return;
    const ulong low = (ulong)lowest[lowest_at];
    const uint shift = state[state_at + MOTE_TIME_SHIFT];
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step)
        bin[bin_at + s.at] = (uint)(((ulong)t[t_at + s.at] - low) >> shift);
}

/* Copies the hits into the order of bins. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void slice_gather(
    ulong n, const __global long *t, ulong t_at, const __global uint *pixel, ulong pixel_at,
    const __global uint *index, ulong index_at, const __global uint *state, ulong state_at,
    __global long *binned_t, ulong binned_t_at, __global uint *binned_pixel, ulong binned_pixel_at)
{
    if (!state_is_set(state, state_at, MOTE_TIME_FAR))
        return;
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint i = index[index_at + s.at];
        binned_t[binned_t_at + s.at] = t[t_at + i];
        binned_pixel[binned_pixel_at + s.at] = pixel[pixel_at + i];
    }
}

/* The hits in local memory. A block is followed by an unused element, so that work-items that
 * process different blocks access different banks. */
typedef struct held {
    long t[HELD + BLOCKS];
    uint pixel[HELD + BLOCKS];
    long lowest[BLOCKS], highest[BLOCKS];
} held;

#define HELD_AT(k) ((k) + (k) / BLOCK)

/* Replaces lowest[k] by the lowest time of block k and of all later blocks, and highest[k] by the
 * highest time of block k and of all earlier ones. */
inline void find_borders(__local held *h)
{
    const uint k = get_local_id(0);
    long low = LONG_MAX, high = LONG_MIN;
    if (k < BLOCKS)
        for (uint e = k * (BLOCK + 1); e < k * (BLOCK + 1) + BLOCK; e++) {
            low = min(low, h->t[e]);
            high = max(high, h->t[e]);
        }
    for (uint other = 1; other < BLOCKS; other *= 2) {
        if (k < BLOCKS) {
            h->lowest[k] = low;
            h->highest[k] = high;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (k + other < BLOCKS)
            low = min(low, h->lowest[k + other]);
        if (k >= other && k < BLOCKS)
            high = max(high, h->highest[k - other]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (k < BLOCKS) {
        h->lowest[k] = low;
        h->highest[k] = high;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Returns the place of hit e among the hits in local memory. Only blocks that contain hits of
 * another order are counted; hits outside of the call's arrays are before or after all hits. */
inline uint place_of(const __local held *h, uint e)
{
    const long t = h->t[HELD_AT(e)];
    const uint pixel = h->pixel[HELD_AT(e)];
    uint first = e / BLOCK, last = first;
    while (first > 0 && h->highest[first - 1] >= t)
        first--;
    while (last + 1 < BLOCKS && h->lowest[last + 1] <= t)
        last++;
    uint place = first * BLOCK;
    for (uint block = first; block <= last; block++) {
        for (uint k = 0; k < BLOCK; k++) {
            const uint at = block * (BLOCK + 1) + k;
            const long other = h->t[at];
            bool before = other < t;
            if (other == t)
                before = h->pixel[at] < pixel || (h->pixel[at] == pixel && at < HELD_AT(e));
            place += before;
        }
    }
    return place;
}

/* Stores the hits in the order by (t, pixel), and makes each hit its own cluster. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void slice_sort(
    ulong n, const __global long *t, ulong t_at, const __global uint *pixel, ulong pixel_at,
    const __global long *binned_t, ulong binned_t_at, const __global uint *binned_pixel,
    ulong binned_pixel_at, const __global uint *index, ulong index_at, const __global uint *state,
    ulong state_at, __global uint *hits, ulong hits_at, __global uint *parent, ulong parent_at,
    __global uint *last, ulong last_at)
{
    __local held local_memory;
    __local held *h = &local_memory;
    const uint lid = get_local_id(0);
    const long begin = (long)get_group_id(0) * TILE - GRANULE;
    const bool far = state_is_set(state, state_at, MOTE_TIME_FAR);
    __global ulong2 *sorted = (__global ulong2 *)(hits + hits_at);
    if (state_is_set(state, state_at, MOTE_TIME_UNSORTED))
        n = 0;
    t = far ? binned_t + binned_t_at : t + t_at;
    pixel = far ? binned_pixel + binned_pixel_at : pixel + pixel_at;
    for (uint k = lid; k < HELD; k += WG) {
        const long i = begin + k;
        const bool inside = i >= 0 && i < (long)n;
        h->t[HELD_AT(k)] = inside ? t[i] : i < 0 ? LONG_MIN : LONG_MAX;
        h->pixel[HELD_AT(k)] = inside ? pixel[i] : i < 0 ? 0 : NONE;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    find_borders(h);
    for (uint e = GRANULE + lid; e < GRANULE + TILE && begin + e < (long)n; e += WG) {
        const ulong place = (ulong)(begin + place_of(h, e));
        const uint i = (uint)(begin + e), source = far ? index[index_at + i] : i;
        sorted[place] =
            (ulong2)((ulong)h->t[HELD_AT(e)], h->pixel[HELD_AT(e)] | (ulong)source << 32);
        parent[parent_at + place] = last[last_at + place] = (uint)place;
    }
}

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
    ulong hits_at, volatile __global uint *parent, ulong parent_at, __global uint *state,
    ulong state_at)
{
    __local long times[BEFORE + SLICE];
    __local uint2 places[BEFORE + SLICE];
    __local volatile uint up[SLICE], within;
    const __global hit *h = (const __global hit *)(hits + hits_at);
    const uint lid = get_local_id(0), begin = get_group_id(0) * SLICE;
    const ulong t = (ulong)h[begin].t;
    bool runs = !state_is_set(state, state_at, MOTE_TIME_UNSORTED);
    parent += parent_at;
    if (runs && begin > BEFORE && t - (ulong)h[begin - BEFORE - 1].t <= window) {
        runs = false;
        if (lid == 0)
            state[state_at + MOTE_TIME_PIXELS] = 1;
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
    for (uint k = lid; k < end - begin; k += WG) {
        const uint root = local_find_root(up, k);
        if (root != k)
            join(parent, begin + k, begin + root);
    }
}
