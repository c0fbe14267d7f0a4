/* SPDX-License-Identifier: Apache-2.0 */
/* Clustering, the launch before the one with two roles: clears what that one adds to, gives invalid
 * digis their outputs, and lists where segments begin.
 *
 * A work-item takes four neighbouring positions. A valid digi is a head when the last valid one
 * before it in its event has another key. Whoever has a valid digi looks back for it: over a
 * stretch of invalid ones only the first valid digi behind it walks, so the work stays linear.
 * Nothing is reported here, since the error word is only being cleared.
 *
 * Form: GPU.
 * Defines: WG, ID_T, ADC_T, ORDER_ANY (pixels/input.clh), DUPLICATES (of no matter here). */
#include "common/macros.clh"
#include "pixels/cluster/strip.clh"

#define ITEM 4
#define SPAN (ITEM * WG)
#define BACK 8 /* positions read at once when looking back */

typedef struct head_event {
    uint number, begin, end;
} head_event;

inline head_event head_event_at(const digi_input *in, mote_pixels_params prm, uint p, uint lo,
                                uint hi)
{
    head_event e;
    e.number = event_of(in->events, p, lo, hi);
    e.begin = 0;
    e.end = in->n;
    if (prm.flags & MOTE_PIXELS_HAS_EVENTS) {
        e.begin = e.number ? in->events[e.number] : 0;
        e.end = e.number + 1 < prm.n_events ? in->events[e.number + 1] : in->n;
    }
    return e;
}

/* The module id of position p; NONE = invalid. */
inline uint head_id(const digi_input *in, mote_pixels_params prm, uint p)
{
    uint id = in->module_id[p];
    return module_valid(id, prm) ? id : NONE;
}

/* The last valid id before p, not before `least`; `id` is that of p - 1. */
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

/* The ids of ITEM positions from `first` on, a multiple of ITEM; one load where they are so in
 * memory, too. */
inline void head_ids(const digi_input *in, mote_pixels_params prm, uint first, uint end, bool even,
                     uint *id)
{
    if (even && first + ITEM <= end) {
        CAT(ID_T, 4) four = *(const __global CAT(ID_T, 4) *)(in->module_id + first);
        id[0] = four.x;
        id[1] = four.y;
        id[2] = four.z;
        id[3] = four.w;
        for (uint j = 0; j < ITEM; j++)
            id[j] = module_valid(id[j], prm) ? id[j] : NONE;
        return;
    }
    for (uint j = 0; j < ITEM; j++)
        id[j] = first + j < end ? head_id(in, prm, first + j) : NONE;
}

/* The clears of all groups together. */
inline void heads_clear(mote_pixels_params prm, __global uint *n_clusters, __global uint *owner,
                        __global uint *large, __global uint *error)
{
    uint slots = prm.n_events * prm.n_modules;
    for (uint k = get_global_id(0); k < slots; k += get_global_size(0)) {
        n_clusters[k] = 0;
        owner[k] = NONE;
    }
    if (get_global_id(0) == 0)
        large[0] = 0;
    if (prm.flags & MOTE_PIXELS_HAS_ERROR)
        for (uint k = get_global_id(0); k < MOTE_ERROR_SLOTS; k += get_global_size(0))
            error[k] = MOTE_ERROR_SLOT_CLEAR;
}

/* Four positions of a work-item: which of them are heads, and what their heads say. */
typedef struct head_four {
    uint found, id[ITEM], number[ITEM];
} head_four;

/* The local memory of a group: a bit for each head, and of each strip the first bad id. */
typedef struct heads_local {
    uint bits[SPAN / 32];
    uint bad[SPAN / STRIP];
} heads_local;

/* Gives an invalid digi its outputs. */
inline void head_invalid(const digi_input *in, mote_pixels_params prm, uint p, uint in_group,
                         __global int *cluster_id, __global ID_T *module_out,
                         volatile __local heads_local *l)
{
    cluster_id[p] = (int)prm.invalid_cluster;
    if (in->module_id[p] != prm.invalid_module)
        atomic_min(&l->bad[in_group / STRIP], in_group % STRIP);
    if (module_out)
        module_out[p] = (ID_T)prm.invalid_module;
}

