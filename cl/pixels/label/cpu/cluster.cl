/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters digis whose modules are contiguous, on a CPU. Every work-item processes tiles of
 * positions as long as there are any, and clusters the modules that begin in them one by one. There
 * may be any number of work-items, in work-groups of one. item.clh describes the memory.
 *
 * Tiles are assigned by a shared counter, because PoCL runs more than half of the groups on its
 * first thread.
 *
 * Form: CPU.
 * Defines: DUPLICATES (mote_pixels_duplicates), CHARGE_CUT (1: there is one), ID_T, ADC_T,
 * ORDER_ANY (0; pixels/label/cpu/input.clh).
 * Optional: MORPH, POSITIONS, SUMS_WIDE (pixels/label/cpu/input.clh), MASKED, CALIBRATED
 * (pixels/input/decode.clh). */
#include "pixels/label/cpu/tiles.clh"
#include "pixels/label/cpu/sort.clh"

/* An invalid digi is labelled by the tile that contains it. */
CPU_INLINE void cpu_skip(const cpu_input *in, mote_pixels_params prm, uint p)
{
    cpu_check_module(in->module_id[p], prm, p, in->error);
    cpu_write(in, prm, p, prm.invalid_module, prm.invalid_cluster);
}

/* The id of the last valid digi before p in the event, or NONE. */
CPU_INLINE uint cpu_look_back(const cpu_input *in, mote_pixels_params prm, uint p, uint least)
{
    uint id = NONE;
    while (id == NONE && p > least) {
        uint before = in->module_id[--p];
        id = cpu_valid(before, prm) ? before : NONE;
    }
    return id;
}

/* Finds the end of the module; [m->begin, p) contains only its digis and invalid ones. */
CPU_INLINE void cpu_find_end(cpu_module *m, const cpu_input *in, mote_pixels_params prm, uint p,
                             uint bound)
{
    const __global ID_T *module_id = in->module_id;
    uint id = m->id;
    for (bool more = true; more && p < bound; p += more) {
        uint here = module_id[p];
        if (here != id) {
            more = !cpu_valid(here, prm);
            m->gaps |= more;
            m->strays |= more && here != prm.invalid_module;
        }
    }
    while (p > m->begin + 1 && module_id[p - 1] != id)
        p--;
    m->end = max(p, m->begin + 1);
}

/* Finds the pixels of the module's digis as long as they fit the item's own memory; returns the
 * first position after them, which belongs to the next module. */
CPU_INLINE uint cpu_pixels_in_a_row(cpu_module *m, const cpu_item *it, const cpu_input *in,
                                    mote_pixels_params prm, uint bound)
{
    const cpu_input from = *in;
    __global uint *of = m->of;
    uint begin = m->begin, p = begin, id = m->id, shift = it->shift;
    uint end = min(bound, p + CPU_OWN_DIGIS);
    int16 outside, next = (int16)(0), wrong = next, none = next, strays = next;
    bool more = true;
    while (more && p < end && p + 16 <= from.limit) {
        uint16 ids = convert_uint16(vload16(0, from.module_id + p));
        int16 other = ids != (uint16)(id);
        vstore16(cpu_pixels_16(&from, prm, shift, p, other, &outside), 0, of + (p - begin));
        wrong |= outside & ~other;
        if (!cpu_is_zero(as_ulong8(other))) {
            next = other & (ids < (uint16)(prm.n_modules));
            int16 marked = ids == (uint16)(prm.invalid_module);
            next &= ~marked;
            none |= other & ~next;
            strays |= other & ~next & ~marked;
            more = cpu_is_zero(as_ulong8(next));
        }
        p += more ? 16 : 0;
    }
    if (!more) {
        int ends[16];
        vstore16(next, 0, ends);
        for (uint k = 0; !ends[k]; k++)
            p++;
    }
    p = min(p, end);
    m->gaps = !cpu_is_zero(as_ulong8(none));
    m->strays = !cpu_is_zero(as_ulong8(strays));
    m->outside = !cpu_is_zero(as_ulong8(wrong));
    m->careful = m->gaps || m->outside;
    return p;
}

/* Reserves `digis` positions of the shared memory, which has `most`, and returns the first of them,
 * or NONE if fewer are left. The loop ends, because an exchange fails only if another work-item has
 * reserved some of the memory, which is limited. */
CPU_INLINE uint cpu_take_memory(volatile __global uint *used, uint digis, uint most)
{
    uint at = atomic_add(used, 0u), seen = NONE;
    while (at != seen && at <= most - digis) {
        seen = at;
        at = atomic_cmpxchg(used, seen, seen + digis);
    }
    return at == seen ? at : NONE;
}

/* Assigns working arrays to a module whose end is known. If another thread changes ids during the
 * call, modules can overlap and the memory can run out: a module without memory is truncated. */
CPU_INLINE void cpu_module_take(cpu_module *m, const cpu_item *it, const cpu_input *in)
{
    uint digis = m->end - m->begin, place = 0;
    if (digis > CPU_OWN_DIGIS)
        place = cpu_take_memory(in->memory_used, digis, in->limit);
    if (place == NONE)
        m->end = m->begin + CPU_OWN_DIGIS;
    cpu_module_open(m, it, place, m->end - m->begin);
}

