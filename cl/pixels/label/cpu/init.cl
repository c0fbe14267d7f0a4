/* SPDX-License-Identifier: Apache-2.0 */
/* The first launch of the CPU form: clears counts, the owners of modules, the shared counters of
 * the later launches and the error word, and computes the borders of the events.
 *
 * `events`: n_events + 1 borders, the first 0, the last n, never decreasing, whatever the caller's
 * offsets contain; the offsets are checked here. Work-groups have one work-item.
 *
 * Form: CPU.
 * Defines: none. */
#include "pixels/label/cpu/work.clh"

/* The error word is cleared before an error can be reported. */
CPU_INLINE void make_events(mote_pixels_params prm, const __global uint *offsets,
                            const __global uint *n_device, __global uint *events,
                            __global uint *error)
{
    uint n = prm.flags & MOTE_PIXELS_HAS_N ? min(n_device[0], prm.n) : prm.n, begin = 0;
    bool given = prm.flags & MOTE_PIXELS_HAS_EVENTS;
    error_clear_word(error);
    for (uint e = 0; e < prm.n_events; e++) {
        uint first = given ? offsets[e] : 0, end = given ? offsets[e + 1] : n;
        if (first > end || (e == 0 && first != 0) || (e + 1 == prm.n_events && end != n))
            error_report(error, MOTE_SLOT_EVENT_OFFSETS, e);
        events[e] = begin;
        begin = max(begin, min(end, n));
    }
    events[prm.n_events] = n;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void init(
    mote_pixels_params prm, const __global uint *event_offsets, ulong event_offsets_at,
    const __global uint *n_device, ulong n_device_at, __global uint *events, ulong events_at,
    __global uint *counters, ulong counters_at, __global uint *n_clusters, ulong n_clusters_at,
    __global uint *owner, ulong owner_at, __global uint *error, ulong error_at)
{
    uint item = get_global_id(0), items = get_global_size(0);
    ulong slots = (ulong)prm.n_events * prm.n_modules;
    uint begin = (uint)(slots * item / items), end = (uint)(slots * (item + 1) / items);
    n_clusters += n_clusters_at;
    for (uint k = begin; k < end; k++)
        n_clusters[k] = 0;
    if (owner)
        for (uint k = begin; k < end; k++)
            owner[owner_at + k] = NONE;
    if (item == 0) {
        for (uint k = 0; k < CPU_COUNTERS; k++)
            counters[counters_at + CPU_COUNTER_WORDS * k] = 0;
        make_events(prm, event_offsets + event_offsets_at, n_device + n_device_at,
                    events + events_at, prm.flags & MOTE_PIXELS_HAS_ERROR ? error + error_at : 0);
    }
}
