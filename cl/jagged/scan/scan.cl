/* SPDX-License-Identifier: Apache-2.0 */
/* Prefix results inside lists, for GPUs. A work-group processes a tile of the layout of scan.clh at
 * a time.
 *
 * scan_totals finds the lists that begin in each tile, and accumulates the elements of the last of
 * these lists. scan_nodes combines the totals of 256 tiles to that of a node, the totals of 256
 * nodes to that of a larger node, and so on; up to 256 tiles need no nodes. scan_tiles combines the
 * totals before each tile, and computes the results. If a list begins in the previous tile,
 * scan_tiles reads its elements once more instead, so that the values of short lists are read only
 * once by the whole scan. If there is only one tile, scan_tiles is the only launch.
 *
 * Form: GPU.
 * Defines: WG, REDUCE, VALUE, VALUE_BOOL, VALUE_FLOAT, RESULT, LEAST, MOST, WIDE,
 * SKIP_NAN (jagged/reduce/accumulate.clh), LARGEST, EXCLUSIVE (jagged/scan/scan.clh), INDEX,
 * INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). Optional: VALUE_HALF (common/stored.clh). */
#include "jagged/scan/earlier.clh"

/* The bounds of the searches of scan_find(), one search for each tile. */
typedef struct scan_search {
    volatile uint low[WG], high[WG];
} scan_search;

/* Counts the lists that begin up to the end of each of at most WG tiles: tile `from` and every
 * `step`-th tile after it. All work-items take part; each tile is searched by an equal number of
 * them. */
