/* SPDX-License-Identifier: Apache-2.0 */
/* Prefix results inside lists, for CPUs: each work-item processes neighbouring tiles of the layout
 * of scan.clh, element by element.
 *
 * scan_totals computes the totals of the tiles of a list that continues in the next work-item's
 * tiles; scan_tiles computes the results. If there is only one work-item, scan_tiles is enough.
 *
 * Form: CPU.
 * Defines: REDUCE, VALUE, VALUE_BOOL, VALUE_FLOAT, RESULT, LEAST, MOST, WIDE, SKIP_NAN
 * (jagged/reduce/accumulate.clh), LARGEST, EXCLUSIVE (jagged/scan/scan.clh), INDEX, INDEX_SIGNED,
 * INDEX_LONG (jagged/lists.clh). Optional: VALUE_HALF (common/stored.clh). */
#include "jagged/scan/scan.clh"

#define LEVELS     11 /* levels from blocks to the whole range of 2^43 elements */
#define LEVEL_TILE 1
#define FEW_EMPTY  32 /* lists without elements before a search for the next list with elements */

/* The position of a work-item in a list: for each level, the sum of the totals of the list's
 * complete nodes whose parent is not complete. */
typedef struct scan_walk {
    part_t sum[LEVELS];
    uint top; /* number of levels in use; higher levels are empty */
} scan_walk;

/* Adds the total of node `index` of a level, the next one in the list. */
inline void walk_add(scan_walk *w, uint level, ulong index, part_t total)
{
    for (; level < LEVELS; level++, index /= WIDTH) {
        while (w->top <= level)
            w->sum[w->top++] = part_start();
        w->sum[level] = part_join(w->sum[level], total);
        if ((index + 1) % WIDTH != 0)
            return;
        total = w->sum[level];
        w->sum[level] = part_start();
    }
}

/* Returns the accumulated elements before the next node of a level. */
inline part_t walk_before(const scan_walk *w, uint level)
{
    part_t a = part_start();
    for (uint k = w->top; k > level; k--)
        a = part_join(a, w->sum[k - 1]);
    return a;
}

/* Accumulates a whole run, and writes its results if `writes`. */
inline __attribute__((always_inline)) part_t walk_whole(const __global STORED *values,
                                                        part_t before, bool writes,
                                                        __global result_t *result, uint nan_bits)
{
    part_t part[RUN + 1];
    part[0] = part_start();
#pragma unroll
    for (uint u = 0; u < RUN; u++)
        part[u + 1] = part_add(part[u], value_at(values, u));
    if (writes) {
#pragma unroll
        for (uint u = 0; u < RUN; u++)
            result[u] = part_result(part_join(before, part[EXCLUSIVE ? u : u + 1]), nan_bits);
    }
    return part[RUN];
}

/* Does the same as walk_whole() for `count` elements of a run. */
inline part_t walk_some(const __global STORED *values, uint count, part_t before, bool writes,
                        __global result_t *result, uint nan_bits)
{
    part_t a = part_start();
    for (uint u = 0; u < count; u++) {
        const part_t next = part_add(a, value_at(values, u));
        if (writes)
            result[u] = part_result(part_join(before, EXCLUSIVE ? a : next), nan_bits);
        a = next;
    }
    return a;
}

/* Processes elements at .. end - 1 of a list of up to RUN elements, which are in two runs at most.
 */
inline void walk_short(const __global STORED *values, position_t at, position_t end,
                       __global result_t *result, uint nan_bits)
{
    part_t before = part_start(), a = part_start();
    for (; at < end; at++) {
        if (at % RUN == 0) {
            before = a;
            a = part_start();
        }
        const part_t next = part_add(a, value_at(values, at));
        result[at] = part_result(part_join(before, EXCLUSIVE ? a : next), nan_bits);
        a = next;
    }
}

/* Processes elements at .. end - 1 of a list, which follow the ones before. Returns their total,
 * combined with the elements before them, if they end at the end of a run. */
inline __attribute__((always_inline)) part_t walk_list(scan_walk *w, const __global STORED *values,
                                                       position_t at, position_t end, bool writes,
                                                       __global result_t *result, uint nan_bits)
{
    part_t outer = walk_before(w, 0), sum = part_start(); /* total of the block's runs */
    while (at < end) {
        const part_t before = part_join(outer, sum);
        const uint inside = at % RUN, count = (uint)min((position_t)(RUN - inside), end - at);
        part_t a;
        if (count == RUN)
            a = walk_whole(values + at, before, writes, result + at, nan_bits);
        else
            a = walk_some(values + at, count, before, writes, result + at, nan_bits);
        sum = part_join(sum, a);
        at += count;
        if (at % BLOCK == 0 && at < end) {
            walk_add(w, 0, at / BLOCK - 1, sum);
            outer = walk_before(w, 0);
            sum = part_start();
        }
    }
    return part_join(outer, sum);
}

