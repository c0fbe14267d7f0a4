/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts hits by (t, pixel).
 *
 * A stream is nearly in order, so each hit is near its place. slice_extents finds the lowest and
 * the highest time of each granule of neighbouring hits. slice_judge tests whether a hit is out of
 * order only with hits of its own and of the two neighbouring granules. slice_sort then counts for
 * each hit which hits of these granules come before it, and stores it at its place.
 *
 * If hits are farther out of order, the host's launches of slice_keys, of a counting sort and of
 * slice_gather sort them into bins of time first, and the other kernels process this order. In
 * orderly streams, these launches end at once. If bins contain too many hits, MOTE_TIME_UNSORTED
 * and MOTE_TIME_PIXELS are set.
 *
 * Form: GPU.
 * Defines: WG, which is 256. */
#include "common/guard.clh"
#include "common/sweep.clh"
#include "pixels/time/hit.clh"

#define GRANULE MOTE_TIME_GRANULE
#define TILE    MOTE_TIME_TILE
#define HELD    (TILE + 2 * GRANULE) /* hits in local memory: a tile and a granule on both sides */
#define BLOCK   16                   /* hits whose lowest and highest times are known */
#define BLOCKS  (HELD / BLOCK)
#define BATCH   8
#define ITEMS   (WG * GRANULE / TILE) /* work-items of a granule in slice_extents */

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
    GUARD_GROUP(binned && !state_is_set(state, state_at, MOTE_TIME_FAR), n = 0);
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
 * are 2^bits bins. extents[granules].x receives the lowest time of all. Each work-item tests a
 * range of granules, and loads BATCH of them before it compares them. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void slice_judge(
    ulong granules, uint binned, uint bits, __global long *extents, ulong extents_at,
    __global uint *state, ulong state_at)
{
    __local long lowest[WG], highest[WG], before_last[WG];
    __local volatile uint far;
    const uint lid = get_local_id(0);
    __global long2 *extent = (__global long2 *)(extents + extents_at);
    const bool runs = !binned || state_is_set(state, state_at, MOTE_TIME_FAR);
    GUARD_GROUP(!runs, granules = 0);
    const ulong each = (granules + WG - 1) / WG;
    const ulong begin = min(lid * each, granules), end = min(begin + each, granules);
    long low = LONG_MAX, high = LONG_MIN, but_last = LONG_MIN;
    for (ulong k = begin; k < end; k += BATCH) {
        long2 e[BATCH];
        for (uint u = 0; u < BATCH; u++)
            e[u] = k + u < end ? extent[k + u] : (long2)(LONG_MAX, LONG_MIN);
        for (uint u = 0; u < BATCH; u++) {
            low = min(low, e[u].x);
            but_last = k + u < end ? high : but_last;
            high = max(high, e[u].y);
        }
    }
    lowest[lid] = low;
    highest[lid] = high;
    before_last[lid] = but_last;
    if (lid == 0)
        far = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    /* The highest time of all granules before the last one before this range. Times are compared
     * only if there is such a granule. */
    long before = lid ? before_last[lid - 1] : LONG_MIN;
    long previous = lid ? highest[lid - 1] : LONG_MIN;
    for (uint k = 0; k + 1 < lid; k++)
        before = max(before, highest[k]);
    bool wrong = false;
    for (ulong k = begin; k < end; k += BATCH) {
        long2 e[BATCH];
        for (uint u = 0; u < BATCH; u++)
            e[u] = k + u < end ? extent[k + u] : (long2)(LONG_MAX, LONG_MIN);
        for (uint u = 0; u < BATCH; u++) {
            wrong |= k + u < end && k + u > 1 && before >= e[u].x;
            before = max(before, previous);
            previous = e[u].y;
        }
    }
    if (wrong)
        atomic_or(&far, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid != 0 || !runs)
        return;
    state += state_at;
    if (binned) {
        state[MOTE_TIME_UNSORTED] = state[MOTE_TIME_PIXELS] = far;
        return;
    }
    for (uint k = 1; k < WG; k++) {
        low = min(low, lowest[k]);
        high = max(high, highest[k]);
    }
    const uint width = 64 - (uint)clz((ulong)high - (ulong)low);
    extent[granules].x = low;
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
 * another order are counted; hits outside of the call's arrays are before or after all hits. `from`
 * is the index of the first hit in local memory, and `pixel` has n elements. */
inline uint place_of(const __local held *h, const __global uint *pixel, long from, ulong n, uint e)
{
    const long t = h->t[HELD_AT(e)];
    uint first = e / BLOCK, last = first;
    while (first > 0 && h->highest[first - 1] >= t)
        first--;
    while (last + 1 < BLOCKS && h->lowest[last + 1] <= t)
        last++;
    uint place = first * BLOCK;
    for (uint block = first; block <= last; block++) {
        for (uint k = 0; k < BLOCK; k++) {
            const uint other = block * BLOCK + k;
            const long time = h->t[HELD_AT(other)], i = from + other;
            bool before = time < t;
            if (time == t) {
                before = other < e;
                if (i >= 0 && i < (long)n && pixel[i] != pixel[from + e])
                    before = pixel[i] < pixel[from + e];
            }
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
    GUARD_GROUP(state_is_set(state, state_at, MOTE_TIME_UNSORTED), n = 0);
    t = far ? binned_t + binned_t_at : t + t_at;
    pixel = far ? binned_pixel + binned_pixel_at : pixel + pixel_at;
    for (uint k = lid; k < HELD; k += WG) {
        const long i = begin + k;
        const bool inside = i >= 0 && i < (long)n;
        h->t[HELD_AT(k)] = inside ? t[i] : i < 0 ? LONG_MIN : LONG_MAX;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    find_borders(h);
    for (uint e = GRANULE + lid; e < GRANULE + TILE && begin + e < (long)n; e += WG) {
        const ulong place = (ulong)(begin + place_of(h, pixel, begin, n, e));
        const uint i = (uint)(begin + e), source = far ? index[index_at + i] : i;
        sorted[place] = (ulong2)((ulong)h->t[HELD_AT(e)], pixel[begin + e] | (ulong)source << 32);
        parent[parent_at + place] = last[last_at + place] = (uint)place;
    }
}
