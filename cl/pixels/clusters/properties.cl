/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of clusters from labels, GPU form: integer sums, the same bits for every order of the
 * digis.
 *
 * A work-item processes `each` neighbouring digis and first adds up in private memory those of one
 * cluster that follow each other: neighbours in the input often belong to one cluster.
 *
 * Form: GPU.
 * Defines: WG, DUPLICATES (mote_pixels_duplicates), ID_T, ADC_T, ORDER_ANY
 * (pixels/input/input.clh). Optional: CALIBRATED (pixels/input/decode.clh). */
#include "pixels/input/input.clh"
#include "pixels/clusters/part.clh"
#include "common/sweep.clh"

#define DUPLICATES_SUM 2
#define DUPLICATES_MAX 3

/* Clears the records in use, and reports an error if there are too few. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void properties_clear(
    mote_pixels_params prm, const __global uint *cluster_start, ulong cluster_start_at,
    __global uint *records, ulong records_at, uint capacity, volatile __global uint *error,
    ulong error_at)
{
    uint total = cluster_start[cluster_start_at + prm.n_events * prm.n_modules];
    records += records_at * RECORD_WORDS;
    for (sweep s = sweep_of((ulong)min(total, capacity) * RECORD_WORDS); s.at < s.end;
         s.at += s.step) {
        records[s.at] = record_word_cleared(s.at % RECORD_WORDS);
    }
    if (get_global_id(0) == 0 && total > capacity && (prm.flags & MOTE_PIXELS_HAS_ERROR))
        error_report(error + error_at, MOTE_SLOT_CAPACITY, total);
}

/* Returns the record of a digi; NONE if it has no cluster or the record does not exist. */
inline uint record_of(uint id, int label, uint event, mote_pixels_params prm,
                      const __global uint *cluster_start, uint capacity)
{
    if (label < 0 || !module_valid(id, prm))
        return NONE;
    uint record = cluster_start[event * prm.n_modules + id] + (uint)label;
    return record < capacity ? record : NONE;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void properties_add(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_at,
    const __global ushort *x, ulong x_at, const __global ushort *y, ulong y_at,
    const __global ADC_T *adc, ulong adc_at, const __global uint *events, ulong events_at,
    const __global uint *n_device, ulong n_device_at, const __global int *cluster_id,
    ulong cluster_id_at, const __global uint *cluster_start, ulong cluster_start_at,
    const __global uint *copies, ulong copies_at, __global mote_pixels_cluster_record *records,
    ulong records_at, uint capacity, uint each DECODE_ARGUMENTS)
{
    uint n = input_length(prm, n_device + n_device_at);
    uint begin = min((ulong)get_global_id(0) * each, (ulong)n), end = begin + min(each, n - begin);
    uint event = 0, event_first = 0, event_end = n;
    const __global uint *counted = copies + copies_at + prm.n;
    const __global uint *value = copies + copies_at + 3 * (ulong)prm.n;
    part sum;
    DECODE_OPEN;
    part_begin(&sum, NONE);
    events += events_at;
    cluster_start += cluster_start_at;
    records += records_at;
    if ((prm.flags & MOTE_PIXELS_HAS_EVENTS) && begin < end) {
        event = event_of(events, begin, 0, prm.n_events - 1);
        event_first = events[event];
        event_end = events[event + 1];
    }
    for (uint i = begin; i < end; i++) {
        while (i >= event_end && event + 1 < prm.n_events) {
            event++;
            event_first = event_end;
            event_end = events[event + 1];
        }
        uint id = module_id[module_id_at + i];
        uint record =
            record_of(id, cluster_id[cluster_id_at + i], event, prm, cluster_start, capacity);
        if (record == NONE)
            continue;
        if (record != sum.record) {
            part_end(&sum, records);
            part_begin(&sum, record);
        }
        uint q = DECODE_CHARGE(decode, id, adc ? (uint)adc[adc_at + i] : 0), count = 1;
        if (DUPLICATES == DUPLICATES_MAX)
            q = value[i];
        if (DUPLICATES >= DUPLICATES_SUM)
            count = counted[i];
        part_add(&sum, x[x_at + i], y[y_at + i], q, count, i - event_first);
    }
    part_end(&sum, records);
}
