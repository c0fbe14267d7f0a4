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

/* Takes tile `t` of the group, from coordinate `begin` on. Only the last list that belongs to it can
 * pass the staged values: it is taken by blocks. So is the list before them as far as it lies in the
 * tile, when it is spread. */
inline void take_tile(const segments *s, uint t, ulong begin, ulong spread_from,
                      __global uint *long_list, __local tile_local *l)
{
    uint k0 = l->bound[t], k1 = l->bound[t + 1], lid = get_local_id(0);
    uint carry0 = 0, carry1 = 0, last0 = 0, last1 = 0;
    span none = {0, 0};
    span carried = k0 > 0 ? span_make(s, l->before[t], l->begin[t]) : none;
    span last = k0 < k1 ? span_make(s, l->before[t + 1], l->begin[t + 1]) : none;
    position_t from = (position_t)l->begin[t] - s->shift, to = last.at + last.length;
    bool apart = last.length > BLOCK || (last.length > 0 && to - from > STAGE);
    bool spread = last.length > spread_from;
    if (carried.length > spread_from)
        blocks_within(s, k0 - 1, span_blocks(carried), begin, begin + TILE, &carry0, &carry1);
    if (spread)
        blocks_within(s, k1 - 1, span_blocks(last), begin, begin + TILE, &last0, &last1);
    else if (apart)
        last1 = span_blocks(last);
    to = apart ? last.at : to;
    bool sound = k0 < k1 && from <= to && to <= s->length && to - from <= STAGE;
    uint carries = carry1 - carry0, windows = (carries + last1 - last0) * PARTS + 1;
    for (uint i = k0 < k1 ? 0 : 1; i < windows; i++) {
        INDEX begins[BOUNDS], ends[BOUNDS];
        uint part = (i - 1) % PARTS, b = (i - 1) / PARTS;
        bool lists = i == 0, carry = b < carries;
        span p = carry ? carried : last;
        window w = {from, sound ? (uint)(to - from) : 0, 0};
        b = carry ? carry0 + b : last0 + b - carries;
        if (lists)
            load_bounds(s, k0 + lid, k1, begins, ends);
        else
            w = block_window(p, b, part);
        uint skip = stage(s, w.from, w.count, l->staged);
        if (lists && lid == 0)
            l->rows = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lists)
            take_lists(s, k0, k1, &w, skip, begins, ends, l);
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
            finish_block(s, (carry ? k0 : k1) - 1, p, b, carry || spread, l);
    }
    if (lid == 0 && (s->how & MOTE_SEGMENTS_SPREADS))
        *long_list = spread ? k1 - 1 : NO_LIST;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void segments_tiles(
    SEGMENTS_PARAMETERS, ulong spread_from, uint tiles)
{
    __local tile_local l;
    segments s = SEGMENTS_ARGUMENTS;
    ulong first = (ulong)get_group_id(0) * tiles, all = (s.total + TILE - 1) / TILE;
    uint own = first < all ? (uint)min(all - first, (ulong)tiles) : 0;
    find_bounds(&s, tiles, &l);
    for (uint t = 0; t < own; t++)
        take_tile(&s, t, (first + t) * TILE, spread_from, long_lists + long_lists_at + first + t,
                  &l);
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
