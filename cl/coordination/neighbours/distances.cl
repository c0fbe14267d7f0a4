/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the distances of pairs in bins on GPUs. The TEAM work-items of a team search the cells
 * around one entry after the other. A group counts in local memory, if that has room for all bins,
 * and then adds its counts to the sums of all groups; otherwise it counts there.
 *
 * A sum is two words, because OpenCL 1.2 has no atomics of 64 bits: the work-item that makes the
 * lower word wrap adds 1 to the upper word.
 *
 * Form: GPU.
 * Defines: DOUBLE (coordination/real.clh), TEAM, WG (at least TEAM). */
#define TEAMS (WG / TEAM)

#include "common/width.clh"
#include "coordination/neighbours/distances.clh"
#include "coordination/neighbours/search.clh"

/* Adds the counts of a group to the sums. */
inline void add_sums(const tally *t)
{
    for (uint bin = get_local_id(0); bin < t->bins; bin += WG) {
        ulong count = 0;
        for (uint copy = 0; copy < t->copies; copy++)
            count += t->counts[bin * t->copies + copy];
        const uint low = (uint)count;
        uint high = (uint)(count >> 32);
        if (low)
            high += atomic_add(&t->sums[2 * (ulong)bin], low) > UINT_MAX - low;
        if (high)
            atomic_add(&t->sums[2 * (ulong)bin + 1], high);
    }
}

/* Counts the pairs of every entry. */
__kernel REQUIRED_SIZE void distances_count(COUNT_PARAMETERS)
{
    __local run runs[RUNS * TEAMS];
    volatile __local uint counts[MOTE_DISTANCES_LOCAL];
    volatile __local uint n_runs[TEAMS];
    SEARCH_MAKE;
    const uint lid = get_local_id(0), team = min(lid / TEAM, (uint)TEAMS - 1);
    tally t = tally_of(&s, &d);
    t.sums = sums + sums_at;
    t.n_runs = &n_runs[team];
    t.runs = runs + RUNS * team;
    t.counts = counts;
    t.in_local = t.bins <= MOTE_DISTANCES_LOCAL;
    if (t.in_local) {
        t.copies = min(MOTE_DISTANCES_LOCAL / t.bins, (uint)TEAM);
        t.copy = lid % t.copies;
    }
    for (uint k = lid; k < MOTE_DISTANCES_LOCAL; k += WG)
        counts[k] = 0;
    for (ulong first = (ulong)get_group_id(0) * TEAMS; first < p.n;
         first += (ulong)get_num_groups(0) * TEAMS) {
        const ulong k = first + team;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < TEAMS)
            n_runs[lid] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        search_entry(&s, lid < TEAM * TEAMS && k < p.n, (uint)k, &t);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t.in_local)
        add_sums(&t);
}
