/* SPDX-License-Identifier: Apache-2.0 */
/* One result for each list of up to 32 elements, for GPUs, where most lists are so short that
 * shares of equal work cost more to find than they save.
 *
 * A group takes MOTE_SEGMENTS_FLAT neighbouring lists. A work-item takes four at a time, whose
 * offsets come by one load and whose results go by one store: what a list costs then are few
 * instructions, and instructions are what bounds it. Longer lists are left to segments_tiles: for
 * each group `left` says whether it has any.
 *
 * Form: GPU.
 * Defines: WG, INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh), REDUCE, VALUE, VALUE_BOOL,
 * VALUE_FLOAT, RESULT, LEAST, MOST, WIDE, SKIP_NAN (jagged/segments_reduce.clh).
 * Optional: VALUE_HALF (common/stored.clh). */
#include "jagged/segments_lists.clh"

#if INDEX_SIGNED
#define NEGATIVE(x) ((x) < 0)
#else
#define NEGATIVE(x) false
#endif

/* A list by itself; true when it is left. */
inline bool take_one(const segments *s, uint k)
{
    INDEX begin = s->offsets[k], end = s->offsets[k + 1];
    span p;
    check(s, k, begin, end);
    span_set(&p, s, begin, end);
    if (p.length > MOTE_SEGMENTS_SERIAL)
        return true;
    acc_t a = acc_start();
    for (uint i = 0; i < (uint)p.length; i++)
        a = acc_add(a, value_at(s->values, p.at + i), i, s->how);
    acc_store(s->result, k, a, s->how);
    return false;
}

/* Lists k .. k + 3, one after another in `values`: list u begins at begin[u], list 4 after them. */
inline void quad_reduce(const segments *s, uint k, const __global STORED *values, const uint *begin)
{
    acc_t a[4] = {acc_start(), acc_start(), acc_start(), acc_start()};
    uint length[4] = {begin[1], begin[2] - begin[1], begin[3] - begin[2], begin[4] - begin[3]};
    uint most = max(max(length[0], length[1]), max(length[2], length[3]));
    for (uint i = 0; i < most; i++) {
        VALUE x[4];
#pragma unroll
        for (uint u = 0; u < 4; u++)
            x[u] = i < length[u] ? value_at(values, begin[u] + i) : NEUTRAL;
#pragma unroll
        for (uint u = 0; u < 4; u++)
            a[u] = acc_add_if(a[u], i < length[u], x[u], i, s->how);
    }
    acc_store_four(s->result, k, a, s->how);
}

/* Takes lists k .. k + 3 when they are in order, valid and short together; false when they are
 * not, with nothing done. All of the test is made at once, so that both reads are under way
 * together. */
inline bool quad_take(const segments *s, uint k)
{
    index4_t v = *(const __global index4_t *)(s->offsets + k);
    INDEX end = s->offsets[k + 4];
    position_t from = (position_t)v.x - s->shift, all = (position_t)end - (position_t)v.x;
    bool good = !NEGATIVE(v.x) & (v.x <= v.y) & (v.y <= v.z) & (v.z <= v.w) & (v.w <= end) &
                (all <= MOTE_SEGMENTS_SERIAL) & (from <= s->length) & (all <= s->length - from);
    if (!good)
        return false;
    uint begin[5] = {0, (uint)(v.y - v.x), (uint)(v.z - v.x), (uint)(v.w - v.x), (uint)all};
    quad_reduce(s, k, s->values + from, begin);
    return true;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void segments_flat(
    SEGMENTS_PARAMETERS, __global uint *restrict left, ulong left_at)
{
    __local uint leaves;
    segments s;
    segments_make(&s, SEGMENTS_ARGUMENTS);
    uint skew = flat_skew(&s), first = get_group_id(0) * MOTE_SEGMENTS_FLAT;
    bool some = false;
    if (get_local_id(0) == 0)
        leaves = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 4 * get_local_id(0); i < MOTE_SEGMENTS_FLAT; i += 4 * WG) {
        uint k = first + i - skew; /* below 0 it is beyond all */
        if (k < count && count - k >= 4 && quad_take(&s, k))
            continue;
        for (uint u = 0; u < 4; u++)
            if (k + u < count)
                some = take_one(&s, k + u) || some;
    }
    if (some)
        atomic_or(&leaves, 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        left[left_at + get_group_id(0)] = leaves;
}
