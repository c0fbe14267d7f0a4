/* SPDX-License-Identifier: Apache-2.0 */
/* Combinations of elements of lists, for GPUs.
 *
 * Form: GPU.
 * Defines: WG, BALANCED_SEARCH, BALANCED_BITS, BALANCED_DEEP, BALANCED_GROUPS,
 * BALANCED_INTERPOLATES, BALANCED_ROOM, BALANCED_WHOLE (jagged/expand/balanced.clh), PAIRS
 * (jagged/expand/combine.clh), INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). */
#include "jagged/expand/combine.clh"

inline void emit_one(const emit_target *to, position_t at, uint list, position_t inside)
{
    if (list == NO_LIST)
        return;
    combination c = combination_at(to, list, inside);
    to->first[at] = (INDEX)c.first;
    to->second[at] = (INDEX)c.second;
}

inline void combination_go(const emit_target *to, combination *c, uint list, uint next)
{
    if (next == list)
        combination_next(c);
    else
        *c = combination_first(to, next);
}

inline void emit_four(const emit_target *to, position_t at, uint4 list, position4_t inside)
{
    index4_t first, second;
    if (any(list == NO_LIST))
        return;
    combination c = combination_at(to, list.x, inside.x);
    first.x = (INDEX)c.first;
    second.x = (INDEX)c.second;
    combination_go(to, &c, list.x, list.y);
    first.y = (INDEX)c.first;
    second.y = (INDEX)c.second;
    combination_go(to, &c, list.y, list.z);
    first.z = (INDEX)c.first;
    second.z = (INDEX)c.second;
    combination_go(to, &c, list.z, list.w);
    first.w = (INDEX)c.first;
    second.w = (INDEX)c.second;
    *(__global index4_t *)(to->first + at) = first;
    if (to->fast_second)
        *(__global index4_t *)(to->second + at) = second;
    else
        vstore4(second, 0, to->second + at);
}

#include "jagged/expand/balanced.clh"
#include "jagged/width.clh"

__kernel INDEX_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void combine(
    BALANCED_PARAMETERS, const __global INDEX *restrict a, ulong a_at,
    const __global INDEX *restrict b, ulong b_at, __global INDEX *restrict first, ulong first_at,
    __global INDEX *restrict second, ulong second_at)
{
    __local balanced_local local_memory;
    emit_target to;
    n = combine_length(offsets + offsets_at, m, n);
    to.a = a + a_at;
    to.b = b + b_at;
    to.first = first + first_at;
    to.second = second + second_at;
    uint lead = (uint)((size_t)to.first / sizeof(INDEX) % BALANCED_LEAD);
    to.fast_second = (size_t)to.second / sizeof(INDEX) % 4 == lead % 4;
    balanced_walk(BALANCED_ARGUMENTS, &local_memory, &to, lead, true);
}
