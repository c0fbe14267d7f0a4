/* SPDX-License-Identifier: Apache-2.0 */
/* Labels the marked modules again, on the closing of their fired pixels. This is the last launch
 * that labels: the other launches also label these modules, as if they were not marked.
 *
 * A work-group processes tiles of positions. It reads the ids of a tile first, and opens the tile
 * only if one of the modules is marked. With MORPH_LOCAL, modules that fit are processed in local
 * memory (morph_local.clh). For the others, each work-group has one image of image_tiles tiles in
 * `images` (morph.clh).
 *
 * Form: GPU.
 * Defines: WG, TILE (positions, a power of two), ARENA_WORDS (twice the words of local memory for
 * the top level), LEVELS (of the bit tree, 2 to 5), DUPLICATES (mote_pixels_duplicates), ADC_WIDE
 * (1: charges of a pack can pass 32 bits), CHARGE_CUT (1: there is one), DEVICE_GPU (0: a CPU runs
 * this), ID_T, ADC_T, ORDER_ANY (pixels/input/input.clh), MORPH_LOCAL.
 * Optional: REGISTERS (an option limits them), MASKED, CALIBRATED (pixels/input/decode.clh),
 * MOVED_WORDS, X_BITS, Y_BITS (pixels/input/input.clh). */
#define STRATEGY_HISTOGRAM 0
#define MORPHED            1
#define POSITION_KEYS      1
#include "common/width.clh"
#include "pixels/input/arguments.clh"
#include "pixels/label/group.clh"

/* Local memory of a module, which shares it with a tile and a list. */
#if MORPH_LOCAL
#define MORPH_WORDS (ARENA_WORDS / 4 * 3)
#include "pixels/label/morph_local.clh"
#else
#define MORPH_WORDS (ARENA_WORDS / 2)
#endif

/* The marked modules of a tile. Work-items read their number only here, because another thread may
 * change the caller's flags. */
typedef struct morph_list {
    uint count;
    ushort segment[TILE];
} morph_list;

/* Returns `count` of the list. All work-items read it before it changes again. */
inline uint morph_listed(const __local morph_list *list)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    uint count = list->count;
    barrier(CLK_LOCAL_MEM_FENCE);
    return count;
}

/* Returns 1 if a digi of the tile belongs to a marked module, else 0. */
inline uint morph_finds(uint tile, const digi_input *in, mote_pixels_params prm,
                        const __global uchar *morph, __local morph_list *list)
{
    uint begin = tile * TILE, end = min(begin + TILE, in->positions);
    if (get_local_id(0) == 0)
        list->count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint p = begin + get_local_id(0); p < end; p += WG) {
        uint key = input_key(in, prm, p, 0, 0);
        if (key != NONE && morph[key % prm.n_modules])
            atomic_or(&list->count, 1u);
    }
    return morph_listed(list);
}

/* Lists the marked modules that begin in an open tile, and returns their number. */
inline uint morph_collect(const __local tile_local *t, const tile_range *r, mote_pixels_params prm,
                          const __global uchar *morph, __local morph_list *list)
{
    if (get_local_id(0) == 0)
        list->count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_id(0); s < r->segments; s += WG)
        if (morph[t->key[s] % prm.n_modules])
            list->segment[atomic_inc(&list->count)] = (ushort)s;
    return morph_listed(list);
}

__kernel NARROW __attribute__((reqd_work_group_size(WG, 1, 1))) void cluster_morphed(
    CLUSTER_ARGUMENTS, const __global uchar *morph, ulong morph_at, __global uint *images,
    ulong images_at, uint image_tiles, uint dilation, uint erosion)
{
    __local tile_local t;
    __local uint first[2];
    __local uint count[PACK_COUNTS];
    __local uint scan[SCAN_SCRATCH_WORDS];
    __local uint flags[3];
    __local uint key[1];
    __local uint arena[MORPH_WORDS];
    __local morph_list list;
    CLUSTER_BIND;
    morph += morph_at;
    pack k;
    k.segment = 0;
    k.segments = 1;
    k.scan = scan;
    k.count = count;
    k.first = first;
    k.flags = flags;
    k.key = key;
    k.tile = 0;
    k.wiped = false;
    morph_open(&k.image, images + images_at, image_tiles, prm.rows, dilation, erosion);
    uint tiles = (in.positions + TILE - 1) / TILE;
    for (uint tile = get_group_id(0); tile < tiles; tile += get_num_groups(0)) {
        uint found = morph_finds(tile, &in, prm, morph, &list);
        for (uint turn = 0; turn < found; turn++) {
            tile_range r = tile_open(tile, &t, &in, prm, out.cluster_id, out.error);
            uint marked = morph_collect(&t, &r, prm, morph, &list);
            for (uint i = 0; i < marked; i++) {
                uint s = list.segment[i];
                k.begin = r.begin + t.head_at[s];
                k.end = s + 1 < r.segments ? r.begin + t.head_at[s + 1] : r.stop;
                if (get_local_id(0) == 0)
                    key[0] = t.key[s];
                barrier(CLK_LOCAL_MEM_FENCE);
#if MORPH_LOCAL
                morph_pack(&k, &in, prm, &out, arena, MORPH_WORDS);
#else
                group_spilled(&k, &in, prm, &out, arena);
#endif
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            }
        }
    }
}
