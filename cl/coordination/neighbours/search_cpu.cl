/* SPDX-License-Identifier: Apache-2.0 */
/* Computes neighbour lists on CPUs. Each work-item processes a range of entries and searches the
 * cells around each of them.
 * The first launch counts the neighbours. The second launch, which knows the offsets, writes the
 * lists, sorts them, and computes distances. Lists of up to KEYS neighbours are collected in
 * private memory, and the rank of a neighbour in its list is the number of smaller neighbours,
 * which compilers compute by vectors. Longer lists are sorted in the results.
 *
 * Form: CPU.
 * Defines: DOUBLE (coordination/real.clh), CPU_FORM (common/sweep.clh). */
#define KEYS 256 /* neighbours of an entry in private memory */

#include "common/sweep.clh"
#include "coordination/neighbours/list.clh"
#include "coordination/neighbours/search.clh"

/* Counts the neighbours of each entry. */
__kernel void neighbours_count(SEARCH_PARAMETERS, __global uint *counts, ulong counts_at)
{
    SEARCH_MAKE;
    const neighbours none = {0};
    for (sweep k = sweep_of(p.n); k.at < k.end; k.at += k.step) {
        const around a = around_of(&s, (uint)k.at);
        counts[counts_at + a.i] = search_rows(&s, &a, 0, 1, &none);
    }
}

/* Sorts a list by partner and image, by Shell sort. */
inline void sort_neighbours(const neighbours *l, uint count)
{
    for (uint gap = count > 3 ? count / 11 * 5 + 1 : 1; gap > 0;
         gap = gap == 2 ? 1 : (uint)((ulong)gap * 5 / 11))
        for (uint k = gap; k < count; k++) {
            ulong moved = neighbour_read(l, k);
            uint to = k;
            for (; to >= gap; to -= gap) {
                ulong before = neighbour_read(l, to - gap);
                if (before <= moved)
                    break;
                neighbour_write(l, to, before);
            }
            if (to != k)
                neighbour_write(l, to, moved);
        }
}

/* Computes the place of each neighbour in its list: the number of smaller neighbours. */
inline void rank_neighbours(const ulong *keys, uint count, uint *ranks)
{
    for (uint k = 0; k < count; k++)
        ranks[k] = 0;
    for (uint n = 0; n < count; n++) {
        const ulong key = keys[n];
        for (uint k = 0; k < count; k++)
            ranks[k] += key < keys[k];
    }
}

/* Writes the lists. */
__kernel void neighbours_fill(FILL_PARAMETERS)
{
    ulong keys[KEYS + 1]; /* the last one is for what is no neighbour */
    uint ranks[KEYS];
    SEARCH_MAKE;
    FILL_MAKE;
    for (sweep k = sweep_of(p.n); k.at < k.end; k.at += k.step) {
        const around a = around_of(&s, (uint)k.at);
        list_begin(&l, offsets + offsets_at * (wide ? 2 : 1), a.i, limit);
        if (l.room == 0)
            continue;
        l.keys = l.room <= KEYS ? keys : 0;
        const uint count = min(search_rows(&s, &a, 0, 1, &l), l.room);
        if (l.keys)
            rank_neighbours(keys, count, ranks);
        else
            sort_neighbours(&l, count);
        for (uint n = 0; n < count; n++)
            write_results(&s, &l, l.keys ? ranks[n] : n, neighbour_read(&l, n), a.x, a.own_box, &r);
    }
}
