/* SPDX-License-Identifier: Apache-2.0 */
/* Prefix results inside lists, for GPUs. A work-group processes a tile of the layout of scan.clh at
 * a time.
 *
 * scan_totals finds the lists that begin in each tile, and accumulates what lies behind the last of
 * these beginnings; scan_nodes does so for nodes of 256 tiles, of 256 such nodes, and so on.
 * scan_tiles computes what lies before a tile from the totals of these, and then the results. A
 * list that begins in the tile before needs no total: scan_tiles reads its elements once more. Most
 * lists are so short that the values are read only once. If there is only one tile, scan_tiles is
 * enough; nodes of 256 tiles are computed if there is more than one.
 *
 * Form: GPU.
 * Defines: WG, REDUCE, VALUE, VALUE_BOOL, VALUE_FLOAT, RESULT, LEAST, MOST, WIDE,
 * SKIP_NAN (jagged/reduce/accumulate.clh), LARGEST, EXCLUSIVE (jagged/scan/scan.clh), INDEX,
 * INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). Optional: VALUE_HALF (common/stored.clh). */
#include "jagged/scan/scan.clh"

#define RUNS    (TILE / RUN)
#define BANKED  (WIDTH + 1) /* from the runs of a block to those of the next one */
#define NODE    MOTE_SCAN_NODE
#define NO_PART TILE /* of a tile whose total nobody needs */

/* Values and results have a gap behind each run, and totals of runs behind each block, so that
 * work-items that process neighbouring runs or blocks use different banks of local memory. */
typedef struct scan_local {
    number_t values[TILE + RUNS];
    part_t runs[BANKED * WIDTH]; /* totals, then what lies before each run in its block */
    part_t blocks[WIDTH];
    part_t earlier[BANKED * WIDTH]; /* totals of what lies before the tile: runs, or nodes */
    part_t earlier_blocks[WIDTH];
    part_t carry;               /* what lies before the tile */
    ulong heads[RUNS];          /* one byte an element: 1 if a list begins with it */
    uint runs_headed[RUNS / 4]; /* one byte a run: 1 if a list begins in it */
    ushort headed[WIDTH];       /* bit i: a list begins in run i of the block */
    ushort blocks_headed;
} scan_local;

inline uint scan_place(uint i)
{
    return i + i / RUN;
}

/* Copies the values of a tile. Behind the last one there are zeros. */
inline void scan_stage(__local scan_local *l, const __global STORED *values, uint count)
{
    const uint lid = get_local_id(0);
    if (count == TILE && TILE % WG == 0) {
        number_t x[TILE / WG];
        UNROLLED
        for (uint u = 0; u < TILE / WG; u++)
            x[u] = (number_t)value_at(values, WG * u + lid);
        UNROLLED
        for (uint u = 0; u < TILE / WG; u++)
            l->values[scan_place(WG * u + lid)] = x[u];
    } else {
        for (uint i = lid; i < TILE; i += WG)
            l->values[scan_place(i)] = i < count ? (number_t)value_at(values, i) : 0;
    }
}

inline uint scan_run_place(uint r)
{
    return r + r / WIDTH;
}

/* Accumulates value i of the tile. */
inline part_t scan_add(const __local scan_local *l, part_t a, uint i)
{
    return part_add(a, (VALUE)l->values[scan_place(i)]);
}

/* Accumulates runs of a tile without heads, from element `from` on. */
inline part_t scan_run(const __local scan_local *l, uint r, uint from)
{
    part_t a = part_start();
    UNROLLED
    for (uint i = RUN * r; i < RUN * (r + 1); i++)
        a = i >= from ? scan_add(l, a, i) : a;
    return a;
}

/* The same, with heads. */
inline part_t scan_run_headed(const __local scan_local *l, uint r)
{
    const ulong heads = l->heads[r];
    part_t a = part_start();
    UNROLLED
    for (uint u = 0; u < RUN; u++)
        a = scan_add(l, heads >> 8 * u & 1 ? part_start() : a, RUN * r + u);
    return a;
}

