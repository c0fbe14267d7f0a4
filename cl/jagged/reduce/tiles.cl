/* SPDX-License-Identifier: Apache-2.0 */
/* One result for each list, for GPUs.
 *
 * A tile is a share of TILE coordinates. One group reduces the lists that belong to a tile: one
 * work-item reduces each list of up to 32 elements, and longer lists are reduced in chunks. A list
 * of more than a block is reduced block by block; if it is longer than spread_from, every tile
 * reduces the blocks whose coordinates it has, and reduce_join combines them. After
 * reduce_staged, only the lists that it skipped are reduced; if it has noted all of them, tiles
 * are not searched.
 *
 * Form: GPU.
 * Defines: WG (a multiple of 8), TILE, DEEP, SERIAL_DEEP (reads that a work-item has under way),
 * INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh), REDUCE, VALUE, VALUE_BOOL,
 * VALUE_FLOAT, RESULT, LEAST, MOST, WIDE, SKIP_NAN (jagged/reduce/accumulate.clh).
 * Optional: VALUE_HALF (common/stored.clh). */
#include "common/width.clh"
#include "jagged/reduce/longs.clh"
#include "jagged/reduce/interpolate.clh"

/* Number of lists whose offsets a work-item reads at once. */
#if FEW_REGISTERS
#define BOUNDS 1
#else
#define BOUNDS 4
#endif

/* Searches for the first list of each of the group's tiles and of the tile after them, if the bound
 * is NEAR_NONE. All searches run at the same time: `lanes` work-items read for each. The first read
 * that is not below the target is used, so that every list belongs to one tile, whatever the
 * offsets are. */
inline void search_bounds(const reduction *s, uint tiles, __local tile_local *l)
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
    if (active && lane == 0 && l->bound[bound] == NEAR_NONE)
        l->bound[bound] = lo;
    barrier(CLK_LOCAL_MEM_FENCE);
}

