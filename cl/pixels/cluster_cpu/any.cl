/* SPDX-License-Identifier: Apache-2.0 */
/* Clustering digis in any order, on a CPU. Where there are many events a work-item does whole
 * events, in one launch (any_events). Where there are few, slices of events are counted
 * (any_count) and sorted (any_place), modules are clustered (any_cluster) and labels taken back
 * (any_finish). Any number of work-items, work-groups of one; work is taken from a shared counter,
 * as in cluster.cl.
 *
 * Scratch: `memory` as item.clh tells; `rows` of counters (group.clh), one a work-item for
 * any_events, else two a slice; `record`, `place` and `sorted`, own_digis elements for each
 * work-item, for events that fit and stay in the cache, and behind them one for each digi.
 *
 * Form: CPU.
 * Defines: DUPLICATES (mote_pixels_duplicates), CHARGE_CUT (1: there is one), ID_T, ADC_T,
 * ORDER_ANY (1; pixels/cluster_cpu/input.clh).
 * Optional: POSITIONS, SUMS_WIDE (pixels/cluster_cpu/input.clh), MASKED, CALIBRATED
 * (pixels/decode.clh). */
#include "pixels/cluster_cpu/group.clh"

/* The kernels take the same arguments, so that the host sets them in one way. */
#define ANY_ARGUMENTS                                                                              \
    mote_pixels_params prm, uint item_words, uint own_digis, uint slices, uint tile_size,          \
        const __global ID_T *module_id, ulong module_id_at, const __global ushort *x, ulong x_at,  \
        const __global ushort *y, ulong y_at, const __global ADC_T *adc, ulong adc_at,             \
        const __global uint *cuts, ulong cuts_at, __global int *cluster_id, ulong cluster_id_at,   \
        __global ID_T *module_id_out, ulong module_id_out_at, __global uint *n_clusters,           \
        ulong n_clusters_at, __global uint *copies, ulong copies_at, const __global uint *events,  \
        ulong events_at, volatile __global uint *counters, ulong counters_at,                      \
        __global uint *memory, ulong memory_at, __global uint *rows, ulong rows_at,                \
        __global ulong *record, ulong record_at, __global uint *place, ulong place_at,             \
        __global int *sorted, ulong sorted_at, volatile __global uint *error,                      \
        ulong error_at CPU_SUMS_ARGUMENTS DECODE_ARGUMENTS

#define ANY_BIND                                                                                   \
    cpu_digis digis;                                                                               \
    digis.module_id = module_id + module_id_at;                                                    \
    digis.x = x + x_at;                                                                            \
    digis.y = y + y_at;                                                                            \
    digis.adc = adc ? adc + adc_at : 0;                                                            \
    digis.cluster_id = cluster_id + cluster_id_at;                                                 \
    digis.module_id_out = module_id_out ? module_id_out + module_id_out_at : 0;                    \
    digis.counted = copies ? copies + copies_at + prm.n : 0;                                       \
    digis.value = copies && DUPLICATES == DUPLICATES_MAX ? digis.counted + 2 * (ulong)prm.n : 0;   \
    DECODE_BIND(digis.decode);                                                                     \
    cpu_groups all;                                                                                \
    all.record = record + record_at + (ulong)get_global_size(0) * own_digis;                       \
    all.place = place + place_at + (ulong)get_global_size(0) * own_digis;                          \
    all.cluster_id = sorted + sorted_at + (ulong)get_global_size(0) * own_digis;                   \
    all.counted = copies ? copies + copies_at : 0;                                                 \
    all.value = digis.value ? all.counted + 2 * (ulong)prm.n : 0;                                  \
    uint row_words = cpu_row_words(prm.n_modules);                                                 \
    rows += rows_at;                                                                               \
    events += events_at;                                                                           \
    counters += counters_at;                                                                       \
    n_clusters += n_clusters_at;                                                                   \
    cuts += cuts_at;                                                                               \
    volatile __global uint *report = prm.flags & MOTE_PIXELS_HAS_ERROR ? error + error_at : 0