/* Accumulates the totals of 16 children one after another, from child `from` on. */
inline part_t scan_join(const __local part_t *totals, uint from)
{
    part_t a = part_start();
    UNROLLED
    for (uint i = 0; i < WIDTH; i++)
        a = i >= from ? part_join(a, totals[i]) : a;
    return a;
}

/* The same with heads; each total becomes what lies before the child. */
inline part_t scan_children(__local part_t *totals, uint headed)
{
    part_t a = part_start(), total[WIDTH];
    UNROLLED
    for (uint i = 0; i < WIDTH; i++)
        total[i] = totals[i];
    UNROLLED
    for (uint i = 0; i < WIDTH; i++) {
        totals[i] = a;
        a = headed >> i & 1 ? total[i] : part_join(a, total[i]);
    }
    return a;
}

/* How many elements of tile t lie before the list that goes on behind it, or NO_PART if the list
 * ends in the next tile, which then reads its elements itself. `begun`: lists that begin up to the
 * end of the tile. */
inline uint scan_from(const places *p, ulong t, uint begun)
{
    const ulong at = t * TILE, begin = begun ? place(p, begun - 1) : 0;
    const ulong end = begun ? place(p, begun) : 0;
    if (end <= at + TILE || (begin >= at && end <= at + 2 * TILE))
        return NO_PART;
    return (uint)(max(begin, at) - at);
}

/* Clears the error word, finds how many lists begin before each tile, and accumulates the totals
 * that are needed. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void scan_totals(
    PLACES_PARAMETERS, const __global STORED *restrict values, ulong values_at, ulong tiles,
    __global uint *restrict first, ulong first_at, __global ulong *restrict totals, ulong totals_at)
{
    __local scan_local local_memory;
    __local uint from[WG];
    __local scan_local *l = &local_memory;
    const uint lid = get_local_id(0);
    const ulong groups = get_num_groups(0);
    places p;
    places_make(&p, PLACES_ARGUMENTS);
    error_clear_word((__global uint *)p.error);
    first += first_at;
    for (ulong t0 = get_group_id(0); t0 < tiles; t0 += groups * WG) {
        const ulong mine = t0 + groups * lid;
        from[lid] = NO_PART;
        if (mine < tiles) {
            const uint begun =
                place_find(&p, 0, m, (position_t)min((mine + 1) * TILE - 1, (ulong)p.n));
            from[lid] = scan_from(&p, mine, begun);
            first[mine + 1] = begun;
            if (mine == 0)
                first[0] = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < WG && t0 + groups * k < tiles; k++) {
            const ulong t = t0 + groups * k;
            if (from[k] != NO_PART) {
                scan_stage(l, values + values_at + t * TILE, TILE);
                barrier(CLK_LOCAL_MEM_FENCE);
                for (uint r = lid; r < RUNS; r += WG)
                    l->runs[scan_run_place(r)] = scan_run(l, r, from[k]);
                barrier(CLK_LOCAL_MEM_FENCE);
                for (uint b = lid; b < WIDTH; b += WG)
                    l->blocks[b] = scan_join(l->runs + BANKED * b, 0);
                barrier(CLK_LOCAL_MEM_FENCE);
                if (lid == 0)
                    ((__global part_t *)(totals + totals_at))[t] = scan_join(l->blocks, 0);
                MOTE_MEET();
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Accumulates the totals of nodes of NODE children, which are nodes of 1 << shift tiles and lie
 * from `below` on; a work-group a node. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void scan_nodes(
    ulong tiles, const __global uint *restrict first, ulong first_at,
    __global ulong *restrict totals, ulong totals_at, uint shift, ulong below)
{
    __local part_t part[WIDTH];
    __local uint headed[WIDTH];
    __global part_t *parts = (__global part_t *)(totals + totals_at) + below;
    const ulong count = (tiles - 1 >> shift) + 1, node = get_group_id(0);
    first += first_at;
    for (uint w = get_local_id(0); w < WIDTH; w += WG) {
        const ulong from = node * NODE + w * WIDTH;
        part_t a = part_start();
        headed[w] = 0;
        for (ulong k = from; k < min(from + WIDTH, count); k++) {
            const part_t total = parts[k];
            const bool head = first[min(k + 1 << shift, tiles)] > first[k << shift];
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

/* The first step to what lies before tile t in a list that begins at `begin`: totals of runs of the
 * tile before, where the list begins in it, else of the nodes before the tile, 16 in a row for each
 * size of nodes that is needed. Returns how many sizes that are. */
