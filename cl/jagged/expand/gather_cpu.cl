/* SPDX-License-Identifier: Apache-2.0 */
/* Copies the value of each list to its elements, or subtracts it from them, for CPUs.
 *
 * Form: CPU.
 * Defines: VALUE (jagged/expand/gather.clh), INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh).
 * Optional: ELEMENT, ELEMENT_BOOL, ELEMENT_HALF (jagged/expand/gather.clh). */
#include "jagged/expand/gather.clh"
#include "jagged/expand/short_cpu.clh"

#ifdef ELEMENT
inline void emit_values(const emit_target *to, position_t at, position_t count, position_t room,
                        VALUE value)
{
    for (position_t i = at; i < at + count; i++)
        to->result[i] = emit_value(to, i, value);
}

inline void emit_short(const emit_target *to, const short_lists *l, uint list, uint most)
{
    for (uint i = 0; i < 16; i++)
        emit_values(to, short_begin(l, i), most <= 1 ? 1 : 4, 4, to->values[list + i]);
}
#else
#define VALUE4_JOIN(type)  type##4
#define VALUE4_OF(type)    VALUE4_JOIN(type)
#define VALUE16_JOIN(type) type##16
#define VALUE16_OF(type)   VALUE16_JOIN(type)
typedef VALUE16_OF(VALUE) value16_t;
typedef VALUE4_OF(VALUE) value4_t;

/* Writes whole vectors where they fit, also for lists without elements: values written beyond the
 * end are overwritten by the lists that follow. */
inline void emit_values(const emit_target *to, position_t at, position_t count, position_t room,
                        VALUE value)
{
    position_t i = 0;
    __global VALUE *result = to->result + at;
    if (room >= 16) {
        value16_t sixteen = (value16_t)(value);
        vstore16(sixteen, 0, result);
        if (count <= 16)
            return;
        for (i = 16; i + 16 <= room && i < count; i += 16)
            vstore16(sixteen, 0, result + i);
    }
    for (; i < count; i++)
        result[i] = value;
}

/* Values that a list writes beyond its end are overwritten by the lists that follow. */
inline void emit_short(const emit_target *to, const short_lists *l, uint list, uint most)
{
    for (uint i = 0; i < 16 && most <= 1; i++)
        to->result[short_begin(l, i)] = to->values[list + i];
    for (uint i = 0; i < 16 && most > 1; i++)
        vstore4((value4_t)(to->values[list + i]), 0, to->result + short_begin(l, i));
}
#endif

inline void emit_run(const emit_target *to, position_t at, position_t count, position_t room,
                     uint list, position_t inside)
{
    if (list != NO_LIST)
        emit_values(to, at, count, room, to->values[list]);
}

#define EMIT_MOST 4
#include "jagged/expand/balanced_cpu.clh"

__kernel void gather(BALANCED_PARAMETERS, GATHER_PARAMETERS)
{
    emit_target to = EMIT_TARGET;
    n = gather_length(offsets + offsets_at, m, n);
    balanced_walk(BALANCED_ARGUMENTS, &to, true);
}
