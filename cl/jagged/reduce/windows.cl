/* SPDX-License-Identifier: Apache-2.0 */
/* One result for each list of medium length on average, however uneven they are, for GPUs.
 *
 * A window is a share of WINDOW coordinates. reduce_find reads all offsets once and computes
 * where each window begins. reduce_windows has a group for each window: it copies the values of
 * the lists that begin in the window to local memory, where short lists are reduced by one
 * work-item each and others by octets. If the last list does not fit, it is reduced in blocks; each
 * of several blocks is reduced by the window that has the block's coordinate, and the blocks are
 * joined by the group that ends last or, on devices where no group can know that, by reduce_join.
 * Thus all groups do about the same work, no group searches, and long reads are always in flight.
 *
 * Form: GPU.
 * Defines: WG (a multiple of 8), WINDOW (a multiple of 256, at most STAGE_MOST), ROOM (values of a
 * group, more than PART_CHUNKS chunks with their gaps), DEEP, SERIAL_DEEP (tiles.cl), INDEX,
 * INDEX_SIGNED, INDEX_LONG (jagged/lists.clh), REDUCE, VALUE, VALUE_BOOL, VALUE_FLOAT,
 * RESULT, LEAST, MOST, WIDE, SKIP_NAN (jagged/reduce/accumulate.clh).
 * Optional: VALUE_HALF (common/stored.clh). */
#define SPACE       __local
#define ROWS        (ROOM / 33 + 1)
#define PLACES      1
#define PART_CHUNKS (WG < 128 ? BLOCK_CHUNKS / 2 : BLOCK_CHUNKS)
#define ALL_SPREAD  1
#include "common/last.clh"
#include "jagged/reduce/block.clh"
#include "jagged/reduce/join.clh"
#include "jagged/reduce/windows.clh"
#include "jagged/width.clh"

/* Values that fit with any alignment; a list longer than a block is reduced by blocks. */
#define STAGE_MOST (ROOM - UNIT < BLOCK ? ROOM - UNIT : BLOCK)

/* Blocks are combined when the values are no longer needed. */
typedef union window_values {
    stage_unit units[ROOM / UNIT];
    acc_t join[MOTE_JAGGED_REDUCE_JOIN];
} window_values;

typedef struct window_local {
    window_values values;
    chunk_rows rows;
    acc_t block[2 * BLOCK_CHUNKS];
    uint count, last[2];
} window_local;

/* A group's window. The values that the lists of a window share: `count` from `at` on. */
typedef struct window {
    ulong from;  /* its first coordinate */
    uint k0, k1; /* lists that are read from local memory */
    INDEX begin, end;
    position_t at;
    uint count;
    INDEX before; /* beginning of the previous list */
    span last;    /* list k1, if it is reduced by blocks */
    bool apart;   /* it is */
} window;

/* Reads the bounds of the window. None of these reads depends on another. */
inline void window_read(window *x, const reduction *s, const windows *w)
{
    uint i = get_group_id(0), next = min(i + 1, w->number - 1);
    x->from = (ulong)i * WINDOW;
    x->k0 = w->list[i];
    x->k1 = w->list[next];
    x->begin = w->offset[i];
    x->end = w->offset[next];
    if (x->from + WINDOW >= s->total) {
        x->k1 = s->count;
        x->end = s->offsets[s->count];
    }
}

/* Checks the bounds, because wrong offsets may give any numbers. A window with invalid bounds
 * copies nothing. */
inline void window_make(window *x, const reduction *s)
{
    x->k0 = min(x->k0, s->count);
    x->k1 = x->k0 + min(max(min(x->k1, s->count), x->k0) - x->k0, (uint)WINDOW);
    x->before = s->offsets[max(x->k0, 1u) - 1];
    position_t stop = (position_t)x->end - s->shift;
    x->at = (position_t)x->begin - s->shift;
    x->apart = x->k0 < x->k1 && stop - x->at > STAGE_MOST;
    if (x->apart) {
        x->k1--;
        span_set(&x->last, s, s->offsets[x->k1], x->end);
        stop = x->last.at;
    }
    bool sound = x->at <= stop && stop <= s->length && stop - x->at <= STAGE_MOST;
    x->count = sound ? (uint)(stop - x->at) : 0;
    x->at = sound ? x->at : 0; /* stage() copies whole units, even for no values */
}

/* Reduces a list in local memory, where values[0] is value x->at, or records its chunks. */
inline void take_one(const reduction *s, const window *x, uint k, INDEX begin, INDEX end,
                     const __local STORED *values, __local window_local *l)
{
    span p;
    span_set(&p, s, begin, end);
    position_t at = p.length ? p.at - x->at : 0;
    if (p.length > x->count || at > x->count - p.length)
        return;
    if (p.length <= MOTE_JAGGED_REDUCE_SERIAL)
        acc_store(s->result, k, serial_reduce(values + at, (uint)p.length, s->how), p.length,
                  s->how);
    else
        rows_note(k, (uint)at, (uint)p.length, &l->count, &l->rows);
}

