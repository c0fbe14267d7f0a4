/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts lists by the method that sort.clh describes, for GPUs. Each work-item keeps a run of 8
 * neighbouring elements in registers.
 *
 * sort_find_lists finds the lists of each chunk. sort_chunks sorts the elements of each list inside
 * each run in registers, and then merges the pieces of each list in local memory in rounds: the
 * first round merges 2 pieces of a list, the next one 4 pieces, and so on, until the list with the
 * most pieces is sorted. A list of up to 8 elements therefore needs at most one round. In a round,
 * each work-item finds where its 8 results begin in the two halves (merge path, Green, McColl and
 * Bader 2012), and merges them one after another. A run can belong to two such lists: the one that
 * continues from the previous run, and the one that continues in the next run. sort_merge merges
 * the pieces of long lists in the same way; a work-group computes a chunk of results.
 *
 * Form: GPU.
 * Defines: WG, VALUE, ORDER, DESCENDING, INDICES, INDEX_OUT (sort.clh), INDEX, INDEX_SIGNED,
 * INDEX_LONG (jagged/lists.clh). Optional: MOST_BITS (sort.clh), REGISTERS (common/width.clh). */
#include "shared/jagged.h"

#define CHUNK  MOTE_SORT_CHUNK
#define WINDOW MOTE_SORT_WINDOW

#include "common/guard.clh"
#include "common/last.clh"
#include "jagged/sort/heads.clh"
#include "common/width.clh"

/* Clears the error word, the turns, and what is left if `some` is set, and finds the lists of each
 * chunk. */
__kernel void sort_find_lists(LIST_BOUNDS_PARAMETERS, ulong chunks, __global uint *restrict first,
                              ulong first_at, __global uint2 *restrict spans, ulong spans_at,
                              __global uint *restrict turns, ulong turns_at,
                              __global uchar *restrict left, ulong left_at, uint some,
                              const __global uint *guard, ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    list_bounds p;
    list_bounds_make(&p, LIST_BOUNDS_ARGUMENTS);
    error_clear_word((__global uint *)p.error);
    for (ulong i = get_global_id(0); i < MOTE_SORT_TURNS; i += get_global_size(0))
        turns[turns_at + i] = 0;
    for (ulong t = get_global_id(0); t <= chunks; t += get_global_size(0)) {
        sort_find(&p, (uint)t, first + first_at, spans + spans_at);
        if (some && t < chunks)
            left[left_at + t] = 0;
    }
}

#if INDICES
/* Sets the positions of a run's elements in their lists. */
inline void sort_number(const sort_lists *s, const sort_bounds *b, uint at, uint chunk,
                        sort_run *run)
{
    const bool goes_on = s->before.y > s->before.x;
    uint begin = chunk + b->first_begin;
    if (goes_on && begin == s->from)
        begin = s->before.x;
    UNROLLED
    for (uint u = 0; u < RUN; u++) {
        const uint i = at + u;
        if (b->heads >> u & 1)
            begin = goes_on && i == s->from ? s->before.x : i;
        run->index[u] = i - begin;
    }
}
#endif

/* Does one round of merging in local memory: of the lists of run r, pieces of `width` runs are
 * merged in pairs. The first piece of a list begins with its first run. Returns whether the run
 * changes. */
inline bool sort_round(const __local sort_local *l, const sort_bounds *b, uint width, uint r,
                       sort_run *run)
{
    sort_part first = {0, 0, 0, 0, 0, 0}, last = {0, 0, 0, 0, RUN, RUN};
    const uint at = RUN * r, begun = b->first_begin / RUN;
    const uint piece = begun + (r - begun) / (2 * width) * (2 * width);
    const uint first_mid = RUN * (piece + width), last_mid = RUN * (r + width);
    if (first_mid < b->first_end) {
        const uint lo = max(b->first_begin, RUN * piece);
        first = sort_part_of(l, lo, first_mid, min(b->first_end, first_mid + RUN * width), at - lo,
                             0, min(b->first_end - at, (uint)RUN));
    }
    if (last_mid < b->last_end) {
        const sort_part part = {b->last_begin,      last_mid,
                                last_mid,           min(b->last_end, last_mid + RUN * width),
                                b->last_begin - at, RUN};
        last = part;
    }
    if (first.u1 == 0 && last.u0 == RUN)
        return false;
    sort_serial(l, first, &last, run);
    return true;
}

