/* SPDX-License-Identifier: Apache-2.0 */
/* groups_leave() of jagged/groups.clh under a condition that some rounds do not meet.
 * Defines: WG. */
#define INDEX            int
#define INDEX_SIGNED     1
#define INDEX_LONG       0
#define EMIT_INSIDE      0
#define BALANCED_BITS    0
#define BALANCED_DEEP    1
#define BALANCED_GROUPS  1
#define BALANCED_ROOM    1056
#define BALANCED_WHOLE   0
#include "jagged/places.clh"

typedef struct emit_target {
    __global uint *out;
} emit_target;

inline void emit_one(const emit_target *to, position_t at, uint list, position_t inside)
{
}

inline void emit_four(const emit_target *to, position_t at, uint4 list, position4_t inside)
{
}

#include "jagged/balanced.clh"

/* parts: of each round, how many parts of elements are left; `left` has 2 * (most + 1) words for
 * each group and round. A round without parts counts in its second word. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void try_meet(
    const __global uint *parts, uint rounds, __global uint *left, uint most)
{
    __local balanced_local l;
    for (uint k = 0; k < rounds; k++) {
        __global uint *to = left + (get_group_id(0) * rounds + k) * 2 * (most + 1);
        groups_range r;
        r.k0 = r.k1 = 0;
        r.e0 = 0;
        r.e1 = parts[k] * GROUPS_PART;
        if (parts[k] > 0)
            groups_leave(&r, to, most, &l);
        else if (get_local_id(0) == 0)
            to[1] += 2;
    }
}
