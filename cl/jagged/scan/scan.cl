/* SPDX-License-Identifier: Apache-2.0 */
/* Prefix results inside lists, for GPUs. A work-group processes a tile of the layout of scan.clh at
 * a time.
 *
 * scan_find finds the lists that begin in each tile, scan_totals the total behind the last list
 * that begins in it, and scan_carries what lies before each tile; scan_tiles then computes the
 * results. If there is only one tile, scan_tiles is enough.
 *
 * Form: GPU.
 * Defines: WG, REDUCE, VALUE, VALUE_BOOL, VALUE_FLOAT, RESULT, LEAST, MOST, WIDE,
 * SKIP_NAN (jagged/reduce/accumulate.clh), LARGEST, EXCLUSIVE (jagged/scan/scan.clh), INDEX,
 * INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). Optional: VALUE_HALF (common/stored.clh). */
#include "jagged/scan/scan.clh"

#define RUNS (TILE / RUN)

/* Values and results have a gap behind each run, so that work-items that process neighbouring runs
 * use different banks of local memory. */
typedef struct scan_local {
    number_t values[TILE + RUNS];
    part_t runs[RUNS]; /* totals, then what lies before each run in its block */
    part_t blocks[WIDTH];
    ulong heads[RUNS];    /* one byte an element: 1 if a list begins with it */
    ushort headed[WIDTH]; /* bit i: a list begins in run i of the block */
    ushort blocks_headed;
} scan_local;

inline uint scan_place(uint i)
{
    return i + i / RUN;
}

inline bool scan_is_head(const __local scan_local *l, uint i)
{
    return ((const __local uchar *)l->heads)[i];
}

/* Copies values from .. count - 1 of a tile. */
inline void scan_stage(__local scan_local *l, const __global STORED *values, uint from, uint count)
{
    for (uint i = get_local_id(0); i < count; i += WG)
        if (i >= from)
            l->values[scan_place(i)] = (number_t)value_at(values, i);
}

/* Accumulates value i of the tile. */
inline part_t scan_add(const __local scan_local *l, part_t a, uint i)
{
    return part_add(a, (VALUE)l->values[scan_place(i)]);
}

/* One serial accumulation over 16 children; each total becomes what lies before the child. */
inline part_t scan_children(__local part_t *totals, uint headed)
{
    part_t a = part_start();
    for (uint i = 0; i < WIDTH; i++) {
        part_t total = totals[i];
        totals[i] = a;
        a = headed >> i & 1 ? total : part_join(a, total);
    }
    return a;
}

/* Accumulates elements from .. count - 1 of a tile. Work-item 0 gets the tile's total, behind its
 * last head. */
