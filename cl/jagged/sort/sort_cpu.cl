/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts lists by the method that sort.clh describes, for CPUs. Each work-item processes one chunk.
 *
 * sort_find_lists finds the lists of each chunk, sort_chunks sorts lists and pieces of lists by
 * insertion and merging, and sort_merge merges pieces of long lists.
 *
 * Form: CPU.
 * Defines: VALUE, ORDER, DESCENDING, INDICES, INDEX_OUT (sort.clh), INDEX, INDEX_SIGNED, INDEX_LONG
 * (jagged/lists.clh). Optional: MOST_BITS (sort.clh). */
#include "shared/jagged.h"

#define CHUNK  MOTE_SORT_CHUNK_CPU
#define WINDOW (2 * CHUNK)

#include "common/guard.clh"
#include "jagged/sort/sort.clh"

#define INSERTED 16 /* elements that are sorted by insertion */

/* Values, and the positions that they had in their lists. */
typedef struct sort_array {
    __global VALUE *x;
    __global INDEX_OUT *index;
} sort_array;

/* Sorts elements from .. to - 1 by insertion. The list begins at `begin`. */
inline void sort_insert(const __global VALUE *values, uint from, uint to, uint begin, sort_array a)
{
    for (uint i = from; i < to; i++) {
        const VALUE x = values[i];
        uint k = i;
        for (; k > from && sort_before(x, a.x[k - 1]); k--) {
            a.x[k] = a.x[k - 1];
            if (INDICES)
                a.index[k] = a.index[k - 1];
        }
        a.x[k] = x;
        if (INDICES)
            a.index[k] = (INDEX_OUT)(i - begin);
    }
}

/* Merges elements i .. mid - 1 and j .. hi - 1 of `from` into elements at .. end - 1 of `to`. No
 * branch depends on values, because processors would predict half of them wrongly. */
inline void sort_merge_serial(sort_array from, uint i, uint mid, uint j, uint hi, sort_array to,
                              uint at, uint end)
{
    while (at < end && i < mid && j < hi) {
        const VALUE x = from.x[i], y = from.x[j];
        const bool second = sort_before(y, x);
        to.x[at] = second ? y : x;
        if (INDICES)
            to.index[at] = from.index[second ? j : i];
        i += !second;
        j += second;
        at++;
    }
    if (i == mid)
        i = j;
    for (; at < end; at++, i++) {
        to.x[at] = from.x[i];
        if (INDICES)
            to.index[at] = from.index[i];
    }
}

/* Sorts elements from .. to - 1 of a list into `a`. */
inline void sort_piece(const __global VALUE *values, uint from, uint to, uint begin, sort_array a,
                       sort_array b)
{
    uint rounds = 0;
    for (ulong width = INSERTED; width < to - from; width *= 2)
        rounds++;
    if (rounds % 2 == 1) {
        const sort_array c = a;
        a = b;
        b = c;
    }
    for (ulong i = from; i < to; i += INSERTED)
        sort_insert(values, (uint)i, (uint)min(i + INSERTED, (ulong)to), begin, a);
    for (ulong width = INSERTED; width < to - from; width *= 2) {
        for (ulong i = from; i < to; i += 2 * width) {
            const uint mid = (uint)min(i + width, (ulong)to);
            const uint hi = (uint)min(i + 2 * width, (ulong)to);
            sort_merge_serial(a, (uint)i, mid, mid, hi, b, (uint)i, hi);
        }
        const sort_array c = a;
        a = b;
        b = c;
    }
}

__kernel void sort_find_lists(LIST_BOUNDS_PARAMETERS, ulong chunks, __global uint *restrict first,
                              ulong first_at, __global uint2 *restrict spans, ulong spans_at,
                              const __global uint *guard, ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    list_bounds p;
    list_bounds_make(&p, LIST_BOUNDS_ARGUMENTS);
    error_clear_word((__global uint *)p.error);
    for (ulong t = get_global_id(0); t <= chunks; t += get_global_size(0))
        sort_find(&p, (uint)t, first + first_at, spans + spans_at);
}

