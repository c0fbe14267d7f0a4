/* SPDX-License-Identifier: Apache-2.0 */
/* Clustering: moves the digis of one event, in any order, by two launches; by_slices.cl needs
 * three. It supports up to MOTE_PIXELS_EVENT_MODULES modules.
 *
 *     event_count    a group counts the digis of each module among its own, and adds that to the
 *                    module's total: what the atomics return is a digi's rank in the module.
 *                    Clears what others add to; invalid digis get their outputs
 *     event_scatter     each group adds up all totals, which says where the segment of every module
 *                    begins. It moves digis there, and lists the segments of some strips
 *
 * The totals are words of call->zeros: they are zero before event_count, and again after
 * by_size.cl. Segments are in the order of modules; the first segment without a key marks the end
 * of the list. As in by_atomics.cl, ranks depend on timing, but results do not. event_scatter
 * reports bad module ids, because event_count still clears the error word.
 *
 * Form: GPU.
 * Defines: WG, ID_T, ADC_T, ORDER_ANY (pixels/input/input.clh), DUPLICATES (of no matter here).
 * Optional: POSITION_KEYS (1: the key of each position is wanted), MOVED_WORDS, X_BITS, Y_BITS
 * (pixels/input/input.clh). */
#include "common/macros.clh"
#include "common/scan.clh"
#include "pixels/group/module_counts.clh"

#define ITEM    4 /* digis of a work-item at a time */
#define MODULES MOTE_PIXELS_EVENT_MODULES

/* Number of digis and of segments before a module, in one word. */
#define PLACE_BITS      20
#define PLACE_BEGIN(w)  ((w) & ((1u << PLACE_BITS) - 1))
#define PLACE_HEAD(w)   ((w) >> PLACE_BITS)
#define PLACE_OF(digis) ((digis) ? (1u << PLACE_BITS) + (digis) : 0)

