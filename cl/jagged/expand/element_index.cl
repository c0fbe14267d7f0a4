/* SPDX-License-Identifier: Apache-2.0 */
/* Parents and local indices by equal amounts of work, for GPUs.
 *
 * Form: GPU.
 * Defines: WG, BALANCED_SEARCH, BALANCED_BITS, BALANCED_DEEP, BALANCED_GROUPS,
 * BALANCED_INTERPOLATES, BALANCED_ROOM, BALANCED_WHOLE (jagged/expand/balanced.clh), LOCAL_INDEX
 * (jagged/expand/element_index.clh), INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). */
#include "jagged/expand/element_index.clh"
#include "jagged/expand/stream.clh"

inline void emit_four(const emit_target *to, position_t at, uint4 list, position4_t inside)
{
    index4_t v;
    v.x = label(list.x, inside.x);
    v.y = label(list.y, inside.y);
    v.z = label(list.z, inside.z);
    v.w = label(list.w, inside.w);
#if BALANCED_INTERPOLATES
    stream_four(to->out + at, v);
#else
    *(__global index4_t *)(to->out + at) = v;
#endif
}

#include "jagged/expand/balanced.clh"
#include "jagged/width.clh"

__kernel INDEX_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void label_balanced(
    BALANCED_PARAMETERS, __global INDEX *restrict out, ulong out_at)
{
    __local balanced_local local_memory;
    emit_target to;
    to.out = out + out_at;
    uint lead = (uint)((size_t)to.out / sizeof(INDEX) % BALANCED_LEAD);
    balanced_walk(BALANCED_ARGUMENTS, &local_memory, &to, lead, relative);
}