__kernel void scan_totals(LIST_BOUNDS_PARAMETERS, const __global STORED *restrict values,
                          ulong values_at, ulong each, __global ulong *restrict totals,
                          ulong totals_at)
{
    list_bounds p;
    list_bounds_make(&p, LIST_BOUNDS_ARGUMENTS);
    const position_t begin = (position_t)min(each * get_global_id(0), (ulong)p.n);
    const position_t end = (position_t)min((ulong)begin + each, (ulong)p.n);
    error_clear_word((__global uint *)p.error);
    const uint begun = end > begin ? list_bound_find(&p, 0, m, end - 1) : 0;
    if (begun == 0 || list_bound(&p, begun) <= end)
        return;
    for (position_t at = max(list_bound(&p, begun - 1), begin); at < end;) {
        const position_t stop = at + min(TILE - at % TILE, end - at);
        scan_walk w;
        w.top = 0;
        ((__global part_t *)(totals + totals_at))[at / TILE] =
            walk_list(&w, values + values_at, at, stop, false, 0, 0);
        at = stop;
    }
}

/* Continues the list that begins at `first`, before the work-item's first element. */
inline void walk_resume(scan_walk *w, const __global part_t *totals, position_t first,
                        position_t begin)
{
    for (position_t t = first / TILE; t < begin / TILE; t++)
        walk_add(w, LEVEL_TILE, t, totals[t]);
}

/* Processes elements in no list. */
inline void walk_gap(__global result_t *result, position_t at, position_t end, uint nan_bits)
{
    for (; at < end; at++)
        result[at] = part_result(part_start(), nan_bits);
}

/* Processes elements at .. end - 1: the remaining part of a list whose beginning is in `w`, then
 * lists from j on. */
inline void walk_lists(scan_walk *w, const list_bounds *p, uint j, const __global STORED *values,
                       position_t at, position_t end, __global result_t *result, uint nan_bits)
{
    uint empty = 0;
    while (j < p->m && at < end) {
        const INDEX offset = p->offsets[j], after = p->offsets[j + 1];
        const position_t from = max(list_bound_of(p, offset), at),
                         to = min(list_bound_of(p, after), end);
        if (!list_is_right(offset, after, p->length))
            list_check(p->error, j, offset, after, p->length);
        if (from >= end)
            break;
        j++;
        if (to > from) {
            walk_gap(result, at, from, nan_bits);
            if (to - from <= RUN && w->top == 0)
                walk_short(values, from, to, result, nan_bits);
            else
                walk_list(w, values, from, to, true, result, nan_bits);
            at = to;
            empty = 0;
        } else if (++empty > FEW_EMPTY) {
            j = max(j,
                    list_bound_find(p, j, p->m, from) - 1); /* after all lists without elements */
        }
        w->top = 0;
    }
    walk_gap(result, at, end, nan_bits);
}

__kernel void scan_tiles(LIST_BOUNDS_PARAMETERS, const __global STORED *restrict values,
                         ulong values_at, ulong each, const __global ulong *restrict totals,
                         ulong totals_at, __global result_t *restrict result, ulong result_at,
                         uint nan_bits, uint only)
{
    list_bounds p;
    list_bounds_make(&p, LIST_BOUNDS_ARGUMENTS);
    const position_t begin = (position_t)min(each * get_global_id(0), (ulong)p.n);
    const position_t end = (position_t)min((ulong)begin + each, (ulong)p.n);
    const uint begun = list_bound_find(&p, 0, m, begin), j = begun ? begun - 1 : 0;
    scan_walk w;
    w.top = 0;
    if (only)
        error_clear_word((__global uint *)p.error);
    if (full)
        scan_check_all(&p);
    if (get_global_id(0) == 0)
        list_bounds_check(&p, false);
    if (begun > 0 && list_bound(&p, begun) > begin)
        walk_resume(&w, (const __global part_t *)(totals + totals_at), list_bound(&p, j), begin);
    walk_lists(&w, &p, j, values + values_at, begin, end, result + result_at, nan_bits);
}
