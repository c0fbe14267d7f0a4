/* SPDX-License-Identifier: Apache-2.0 */
/* One result for each of neighbouring lists whose values fit local memory, for GPUs.
 *
 * A group copies the values of LISTS lists to local memory in whole units of 16 bytes, so that even
 * for short lists memory serves many long reads at once. No search is needed. Lists that do not fit
 * are skipped and processed by reduce_tiles; `left` records which lists these are, unless there are
 * too many, and for each group how long they are. With QUADS, a work-item reduces four neighbouring
 * lists at a time, with one load of their offsets and one store of their results. Otherwise it
 * reduces single lists of up to 32 values.
 *
 * Form: GPU.
 * Defines: WG (a multiple of 8), LISTS (of a group; of 4 * WG with QUADS), ROOM (values of a
 * group), QUADS, SERIAL_DEEP (tiles.cl), INDEX, INDEX_SIGNED, INDEX_LONG
 * (jagged/lists.clh), REDUCE, VALUE, VALUE_BYTES, VALUE_BOOL, VALUE_FLOAT, RESULT, LEAST, MOST,
 * WIDE, SKIP_NAN (jagged/reduce/accumulate.clh).
 * Optional: VALUE_HALF (common/stored.clh). */
#define SPACE __local
#include "jagged/reduce/serial.clh"
#include "jagged/reduce/stage.clh"
#include "jagged/width.clh"

/* Sums, means and variances of up to two floats need no accumulator. */
#if QUADS && WIDE && !SKIP_NAN && !VALUE_HALF && VALUE_FLOAT && VALUE_BYTES == 4 &&                \
    (REDUCE == MOTE_JAGGED_REDUCE_SUM || REDUCE == MOTE_JAGGED_REDUCE_MEAN || VARIANCE)
#define PAIRS 1
#else
#define PAIRS 0
#endif

/* Variances: lists of more than two values that a group can record. */
#if PAIRS && VARIANCE
#define NOTED 128
#else
#define NOTED 0
#endif

#define STAGE_MOST (ROOM - UNIT) /* values that fit with any alignment */

typedef struct staged_local {
    stage_unit values[ROOM / UNIT];
    uint left; /* length of the shortest skipped list */
#if QUADS
    uint some; /* whether any skipped list is not recorded */
#if NOTED
    uint noted; /* lists of more than two values, which they are, where their values are, and how
                   many */
    uint lists[NOTED], spans[NOTED];
#endif
#endif
} staged_local;

/* Lists k0 .. k1 - 1 and their values: `count` from `at` on, in local memory. */
typedef struct staged {
    uint k0, k1, count;
    position_t at;
    const __local STORED *values;
} staged;

/* Returns the first list of the group; for a last group without lists, the index after all
 * lists. */
inline uint group_list(const reduction *s)
{
    uint first = get_group_id(0) * LISTS;
    return min(first - min(first, s->lead), s->count);
}

/* Returns false if the values do not fit, or if the offsets are not valid. */
inline bool staged_make(staged *g, const reduction *s, uint k0, uint k1, __local staged_local *l)
{
    position_t at = (position_t)s->offsets[k0] - s->shift;
    position_t end = (position_t)s->offsets[k1] - s->shift;
    g->k0 = k0;
    g->k1 = k1;
    g->at = at;
    g->count = (uint)(end - at);
    g->values = (const __local STORED *)l->values + stage_lead(s->values + at);
    /* Offsets that wrap around have correct differences. */
    return !INDEX_NEGATIVE(s->offsets[k0]) && s->offsets[k0] <= s->offsets[k1] && at <= end &&
           end <= s->length && end - at <= STAGE_MOST;
}

/* In quad mode, skipped lists are recorded one by one; lists of medium length are usually too many
 * to record. */
#if QUADS

inline void left_begin(bool fits, __local staged_local *l)
{
    l->left = MOTE_JAGGED_REDUCE_NONE_LEFT;
    l->some = 0;
#if NOTED
    l->noted = 0;
#endif
}

/* Skips lists of `length` and longer, without recording them one by one. */
inline void leave_unnoted(uint length, __local staged_local *l)
{
    atomic_min(&l->left, length);
    atomic_or(&l->some, 1u);
}

inline bool some_left(const __local staged_local *l)
{
    return l->some;
}

#else

inline void left_begin(bool fits, __local staged_local *l)
{
    l->left = fits ? MOTE_JAGGED_REDUCE_NONE_LEFT : MOTE_JAGGED_REDUCE_ALL_LEFT;
}

inline void leave_unnoted(uint length, __local staged_local *l)
{
    atomic_min(&l->left, length);
}

inline bool some_left(const __local staged_local *l)
{
    return l->left != MOTE_JAGGED_REDUCE_NONE_LEFT;
}

