/* SPDX-License-Identifier: Apache-2.0 */
/* Clustering, digis in any order, if the modules' counters fit local memory: does the work of
 * group_clear, group_count and group_scatter of by_atomics.cl, without an atomic on global memory
 * for each digi.
 *
 *     slices_count    a group counts the digis of each module in a slice of an event; what an
 *                  atomic returns is a digi's rank among them. Clears what others add to;
 *                  invalid digis get their outputs
 *     slices_scatter     moves the digis of a slice to where group_segments of by_atomics.cl has
 * said; several groups share a slice
 *
 * A bad module id is reported by slices_scatter, because the first launch clears the error word.
 * With bad offsets, slices overlap or omit digis: slices_scatter may then read elements that were
 * not written.
 *
 * Form: GPU.
 * Defines: WG, ID_T, ADC_T, ORDER_ANY (pixels/input/input.clh), DUPLICATES (of no matter here).
 * Optional: POSITION_KEYS (1: the key of each position is wanted), MOVED_WORDS, X_BITS, Y_BITS
 * (pixels/input/input.clh). */
#include "pixels/group/module_counts.clh"

#define ITEM 4 /* digis of a work-item at a time, WG apart */

/* Positions of an event's slice. */
typedef struct any_slice {
    uint event, begin, end;
} any_slice;

inline any_slice any_slice_of(const digi_input *in, mote_pixels_params prm, uint slice, uint shares)
{
    any_slice s;
    uint share = slice % shares, begin = 0, end = in->n;
    s.event = slice / shares;
    if (prm.flags & MOTE_PIXELS_HAS_EVENTS) {
        begin = min(in->events[s.event], in->n);
        end = s.event + 1 < prm.n_events ? min(in->events[s.event + 1], in->n) : in->n;
    }
    uint each = end > begin ? (end - begin + shares - 1) / shares : 0;
    s.begin = begin + min(each * share, max(end, begin) - begin);
    s.end = s.begin + min(each, max(end, begin) - s.begin);
    return s;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void slices_count(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_at,
    const __global uint *events, ulong events_at, const __global uint *n_device, ulong n_device_at,
    __global uint *count, ulong count_at, __global ushort *key_of, ulong key_of_at,
    __global uint *rank, ulong rank_at, __global int *cluster_id, ulong cluster_id_at,
    __global ID_T *module_id_out, ulong module_id_out_at, __global uint *position_key,
    ulong position_key_at, __global uint *n_clusters, ulong n_clusters_at, __global uint *strips,
    ulong strips_at, __global uint *large, ulong large_at, __global uint *error, ulong error_at,
    uint shares)
{
    __local uint counted[MOTE_PIXELS_TALLY_MODULES];
    uint slots = prm.n_events * prm.n_modules, lid = get_local_id(0);
    digi_input in;
    in.module_id = module_id + module_id_at;
    in.events = events + events_at;
    in.n = input_length(prm, n_device + n_device_at);
    any_slice s = any_slice_of(&in, prm, get_group_id(0), shares);
    tally_clear(&in, prm, position_key + position_key_at, n_clusters + n_clusters_at,
                large + large_at, error + error_at);
    for (uint k = get_global_id(0); k < prm.positions / STRIP; k += get_global_size(0))
        strips[strips_at + k] = 0;
    if (get_global_id(0) == 0) /* positions given away */
        count[count_at + (ulong)shares * slots] = 0;
    for (uint k = lid; k < prm.n_modules; k += WG)
        counted[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint from = s.begin; from < s.end; from += ITEM * WG) {
        uint module[ITEM], before[ITEM];
        for (uint j = 0; j < ITEM; j++) {
            uint p = from + j * WG + lid;
            module[j] = tally_module(&in, prm, p, s.end);
        }
        for (uint j = 0; j < ITEM; j++)
            before[j] = tally_add(counted, module[j]);
        for (uint j = 0; j < ITEM; j++) {
            uint p = from + j * WG + lid;
            if (p < s.end) {
                key_of[2 * key_of_at + p] = (ushort)module[j];
                rank[rank_at + p] = before[j];
                if (module[j] >= TALLY_BAD)
                    tally_invalid(prm, p, cluster_id + cluster_id_at,
                                  module_id_out ? module_id_out + module_id_out_at : 0);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    count += count_at + get_group_id(0) % shares * (ulong)slots + s.event * prm.n_modules;
    for (uint k = lid; k < prm.n_modules; k += WG)
        count[k] = counted[k];
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void slices_scatter(
    mote_pixels_params prm, const __global ushort *x, ulong x_at, const __global ushort *y,
    ulong y_at, const __global ADC_T *adc, ulong adc_at, const __global uint *events,
    ulong events_at, const __global uint *n_device, ulong n_device_at,
    const __global ushort *key_of, ulong key_of_at, const __global uint *rank, ulong rank_at,
    const __global uint *start, ulong start_at, __global MOVED_T *record, ulong record_at,
    __global uint *position_key, ulong position_key_at, volatile __global uint *error,
    ulong error_at, uint shares)
{
    uint slots = prm.n_events * prm.n_modules;
    digi_input in;
    in.events = events + events_at;
    in.n = input_length(prm, n_device + n_device_at);
    uint slices = prm.n_events * shares, slice = get_group_id(0) % slices;
    uint parts = get_num_groups(0) / slices, part = get_group_id(0) / slices;
    any_slice s = any_slice_of(&in, prm, slice, shares);
    error = prm.flags & MOTE_PIXELS_HAS_ERROR ? error + error_at : 0;
    start += start_at + slice % shares * (ulong)slots + s.event * prm.n_modules;
    record += record_at / MOVED_WORDS;
    for (uint k = part * ITEM * WG + get_local_id(0); k < s.end - s.begin; k += parts * ITEM * WG) {
        uint from = s.begin + k, module[ITEM], at[ITEM], digi_x[ITEM], digi_y[ITEM], charge[ITEM];
        for (uint j = 0; j < ITEM; j++) {
            uint p = from + j * WG < s.end ? from + j * WG : from;
            module[j] = key_of[2 * key_of_at + p];
            at[j] = rank[rank_at + p];
            digi_x[j] = x[x_at + p];
            digi_y[j] = y[y_at + p];
            charge[j] = adc ? (uint)adc[adc_at + p] : 0;
        }
        for (uint j = 0; j < ITEM; j++)
            at[j] += module[j] < prm.n_modules ? start[module[j]] : 0;
        for (uint j = 0; j < ITEM; j++) {
            uint p = from + j * WG;
            if (p < s.end && module[j] == TALLY_BAD)
                error_report(error, MOTE_SLOT_MODULE, p);
            if (p < s.end && module[j] < prm.n_modules && at[j] < prm.positions) {
                record[at[j]] = moved_make(prm, digi_x[j], digi_y[j], charge[j], p);
                if (POSITION_KEYS)
                    position_key[position_key_at + at[j]] = s.event * prm.n_modules + module[j];
            }
        }
    }
}