inline void scan_find(__local scan_search *s, const list_bounds *p, ulong from, ulong step,
                      ulong tiles)
{
    const uint lid = get_local_id(0);
    const uint count = (uint)min((tiles - from - 1) / step + 1, (ulong)WG);
    const uint lanes = WG / count, tile = lid / lanes, lane = lid % lanes;
    const position_t at = (position_t)min((from + step * tile + 1) * TILE - 1, (ulong)p->n);
    s->low[lid] = 0;
    s->high[lid] = p->m;
    for (uint range = p->m; range > 0; range /= lanes + 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint low = s->low[tile], high = s->high[tile];
        const uint mid = low + ((high - low) / (lanes + 1) + 1) * (lane + 1) - 1;
        const bool looks = tile < count && mid < high, begun = looks && list_bound(p, mid) <= at;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (begun)
            atomic_max(&s->low[tile], mid + 1);
        else if (looks)
            atomic_min(&s->high[tile], mid);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Accumulates elements `from` .. Accumulates TILE - 1 elements of a tile, which all belong to one
 * list. Only work-item 0 receives the total. */
inline part_t scan_total(__local scan_totals_local *l, const __global STORED *values, uint from)
{
    const uint lid = get_local_id(0);
    for (uint r = lid; r < RUNS; r += WG) {
        VALUE x[RUN];
        scan_load(x, values + RUN * r, RUN, scan_is_aligned(values));
        l->runs[scan_run_place(r)] = scan_run(x, max(from, RUN * r) - RUN * r);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = lid; b < WIDTH; b += WG)
        l->blocks[b] = scan_join(l->runs + BANKED * b, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    return lid == 0 ? scan_join(l->blocks, 0) : part_start();
}

/* Stores, for tile t + 1, how many lists begin before it, and the first element of the list that
 * continues in it; if no list does, the first element of the tile. Returns the position in tile t
 * from which the elements belong to that list, or NO_PART if the total of tile t is not needed. */
inline uint scan_from(const list_bounds *p, ulong t, uint begun, __global uint *first,
                      __global ulong *begins)
{
    const ulong at = t * TILE, behind = at + TILE;
    const ulong begin = begun ? list_bound(p, begun - 1) : 0,
                end = begun ? list_bound(p, begun) : 0;
    first[t + 1] = begun;
    begins[t + 1] = end > behind ? begin : behind;
    if (end <= behind || (begin >= at && end <= behind + TILE))
        return NO_PART;
    return (uint)(max(begin, at) - at);
}

/* Clears the error word, finds how many lists begin before each tile, and accumulates the totals
 * that are needed. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void scan_totals(
    LIST_BOUNDS_PARAMETERS, const __global STORED *restrict values, ulong values_at, ulong tiles,
    __global uint *restrict first, ulong first_at, __global ulong *restrict totals, ulong totals_at,
    __global ulong *restrict begins, ulong begins_at)
{
    __local scan_totals_local local_memory;
    __local scan_search search;
    const uint lid = get_local_id(0);
    const ulong step = get_num_groups(0);
    list_bounds p;
    list_bounds_make(&p, LIST_BOUNDS_ARGUMENTS);
    error_clear_word((__global uint *)p.error);
    values += values_at;
    first += first_at;
    if (get_global_id(0) == 0)
        first[0] = begins[begins_at] = 0;
    for (ulong from = get_group_id(0); from < tiles; from += step * WG) {
        const ulong mine = from + step * lid;
        scan_find(&search, &p, from, step, tiles);
        if (mine < tiles)
            search.high[lid] = scan_from(&p, mine, search.low[lid], first, begins + begins_at);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < WG && from + step * k < tiles; k++) {
            const ulong t = from + step * k;
            if (search.high[k] != NO_PART) {
                const part_t total = scan_total(&local_memory, values + t * TILE, search.high[k]);
                if (lid == 0)
                    ((__global part_t *)(totals + totals_at))[t] = total;
                MOTE_RECONVERGE();
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Computes the totals of nodes; each work-group computes one node. Its NODE children are nodes of 1
 * << shift tiles, and their totals begin at `below`. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void scan_nodes(
    ulong tiles, const __global uint *restrict first, ulong first_at,
    __global ulong *restrict totals, ulong totals_at, uint shift, ulong below)
{
    __local part_t part[WIDTH];
    __local uint headed[WIDTH];
    __global part_t *parts = (__global part_t *)(totals + totals_at) + below;
    const ulong count = ((tiles - 1) >> shift) + 1, node = get_group_id(0);
    first += first_at;
    for (uint w = get_local_id(0); w < WIDTH; w += WG) {
        const ulong from = node * NODE + w * WIDTH;
        part_t a = part_start();
        headed[w] = 0;
        for (ulong k = from; k < min(from + WIDTH, count); k++) {
            const part_t total = parts[k];
            const bool head = first[min((k + 1) << shift, tiles)] > first[k << shift];
            a = head ? total : part_join(a, total);
            headed[w] |= head;
        }
        part[w] = a;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        part_t a = part_start();
        for (uint w = 0; w < WIDTH; w++)
            a = headed[w] ? part[w] : part_join(a, part[w]);
        parts[count + node] = a;
    }
}

/* Marks the first element of each list in a tile: of lists c0 .. c1 - 1, which begin in it. Lists
 * without elements are not marked, so that no two lists mark the same element. */
inline void scan_mark(__local scan_local *l, const list_bounds *p, position_t at, uint c0, uint c1)
{
    __local uchar *heads = (__local uchar *)l->heads;
    const uint lid = get_local_id(0);
    if (c1 - c0 <= MOTE_SCAN_MOST_LISTS) {
        for (uint j0 = c0 + lid; j0 < c1; j0 += WG * FEW) {
            INDEX begin[FEW], end[FEW];
            UNROLLED
            for (uint k = 0; k < FEW; k++) {
                begin[k] = p->offsets[min(j0 + WG * k, c1 - 1)];
                end[k] = p->offsets[min(j0 + WG * k, c1 - 1) + 1];
            }
            UNROLLED
            for (uint k = 0; k < FEW; k++) {
                const position_t i = list_bound_of(p, begin[k]) - at;
                if (!list_is_right(begin[k], end[k], p->length))
                    list_check(p->error, min(j0 + WG * k, c1 - 1), begin[k], end[k], p->length);
                if (j0 + WG * k < c1 && begin[k] < end[k] && i < TILE)
                    heads[i] = 1;
            }
        }
    } else {
        for (uint i = lid; i < TILE; i += WG) {
            const uint c = list_bound_find(p, c0, c1, at + i);
            heads[i] = c > c0 && list_bound(p, c - 1) == at + i;
        }
    }
}

/* Replaces the totals of runs and blocks by the accumulated totals before them, and computes the
 * carry of the tile. The list that continues in the tile begins at `begin`, as in scan_earlier().
 */
inline void scan_accumulate(__local scan_local *l, ulong t, position_t begin, uint sizes)
{
    const uint lid = get_local_id(0);
    const bool goes_on = begin < t * TILE;
    for (uint b = lid; b < WIDTH; b += WG) {
        uint headed = 0;
        UNROLLED
        for (uint i = 0; i < WIDTH / 4; i++) /* Converts a byte that is 0 or 1 to one bit. */
            headed |= (l->runs_headed[WIDTH / 4 * b + i] * 0x10204080u >> 28) << 4 * i;
        l->tile.blocks[b] = scan_children(l->tile.runs + BANKED * b, headed);
        l->headed[b] = (ushort)headed;
    }
    if (goes_on && sizes == 0)
        scan_earlier_blocks(l, begin % TILE);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) {
        uint headed = 0;
        UNROLLED
        for (uint b = 0; b < WIDTH; b++)
            headed |= (l->headed[b] ? 1u : 0u) << b;
        scan_children(l->tile.blocks, headed);
        l->blocks_headed = (ushort)headed;
    }
    if (lid == WG / 2)
        l->carry = goes_on ? scan_carry(l, t, begin, sizes) : part_start();
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Returns the accumulated elements before a run that belong to the list which continues in it. */
inline part_t scan_before(const __local scan_local *l, uint r)
{
    const uint b = r / WIDTH;
    part_t outer = l->tile.blocks[b];
    if (l->headed[b] & ((1u << r % WIDTH) - 1))
        return l->tile.runs[scan_run_place(r)];
    if (!(l->blocks_headed & ((1u << b) - 1)))
        outer = part_join(l->carry, outer);
    return part_join(outer, l->tile.runs[scan_run_place(r)]);
}

/* Accumulates a run. */
inline part_t scan_run_headed(const VALUE *x, ulong heads)
{
    part_t a = part_start();
    UNROLLED
    for (uint u = 0; u < RUN; u++)
        a = part_add(heads >> 8 * u & 1 ? part_start() : a, x[u]);
    return a;
}

/* Returns the number of elements of a run that are before a position. */
inline uint scan_within(position_t position, position_t run)
{
    return (uint)min(max(position, run) - run, (position_t)RUN);
}

/* Stores the results of run r. Elements before `from` and from `to` on are in no list, and get the
 * result of an empty list. The elements before the run are joined only up to the first head of the
 * run. The run is accumulated a second time, because partial results would need twice as many
 * registers as values. */
inline void scan_store(const __local scan_local *l, uint r, const VALUE *values,
                       __global result_t *result, uint from, uint to, uint count, uint nan_bits)
{
    const part_t before = scan_before(l, r);
    const ulong heads = l->heads[r];
    part_t a = part_start();
    result_t x[RUN];
    bool headed = false;
    UNROLLED
    for (uint u = 0; u < RUN; u++) {
        const bool head = heads >> 8 * u & 1;
        headed = headed || head;
        a = head ? part_start() : a;
        const part_t next = part_add(a, values[u]), part = EXCLUSIVE ? a : next;
        x[u] = part_result(headed ? part : part_join(before, part), nan_bits);
        a = next;
    }
    if (from > 0 || to < RUN)
        for (uint u = 0; u < RUN; u++)
            x[u] = u >= from && u < to ? x[u] : part_result(part_start(), nan_bits);
    if (count >= RUN && (size_t)result % sizeof(result4_t) == 0) {
        ((__global result4_t *)result)[0] = (result4_t)(x[0], x[1], x[2], x[3]);
        ((__global result4_t *)result)[1] = (result4_t)(x[4], x[5], x[6], x[7]);
    } else {
        UNROLLED
        for (uint u = 0; u < RUN; u++)
            if (u < count)
                result[u] = x[u];
    }
}

/* Computes the results of all tiles. only: no other kernel has run, so that the only group clears
 * the error word, and there are no `totals` and no `first`. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void scan_tiles(
    LIST_BOUNDS_PARAMETERS, const __global STORED *restrict values, ulong values_at, ulong tiles,
    const __global uint *restrict first, ulong first_at, const __global ulong *restrict totals,
    ulong totals_at, const __global ulong *restrict begins, ulong begins_at,
    __global result_t *restrict result, ulong result_at, uint nan_bits, uint only)
{
    __local scan_local local_memory;
    __local scan_local *l = &local_memory;
    const uint lid = get_local_id(0);
    list_bounds p;
    list_bounds_make(&p, LIST_BOUNDS_ARGUMENTS);
    const __global part_t *parts = (const __global part_t *)(totals + totals_at);
    values += values_at;
    result += result_at;
    first += first_at;
    begins += begins_at;
    const position_t begin = list_bound(&p, 0),
                     end = list_bound(&p, m); /* bounds of the elements in lists */
    if (only)
        error_clear_word((__global uint *)p.error);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_global_id(0) == 0)
        list_bounds_check(&p, false);
    if (full)
        scan_check_all(&p);
    for (ulong t = get_group_id(0); t < tiles; t += get_num_groups(0)) {
        const position_t at = (position_t)(t * TILE);
        const uint c0 = only ? 0 : first[t], c1 = only ? m : first[t + 1];
        VALUE x[EACH][RUN];
        UNROLLED
        for (uint e = 0; e < EACH; e++) {
            const uint r = WG * e + lid;
            if (r < RUNS) {
                l->heads[r] = 0;
                scan_load(x[e], values + at + RUN * r, scan_within(p.n, at + RUN * r),
                          scan_is_aligned(values));
            }
        }
        const position_t before = only ? at : (position_t)begins[t];
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint sizes = before < at ? scan_earlier(l, values, parts, tiles, t, before) : 0;
        scan_mark(l, &p, at, c0, c1);
        barrier(CLK_LOCAL_MEM_FENCE);
        UNROLLED
        for (uint e = 0; e < EACH; e++) {
            const uint r = WG * e + lid;
            if (r < RUNS) {
                l->tile.runs[scan_run_place(r)] = scan_run_headed(x[e], l->heads[r]);
                ((__local uchar *)l->runs_headed)[r] = l->heads[r] != 0;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        scan_accumulate(l, t, before, sizes);
        UNROLLED
        for (uint e = 0; e < EACH; e++) {
            const uint r = WG * e + lid;
            const position_t run = at + RUN * r;
            if (r < RUNS && run < p.n)
                scan_store(l, r, x[e], result + run, scan_within(begin, run), scan_within(end, run),
                           scan_within(p.n, run), nan_bits);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
