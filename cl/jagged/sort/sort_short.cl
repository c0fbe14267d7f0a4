/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts many lists of a few elements, for GPUs.
 *
 * A group copies the values of LISTS neighbouring lists to local memory. Each work-item sorts four
 * neighbouring lists at a time: if they have up to SLOTS elements together, in registers, where
 * neighbours of the same list are exchanged in rounds (odd-even transposition), so that the order
 * of equal elements stays; otherwise one after another in local memory. Chunks with lists of more
 * than SHORT elements, or of groups whose values do not fit, are left to sort_chunks.
 *
 * Form: GPU.
 * Defines: WG, LISTS (of a group: a multiple of 4 * WG), ROOM (values of a group: a multiple of
 * 16), SLOTS, VALUE, ORDER, DESCENDING, INDICES, INDEX_OUT (sort.clh), INDEX, INDEX_SIGNED,
 * INDEX_LONG (jagged/lists.clh). Optional: MOST_BITS (sort.clh). */
#include "shared/jagged.h"

#define CHUNK  MOTE_SORT_CHUNK
#define WINDOW MOTE_SORT_WINDOW
#define STORED VALUE
#define SHORT  32

#include "common/guard.clh"
#include "jagged/sort/sort.clh"
#include "jagged/reduce/stage.clh"
#include "jagged/width.clh"

typedef struct short_local {
    stage_unit values[ROOM / UNIT];
#if INDICES
    uint indices[ROOM];
#endif
    volatile uint left;
} short_local;

/* The elements of a group: `count` from element `at` on. values[i] is element at + i. */
typedef struct short_group {
    position_t at;
    uint count;
    __local VALUE *values;
    __local uint *indices;
} short_group;

/* Four lists: the elements with which they begin and end in the group. */
typedef struct short_quad {
    uint begin[5];
} short_quad;

/* Sorts a list in local memory by insertion. */
inline void short_insert(const short_group *g, uint begin, uint end)
{
    __local VALUE *values = g->values + begin;
    for (uint i = 0; i < end - begin; i++) {
        const VALUE x = values[i];
        uint k = i;
        for (; k > 0 && sort_before(x, values[k - 1]); k--) {
            values[k] = values[k - 1];
#if INDICES
            g->indices[begin + k] = g->indices[begin + k - 1];
#endif
        }
        values[k] = x;
#if INDICES
        g->indices[begin + k] = i;
#endif
    }
}

/* Sorts the lists of a quad of up to SLOTS elements, of which the longest list has `most`. */
inline void short_sort(const short_group *g, const short_quad *q, uint most)
{
    VALUE x[SLOTS];
    uint index[INDICES ? SLOTS : 1];
    const uint from = q->begin[0], total = q->begin[4] - from;
    /* Bit u: a list begins with element u, or the element is not in the quad. */
    const uint heads = 1u | 1u << (q->begin[1] - from) | 1u << (q->begin[2] - from) |
                       1u << (q->begin[3] - from) | (0xffffffffu << total);
    const uint alone = heads & heads >> 1;
    UNROLLED
    for (uint u = 0; u < SLOTS; u++)
        x[u] = u < total ? g->values[from + u] : 0;
#if INDICES
    uint begin = 0;
    UNROLLED
    for (uint u = 0; u < SLOTS; u++) {
        begin = heads >> u & 1 ? u : begin;
        index[u] = u - begin;
    }
#endif
#pragma unroll 1
    for (uint round = 0; round < most; round += 2) {
        UNROLLED
        for (uint k = 0; k < 2; k++) {
            UNROLLED
            for (uint u = k; u + 1 < SLOTS; u += 2) {
                const VALUE a = x[u], b = x[u + 1];
                const bool swap = !(heads >> (u + 1) & 1) && sort_before(b, a);
                x[u] = swap ? b : a;
                x[u + 1] = swap ? a : b;
#if INDICES
                const uint i = index[u], j = index[u + 1];
                index[u] = swap ? j : i;
                index[u + 1] = swap ? i : j;
#endif
            }
        }
    }
    UNROLLED
    for (uint u = 0; u < SLOTS; u++) {
        if (!(alone >> u & 1))
            g->values[from + u] = x[u];
#if INDICES
        if (u < total)
            g->indices[from + u] = index[u];
#endif
    }
}

/* The offsets of four lists, and of the list behind them. */
typedef struct short_offsets {
    INDEX v[5];
} short_offsets;

/* Reads the offsets of lists k .. k + 4; lists that do not exist begin where the last one ends. */
inline void short_read(const list_bounds *p, uint k, short_offsets *o)
{
    const __global INDEX *from = p->offsets + k;
    if (p->m - k >= 4 && (size_t)from % sizeof(index4_t) == 0) {
        const index4_t four = *(const __global index4_t *)from;
        o->v[0] = four.x, o->v[1] = four.y, o->v[2] = four.z, o->v[3] = four.w;
        o->v[4] = from[4];
    } else {
        UNROLLED
        for (uint u = 0; u < 5; u++)
            o->v[u] = p->offsets[k + min(u, p->m - k)];
    }
}

/* Reports the errors of lists k .. k + 3; returns true if there is none. */
inline bool short_check(const list_bounds *p, uint k, const short_offsets *o)
{
    const bool good = !INDEX_NEGATIVE(o->v[0]) && o->v[0] <= o->v[1] && o->v[1] <= o->v[2] &&
                      o->v[2] <= o->v[3] && o->v[3] <= o->v[4] && (position_t)o->v[4] <= p->length;
    for (uint u = 0; u < 4 && !good; u++)
        if (u < p->m - k)
            list_check(p->error, k + u, o->v[u], o->v[u + 1], p->length);
    return good;
}

