/* SPDX-License-Identifier: Apache-2.0 */
/* Copies the elements of the slice of each list, or writes their positions, for GPUs.
 *
 * Form: GPU.
 * Defines: WG, BALANCED_SEARCH, BALANCED_BITS, BALANCED_DEEP, BALANCED_GROUPS,
 * BALANCED_INTERPOLATES, BALANCED_ROOM, BALANCED_WHOLE (jagged/expand/balanced.clh), VALUE
 * (jagged/select/slice.clh), INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). */
#include "jagged/select/slice.clh"

#define VALUE4_JOIN(type) type##4
#define VALUE4_OF(type)   VALUE4_JOIN(type)
typedef VALUE4_OF(VALUE) value4_t;

inline void emit_one(const emit_target *to, position_t at, uint list, position_t inside)
{
    if (list == NO_LIST)
        return;
    const position_t position = (position_t)to->starts[list] + inside;
    if (to->sliced)
        to->sliced[at] = slice_value(to, position);
    if (to->positions)
        to->positions[at] = (INDEX)position;
}

inline void emit_four(const emit_target *to, position_t at, uint4 list, position4_t inside)
{
    if (any(list == NO_LIST))
        return;
    position4_t p = inside;
    p.x += (position_t)to->starts[list.x];
    p.y += (position_t)to->starts[list.y];
    p.z += (position_t)to->starts[list.z];
    p.w += (position_t)to->starts[list.w];
    if (to->sliced) {
        value4_t v;
        v.x = slice_value(to, p.x);
        v.y = slice_value(to, p.y);
        v.z = slice_value(to, p.z);
        v.w = slice_value(to, p.w);
        *(__global value4_t *)(to->sliced + at) = v;
    }
    if (to->positions)
        vstore4((index4_t)((INDEX)p.x, (INDEX)p.y, (INDEX)p.z, (INDEX)p.w), 0, to->positions + at);
}

#include "jagged/expand/balanced.clh"
#include "jagged/width.clh"

/* Copies the slices. Stores of four elements to `sliced` are aligned. */
__kernel INDEX_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void slice(BALANCED_PARAMETERS,
                                                                                SLICE_PARAMETERS)
{
    __local balanced_local local_memory;
    emit_target to = EMIT_TARGET;
    n = slice_length(offsets + offsets_at, m, n);
    uint lead = (uint)((size_t)to.sliced / sizeof(VALUE) % BALANCED_LEAD);
    balanced_walk(BALANCED_ARGUMENTS, &local_memory, &to, lead, true);
}
