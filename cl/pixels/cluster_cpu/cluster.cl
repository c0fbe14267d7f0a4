/* SPDX-License-Identifier: Apache-2.0 */
/* Clustering on a CPU: every work-item takes tiles of positions and clusters their segments one by
 * one. Segments and tiles are those of tile.clh, and so are the results. Any number of work-items,
 * work-groups of one; memory as cpu_item.clh tells.
 *
 * Best measured: TILE 1024 and four work-items a core, so that small events are shared out evenly.
 *
 * Form: CPU.
 * Defines: TILE (positions, any number), DUPLICATES (mote_pixels_duplicates), CHARGE_CUT (1:
 * there is one), ID_T, ADC_T, ORDER_ANY (pixels/input.clh). */
#include "pixels/cluster_cpu/bitmap.clh"
#include "pixels/cluster_cpu/sort.clh"

/* An event, and the positions for which event_of finds it: offsets that are not in order still
 * divide the positions in one way, the same for all work-items. */
typedef struct cpu_event {
    uint number, begin, end;
} cpu_event;

inline cpu_event cpu_event_of(const digi_input *in, mote_pixels_params prm, uint p)
{
    cpu_event e = {0, 0, in->n};
    if (ORDER_ANY || !(prm.flags & MOTE_PIXELS_HAS_EVENTS))
        return e;
    uint high = prm.n_events - 1;
    while (e.number < high) {
        uint middle = e.number + (high - e.number + 1) / 2, start = in->events[middle];
        if (start <= p) {
            e.number = middle;
            e.begin = max(e.begin, start);
        } else {
            high = middle - 1;
            e.end = min(e.end, start);
        }
    }
    return e;
}

/* An invalid digi gets its label from the tile it lies in. */
inline void cpu_skip(const digi_input *in, mote_pixels_params prm, const cluster_output *out,
                     uint p)
{
    uint index = input_index(in, p);
    out->cluster_id[index] = (int)prm.invalid_cluster;
    input_check_module(in, prm, index, out->error);
}

/* The id of the last valid digi before p in the event, or NONE. */
inline uint cpu_look_back(const digi_input *in, mote_pixels_params prm, uint p, uint least)
{
    uint id = NONE;
    while (id == NONE && p > least) {
        uint before = cpu_id(in, --p);
        id = cpu_id_valid(before, prm) ? before : NONE;
    }
    return id;
}

/* Finds the end of the segment that begins at s->begin; returns the first position not looked at.
 * Invalid digis before tile_end are dealt with. */
inline uint cpu_find_end(cpu_segment *s, const digi_input *in, mote_pixels_params prm,
                         const cluster_output *out, uint bound, uint tile_end)
{
    uint p = s->begin;
    bool more = true;
    s->gaps = false;
    while (more) {
        while (p < bound && cpu_id(in, p) == s->id)
            p++;
        s->end = p;
        while (p < bound && !cpu_id_valid(cpu_id(in, p), prm)) {
            if (p < tile_end)
                cpu_skip(in, prm, out, p);
            p++;
        }
        more = p < bound && cpu_id(in, p) == s->id;
        s->gaps |= more;
    }
    return p;
}

/* Each module has one owner: a second head is reported at the later of the two. */
inline void cpu_claim(const cpu_segment *s, const cluster_output *out)
{
#if !ORDER_ANY
    uint other = atomic_min(&out->owner[s->key], s->begin);
    if (other != NONE)
        error_report(out->error, MOTE_SLOT_NOT_CONTIGUOUS, max(s->begin, other));
#endif
}

inline void cpu_tile(const cpu_item *it, const digi_input *in, mote_pixels_params prm,
                     const cluster_output *out, uint begin, uint end)
{
    cpu_event event = {0, 0, 0};
    uint previous = NONE;
    for (uint p = begin; p < end;) {
        cpu_segment s;
        s.begin = p;
        s.id = cpu_id(in, p);
        if (!cpu_id_valid(s.id, prm)) {
            cpu_skip(in, prm, out, p++);
            continue;
        }
        if (p >= event.end) {
            bool first = event.end == 0;
            event = cpu_event_of(in, prm, p);
            previous = first ? cpu_look_back(in, prm, p, event.begin) : NONE;
        }
        if (s.id == previous) {
            p++;
            continue;
        }
        previous = s.id;
        s.key = ORDER_ANY ? s.id : event.number * prm.n_modules + s.id;
        p = cpu_find_end(&s, in, prm, out, event.end, end);
        cpu_claim(&s, out);
        cpu_segment_open(&s, it);
        if (it->has_bitmap && s.end - s.begin > CPU_FEW_DIGIS)
            cpu_cluster_bitmap(it, &s, in, prm, out);
        else
            cpu_cluster_sorted(&s, in, prm, out);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void cluster(CLUSTER_ARGUMENTS)
{
    CLUSTER_BIND;
    input_check_events(&in, prm, out.error);
    uint tiles = in.n / TILE + (in.n % TILE != 0), step = get_global_size(0);
    cpu_item it;
    if (get_global_id(0) < tiles)
        cpu_item_open(&it, prm, out.spill);
    for (uint tile = get_global_id(0); tile < tiles; tile += step)
        cpu_tile(&it, &in, prm, &out, tile * TILE, min(tile * TILE + TILE, in.n));
}