/* Finds the heads among positions first .. end - 1 of the group that begins at `group`. */
inline head_four heads_find(const digi_input *in, mote_pixels_params prm, uint group, uint first,
                            uint end, bool even, __global int *cluster_id,
                            __global ID_T *module_out, volatile __local heads_local *l)
{
    head_four f;
    uint low = 0, high = 0;
    /* Loads that wait for nothing come first. */
    uint id = first ? head_id(in, prm, first - 1) : NONE;
    head_ids(in, prm, first, end, even, f.id);
    if (prm.n_events > 1) {
        low = event_of(in->events, group, 0, prm.n_events - 1);
        high = event_of(in->events, min(group + SPAN, in->n) - 1, low, prm.n_events - 1);
    }
    head_event e = head_event_at(in, prm, first, low, high);
    uint previous = NONE, valid = 0;
    for (uint j = 0; j < ITEM; j++)
        valid |= f.id[j] != NONE && first + j < e.end;
    if (valid)
        previous = head_before(in, prm, first, e.begin, id);
    f.found = 0;
#pragma unroll
    for (uint j = 0; j < ITEM; j++) {
        uint p = first + j;
        if (p >= e.end && p < end) {
            e = head_event_at(in, prm, p, e.number, high);
            previous = NONE;
        }
        f.number[j] = e.number;
        if (f.id[j] != NONE) {
            f.found |= (uint)(f.id[j] != previous) << j;
            previous = f.id[j];
        } else if (p < end) {
            head_invalid(in, prm, p, p - group, cluster_id, module_out, l);
        }
    }
    return f;
}

/* Writes a work-item's heads behind those before it in its strip. */
inline void heads_write(const head_four *f, mote_pixels_params prm, uint group, uint all,
                        __global uint *word, const volatile __local heads_local *l)
{
    uint at = ITEM * get_local_id(0), strip = at / STRIP, rank = 0;
    for (uint w = strip * (STRIP / 32); w < at / 32; w++)
        rank += popcount(l->bits[w]);
    rank += popcount(l->bits[at / 32] & ((1u << (at & 31)) - 1));
#pragma unroll
    for (uint j = 0; j < ITEM; j++)
        if (f->found >> j & 1) {
            ulong to = strip_heads(all, group / STRIP + strip) + 2 * rank++;
            word[to] = group + at + j;
            word[to + 1] = f->number[j] * prm.n_modules + f->id[j];
        }
}

/* Writes the word of each strip: how many heads, and above 8 bits its first bad id plus 1. */
inline void heads_count(uint group, uint all, __global uint *word,
                        const volatile __local heads_local *l)
{
    for (uint s = get_local_id(0); s < SPAN / STRIP; s += WG)
        if (group / STRIP + s < all) {
            uint heads = 0;
            for (uint w = 0; w < STRIP / 32; w++)
                heads += popcount(l->bits[s * (STRIP / 32) + w]);
            word[group / STRIP + s] = heads | (l->bad[s] + 1) << 8;
        }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void heads(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_offset,
    const __global uint *events, ulong events_offset, const __global uint *n_device,
    ulong n_device_offset, __global int *cluster_id, ulong cluster_id_offset, __global ID_T *module_out, ulong module_out_offset,
    __global uint *n_clusters, ulong n_clusters_offset, __global uint *owner, ulong owner_offset,
    __global uint *strips, ulong strips_offset, __global uint *large, ulong large_offset,
    __global uint *error, ulong error_offset)
{
    __local heads_local l;
    uint lid = get_local_id(0), group = get_group_id(0) * SPAN, first = group + ITEM * lid;
    uint all = (prm.n + STRIP - 1) / STRIP;
    __global uint *word = strips + strips_offset;
    digi_input in;
    in.module_id = module_id + module_id_offset;
    in.events = events + events_offset;
    in.n = input_length(prm, n_device + n_device_offset);
    heads_clear(prm, n_clusters + n_clusters_offset, owner + owner_offset, large + large_offset,
                error + error_offset);
    for (uint k = lid; k < SPAN / 32; k += WG)
        l.bits[k] = 0;
    for (uint k = lid; k < SPAN / STRIP; k += WG)
        l.bad[k] = NONE;
    barrier(CLK_LOCAL_MEM_FENCE);
    head_four f;
    f.found = 0;
    if (first < in.n)
        f = heads_find(&in, prm, group, first, min(first + ITEM, in.n),
                       module_id_offset % ITEM == 0, cluster_id + cluster_id_offset,
                       module_out ? module_out + module_out_offset : module_out, &l);
    if (f.found)
        atomic_or((volatile __local uint *)&l.bits[lid / 8], f.found << ITEM * (lid % 8));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (f.found)
        heads_write(&f, prm, group, all, word, &l);
    heads_count(group, all, word, &l);
}
