/* SPDX-License-Identifier: Apache-2.0 */
/* Combinations of elements of lists, for CPUs.
 *
 * Form: CPU.
 * Defines: PAIRS (jagged/expand/combine.clh), INDEX, INDEX_SIGNED,
 * INDEX_LONG (jagged/lists.clh). */
#include "jagged/expand/combine.clh"
#include "jagged/expand/short_cpu.clh"

/* Writes one element with `count` partners, by whole vectors where they fit in `room`: elements
 * written beyond the end are overwritten later. */
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

#if PAIRS
inline position_t put_rows(const emit_target *to, position_t at, position_t count, position_t room,
                           combination *c)
{
    return 0;
}
#else

#define ROW_MOST 8

/* Tables for sixteen combinations in rows of one, two, ... eight: their positions in the row, and
 * the numbers of their rows. Tables are used because division is slow. */
__constant INDEX rows_right[16 * ROW_MOST] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1,
    0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3,
    0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3,
    0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
__constant INDEX rows_down[16 * ROW_MOST] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4,
    5, 5, 6, 6, 7, 7, 0, 0, 0, 1, 1,  1,  2,  2,  2,  3,  3, 3, 4, 4, 4, 5, 0, 0, 0, 0,
    1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3,  3,  0,  0,  0,  0,  0, 1, 1, 1, 1, 1, 2, 2, 2, 2,
    2, 3, 0, 0, 0, 0, 0, 0, 1, 1, 1,  1,  1,  1,  2,  2,  2, 2, 0, 0, 0, 0, 0, 0, 0, 1,
    1, 1, 1, 1, 1, 1, 2, 2, 0, 0, 0,  0,  0,  0,  0,  0,  1, 1, 1, 1, 1, 1, 1, 1};

/* Writes whole rows of `count` combinations from the beginning of a row on, as many rows as fit
 * sixteen at a time; elements written beyond the end are overwritten later. Returns how many
 * combinations are written; *c is the next one. */
inline position_t put_rows(const emit_target *to, position_t at, position_t count, position_t room,
                           combination *c)
{
    position_t row = c->end - c->begin, done = 0;
    if (row > ROW_MOST || c->second != c->begin || row >= count)
        return 0;
    const uint rows = 16 / (uint)row, step = rows * (uint)row;
    const index16_t right = (index16_t)((INDEX)c->begin) + vload16(row - 1, rows_right);
    index16_t down = (index16_t)((INDEX)c->first) + vload16(row - 1, rows_down);
    for (; done < count && room - done >= 16; done += step) {
        vstore16(down, 0, to->first + at + done);
        vstore16(right, 0, to->second + at + done);
        down += (INDEX)rows;
        c->first += rows;
    }
    return done;
}
#endif

inline void emit_run(const emit_target *to, position_t at, position_t count, position_t room,
                     uint list, position_t inside)
{
    if (count == 0 || list == NO_LIST)
        return;
    combination c = combination_at(to, list, inside);
    for (position_t done = 0; done < count;) {
        if (c.end <= c.second)
            return;
        done += put_rows(to, at + done, count - done, room - done, &c);
        if (done >= count)
            return;
        position_t row = min(c.end - c.second, count - done);
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

#if PAIRS
#define EMIT_MOST 4
#else
#define EMIT_MOST 8

/* Tables for up to eight combinations in rows of none, one, ... eight: their positions in the row,
 * and the numbers of their rows. */
__constant INDEX short_right[72] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
                                    0, 1, 0, 1, 0, 1, 0, 1, 2, 0, 1, 2, 0, 1, 0, 1, 2, 3,
                                    0, 1, 2, 3, 0, 1, 2, 3, 4, 0, 1, 2, 0, 1, 2, 3, 4, 5,
                                    0, 1, 0, 1, 2, 3, 4, 5, 6, 0, 0, 1, 2, 3, 4, 5, 6, 7};
__constant INDEX short_down[72] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 0, 0,
                                   1, 1, 2, 2, 3, 3, 0, 0, 0, 1, 1, 1, 2, 2, 0, 0, 0, 0,
                                   1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0,
                                   1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
#endif

/* Elements that a list writes beyond its end are overwritten by the lists that follow. */
inline void emit_short(const emit_target *to, const short_lists *l, uint list, uint most)
{
    for (uint i = list; i < list + 16; i++) {
        position_t at = short_begin(l, i - list);
        INDEX a = to->a[i];
#if PAIRS
        vstore4((index4_t)(a) + (index4_t)(0, 0, 1, 1), 0, to->first + at);
        vstore4((index4_t)(a) + (index4_t)(1, 2, 2, 3), 0, to->second + at);
#else
        INDEX b = to->b[i];
        size_t row = min((position_t)to->b[i + 1] - (position_t)b, (position_t)8);
        if (most <= 4) {
            vstore4((index4_t)(a) + vload4(2 * row, short_down), 0, to->first + at);
            vstore4((index4_t)(b) + vload4(2 * row, short_right), 0, to->second + at);
        } else {
            vstore8((index8_t)(a) + vload8(row, short_down), 0, to->first + at);
            vstore8((index8_t)(b) + vload8(row, short_right), 0, to->second + at);
        }
#endif
    }
}

#include "jagged/expand/balanced_cpu.clh"

__kernel void combine(BALANCED_PARAMETERS, const __global INDEX *restrict a, ulong a_at,
                      const __global INDEX *restrict b, ulong b_at, __global INDEX *restrict first,
                      ulong first_at, __global INDEX *restrict second, ulong second_at)
{
    emit_target to;
    n = combine_length(offsets + offsets_at, m, n);
    to.a = a + a_at;
    to.b = b + b_at;
    to.first = first + first_at;
    to.second = second + second_at;
    balanced_walk(BALANCED_ARGUMENTS, &to, true);
}
