/* SPDX-License-Identifier: Apache-2.0 */
/* Exclusive prefix sums of a long array, for GPUs: reduce, then scan.
 *
 * Each group owns `each` neighbouring elements, a multiple of TILE. scan_sums adds up what each
 * group owns; scan_chunks then lets every group add up the sums before its own, and go through its
 * tiles with the running total. No group waits for another within a launch. */
#include "common/scan.clh"

#define TILE (4 * WG)

/* Whether four elements can be moved at once. */
inline bool aligned(const __global uint *p)
{
    return ((size_t)p & 15) == 0;
}

/* Four elements from `at` on, 0 beyond the end. */
inline uint4 load(const __global uint *in, ulong at, ulong count, bool fast)
{
    uint4 v = (uint4)(0);
    if (at + 4 <= count && fast) {
        v = *(const __global uint4 *)(in + at);
    } else if (at < count) {
        v.x = in[at];
        v.y = at + 1 < count ? in[at + 1] : 0;
        v.z = at + 2 < count ? in[at + 2] : 0;
        v.w = at + 3 < count ? in[at + 3] : 0;
    }
    return v;
}

inline void store(__global uint *out, ulong at, ulong count, bool fast, uint4 v)
{
    if (at + 4 <= count && fast) {
        *(__global uint4 *)(out + at) = v;
    } else if (at < count) {
        out[at] = v.x;
        if (at + 1 < count)
            out[at + 1] = v.y;
        if (at + 2 < count)
            out[at + 2] = v.z;
        if (at + 3 < count)
            out[at + 3] = v.w;
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void scan_sums(
    const __global uint *restrict in_mem, ulong in_at, ulong count, ulong each,
    __global uint *restrict sums, ulong sums_at)
{
    __local uint scratch[SCAN_SCRATCH_WORDS];
    const __global uint *in = in_mem + in_at;
    ulong begin = each * get_group_id(0), end = min(begin + each, count);
    bool fast = aligned(in);
    uint sum = 0, total;
    for (ulong at = begin + 4 * get_local_id(0); at < end; at += TILE) {
        uint4 v = load(in, at, end, fast);
        sum += v.x + v.y + v.z + v.w;
    }
    uint before = scan_exclusive(sum, scratch, &total);
    if (get_local_id(0) == WG - 1)
        sums[sums_at + get_group_id(0)] = before + sum;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void scan_chunks(
    const __global uint *restrict in_mem, ulong in_at, ulong count, ulong each,
    const __global uint *restrict sums, ulong sums_at, __global uint *restrict out_mem,
    ulong out_at)
{
    __local uint scratch[SCAN_SCRATCH_WORDS];
    __local uint running[2]; /* total before tile t at t % 2: never rewritten while it is in use */
    uint lid = get_local_id(0), group = get_group_id(0), total;
    const __global uint *in = in_mem + in_at;
    __global uint *out = out_mem + out_at;
    bool fast_in = aligned(in), fast_out = aligned(out);
    ulong begin = each * group, end = min(begin + each, count);
    uint sum = 0;
    for (uint k = lid; k < group; k += WG)
        sum += sums[sums_at + k];
    uint before = scan_exclusive(sum, scratch, &total);
    if (lid == WG - 1)
        running[0] = before + sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint tiles = (uint)((end - begin + TILE - 1) / TILE);
    for (uint t = 0; t < tiles; t++) {
        ulong at = begin + (ulong)t * TILE + 4 * lid;
        uint4 v = load(in, at, end, fast_in);
        sum = v.x + v.y + v.z + v.w;
        before = scan_exclusive(sum, scratch, &total) + running[t & 1];
        if (lid == WG - 1)
            running[(t + 1) & 1] = before + sum;
        v = (uint4)(0, v.x, v.x + v.y, v.x + v.y + v.z) + before;
        store(out, at, end, fast_out, v);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0 && group == get_num_groups(0) - 1)
        out[count] = running[tiles & 1];
}