inline uint scan_earlier(__local scan_local *l, const __global STORED *values,
                         const __global part_t *parts, ulong tiles, ulong t, position_t begin)
{
    ulong node = t, head = begin / TILE;
    uint sizes = 0;
    if (head + 1 == t) {
        const ulong at = head * TILE;
        for (uint r = begin % TILE / RUN + get_local_id(0); r < RUNS; r += WG) {
            part_t a = part_start();
            for (uint u = 0; u < RUN; u++)
                if (at + RUN * r + u >= begin)
                    a = part_add(a, value_at(values, at + RUN * r + u));
            l->earlier[scan_run_place(r)] = a;
        }
        return 0;
    }
    for (bool more = true; more; sizes++) {
        const ulong base = node / NODE * NODE;
        for (uint w = get_local_id(0); w < WIDTH; w += WG) {
            const ulong from = max(base + w * WIDTH, head);
            part_t a = part_start();
            for (ulong k = from; k < min(base + (w + 1) * WIDTH, node); k++)
                a = k == head ? parts[k] : part_join(a, parts[k]);
            l->earlier[sizes * WIDTH + w] = a;
        }
        more = head < base;
        parts += tiles;
        tiles = (tiles - 1) / NODE + 1;
        node /= NODE;
        head /= NODE;
    }
    return sizes;
}

/* The second step: totals of blocks, where the list begins in the tile before. The work-items are
 * not those of scan_accumulate(). */
inline void scan_earlier_blocks(__local scan_local *l, uint from)
{
    for (uint b = ((uint)get_local_id(0) + WG / 2) % WG; b < WIDTH; b += WG)
        if (b >= from / BLOCK)
            l->earlier_blocks[b] =
                scan_join(l->earlier + BANKED * b, b > from / BLOCK ? 0 : from % BLOCK / RUN);
}

/* The last step, from the largest nodes down to the tiles. */
inline part_t scan_carry(const __local scan_local *l, ulong t, position_t begin, uint sizes)
{
    part_t carry = part_start();
    if (sizes == 0)
        return scan_join(l->earlier_blocks, begin % TILE / BLOCK);
    for (uint size = sizes; size-- > 0;) {
        const __local part_t *earlier = l->earlier + size * WIDTH;
        const ulong node = t >> 8 * size, head = begin / TILE >> 8 * size;
        const uint end = node % NODE / WIDTH;
        const bool headed = size + 1 == sizes;
        const uint from = headed ? head % NODE / WIDTH : 0;
        part_t a = part_start();
        for (uint w = from; w < end; w++)
            a = headed && w == from ? earlier[w] : part_join(a, earlier[w]);
        if (!headed || from < end)
            carry = part_join(carry, a);
        carry = part_join(carry, earlier[end]);
    }
    return carry;
}

/* Accumulates the elements of a tile: what lies before each run and block, and before the tile in
 * the list that begins at `begin`. */
