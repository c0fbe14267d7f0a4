/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of equal module id, in input order. Three launches with a prefix sum before the last; each
 * of their work-items processes one chunk of `each` neighbouring digis:
 *
 *     find    the last valid digi of the chunk
 *     count   the runs that start in the chunk
 *     write   them
 *
 * The search for the last valid digi before a chunk goes backwards by chunks and stops at the first
 * chunk that has one, so that all chunks together read every stretch of invalid digis once.
 *
 * Form: both.
 * Defines: WG, ID_T, ADC_T, ORDER_ANY (pixels/input/input.clh). */
#include "pixels/input/input.clh"
#include "pixels/input/offsets.clh"

/* The digis begin .. end - 1, and the event that a loop over them is in. */
typedef struct chunk {
    uint begin, end;
    uint event, event_end;
} chunk;

inline chunk chunk_of(uint k, uint each, mote_pixels_params prm)
{
    chunk c;
    c.begin = min((ulong)k * each, (ulong)prm.n);
    c.end = c.begin + min(each, prm.n - c.begin);
    c.event = 0;
    c.event_end = prm.n;
    return c;
}

/* Finds the event of the chunk's first digi; returns that event's first digi. */
inline uint chunk_enter(chunk *c, const __global uint *events, mote_pixels_params prm)
{
    if (!(prm.flags & MOTE_PIXELS_HAS_EVENTS) || c->begin == c->end)
        return 0;
    c->event = event_of(events, c->begin, 0, prm.n_events - 1);
    c->event_end = events[c->event + 1];
    return events[c->event];
}

/* Advances to digi i; returns true if it belongs to another event. */
inline bool chunk_crosses(chunk *c, uint i, const __global uint *events, mote_pixels_params prm)
{
    bool crosses = false;
    while (i >= c->event_end && c->event + 1 < prm.n_events) {
        c->event++;
        c->event_end = events[c->event + 1];
        crosses = true;
    }
    return crosses;
}

/* last[k] = 1 + position of the last valid digi of chunk k; 0 = none. Clears the error word as
 * well, and sets the labels. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void module_start_find(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_at, __global uint *last,
    ulong last_at, __global int *cluster_id, ulong cluster_id_at, __global uint *error,
    ulong error_at, uint chunks, uint each)
{
    uint k = get_global_id(0), found = 0;
    module_id += module_id_at;
    if (k == 0 && (prm.flags & MOTE_PIXELS_HAS_ERROR))
        for (uint slot = 0; slot < MOTE_ERROR_SLOTS; slot++)
            error[error_at + slot] = MOTE_ERROR_SLOT_CLEAR;
    if (k < chunks) {
        chunk c = chunk_of(k, each, prm);
        for (uint i = c.begin; i < c.end; i++) {
            if (module_id[i] != prm.invalid_module)
                found = i + 1;
            if (cluster_id)
                cluster_id[cluster_id_at + i] = (int)i;
        }
        last[last_at + k] = found;
    }
}

/* count[k] = runs that start in chunk k; before[k] = module of the last valid digi before it in the
 * event of its first digi, or the invalid module. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void module_start_count(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_at,
    const __global uint *events, ulong events_at, const __global uint *last, ulong last_at,
    __global uint *before, ulong before_at, __global uint *count, ulong count_at, uint chunks,
    uint each)
{
    uint k = get_global_id(0), runs = 0;
    module_id += module_id_at;
    events += events_at;
    last += last_at;
    if (k < chunks) {
        chunk c = chunk_of(k, each, prm);
        uint least = chunk_enter(&c, events, prm), previous = 0;
        if (last[k]) /* a chunk without valid digis does not need it */
            for (uint back = k; back > 0 && previous == 0 && back * each > least; back--)
                previous = last[back - 1];
        uint module = previous > least ? (uint)module_id[previous - 1] : prm.invalid_module;
        before[before_at + k] = module;
        for (uint i = c.begin; i < c.end; i++) {
            uint id = module_id[i];
            if (chunk_crosses(&c, i, events, prm))
                module = prm.invalid_module;
            if (id != prm.invalid_module) {
                runs += id != module;
                module = id;
            }
        }
        count[count_at + k] = runs;
    }
}

/* Writes each run that fits to its index; `base` is the prefix sum of the counts. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void module_start_write(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_at,
    const __global uint *events, ulong events_at, const __global uint *before, ulong before_at,
    const __global uint *base, ulong base_at, __global uint *module_start, ulong module_start_at,
    __global uint *run_module, ulong run_module_at, volatile __global uint *error, ulong error_at,
    uint capacity, uint chunks, uint each)
{
    uint k = get_global_id(0);
    module_id += module_id_at;
    events += events_at;
    base += base_at;
    module_start += module_start_at;
    error = prm.flags & MOTE_PIXELS_HAS_ERROR ? error + error_at : 0;
    if (prm.flags & MOTE_PIXELS_HAS_EVENTS)
        offsets_check(events, prm.n_events, prm.n, k, get_global_size(0), error);
    if (k == 0) {
        module_start[0] = base[chunks];
        if (base[chunks] > capacity)
            error_report(error, MOTE_SLOT_CAPACITY, base[chunks]);
    }
    if (k < chunks) {
        chunk c = chunk_of(k, each, prm);
        uint run = base[k], module = before[before_at + k];
        chunk_enter(&c, events, prm);
        for (uint i = c.begin; i < c.end; i++) {
            uint id = module_id[i];
            if (chunk_crosses(&c, i, events, prm))
                module = prm.invalid_module;
            if (id == prm.invalid_module)
                continue;
            if (id != module && run < capacity) {
                module_start[1 + run] = i;
                if (run_module)
                    run_module[run_module_at + run] = id;
            }
            run += id != module;
            module = id;
        }
    }
}
