/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of clusters, CPU form: no atomics, since each record belongs to one work-item.
 *
 * Work-items divide the clusters evenly, by whole modules, and each reads all digis of the events
 * of its modules. A digi of another work-item costs only one comparison, so several work-items may
 * read it.
 *
 * Form: CPU.
 * Defines: WG, DUPLICATES (mote_pixels_duplicates), ID_T, ADC_T, ORDER_ANY
 * (pixels/input/input.clh). Optional: CALIBRATED (pixels/input/decode.clh). */
#include "mote/layout/pixels.h"
#include "pixels/clusters/own_cpu.clh"

#define DUPLICATES_SUM 2
#define DUPLICATES_MAX 3

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
    own_add2(r->charge, q);
    own_add3(r->sum_x, xq);
    own_add3(r->sum_y, yq);
    own_add3(r->sum_xx, xq * x);
    own_add3(r->sum_yy, yq * y);
    own_add2(r->plain_x, counted * x);
    own_add2(r->plain_y, counted * y);
    r->x_min = min(r->x_min, x);
    r->x_max = max(r->x_max, x);
    r->y_min = min(r->y_min, y);
    r->y_max = max(r->y_max, y);
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void properties_own(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_at,
    const __global ushort *x, ulong x_at, const __global ushort *y, ulong y_at,
    const __global ADC_T *adc, ulong adc_at, const __global uint *events, ulong events_at,
    const __global uint *n_device, ulong n_device_at, const __global int *cluster_id,
    ulong cluster_id_at, const __global uint *cluster_start, ulong cluster_start_at,
    const __global uint *copies, ulong copies_at, __global mote_pixels_cluster_record *records,
    ulong records_at, uint capacity, volatile __global uint *error, ulong error_at DECODE_ARGUMENTS)
{
    uint n = input_length(prm, n_device + n_device_at);
    const __global uint *counted = copies + copies_at + prm.n;
    const __global uint *value = copies + copies_at + 3 * (ulong)prm.n;
    DECODE_OPEN;
    events += events_at;
    cluster_start += cluster_start_at;
    records += records_at;
    own_range own = own_range_of(prm, cluster_start, capacity);
    bool has_events = prm.flags & MOTE_PIXELS_HAS_EVENTS;
    if (get_global_id(0) == 0 && own.total > capacity && (prm.flags & MOTE_PIXELS_HAS_ERROR))
        error_report(error + error_at, MOTE_SLOT_CAPACITY, own.total);
    for (uint k = own.begin; k < own.end; k++)
        clear_record(records + k);
    for (uint event = own.first_event; event < own.last_event; event++) {
        uint key = event * prm.n_modules;
        uint least = max(own.first, key) - key, most = min(own.last, key + prm.n_modules) - key;
        uint event_first = has_events ? events[event] : 0;
        uint event_end = has_events ? min(events[event + 1], n) : n;
        for (uint i = event_first; i < event_end; i++) {
            uint id = module_id[module_id_at + i];
            int label = cluster_id[cluster_id_at + i];
            if (id - least >= most - least || label < 0 || id == prm.invalid_module)
                continue;
            uint record = cluster_start[key + id] + (uint)label;
            if (record >= own.end)
                continue;
            uint q = DECODE_CHARGE(decode, id, adc ? (uint)adc[adc_at + i] : 0), count = 1;
            if (DUPLICATES == DUPLICATES_MAX)
                q = value[i];
            if (DUPLICATES >= DUPLICATES_SUM)
                count = counted[i];
            add_digi(records + record, x[x_at + i], y[y_at + i], q, count, i - event_first);
        }
    }
}
