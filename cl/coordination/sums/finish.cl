/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up the partial sums of the pair kernels, always in the same order, and writes all outputs.
 *
 * A frame has 1 + row_groups groups. The first group computes value and virial, and for the
 * launch's first frame the error word. The others process rows: entries, and also atoms if
 * derivatives are per atom.
 *
 * Form: both.
 * Defines: WG (a multiple of 8), PLANES (1: partial sums are those of all pairs on CPUs), BATCH
 * (partial sums that are loaded before any is added), DOUBLE (coordination/real.clh), PBC
 * (coordination/image.clh). */
#include "common/error.clh"
#include "coordination/sums/acc.clh"

typedef struct sums {
    acc x, y, z, s;
} sums;

#if PLANES

/* Adds the partial sums of an entry; a frame has slices_a rows of four planes. */
inline void add_entry(sums *sum, const __global acc *partial, const mote_coordination_params *p,
                      uint entry)
{
    const __global acc *from = partial + (entry < p->n_a ? entry : p->skip + (entry - p->n_a));
    for (uint k = 0; k < p->slices_a; k++) {
        sum->x = acc_join(sum->x, from[0]);
        sum->y = acc_join(sum->y, from[p->plane]);
        sum->z = acc_join(sum->z, from[2 * (ulong)p->plane]);
        sum->s = acc_join(sum->s, from[3 * (ulong)p->plane]);
        from += 4 * (ulong)p->plane;
    }
}

#define PARTIALS(mem, at, p, number)                                                               \
    ((const __global acc *)(mem) + (at) + (number)*4 * (ulong)(p).plane * (p).slices_a)

#else

inline void add_entry(sums *sum, const __global real4 *partial, const mote_coordination_params *p,
                      uint entry)
{
    uint of_b = entry >= p->n_a, slices = of_b ? p->slices_b : p->slices_a;
    uint step = of_b ? p->n_b : p->n_a;
    const __global real4 *from =
        partial + (of_b ? (ulong)p->slices_a * p->n_a + (entry - p->n_a) : entry);
    for (uint first = 0; first < slices; first += BATCH) {
        real4 batch[BATCH];
        UNROLLED
        for (uint k = 0; k < BATCH; k++) {
            batch[k] = first + k < slices ? *from : (real4)(0);
            from += step;
        }
        UNROLLED
        for (uint k = 0; k < BATCH; k++) {
            sum->x = acc_plus(sum->x, batch[k].x);
            sum->y = acc_plus(sum->y, batch[k].y);
            sum->z = acc_plus(sum->z, batch[k].z);
            sum->s = acc_plus(sum->s, batch[k].w);
        }
    }
}

#define PARTIALS(mem, at, p, number)                                                               \
    (REALS4(mem, at) + (number) * ((ulong)(p).slices_a * (p).n_a + (ulong)(p).slices_b * (p).n_b))

#endif

/* Returns the sum of one kind of total over the groups that this work-item adds up. */
inline acc add_column(const __global acc *totals, uint groups)
{
    uint row = get_local_id(0) / TOTALS, column = get_local_id(0) % TOTALS;
    acc sum = ACC_ZERO;
    for (uint first = row; first < groups; first += WG / TOTALS * BATCH) {
        acc batch[BATCH];
        UNROLLED
        for (uint k = 0; k < BATCH; k++) {
            ulong at = first + k * (ulong)(WG / TOTALS);
            batch[k] = at < groups ? totals[at * TOTALS + column] : ACC_ZERO;
        }
        UNROLLED
        for (uint k = 0; k < BATCH; k++)
            sum = acc_join(sum, batch[k]);
    }
    return sum;
}

/* Stores number `index` of a view: a double, or two floats. */
inline void store_acc(__global float *out, ulong view_at, ulong index, uint add, acc a)
{
#if defined(MOTE_FP64)
    __global double *to = (__global double *)out + view_at + index;
    *to = add ? *to + a : a;
#else
    if (add) {
        acc there = {out[view_at + 2 * index], out[view_at + 2 * index + 1]};
        a = acc_join(there, a);
    }
    out[view_at + 2 * index] = a.x;
    out[view_at + 2 * index + 1] = a.y;
#endif
}