#endif

/* Reduces a single list, if its values are among the staged values; otherwise it is an error, which
 * check() reports. */
inline void take_one(const reduction *s, const staged *g, uint k, INDEX begin, INDEX end,
                     __local staged_local *l)
{
    span p;
    check(s, k, begin, end);
    span_set(&p, s, begin, end);
    position_t at = p.length ? p.at - g->at : 0;
    if (p.length > g->count || at > g->count - p.length)
        return;
    if (p.length <= MOTE_JAGGED_REDUCE_SERIAL)
        acc_store(s->result, k, serial_reduce(g->values + at, (uint)p.length, s->how), p.length,
                  s->how);
    else
        leave_unnoted(MOTE_JAGGED_REDUCE_SERIAL + 1, l);
}

#if QUADS

/* Skips list k; the group has recorded that it skips lists. The list is recorded if long lists are
 * spread. */
inline void leave(const reduction *s, uint k, position_t length, __local staged_local *l,
                  volatile __global uint *left)
{
    bool huge = length > MOTE_JAGGED_REDUCE_LONG_BLOCKS * BLOCK;
    if (!(s->how & MOTE_JAGGED_REDUCE_SPREADS)) {
        atomic_or(&l->some, 1u);
    } else if (huge) {
        uint i = atomic_inc(&left[MOTE_JAGGED_REDUCE_HUGES]);
        if (i < MOTE_JAGGED_REDUCE_MOST_HUGES)
            left[MOTE_JAGGED_REDUCE_HUGE + i] = k;
    } else {
        uint i = atomic_inc(&left[MOTE_JAGGED_REDUCE_LONGS]);
        if (i < MOTE_JAGGED_REDUCE_MOST_LONGS)
            left[MOTE_JAGGED_REDUCE_LONG + i] = k;
    }
}

#endif

#include "jagged/reduce/own.clh"

/* Copies the values of lists to local memory, and reduces the lists. */
inline void staged_take(own *o, const reduction *s, const staged *g, __local staged_local *l)
{
    stage(s->values, s->length, g->at, g->count, l->values, 0);
    stage_wait();
    barrier(CLK_LOCAL_MEM_FENCE);
    own_take(o, s, g, l);
    barrier(CLK_LOCAL_MEM_FENCE);
    MOTE_RECONVERGE();
}

#if QUADS

/* Processes lists that do not fit together: short ones are read from global memory. */
inline void staged_far(const reduction *s, uint k0, uint k1, __local staged_local *l,
                       volatile __global uint *left)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = k0 + get_local_id(0); k < k1; k += WG) {
        span p;
        check(s, k, s->offsets[k], s->offsets[k + 1]);
        span_find(&p, s, k);
        if (p.length <= MOTE_JAGGED_REDUCE_SERIAL) {
            acc_t a = acc_start();
            for (uint i = 0; i < (uint)p.length; i++)
                a = acc_add(a, VALUE_OF(, s->values[p.at + i]), i, s->how);
            acc_store(s->result, k, a, p.length, s->how);
        } else {
            atomic_min(&l->left, (uint)MOTE_JAGGED_REDUCE_SERIAL + 1);
            leave(s, k, p.length, l, left);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif

/* Runs before the other kernels: no list is skipped yet. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void reduce_begin(
    REDUCE_PARAMETERS, __global uint *restrict left, ulong left_at)
{
    if (get_local_id(0) == 0) {
        left[left_at] = 0;
        left[left_at + MOTE_JAGGED_REDUCE_LONGS] = left[left_at + MOTE_JAGGED_REDUCE_HUGES] = 0;
    }
}

__kernel INDEX_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void reduce_staged(
    REDUCE_PARAMETERS, volatile __global uint *restrict left, ulong left_at)
{
    __local staged_local l;
    reduction s;
    staged g;
    own o;
    reduction_make(&s, REDUCE_ARGUMENTS);
    uint k0 = group_list(&s), k1 = min((uint)get_group_id(0) * LISTS + LISTS - s.lead, count);
    /* This comes first: after the reads of staged_make(), NVIDIA's compiler keeps offsets in
     * memory. */
    own_load(&o, &s, k1);
    bool fits = staged_make(&g, &s, k0, k1, &l);
    if (get_local_id(0) == 0)
        left_begin(fits, &l);
    if (fits)
        staged_take(&o, &s, &g, &l);
#if QUADS
    else
        staged_far(&s, k0, k1, &l, left + left_at);
#endif
    if (get_local_id(0) == 0 && some_left(&l))
        atomic_or(&left[left_at], 1u);
    if (get_local_id(0) == 0)
        left[left_at + MOTE_JAGGED_REDUCE_GROUPS + get_group_id(0)] = l.left;
}
