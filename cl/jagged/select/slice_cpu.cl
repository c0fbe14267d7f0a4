/* SPDX-License-Identifier: Apache-2.0 */
/* Copies the elements of the slice of each list, or writes their positions, for CPUs.
 *
 * Form: CPU.
 * Defines: VALUE (jagged/select/slice.clh), INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). */
#include "jagged/select/slice.clh"
#include "jagged/expand/short_cpu.clh"

inline void emit_run(const emit_target *to, position_t at, position_t count, position_t room,
                     uint list, position_t inside)
{
    if (count == 0 || list == NO_LIST)
        return;
    const position_t from = (position_t)to->starts[list] + inside;
    if (to->sliced && from < to->values_n) {
        const position_t most = (position_t)min((ulong)count, to->values_n - from);
        for (position_t i = 0; i < most; i++)
            to->sliced[at + i] = to->values[from + i];
    }
    if (to->positions)
        for (position_t i = 0; i < count; i++)
            to->positions[at + i] = (INDEX)(from + i);
}

/* Copies the slices of 16 lists. The elements of a slice are consecutive, so even a short list is
 * copied as a run. */
inline void emit_short(const emit_target *to, const short_lists *l, uint list, uint most)
{
    for (uint i = 0; i < 16; i++) {
        const position_t at = short_begin(l, i), end = i < 15 ? short_begin(l, i + 1) : l->stop;
        if (end > at)
            emit_run(to, at, end - at, end - at, list + i, 0);
    }
}

#define EMIT_MOST 16
#include "jagged/expand/balanced_cpu.clh"

__kernel void slice(BALANCED_PARAMETERS, SLICE_PARAMETERS)
{
    emit_target to = EMIT_TARGET;
    n = slice_length(offsets + offsets_at, m, n);
    balanced_walk(BALANCED_ARGUMENTS, &to, true);
}
