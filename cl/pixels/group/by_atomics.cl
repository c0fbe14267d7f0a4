/* SPDX-License-Identifier: Apache-2.0 */
/* Clustering of digis in any order: the launches that group digis by module.
 *
 *     group_clear     clears what the others add to
 *     group_count     counts the digis of each key (event x n_modules + module), by `shares`
 * counters a key; what an atomic returns is a digi's rank. Invalid digis get their outputs
 *     group_segments  gives each key a segment of positions, and lists where segments begin
 *     group_scatter   moves the digis there
 *
 * Ranks and the positions of segments depend on timing, but no result does: clusters are numbered
 * by pixels, and stages that need the order of the input use a record's index.
 *
 * A group of group_segments places the segments of WG keys one after the other, from a multiple of
 * STRIP on, and ends them with a head without a key.
 *
 * Form: GPU.
 * Defines: WG, ID_T, ADC_T, ORDER_ANY (pixels/input/input.clh), DUPLICATES (of no matter here).
 * Optional: POSITION_KEYS (1: the key of each position is wanted). */
#include "common/band.clh"
#include "common/scan.clh"
#include "pixels/group/strip.clh"

#ifndef POSITION_KEYS
#define POSITION_KEYS 0
#endif

#define ITEM 4 /* digis of a work-item, WG apart */

/* Stands before loops over the shares, whose loads are independent. */
#if defined(MOTE_NVIDIA)
#define UNROLLED_8 _Pragma("unroll 8")
#else
#define UNROLLED_8
#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void group_clear(
    mote_pixels_params prm, const __global uint *events, ulong events_at,
    const __global uint *n_device, ulong n_device_at, __global uint *count, ulong count_at,
    __global uint *position_key, ulong position_key_at, __global uint *n_clusters,
    ulong n_clusters_at, __global uint *strips, ulong strips_at, __global uint *large,
    ulong large_at, __global uint *error, ulong error_at, uint shares)
{
    uint first = get_global_id(0), step = get_global_size(0);
    uint slots = prm.n_events * prm.n_modules;
    for (uint k = first; k <= shares * slots;
         k += step) /* the last one: number of positions assigned */
        count[count_at + k] = 0;
    for (uint k = first; k < slots; k += step)
        n_clusters[n_clusters_at + k] = 0;
    for (uint k = first; k < prm.positions / STRIP; k += step)
        strips[strips_at + k] = 0;
    if (POSITION_KEYS)
        for (uint k = first; k < prm.positions; k += step)
            position_key[position_key_at + k] = NONE;
    input_open(prm, events + events_at, input_length(prm, n_device + n_device_at),
               large + large_at);
    if (prm.flags & MOTE_PIXELS_HAS_ERROR)
        for (uint k = first; k < MOTE_ERROR_SLOTS; k += step)
            error[error_at + k] = MOTE_ERROR_SLOT_CLEAR;
}

/* Returns where the counters of a group's share begin: with one counter per key, atomics on the
 * same key would wait for each other. */
inline uint any_share(mote_pixels_params prm, uint shares)
{
    return get_group_id(0) % shares * prm.n_events * prm.n_modules;
}

/* Counts a digi; returns the number of digis before it. A band whose digis have one key counts them
 * with one addition. */
inline uint any_add(__global uint *count, uint key)
{
#if !BAND_IN_LOCAL
    uint lane = get_local_id(0) % BAND;
    if (band_ballot(key == band_read(key, 0, 0), 0) == NONE) {
        uint from = lane == 0 && key != NONE ? atomic_add(&count[key], (uint)BAND) : 0;
        return band_read(from, 0, 0) + lane;
    }
#endif
    return key == NONE ? 0 : atomic_inc(&count[key]);
}

/* Returns the index of digi j of a work-item. */
inline uint any_index(uint j)
{
    return (get_group_id(0) * ITEM + j) * WG + get_local_id(0);
}

/* Returns the key of a digi in events low .. high. */
inline uint any_key(const digi_input *in, mote_pixels_params prm, uint index, uint low, uint high)
{
    uint id = index < in->n ? in->module_id[index] : prm.invalid_module;
    return module_valid(id, prm) ? event_of(in->events, index, low, high) * prm.n_modules + id
                                 : NONE;
}

