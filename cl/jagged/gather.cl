/* SPDX-License-Identifier: Apache-2.0 */
/* Giving each element the value of its list, for GPUs.
 *
 * Form: GPU.
 * Defines: WG, BALANCED_BITS, BALANCED_DEEP, BALANCED_GROUPS, BALANCED_ROOM, BALANCED_WHOLE
 * (jagged/balanced.clh), VALUE (jagged/gather.clh), INDEX, INDEX_SIGNED, INDEX_LONG
 * (jagged/lists.clh). */
#include "jagged/gather.clh"

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
    v.x = to->values[list.x];
    v.y = to->values[list.y];
    v.z = to->values[list.z];
    v.w = to->values[list.w];
    *(__global value4_t *)(to->result + at) = v;
}

#include "jagged/balanced.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void gather(
    BALANCED_PARAMETERS, const __global VALUE *restrict values, ulong values_at,
    __global VALUE *restrict result, ulong result_at)
{
    __local balanced_local local_memory;
    emit_target to;
    n = gather_length(offsets + offsets_at, m, n);
    to.values = values + values_at;
    to.result = result + result_at;
    uint lead = (uint)((size_t)to.result / sizeof(VALUE) % BALANCED_LEAD);
    balanced_walk(BALANCED_ARGUMENTS, &local_memory, &to, lead, true);
}
