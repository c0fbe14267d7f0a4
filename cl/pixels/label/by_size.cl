/* SPDX-License-Identifier: Apache-2.0 */
/* Clustering by one of two paths, chosen by the size of a module: bands sort the digis of small
 * modules in registers, and groups process one large module at a time by the bit tree. It runs
 * after heads.cl, by_atomics.cl or one_event.cl, which list where modules begin. It supports only
 * the policy DROP and 16-bit charges.
 *
 * If bands need no barriers of the group, both paths are one launch, large modules first, because
 * they take longest. Otherwise each path is a separate launch, and a group of small modules is one
 * band.
 *
 * Form: GPU.
 * Defines: WG (32 without large modules), TILE (positions of a tile), ARENA_WORDS (of local memory
 * for a pack), LEVELS (of the bit tree: 2), DUPLICATES (mote_pixels_duplicates), ADC_WIDE (1:
 * charges of a pack can pass 32 bits), CHARGE_CUT (1: there is one), DEVICE_GPU (0: a CPU runs
 * this), SMALL_MODULES, LARGE_MODULES (1: this launch processes them), X_BITS, Y_BITS (of
 * coordinates, pixels/label/small.clh), LARGE_STRIPS (strips a group looks at), STRIP_BANDS (bands
 * that share a strip), ID_T, ADC_T, ORDER_ANY (pixels/input/input.clh). Optional: REGISTERS (an
 * option limits them), MASKED, CALIBRATED (pixels/input/decode.clh). */
#define STRATEGY_HISTOGRAM 0
#define POSITION_KEYS      0
#include "common/band.clh"
/* Small groups are used for many digis. With many groups, execution is limited by instruction
 * fetches, because the unit's cache does not hold the code of both paths. Short code is then faster
 * than the fewest steps. */
#define COMPACT (!BAND_IN_LOCAL && SMALL_MODULES && LARGE_MODULES && WG <= 256)
#include "pixels/group/strip.clh"
/* A path that a launch does not use is not compiled, because compiling takes most of a build's
 * time. */
#if SMALL_MODULES
#include "pixels/label/small.clh"
#define BANDS       (WG / BAND)
#define SMALL_WORDS (BANDS * (uint)(sizeof(small_memory) / sizeof(uint)))
#else
#define SMALL_WORDS 1
#endif
#if LARGE_MODULES
#include "pixels/label/large.clh"
#define LARGE_WORDS ARENA_WORDS
#define WIDTH       NARROW
#else
#define LARGE_WORDS 1
#define WIDTH       BAND_KERNEL /* a group is a band */
#endif

/* Zeroes the totals of one_event.cl for the next call. */
inline void by_size_clear(mote_pixels_params prm, __global uint *total)
{
    for (uint k = get_global_id(0); k < prm.n_modules; k += get_global_size(0))
        total[k] = 0;
}

__kernel WIDTH REQUIRED_SIZE void cluster(CLUSTER_ARGUMENTS)
{
    __local uint memory[SMALL_WORDS > LARGE_WORDS ? SMALL_WORDS : LARGE_WORDS];
    CLUSTER_BIND;
    input_check_events(&in, prm, out.error);
    if (ORDER_ANY && owner)
        by_size_clear(prm, out.owner);
    strip_list l = strip_list_of(strips + strips_at, prm.positions);
    uint group = get_group_id(0);
#if LARGE_MODULES
    __local uint first[2];
    __local uint count[PACK_COUNTS];
    __local uint scan[SCAN_SCRATCH_WORDS];
    __local uint flags[3];
    __local large_list list;
    const uint large_groups = (l.strips + LARGE_STRIPS - 1) / LARGE_STRIPS;
    if (group < large_groups) {
        pack k;
        k.scan = scan;
        k.count = count;
        k.first = first;
        k.flags = flags;
        k.tile = 0;
        large_modules(group, &l, &in, prm, &out, &list, &k, memory);
    }
#else
    const uint large_groups = 0;
#endif
#if SMALL_MODULES
    if (group >= large_groups) {
        uint band = get_local_id(0) / BAND, each = (group - large_groups) * BANDS + band;
        uint strip = each / STRIP_BANDS;
        __local small_memory *m = (__local small_memory *)memory + band;
        if (strip < l.strips)
            small_modules(strip, each % STRIP_BANDS, &l, &in, prm, &out, m, band_lane());
    }
#endif
}
