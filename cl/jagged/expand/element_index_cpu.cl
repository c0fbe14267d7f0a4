/* SPDX-License-Identifier: Apache-2.0 */
/* Parents and local indices by equal amounts of work, for CPUs.
 *
 * Form: CPU.
 * Defines: LOCAL_INDEX (jagged/expand/element_index.clh), INDEX, INDEX_SIGNED, INDEX_LONG
 * (jagged/lists.clh). */
#include "jagged/expand/element_index.clh"
#include "jagged/expand/short_cpu.clh"

/* Writes whole vectors: the first may end after the run, and the second begin inside the first.
 * Most lists then need no loop, and long lists get aligned stores. */
inline void emit_run(const emit_target *to, position_t at, position_t count, position_t room,
                     uint list, position_t inside)
{
    __global INDEX *out = to->out + at;
    position_t i = 0;
    if (room >= 16) {
        index16_t value = (index16_t)(label(list, inside));
#if LOCAL_INDEX
        const index16_t each = (index16_t)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        if (list != NO_LIST)
            value += each;
#endif
        vstore16(value, 0, out);
        if (count <= 16)
            return;
        i = 16 - (position_t)((size_t)out / sizeof(INDEX) % 16);
#if LOCAL_INDEX
        if (list != NO_LIST)
            value += (INDEX)i;
#endif
        for (; i + 16 <= room && i < count; i += 16) {
            vstore16(value, 0, out + i);
#if LOCAL_INDEX
            if (list != NO_LIST)
                value += (INDEX)16;
#endif
        }
    }
    for (; i < count; i++)
        out[i] = label(list, inside + i);
}

/* Elements that a list writes beyond its end are overwritten by the lists that follow. */
inline void emit_short(const emit_target *to, const short_lists *l, uint list, uint most)
{
    for (uint i = 0; i < 16 && most <= 1; i++)
        to->out[short_begin(l, i)] = label(list + i, 0);
    for (uint i = 0; i < 16 && most > 1; i++) {
        index4_t value = (index4_t)(label(list + i, 0));
#if LOCAL_INDEX
        value += (index4_t)(0, 1, 2, 3);
#endif
        vstore4(value, 0, to->out + short_begin(l, i));
    }
}

#define EMIT_MOST 4
#include "jagged/expand/balanced_cpu.clh"

__kernel void label_balanced(BALANCED_PARAMETERS, __global INDEX *restrict out, ulong out_at)
{
    emit_target to;
    to.out = out + out_at;
    balanced_walk(BALANCED_ARGUMENTS, &to, relative);
}
