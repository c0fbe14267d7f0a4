/* SPDX-License-Identifier: Apache-2.0 */
/* Clustering, the launch before by_size.cl: clears the memory that by_size.cl adds to, writes the
 * outputs of invalid digis, and lists where segments begin.
 *
 * A work-item processes eight neighbouring positions. A valid digi is a head if the last valid digi
 * before it in its event has another key. A work-item with a valid digi searches backwards for that
 * digi: after a stretch of invalid digis, only the first valid one searches, so the work stays
 * linear. Errors are not reported here, because this launch clears the error word.
 *
 * Form: GPU.
 * Defines: WG, ID_T, ADC_T, ORDER_ANY (pixels/input/input.clh), DUPLICATES (of no matter here). */
#include "common/macros.clh"
#include "pixels/group/strip.clh"

#define ITEM        8
#define SPAN        (ITEM * WG)
#define BACK        8              /* positions read at once when searching backwards */
#define ITEMS_STRIP (STRIP / ITEM) /* work-items of a strip */

typedef struct head_event {
    uint number, begin, end;
} head_event;

inline head_event head_event_at(const digi_input *in, mote_pixels_params prm, uint p, uint lo)
{
    head_event e;
    e.number = event_of(in->events, p, lo, prm.n_events - 1);
    e.begin = 0;
    e.end = in->n;
    if (prm.flags & MOTE_PIXELS_HAS_EVENTS) {
        e.begin = e.number ? in->events[e.number] : 0;
        e.end = e.number + 1 < prm.n_events ? in->events[e.number + 1] : in->n;
    }
    return e;
}

/* Returns the module id of position p; NONE = invalid. */
inline uint head_id(const digi_input *in, mote_pixels_params prm, uint p)
{
    uint id = in->module_id[p];
    return module_valid(id, prm) ? id : NONE;
}

/* Returns the last valid id before p, not before `least`; `id` is that of p - 1. */
inline uint head_before(const digi_input *in, mote_pixels_params prm, uint p, uint least, uint id)
{
    uint found = p > least ? id : NONE;
    for (p -= p > least; found == NONE && p > least; p = p > least + BACK ? p - BACK : least)
        for (uint k = 0; k < BACK; k++) {
            id = p > least + k ? head_id(in, prm, p - 1 - k) : NONE;
            found = found == NONE ? id : found;
        }
    return found;
}

/* Loads the ids of ITEM positions from `first` on, a multiple of ITEM; from `end` on they are
 * invalid. One load if the address is aligned (`even`). */
inline void head_ids(const digi_input *in, mote_pixels_params prm, uint first, uint end, bool even,
                     uint *id)
{
    if (even && first + ITEM <= end) {
        CAT(ID_T, 8) all = *(const __global CAT(ID_T, 8) *)(in->module_id + first);
        id[0] = all.s0;
        id[1] = all.s1;
        id[2] = all.s2;
        id[3] = all.s3;
        id[4] = all.s4;
        id[5] = all.s5;
        id[6] = all.s6;
        id[7] = all.s7;
    } else {
        for (uint j = 0; j < ITEM; j++)
            id[j] = first + j < end ? in->module_id[first + j] : prm.invalid_module;
    }
}

/* Clears memory for the later launches, by all groups together. */
inline void heads_clear(const digi_input *in, mote_pixels_params prm, __global uint *n_clusters,
                        __global uint *owner, __global uint *large, __global uint *error)
{
    uint slots = prm.n_events * prm.n_modules;
    for (uint k = get_global_id(0); k < slots; k += get_global_size(0)) {
        n_clusters[k] = 0;
        owner[k] = NONE;
    }
    input_open(prm, in->events, in->n, large);
    if (prm.flags & MOTE_PIXELS_HAS_ERROR)
        for (uint k = get_global_id(0); k < MOTE_ERROR_SLOTS; k += get_global_size(0))
            error[k] = MOTE_ERROR_SLOT_CLEAR;
}

/* The kinds of a work-item's positions: bit j describes position j. */
typedef struct head_items {
    uint found, invalid,
        bad; /* heads; invalid digis; digis whose id is neither valid nor the invalid id */
} head_items;

/* Classifies positions first .. end - 1, whose ids are `id`; `before` is the id before them. `e` is
 * the event of the group's first position. */
