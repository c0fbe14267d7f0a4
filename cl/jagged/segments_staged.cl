/* SPDX-License-Identifier: Apache-2.0 */
/* One result for each of neighbouring lists whose values fit local memory, for GPUs.
 *
 * A group takes LISTS lists and copies their values to local memory in whole units of 16 bytes, so
 * that however short the lists are memory sees long reads, many of them under way. No search is
 * needed. Lists that do not fit are left to segments_tiles: `left` says whether there are any, then
 * for each group how long they are.
 * QUADS: a work-item takes four neighbouring lists at a time, whose offsets come by one load and
 * whose results go by one store. Else it takes single lists, and with LONG octets take those of more
 * than 32 values.
 *
 * Form: GPU.
 * Defines: WG (a multiple of 8), LISTS (of a group; of 4 * WG with QUADS), ROOM (values of a group),
 * QUADS, LONG, DEEP, SERIAL_DEEP (segments.cl), INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh),
 * REDUCE, VALUE, VALUE_BOOL, VALUE_FLOAT, RESULT, LEAST, MOST, WIDE, SKIP_NAN
 * (jagged/segments_reduce.clh).
 * Optional: VALUE_HALF (common/stored.clh). */
#define SPACE __local
#define ROWS  (ROOM / (MOTE_SEGMENTS_SERIAL + 1) + 1)
#include "jagged/segments_chunks.clh"
#include "jagged/segments_stage.clh"
#include "jagged/width.clh"

#define STAGE_MOST (ROOM - UNIT) /* values that fit, however they are aligned */

typedef struct staged_local {
    stage_unit values[ROOM / UNIT];
#if LONG
    chunk_rows rows;
    uint count;
#endif
    uint next, left;
} staged_local;

/* Lists k0 .. k1 - 1 and their values: `count` from `at` on, in local memory behind the first `skew`
 * places. */
typedef struct staged {
    uint k0, k1, skew, count;
    position_t at;
    const __local STORED *values;
} staged;

/* The first list of the group; of a last group that has none it is the one behind all. */
inline uint group_list(const segments *s)
{
    uint first = get_group_id(0) * LISTS;
    return min(first - min(first, s->skew), s->count);
}

/* False when the values do not fit, or cannot be. */
inline bool staged_make(staged *g, const segments *s, uint k0, uint k1, __local staged_local *l)
{
    position_t at = (position_t)s->offsets[k0] - s->shift;
    position_t end = (position_t)s->offsets[k1] - s->shift;
    g->k0 = k0;
    g->k1 = k1;
    g->at = at;
    g->count = (uint)(end - at);
    g->skew = (uint)((size_t)(s->values + at) / sizeof(STORED) % UNIT);
    g->values = (const __local STORED *)l->values + g->skew;
    return at <= end && end <= s->length && end - at <= STAGE_MOST;
}

/* Takes a list by itself, if it lies among the values that are staged: else it is an error that
 * check() reports. */
inline void take_one(const segments *s, const staged *g, uint k, INDEX begin, INDEX end,
                     __local staged_local *l)
{
    span p;
    check(s, k, begin, end);
    span_set(&p, s, begin, end);
    position_t at = p.length ? p.at - g->at : 0;
    if (p.length > g->count || at > g->count - p.length)
        return;
    if (p.length <= MOTE_SEGMENTS_SERIAL)
        acc_store(s->result, k, serial_reduce(g->values + at, (uint)p.length, s->how), s->how);
#if LONG
    else
        rows_note(k, (uint)at, (uint)p.length, &l->count, &l->rows);
#else
    else
        atomic_min(&l->left, (uint)MOTE_SEGMENTS_SERIAL + 1);
#endif
}

#include "jagged/segments_own.clh"

/* Stages what lists need, and takes them. */
inline void staged_take(own *o, const segments *s, const staged *g, __local staged_local *l)
{
    stage(s->values + g->at, g->skew, g->count, l->values);
#if LONG
    if (get_local_id(0) == 0)
        l->count = 0;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    own_take(o, s, g, l);
    barrier(CLK_LOCAL_MEM_FENCE);
#if LONG
    uint rows = min(l->count, (uint)ROWS);
    rows_reduce(g->values, rows, s->how, &l->rows);
    barrier(CLK_LOCAL_MEM_FENCE);
    rows_finish(s, rows, &l->rows);
#endif
    MOTE_MEET();
}

#if LONG

/* Lists that do not fit together are taken in several turns; one that does not fit by itself is
 * left. */
inline void staged_turns(own *o, const segments *s, uint k0, uint k1, __local staged_local *l)
{
    while (k0 < k1) {
        uint next = own_fit(o, s, k0, k1, l);
        staged g;
        if (next > k0 && staged_make(&g, s, k0, next, l))
            staged_take(o, s, &g, l);
        else if (get_local_id(0) == 0)
            l->left = min(l->left, next > k0 ? MOTE_SEGMENTS_ALL_LEFT : (uint)STAGE_MOST + 1);
        k0 = max(next, k0 + 1);
    }
}

#endif

/* Before the others. Nothing is left yet; but where a sample shows that a good part of the values
 * lie in lists that do not fit, passing over them twice would cost more than staging saves. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void segments_begin(
    SEGMENTS_PARAMETERS, __global uint *restrict left, ulong left_at)
{
#if LONG
    __local uint sum;
    segments s;
    span p;
    segments_make(&s, SEGMENTS_ARGUMENTS);
    if (get_local_id(0) == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    span_find(&p, &s, (uint)((ulong)count * get_local_id(0) / WG));
    atomic_add(&sum, p.length <= STAGE_MOST ? (uint)p.length : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    bool worth = (float)sum / WG * (float)count >= 0.75f * (float)(s.total - count);
#else
    bool worth = true;
#endif
    if (get_local_id(0) == 0)
        left[left_at] = left[left_at + MOTE_SEGMENTS_ALL] = !worth;
}

__kernel INDEX_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void segments_staged(
    SEGMENTS_PARAMETERS, volatile __global uint *restrict left, ulong left_at)
{
    __local staged_local l;
    segments s;
    staged g;
    own o;
    segments_make(&s, SEGMENTS_ARGUMENTS);
    uint k0 = group_list(&s), k1 = min((uint)get_group_id(0) * LISTS + LISTS - s.skew, count);
    /* First: behind the reads of staged_make() NVIDIA's compiler keeps offsets in memory. */
    own_load(&o, &s, k1);
    bool fits = staged_make(&g, &s, k0, k1, &l);
    bool wanted = !LONG || !left[left_at + MOTE_SEGMENTS_ALL];
    if (get_local_id(0) == 0)
        l.left = fits || LONG ? MOTE_SEGMENTS_NONE_LEFT : MOTE_SEGMENTS_ALL_LEFT;
    if (fits && wanted)
        staged_take(&o, &s, &g, &l);
#if LONG
    else if (wanted)
        staged_turns(&o, &s, k0, k1, &l);
#endif
    if (get_local_id(0) == 0 && l.left != MOTE_SEGMENTS_NONE_LEFT)
        atomic_or(&left[left_at], 1u);
    if (get_local_id(0) == 0)
        left[left_at + MOTE_SEGMENTS_GROUPS + get_group_id(0)] = l.left;
}