/* Sorts four lists, which have passed short_check(); returns false if some are too long. */
inline bool short_take(const list_bounds *p, const short_group *g, const short_offsets *o)
{
    short_quad q;
    const position_t first = (position_t)o->v[0] - p->base - g->at;
    uint most = 0;
    q.begin[0] = (uint)first;
    UNROLLED
    for (uint u = 0; u < 4; u++) {
        q.begin[u + 1] = q.begin[0] + (uint)((position_t)o->v[u + 1] - (position_t)o->v[0]);
        most = max(most, q.begin[u + 1] - q.begin[u]);
    }
    if (first > g->count || (position_t)o->v[4] - (position_t)o->v[0] > g->count - first)
        return false;
    if (q.begin[4] - q.begin[0] <= SLOTS) {
        if (INDICES || most > 1)
            short_sort(g, &q, most);
    } else if (most <= SHORT) {
        for (uint u = 0; u < 4; u++)
            short_insert(g, q.begin[u], q.begin[u + 1]);
    }
    return most <= SHORT;
}

/* Marks the chunks of elements from .. to - 1 as left. */
inline void short_leave(ulong from, ulong to, __global uchar *left, volatile __global uint *turns)
{
    for (ulong t = from / CHUNK + get_local_id(0); t * CHUNK < to; t += WG)
        left[t] = 1;
    if (get_local_id(0) == 0)
        atomic_or(&turns[MOTE_SORT_LEFT], 1);
}

/* Stores the values of a group. */
inline void short_store(const short_group *g, __global VALUE *result, __global INDEX_OUT *indices,
                        uint stores)
{
    const uint lid = get_local_id(0);
    result += g->at;
    if (stores) {
        const uint lead = stage_lead(result);
        const bool same = (size_t)g->values % sizeof(stage_unit) / sizeof(VALUE) == lead;
        const uint first = same ? min((uint)((UNIT - lead) % UNIT), g->count) : g->count;
        const uint units = (g->count - first) / (uint)UNIT;
        const uint behind = first + (uint)UNIT * units;
        for (uint i = lid; i < units; i += WG)
            ((__global stage_unit *)(result + first))[i] =
                ((const __local stage_unit *)(g->values + first))[i];
        for (uint i = lid; i < first; i += WG)
            result[i] = g->values[i];
        for (uint i = behind + lid; i < g->count; i += WG)
            result[i] = g->values[i];
    }
#if INDICES
    for (uint i = lid; i < g->count; i += WG)
        indices[g->at + i] = (INDEX_OUT)g->indices[i];
#endif
}

/* A group sorts LISTS lists. If `stores` is 0, only indices are stored. */
__kernel INDEX_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void sort_short(
    LIST_BOUNDS_PARAMETERS, const __global VALUE *restrict values, ulong values_at,
    __global VALUE *restrict result, ulong result_at, __global INDEX_OUT *restrict indices,
    ulong indices_at, __global uchar *restrict left, ulong left_at, volatile __global uint *turns,
    ulong turns_at, uint stores, const __global uint *guard, ulong guard_at)
{
    GUARD_GROUP(guard_stops(guard, guard_at), n = m = 0);
    __local short_local l;
    const uint lid = get_local_id(0), rounds = LISTS / (4 * WG);
    const uint k0 = min((uint)get_group_id(0) * LISTS, m), k1 = k0 + min(m - k0, (uint)LISTS);
    list_bounds p;
    short_group g;
    short_offsets o[LISTS / (4 * WG)];
    list_bounds_make(&p, LIST_BOUNDS_ARGUMENTS);
    values += values_at;
    result += result_at;
    indices += indices_at;
    const position_t end = list_bound(&p, k1);
    g.at = list_bound(&p, k0);
    UNROLLED
    for (uint r = 0; r < rounds; r++)
        short_read(&p, k0 + min(4 * (lid + r * WG), m - k0), &o[r]);
    g.count = end >= g.at ? (uint)min(end - g.at, (position_t)ROOM) : ROOM;
    const bool fits = g.count <= ROOM - UNIT;
    g.values = (__local VALUE *)l.values + stage_lead(values + g.at);
#if INDICES
    g.indices = l.indices;
#endif
    if (lid == 0)
        l.left = !fits;
    if (fits)
        stage(values, (position_t)n, g.at, g.count, l.values, 0);
    if (get_global_id(0) == 0)
        list_bounds_check(&p, false);
    stage_wait();
    barrier(CLK_LOCAL_MEM_FENCE);
    bool good = true;
    UNROLLED
    for (uint r = 0; r < rounds; r++)
        if (!short_check(&p, k0 + min(4 * (lid + r * WG), m - k0), &o[r]) ||
            (fits && !short_take(&p, &g, &o[r])))
            good = false;
    if (!good)
        atomic_or(&l.left, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l.left)
        short_leave(g.at, max(end, g.at), left + left_at, turns + turns_at);
    if (fits)
        short_store(&g, result, indices, stores);
    const ulong begin = list_bound(&p, 0), last = list_bound(&p, m);
    sort_copy(&p, values, result, indices, 0, begin, (uint)get_global_id(0),
              (uint)get_global_size(0));
    sort_copy(&p, values, result, indices, last, n, (uint)get_global_id(0),
              (uint)get_global_size(0));
}
