/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts lists by the method that sort.clh describes, for GPUs, if positions are not wanted and
 * lists are not tiny. Work-items sort keys in registers: lists of up to 16 elements, and pieces of
 * longer lists, which pieces.clh merges. Keys have no place for the order of equal values, so
 * chunks with special values are left to sort.cl, as are chunks with bad offsets.
 *
 * Form: GPU.
 * Defines: WG, VALUE, ORDER, DESCENDING, INDICES, INDEX_OUT (sort.clh), INDEX, INDEX_SIGNED,
 * INDEX_LONG (jagged/lists.clh). Optional: MOST_BITS (sort.clh), REGISTERS (common/width.clh). */
#include "shared/jagged.h"

#define CHUNK  MOTE_SORT_CHUNK
#define WINDOW MOTE_SORT_WINDOW

#include "common/width.clh"
#include "jagged/sort/pieces.clh"

/* Loads elements at .. at + count - 1 to SIZE keys; those that are missing come last. */
#define LOAD_KEYS(SIZE, at, count)                                                                 \
    UNROLLED                                                                                       \
    for (uint u = 0; u < SIZE; u++)                                                                \
        x[u] = u < (count) ? l->keys[key_slot((at) + u)] : LAST_KEY;

#define DEFINE_SORT_LIST(SIZE)                                                                     \
    inline void sort_list_##SIZE(__local keys_local *l, uint at, uint count)                       \
    {                                                                                              \
        uint x[SIZE];                                                                              \
        LOAD_KEYS(SIZE, at, count)                                                                 \
        keys_sort_##SIZE(x);                                                                       \
        UNROLLED                                                                                   \
        for (uint u = 0; u < SIZE; u++)                                                            \
            if (u < count)                                                                         \
                l->keys[key_slot(at + u)] = x[u];                                                  \
    }

DEFINE_SORT_LIST(4)
DEFINE_SORT_LIST(8)
DEFINE_SORT_LIST(16)

/* Loads the values of a window as keys. */
inline void keys_load(__local keys_local *l, const __global VALUE *values, ulong chunk, ulong n)
{
    bool special = false;
    for (uint r = get_local_id(0); r < RUNS; r += WG) {
        sort_run run;
        sort_load(values, chunk + RUN * r, n, &run);
        UNROLLED
        for (uint u = 0; u < RUN; u++) {
            special = special || key_is_special(run.x[u]);
            l->keys[key_slot(RUN * r) + u] = key_of(run.x[u]);
        }
    }
    if (special)
        atomic_or(&l->left, 1);
}

/* Checks all lists, and cuts long ones into pieces, in any order. */
inline void keys_cut(__local keys_local *l, const list_bounds *p, const sort_lists *s, uint chunk)
{
    uint longest = 0;
    for (uint k = get_local_id(0); k <= s->c1 - s->c0; k += WG) {
        const uint2 list = keys_list(l, p, s, chunk, k);
        longest = max(longest, list.y - list.x);
        if (list.y - list.x > PIECE)
            pieces_cut(l, list);
    }
    if (longest > 1)
        atomic_max(&l->longest, longest);
}

/* Sorts lists of up to PIECE elements. */
inline void keys_sort_lists(__local keys_local *l, const list_bounds *p, const sort_lists *s,
                            uint chunk)
{
    const bool small = l->longest <= 8;
    for (uint k = get_local_id(0); k <= s->c1 - s->c0; k += WG) {
        const uint2 list = keys_list(l, p, s, chunk, k);
        const uint length = list.y - list.x;
        if (length < 2 || length > PIECE)
            continue;
        if (length <= 4)
            sort_list_4(l, list.x, length);
        else if (small)
            sort_list_8(l, list.x, length);
        else
            sort_list_16(l, list.x, length);
    }
}

