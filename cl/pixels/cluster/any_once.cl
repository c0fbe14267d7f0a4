/* SPDX-License-Identifier: Apache-2.0 */
/* Clustering, few digis of one event in any order: what the launches of any.cl do, in one.
 *
 * A group has `each` neighbouring modules. It reads all module ids, notes the digis of its own and
 * counts those of lower modules: that tells where its segments begin, without a word from another
 * group. Then it counts its digis and moves them. A work-item notes its first digis by itself: what
 * all share would be waited for. Digis that are more than can be noted are read again.
 * Invalid digis get their outputs from groups by their place.
 *
 * As in any.cl ranks depend on timing, which no result shows. The error word is only being cleared:
 * the first group puts the lowest bad module id there by itself.
 *
 * Form: GPU.
 * Defines: WG (a power of two, at least `each`), ID_T, ADC_T, ORDER_ANY (pixels/input.clh),
 * DUPLICATES (of no matter here).
 * Optional: POSITION_KEYS (1: the key of each position is wanted), MOVED_WORDS, X_BITS, Y_BITS
 * (pixels/input.clh). */
#include "common/band.clh"
#include "common/scan.clh"
#include "pixels/cluster/any_heads.clh"
#include "pixels/cluster/ids.clh"

#ifndef POSITION_KEYS
#define POSITION_KEYS 0
#endif

#define BATCH 4    /* loads of ids under way */
#define OWN   4    /* digis that a work-item notes for itself */
#define ROOM  1536 /* digis that are noted behind these, by any */

typedef struct once_local {
    any_heads heads;
    uint scratch[SCAN_SCRATCH_WORDS];
    uint digis[WG], start[WG]; /* of each module */
    uint own[OWN * WG];      /* a work-item's digis, WG apart */
    uint digi[ROOM], rank[ROOM];
    uint noted; /* of digi[] */
    uint bad; /* the lowest index of a bad id */
} once_local;

/* The modules of the group. */
typedef struct once_modules {
    uint first, count;
} once_modules;

/* Where moved digis go. */
typedef struct once_output {
    const __global ushort *x, *y;
    const __global ADC_T *adc;
    __global MOVED_T *record;
    __global uint *position_key;
} once_output;

inline void once_move(const once_output *out, mote_pixels_params prm, uint index, uint module,
                      uint at)
{
    uint charge = out->adc ? (uint)out->adc[index] : 0;
    out->record[at] = moved_make(prm, out->x[index], out->y[index], charge, index);
    if (POSITION_KEYS)
        out->position_key[at] = module;
}

/* Counts a digi of a module, where the work-item `has` one; returns those before. A band that has one
 * module counts once. */
inline uint once_rank(volatile __local uint *count, uint module, bool has)
{
#if !BAND_ALONE
    uint leading = band_read(module, 0, 0), lane = band_lane();
    if (band_ballot(has && module == leading, 0) == NONE) {
        uint from = lane == 0 ? atomic_add(&count[leading], (uint)BAND) : 0;
        return band_read(from, 0, 0) + lane;
    }
#endif
    return has ? atomic_inc(&count[module]) : 0;
}

/* Which of these digis the group has, and how many have lower modules. */
inline uint once_own(const digi_input *in, mote_pixels_params prm, once_modules m, int first,
                     const uint *id, uint *below)
{
    uint own = 0, lower = 0;
    if (ids_has(in, first) && ids_has(in, first + IDS - 1) &&
        prm.invalid_module >= m.first + m.count) {
        UNROLLED
        for (int j = 0; j < IDS; j++) {
            own |= (uint)(id[j] - m.first < m.count) << j;
            lower += id[j] < m.first;
        }
    } else {
        UNROLLED
        for (int j = 0; j < IDS; j++) {
            bool valid = ids_has(in, first + j) & module_valid(id[j], prm);
            own |= (uint)(valid & (id[j] - m.first < m.count)) << j;
            lower += valid & (id[j] < m.first);
        }
    }
    *below += lower;
    return own;
}

/* Notes a digi; `noted`: how many the work-item has noted before. */
inline void once_note(uint index, uint noted, __local once_local *l)
{
    if (noted < OWN) {
        l->own[noted * WG + get_local_id(0)] = index;
    } else {
        uint place = atomic_inc(&l->noted);
        if (place < ROOM)
            l->digi[place] = index;
    }
}

/* Digis that a work-item has noted, and lower ones that it has read. */
typedef struct once_seen {
    uint noted, below;
} once_seen;

