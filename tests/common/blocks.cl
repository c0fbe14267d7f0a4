/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel for each building block of cl/common: it stores the results of every work-item. */
#include "common/error.clh"
#include "common/histogram.clh"
#include "common/macros.clh"
#include "common/scan.clh"
#include "common/sync.clh"

/* predicate, result: [group][round][work-item]. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void try_sync_or(
    const __global uint *predicate, uint rounds, __global uint *result)
{
    __local uint flags[3];
    uint base = get_group_id(0) * rounds * WG + get_local_id(0);
    sync_or_init(flags);
    for (uint r = 0; r < rounds; r++)
        result[base + r * WG] = sync_or(predicate[base + r * WG], flags, r);
}

/* The work-items pass a token to their neighbours until none changes, like loops that iterate to
 * convergence: result is the number of rounds of each work-item, [group][work-item]. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void try_converge(__global uint *result)
{
    __local uint flags[3];
    __local uint token[2][WG];
    uint lid = get_local_id(0), turn = 0, more = 1;
    token[0][lid] = lid == 0;
    sync_or_init(flags);
    while (more) {
        uint now = turn & 1, mine = token[now][lid];
        uint passed = mine | (lid > 0 ? token[now][lid - 1] : 0);
        token[now ^ 1][lid] = passed;
        more = sync_or(passed != mine, flags, turn);
        turn++;
    }
    result[get_group_id(0) * WG + lid] = turn;
}

/* All arrays: [group][round][work-item]. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void try_scan(
    const __global uint *value, uint rounds, __global uint *exclusive, __global uint *inclusive,
    __global uint *total, __global uint *total_again)
{
    __local uint scratch[SCAN_SCRATCH_WORDS];
    uint base = get_group_id(0) * rounds * WG + get_local_id(0);
    for (uint r = 0; r < rounds; r++) {
        uint at = base + r * WG, sum;
        exclusive[at] = scan_exclusive(value[at], scratch, &sum);
        total[at] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        inclusive[at] = scan_inclusive(value[at], scratch, &sum);
        total_again[at] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* One group: ends (bins + 1), content, and the number of counted values. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void try_histogram(
    const __global uint *value, uint count, uint bins, uint capacity, __global uint *ends_out,
    __global uint *content, __global uint *counted, __local uint *ends)
{
    __local uint scratch[SCAN_SCRATCH_WORDS];
    uint lid = get_local_id(0);
    histogram_clear(ends, bins);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lid; i < count; i += WG)
        histogram_count(ends, bins, value[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint total = histogram_finalize(ends, bins, scratch);
    counted[lid] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lid; i < count; i += WG) {
        uint place = histogram_place(ends, bins, value[i], capacity);
        if (place != 0xffffffffu)
            content[place] = i;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = lid; b <= bins; b += WG)
        ends_out[b] = ends[b];
}

/* Work-items diverge after a barrier that rounds without marks skip; the first round has marks.
 * marks: of each round, WG at most; result: [group][round][work-item], increased by 1 below the
 * marks; without marks, the first one is increased by 2. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void try_meet(const __global uint *marks,
                                                                       uint rounds,
                                                                       __global uint *result)
{
    __local uint one[WG];
    one[WG - 1 - get_local_id(0)] = 1;
    for (uint r = 0; r < rounds; r++) {
        __global uint *to = result + (get_group_id(0) * rounds + r) * WG;
        if (marks[r] > 0) {
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint i = get_local_id(0); i < marks[r]; i += WG)
                to[i] += one[i];
            MOTE_RECONVERGE();
        } else if (get_local_id(0) == 0) {
            to[0] += 2;
        }
    }
}

/* slot[i] is the error that element i reports, NO_SLOT for none. */
#define NO_SLOT 0xffffffffu
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void try_error_report(
    const __global uint *slot, uint count, __global uint *error)
{
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        if (slot[i] != NO_SLOT)
            error_report(error, slot[i], i);
}