/* Writes the outputs of an invalid digi. */
inline void any_invalid(const digi_input *in, mote_pixels_params prm, uint index,
                        __global int *cluster_id, __global ID_T *module_id_out,
                        volatile __global uint *error)
{
    cluster_id[index] = (int)prm.invalid_cluster;
    input_check_module(in, prm, index, error);
    if (module_id_out)
        module_id_out[index] = (ID_T)prm.invalid_module;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void group_count(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_at,
    const __global uint *events, ulong events_at, const __global uint *n_device, ulong n_device_at,
    __global uint *count, ulong count_at, __global uint *key_of, ulong key_of_at,
    __global uint *rank, ulong rank_at, __global int *cluster_id, ulong cluster_id_at,
    __global ID_T *module_id_out, ulong module_id_out_at, volatile __global uint *error,
    ulong error_at, uint shares)
{
    digi_input in;
    in.module_id = module_id + module_id_at;
    in.events = events + events_at;
    in.n = input_length(prm, n_device + n_device_at);
    error = prm.flags & MOTE_PIXELS_HAS_ERROR ? error + error_at : 0;
    module_id_out = module_id_out ? module_id_out + module_id_out_at : 0;
    uint key[ITEM], before[ITEM], low = 0, high = 0;
    count += count_at + any_share(prm, shares);
    if (prm.flags & MOTE_PIXELS_HAS_EVENTS) {
        uint first = get_group_id(0) * ITEM * WG;
        low = event_of(in.events, first, 0, prm.n_events - 1);
        high = event_of(in.events, first + ITEM * WG - 1, low, prm.n_events - 1);
    }
    for (uint j = 0; j < ITEM; j++)
        key[j] = any_key(&in, prm, any_index(j), low, high);
    for (uint j = 0; j < ITEM; j++)
        before[j] = any_add(count, key[j]);
    for (uint j = 0; j < ITEM; j++) {
        uint index = any_index(j);
        if (index < prm.n) {
            key_of[key_of_at + index] = key[j];
            rank[rank_at + index] = before[j];
        }
        if (key[j] == NONE && index < in.n)
            any_invalid(&in, prm, index, cluster_id + cluster_id_at, module_id_out, error);
    }
}

/* Returns how many of the first `heads` segment beginnings of the group are before `at`. */
inline uint any_heads_before(const __local uint *begin, uint heads, uint at)
{
    uint low = 0;
    for (uint step = WG; step > 0; step >>= 1)
        if (low + step <= heads && begin[low + step - 1] < at)
            low += step;
    return low;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void group_segments(
    mote_pixels_params prm, __global uint *count, ulong count_at, __global uint *start,
    ulong start_at, __global uint *strips, ulong strips_at, uint shares)
{
    __local uint scratch[SCAN_SCRATCH_WORDS];
    __local uint begin[WG + 1], key_of[WG + 1], from[1];
    uint lid = get_local_id(0), key = get_global_id(0), slots = prm.n_events * prm.n_modules;
    uint digis = 0, all, heads;
    count += count_at;
    UNROLLED_8 for (uint s = 0; s < shares; s++) digis += key < slots ? count[s * slots + key] : 0;
    uint before = scan_exclusive(digis, scratch, &all);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint head = scan_exclusive(digis ? 1 : 0, scratch, &heads);
    uint room = (all + STRIP) / STRIP * STRIP;
    if (lid == 0)
        from[0] = all ? atomic_add(&count[shares * slots], room) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    before += from[0];
    /* With bad offsets, slices of by_slices.cl overlap, so counts may be too large. */
    if (all && (from[0] > prm.positions || room > prm.positions - from[0]))
        digis = all = heads = 0;
    if (digis) {
        begin[head] = before;
        key_of[head] = key;
        UNROLLED_8 for (uint s = 0; s < shares; s++)
        {
            start[start_at + s * slots + key] = before;
            before += count[s * slots + key];
        }
    }
    if (lid == 0 && all) {
        begin[heads] = from[0] + all;
        key_of[heads] = NONE;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    heads += all ? 1 : 0;
    __global uint *word = strips + strips_at;
    for (uint h = lid; h < heads; h += WG) {
        uint strip = begin[h] / STRIP, rank = h - any_heads_before(begin, heads, strip * STRIP);
        ulong to = strip_heads(prm.positions / STRIP, strip) + 2 * rank;
        word[to] = begin[h];
        word[to + 1] = key_of[h];
        if (h + 1 == heads || begin[h + 1 < heads ? h + 1 : 0] / STRIP != strip)
            word[strip] = rank + 1;
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void group_scatter(
    mote_pixels_params prm, const __global ushort *x, ulong x_at, const __global ushort *y,
    ulong y_at, const __global ADC_T *adc, ulong adc_at, const __global uint *key_of,
    ulong key_of_at, const __global uint *rank, ulong rank_at, const __global uint *start,
    ulong start_at, __global uint4 *record, ulong record_at, __global uint *position_key,
    ulong position_key_at, uint shares)
{
    start += start_at + any_share(prm, shares);
    uint key[ITEM], at[ITEM];
    uint4 digi[ITEM];
    for (uint j = 0; j < ITEM; j++) {
        uint index = min(any_index(j), prm.n - 1);
        key[j] = any_index(j) < prm.n ? key_of[key_of_at + index] : NONE;
        at[j] = rank[rank_at + index];
        digi[j].x = x[x_at + index] | (uint)y[y_at + index] << 16;
        digi[j].y = adc ? (uint)adc[adc_at + index] : 0;
        digi[j].z = index;
        digi[j].w = 0;
    }
    for (uint j = 0; j < ITEM; j++)
        if (key[j] != NONE)
            at[j] += start[key[j]];
    for (uint j = 0; j < ITEM; j++)
        if (key[j] != NONE) {
            record[record_at / 4 + at[j]] = digi[j];
            if (POSITION_KEYS)
                position_key[position_key_at + at[j]] = key[j];
        }
}