/* Reads all ids and notes the digis of the group. */
inline void once_read(const digi_input *in, mote_pixels_params prm, once_modules m,
                      once_seen *seen, __local once_local *l)
{
    uint loads = m.count ? ids_loads(in) : 0;
    seen->noted = seen->below = 0;
    for (uint from = get_local_id(0); from < loads; from += BATCH * WG) {
        uint id[BATCH][IDS];
        UNROLLED
        for (uint b = 0; b < BATCH; b++)
            ids_load(in, ids_first(in, from + b * WG), id[b]);
        UNROLLED
        for (uint b = 0; b < BATCH; b++) {
            int first = ids_first(in, from + b * WG);
            uint own = once_own(in, prm, m, first, id[b], &seen->below);
            for (; own; own &= own - 1)
                once_note((uint)(first + (int)popcount((own & -own) - 1)), seen->noted++, l);
        }
    }
}

/* Where digis are more than can be noted: counts each digi of the group, or moves it. */
inline void once_walk(const digi_input *in, mote_pixels_params prm, once_modules m,
                      const once_output *out, bool moves, __local once_local *l)
{
    for (uint from = 0; from < in->n; from += WG) {
        uint index = min(from + (uint)get_local_id(0), in->n - 1), id = in->module_id[index];
        bool has = from + get_local_id(0) < in->n && module_valid(id, prm) && id - m.first < m.count;
        uint module = has ? id - m.first : 0, rank = once_rank(l->digis, module, has);
        if (moves && has)
            once_move(out, prm, index, m.first + module, l->start[module] + rank);
    }
}

/* Counts the digis that are noted, whose ranks go to `rank` and l->rank. */
inline void once_count(const digi_input *in, once_modules m, uint noted, uint *rank,
                       __local once_local *l)
{
    uint lid = get_local_id(0);
    UNROLLED
    for (uint u = 0; u < OWN; u++) {
        bool has = u < noted;
        uint module = has ? in->module_id[l->own[u * WG + lid]] - m.first : 0;
        rank[u] = once_rank(l->digis, module, has);
    }
    for (uint i = lid; i < l->noted; i += WG)
        l->rank[i] = atomic_inc(&l->digis[in->module_id[l->digi[i]] - m.first]);
}

/* Moves the digis that are noted. */
inline void once_move_noted(const digi_input *in, mote_pixels_params prm, once_modules m,
                            const once_output *out, uint noted, const uint *rank,
                            const __local once_local *l)
{
    uint lid = get_local_id(0);
    UNROLLED
    for (uint u = 0; u < OWN; u++)
        if (u < noted) {
            uint index = l->own[u * WG + lid], module = in->module_id[index];
            once_move(out, prm, index, module, l->start[module - m.first] + rank[u]);
        }
    for (uint i = lid; i < l->noted; i += WG) {
        uint index = l->digi[i], module = in->module_id[index];
        once_move(out, prm, index, module, l->start[module - m.first] + l->rank[i]);
    }
}

/* Clears the error word but for the lowest bad module id. */
inline void once_check(const digi_input *in, mote_pixels_params prm, __global uint *error,
                       __local once_local *l)
{
    uint lowest = NONE, loads = ids_loads(in);
    for (uint load = get_local_id(0); load < loads && lowest == NONE; load += WG) {
        uint id[IDS];
        int first = ids_first(in, load);
        ids_load(in, first, id);
        UNROLLED
        for (int j = IDS - 1; j >= 0; j--)
            if (ids_has(in, first + j) && !module_valid(id[j], prm) &&
                id[j] != prm.invalid_module)
                lowest = (uint)(first + j);
    }
    if (lowest != NONE)
        atomic_min(&l->bad, lowest);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = get_local_id(0); k < MOTE_ERROR_SLOTS; k += WG)
        error[k] = k == MOTE_SLOT_MODULE ? l->bad : MOTE_ERROR_SLOT_CLEAR;
}

/* Gives the invalid digis of a share their outputs. */
inline void once_invalid(const digi_input *in, mote_pixels_params prm, __global int *cluster_id,
                         __global ID_T *module_out)
{
    for (uint p = get_global_id(0); p < in->n; p += get_global_size(0))
        if (!module_valid(in->module_id[p], prm)) {
            cluster_id[p] = (int)prm.invalid_cluster;
            if (module_out)
                module_out[p] = (ID_T)prm.invalid_module;
        }
}

