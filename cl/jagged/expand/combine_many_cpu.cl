/* SPDX-License-Identifier: Apache-2.0 */
/* Computes combinations of three or four elements of lists, for CPUs.
 *
 * Form: CPU.
 * Defines: MANY, PRODUCT (jagged/expand/combine_many.clh), INDEX, INDEX_SIGNED, INDEX_LONG
 * (jagged/lists.clh). */
#include "jagged/expand/combine_many.clh"
#include "jagged/expand/short_cpu.clh"

/* Writes `count` combinations of a row, as whole vectors where these fit in `room`. Elements that
 * are written beyond the end are overwritten later. */
inline void put_row(const emit_target *to, position_t at, position_t count, position_t room,
                    const combination *c)
{
    const index8_t each = (index8_t)(0, 1, 2, 3, 4, 5, 6, 7);
    const INDEX last = (INDEX)c->at[LAST];
    position_t k = 0;
    for (; k + 8 <= room && k < count; k += 8) {
        for (uint i = 0; i < LAST; i++)
            vstore8((index8_t)((INDEX)c->at[i]), 0, to->out[i] + at + k);
        vstore8(each + (index8_t)((INDEX)(last + (INDEX)k)), 0, to->out[LAST] + at + k);
    }
    for (; k < count; k++) {
        for (uint i = 0; i < LAST; i++)
            to->out[i][at + k] = (INDEX)c->at[i];
        to->out[LAST][at + k] = last + (INDEX)k;
    }
}

inline void emit_run(const emit_target *to, position_t at, position_t count, position_t room,
                     uint list, position_t inside)
{
    if (count == 0 || list == NO_LIST)
        return;
    combination c = combination_at(to, list, inside);
    for (position_t done = 0; done < count && c.at[LAST] < c.end[LAST];) {
        const position_t row = min(c.end[LAST] - c.at[LAST], count - done);
        put_row(to, at + done, row, room - done, &c);
        done += row;
        c.at[LAST] = c.end[LAST] - 1;
        combination_next(&c);
    }
}

#define EMIT_MOST 0

/* Does nothing, because only empty lists are passed to it. */
inline void emit_short(const emit_target *to, const short_lists *l, uint list, uint most)
{
}

#include "jagged/expand/balanced_cpu.clh"

__kernel void combine_many(BALANCED_PARAMETERS, COMBINE_PARAMETERS)
{
    const emit_target to = combine_target(COMBINE_ARGUMENTS);
    n = min(n, (ulong)offsets[offsets_at + m]);
    balanced_walk(BALANCED_ARGUMENTS, &to, true);
}
