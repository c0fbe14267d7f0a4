/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the beginnings of windows, for GPUs: all offsets are read once, and checked.
 *
 * Form: GPU.
 * Defines: WG (a multiple of 8), WINDOW (a multiple of 256), INDEX, INDEX_SIGNED, INDEX_LONG
 * (jagged/lists.clh), REDUCE, VALUE, VALUE_BOOL, VALUE_FLOAT, RESULT, LEAST, MOST,
 * WIDE, SKIP_NAN (jagged/reduce/accumulate.clh).
 * Optional: VALUE_HALF (common/stored.clh). */
#include "common/macros.clh"
#include "jagged/reduce/windows.clh"

#define LISTS      MOTE_JAGGED_REDUCE_FIND /* of a work-item */
#define ALONE_MOST 2                       /* windows that a work-item writes by itself */
#define TEAM       8   /* work-items that write the windows after a list together ... */
#define TEAM_MOST  256 /* ... unless there are more windows than this */

/* Returns how many windows begin after the coordinate of list k, up to the coordinate of the next
 * list. */
inline uint windows_behind(const reduction *s, uint k, INDEX begin, INDEX end)
{
    uint before = window_of(coordinate_of(s, begin, k));
    uint last = window_of(coordinate_of(s, end, k + 1));
    return last > before ? last - before : 0;
}

/* Writes the beginning of every step-th of these windows, from number `first` on. */
inline void windows_begin(const reduction *s, const windows *w, uint k, uint first, uint step)
{
    INDEX end = s->offsets[k + 1];
    uint before = window_of(coordinate(s, k));
    uint last = min(window_of(coordinate_of(s, end, k + 1)), w->number - 1);
    if (first == 0 && before < w->number)
        w->ended[before] = 0;
    for (uint i = before + 1 + first; i <= last; i += step) {
        w->list[i] = k + 1;
        w->offset[i] = end;
    }
}

/* Lists that are followed by several windows. Lists with more than TEAM_MOST windows fill the array
 * from its end. */
typedef struct find_local {
    uint list[LISTS * WG];
    uint some, many;
} find_local;

/* Writes the windows after list k if there are few; otherwise records the list for several
 * work-items. */
inline void find_behind(const reduction *s, const windows *w, uint k, __local find_local *l)
{
    uint behind = windows_behind(s, k, s->offsets[k], s->offsets[k + 1]);
    if (behind <= ALONE_MOST)
        windows_begin(s, w, k, 0, 1);
    else if (behind <= TEAM_MOST)
        l->list[atomic_inc(&l->some)] = k;
    else
        l->list[LISTS * WG - 1 - atomic_inc(&l->many)] = k;
}

/* Writes the windows after lists with very many of them, by the whole group. Valid lists have no
 * more windows in all than there are; wrong offsets can assign all windows to each list. */
inline void find_many(const reduction *s, const windows *w, const __local find_local *l)
{
    uint rest = w->number;
    for (uint j = 0; j < l->many; j++) {
        uint k = l->list[LISTS * WG - 1 - j];
        uint behind = windows_behind(s, k, s->offsets[k], s->offsets[k + 1]);
        if (behind > rest)
            break;
        rest -= behind;
        windows_begin(s, w, k, get_local_id(0), WG);
    }
}

/* Returns one bit for each of the work-item's lists, step apart: whether windows follow it; `wrong`
 * has one bit for each list that is not valid. Both cases are rare, so their long code is outside
 * of this function. */
inline uint find_lists(const reduction *s, uint k0, uint step, uint *wrong)
{
    INDEX begin[LISTS], end[LISTS];
    uint bits = 0;
    *wrong = 0;
    UNROLLED
    for (uint u = 0; u < LISTS; u++) {
        uint k = min(k0 + u * step, s->count - 1);
        begin[u] = s->offsets[k];
        end[u] = s->offsets[k + 1];
    }
    UNROLLED
    for (uint u = 0; u < LISTS; u++) {
        bool there = k0 < s->count && u * step < s->count - k0;
        bool some = windows_behind(s, k0 + u * step, begin[u], end[u]) > 0;
        bits |= (uint)(there && some) << u;
        *wrong |= (uint)(there && !list_is_right(begin[u], end[u], s->limit)) << u;
    }
    return bits;
}

/* Returns the index of the lowest bit. */
inline uint lowest(uint bits)
{
    return 31 - clz(bits & -bits);
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void reduce_find(WINDOWS_PARAMETERS)
{
    __local find_local l;
    uint lid = get_local_id(0), k0 = get_global_id(0), step = get_global_size(0), wrong;
    reduction s;
    windows w;
    reduction_make(&s, REDUCE_ARGUMENTS);
    WINDOWS_MAKE(w);
    if (lid == 0)
        l.some = l.many = 0;
    if (k0 == 0) {
        w.list[0] = 0;
        w.offset[0] = s.first;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint bits = find_lists(&s, k0, step, &wrong);
    for (; bits; bits &= bits - 1)
        find_behind(&s, &w, k0 + lowest(bits) * step, &l);
    for (; wrong; wrong &= wrong - 1) {
        uint k = k0 + lowest(wrong) * step;
        check(&s, k, s.offsets[k], s.offsets[k + 1]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = lid / TEAM; j < l.some; j += WG / TEAM)
        windows_begin(&s, &w, l.list[j], lid % TEAM, TEAM);
    find_many(&s, &w, &l);
}