/* Where the group's segments begin: those of a group of any_segments, too, begin at a whole strip,
 * and each group has one more position than digis. */
inline uint once_base(uint lower, uint group)
{
    return (lower / STRIP + group) * STRIP;
}

/* Gives each module of the group a segment of the positions base .. next - 1, and lists them. */
inline void once_segments(mote_pixels_params prm, once_modules m, uint base, uint next, uint all,
                          __global uint *start, __global uint *word, __global uint *position_key,
                          __local once_local *l)
{
    uint lid = get_local_id(0), digis = lid < m.count ? l->digis[lid] : 0, heads, total;
    uint before = scan_exclusive(digis, l->scratch, &total);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint head = scan_exclusive(digis ? 1 : 0, l->scratch, &heads);
    if (lid < m.count) {
        l->start[lid] = base + before;
        start[m.first + lid] = base + before;
    }
    if (digis) {
        l->heads.begin[head] = base + before;
        l->heads.key[head] = m.first + lid;
    }
    if (lid == 0 && all) {
        l->heads.begin[heads] = base + all;
        l->heads.key[heads] = NONE;
    }
    l->digis[lid] = 0;
    for (uint s = base / STRIP + lid; s < next / STRIP; s += WG)
        word[s] = 0;
    if (POSITION_KEYS)
        for (uint p = base + all + lid; p < next; p += WG)
            position_key[p] = NONE;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    any_heads_list(&l->heads, heads + (all ? 1 : 0), prm, word);
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void any_once(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_offset,
    const __global ushort *x, ulong x_offset, const __global ushort *y, ulong y_offset,
    const __global ADC_T *adc, ulong adc_offset, const __global uint *n_device,
    ulong n_device_offset, __global uint *start, ulong start_offset, __global MOVED_T *record,
    ulong record_offset, __global uint *position_key, ulong position_key_offset,
    __global uint *strips, ulong strips_offset, __global int *cluster_id, ulong cluster_id_offset,
    __global ID_T *module_out, ulong module_out_offset, __global uint *n_clusters,
    ulong n_clusters_offset, __global uint *large, ulong large_offset, __global uint *error,
    ulong error_offset, uint each)
{
    __local once_local l;
    uint lid = get_local_id(0), group = get_group_id(0), all, lower;
    uint groups = (prm.n_modules + each - 1) / each; /* one more clears, and checks ids */
    digi_input in;
    in.module_id = module_id + module_id_offset;
    in.n = input_length(prm, n_device + n_device_offset);
    once_output out = {x + x_offset, y + y_offset, adc ? adc + adc_offset : 0,
                       record + record_offset / MOVED_WORDS,
                       position_key + position_key_offset};
    once_modules m;
    m.first = min(group * each, prm.n_modules);
    m.count = min(each, prm.n_modules - m.first);
    l.digis[lid] = 0;
    if (lid == 0) {
        l.noted = 0;
        l.bad = NONE;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    once_invalid(&in, prm, cluster_id + cluster_id_offset,
                 module_out ? module_out + module_out_offset : 0);
    once_seen seen;
    uint rank[OWN];
    once_read(&in, prm, m, &seen, &l);
    scan_exclusive(seen.below, l.scratch, &lower);
    barrier(CLK_LOCAL_MEM_FENCE);
    bool many = l.noted > ROOM;
    if (many)
        once_walk(&in, prm, m, &out, false, &l);
    else
        once_count(&in, m, seen.noted, rank, &l);
    barrier(CLK_LOCAL_MEM_FENCE);
    scan_exclusive(lid < m.count ? l.digis[lid] : 0, l.scratch, &all);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint base = once_base(lower, group), next = once_base(lower + all, group + 1);
    next = group + 1 == groups ? prm.positions : next;
    if (group == groups) {
        if (lid == 0)
            large[large_offset] = 0;
        if (prm.flags & MOTE_PIXELS_HAS_ERROR) {
            once_check(&in, prm, error + error_offset, &l);
            MOTE_MEET();
        }
    } else {
        for (uint k = lid; k < m.count; k += WG)
            n_clusters[n_clusters_offset + m.first + k] = 0;
        once_segments(prm, m, base, next, all, start + start_offset, strips + strips_offset,
                      position_key + position_key_offset, &l);
        if (many)
            once_walk(&in, prm, m, &out, true, &l);
        else
            once_move_noted(&in, prm, m, &out, seen.noted, rank, &l);
        MOTE_MEET();
    }
}
