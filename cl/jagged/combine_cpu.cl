/* SPDX-License-Identifier: Apache-2.0 */
/* Combinations of elements of lists, for CPUs.
 *
 * Form: CPU.
 * Defines: PAIRS (jagged/combine.clh), INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). */
#include "jagged/combine.clh"

/* One element with `count` others, by whole vectors where they fit in `room`: what they write too
 * much is written again later. */
inline void put_row(__global INDEX *first, __global INDEX *second, position_t count,
                    position_t room, INDEX one, INDEX other)
{
    const index8_t each = (index8_t)(0, 1, 2, 3, 4, 5, 6, 7);
    position_t i = 0;
    for (; i + 8 <= room && i < count; i += 8) {
        vstore8((index8_t)(one), 0, first + i);
        vstore8(each + (index8_t)((INDEX)(other + (INDEX)i)), 0, second + i);
    }
    for (; i < count; i++) {
        first[i] = one;
        second[i] = other + (INDEX)i;
    }
}

inline void emit_run(const emit_target *to, position_t at, position_t count, position_t room,
                     uint list, position_t inside)
{
    if (count == 0 || list == NO_LIST)
        return;
    combination c = combination_at(to, list, inside);
    for (position_t done = 0; done < count;) {
        position_t row = min(c.end - c.second, count - done);
        if (c.end <= c.second)
            return;
        put_row(to->first + at + done, to->second + at + done, row, room - done, (INDEX)c.first,
                (INDEX)c.second);
        done += row;
        c.first++;
#if PAIRS
        c.second = c.first + 1;
#else
        c.second = c.begin;
#endif
    }
}

#include "jagged/balanced_cpu.clh"

__kernel void combine(BALANCED_PARAMETERS, const __global INDEX *restrict a, ulong a_at,
                      const __global INDEX *restrict b, ulong b_at,
                      __global INDEX *restrict first, ulong first_at,
                      __global INDEX *restrict second, ulong second_at)
{
    emit_target to;
    n = combine_length(offsets + offsets_at, m, n);
    to.a = a + a_at;
    to.b = b + b_at;
    to.first = first + first_at;
    to.second = second + second_at;
    balanced_walk(BALANCED_ARGUMENTS, &to, true);
}