inline void find_bounds(const reduction *s, uint tiles, __local tile_local *l)
{
    uint lid = get_local_id(0);
    bool found = false;
    if (tiles == 1) {
        found = near_bounds(s, l);
        MOTE_RECONVERGE();
    } else if (lid <= tiles) {
        l->bound[lid] = NEAR_NONE;
    }
    if (!found) {
        search_bounds(s, tiles, l);
        MOTE_RECONVERGE();
    }
    if (lid <= tiles) {
        uint k = l->bound[lid];
        l->begin[lid] = s->offsets[k];
        l->before[lid] = s->offsets[max(k, 1u) - 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Returns whether list k still has to be processed. */
inline bool is_left(const reduction *s, uint k, position_t length)
{
    return !(s->how & MOTE_JAGGED_REDUCE_LEFT) || length >= s->left[(k + s->lead) / s->left_lists];
}

/* Reduces a list, or records its chunks in the rows of this turn. `from`: the first value of the
 * tile. */
inline void take_list(const reduction *s, uint k, span p, position_t from, uint turn,
                      __local tile_local *l)
{
    uint length = (uint)p.length;
    if (!is_left(s, k, length))
        return;
    if (length <= MOTE_JAGGED_REDUCE_SERIAL)
        acc_store(s->result, k, serial_reduce(s->values + p.at, length, s->how), length, s->how);
    else
        rows_note(k, (uint)(p.at - from), length, &l->count[turn], &l->rows);
}

/* Processes list k if it is within the `count` values from `from` on. */
inline void take_one(const reduction *s, uint k, INDEX begin, INDEX end, position_t from,
                     uint count, uint turn, __local tile_local *l)
{
    span p;
    span_set(&p, s, begin, end);
    bool inside = p.length <= count && p.at - from <= count - p.length;
    check(s, k, begin, end);
    if (inside || p.length == 0)
        take_list(s, k, p, from, turn, l);
}

/* Loads the offsets of the work-item's next lists; 0 for lists that do not exist. */
inline void load_bounds(const reduction *s, uint k, uint end, INDEX *begins, INDEX *ends)
{
    UNROLLED
    for (uint u = 0; u < BOUNDS; u++) {
        bool inside = k + u * WG < end;
        begins[u] = inside ? s->offsets[k + u * WG] : 0;
        ends[u] = inside ? s->offsets[k + u * WG + 1] : 0;
    }
}

/* Processes those of the lists k0 .. k1 - 1 that are within the `count` values from `from` on. */
inline void take_lists(const reduction *s, uint k0, uint k1, position_t from, uint count, uint turn,
                       __local tile_local *l)
{
    INDEX begins[BOUNDS], ends[BOUNDS];
    for (uint first = k0 + get_local_id(0); first < k1; first += BOUNDS * WG) {
        load_bounds(s, first, k1, begins, ends);
        UNROLLED
        for (uint u = 0; u < BOUNDS; u++)
            if (first + u * WG < k1)
                take_one(s, first + u * WG, begins[u], ends[u], from, count, turn, l);
    }
}

/* A tile. Only the last list of a tile can be longer than a block: it is reduced by blocks. The
 * list before the tile is, too, if it is spread, as far as it is in the tile. */
typedef struct tile {
    uint k0, k1;     /* its lists: k0 .. k1 - 1 */
    position_t from; /* the values of all lists except one reduced by blocks, and their number */
    uint count;
    span carried, last;
    uint carried_block,
        carried_blocks;           /* list before the tile: its first block here, number of blocks */
    uint last_block, last_blocks; /* blocks of the last list */
    bool spread;                  /* the last list is spread */
} tile;

inline void tile_make(tile *x, const reduction *s, uint t, ulong begin, ulong spread_from,
                      __local tile_local *l)
{
    uint end = 0;
    x->k0 = l->bound[t];
    x->k1 = l->bound[t + 1];
    span_set(&x->carried, s, l->before[t], x->k0 > 0 ? l->begin[t] : l->before[t]);
    span_set(&x->last, s, l->before[t + 1], x->k0 < x->k1 ? l->begin[t + 1] : l->before[t + 1]);
    x->from = (position_t)l->begin[t] - s->shift;
    bool apart = x->last.length > BLOCK;
    position_t to = apart ? x->last.at : x->last.at + x->last.length;
    bool sound = x->k0 < x->k1 && x->from <= to && to <= s->length && to - x->from <= TILE + BLOCK;
    x->count = sound ? (uint)(to - x->from) : 0;
    x->spread = x->last.length > spread_from;
    x->carried_block = x->last_block = 0;
    if (x->carried.length > spread_from)
        blocks_within(s, x->k0 - 1, span_blocks(x->carried), begin, begin + TILE, &x->carried_block,
                      &end);
    x->carried_blocks = end - x->carried_block;
    end = apart ? span_blocks(x->last) : 0;
    if (x->spread)
        blocks_within(s, x->k1 - 1, end, begin, begin + TILE, &x->last_block, &end);
    x->last_blocks = end - x->last_block;
}

/* Returns whether reduce_staged has skipped any list of a tile. */
inline bool tile_has_left(const reduction *s, const tile *x)
{
    bool some = false;
    if (x->k0 < x->k1)
        for (uint at = (x->k0 + s->lead) / s->left_lists;
             at <= (x->k1 - 1 + s->lead) / s->left_lists; at++)
            some = some || s->left[at] != MOTE_JAGGED_REDUCE_NONE_LEFT;
    return some;
}

/* Reduces the lists of a tile, except for one that is reduced by blocks. `rows` of the turn keeps
 * its value until the turn after next, so that every work-item may read it again. */
inline void tile_lists(const reduction *s, const tile *x, uint turn, __local tile_local *l)
{
    if (get_local_id(0) == 0)
        l->count[turn] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!(s->how & MOTE_JAGGED_REDUCE_LEFT) || tile_has_left(s, x))
        take_lists(s, x->k0, x->k1, x->from, x->count, turn, l);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint rows = min(l->count[turn], (uint)ROWS);
    rows_reduce(s->values + x->from, rows, s->how, &l->rows);
    barrier(CLK_LOCAL_MEM_FENCE);
    rows_finish(s, rows, &l->rows);
}

/* Block i of a tile: blocks of the list before the tile come first, then blocks of its last
 * list. */
inline void tile_block(block *y, const tile *x, uint i)
{
    bool carried = i < x->carried_blocks;
    y->p = carried ? x->carried : x->last;
    y->k = (carried ? x->k0 : x->k1) - 1;
    y->b = carried ? x->carried_block + i : x->last_block + i - x->carried_blocks;
    y->spread = carried || x->spread;
}

/* Processes the tiles of a group. */
inline void take_tiles(const reduction *s, ulong spread_from, uint tiles, __global uint *long_lists,
                       __local tile_local *l)
{
    ulong first = (ulong)get_group_id(0) * tiles, all = (s->total + TILE - 1) / TILE;
    uint own = first < all ? (uint)min(all - first, (ulong)tiles) : 0;
    parts_way w;
    way_begin(&w);
    find_bounds(s, tiles, l);
    for (uint t = 0; t < own; t++) {
        tile x;
        tile_make(&x, s, t, (first + t) * TILE, spread_from, l);
        uint blocks = x.carried_blocks + x.last_blocks;
        if (x.k0 < x.k1) {
            tile_lists(s, &x, t & 1, l);
            MOTE_RECONVERGE();
        }
        for (uint i = 0; i < blocks; i++) {
            block y;
            tile_block(&y, &x, i);
            way_take(s, &y, &w, l->values, &l->rows, l->block);
        }
        if (get_local_id(0) == 0 && (s->how & MOTE_JAGGED_REDUCE_SPREADS))
            long_lists[first + t] = x.spread ? x.k1 - 1 : NO_LIST;
    }
    way_end(s, &w, l->values, &l->rows, l->block);
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void reduce_tiles(
    REDUCE_PARAMETERS, const __global uint *restrict left, ulong left_at, uint left_lists,
    ulong spread_from, uint tiles, uint groups)
{
    __local tile_local l;
    reduction s;
    reduction_make(&s, REDUCE_ARGUMENTS);
    s.left = left + left_at + MOTE_JAGGED_REDUCE_GROUPS;
    s.left_lists = left_lists;
    if (!all_noted(how, left + left_at))
        take_tiles(&s, spread_from, tiles, long_lists + long_lists_at, &l);
    else
        take_noted(&s, left + left_at, min(groups, (uint)get_num_groups(0)), &l);
}
