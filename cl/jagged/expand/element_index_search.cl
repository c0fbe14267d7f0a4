/* SPDX-License-Identifier: Apache-2.0 */
/* Parents and local indices, one element or one list at a time, for all devices.
 *
 * Form: both.
 * Defines: LOCAL_INDEX (jagged/expand/element_index.clh), INDEX, INDEX_SIGNED, INDEX_LONG
 * (jagged/lists.clh). Optional: CPU_FORM (on CPUs: common/sweep.clh). */
#include "jagged/expand/element_index.clh"
#include "common/sweep.clh"

#define FOUR      4  /* elements that a work-item processes at a time */
#define UNCHECKED 64 /* longest list that is written without checking that it owns its elements */

/* The output begins `lead` elements behind a multiple of four. */
inline uint label_lead(const __global INDEX *out)
{
    return (uint)((size_t)out / sizeof(INDEX) % FOUR);
}

/* Searches for the list of each element, unless the previous element's list extends to it. */
__kernel void label_search(LIST_BOUNDS_PARAMETERS, __global INDEX *restrict out, ulong out_at)
{
    list_bounds p;
    list_bounds_make(&p, LIST_BOUNDS_ARGUMENTS);
    emit_target to;
    to.out = out + out_at;
    uint lead = label_lead(to.out);
    if (get_global_id(0) == 0)
        list_bounds_check(&p, relative);
    ulong fours = ((ulong)p.n + lead + FOUR - 1) / FOUR;
    for (sweep s = sweep_of(fours); s.at < s.end; s.at += s.step) {
        uint c = 0;
        position_t next = 0;
        for (uint i = 0; i < FOUR; i++) {
            ulong at = FOUR * s.at + i - lead;
            if (at >= p.n)
                continue;
            if (at >= next) {
                c = list_bound_find(&p, c, m + 1, (position_t)at);
                next = list_bound(&p, c);
                if (c > 0 && c <= m)
                    list_check(p.error, c - 1, p.offsets[c - 1], p.offsets[c], p.length);
            }
            bool owned = c > 0 && c <= m;
            position_t inside = LOCAL_INDEX && owned ? (position_t)at - list_bound(&p, c - 1) : 0;
            emit_one(&to, (position_t)at, owned ? c - 1 : NO_LIST, inside);
        }
    }
    for (sweep s = sweep_of(full ? m : 0); s.at < s.end; s.at += s.step)
        list_check(p.error, (uint)s.at, p.offsets[s.at], p.offsets[s.at + 1], p.length);
}

/* Returns whether a search for either end of list k finds list k. Lists for which this is true
 * share no elements, whatever the offsets are, so that writing all of them takes no longer than
 * writing the output. */
inline bool label_owns(const list_bounds *p, uint k, position_t begin, position_t end)
{
    return list_bound_find(p, 0, p->m + 1, begin) == k + 1 &&
           list_bound_find(p, 0, p->m + 1, end - 1) == k + 1;
}

/* Processes one list per work-item, and the elements in no list in a second loop. */
__kernel void label_event(LIST_BOUNDS_PARAMETERS, __global INDEX *restrict out, ulong out_at)
{
    list_bounds p;
    list_bounds_make(&p, LIST_BOUNDS_ARGUMENTS);
    emit_target to;
    to.out = out + out_at;
    if (get_global_id(0) == 0)
        list_bounds_check(&p, relative);
    for (sweep s = sweep_of(m); s.at < s.end; s.at += s.step) {
        uint k = (uint)s.at;
        INDEX begin = p.offsets[k], end = p.offsets[k + 1];
        position_t at = list_bound_of(&p, begin), stop = list_bound_of(&p, end);
        if (!list_check(p.error, k, begin, end, p.length))
            continue;
        if (stop > at && stop - at > UNCHECKED && !label_owns(&p, k, at, stop))
            continue;
        for (position_t inside = 0; at < stop; at++, inside++)
            emit_one(&to, at, k, inside);
    }
    position_t head = list_bound(&p, 0), tail = list_bound(&p, m);
    for (sweep s = sweep_of(head); s.at < s.end; s.at += s.step)
        emit_one(&to, (position_t)s.at, NO_LIST, 0);
    for (sweep s = sweep_of(p.n - tail); s.at < s.end; s.at += s.step)
        emit_one(&to, tail + (position_t)s.at, NO_LIST, 0);
}

/* -1 for every element. */
__kernel void label_none(__global INDEX *restrict out, ulong out_at, ulong n)
{
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step)
        out[out_at + s.at] = (INDEX)(-1);
}