/* Sorts lists that are cut into pieces. */
inline void keys_sort_pieces(__local keys_local *l)
{
    const uint lid = get_local_id(0), pieces = l->n_pieces, longest = l->longest;
    uint held[HELD][PIECE];
    UNROLLED
    for (uint e = 0; e < HELD; e++)
        if (WG * e + lid < pieces) {
            const piece p = piece_of(l, WG * e + lid);
            const uint at = p.begin + PIECE * p.number, count = p.end - at;
            uint *x = held[e];
            LOAD_KEYS(PIECE, at, count)
            keys_sort_16(x);
            piece_put(l, p, 1, x);
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint size = 2; PIECE * size < 2 * longest; size *= 2) {
        UNROLLED
        for (uint e = 0; e < HELD; e++)
            if (WG * e + lid < pieces) {
                const piece p = piece_of(l, WG * e + lid);
                if (piece_merges(p, size))
                    piece_merge(l, p, size, held[e]);
            }
        barrier(CLK_LOCAL_MEM_FENCE);
        UNROLLED
        for (uint e = 0; e < HELD; e++)
            if (WG * e + lid < pieces) {
                const piece p = piece_of(l, WG * e + lid);
                if (piece_merges(p, size))
                    piece_put(l, p, size, held[e]);
            }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Stores the sorted values of a window. */
inline void keys_store(const __local keys_local *l, const sort_lists *s, ulong chunk,
                       __global VALUE *result, __global VALUE *other)
{
    for (uint r = get_local_id(0); r < RUNS; r += WG) {
        sort_run run;
        UNROLLED
        for (uint u = 0; u < RUN; u++)
            run.x[u] = key_value(l->keys[key_slot(RUN * r) + u]);
        sort_store_chunk(&run, s, (uint)(chunk + RUN * r), result, other, 0, 0);
    }
}

/* Sorts whole lists, and pieces of long ones: a group sorts a chunk, or sets `left`. */
__kernel REQUIRED_SIZE void sort_keys(LIST_BOUNDS_PARAMETERS, ulong chunks,
                                      const __global uint *restrict first, ulong first_at,
                                      const __global uint2 *restrict spans, ulong spans_at,
                                      const __global VALUE *restrict values, ulong values_at,
                                      __global VALUE *restrict result, ulong result_at,
                                      __global VALUE *restrict other, ulong other_at,
                                      __global uchar *restrict left, ulong left_at,
                                      volatile __global uint *restrict turns, ulong turns_at)
{
    __local keys_local local_memory;
    __local keys_local *l = &local_memory;
    const uint lid = get_local_id(0);
    const ulong t = get_group_id(0), chunk = t * CHUNK, end = min(chunk + CHUNK, n);
    list_bounds p;
    list_bounds_make(&p, LIST_BOUNDS_ARGUMENTS);
    values += values_at;
    result += result_at;
    if (get_global_id(0) == 0)
        list_bounds_check(&p, false);
    for (ulong j = get_global_id(0); full && j < m; j += get_global_size(0))
        list_check(p.error, (uint)j, p.offsets[j], p.offsets[j + 1], p.length);
    if (t >= chunks)
        return;
    sort_lists s;
    sort_lists_make(&s, &p, first + first_at, spans + spans_at, t);
    const bool many = s.c1 - s.c0 > MOTE_SORT_MOST_LISTS;
    if (lid == 0) {
        l->n_pieces = l->longest = 0;
        l->left = many;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!many) {
        keys_load(l, values, chunk, n);
        keys_cut(l, &p, &s, (uint)chunk);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) {
        left[left_at + t] = l->left != 0;
        if (l->left)
            atomic_or(&turns[turns_at + MOTE_SORT_LEFT], 1);
        else if (s.behind.y > 0)
            atomic_max(&turns[turns_at + MOTE_SORT_HEIGHT], sort_height(s.behind));
    }
    if (l->left)
        return;
    keys_sort_lists(l, &p, &s, (uint)chunk);
    if (l->n_pieces)
        keys_sort_pieces(l);
    MOTE_RECONVERGE();
    barrier(CLK_LOCAL_MEM_FENCE);
    keys_store(l, &s, chunk, result, other + other_at);
    sort_copy(&p, values, result, 0, chunk, min(end, (ulong)list_bound(&p, 0)), lid, WG);
    sort_copy(&p, values, result, 0, max(chunk, (ulong)list_bound(&p, m)), end, lid, WG);
}