/* Sorts whole lists, and pieces of long ones. If `some` is set, only those of chunks that are
 * `left`. */
__kernel REQUIRED_SIZE void sort_chunks(
    LIST_BOUNDS_PARAMETERS, ulong chunks, const __global uint *restrict first, ulong first_at,
    const __global uint2 *restrict spans, ulong spans_at, const __global VALUE *restrict values,
    ulong values_at, __global VALUE *restrict result, ulong result_at,
    __global VALUE *restrict other, ulong other_at, __global INDEX_OUT *restrict indices,
    ulong indices_at, __global INDEX_OUT *restrict other_indices, ulong other_indices_at,
    const __global uchar *restrict left, ulong left_at, uint some, volatile __global uint *turns,
    ulong turns_at, const __global uint *guard, ulong guard_at)
{
    GUARD_GROUP(guard_stops(guard, guard_at) || (some && turns[turns_at + MOTE_SORT_LEFT] == 0),
                chunks = 0);
    __local sort_local local_memory;
    __local sort_local *l = &local_memory;
    const uint lid = get_local_id(0);
    list_bounds p;
    list_bounds_make(&p, LIST_BOUNDS_ARGUMENTS);
    values += values_at;
    result += result_at;
    indices += indices_at;
    if (get_global_id(0) == 0 && !some)
        list_bounds_check(&p, false);
    for (ulong j = get_global_id(0); full && !some && j < m; j += get_global_size(0))
        list_check(p.error, (uint)j, p.offsets[j], p.offsets[j + 1], p.length);
    for (ulong t = get_group_id(0); t < chunks; t += get_num_groups(0)) {
        const ulong chunk = t * CHUNK, end = min(chunk + CHUNK, n);
        if (some && !left[left_at + t])
            continue;
        sort_lists s;
        sort_run run[EACH];
        sort_bounds bounds[EACH];
        bool changed[EACH];
        UNROLLED
        for (uint e = 0; e < EACH; e++)
            if (WG * e + lid < RUNS)
                sort_load(values, chunk + RUN * (WG * e + lid), n, &run[e]);
        sort_lists_make(&s, &p, first + first_at, spans + spans_at, t);
        if (lid == 0 && s.behind.y > 0)
            atomic_max(&turns[turns_at + MOTE_SORT_HEIGHT], sort_height(s.behind));
        sort_mark(l, &p, &s, (uint)chunk);
        UNROLLED
        for (uint e = 0; e < EACH; e++) {
            const uint r = WG * e + lid;
            if (r < RUNS) {
                bounds[e] = sort_bounds_of(l, &s, (uint)chunk, r);
#if INDICES
                sort_number(&s, &bounds[e], (uint)chunk + RUN * r, (uint)chunk, &run[e]);
#endif
                sort_exchange(&run[e], bounds[e].heads);
                sort_put(l, r, &run[e]);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint runs = l->runs;
        for (uint width = 1; width <= runs; width *= 2) {
            UNROLLED
            for (uint e = 0; e < EACH; e++)
                changed[e] =
                    WG * e + lid < RUNS && sort_round(l, &bounds[e], width, WG * e + lid, &run[e]);
            barrier(CLK_LOCAL_MEM_FENCE);
            UNROLLED
            for (uint e = 0; e < EACH; e++)
                if (changed[e])
                    sort_put(l, WG * e + lid, &run[e]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        UNROLLED
        for (uint e = 0; e < EACH; e++)
            if (WG * e + lid < RUNS)
                sort_store_chunk(&run[e], &s, (uint)(chunk + RUN * (WG * e + lid)), result,
                                 other + other_at, indices, other_indices + other_indices_at);
        sort_copy(&p, values, result, indices, chunk, min(end, (ulong)list_bound(&p, 0)), lid, WG);
        sort_copy(&p, values, result, indices, max(chunk, (ulong)list_bound(&p, m)), end, lid, WG);
    }
}

#if MOTE_LAST
#include "jagged/sort/merge_all.clh"
#else
/* Merges elements range.x .. range.y - 1 of a long list, which are in the chunk. */
inline void sort_merge_range(__local sort_local *l, sort_span list, sort_span range, uint merging,
                             uint chunk, const __global VALUE *from, __global VALUE *to,
                             const __global INDEX_OUT *from_indices, __global INDEX_OUT *to_indices)
{
    const sort_halves h = sort_halves_of(list, merging, range.x);
    const uint na = h.mid - h.lo, nb = h.hi - h.mid, d = range.x - h.lo, count = range.y - range.x;
    const uint2 split =
        sort_split(&l->search, from + h.lo, na, from + h.mid, nb, (uint2)(d, d + count));
    const uint first = split.x, a = max(split.y, first) - first, b = count - min(a, count);
    for (uint i = get_local_id(0); i < count; i += WG) {
        const uint at = i < a ? h.lo + first + i : h.mid + (d - first) + (i - a);
        const uint safe = min(at, h.hi - 1);
        l->values[sort_slot(i)] = from[safe];
#if INDICES
        l->indices[sort_slot(i)] = (uint)from_indices[safe];
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = get_local_id(0); r < RUNS; r += WG) {
        const uint at = chunk + RUN * r, begin = max(at, range.x);
        const uint end = (uint)min((ulong)at + RUN, (ulong)range.y);
        if (begin < end) {
            const sort_part none = {0, 0, 0, 0, RUN, RUN};
            sort_run run;
            sort_serial(l,
                        sort_part_of(l, 0, min(a, count), min(a, count) + b, begin - range.x,
                                     begin - at, end - at),
                        &none, &run);
            sort_store(&run, to, to_indices, at, begin - at, end - at);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Merges pieces of the long lists of chunk t. Bit `which` of `moves` is set if such a list is
 * merged. */
inline void sort_merge_chunk(__local sort_local *l, const __global sort_span *spans, ulong t,
                             uint merging, ulong n, uint moves, __global VALUE *result,
                             __global VALUE *other, __global INDEX_OUT *indices,
                             __global INDEX_OUT *other_indices)
{
    for (uint which = 0; which < 2; which++) {
        if (moves >> which & 1) {
            sort_span list, range;
            sort_moves(spans, t, merging, which, n, &list, &range);
            const bool to_result = sort_in_result(list, merging);
            sort_merge_range(l, list, range, merging, (uint)(t * CHUNK), to_result ? other : result,
                             to_result ? result : other, to_result ? other_indices : indices,
                             to_result ? indices : other_indices);
            MOTE_RECONVERGE();
        }
    }
}

/* Merges pieces of long lists. Most chunks may have nothing to merge, so each work-item checks
 * another chunk first. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void sort_merge(
    ulong n, ulong chunks, const __global uint2 *restrict spans, ulong spans_at,
    __global VALUE *result, ulong result_at, __global VALUE *other, ulong other_at,
    __global INDEX_OUT *indices, ulong indices_at, __global INDEX_OUT *other_indices,
    ulong other_indices_at, uint merging, const __global uint *guard, ulong guard_at)
{
    GUARD_GROUP(guard_stops(guard, guard_at), chunks = 0);
    __local sort_local local_memory;
    __local uchar moves[WG]; /* bit `which`: such a list of the chunk is merged */
    volatile __local uint any;
    const uint lid = get_local_id(0);
    const ulong groups = get_num_groups(0);
    result += result_at;
    other += other_at;
    indices += indices_at;
    other_indices += other_indices_at;
    spans += spans_at;
    for (ulong t0 = get_group_id(0); t0 < chunks; t0 += groups * WG) {
        const ulong mine = t0 + groups * lid;
        sort_span list, range;
        barrier(CLK_LOCAL_MEM_FENCE);
        moves[lid] = 0;
        if (lid == 0)
            any = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint which = 0; which < 2; which++)
            if (mine < chunks && sort_moves(spans, mine, merging, which, n, &list, &range))
                moves[lid] |= (uchar)(1 << which);
        if (moves[lid])
            atomic_or(&any, 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; any && k < WG && t0 + groups * k < chunks; k++) {
            sort_merge_chunk(&local_memory, spans, t0 + groups * k, merging, n, moves[k], result,
                             other, indices, other_indices);
        }
    }
}
#endif
