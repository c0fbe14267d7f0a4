/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of clusters, CPU form: no atomics, since each record belongs to one work-item.
 *
 * Work-items share the clusters evenly, by whole modules, and each reads all digis of the
 * events that its modules lie in. A digi of another work-item costs one comparison, so it does not
 * matter that several work-items read it.
 *
 * Form: CPU.
 * Defines: WG, DUPLICATES (mote_pixels_duplicates), ID_T, ADC_T, ORDER_ANY (pixels/input.clh). */
#include "mote/layout/pixels.h"
#include "pixels/input.clh"

#define DUPLICATES_SUM 2
#define DUPLICATES_MAX 3

/* Adds to a number of two or three words. */
inline void add_words2(__global uint *words, ulong value)
{
    ulong sum = ((ulong)words[1] << 32 | words[0]) + value;
    words[0] = (uint)sum;
    words[1] = (uint)(sum >> 32);
}

inline void add_words3(__global uint *words, ulong value)
{
    ulong sum = ((ulong)words[1] << 32 | words[0]) + value;
    words[0] = (uint)sum;
    words[1] = (uint)(sum >> 32);
    words[2] += sum < value;
}

inline void clear_record(__global mote_pixels_cluster_record *r)
{
    __global uint *word = (__global uint *)r;
    for (uint k = 0; k < MOTE_PIXELS_CLUSTER_RECORD_BYTES / 4; k++)
        word[k] = 0;
    r->first_digi = r->x_min = r->y_min = NONE;
}

inline void add_digi(__global mote_pixels_cluster_record *r, uint x, uint y, uint q, uint counted,
                     uint digi)
{
    ulong xq = (ulong)x * q, yq = (ulong)y * q;
    r->size += counted;
    r->first_digi = min(r->first_digi, digi);
    add_words2(r->charge, q);
    add_words3(r->sum_x, xq);
    add_words3(r->sum_y, yq);
    add_words3(r->sum_xx, xq * x);
    add_words3(r->sum_yy, yq * y);
    add_words2(r->plain_x, counted * x);
    add_words2(r->plain_y, counted * y);
    r->x_min = min(r->x_min, x);
    r->x_max = max(r->x_max, x);
    r->y_min = min(r->y_min, y);
    r->y_max = max(r->y_max, y);
}

/* The first module of the batch with at least `clusters` clusters before it. */
inline uint module_at(const __global uint *cluster_start, uint modules, ulong clusters)
{
    uint low = 0, high = modules;
    while (low < high) {
        uint middle = low + (high - low) / 2;
        if (cluster_start[middle] < clusters)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void properties_own(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_offset,
    const __global ushort *x, ulong x_offset, const __global ushort *y, ulong y_offset,
    const __global ADC_T *adc, ulong adc_offset, const __global uint *events, ulong events_offset,
    const __global uint *n_device, ulong n_device_offset, const __global int *cluster_id,
    ulong cluster_id_offset, const __global uint *cluster_start, ulong cluster_start_offset,
    const __global uint *copies, ulong copies_offset,
    __global mote_pixels_cluster_record *records, ulong records_offset, uint capacity,
    volatile __global uint *error, ulong error_offset)
{
    uint n = input_length(prm, n_device + n_device_offset);
    uint modules = prm.n_events * prm.n_modules;
    ulong item = get_global_id(0), items = get_global_size(0);
    const __global uint *counted = copies + copies_offset + prm.n;
    const __global uint *value = copies + copies_offset + 3 * (ulong)prm.n;
    events += events_offset;
    cluster_start += cluster_start_offset;
    records += records_offset;
    uint total = cluster_start[modules];
    uint first = module_at(cluster_start, modules, total * item / items);
    uint last = item + 1 < items ? module_at(cluster_start, modules, total * (item + 1) / items)
                                 : modules;
    uint end = first < last ? min(cluster_start[last], capacity) : 0;
    uint last_event = first < last ? (last - 1) / prm.n_modules + 1 : 0;
    bool has_events = prm.flags & MOTE_PIXELS_HAS_EVENTS;
    if (item == 0 && total > capacity && (prm.flags & MOTE_PIXELS_HAS_ERROR))
        error_report(error + error_offset, MOTE_SLOT_CAPACITY, total);
    if (first < last)
        for (uint k = cluster_start[first]; k < end; k++)
            clear_record(records + k);
    for (uint event = first / max(prm.n_modules, 1u); event < last_event; event++) {
        uint key = event * prm.n_modules;
        uint least = max(first, key) - key, most = min(last, key + prm.n_modules) - key;
        uint event_first = has_events ? events[event] : 0;
        uint event_end = has_events ? min(events[event + 1], n) : n;
        for (uint i = event_first; i < event_end; i++) {
            uint id = module_id[module_id_offset + i];
            int label = cluster_id[cluster_id_offset + i];
            if (id - least >= most - least || label < 0 || id == prm.invalid_module)
                continue;
            uint record = cluster_start[key + id] + (uint)label;
            if (record >= end)
                continue;
            uint q = adc ? (uint)adc[adc_offset + i] : 0, count = 1;
            if (DUPLICATES == DUPLICATES_MAX)
                q = value[i];
            if (DUPLICATES >= DUPLICATES_SUM)
                count = counted[i];
            add_digi(records + record, x[x_offset + i], y[y_offset + i], q, count,
                     i - event_first);
        }
    }
}
