/* SPDX-License-Identifier: Apache-2.0 */
/* Computes combinations of three or four elements of lists, for GPUs.
 *
 * Form: GPU.
 * Defines: WG, BALANCED_SEARCH, BALANCED_BITS, BALANCED_DEEP, BALANCED_GROUPS,
 * BALANCED_INTERPOLATES, BALANCED_ROOM, BALANCED_WHOLE (jagged/expand/balanced.clh), MANY, PRODUCT
 * (jagged/expand/combine_many.clh), INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). */
#include "jagged/expand/combine_many.clh"

inline void emit_one(const emit_target *to, position_t at, uint list, position_t inside)
{
    if (list == NO_LIST)
        return;
    const combination c = combination_at(to, list, inside);
#pragma unroll
    for (uint i = 0; i < MANY; i++)
        to->out[i][at] = (INDEX)c.at[i];
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
    index4_t out[MANY];
    if (any(list == NO_LIST))
        return;
    combination c = combination_at(to, list.x, inside.x);
#pragma unroll
    for (uint i = 0; i < MANY; i++)
        out[i].x = (INDEX)c.at[i];
    combination_go(to, &c, list.x, list.y);
#pragma unroll
    for (uint i = 0; i < MANY; i++)
        out[i].y = (INDEX)c.at[i];
    combination_go(to, &c, list.y, list.z);
#pragma unroll
    for (uint i = 0; i < MANY; i++)
        out[i].z = (INDEX)c.at[i];
    combination_go(to, &c, list.z, list.w);
#pragma unroll
    for (uint i = 0; i < MANY; i++) {
        out[i].w = (INDEX)c.at[i];
        if (i == 0 || to->fast)
            *(__global index4_t *)(to->out[i] + at) = out[i];
        else
            vstore4(out[i], 0, to->out[i] + at);
    }
}

#include "jagged/expand/balanced.clh"
#include "jagged/width.clh"

__kernel INDEX_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void combine_many(
    BALANCED_PARAMETERS, COMBINE_PARAMETERS)
{
    __local balanced_local local_memory;
    const emit_target to = combine_target(COMBINE_ARGUMENTS);
    n = min(n, (ulong)offsets[offsets_at + m]);
    uint lead = (uint)((size_t)to.out[0] / sizeof(INDEX) % BALANCED_LEAD);
    balanced_walk(BALANCED_ARGUMENTS, &local_memory, &to, lead, true);
}
