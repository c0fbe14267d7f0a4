/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of clusters from labels, from which pixels/positions_finish.cl forms positions; CPU form: no
 * atomics, since the sums of a cluster belong to one work-item.
 *
 * Work-items share the clusters evenly, by whole modules, and each reads all digis of the
 * events that its modules lie in.
 *
 * Form: CPU.
 * Defines: WG, ID_T, ADC_T, ORDER_ANY (pixels/input.clh).
 * Optional: CALIBRATED (pixels/decode.clh). */
#include "pixels/digi_sums.clh"
#include "pixels/own_cpu.clh"

inline void clear_sums(__global mote_pixels_sums *s)
{
    __global uint *word = (__global uint *)s;
    for (uint k = 0; k < MOTE_PIXELS_SUMS_WORDS; k++)
        word[k] = 0;
    s->charge_min = NONE;
}

inline void add_digi(__global mote_pixels_sums *s, digi_share d, uint x, uint y)
{
    ulong xq = (ulong)x * d.weight, yq = (ulong)y * d.weight;
    s->size += d.counted;
    s->charge_min = min(s->charge_min, d.least);
    s->charge_max = max(s->charge_max, d.charge);
    own_add2(s->charge, d.charge);
    if (d.weight) {
        own_add3(s->x, xq);
        own_add3(s->y, yq);
        own_add3(s->xx, xq * x);
        own_add3(s->yy, yq * y);
        own_add3(s->xy, xq * y);
    }
    if (d.plain) {
        own_add2(s->plain_x, x);
        own_add2(s->plain_y, y);
        own_add2(s->plain_xx, (ulong)x * x);
        own_add2(s->plain_yy, (ulong)y * y);
        own_add2(s->plain_xy, (ulong)x * y);
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void positions_own(
    SUMS_ARGUMENTS, volatile __global uint *error, ulong error_offset DECODE_ARGUMENTS)
{
    SUMS_BIND;
    own_range own = own_range_of(prm, cluster_start, capacity);
    bool has_events = prm.flags & MOTE_PIXELS_HAS_EVENTS;
    if (get_global_id(0) == 0 && own.total > capacity && (prm.flags & MOTE_PIXELS_HAS_ERROR))
        error_report(error + error_offset, MOTE_SLOT_CAPACITY, own.total);
    for (uint k = own.begin; k < own.end; k++)
        clear_sums(sums + k);
    for (uint event = own.first_event; event < own.last_event; event++) {
        uint key = event * prm.n_modules;
        uint least = max(own.first, key) - key, most = min(own.last, key + prm.n_modules) - key;
        uint event_end = has_events ? min(events[event + 1], n) : n;
        for (uint i = has_events ? events[event] : 0; i < event_end; i++) {
            uint id = module_id[i];
            int label = cluster_id[i];
            if (id - least >= most - least || label < 0 || id == prm.invalid_module)
                continue;
            uint record = cluster_start[key + id] + (uint)label;
            if (record >= own.end)
                continue;
            digi_share share = digi_share_of(SUMS_CHARGE(i, id), counted, value, i, options);
            add_digi(sums + record, share, x[i], y[i]);
        }
    }
}
