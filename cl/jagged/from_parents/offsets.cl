/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets from labels, for GPUs: offsets[k] is the number of elements whose label is below k.
 *
 * If an element has label `label` and the element before it has label `before`, the lists
 * before + 1 .. label begin with this element: a run of lists. The last groups process tiles of
 * elements, four per work-item at a time: a work-item writes short runs alone, and the group writes
 * longer runs together. Runs of more than `span` lists are left to the first groups, which process
 * `span` lists each: such a run holds the first or the last list of every tile that it touches, so
 * two searches find where it begins. If lists are short, offsets_short_lists.cl is used instead.
 *
 * Form: GPU.
 * Defines: WG, INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). */
#include "common/macros.clh"
#include "jagged/from_parents/labels.clh"
#include "shared/from_parents.h"

#define TILE        MOTE_FROM_PARENTS_TILE(WG) /* most elements of a group */
#define QUADS       MOTE_FROM_PARENTS_QUADS
#define QUEUE       256 /* runs that the group writes; a work-item writes the other runs */
#define SHORT       8   /* lists that a work-item writes by itself */
#define TEAM        (WG % 8 == 0 ? 8 : WG) /* work-items that write a run together */
#define LONG        128                    /* lists for which a run uses the whole group */
#define MOST_ROUNDS 33

/* The parameters of the call: labels, and the most lists of a run that elements write. */
typedef struct task {
    labels in;
    uint span;
    __global INDEX *offsets;
    volatile __global uint *error;
} task;

typedef struct found {
    uint at[2 * MOST_ROUNDS];
    uchar below[2 * WG];
} found;

/* Counts the labels below each of two keys by a search of the whole group: in each round, every
 * work-item reads one label for each key, and the range shrinks to about 1 / (WG + 1). `rounds` is
 * sufficient for n elements. */