/* Overwrites, or adds to, the stored value. */
inline void store(__global float *out, ulong at, uint is_double, uint add, wide x)
{
#if defined(MOTE_FP64)
    __global double *doubles = (__global double *)out;
    if (is_double) {
        doubles[at] = add ? doubles[at] + x : x;
        return;
    }
#endif
    out[at] = add ? (float)(out[at] + x) : (float)x;
}

inline void store_derivative(const mote_coordination_ending *e,
                             const mote_coordination_frame *frame, const sums *sum,
                             __global float *derivatives, ulong at)
{
    uint add = e->flags & MOTE_COORDINATION_END_ACCUMULATE;
    uint is_double = e->flags & MOTE_COORDINATION_END_DOUBLES;
    wide scale = WIDE_OF(e->derivative_scale);
    wide x = acc_value(sum->x) * scale, y = acc_value(sum->y) * scale;
    wide z = acc_value(sum->z) * scale;
#if PBC == MOTE_COORDINATION_TRICLINIC
    wide r[9], cx = x, cy = y, cz = z;
    for (uint k = 0; k < 9; k++)
        r[k] = WIDE_OF(frame->rotation + 2 * k);
    x = cx * r[0] + cy * r[3] + cz * r[6];
    y = cx * r[1] + cy * r[4] + cz * r[7];
    z = cx * r[2] + cy * r[5] + cz * r[8];
#endif
    store(derivatives, at, is_double, add, x);
    store(derivatives, at + 1, is_double, add, y);
    store(derivatives, at + 2, is_double, add, z);
}

/* Returns the index of the virial's element (i, j) among the totals, i <= j. */
inline uint virial_place(uint i, uint j)
{
    return 1 + i * (5 - i) / 2 + j;
}

/* v: s, then the upper triangle of the virial in the cell's axes. v and the frame are in local
 * memory, because compilers for Intel's GPUs would not keep them in registers if they were private.
 */
inline void store_totals(const mote_coordination_ending *e,
                         const __local mote_coordination_frame *frame, const __local acc *v,
                         ulong number, __global float *value, ulong value_at,
                         __global float *virial, ulong virial_at)
{
    uint onto = e->flags & MOTE_COORDINATION_END_ONTO;
    if (value)
        store_acc(value, value_at, number, onto, acc_times(v[0], WIDE_OF(e->value_scale)));
    if (!virial)
        return;
    for (uint k = 0; k < 9; k++) {
        uint i = min(k / 3, k % 3),
             j = max(k / 3, k % 3); /* so that both halves have the same bits */
        acc sum = v[virial_place(i, j)];
#if PBC == MOTE_COORDINATION_TRICLINIC
        sum = ACC_ZERO;
        for (uint m = 0; m < 9; m++)
            sum = acc_join(sum, acc_times(v[virial_place(min(m / 3, m % 3), max(m / 3, m % 3))],
                                          WIDE_OF(frame->rotation + 2 * (m / 3 * 3 + i)) *
                                              WIDE_OF(frame->rotation + 2 * (m % 3 * 3 + j))));
#endif
        store_acc(virial, virial_at, 9 * number + k, onto,
                  acc_times(sum, WIDE_OF(e->virial_scale)));
    }
}

/* Reports the lowest bad atom and box of the launch, merged with those of earlier launches of the
 * call. Every work-item of the group must call this function; without `error` it does nothing. */