/* Adds the group's counts to the totals, and keeps the previous totals. */
inline void event_add(mote_pixels_params prm, volatile __global uint *total, __local uint *counted)
{
    for (uint from = get_local_id(0); from < prm.n_modules; from += ITEM * WG) {
        uint digis[ITEM], before[ITEM];
        UNROLLED
        for (uint j = 0; j < ITEM; j++)
            digis[j] = from + j * WG < prm.n_modules ? counted[from + j * WG] : 0;
        UNROLLED
        for (uint j = 0; j < ITEM; j++)
            before[j] = digis[j] ? atomic_add(&total[from + j * WG], digis[j]) : 0;
        UNROLLED
        for (uint j = 0; j < ITEM; j++)
            if (digis[j])
                counted[from + j * WG] = before[j];
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void event_count(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_at,
    const __global uint *events, ulong events_at, const __global uint *n_device, ulong n_device_at,
    volatile __global uint *totals, ulong totals_at, __global ushort *key_of, ulong key_of_at,
    __global uint *rank, ulong rank_at, __global int *cluster_id, ulong cluster_id_at,
    __global ID_T *module_id_out, ulong module_id_out_at, __global uint *position_key,
    ulong position_key_at, __global uint *n_clusters, ulong n_clusters_at, __global uint *large,
    ulong large_at, __global uint *error, ulong error_at)
{
    __local uint counted[MODULES];
    uint lid = get_local_id(0), module[ITEM], before[ITEM];
    digi_input in;
    in.module_id = module_id + module_id_at;
    in.events = events + events_at;
    in.n = input_length(prm, n_device + n_device_at);
    uint first = get_group_id(0) * ITEM * WG, end = min(first + ITEM * WG, in.n);
    UNROLLED
    for (uint j = 0; j < ITEM; j++)
        module[j] = tally_module(&in, prm, first + j * WG + lid, end);
    tally_clear(&in, prm, position_key + position_key_at, n_clusters + n_clusters_at,
                large + large_at, error + error_at);
    for (uint k = lid; k < prm.n_modules; k += WG)
        counted[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLLED
    for (uint j = 0; j < ITEM; j++)
        before[j] = tally_add(counted, module[j]);
    barrier(CLK_LOCAL_MEM_FENCE);
    event_add(prm, totals + totals_at, counted);
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLLED
    for (uint j = 0; j < ITEM; j++) {
        uint p = first + j * WG + lid;
        if (p < end) {
            key_of[2 * key_of_at + p] = (ushort)module[j];
            if (module[j] >= TALLY_BAD)
                tally_invalid(prm, p, cluster_id + cluster_id_at,
                              module_id_out ? module_id_out + module_id_out_at : 0);
            else
                rank[rank_at + p] = before[j] + counted[module[j]];
        }
    }
}

/* The beginnings of the modules' segments, and the modules with a segment in order. */
typedef struct event_segments {
    uint begin[MODULES + 1], scratch[SCAN_SCRATCH_WORDS];
    ushort module[MODULES + 1]; /* ended by prm.n_modules, if any */
} event_segments;

/* Computes the beginnings from the totals; returns the number of segments. */
inline uint event_places(mote_pixels_params prm, const __global uint *total,
                         __local event_segments *l)
{
    uint lid = get_local_id(0), each = scan_each(prm.n_modules) | 1, sum = 0, all;
    uint first = min(lid * each, prm.n_modules), end = min(first + each, prm.n_modules);
    for (uint k = lid; k < prm.n_modules; k += WG)
        l->begin[k] = PLACE_OF(total[k]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = first; k < end; k++)
        sum += l->begin[k];
    uint before = scan_exclusive(sum, l->scratch, &all);
    for (uint k = first; k < end; k++) {
        uint own = l->begin[k];
        l->begin[k] = PLACE_BEGIN(before);
        if (own)
            l->module[PLACE_HEAD(before)] = (ushort)k;
        before += own;
    }
    if (lid == 0) {
        l->begin[prm.n_modules] = PLACE_BEGIN(all);
        l->module[PLACE_HEAD(all)] = (ushort)prm.n_modules;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return PLACE_HEAD(all) + (all ? 1 : 0);
}

/* Returns how many of the segments begin before `at`. */
inline uint event_before(const __local event_segments *l, uint segments, uint at)
{
    uint low = 0, high = segments;
    while (low < high) {
        uint middle = (low + high) / 2;
        if (l->begin[l->module[middle]] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Lists the segments of the group's share of strips. */
inline void event_list(mote_pixels_params prm, const __local event_segments *l, uint segments,
                       __global uint *word, __global uint *start)
{
    uint strips = prm.positions / STRIP;
    for (uint s = get_group_id(0) + get_local_id(0) * get_num_groups(0); s < strips;
         s += get_global_size(0)) {
        uint first = event_before(l, segments, STRIP * s), heads = 0;
        __global uint *head = word + strip_heads(strips, s);
        for (; first + heads < segments; heads++) {
            uint module = l->module[first + heads], begin = l->begin[module];
            if (begin >= STRIP * (s + 1))
                break;
            head[2 * heads] = begin;
            head[2 * heads + 1] = module < prm.n_modules ? module : NONE;
            if (module < prm.n_modules)
                start[module] = begin;
        }
        word[s] = heads;
    }
}

/* Digis that are being moved. */
typedef struct event_digis {
    uint module[ITEM], rank[ITEM], x[ITEM], y[ITEM], charge[ITEM];
} event_digis;

typedef struct event_input {
    const __global ushort *x, *y;
    const __global ADC_T *adc;
    const __global ushort *module_of;
    const __global uint *rank;
    uint n;
} event_input;

/* Loads a work-item's digis, the first at `from`. */
inline void event_load(const event_input *in, uint from, event_digis *d)
{
    UNROLLED
    for (uint j = 0; j < ITEM; j++) {
        uint p = from + j * (uint)get_global_size(0);
        bool has = p < in->n;
        p = has ? p : 0;
        d->module[j] = has ? in->module_of[p] : TALLY_INVALID;
        d->rank[j] = in->rank[p];
        d->x[j] = in->x[p];
        d->y[j] = in->y[p];
        d->charge[j] = in->adc ? (uint)in->adc[p] : 0;
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void event_scatter(
    mote_pixels_params prm, const __global ushort *x, ulong x_at, const __global ushort *y,
    ulong y_at, const __global ADC_T *adc, ulong adc_at, const __global uint *n_device,
    ulong n_device_at, const __global uint *totals, ulong totals_at, const __global ushort *key_of,
    ulong key_of_at, const __global uint *rank, ulong rank_at, __global uint *start, ulong start_at,
    __global MOVED_T *record, ulong record_at, __global uint *position_key, ulong position_key_at,
    __global uint *strips, ulong strips_at, volatile __global uint *error, ulong error_at)
{
    __local event_segments l;
    event_digis d;
    event_input in = {x + x_at,
                      y + y_at,
                      adc ? adc + adc_at : 0,
                      key_of + 2 * key_of_at,
                      rank + rank_at,
                      input_length(prm, n_device + n_device_at)};
    error = prm.flags & MOTE_PIXELS_HAS_ERROR ? error + error_at : 0;
    record += record_at / MOVED_WORDS;
    uint from = get_global_id(0);
    /* The first digis are loaded while the beginnings are computed. */
    if (from < in.n)
        event_load(&in, from, &d);
    uint segments = event_places(prm, totals + totals_at, &l);
    event_list(prm, &l, segments, strips + strips_at, start + start_at);
    while (from < in.n) {
        UNROLLED
        for (uint j = 0; j < ITEM; j++) {
            uint p = from + j * (uint)get_global_size(0), module = d.module[j];
            uint at = module < prm.n_modules ? l.begin[module] + d.rank[j] : NONE;
            if (at < prm.positions) {
                record[at] = moved_make(prm, d.x[j], d.y[j], d.charge[j], p);
                if (POSITION_KEYS)
                    position_key[position_key_at + at] = module;
            } else if (module == TALLY_BAD) {
                error_report(error, MOTE_SLOT_MODULE, p);
            }
        }
        from += ITEM * get_global_size(0);
        if (from < in.n)
            event_load(&in, from, &d);
    }
}
