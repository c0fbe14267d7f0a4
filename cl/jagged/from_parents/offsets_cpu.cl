/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets from labels, for CPUs: few work-items, each with an equal share of elements and lists
 * together.
 *
 * Form: CPU.
 * Defines: INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). */
#include "common/lanes_cpu.clh"
#include "jagged/from_parents/labels.clh"

/* Returns how many elements are before a place. */
inline ulong find_place(const labels *in, ulong place)
{
    ulong lo = place_least(in, place), hi = place_most(in, place);
    while (lo < hi) {
        ulong mid = lo + (hi - lo) / 2;
        if (place_behind(in, place, mid))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The progress in a share: lists before `next` are written; the end of the last element's list may
 * be provisional. */
typedef struct label_walk {
    __global INDEX *offsets;
    long next, list_end;
    int before; /* last label */
} label_walk;

/* Writes an element number for the lists up to `last`. */
inline void walk_fill(label_walk *w, long last, ulong element)
{
    for (last = min(last, w->list_end - 1); w->next <= last; w->next++)
        w->offsets[w->next] = (INDEX)element;
}

/* Processes element i; if it is bad, returns false and does nothing. */
inline bool walk_one(const labels *in, label_walk *w, ulong i)
{
    int label = label_of(in, i);
    if (label_bad(in, w->before, label))
        return false;
    walk_fill(w, label, i);
    if (label + 1 < w->list_end) {
        w->offsets[label + 1] = (INDEX)(i + 1);
        w->next = max(w->next, (long)label + 2);
    }
    w->before = label;
    return true;
}

/* Returns the differences of sixteen labels from their predecessors, or-ed together: 0 if all are
 * equal, 1 if they ascend and no list is skipped, up to 7 if they ascend and fewer than seven lists
 * are skipped. */
inline position_t walk_steps(index16_t label, index16_t before)
{
#if INDEX_LONG
    ulong16 sixteen = as_ulong16(label) - as_ulong16(before);
    ulong8 eight = sixteen.lo | UPPER_8(ulong8, sixteen);
    ulong4 four = eight.lo | eight.hi;
    ulong2 two = four.lo | four.hi;
#else
    uint16 sixteen = as_uint16(label) - as_uint16(before);
    uint8 eight = sixteen.lo | UPPER_8(uint8, sixteen);
    uint4 four = eight.lo | eight.hi;
    uint2 two = four.lo | four.hi;
#endif
    return two.x | two.y;
}

/* Processes elements i .. i + 15, unless there are many empty lists between them, the lists of the
 * share end there, or a label is bad. i is not 0. */
inline bool walk_sixteen(const labels *in, label_walk *w, ulong i)
{
    const __global INDEX *at = in->parents + i;
    position_t steps = walk_steps(vload16(0, at), vload16(0, at - 1));
    INDEX first = at[0], last = at[15];
    if (steps > 7 || (position_t)first > (position_t)last || (position_t)last >= in->m)
        return false;
    if (steps == 0 && (long)last + 1 >= w->list_end) {
        w->before = (int)last; /* the element's list ends in another share */
        return true;
    }
    if ((long)last + (steps > 1 ? 8 : 1) >= w->list_end ||
        (steps > 1 && (w->before < 0 || w->next != (long)w->before + 2)))
        return false;
    /* Each element increments the end of its list, or sets the beginnings of all lists after the
     * previous element's list; beginnings that are written too early are written again. Labels have
     * been checked, but are read again, and callers may change them meanwhile: they are limited to
     * the last list.
     */
    const position_t most = (position_t)last;
    if (steps > 1)
        for (uint k = 0; k < 16; k++)
            vstore8((index8_t)((INDEX)(i + k)), 0,
                    w->offsets + min((position_t)at[(int)k - 1], most) + 1);
    else if (steps == 1)
        for (uint k = 0; k < 15; k++)
            w->offsets[min((position_t)at[k], most) + 1] = (INDEX)(i + 1 + k);
    w->offsets[last + 1] = (INDEX)(i + 16);
    w->before = (int)last;
    w->next = max(w->next, (long)last + 2);
    return true;
}

__kernel void offsets_from_parents(const __global INDEX *restrict parents, ulong parents_at,
                                   ulong n, uint m, ulong each, uint rounds,
                                   __global INDEX *restrict offsets, ulong offsets_at,
                                   volatile __global uint *error, ulong error_at)
{
    const labels in = {parents + parents_at, n, m};
    const ulong all = n + m + 1, place = min(each * get_global_id(0), all);
    const ulong place_end = min(place + each, all);
    const ulong end = find_place(&in, place_end);
    ulong i = find_place(&in, place);
    bool good = true;
    label_walk w;
    w.offsets = offsets + offsets_at;
    w.next = place - i;
    w.list_end = place_end - end;
    w.before = label_before(&in, i);
    walk_fill(&w, w.next, i);
    while (i < end && good) {
        if (i > 0 && i + 16 <= end && walk_sixteen(&in, &w, i)) {
            i += 16;
            continue;
        }
        for (ulong stop = min(i + 16, end); i < stop && good; i++)
            good = walk_one(&in, &w, i);
    }
    if (!good)
        error_report(error + error_at, MOTE_SLOT_PARENTS, (uint)(i - 1));
    walk_fill(&w, w.list_end - 1, end);
}
