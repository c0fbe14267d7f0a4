/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters digis in any order on a CPU. Slices of events are sorted separately, so that no two
 * cores write to one cache line (any_sort), modules are assembled from the slices and clustered
 * (any_cluster), and labels are copied back (any_finish). There may be any number of work-items, in
 * work-groups of one; work is distributed by a shared counter, as in cluster.cl.
 *
 * Scratch: `memory` as described in item.clh; two `rows` of counters (group.clh) for each slice:
 * the ends of its modules' records, then the beginnings of their labels; `record`: OWN_RECORDS for
 * each work-item, for data that stays in the cache, after them one for each digi, and after
 * CPU_SLACK as many again; `sorted`: one element for each digi.
 *
 * Form: CPU.
 * Defines: DUPLICATES (mote_pixels_duplicates), CHARGE_CUT (1: there is one), ID_T, ADC_T,
 * ORDER_ANY (1; pixels/label/cpu/input.clh).
 * Optional: MORPH, POSITIONS, SUMS_WIDE (pixels/label/cpu/input.clh), MASKED, CALIBRATED
 * (pixels/input/decode.clh). */
#include "pixels/label/cpu/group.clh"

/* Records that a work-item has memory for. */
#define OWN_RECORDS (CPU_OWN_DIGIS + CPU_SLACK)

/* The kernels have the same parameters, so that the host sets them in one way. */
#define ANY_ARGUMENTS                                                                              \
    mote_pixels_params prm, uint item_words, uint slices, const __global ID_T *module_id,          \
        ulong module_id_at, const __global ushort *x, ulong x_at, const __global ushort *y,        \
        ulong y_at, const __global ADC_T *adc, ulong adc_at, const __global uint *charge_cuts,     \
        ulong charge_cuts_at, __global int *cluster_id, ulong cluster_id_at,                       \
        __global ID_T *module_id_out, ulong module_id_out_at, __global uint *n_clusters,           \
        ulong n_clusters_at, __global uint *copies, ulong copies_at, const __global uint *events,  \
        ulong events_at, volatile __global uint *counters, ulong counters_at,                      \
        __global uint *memory, ulong memory_at, __global uint *rows, ulong rows_at,                \
        __global ulong *record, ulong record_at, __global int *sorted, ulong sorted_at,            \
        volatile __global uint *error,                                                             \
        ulong error_at CPU_SUMS_ARGUMENTS CPU_MORPH_ARGUMENTS DECODE_ARGUMENTS

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
    all.record = record + record_at + (ulong)get_global_size(0) * OWN_RECORDS;                     \
    all.cluster_id = sorted + sorted_at;                                                           \
    all.counted = copies ? copies + copies_at : 0;                                                 \
    all.value = digis.value ? all.counted + 2 * (ulong)prm.n : 0;                                  \
    uint row_words = cpu_row_words(prm.n_modules);                                                 \
    rows += rows_at;                                                                               \
    events += events_at;                                                                           \
    counters += counters_at;                                                                       \
    n_clusters += n_clusters_at;                                                                   \
    charge_cuts += charge_cuts_at;                                                                 \
    volatile __global uint *report = prm.flags & MOTE_PIXELS_HAS_ERROR ? error + error_at : 0