inline part_t scan_accumulate(__local scan_local *l, uint from, uint count)
{
    const uint lid = get_local_id(0);
    part_t total = part_start();
    for (uint r = lid; r < RUNS; r += WG) {
        part_t a = part_start();
        for (uint u = 0; u < RUN; u++) {
            const uint i = RUN * r + u;
            if (scan_is_head(l, i))
                a = part_start();
            if (i >= from && i < count)
                a = scan_add(l, a, i);
        }
        l->runs[r] = a;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = lid; b < WIDTH; b += WG) {
        uint headed = 0;
        for (uint i = 0; i < WIDTH; i++)
            headed |= (l->heads[WIDTH * b + i] ? 1u : 0u) << i;
        l->blocks[b] = scan_children(l->runs + WIDTH * b, headed);
        l->headed[b] = (ushort)headed;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) {
        uint headed = 0;
        for (uint b = 0; b < WIDTH; b++)
            headed |= (l->headed[b] ? 1u : 0u) << b;
        total = scan_children(l->blocks, headed);
        l->blocks_headed = (ushort)headed;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
}

/* Clears the error word, and finds how many lists begin before each tile. */
__kernel void scan_find(PLACES_PARAMETERS, ulong tiles, __global uint *restrict first,
                        ulong first_at)
{
    places p;
    places_make(&p, PLACES_ARGUMENTS);
    error_clear_word((__global uint *)p.error);
    for (ulong t = get_global_id(0); t <= tiles; t += get_global_size(0))
        first[first_at + t] = t ? place_find(&p, 0, m, (position_t)(t * TILE - 1)) : 0;
}

/* Accumulates what lies behind the last list that begins in each tile. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void scan_totals(
    PLACES_PARAMETERS, const __global STORED *restrict values, ulong values_at, ulong tiles,
    const __global uint *restrict first, ulong first_at, __global ulong *restrict totals,
    ulong totals_at)
{
    __local scan_local local_memory;
    __local scan_local *l = &local_memory;
    places p;
    places_make(&p, PLACES_ARGUMENTS);
    first += first_at;
    if (full)
        scan_check_all(&p);
    for (uint r = get_local_id(0); r < RUNS; r += WG)
        l->heads[r] = 0;
    for (ulong t = get_group_id(0); t < tiles; t += get_num_groups(0)) {
        const position_t at = (position_t)(t * TILE);
        const uint count = (uint)min(p.n - at, (position_t)TILE);
        const uint begun = first[t + 1];
        position_t from = begun > first[t] ? place(&p, begun - 1) - at : 0;
        from = min(from, (position_t)count);
        scan_stage(l, values + values_at + at, (uint)from, count);
        barrier(CLK_LOCAL_MEM_FENCE);
        part_t total = scan_accumulate(l, (uint)from, count);
        if (get_local_id(0) == 0)
            ((__global part_t *)(totals + totals_at))[t] = total;
    }
}

/* The nodes of a level, which lie behind those of the level below, and the tiles of a node. */
typedef struct scan_level {
    ulong at, count;
    uint shift;
} scan_level;

/* Level 0 is that of the tiles. */
inline scan_level scan_level_of(ulong tiles, uint height)
{
    scan_level level = {0, tiles, 0};
    for (; level.shift < 4 * height; level.shift += 4) {
        level.at += level.count;
        level.count = (level.count + WIDTH - 1) / WIDTH;
    }
    return level;
}

/* Whether a list begins in a node. */
inline bool scan_headed(const __global uint *first, ulong tiles, const scan_level *level,
                        ulong node)
{
    return first[min((node + 1) << level->shift, tiles)] > first[node << level->shift];
}

/* From the total of each tile to what lies before it: up the levels, then down. One group. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void scan_carries(
    ulong tiles, const __global uint *restrict first, ulong first_at, __global ulong *totals,
    ulong totals_at)
{
    __global part_t *parts = (__global part_t *)(totals + totals_at);
    uint height = 0;
    first += first_at;
    for (; scan_level_of(tiles, height).count > 1; height++) {
        const scan_level level = scan_level_of(tiles, height);
        const scan_level next = scan_level_of(tiles, height + 1);
        for (ulong node = get_local_id(0); node < next.count; node += WG) {
            part_t a = part_start();
            const ulong end = min((node + 1) * WIDTH, level.count);
            for (ulong k = node * WIDTH; k < end; k++) {
                part_t total = parts[level.at + k];
                a = scan_headed(first, tiles, &level, k) ? total : part_join(a, total);
            }
            parts[next.at + node] = a;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (get_local_id(0) == 0)
        parts[scan_level_of(tiles, height).at] = part_start();
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (; height > 0; height--) {
        const scan_level level = scan_level_of(tiles, height);
        const scan_level below = scan_level_of(tiles, height - 1);
        for (ulong node = get_local_id(0); node < level.count; node += WG) {
            part_t a = part_start(), outer = parts[level.at + node];
            const ulong end = min((node + 1) * WIDTH, below.count);
            for (ulong k = node * WIDTH; k < end; k++) {
                part_t total = parts[below.at + k];
                parts[below.at + k] = part_join(outer, a);
                if (scan_headed(first, tiles, &below, k)) {
                    a = total;
                    outer = part_start();
                } else {
                    a = part_join(a, total);
                }
            }
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

/* Marks the first element of each list in a tile: of lists c0 .. c1 - 1, which begin in it. Lists
 * without elements are not marked, so that no two lists mark the same element. */
inline void scan_mark(__local scan_local *l, const places *p, position_t at, uint c0, uint c1)
{
    __local uchar *heads = (__local uchar *)l->heads;
    const uint lid = get_local_id(0);
    for (uint r = lid; r < RUNS; r += WG)
        l->heads[r] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (c1 - c0 <= MOTE_SCAN_MOST_LISTS) {
        for (uint j = c0 + lid; j < c1; j += WG) {
            const INDEX begin = p->offsets[j], end = p->offsets[j + 1];
            const position_t i = place_of(p, begin) - at;
            list_check(p->error, j, begin, end, p->length);
            if (begin < end && i < TILE)
                heads[i] = 1;
        }
    } else {
        for (uint i = lid; i < TILE; i += WG) {
            const uint c = place_find(p, c0, c1, at + i);
            heads[i] = c > c0 && place(p, c - 1) == at + i;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* What lies before a run in its list; before the tile: `carry`. */
inline part_t scan_before(const __local scan_local *l, uint r, part_t carry)
{
    const uint b = r / WIDTH;
    part_t outer = l->blocks[b];
    if (l->headed[b] & ((1u << r % WIDTH) - 1))
        return l->runs[r];
    if (!(l->blocks_headed & ((1u << b) - 1)))
        outer = part_join(carry, outer);
    return part_join(outer, l->runs[r]);
}

/* Replaces the values of a tile by their results. */
inline void scan_results(__local scan_local *l, uint count, part_t carry, uint nan_bits)
{
    for (uint r = get_local_id(0); r < RUNS; r += WG) {
        part_t before = scan_before(l, r, carry), a = part_start();
        for (uint u = 0; u < RUN && RUN * r + u < count; u++) {
            const uint i = RUN * r + u;
            if (scan_is_head(l, i))
                before = a = part_start();
            const part_t next = scan_add(l, a, i);
            l->values[scan_place(i)] =
                part_result(part_join(before, EXCLUSIVE ? a : next), nan_bits);
            a = next;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Computes the results of all tiles. only: no other kernel has run, so that the only group clears
 * the error word, and there are no `totals`, nor `first`. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void scan_tiles(
    PLACES_PARAMETERS, const __global STORED *restrict values, ulong values_at, ulong tiles,
    const __global uint *restrict first, ulong first_at, const __global ulong *restrict totals,
    ulong totals_at, __global result_t *restrict result, ulong result_at, uint nan_bits, uint only)
{
    __local scan_local local_memory;
    __local scan_local *l = &local_memory;
    places p;
    places_make(&p, PLACES_ARGUMENTS);
    const position_t begin = place(&p, 0), end = place(&p, m);
    const number_t none = part_result(part_start(), nan_bits);
    const __global part_t *carries = (const __global part_t *)(totals + totals_at);
    result += result_at;
    if (only)
        error_clear_word((__global uint *)p.error);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_global_id(0) == 0)
        places_check(&p, false);
    for (ulong t = get_group_id(0); t < tiles; t += get_num_groups(0)) {
        const position_t at = (position_t)(t * TILE);
        const uint count = (uint)min(p.n - at, (position_t)TILE);
        const uint c0 = only ? 0 : first[first_at + t], c1 = only ? m : first[first_at + t + 1];
        scan_stage(l, values + values_at + at, 0, count);
        scan_mark(l, &p, at, c0, c1);
        scan_accumulate(l, 0, count);
        scan_results(l, count, only ? part_start() : carries[t], nan_bits);
        for (uint i = get_local_id(0); i < count; i += WG) {
            const bool inside = at + i >= begin && at + i < end;
            result_store(result, at + i, inside ? l->values[scan_place(i)] : none);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