/* Reduces the lists k0 .. k1 - 1. Offsets are read while values are being copied, then one turn
 * ahead. */
inline void take_lists(const reduction *s, const window *x, __local window_local *l)
{
    const __local STORED *values =
        (const __local STORED *)l->values.units + stage_lead(s->values + x->at);
    uint k = x->k0 + get_local_id(0), last = s->count - 1;
    INDEX begin = s->offsets[min(k, last)], end = s->offsets[min(k, last) + 1];
    if (get_local_id(0) == 0)
        l->count = 0;
    stage(s->values, s->length, x->at, x->count, l->values.units, 0);
    stage_wait();
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
    for (; k < x->k1; k += WG) {
        uint next = min(k + WG, last);
        INDEX next_begin = s->offsets[next], next_end = s->offsets[next + 1];
        take_one(s, x, k, begin, end, values, l);
        begin = next_begin;
        end = next_end;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint rows = min(l->count, (uint)ROWS);
    rows_reduce(values, rows, s->how, &l->rows);
    barrier(CLK_LOCAL_MEM_FENCE);
    rows_finish(s, rows, &l->rows);
}

/* Combines the blocks of up to two lists whose last block the group has reduced; `share`: number of
 * their blocks that the group has reduced. This is a loop, because the code is long. */
inline void blocks_end(const reduction *s, const windows *w, uint *k, uint *share, span *p,
                       __local window_local *l)
{
#if MOTE_LAST
#pragma unroll 1
    for (uint i = 0; i < 2; i++) {
        uint begin = min(window_of(coordinate_at(s, p[0].at, k[0])), w->number - 1);
        if (share[0] > 0 &&
            group_is_last(w->ended + begin, share[0], span_blocks(p[0]), &l->last[i]))
            blocks_join(s, k[0], l->values.join);
        k[0] = k[1];
        share[0] = share[1];
        p[0] = p[1];
        MOTE_RECONVERGE();
    }
#endif
}

/* Reduces the blocks with coordinates in the window: of the previous list, then of the last list,
 * or its only block. Returns whether the last list has several blocks. */
inline bool take_blocks(const reduction *s, const windows *w, const window *x,
                        __local window_local *l)
{
    uint own = x->apart ? span_blocks(x->last) : 0, first = 0, behind = 0, own_first = 0;
    bool spread = own > 1;
    span before;
    parts_way way;
    way_begin(&way);
    span_set(&before, s, x->before, x->k0 > 0 ? x->begin : x->before);
    if (before.length > BLOCK)
        blocks_within(s, x->k0 - 1, span_blocks(before), x->from, x->from + WINDOW, &first,
                      &behind);
    if (spread)
        blocks_within(s, x->k1, own, x->from, x->from + WINDOW, &own_first, &own);
    uint carried = behind - first, all = carried + own - own_first;
    for (uint i = 0; i < all; i++) {
        bool is_carried = i < carried;
        block y;
        y.p = is_carried ? before : x->last;
        y.k = is_carried ? x->k0 - 1 : x->k1;
        y.b = is_carried ? first + i : own_first + i - carried;
        y.spread = true;
        way_take(s, &y, &way, l->values.units, &l->rows, l->block);
        MOTE_RECONVERGE();
    }
    way_end(s, &way, l->values.units, &l->rows, l->block);
    if (!(s->how & MOTE_JAGGED_REDUCE_SPREADS)) {
        uint k[2] = {x->k0 - 1, x->k1}, share[2] = {carried, spread ? own - own_first : 0};
        span p[2] = {before, x->last};
        blocks_end(s, w, k, share, p, l);
    }
    return spread;
}

__kernel INDEX_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void reduce_windows(
    WINDOWS_PARAMETERS)
{
    __local window_local l;
    reduction s;
    windows w;
    window x;
    reduction_make(&s, REDUCE_ARGUMENTS);
    WINDOWS_MAKE(w);
    window_read(&x, &s, &w);
    if (x.from < s.total) {
        window_make(&x, &s);
        if (x.k0 < x.k1) {
            take_lists(&s, &x, &l);
            MOTE_RECONVERGE();
        }
        bool spread = take_blocks(&s, &w, &x, &l);
        if (get_local_id(0) == 0 && (how & MOTE_JAGGED_REDUCE_SPREADS))
            long_lists[long_lists_at + get_group_id(0)] = spread ? x.k1 : NO_LIST;
        MOTE_RECONVERGE();
    }
}