inline head_items heads_find(const digi_input *in, mote_pixels_params prm, uint first, uint end,
                             uint *id, uint before, head_event e)
{
    head_items f;
    if (first >= e.end)
        e = head_event_at(in, prm, first, e.number);
    f.found = f.invalid = f.bad = 0;
#pragma unroll
    for (uint j = 0; j < ITEM; j++) {
        bool valid = module_valid(id[j], prm);
        f.invalid |= (uint)!valid << j;
        f.bad |= (uint)(!valid & (id[j] != prm.invalid_module)) << j;
        id[j] = valid ? id[j] : NONE;
    }
    uint previous = first > e.begin ? before : NONE;
    /* Valid digis of the next event do not require a backward search in this event. */
    uint mine = e.end - first < ITEM ? (1u << (e.end - first)) - 1 : (1u << ITEM) - 1;
    if (previous == NONE && (~f.invalid & mine))
        previous = head_before(in, prm, first, e.begin, before);
    bool across = first + ITEM > e.end;
#pragma unroll
    for (uint j = 0; j < ITEM; j++) {
        if (across && first + j >= e.end) {
            e = head_event_at(in, prm, first + j, e.number);
            previous = NONE;
        }
        f.found |= (uint)((id[j] != NONE) & (id[j] != previous)) << j;
        previous = id[j] == NONE ? previous : id[j];
    }
    f.invalid &= first + ITEM > end ? (1u << (end - first)) - 1 : NONE;
    return f;
}

/* Returns the index of the lowest bit. */
inline uint heads_lowest(uint bits)
{
    return (uint)popcount((bits & -bits) - 1);
}

/* Writes the outputs of invalid digis. */
inline void heads_invalid(uint invalid, mote_pixels_params prm, uint first,
                          __global int *cluster_id, __global ID_T *module_id_out)
{
    for (; invalid; invalid &= invalid - 1) {
        uint p = first + heads_lowest(invalid);
        cluster_id[p] = (int)prm.invalid_cluster;
        if (module_id_out)
            module_id_out[p] = (ID_T)prm.invalid_module;
    }
}

/* Writes a work-item's heads after the heads of earlier work-items in its strip. Most work-items
 * have at most one head, so its id is read again instead of being kept; it may have changed since
 * the first reading. */
inline void heads_write(uint found, const digi_input *in, mote_pixels_params prm, uint first,
                        ulong bits, head_event e, __global uint *head)
{
    uint rank = (uint)popcount(bits & ((1UL << first % STRIP) - 1));
    for (; found; found &= found - 1) {
        uint p = first + heads_lowest(found);
        if (p >= e.end)
            e = head_event_at(in, prm, p, e.number);
        head[2 * rank] = p;
        uint id = min((uint)in->module_id[p], prm.n_modules - 1);
        head[2 * rank++ + 1] = e.number * prm.n_modules + id;
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void heads(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_at,
    const __global uint *events, ulong events_at, const __global uint *n_device, ulong n_device_at,
    __global int *cluster_id, ulong cluster_id_at, __global ID_T *module_id_out,
    ulong module_id_out_at, __global uint *n_clusters, ulong n_clusters_at, __global uint *owner,
    ulong owner_at, __global uint *strips, ulong strips_at, __global uint *large, ulong large_at,
    __global uint *error, ulong error_at)
{
    /* For each strip, a byte for each of its work-items, the first one lowest. */
    __local ulong found[WG / ITEMS_STRIP], bad[WG / ITEMS_STRIP];
    uint lid = get_local_id(0), group = get_group_id(0) * SPAN, first = group + ITEM * lid;
    uint all = (prm.n + STRIP - 1) / STRIP, strip = first / STRIP;
    __global uint *word = strips + strips_at;
    digi_input in;
    in.module_id = module_id + module_id_at;
    in.events = events + events_at;
    in.n = input_length(prm, n_device + n_device_at);
    heads_clear(&in, prm, n_clusters + n_clusters_at, owner + owner_at, large + large_at,
                error + error_at);
    bool even = (size_t)in.module_id % sizeof(CAT(ID_T, 8)) == 0;
    /* Ids are being loaded while the event is searched for. */
    uint id[ITEM], before = NONE;
    if (first < in.n) {
        before = first ? head_id(&in, prm, first - 1) : NONE;
        head_ids(&in, prm, first, in.n, even, id);
    }
    head_event e = head_event_at(&in, prm, group, 0);
    head_items f;
    f.found = f.invalid = f.bad = 0;
    if (first < in.n)
        f = heads_find(&in, prm, first, in.n, id, before, e);
    ((__local uchar *)found)[lid] = (uchar)f.found;
    ((__local uchar *)bad)[lid] = (uchar)f.bad;
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong bits = found[lid / ITEMS_STRIP];
    if (f.found)
        heads_write(f.found, &in, prm, first, bits, e, word + strip_heads(all, strip));
    if (f.invalid)
        heads_invalid(f.invalid, prm, first, cluster_id + cluster_id_at,
                      module_id_out ? module_id_out + module_id_out_at : module_id_out);
    if (lid % ITEMS_STRIP == 0 && strip < all) {
        ulong first_bad = bad[lid / ITEMS_STRIP];
        uint place = first_bad ? (uint)popcount((first_bad & -first_bad) - 1) + 1 : 0;
        word[strip] = (uint)popcount(bits) | place << 8;
    }
}
