/* SPDX-License-Identifier: Apache-2.0 */
/* One result for each list, for GPUs.
 *
 * A tile is a share of TILE coordinates. The group that has it takes the lists that belong to it: those
 * of up to 32 elements by one work-item each, longer ones by chunks. A list that passes the staged
 * values is taken block by block; when it is longer than spread_from, every tile takes the blocks of
 * coordinates that are its own, and segments_join combines them.
 *
 * Defines: WG (a multiple of 8), TILE (a multiple of 1024, at most 4096), and those of lists.clh and
 * segments_reduce.clh. */
#include "jagged/segments_tile.clh"

#define WINDOW (TILE >= BLOCK ? BLOCK : TILE >= BLOCK / 2 ? BLOCK / 2 : BLOCK / 4)
#define PARTS  (BLOCK / WINDOW)
#define BOUNDS 4 /* lists of a work-item whose offsets are read at once */

/* Finds the first list of each of the group's tiles and of the one behind, all at once: `lanes`
 * work-items probe for each. The first probe that is not below counts, so that whatever the offsets
 * are every list has one tile. */
inline void find_bounds(const segments *s, uint tiles, __local tile_local *l)
{
    volatile __local uint *turn = l->turn;
    uint lanes = WG / (tiles + 1), bound = get_local_id(0) / lanes, steps = 0;
    uint lane = get_local_id(0) % lanes;
    bool active = bound <= tiles;
    ulong at = ((ulong)get_group_id(0) * tiles + bound) * TILE;
    uint lo = at < s->total ? 0 : s->count, hi = at > 0 ? s->count : 0;
    for (uint rest = s->count; rest > 0; rest /= lanes + 1)
        steps++;
    if (active && lane == 0)
        turn[bound] = lanes;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < steps; i++) {
        uint now = i % 3 * (MOST_TILES + 1) + bound, next = (i + 1) % 3 * (MOST_TILES + 1) + bound;
        uint step = (hi - lo) / (lanes + 1) + 1, probe = lo + (lane + 1) * step - 1;
        bool found = active && (probe >= hi || coordinate(s, probe) >= at);
        if (found && lane > 0)
            found = probe - step < hi && coordinate(s, probe - step) < at;
        if (found)
            atomic_min(&turn[now], lane);
        if (active && lane == 0)
            turn[next] = lanes;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (active) {
            uint below = turn[now];
            lo += below * step;
            hi = below < lanes ? min(hi, lo + step - 1) : hi;
        }
    }
    if (active && lane == 0) {
        l->bound[bound] = lo;
        l->begin[bound] = s->offsets[lo];
        l->before[bound] = s->offsets[max(lo, 1u) - 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Takes a list whose values are staged, or notes its chunks. `at`: where they are staged. */
inline void take_list(const segments *s, uint k, uint at, uint length, __local tile_local *l)
{
    if (length <= MOTE_SEGMENTS_SERIAL) {
        acc_t a = acc_start();
        for (uint i = 0; i < length; i++)
            a = acc_add(a, l->staged[PLACE(at + i)], i, s->how);
        acc_store(s->result, k, a, s->how);
    } else {
        uint chunks = (length + CHUNK - 1) / CHUNK;
        uint r = atomic_add(&l->rows, chunks);
        for (uint c = 0; c < chunks && r + c < ROWS; c++) {
            uint rest = min(length - c * CHUNK, (uint)CHUNK);
            uint noted = c ? 0 : min(chunks, ROWS - r);
            l->chunk[r + c] = row_make(at + c * CHUNK, rest, c, noted);
            l->list[r + c] = k;
        }
    }
}

/* The offsets of the work-item's next lists; of none they are 0. */
inline void load_bounds(const segments *s, uint k, uint end, INDEX *begins, INDEX *ends)
{
    for (uint u = 0; u < BOUNDS; u++) {
        bool inside = k + u * WG < end;
        begins[u] = inside ? s->offsets[k + u * WG] : 0;
        ends[u] = inside ? s->offsets[k + u * WG + 1] : 0;
    }
}

/* What is staged at a time: the values of a tile's lists, or a block or a part of one. */
typedef struct window {
    position_t from;
    uint count;
    uint row; /* of the first chunk of a part */
} window;

/* Takes those of the lists k0 .. k1 - 1 whose values are staged; begins and ends are those of the first
 * of them. */
inline void take_lists(const segments *s, uint k0, uint k1, const window *w, uint skip,
                       INDEX *begins, INDEX *ends, __local tile_local *l)
{
    for (uint first = k0 + get_local_id(0); first < k1; first += BOUNDS * WG) {
        if (first - k0 >= BOUNDS * WG)
            load_bounds(s, first, k1, begins, ends);
        for (uint u = 0; u < BOUNDS; u++) {
            uint k = first + u * WG;
            if (k < k1) {
                span p = span_make(s, begins[u], ends[u]);
                bool staged = p.length <= w->count && p.at - w->from <= w->count - p.length;
                check(s, k, begins[u], ends[u]);
                if (staged || p.length == 0)
                    take_list(s, k, (uint)(p.at - w->from) + skip, (uint)p.length, l);
            }
        }
    }
}

/* Part `part` of block b of a list. */
inline window block_window(span p, uint b, uint part)
{
    uint length = span_block_length(p, b), before = part * WINDOW;
    window w;
    w.from = p.at + (position_t)b * BLOCK + before;
    w.count = length > before ? min(length - before, (uint)WINDOW) : 0;
    w.row = before / CHUNK;
    return w;
}

/* Notes the chunks of a part of a block, each in the row of its number. */
inline void take_part(const window *w, uint skip, __local tile_local *l)
{
    uint chunks = (w->count + CHUNK - 1) / CHUNK;
    for (uint c = get_local_id(0); c < chunks; c += WG)
        l->chunk[w->row + c] =
            row_make(skip + c * CHUNK, min(w->count - c * CHUNK, (uint)CHUNK), w->row + c, 0);
    if (get_local_id(0) == 0)
        l->rows = w->row + chunks;
}

/* By one work-item, when all chunks of block b of list k are reduced. The last block of a list that is
 * not spread joins them all. */
inline void finish_block(const segments *s, uint k, span p, uint b, bool spread,
                         __local tile_local *l)
{
    uint blocks = span_blocks(p);
    acc_t a = rows_join(s, 0, (span_block_length(p, b) + CHUNK - 1) / CHUNK, l);
    if (blocks > 1)
        *block_place(s, p, b) = a;
    if (blocks > 1 && !spread && b == blocks - 1)
        a = blocks_join_serial(s, p, blocks);
    if (!spread && b == blocks - 1)
        acc_store(s->result, k, a, s->how);
}

/* Results of the lists whose chunks are reduced. */
inline void finish_lists(const segments *s, uint rows, __local tile_local *l)
{
    for (uint r = get_local_id(0); r < rows; r += WG) {
        uint chunks = l->chunk[r] >> 25;
        if (chunks)
            acc_store(s->result, l->list[r], rows_join(s, r, chunks, l), s->how);
    }
}

/* A tile. Only the last of its lists can pass the staged values: it is taken by blocks. So is the list
 * before them as far as it lies in the tile, when it is spread. */
typedef struct tile {
    uint k0, k1;   /* its lists: k0 .. k1 - 1 */
    window values; /* of all lists but one taken by blocks */
    span carried, last;
    uint carried_block, carried_blocks; /* of the list before: the first, how many */
    uint last_block, last_blocks;       /* of the last list */
    bool spread;                        /* the last list is */
} tile;

inline tile tile_make(const segments *s, uint t, ulong begin, ulong spread_from,
                      __local tile_local *l)
{
    tile x;
    uint end = 0;
    span none = {0, 0};
    x.k0 = l->bound[t];
    x.k1 = l->bound[t + 1];
    x.carried = x.k0 > 0 ? span_make(s, l->before[t], l->begin[t]) : none;
    x.last = x.k0 < x.k1 ? span_make(s, l->before[t + 1], l->begin[t + 1]) : none;
    x.values.from = (position_t)l->begin[t] - s->shift;
    x.values.row = 0;
    position_t to = x.last.at + x.last.length;
    bool apart = x.last.length > BLOCK || (x.last.length > 0 && to - x.values.from > STAGE);
    to = apart ? x.last.at : to;
    bool sound = x.k0 < x.k1 && x.values.from <= to && to <= s->length;
    x.values.count = sound && to - x.values.from <= STAGE ? (uint)(to - x.values.from) : 0;
    x.spread = x.last.length > spread_from;
    x.carried_block = x.last_block = 0;
    if (x.carried.length > spread_from)
        blocks_within(s, x.k0 - 1, span_blocks(x.carried), begin, begin + TILE, &x.carried_block,
                      &end);
    x.carried_blocks = end - x.carried_block;
    end = apart ? span_blocks(x.last) : 0;
    if (x.spread)
        blocks_within(s, x.k1 - 1, end, begin, begin + TILE, &x.last_block, &end);
    x.last_blocks = end - x.last_block;
    return x;
}

/* Takes window i of a tile: 0 are its lists, the others are parts of blocks. */
inline void take_window(const segments *s, const tile *x, uint i, __local tile_local *l)
{
    INDEX begins[BOUNDS], ends[BOUNDS];
    uint lid = get_local_id(0), part = (i - 1) % PARTS, b = (i - 1) / PARTS;
    bool lists = i == 0, carried = b < x->carried_blocks;
    span p = carried ? x->carried : x->last;
    window w = x->values;
    b = carried ? x->carried_block + b : x->last_block + b - x->carried_blocks;
    if (lists)
        load_bounds(s, x->k0 + lid, x->k1, begins, ends);
    else
        w = block_window(p, b, part);
    uint skip = stage(s, w.from, w.count, l->staged);
    if (lists && lid == 0)
        l->rows = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lists)
        take_lists(s, x->k0, x->k1, &w, skip, begins, ends, l);
    else
        take_part(&w, skip, l);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint rows = min(l->rows, (uint)ROWS);
    rows_reduce(s, w.row, rows, l);
    barrier(CLK_LOCAL_MEM_FENCE);
    rows_combine(s, w.row, rows, l);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lists)
        finish_lists(s, rows, l);
    else if (lid == 0 && part == PARTS - 1)
        finish_block(s, (carried ? x->k0 : x->k1) - 1, p, b, carried || x->spread, l);
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void segments_tiles(
    SEGMENTS_PARAMETERS, ulong spread_from, uint tiles)
{
    __local tile_local l;
    segments s = SEGMENTS_ARGUMENTS;
    ulong first = (ulong)get_group_id(0) * tiles, all = (s.total + TILE - 1) / TILE;
    uint own = first < all ? (uint)min(all - first, (ulong)tiles) : 0;
    find_bounds(&s, tiles, &l);
    for (uint t = 0; t < own; t++) {
        tile x = tile_make(&s, t, (first + t) * TILE, spread_from, &l);
        uint windows = (x.carried_blocks + x.last_blocks) * PARTS + 1;
        for (uint i = x.k0 < x.k1 ? 0 : 1; i < windows; i++)
            take_window(&s, &x, i, &l);
        if (get_local_id(0) == 0 && (how & MOTE_SEGMENTS_SPREADS))
            long_lists[long_lists_at + first + t] = x.spread ? x.k1 - 1 : NO_LIST;
    }
}

/* Joins the blocks of the lists that were spread: each group looks through tiles for some. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void segments_join(SEGMENTS_PARAMETERS)
{
    __local acc_t lane[MOTE_SEGMENTS_JOIN];
    __local uint list[WG], number;
    segments s = SEGMENTS_ARGUMENTS;
    ulong all = (s.total + TILE - 1) / TILE, step = (ulong)WG * get_num_groups(0);
    ulong first = (ulong)WG * get_group_id(0);
    uint rounds = first < all ? (uint)((all - first + step - 1) / step) : 0;
    for (uint i = 0; i < rounds; i++) {
        ulong t = first + i * step + get_local_id(0);
        if (get_local_id(0) == 0)
            number = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint k = t < all ? long_lists[long_lists_at + t] : NO_LIST;
        if (k < count)
            list[atomic_inc(&number)] = k;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint lists = number;
        for (uint j = 0; j < lists; j++)
            blocks_join(&s, list[j], lane);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
