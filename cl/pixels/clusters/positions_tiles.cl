/* SPDX-License-Identifier: Apache-2.0 */
/* Positions of clusters from labels, GPU form: a group sorts the digis of neighbouring modules by
 * cluster in local memory; then a work-item adds up each cluster and computes its position.
 *
 * A group processes the modules that begin among SPAN positions, and reads DIGIS positions. The
 * module of a digi is found in the list of module beginnings, which clustering has stored. A module
 * that ends after these positions is processed last, separately: its clusters are summed by atomics
 * in local memory, in several rounds if there are many.
 *
 * Form: GPU.
 * Defines: WG, COPIES (1: copies of a pixel count as the policy SUM or MAX says), WIDE_CHARGES (1:
 * of more than 16 bits), FEW_SLOTS (1: groups find where modules' clusters begin), ID_T, ADC_T,
 * ORDER_ANY (pixels/input/input.clh).
 * Optional: REGISTERS (an option limits them), MOVED_WORDS, X_BITS, Y_BITS
 * (pixels/input/input.clh), CALIBRATED (pixels/input/decode.clh). */
#define WORDS_SPACE __local
#include "pixels/clusters/positions_long.clh"
#include "common/width.clh"

#if FEW_SLOTS
/* Finds where the clusters of each module of each event begin, in the memory that the tile uses
 * later, and returns the number of all clusters. Each group computes the beginnings itself, which
 * takes less time than a launch if there are few modules. The first group writes the beginnings to
 * `out`. */
inline uint tile_starts(const tile *t, mote_pixels_params prm, tile_digis *d, __local uint *scratch,
                        __global uint *out)
{
    __local uint *start = (__local uint *)t->m;
    uint slots = prm.n_events * prm.n_modules, each = scan_each(slots), lid = get_local_id(0);
    uint begin = min(each * lid, slots), end = min(begin + each, slots), mine = 0, total;
    uint count[MOTE_PIXELS_SLOTS_EACH];
    UNROLLED for (uint j = 0; j < MOTE_PIXELS_SLOTS_EACH; j++) count[j] =
        t->n_clusters[min(j * WG + lid, slots - 1)];
    UNROLLED for (uint j = 0; j < MOTE_PIXELS_SLOTS_EACH; j++) start[j * WG + lid] = count[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = begin; k < end; k++)
        mine += start[k];
    uint before = scan_exclusive(mine, scratch, &total);
    for (uint k = begin; k < end; k++) {
        uint here = start[k];
        start[k] = before;
        before += here;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLLED for (uint j = 0; j < ITEMS; j++) d->first[j] =
        d->key[j] != NONE ? start[d->key[j]] : 0;
    if (get_group_id(0) == 0)
        for (uint k = lid; k <= slots; k += WG)
            out[k] = k < slots ? start[k] : total;
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
}
#endif

/* Processes a group that has positions; returns the number of all clusters. */
inline uint tile_run(tile *t, mote_pixels_params prm, const position_output *out, uint capacity,
                     __local uint *scratch, __global uint *starts)
{
    tile_digis d;
    uint cluster[ITEMS], rank[ITEMS], last = min(t->bound - t->begin, (uint)DIGIS) - 1, total;
    t->low = t->high = 0;
    if (!ORDER_ANY && prm.n_events > 1) {
        t->low = event_of(t->in->events, t->begin, 0, prm.n_events - 1);
        t->high = event_of(t->in->events, t->begin + last, t->low, prm.n_events - 1);
    }
#if FEW_SLOTS
    tile_load(t, prm, &d);
    total = tile_starts(t, prm, &d, scratch, starts);
    tile_begin(t);
#else
    total = t->cluster_start[prm.n_events * prm.n_modules];
    tile_begin(t);
    tile_load(t, prm, &d);
#endif
    uint apart = tile_find_long(t, &d);
    tile_count(t, &d, apart, cluster, rank);
    tile_scan(t, scratch);
    tile_place(t, prm, &d, cluster, rank);
    tile_form(t, prm, out, capacity);
    if (apart != NONE)
        long_form(t, prm, out, apart, capacity);
    return total;
}

__kernel NARROW REQUIRED_SIZE void positions_tiles(
    SUMS_ARGUMENTS, const __global uint *n_clusters, ulong n_clusters_at, __global uint *starts,
    ulong starts_at, const __global uint *begins, ulong begins_at, const __global uint *key_of,
    ulong key_of_at, const __global MOVED_T *record, ulong record_at, POSITIONS_GEOMETRY,
    POSITIONS_OUTPUTS, volatile __global uint *error, ulong error_at DECODE_ARGUMENTS)
{
    __local tile_memory memory;
    __local tile_marks marks;
    __local uint scratch[SCAN_SCRATCH_WORDS];
    SUMS_BIND;
    digi_input in;
    in.module_id = module_id;
    in.x = x;
    in.y = y;
    in.adc = adc;
    in.events = events;
    in.key_of = key_of + key_of_at;
    in.record = record + record_at / MOVED_WORDS;
    in.n = n;
    in.positions = ORDER_ANY ? prm.positions : n;
    in.last = prm.n - 1;
    DECODE_BIND(in.decode);
    position_output out;
    POSITIONS_BIND(out);
    tile t;
    t.in = &in;
    t.cluster_id = cluster_id;
    t.begins = begins + begins_at;
    t.n_clusters = n_clusters + n_clusters_at;
    t.cluster_start = cluster_start;
    t.counted = counted;
    t.value = value;
    t.begin = get_group_id(0) * SPAN;
    t.bound = in.positions;
    t.options = options;
    t.m = &memory;
    t.marks = &marks;
    if (t.begin < t.bound) {
        uint total = tile_run(&t, prm, &out, capacity, scratch, starts + starts_at);
        if (get_global_id(0) == 0 && total > capacity && (prm.flags & MOTE_PIXELS_HAS_ERROR))
            error_report(error + error_at, MOTE_SLOT_CAPACITY, total);
        MOTE_RECONVERGE();
    } else if (FEW_SLOTS && get_group_id(0) == 0) {
        for (uint k = get_local_id(0); k <= prm.n_events * prm.n_modules; k += WG)
            starts[starts_at + k] = 0; /* n_device is 0: there are no digis */
    }
}