__kernel void sort_chunks(LIST_BOUNDS_PARAMETERS, ulong chunks, const __global uint *restrict first,
                          ulong first_at, const __global uint2 *restrict spans, ulong spans_at,
                          const __global VALUE *restrict values, ulong values_at,
                          __global VALUE *restrict result, ulong result_at,
                          __global VALUE *restrict other, ulong other_at,
                          __global INDEX_OUT *restrict indices, ulong indices_at,
                          __global INDEX_OUT *restrict other_indices, ulong other_indices_at,
                          const __global uint *guard, ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    const ulong t = get_global_id(0);
    list_bounds p;
    list_bounds_make(&p, LIST_BOUNDS_ARGUMENTS);
    if (t == 0)
        list_bounds_check(&p, false);
    for (ulong j = t; full && j < m; j += get_global_size(0))
        list_check(p.error, (uint)j, p.offsets[j], p.offsets[j + 1], p.length);
    if (t >= chunks)
        return;
    const ulong chunk = t * CHUNK, end = min(chunk + CHUNK, n), window = min(chunk + WINDOW, n);
    const uint c0 = first[first_at + t], c1 = max(first[first_at + t + 1], c0);
    const sort_span before = spans[spans_at + t];
    values += values_at;
    sort_array a = {result + result_at, indices + indices_at};
    sort_array b = {other + other_at, other_indices + other_indices_at};
    ulong sorted = chunk; /* lists that share elements must not sort them again and again */
    if (before.y > before.x) {
        const bool good = sort_in_result(before, 0);
        sort_piece(values, (uint)chunk, (uint)min((ulong)before.y, end), before.x, good ? a : b,
                   good ? b : a);
    }
    for (uint j = c0; j < c1; j++) {
        const INDEX offset = p.offsets[j], after = p.offsets[j + 1];
        const sort_span list =
            (sort_span)((uint)list_bound_of(&p, offset), (uint)list_bound_of(&p, after));
        if (!list_is_right(offset, after, p.length))
            list_check(p.error, j, offset, after, p.length);
        if (list.x < sorted || list.x >= end || list.x >= list.y)
            continue;
        sorted = list.y;
        if (!sort_is_long(list.x, list.y))
            sort_piece(values, list.x, (uint)min((ulong)list.y, window), list.x, a, b);
        else
            sort_piece(values, list.x, (uint)end, list.x, sort_in_result(list, 0) ? a : b,
                       sort_in_result(list, 0) ? b : a);
    }
    sort_copy(&p, values, a.x, a.index, chunk, min(end, (ulong)list_bound(&p, 0)), 0, 1);
    sort_copy(&p, values, a.x, a.index, max(chunk, (ulong)list_bound(&p, m)), end, 0, 1);
}

/* Returns how many of the first d results of a merging come from its first half. */
inline uint sort_split(const __global VALUE *a, uint na, const __global VALUE *b, uint nb, uint d)
{
    uint low = max(d, nb) - nb, high = min(d, na);
    while (low < high) {
        const uint i = low + (high - low) / 2;
        if (sort_before(b[d - 1 - i], a[i]))
            high = i;
        else
            low = i + 1;
    }
    return low;
}

__kernel void sort_merge(ulong n, ulong chunks, const __global uint2 *restrict spans,
                         ulong spans_at, __global VALUE *result, ulong result_at,
                         __global VALUE *other, ulong other_at, __global INDEX_OUT *indices,
                         ulong indices_at, __global INDEX_OUT *other_indices,
                         ulong other_indices_at, uint merging, const __global uint *guard,
                         ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    const ulong t = get_global_id(0);
    if (t >= chunks)
        return;
    for (uint which = 0; which < 2; which++) {
        sort_span list, range;
        if (!sort_moves(spans + spans_at, t, merging, which, n, &list, &range))
            continue;
        const bool good = sort_in_result(list, merging);
        const sort_array a = {result + result_at, indices + indices_at};
        const sort_array b = {other + other_at, other_indices + other_indices_at};
        const sort_array from = good ? b : a;
        const sort_halves h = sort_halves_of(list, merging, range.x);
        const uint d = range.x - h.lo;
        const uint i = sort_split(from.x + h.lo, h.mid - h.lo, from.x + h.mid, h.hi - h.mid, d);
        sort_merge_serial(from, h.lo + i, h.mid, h.mid + (d - i), h.hi, good ? a : b, range.x,
                          range.y);
    }
}
