/* SPDX-License-Identifier: Apache-2.0 */
/* Computes neighbour lists on GPUs. The TEAM work-items of a team search the cells around one
 * entry. The first launch counts the neighbours. The second launch, which knows the offsets, writes
 * the lists, sorts them, and computes distances.
 *
 * Each work-item of a team finds some of the runs of entries that can contain partners. Then all of
 * them test the entries of each run. Lists of up to KEYS neighbours are collected in local memory;
 * the rank of a neighbour in its list is the number of smaller neighbours. Longer lists are sorted
 * in the results by Batcher's odd-even merging, in which a team exchanges many pairs at the same
 * time (merge exchange: Knuth, The Art of Computer Programming, volume 3, algorithm 5.2.2 M).
 *
 * Form: GPU.
 * Defines: DOUBLE (coordination/real.clh), TEAM, WG (at least TEAM). */
#define TEAMS       (WG / TEAM)
#define KEYS        (16 * TEAM) /* neighbours of a team in local memory */
#define KEYS_STRIDE (KEYS + 1)  /* teams read different banks of local memory at the same time */

#include "common/width.clh"
#include "coordination/neighbours/list.clh"
#include "coordination/neighbours/search.clh"

/* Counts the neighbours of each entry. */
__kernel REQUIRED_SIZE void neighbours_count(SEARCH_PARAMETERS, __global uint *counts,
                                             ulong counts_at)
{
    __local run runs[RUNS * TEAMS];
    __local uint found[WG];
    volatile __local uint n_runs[TEAMS];
    SEARCH_MAKE;
    const uint lid = get_local_id(0), team = min(lid / TEAM, (uint)TEAMS - 1);
    const ulong k = (ulong)get_group_id(0) * TEAMS + team;
    const bool searches = lid < TEAM * TEAMS && k < p.n;
    const neighbours none = {.runs = runs + RUNS * team, .n_runs = &n_runs[team]};
    if (lid < TEAMS)
        n_runs[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    found[lid] = search_entry(&s, searches, (uint)k, &none);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (searches && lid % TEAM == 0) {
        uint count = 0;
        for (uint lane = 0; lane < TEAM; lane++)
            count = add_sat(count, found[lid + lane]);
        counts[counts_at + number_of(s.sorted[k])] = count;
    }
}

/* Sorts a list in the results. Every work-item of the group must call this function; `longest` is
 * the length of the longest such list of the group. */
inline void sort_neighbours(const neighbours *l, uint count, uint longest)
{
    const uint lane = get_local_id(0) % TEAM;
    const uint top = longest > 1 ? 1u << (31 - clz(longest - 1)) : 0;
    for (uint step = top; step > 0; step /= 2) {
        uint distance = step, bit = 0;
        for (uint next = top;; next /= 2) {
            /* The first elements of pairs are those with this bit of their index. */
            for (uint pair = lane;; pair += TEAM) {
                const uint k = (pair & ~(step - 1)) << 1 | (pair & (step - 1)) | bit;
                if ((ulong)k + distance >= count)
                    break;
                const ulong a = neighbour_read(l, k), b = neighbour_read(l, k + distance);
                if (b < a) {
                    neighbour_write(l, k, b);
                    neighbour_write(l, k + distance, a);
                }
            }
            barrier(ALL);
            if (next == step)
                break;
            distance = next - step;
            bit = step;
        }
    }
}

/* Writes the lists. */
__kernel REQUIRED_SIZE void neighbours_fill(FILL_PARAMETERS)
{
    __local run runs[RUNS * TEAMS];
    __local ulong keys[KEYS_STRIDE * TEAMS];
    volatile __local uint n_runs[TEAMS], taken[TEAMS], longest;
    SEARCH_MAKE;
    FILL_MAKE;
    const uint lid = get_local_id(0), team = min(lid / TEAM, (uint)TEAMS - 1);
    const ulong k = (ulong)get_group_id(0) * TEAMS + team;
    uint i = 0;
    if (lid < TEAM * TEAMS && k < p.n) {
        i = number_of(s.sorted[k]);
        list_begin(&l, offsets + offsets_at * (wide ? 2 : 1), i, limit);
    }
    l.keys = l.room <= KEYS ? keys + KEYS_STRIDE * team : 0;
    l.taken = &taken[team];
    l.n_runs = &n_runs[team];
    l.runs = runs + RUNS * team;
    if (lid < TEAMS)
        n_runs[lid] = taken[lid] = 0;
    if (lid == 0)
        longest = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    search_entry(&s, l.room > 0, (uint)k, &l);
    barrier(ALL);
    const uint count = min(*l.taken, l.room);
    if (!l.keys)
        atomic_max(&longest, count);
    barrier(CLK_LOCAL_MEM_FENCE);
    sort_neighbours(&l, l.keys ? 0 : count, longest);
    if (count == 0)
        return;
    const real3 x = position_of(&from, &p, i);
    const int3 own_box = box_at(&s, i);
    for (uint n = lid % TEAM; n < count; n += TEAM) {
        const ulong neighbour = neighbour_read(&l, n);
        uint rank = 0;
        for (uint other_n = 0; l.keys && other_n < count; other_n++)
            rank += l.keys[other_n] < neighbour;
        write_results(&s, &l, l.keys ? rank : n, neighbour, x, own_box, &r);
    }
}