inline ulong2 find_labels(const labels *in, long2 key, uint rounds, volatile __local found *f)
{
    uint lid = get_local_id(0);
    ulong2 lo = (ulong2)(0), hi = (ulong2)(in->n);
    for (uint k = lid; k < 2 * MOST_ROUNDS; k += WG)
        f->at[k] = 0;
    for (uint r = 0; r < rounds; r++) {
        ulong2 step = (hi - lo) / (WG + 1) + 1;
        ulong2 at = lo + (ulong)(lid + 1) * step - 1;
        bool x = at.x < hi.x && label_of(in, at.x) < key.x;
        bool y = at.y < hi.y && label_of(in, at.y) < key.y;
        f->below[lid] = x;
        f->below[WG + lid] = y;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (x && (lid == WG - 1 || !f->below[lid + 1]))
            atomic_max(&f->at[2 * r], lid + 1);
        if (y && (lid == WG - 1 || !f->below[WG + lid + 1]))
            atomic_max(&f->at[2 * r + 1], lid + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        lo += (ulong2)(f->at[2 * r], f->at[2 * r + 1]) * step;
        hi = min(hi, lo + step - 1);
    }
    return lo;
}

/* Returns the label of element i; m after the last element. */
inline int label_or_end(const labels *in, ulong i)
{
    return i < in->n ? label_of(in, i) : (int)in->m;
}

/* Writes the lists first .. last that begin with one element, if their run is a long one. */
inline void write_span(const task *t, ulong element, long first, long last)
{
    long before = max(label_before(&t->in, element), -1);
    long label = min((long)label_or_end(&t->in, element), (long)t->in.m);
    if (label - before <= t->span)
        return;
    for (long k = max(first, before + 1) + get_local_id(0); k <= min(last, label); k += WG)
        t->offsets[k] = (INDEX)element;
}

inline void take_lists(const task *t, uint tile, uint rounds, volatile __local found *f)
{
    long first = (long)tile * t->span, last = min(first + t->span - 1, (long)t->in.m);
    ulong2 element = find_labels(&t->in, (long2)(first, last), rounds, f);
    write_span(t, element.x, first, last);
    if (element.y != element.x)
        write_span(t, element.y, first, last);
    MOTE_RECONVERGE();
}

/* Lists first .. first + count - 1 begin with the same element; `what` holds the element's number
 * in the tile and, in the lowest 16 bits, count - 1. */
typedef struct run {
    uint first, what;
} run;

typedef struct tile_local {
    run queue[QUEUE];
    uint queued;
} tile_local;

/* Writes every step-th list of a run, from `at` on. `from`: the element with number 0 of the tile.
 */
inline void write_run(const task *t, long from, run r, uint at, uint step)
{
    uint count = (r.what & 0xffff) + 1;
    INDEX element = (INDEX)(from + (r.what >> 16));
    for (uint k = at; k < count; k += step)
        t->offsets[r.first + k] = element;
}

/* Writes the queued runs: short ones by teams of neighbours, long ones by the whole group. */
inline void write_runs(const task *t, long from, __local tile_local *l)
{
    uint lid = get_local_id(0), runs = min(l->queued, (uint)QUEUE);
    for (uint q = lid / TEAM; q < runs; q += WG / TEAM)
        if ((l->queue[q].what & 0xffff) < LONG)
            write_run(t, from, l->queue[q], lid % TEAM, TEAM);
    for (uint q = 0; q < runs; q++)
        if ((l->queue[q].what & 0xffff) >= LONG)
            write_run(t, from, l->queue[q], lid, WG);
    MOTE_RECONVERGE();
}

/* Processes a run of more than one list, or an invalid label. */
inline void take_run(const task *t, long from, __local tile_local *l, uint number, int before,
                     int label)
{
    ulong i = from + number;
    if (i < t->in.n && label_bad(&t->in, before, label))
        error_report(t->error, MOTE_SLOT_PARENTS, (uint)i);
    uint first = (uint)max(before, -1) + 1, last = min((uint)max(label, -1) + 1, t->in.m + 1);
    if (first >= last || last - first > t->span)
        return;
    run r = {first, number << 16 | (last - first - 1)};
    uint place = last - first > SHORT ? atomic_inc(&l->queued) : QUEUE;
    if (place < QUEUE)
        l->queue[place] = r;
    else
        write_run(t, from, r, 0, 1);
}

/* Processes an element whose label differs from the label before it, or is negative. */
inline void take_element(const task *t, long from, __local tile_local *l, uint number, int before,
                         int label)
{
    if ((uint)label == (uint)before + 1 && (uint)label < t->in.m)
        t->offsets[label] = (INDEX)(from + number);
    else if (label != before || label < 0)
        take_run(t, from, l, number, before, label);
}

/* Labels of four elements from a position on that is a multiple of four in memory. */
inline int4 labels_of(const labels *in, ulong i)
{
    index4_t v = *(const __global index4_t *)(in->parents + i);
#if INDEX_LONG
    return convert_int4(clamp(v, (long4)(-1), (long4)(INT_MAX)));
#elif INDEX_SIGNED
    return v;
#else
    return convert_int4(min(v, (uint4)(INT_MAX)));
#endif
}

/* Processes four elements at once. Most elements have the label of the previous one. The others are
 * processed one after another, so that neighbouring work-items with one such element each process
 * them at the same time. */
inline void take_four(const task *t, long from, __local tile_local *l, uint number, int before,
                      int4 label)
{
    uint left = (uint)(label.x != before || label.x < 0) | (uint)(label.y != label.x) << 1 |
                (uint)(label.z != label.y) << 2 | (uint)(label.w != label.z) << 3;
    while (left) {
        uint k = 31 - clz(left);
        left ^= 1u << k;
        int now = k == 0 ? label.x : k == 1 ? label.y : k == 2 ? label.z : label.w;
        int last = k == 0 ? before : k == 1 ? label.x : k == 2 ? label.y : label.z;
        take_element(t, from, l, number + k, last, now);
    }
}

/* A tile: elements from + first .. from + end - 1. Element from + x, for x a multiple of four, is
 * aligned in memory. */
typedef struct tile {
    long from;
    uint first, end;
} tile;

/* Processes four elements per work-item at a time: all loads are in flight before the first result
 * is used. */
inline void take_tile(const task *t, const tile *b, __local tile_local *l)
{
    int4 label[QUADS];
    int before[QUADS];
#pragma unroll
    for (uint j = 0; j < QUADS; j++) {
        uint x = 4 * (get_local_id(0) + j * WG);
        if (x < b->first || x + 4 > b->end)
            continue;
        label[j] = labels_of(&t->in, b->from + x);
        before[j] = label_before(&t->in, b->from + x);
    }
#pragma unroll
    for (uint j = 0; j < QUADS; j++) {
        uint x = 4 * (get_local_id(0) + j * WG);
        if (x >= b->first && x + 4 <= b->end) {
            take_four(t, b->from, l, x, before[j], label[j]);
            continue;
        }
        for (uint k = max(x, b->first); k < min(x + 4, b->end); k++)
            take_element(t, b->from, l, k, label_before(&t->in, b->from + k),
                         label_of(&t->in, b->from + k));
    }
    /* The lists after the last element. */
    if (get_local_id(0) == 0 && b->from + b->end == t->in.n)
        take_element(t, b->from, l, b->end, label_before(&t->in, t->in.n), (int)t->in.m);
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void offsets_from_parents(
    const __global INDEX *restrict parents, ulong parents_at, ulong n, uint m, uint rounds,
    uint span, uint spans, uint lead, __global INDEX *restrict offsets, ulong offsets_at,
    volatile __global uint *error, ulong error_at)
{
    __local found search;
    __local tile_local local_memory;
    const uint group = get_group_id(0);
    const task t = {{parents + parents_at, n, m}, span, offsets + offsets_at, error + error_at};
    if (get_local_id(0) == 0)
        local_memory.queued = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (group < spans) {
        take_lists(&t, group, rounds, &search);
    } else {
        const ulong place = (ulong)(group - spans) * TILE;
        const tile b = {(long)place - lead, place ? 0 : lead,
                        (uint)min((ulong)TILE, n + lead - place)};
        take_tile(&t, &b, &local_memory);
        barrier(CLK_LOCAL_MEM_FENCE);
        write_runs(&t, b.from, &local_memory);
    }
}
