/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets from labels for short lists, for GPUs: offsets[k] is the number of labels below k.
 *
 * This is the search for parents with exchanged inputs: labels, increased by one, take the place of
 * offsets, and list k takes the place of an element.
 *
 * Form: GPU.
 * Defines: WG, BALANCED_SEARCH, BALANCED_BITS, BALANCED_DEEP, BALANCED_GROUPS,
 * BALANCED_INTERPOLATES, BALANCED_ROOM, BALANCED_WHOLE (jagged/expand/balanced.clh), INDEX,
 * INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). */
#include "jagged/expand/list_bounds.clh"
#include "jagged/expand/stream.clh"

#define EMIT_INSIDE      0
#define BALANCED_ENTRIES 1

typedef struct emit_target {
    __global INDEX *out;
} emit_target;

inline void emit_one(const emit_target *to, position_t at, uint below, position_t inside)
{
    to->out[at] = (INDEX)below;
}

inline void emit_four(const emit_target *to, position_t at, uint4 below, position4_t inside)
{
    index4_t v;
    v.x = (INDEX)below.x;
    v.y = (INDEX)below.y;
    v.z = (INDEX)below.z;
    v.w = (INDEX)below.w;
    stream_four(to->out + at, v);
}

#include "jagged/expand/balanced.clh"
#include "jagged/width.clh"

__kernel INDEX_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void offsets_of_entries(
    BALANCED_PARAMETERS, __global INDEX *restrict out, ulong out_at)
{
    __local balanced_local local_memory;
    emit_target to;
    to.out = out + out_at;
    uint lead = (uint)((size_t)to.out / sizeof(INDEX) % BALANCED_LEAD);
    balanced_walk(BALANCED_ARGUMENTS, &local_memory, &to, lead, false);
}
