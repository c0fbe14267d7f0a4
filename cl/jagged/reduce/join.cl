/* SPDX-License-Identifier: Apache-2.0 */
/* Combines the blocks of the lists whose blocks several groups have reduced, for GPUs.
 *
 * Form: GPU.
 * Defines: WG (a multiple of 8), DEEP (blocks that a work-item reads at once), INDEX, INDEX_SIGNED,
 * INDEX_LONG (jagged/lists.clh), REDUCE, VALUE, VALUE_BOOL, VALUE_FLOAT, RESULT,
 * LEAST, MOST, WIDE, SKIP_NAN (jagged/reduce/accumulate.clh).
 * Optional: VALUE_HALF (common/stored.clh). */
#include "jagged/reduce/join.clh"
#include "jagged/reduce/noted.clh"

/* Each group reads some of the words that may name a list: words that are not neighbours if each
 * names a list, else runs of eight, which memory delivers at once. The words belong to shares of
 * `share` coordinates. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void reduce_join(
    REDUCE_PARAMETERS, const __global uint *restrict left, ulong left_at, uint share)
{
    __local acc_t lane[MOTE_JAGGED_REDUCE_JOIN];
    __local uint list[WG], number;
    reduction s;
    reduction_make(&s, REDUCE_ARGUMENTS);
    bool noted = all_noted(how, left + left_at);
    const __global uint *lists =
        noted ? left + left_at + MOTE_JAGGED_REDUCE_HUGE : long_lists + long_lists_at;
    ulong all = noted ? left[left_at + MOTE_JAGGED_REDUCE_HUGES] : (s.total + share - 1) / share;
    uint run = noted ? 1 : 8, lid = get_local_id(0);
    ulong groups = get_num_groups(0);
    for (ulong first = get_group_id(0) * run; first < all; first += groups * WG) {
        ulong t = first + groups * (lid / run * run) + lid % run;
        if (lid == 0)
            number = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint k = t < all ? lists[t] : NO_LIST;
        if (k < count)
            list[atomic_inc(&number)] = k;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint found = number;
        for (uint j = 0; j < found; j++)
            blocks_join(&s, list[j], lane);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