/* The digis [begin, end) of slice s, with `slices` slices per event. */
CPU_INLINE void slice_of(const __global uint *events, uint slices, uint s, uint *begin, uint *end)
{
    uint event = s / slices, first = events[event], digis = events[event + 1] - first;
    *begin = first + (uint)((ulong)digis * (s % slices) / slices);
    *end = first + (uint)((ulong)digis * (s % slices + 1) / slices);
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void any_sort(ANY_ARGUMENTS)
{
    ANY_BIND;
    uint begin, end;
    for (uint s = cpu_next(counters); s < slices * prm.n_events; s = cpu_next(counters)) {
        slice_of(events, slices, s, &begin, &end);
        cpu_sort_digis(&digis, all.record, prm, begin, end, begin, rows + (ulong)s * row_words,
                       report);
    }
}

/* The slices of an event whose digis are sorted. */
typedef struct cpu_slices {
    const __global uint *ends; /* rows of the event's slices */
    __global uint *starts;     /* the same rows for the beginnings of labels */
    const __global ulong *record;
    uint row_words, count;
    uint begin, digis; /* of the event */
} cpu_slices;

/* The records of module m in slice s. */
CPU_INLINE uint slice_part(const cpu_slices *slices, uint s, uint m, uint *end)
{
    const __global uint *ends = slices->ends + (ulong)s * slices->row_words;
    *end = ends[m];
    return m ? ends[m - 1] : slices->begin + (uint)((ulong)slices->digis * s / slices->count);
}

/* Copies records of one module; `over`: up to 8 may be written after the last. */
CPU_INLINE void copy_records(const __global ulong *from, __global ulong *to, uint count, bool over)
{
    uint k = 0;
    for (; over ? k < count : k + 8 <= count; k += 8)
        vstore8(vload8(0, from + k), 0, to + k);
    for (; k < count; k++)
        to[k] = from[k];
}

/* Clusters module m of an event, whose labels begin at position `first`; returns how many digis it
 * has. The records of a module that fits are in the work-item's own memory, followed by zeros;
 * those of a larger module are at `large`. */
CPU_INLINE uint cluster_slices(const cpu_item *it, const cpu_input *all, mote_pixels_params prm,
                               const cpu_slices *slices, __global ulong *own, __global ulong *large,
                               uint event, uint m, uint first)
{
    uint count = 0, begin, end;
    for (uint s = 0; s < slices->count; s++) {
        begin = slice_part(slices, s, m, &end);
        slices->starts[(ulong)s * slices->row_words + m] = first + count;
        count += end - begin;
    }
    if (count == 0)
        return 0;
    bool fits = count <= CPU_OWN_DIGIS;
    __global ulong *to = fits ? own : large + first;
    uint copied = 0;
    for (uint s = 0; s < slices->count; s++) {
        begin = slice_part(slices, s, m, &end);
        copy_records(slices->record + begin, to + copied, end - begin, fits);
        copied += end - begin;
    }
    if (fits)
        vstore16((ulong16)(0), 0, to + count);
    cpu_input in = *all;
    in.record = to;
    in.origin = first;
    in.limit = fits ? count + CPU_SLACK : count;
    in.cluster_id += first;
    if (in.counted)
        in.counted += first;
    if (in.value)
        in.value += first;
    cpu_cluster_group(it, &in, prm, event, m, 0, count);
    return count;
}

#define CHUNK 16 /* modules processed at once: counters of a cache line */

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void any_cluster(ANY_ARGUMENTS)
{
    ANY_BIND;
    counters += CPU_COUNTER_WORDS;
    uint chunks = row_words / CHUNK, chunk = cpu_next(counters);
    __global ulong *own = record + record_at + get_global_id(0) * (ulong)OWN_RECORDS;
    cpu_input in;
    cpu_input_open(&in, &digis, &all, 0, 0, n_clusters, charge_cuts, report);
    CPU_MORPH_BIND(in);
    CPU_SUMS_BIND(in, counters + (CPU_FORMED_COUNTER - 1) * CPU_COUNTER_WORDS);
    cpu_item it;
    if (chunk < chunks * prm.n_events) {
        cpu_item_open(&it, prm, memory + memory_at, item_words);
        CPU_MORPH_OPEN(&it);
    }
    for (; chunk < chunks * prm.n_events; chunk = cpu_next(counters)) {
        uint event = chunk / chunks, m = chunk % chunks * CHUNK, begin = events[event];
        uint end, first = begin, modules = min(m + CHUNK, prm.n_modules + 1);
        ulong row = (ulong)event * slices * row_words;
        cpu_slices of = {rows + row,
                         rows + row + (ulong)prm.n_events * slices * row_words,
                         all.record,
                         row_words,
                         slices,
                         begin,
                         events[event + 1] - begin};
        bool empty = true;
        for (uint s = 0; s < slices; s++) {
            uint from = slice_part(&of, s, m, &end);
            first += from - slice_part(&of, s, 0, &end);
            slice_part(&of, s, modules - 1, &end);
            empty &= from == end;
        }
        for (; !empty && m < modules; m++)
            first += cluster_slices(&it, &in, prm, &of, own, all.record + prm.n + CPU_SLACK, event,
                                    m, first);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void any_finish(ANY_ARGUMENTS)
{
    ANY_BIND;
    uint begin, end;
    counters += 2 * CPU_COUNTER_WORDS;
    for (uint s = cpu_next(counters); s < slices * prm.n_events; s = cpu_next(counters)) {
        slice_of(events, slices, s, &begin, &end);
        cpu_take_back(&digis, &all, prm, begin, end, prm.n - 1,
                      rows + ((ulong)slices * prm.n_events + s) * row_words);
    }
}
