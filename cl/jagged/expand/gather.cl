/* SPDX-License-Identifier: Apache-2.0 */
/* Copies the value of each list to its elements, or subtracts it from them, for GPUs.
 *
 * Form: GPU.
 * Defines: WG, BALANCED_SEARCH, BALANCED_BITS, BALANCED_DEEP, BALANCED_GROUPS,
 * BALANCED_INTERPOLATES, BALANCED_ROOM, BALANCED_WHOLE (jagged/expand/balanced.clh), VALUE
 * (jagged/expand/gather.clh), INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). Optional:
 * ELEMENT, ELEMENT_BOOL, ELEMENT_HALF (jagged/expand/gather.clh). */
#include "jagged/expand/gather.clh"

#define VALUE4_JOIN(type) type##4
#define VALUE4_OF(type)   VALUE4_JOIN(type)
typedef VALUE4_OF(VALUE) value4_t;

inline void emit_four(const emit_target *to, position_t at, uint4 list, position4_t inside)
{
    if (any(list == NO_LIST)) {
        emit_one(to, at, list.x, 0);
        emit_one(to, at + 1, list.y, 0);
        emit_one(to, at + 2, list.z, 0);
        emit_one(to, at + 3, list.w, 0);
        return;
    }
    value4_t v;
    v.x = emit_value(to, at, to->values[list.x]);
    v.y = emit_value(to, at + 1, to->values[list.y]);
    v.z = emit_value(to, at + 2, to->values[list.z]);
    v.w = emit_value(to, at + 3, to->values[list.w]);
    *(__global value4_t *)(to->result + at) = v;
}

#include "jagged/expand/balanced.clh"
#include "jagged/width.clh"

__kernel INDEX_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void gather(
    BALANCED_PARAMETERS, GATHER_PARAMETERS)
{
    __local balanced_local local_memory;
    emit_target to = EMIT_TARGET;
    n = gather_length(offsets + offsets_at, m, n);
    uint lead = (uint)((size_t)to.result / sizeof(VALUE) % BALANCED_LEAD);
    balanced_walk(BALANCED_ARGUMENTS, &local_memory, &to, lead, true);
}