/* Memory for the groups of the event that begins with digi `begin`. */
inline void event_groups(cpu_groups *g, uint begin, bool own, uint own_digis)
{
    ulong back = (ulong)(get_global_size(0) - get_global_id(0)) * own_digis;
    g->record = own ? g->record - back : g->record + begin;
    g->place = own ? g->place - back : g->place + begin;
    g->cluster_id = own ? g->cluster_id - back : g->cluster_id + begin;
    if (g->counted)
        g->counted += begin;
    if (g->value)
        g->value += begin;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void any_events(ANY_ARGUMENTS)
{
    ANY_BIND;
    __global uint *row = rows + (ulong)get_global_id(0) * row_words;
    uint event = cpu_next(counters);
    cpu_item it;
    if (event < prm.n_events)
        cpu_item_open(&it, prm, memory + memory_at, item_words);
    for (; event < prm.n_events; event = cpu_next(counters)) {
        uint begin = events[event], end = events[event + 1], before = 0, first = 0;
        if (begin == end)
            continue;
        cpu_groups groups = all;
        event_groups(&groups, begin, end - begin <= own_digis, own_digis);
        cpu_input in;
        cpu_input_open(&in, &digis, &groups, begin, end - begin, n_clusters, cuts, report);
        CPU_SUMS_BIND(in, counters + CPU_FORMED_COUNTER * CPU_COUNTER_WORDS);
        cpu_count(&digis, prm, begin, end, row, report);
        for (uint m = 0; m <= prm.n_modules; m++) {
            uint count = row[m];
            row[m] = before;
            before += count;
        }
        cpu_scatter(&digis, &groups, prm, begin, begin, end, row, report);
        for (uint m = 0; m <= prm.n_modules; m++) {
            cpu_cluster_group(&it, &in, prm, event, m, first, row[m]);
            first = row[m];
        }
        cpu_take_back(&digis, &groups, prm, begin, begin, end);
    }
}

/* The digis [begin, end) of slice s; returns its event. `slices` to an event. */
CPU_INLINE uint slice_of(const __global uint *events, uint slices, uint s, uint *begin, uint *end)
{
    uint event = s / slices, first = events[event], digis = events[event + 1] - first;
    *begin = first + (uint)((ulong)digis * (s % slices) / slices);
    *end = first + (uint)((ulong)digis * (s % slices + 1) / slices);
    return event;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void any_count(ANY_ARGUMENTS)
{
    ANY_BIND;
    uint begin, end;
    for (uint s = cpu_next(counters); s < slices * prm.n_events; s = cpu_next(counters)) {
        slice_of(events, slices, s, &begin, &end);
        cpu_count(&digis, prm, begin, end, rows + (ulong)s * row_words, report);
    }
}

/* Where the digis of each module begin that slice `slice` of an event has: `row`. `counts`: the
 * rows of all slices of the event, which begins with digi `first`. */
CPU_INLINE void slice_starts(const __global uint *counts, uint row_words, uint slices, uint slice,
                             uint first, __global uint *row)
{
    for (uint m = 0; m < row_words; m += 16) {
        uint16 total = (uint16)(0), earlier = (uint16)(0);
        for (uint k = 0; k < slices; k++) {
            if (k == slice)
                earlier = total;
            total += vload16(0, counts + (ulong)k * row_words + m);
        }
        uint sums[16];
        vstore16(earlier, 0, row + m);
        vstore16(total, 0, sums);
        for (uint k = 0; k < 16; k++) {
            row[m + k] += first;
            first += sums[k];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void any_place(ANY_ARGUMENTS)
{
    ANY_BIND;
    uint begin, end;
    counters += CPU_COUNTER_WORDS;
    for (uint s = cpu_next(counters); s < slices * prm.n_events; s = cpu_next(counters)) {
        uint event = slice_of(events, slices, s, &begin, &end);
        __global uint *row = rows + ((ulong)slices * prm.n_events + s) * row_words;
        slice_starts(rows + (ulong)event * slices * row_words, row_words, slices, s % slices,
                     events[event], row);
        cpu_scatter(&digis, &all, prm, 0, begin, end, row, report);
    }
}

/* The first module whose digis begin at position p or later; ends[m]: where module m's end. */
CPU_INLINE uint module_from(const __global uint *ends, uint n_modules, uint first, uint p)
{
    uint low = 0, high = n_modules + 1;
    while (low < high) {
        uint middle = low + (high - low) / 2, begin = middle ? ends[middle - 1] : first;
        if (begin < p)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Clusters the modules of an event whose digis begin at positions [begin, end). */
CPU_INLINE void cluster_part(const cpu_item *it, const cpu_input *in, mote_pixels_params prm,
                             const __global uint *events, const __global uint *ends, uint event,
                             uint begin, uint end)
{
    uint m = module_from(ends, prm.n_modules, events[event], begin);
    uint at = m ? ends[m - 1] : events[event];
    for (; m <= prm.n_modules && at < end; m++) {
        cpu_cluster_group(it, in, prm, event, m, at, ends[m]);
        at = ends[m];
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void any_cluster(ANY_ARGUMENTS)
{
    ANY_BIND;
    counters += 2 * CPU_COUNTER_WORDS;
    uint n = events[prm.n_events], tiles = n / tile_size + (n % tile_size != 0);
    uint tile = cpu_next(counters);
    cpu_input in;
    cpu_input_open(&in, &digis, &all, 0, n, n_clusters, cuts, report);
    CPU_SUMS_BIND(in, counters + (CPU_FORMED_COUNTER - 2) * CPU_COUNTER_WORDS);
    cpu_item it;
    if (tile < tiles)
        cpu_item_open(&it, prm, memory + memory_at, item_words);
    for (; tile < tiles; tile = cpu_next(counters)) {
        uint p = tile * tile_size, end = min(p + tile_size, n);
        for (uint event = cpu_event_of(events, prm.n_events, p); p < end; event++) {
            ulong last = ((ulong)prm.n_events + event + 1) * slices - 1;
            uint part_end = min(end, events[event + 1]);
            cluster_part(&it, &in, prm, events, rows + last * row_words, event, p, part_end);
            p = part_end;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void any_finish(ANY_ARGUMENTS)
{
    ANY_BIND;
    counters += 3 * CPU_COUNTER_WORDS;
    uint n = events[prm.n_events], tiles = n / tile_size + (n % tile_size != 0);
    for (uint tile = cpu_next(counters); tile < tiles; tile = cpu_next(counters))
        cpu_take_back(&digis, &all, prm, 0, tile * tile_size, min(tile * tile_size + tile_size, n));
}