/* Finds the end of the module that begins at m->begin, and the pixels of its digis. */
CPU_INLINE void cpu_module_pixels(cpu_module *m, const cpu_item *it, const cpu_input *in,
                                  mote_pixels_params prm, uint bound)
{
    uint p = m->begin;
    cpu_module_open(m, it, 0, CPU_OWN_DIGIS);
    if (!CPU_CHOOSY(prm))
        p = cpu_pixels_in_a_row(m, it, in, prm, bound);
    cpu_find_end(m, in, prm, p, bound);
    if (m->end - m->begin > CPU_OWN_DIGIS) {
        cpu_module_take(m, it, in);
        p = m->begin;
    }
    if (p < m->end)
        cpu_find_pixels(m, it, in, prm, p);
    if (m->outside)
        cpu_check_pixels_of(m, in, prm);
}

/* Each module has one owner: a second head is reported at the later of the two. */
CPU_INLINE void cpu_claim(const cpu_module *m, const cpu_input *in, __global uint *owner)
{
    if (!in->error)
        return;
    uint other = atomic_min(&owner[m->key], m->begin);
    if (other != NONE)
        error_report(in->error, MOTE_SLOT_NOT_CONTIGUOUS, max(m->begin, other));
}

CPU_INLINE void cpu_module_at(cpu_module *m, const cpu_item *it, const cpu_input *in,
                              mote_pixels_params prm, uint bound, uint tile_end)
{
    m->own_end = tile_end;
    if (it->has_tiles) {
        cpu_module_pixels(m, it, in, prm, bound);
        cpu_cluster_tiles(it, m, in, prm);
    } else {
        cpu_find_end(m, in, prm, m->begin, bound);
        cpu_module_take(m, it, in);
        cpu_cluster_sorted(m, in, prm);
    }
    if (m->strays)
        for (uint p = m->begin; p < min(m->end, tile_end); p++)
            cpu_check_module(in->module_id[p], prm, p, in->error);
}

CPU_INLINE void cpu_tile(const cpu_item *it, const cpu_input *in, mote_pixels_params prm,
                         const __global uint *events, __global uint *owner, uint begin, uint end)
{
    uint event = cpu_event_of(events, prm.n_events, begin), event_end = 0, previous = NONE;
    for (uint p = begin; p < end;) {
        uint id = in->module_id[p];
        if (!cpu_valid(id, prm)) {
            cpu_skip(in, prm, p++);
            continue;
        }
        if (p >= event_end) {
            while (events[event + 1] <= p)
                event++;
            previous = event_end == 0 ? cpu_look_back(in, prm, p, events[event]) : NONE;
            event_end = events[event + 1];
        }
        if (id == previous) {
            p++;
            continue;
        }
        previous = id;
        cpu_module m = {.begin = p, .id = id, .key = event * prm.n_modules + id};
        cpu_claim(&m, in, owner);
        cpu_module_at(&m, it, in, prm, event_end, end);
        p = m.end;
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void cluster(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_at,
    const __global ushort *x, ulong x_at, const __global ushort *y, ulong y_at,
    const __global ADC_T *adc, ulong adc_at, const __global uint *charge_cuts, ulong charge_cuts_at,
    __global int *cluster_id, ulong cluster_id_at, __global ID_T *module_id_out,
    ulong module_id_out_at, __global uint *n_clusters, ulong n_clusters_at, __global uint *copies,
    ulong copies_at, __global uint *owner, ulong owner_at, const __global uint *events,
    ulong events_at, volatile __global uint *counters, ulong counters_at, __global uint *memory,
    ulong memory_at, uint item_words, uint tile_size, volatile __global uint *error,
    ulong error_at CPU_SUMS_ARGUMENTS CPU_MORPH_ARGUMENTS DECODE_ARGUMENTS)
{
    cpu_input in;
    in.module_id = module_id + module_id_at;
    in.x = x + x_at;
    in.y = y + y_at;
    in.adc = adc ? adc + adc_at : 0;
    in.module_id_out = module_id_out ? module_id_out + module_id_out_at : 0;
    in.memory_used = counters + counters_at + CPU_MEMORY_COUNTER * CPU_COUNTER_WORDS;
    in.cluster_id = cluster_id + cluster_id_at;
    in.counted = copies ? copies + copies_at + prm.n : 0;
    in.value = copies && DUPLICATES == DUPLICATES_MAX ? in.counted + 2 * (ulong)prm.n : 0;
    in.n_clusters = n_clusters + n_clusters_at;
    in.charge_cuts = charge_cuts + charge_cuts_at;
    in.error = prm.flags & MOTE_PIXELS_HAS_ERROR ? error + error_at : 0;
    DECODE_BIND(in.decode);
    CPU_SUMS_BIND(in, counters + counters_at + CPU_FORMED_COUNTER * CPU_COUNTER_WORDS);
    CPU_MORPH_BIND(in);
    events += events_at;
    uint n = events[prm.n_events], tiles = n / tile_size + (n % tile_size != 0);
    uint tile = cpu_next(counters + counters_at);
    in.limit = n;
    cpu_item it;
    if (tile < tiles) {
        cpu_item_open(&it, prm, memory + memory_at, item_words);
        CPU_MORPH_OPEN(&it);
    }
    for (; tile < tiles; tile = cpu_next(counters + counters_at))
        cpu_tile(&it, &in, prm, events, owner + owner_at, tile * tile_size,
                 min(tile * tile_size + tile_size, n));
}
