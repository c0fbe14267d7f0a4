/* SPDX-License-Identifier: Apache-2.0 */
/* One result for each list, for CPUs: a few work-items, each with an equal share of coordinates.
 *
 * A work-item processes the lists that belong to its share, including their parts beyond it. A list
 * longer than a share is spread: every work-item reduces the blocks whose coordinates are in its
 * share, and reduce_join combines them.
 *
 * Form: CPU.
 * Defines: INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh), REDUCE, VALUE, VALUE_BYTES,
 * VALUE_BOOL, VALUE_FLOAT, RESULT, LEAST, MOST, WIDE, SKIP_NAN (jagged/reduce/accumulate.clh).
 * Optional: VALUE_HALF (common/stored.clh). */
#include "jagged/reduce/few_cpu.clh"

/* Returns the first list whose coordinate is not below `at`. The result never decreases as `at`
 * grows, whatever the offsets are, unless another thread changes them meanwhile. */
inline uint find_list(const reduction *s, ulong at)
{
    uint lo = 0, hi = at < s->total ? s->count : 0;
    while (lo < hi) {
        uint mid = lo + (hi - lo) / 2;
        if (coordinate(s, mid) < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return at < s->total ? lo : s->count;
}

/* Coordinates of each share; no list is spread if there is only one share. */
inline ulong share_size(const reduction *s)
{
    return max(s->total / get_global_size(0) + 1, (ulong)BLOCK);
}

/* Returns whether a list is spread over shares of this size. */
inline bool is_spread(const reduction *s, span p, ulong share)
{
    bool longer = (s->how & MOTE_JAGGED_REDUCE_SPREADS) && p.length > share;
#if REDUCE == MOTE_JAGGED_REDUCE_TRUTH
    longer = longer && !first_will_do(s->values + p.at, p.length, s->how);
#endif
    return longer;
}

/* Reduces the blocks of list k in the share begin .. end - 1. */
inline void take_blocks(const reduction *s, uint k, span p, ulong begin, ulong end)
{
    uint first, last;
    blocks_within(s, k, span_blocks(p), begin, end, &first, &last);
    for (uint b = first; b < last; b++) {
        position_t i = (position_t)b * BLOCK, at = p.at + i;
        *block_place(s, p, b) =
            block_reduce(s->values + at, span_block_length(p, b), s->length - at, s->how);
    }
}

/* The progress of a work-item in its lists. */
typedef struct walk {
    ulong begin, end, share; /* coordinates */
    position_t reached;      /* end of the previous list */
    uint long_list;
} walk;

/* Takes any list. A list that overlaps others, which wrong offsets make possible, is treated as a
 * list without elements. */
inline void take_list(const reduction *s, walk *w, uint k, INDEX start, INDEX next)
{
    span p;
    span_set(&p, s, start, next);
    check(s, k, start, next);
    if (p.at < w->reached)
        p.length = 0;
    if (p.length)
        w->reached = p.at + p.length;
    if (is_spread(s, p, w->share)) {
        w->long_list = k;
        take_blocks(s, k, p, w->begin, w->end);
    } else {
        acc_store(s->result, k, list_reduce(s, p), p.length, s->how);
    }
}

/* Processes lists k0 .. k1 - 1; short valid lists use the fastest path. */
inline void take_each(const reduction *s, walk *w, uint k0, uint k1, uint how)
{
    INDEX next = s->offsets[k0];
    for (uint k = k0; k < k1; k++) {
        INDEX start = next;
        next = s->offsets[k + 1];
        position_t at = (position_t)start - s->shift, length = (position_t)next - (position_t)start;
        if ((length <= MOTE_JAGGED_REDUCE_SERIAL) & (start <= next) &
            is_plain(s, w->reached, at, length)) {
            w->reached = at + length;
            acc_store(s->result, k, short_reduce(s->values + at, (uint)length, s->length - at, how),
                      length, how);
        } else {
            take_list(s, w, k, start, next);
        }
    }
}

/* Processes sixteen lists whose first values determine the results; returns false if one of them is
 * not valid. The lists are then processed one by one. */
inline bool take_sixteen(const reduction *s, walk *w, uint k, uint how)
{
    const bool any = (how & MOTE_JAGGED_REDUCE_ANY) != 0;
    bool open;
    position_t reached = w->reached;
    if (!sixteen_firsts(s, &reached, k, how, &open))
        return false;
    for (uint i = k; open && i < k + 16; i++) {
        INDEX start = s->offsets[i], next = s->offsets[i + 1];
        span p;
        span_set(&p, s, start, next);
        if (s->result[i] == any || p.length <= 1)
            continue;
        if (p.length <= MOTE_JAGGED_REDUCE_SERIAL)
            acc_store(s->result, i,
                      short_reduce(s->values + p.at, (uint)p.length, s->length - p.at, how),
                      p.length, how);
        else
            take_list(s, w, i, start, next);
    }
    w->reached = reached;
    return true;
}

/* Processes several lists at a time where that is possible. If it is not, it usually is not
 * possible for the lists that follow, either.
 */
inline void take_lists(const reduction *s, walk *w, uint k0, uint k1, uint how)
{
    uint k = k0;
    while (k1 - k >= 16) {
        uint count = 16;
        if (!take_sixteen(s, w, k, how)) {
            count = 8;
            if (!take_eight(s, &w->reached, k, how)) {
                count = 4;
                if (!take_four(s, &w->reached, k, how)) {
                    count = min(k1 - k, 32u);
                    take_each(s, w, k, k + count, how);
                }
            }
        }
        k += count;
    }
    take_each(s, w, k, k1, how);
}

/* The kernel itself requires groups of one work-item. Without that, Intel's CPU runtime vectorises
 * across work-items, which changes the rounding. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void reduce_shares(REDUCE_PARAMETERS)
{
    reduction s;
    walk w;
    reduction_make(&s, REDUCE_ARGUMENTS);
    w.share = share_size(&s);
    w.begin = w.share * get_global_id(0);
    w.end = w.begin + w.share;
    w.long_list = NO_LIST;
    w.reached = INDEX_SIGNED && s.first < 0 ? ~(position_t)0 : 0;
    uint k0 = find_list(&s, w.begin), k1 = max(find_list(&s, w.end), k0);
    if (k0 > 0 && (how & MOTE_JAGGED_REDUCE_SPREADS)) {
        span p;
        span_find(&p, &s, k0 - 1);
        if (is_spread(&s, p, w.share))
            take_blocks(&s, k0 - 1, p, w.begin, w.end);
    }
    take_lists(&s, &w, k0, k1, how);
    if (how & MOTE_JAGGED_REDUCE_SPREADS)
        long_lists[long_lists_at + get_global_id(0)] = w.long_list;
}

/* Combines the blocks of the lists that were spread; at most one of them belongs to a share. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void reduce_join(REDUCE_PARAMETERS)
{
    reduction s;
    reduction_make(&s, REDUCE_ARGUMENTS);
    uint k = long_lists[long_lists_at + get_global_id(0)];
    if (k < count) {
        acc_t lane[MOTE_JAGGED_REDUCE_JOIN];
        span p;
        span_find(&p, &s, k);
        uint blocks = span_blocks(p);
        for (uint b = 0; b < blocks; b++) {
            uint j = b % MOTE_JAGGED_REDUCE_JOIN;
            acc_t a = acc_moved(*block_place(&s, p, b), (position_t)b * BLOCK);
            lane[j] = b == j ? a : acc_merge(lane[j], a, how);
        }
        acc_store(s.result, k,
                  tree_combine(lane, min(blocks, (uint)MOTE_JAGGED_REDUCE_JOIN),
                               MOTE_JAGGED_REDUCE_JOIN / 2, how),
                  p.length, how);
    }
}