inline void scan_accumulate(__local scan_local *l, const __global STORED *values,
                            const __global part_t *parts, ulong tiles, ulong t, position_t begin)
{
    const uint lid = get_local_id(0);
    const bool goes_on = begin < t * TILE;
    uint sizes = 0;
    for (uint r = lid; r < RUNS; r += WG) {
        l->runs[scan_run_place(r)] = scan_run_headed(l, r);
        ((__local uchar *)l->runs_headed)[r] = l->heads[r] != 0;
    }
    if (goes_on)
        sizes = scan_earlier(l, values, parts, tiles, t, begin);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = lid; b < WIDTH; b += WG) {
        uint headed = 0;
        UNROLLED
        for (uint i = 0; i < WIDTH / 4; i++) /* a byte that is 1 to one bit */
            headed |= (l->runs_headed[WIDTH / 4 * b + i] * 0x10204080u >> 28) << 4 * i;
        l->blocks[b] = scan_children(l->runs + BANKED * b, headed);
        l->headed[b] = (ushort)headed;
    }
    if (goes_on && sizes == 0)
        scan_earlier_blocks(l, begin % TILE);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) {
        uint headed = 0;
        for (uint b = 0; b < WIDTH; b++)
            headed |= (l->headed[b] ? 1u : 0u) << b;
        scan_children(l->blocks, headed);
        l->blocks_headed = (ushort)headed;
    }
    if (lid == WG / 2)
        l->carry = goes_on ? scan_carry(l, t, begin, sizes) : part_start();
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* What lies before a run in its list. */
inline part_t scan_before(const __local scan_local *l, uint r)
{
    const uint b = r / WIDTH;
    part_t outer = l->blocks[b];
    if (l->headed[b] & ((1u << r % WIDTH) - 1))
        return l->runs[scan_run_place(r)];
    if (!(l->blocks_headed & ((1u << b) - 1)))
        outer = part_join(l->carry, outer);
    return part_join(outer, l->runs[scan_run_place(r)]);
}

/* Replaces the values of a tile by their results. */
inline void scan_results(__local scan_local *l, uint nan_bits)
{
    for (uint r = get_local_id(0); r < RUNS; r += WG) {
        const ulong heads = l->heads[r];
        part_t before = scan_before(l, r), a = part_start();
        UNROLLED
        for (uint u = 0; u < RUN; u++) {
            const uint i = RUN * r + u;
            if (heads >> 8 * u & 1)
                before = a = part_start();
            const part_t next = scan_add(l, a, i);
            l->values[scan_place(i)] =
                part_result(part_join(before, EXCLUSIVE ? a : next), nan_bits);
            a = next;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Stores the results of a tile: of elements outside lists that of an empty list. */
inline void scan_store(const __local scan_local *l, const places *p, __global result_t *result,
                       position_t at, uint count, uint nan_bits)
{
    const position_t begin = place(p, 0), end = place(p, p->m);
    const uint lid = get_local_id(0);
    if (count == TILE && begin <= at && at + (TILE - 1) < end && TILE % WG == 0) {
        UNROLLED
        for (uint i = lid; i < TILE; i += WG)
            result_store(result, i, l->values[scan_place(i)]);
    } else {
        const number_t none = part_result(part_start(), nan_bits);
        for (uint i = lid; i < count; i += WG) {
            const bool inside = at + i >= begin && at + i < end;
            result_store(result, i, inside ? l->values[scan_place(i)] : none);
        }
    }
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
    values += values_at;
    result += result_at;
    if (only)
        error_clear_word((__global uint *)p.error);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_global_id(0) == 0)
        places_check(&p, false);
    if (full)
        scan_check_all(&p);
    for (ulong t = get_group_id(0); t < tiles; t += get_num_groups(0)) {
        const position_t at = (position_t)(t * TILE);
        const uint count = (uint)min(p.n - at, (position_t)TILE);
        const uint c0 = only ? 0 : first[first_at + t], c1 = only ? m : first[first_at + t + 1];
        const bool goes_on = c0 > 0 && place(&p, c0) > at;
        scan_stage(l, values + at, count);
        scan_mark(l, &p, at, c0, c1);
        scan_accumulate(l, values, (const __global part_t *)(totals + totals_at), tiles, t,
                        goes_on ? place(&p, c0 - 1) : at);
        scan_results(l, nan_bits);
        scan_store(l, &p, result + at, at, count, nan_bits);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