inline void write_errors(const mote_coordination_params *p, const mote_coordination_ending *e,
                         const __global uint *bad, const __global mote_coordination_frame *frames,
                         volatile __local uint *lowest, __global uint *error)
{
    uint lid = get_local_id(0), words = error ? p->frames * p->bad_each : 0;
    uint boxes = error && (e->flags & MOTE_COORDINATION_END_BOXES) ? p->frames : 0;
    uint clear = e->flags & MOTE_COORDINATION_END_FIRST;
    for (uint k = lid; k < MOTE_ERROR_SLOTS; k += WG)
        lowest[k] = clear || !error ? MOTE_ERROR_SLOT_CLEAR : error[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = lid; k < words; k += WG)
        if (bad[k] != MOTE_COORDINATION_NO_ATOM) {
            ulong at = (ulong)(p->first_frame + k / p->bad_each) * p->n_atoms + bad[k];
            atomic_min(&lowest[MOTE_SLOT_POSITION], (uint)min(at, (ulong)0xfffffffeu));
        }
    for (uint k = lid; k < boxes; k += WG)
        if (frames[p->first_frame + k].bad)
            atomic_min(&lowest[MOTE_SLOT_BOX], p->first_frame + k);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (error)
        for (uint k = lid; k < MOTE_ERROR_SLOTS; k += WG)
            error[k] = lowest[k];
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void finish(
    mote_coordination_params p, mote_coordination_ending e, mote_coordination_frame given,
    const __global uint *frames, ulong frames_at, __global real *partial, ulong partial_at,
    const __global acc *totals, ulong totals_at, const __global uint *bad, ulong bad_at,
    const __global uint *atom_start, const __global uint *atom_entries, const __global uint *places,
    __global float *value, ulong value_at, __global float *virial, ulong virial_at,
    __global float *derivatives, ulong derivatives_at, __global float *coordination,
    ulong coordination_at, __global uint *error, ulong error_at)
{
    __local acc parts[WG];
    __local uint lowest[MOTE_ERROR_SLOTS];
    __local mote_coordination_frame shared;
    uint lid = get_local_id(0), number = get_group_id(0) / (1 + e.row_groups);
    uint group = get_group_id(0) % (1 + e.row_groups);
    ulong frame_number = p.first_frame + number;
    mote_coordination_frame frame = given;
    if (PBC != MOTE_COORDINATION_NONE && !(p.flags & MOTE_COORDINATION_IS_GIVEN))
        frame = FRAMES(frames, frames_at)[frame_number];
    parts[lid] = group == 0
                     ? add_column(totals + totals_at + number * (ulong)p.groups * TOTALS, p.groups)
                     : ACC_ZERO;
    if (group == 0 && lid == 0)
        shared = frame;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (group == 0 && lid == 0) {
        for (uint k = 0; k < TOTALS; k++) {
            acc sum = parts[k];
            for (uint m = 1; m < WG / TOTALS; m++)
                sum = acc_join(sum, parts[m * TOTALS + k]);
            parts[k] = sum;
        }
        store_totals(&e, &shared, parts, frame_number, value, value_at, virial, virial_at);
    }
    write_errors(&p, &e, bad + bad_at, FRAMES(frames, frames_at), lowest,
                 group == 0 && number == 0 && error ? error + error_at : 0);
    if (group > 0) {
        uint of_atoms = e.flags & MOTE_COORDINATION_END_ATOMS, row = (group - 1) * WG + lid;
        ulong rows = of_atoms ? p.n_atoms : e.entries;
        uint entry = places && row < e.entries ? places[row] : row;
        sums sum = {ACC_ZERO, ACC_ZERO, ACC_ZERO, ACC_ZERO};
        if (entry < p.n_a + p.n_b)
            add_entry(&sum, PARTIALS(partial, partial_at, p, number), &p, entry);
        if (row < e.entries && (e.flags & MOTE_COORDINATION_END_NUMBERS))
            store(coordination, coordination_at + frame_number * e.entries + row,
                  e.flags & MOTE_COORDINATION_END_WIDE_NUMBERS,
                  e.flags & MOTE_COORDINATION_END_ONTO, acc_value(sum.s));
        if (row < rows && (e.flags & MOTE_COORDINATION_END_DERIVATIVES)) {
            if (of_atoms && atom_start) {
                sum.x = sum.y = sum.z = ACC_ZERO;
                for (uint k = atom_start[row]; k < atom_start[row + 1]; k++)
                    add_entry(&sum, PARTIALS(partial, partial_at, p, number), &p, atom_entries[k]);
            }
            store_derivative(&e, &frame, &sum, derivatives,
                             derivatives_at + (frame_number * rows + row) * e.derivative_stride);
        }
    }
}
