/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of clusters from labels, from which pixels/positions_finish.cl forms positions; GPU form.
 *
 * A work-item takes `each` neighbouring digis and first adds up in private memory those of one
 * cluster that follow each other.
 *
 * Form: GPU.
 * Defines: WG, ID_T, ADC_T, ORDER_ANY (pixels/input.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh), CALIBRATED (pixels/decode.clh). */
#include "pixels/digi_sums.clh"
#include "pixels/words.clh"
#include "common/sweep.clh"
#include "common/width.clh"

/* Sums over neighbouring digis of one cluster, to be added to those of its record. */
typedef struct part {
    uint record; /* NONE = nothing yet */
    uint size, charge_min, charge_max;
    ulong charge, plain_x, plain_y, plain_xx, plain_yy, plain_xy;
    wide x, y, xx, yy, xy;
} part;

inline void part_begin(part *p, uint record)
{
    const wide zero = {0, 0};
    p->record = record;
    p->size = p->charge_max = 0;
    p->charge_min = NONE;
    p->charge = p->plain_x = p->plain_y = p->plain_xx = p->plain_yy = p->plain_xy = 0;
    p->x = p->y = p->xx = p->yy = p->xy = zero;
}

inline void part_add(part *p, digi_share d, uint x, uint y)
{
    ulong xq = (ulong)x * d.weight, yq = (ulong)y * d.weight;
    p->size += d.counted;
    p->charge_min = min(p->charge_min, d.least);
    p->charge_max = max(p->charge_max, d.charge);
    p->charge += d.charge;
    wide_add(&p->x, xq);
    wide_add(&p->y, yq);
    wide_add(&p->xx, xq * x);
    wide_add(&p->yy, yq * y);
    wide_add(&p->xy, xq * y);
    p->plain_x += d.plain * x;
    p->plain_y += d.plain * y;
    p->plain_xx += (ulong)d.plain * x * x;
    p->plain_yy += (ulong)d.plain * y * y;
    p->plain_xy += (ulong)d.plain * x * y;
}

inline void part_end(const part *p, __global mote_pixels_sums *sums)
{
    if (p->record == NONE)
        return;
    volatile __global mote_pixels_sums *s = sums + p->record;
    add_word(&s->size, p->size, 0);
    if (p->charge_min != NONE)
        atomic_min(&s->charge_min, p->charge_min);
    if (p->charge_max)
        atomic_max(&s->charge_max, p->charge_max);
    add_words2(s->charge, p->charge);
    add_words3(s->x, p->x);
    add_words3(s->y, p->y);
    add_words3(s->xx, p->xx);
    add_words3(s->yy, p->yy);
    add_words3(s->xy, p->xy);
    add_words2(s->plain_x, p->plain_x);
    add_words2(s->plain_y, p->plain_y);
    add_words2(s->plain_xx, p->plain_xx);
    add_words2(s->plain_yy, p->plain_yy);
    add_words2(s->plain_xy, p->plain_xy);
}

/* Clears the sums in use, and reports when there is no room for all clusters. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void positions_clear(
    mote_pixels_params prm, const __global uint *cluster_start, ulong cluster_start_offset,
    __global uint *sums, ulong sums_offset, uint capacity, volatile __global uint *error,
    ulong error_offset)
{
    uint total = cluster_start[cluster_start_offset + prm.n_events * prm.n_modules];
    sums += sums_offset;
    for (sweep s = sweep_of((ulong)min(total, capacity) * MOTE_PIXELS_SUMS_WORDS); s.at < s.end;
         s.at += s.step)
        sums[s.at] = s.at % MOTE_PIXELS_SUMS_WORDS == 1 ? NONE : 0; /* charge_min */
    if (get_global_id(0) == 0 && total > capacity && (prm.flags & MOTE_PIXELS_HAS_ERROR))
        error_report(error + error_offset, MOTE_SLOT_CAPACITY, total);
}

__kernel NARROW __attribute__((reqd_work_group_size(WG, 1, 1))) void positions_add(
    SUMS_ARGUMENTS, uint each DECODE_ARGUMENTS)
{
    SUMS_BIND;
    uint begin = min((ulong)get_global_id(0) * each, (ulong)n), end = begin + min(each, n - begin);
    uint event = 0, event_end = n;
    part sum;
    part_begin(&sum, NONE);
    if ((prm.flags & MOTE_PIXELS_HAS_EVENTS) && begin < end) {
        event = event_of(events, begin, 0, prm.n_events - 1);
        event_end = events[event + 1];
    }
    for (uint i = begin; i < end; i++) {
        while (i >= event_end && event + 1 < prm.n_events)
            event_end = events[++event + 1];
        uint id = module_id[i];
        int label = cluster_id[i];
        if (label < 0 || !module_valid(id, prm))
            continue;
        uint record = cluster_start[event * prm.n_modules + id] + (uint)label;
        if (record >= capacity)
            continue;
        if (record != sum.record) {
            part_end(&sum, sums);
            part_begin(&sum, record);
        }
        part_add(&sum, digi_share_of(SUMS_CHARGE(i, id), counted, value, i, options), x[i], y[i]);
    }
    part_end(&sum, sums);
}
