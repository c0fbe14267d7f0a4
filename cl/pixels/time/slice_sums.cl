/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up the hits of clusters in slices of the order by time.
 *
 * Form: GPU.
 * Defines: WG, which is 256, ADC_T. */
#include "common/guard.clh"
#include "pixels/time/hit.clh"
#include "pixels/clusters/part.clh" /* needs NONE */

#define SLICE   MOTE_TIME_SLICE
#define EARLIER 128     /* lists of hits of clusters that begin before the slice */
#define END     0xffffu /* of a list */

/* The hits of a slice that are added up: lists of the hits of each cluster. */
typedef struct lists {
    volatile uint head[SLICE + EARLIER];
    ushort next[SLICE];
    uint staged[WG * (RECORD_WORDS + 1)]; /* records, and whether they are complete */
} lists;

/* Where the hits and their charges are. */
typedef struct input {
    const __global hit *hits;
    const __global ADC_T *charge;
    uint rows, columns;
} input;

inline void add_hit(const input *in, uint i, part *sum)
{
    const hit one = in->hits[i];
    const uint y = one.pixel / in->rows;
    part_add(sum, one.pixel - y * in->rows, y % in->columns,
             in->charge ? (uint)in->charge[one.index] : 0, 1, one.index);
}

/* Stores the sums as a record. */
inline void stage_record(__local uint *to, const part *sum)
{
    const uint words[RECORD_WORDS] = {sum->size,
                                      sum->first_digi,
                                      (uint)sum->charge,
                                      (uint)(sum->charge >> 32),
                                      (uint)sum->sum_x.low,
                                      (uint)(sum->sum_x.low >> 32),
                                      sum->sum_x.high,
                                      (uint)sum->sum_y.low,
                                      (uint)(sum->sum_y.low >> 32),
                                      sum->sum_y.high,
                                      (uint)sum->sum_xx.low,
                                      (uint)(sum->sum_xx.low >> 32),
                                      sum->sum_xx.high,
                                      (uint)sum->sum_yy.low,
                                      (uint)(sum->sum_yy.low >> 32),
                                      sum->sum_yy.high,
                                      (uint)sum->plain_x,
                                      (uint)(sum->plain_x >> 32),
                                      (uint)sum->plain_y,
                                      (uint)(sum->plain_y >> 32),
                                      sum->x_min,
                                      sum->x_max,
                                      sum->y_min,
                                      sum->y_max};
    for (uint w = 0; w < RECORD_WORDS; w++)
        to[w] = words[w];
}

/* Adds up the hits of each cluster. The hits of a cluster in a slice form a list. If the cluster is
 * complete in its slice, its record is written at once; otherwise, order_labels has cleared it, and
 * the sums of its slices are added by atomics. The clusters that begin in a slice have consecutive
 * numbers. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void slice_sums(
    ulong n, uint rows, uint columns, const __global uint *hits, ulong hits_at,
    const __global uint *root, ulong root_at, const __global uint *last, ulong last_at,
    const __global uint *number, ulong number_at, const __global ADC_T *charge, ulong charge_at,
    __global mote_pixels_cluster_record *records, ulong records_at, uint capacity,
    const __global uint *state, ulong state_at)
{
    __local lists local_memory;
    __local lists *l = &local_memory;
    const uint lid = get_local_id(0), begin = get_group_id(0) * SLICE;
    const input in = {(const __global hit *)(hits + hits_at), charge ? charge + charge_at : 0, rows,
                      columns};
    __global uint *words = (__global uint *)(records + records_at);
    GUARD_GROUP(state_is_set(state, state_at, MOTE_TIME_PIXELS), n = begin);
    const uint end = (uint)min((ulong)begin + SLICE, n);
    number += number_at;
    root += root_at;
    for (uint k = lid; k < SLICE + EARLIER; k += WG)
        l->head[k] = END;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint first = number[begin], own = number[end] - first;
    for (uint i = begin + lid; i < end; i += WG) {
        const uint r = root[i], k = number[r];
        if (number[r + 1] != k && k < capacity) {
            const uint slot = r >= begin ? k - first : SLICE + r % EARLIER;
            l->next[i - begin] = (ushort)atomic_xchg(&l->head[slot], i - begin);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint base = 0; base < own; base += WG) {
        const uint slot = base + lid;
        __local uint *staged = l->staged + lid * (RECORD_WORDS + 1);
        uint lowest = END;
        part sum;
        part_begin(&sum, first + slot);
        for (uint e = slot < own ? l->head[slot] : END; e != END; e = l->next[e]) {
            add_hit(&in, begin + e, &sum);
            lowest = min(lowest, e);
        }
        const bool whole = lowest != END && last[last_at + begin + lowest] < end;
        if (whole)
            stage_record(staged, &sum);
        else if (lowest != END)
            part_end(&sum, records + records_at);
        staged[RECORD_WORDS] = whole;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint w = lid; w < min(own - base, (uint)WG) * RECORD_WORDS; w += WG) {
            const uint at = w + w / RECORD_WORDS;
            if (l->staged[w / RECORD_WORDS * (RECORD_WORDS + 1) + RECORD_WORDS])
                words[(ulong)(first + base) * RECORD_WORDS + w] = l->staged[at];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    /* Clusters that begin before the slice; a list may contain the hits of several ones. */
    part sum;
    part_begin(&sum, NONE);
    for (uint e = lid < EARLIER ? l->head[SLICE + lid] : END; e != END; e = l->next[e]) {
        const uint k = number[root[begin + e]];
        if (k != sum.record) {
            part_end(&sum, records + records_at);
            part_begin(&sum, k);
        }
        add_hit(&in, begin + e, &sum);
    }
    part_end(&sum, records + records_at);
}
