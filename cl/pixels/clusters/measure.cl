/* SPDX-License-Identifier: Apache-2.0 */
/* Measures clusters: positions, variances and extents in the geometry of their modules.
 *
 * Each work-item adds up the digis of one cluster at a time (measure.clh). On GPUs, the work-items
 * of a group process a long cluster together: each adds up one block at a time, and the first one
 * adds the sums of the blocks in their order.
 *
 * Form: both.
 * Defines: WG, ID_T, ADC_T, FP64 (real.clh), ORDER_ANY (pixels/input/input.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh), CALIBRATED. */
#include "common/macros.clh"
#include "pixels/clusters/measure.clh"
#include "common/sweep.clh"

#define LONG 256 /* digis of a cluster that a group processes together */

/* The outputs of a call; 0 = not wanted. */
typedef struct measure_output {
    __global uint *module;
    __global float *x, *y, *x_var, *y_var;
    __global uint *rows, *columns;
    const __global float *shift_x, *shift_y;
    uint widths;
} measure_output;

/* A cluster's digis are read twice, for the means and for the sums about the means; and once more
 * if it has no charge. */
#define MOST_TURNS 3

typedef struct measure_turn {
    bool plain; /* every pixel has the weight 1 */
    bool about; /* the sums are about the means */
    measure_sums mean;
} measure_turn;

inline measure_turn turn_first(bool plain)
{
    const measure_turn t = {plain, false, sums_none()};
    return t;
}

/* Ends a turn that had these sums. Returns whether it was the last one. */
inline bool turn_end(measure_turn *t, const measure_sums *s)
{
    if (t->about)
        return true;
    if (real_is_zero(s->weight) && !t->plain) {
        t->plain = true;
        return false;
    }
    t->mean = *s;
    t->about = true;
    if (!real_is_zero(s->weight)) { /* with bad data, a cluster may have no pixel */
        t->mean.x = real_divide(s->x, s->weight);
        t->mean.y = real_divide(s->y, s->weight);
    }
    return false;
}

/* Returns the sums of all blocks, in their order. */
inline measure_sums sums_alone(const measure_input *in, uint k, const cluster_span *c,
                               const measure_turn *t)
{
    measure_sums s = sums_none();
    for (ulong begin = c->begin; begin < c->end; begin += BLOCK)
        s = sums_joined(s,
                        block_sums(in, k, c, (uint)begin, (uint)min(begin + BLOCK, (ulong)c->end),
                                   t->plain, t->about, &t->mean));
    return s;
}

inline void store_uint(__global uint *to, uint k, uint value)
{
    if (to)
        to[k] = value;
}

inline void store_float(__global float *to, uint k, real value)
{
    if (to)
        to[k] = without_subnormals(real_to_float(value));
}

inline real shifted(real mean, const __global float *shift, uint module)
{
    return shift ? real_add(mean, real_of_float(without_subnormals(shift[module]))) : mean;
}

/* Returns a variance from sums about the mean. */
inline real variance_of(real squares, real own, real weight, uint widths)
{
    if (widths)
        squares = real_add(squares, real_divide(own, real_of_float(12.0f)));
    return real_divide(squares, weight);
}

/* Stores the measurement of cluster k, of its means and its sums about the means. If the cluster
 * has no digis, everything is 0. */
inline void store_measurement(const measure_output *out, uint k, uint module,
                              const measure_sums *mean, const measure_sums *about)
{
    const bool any = !real_is_zero(mean->weight);
    const real zero = real_of_float(0.0f);
    store_uint(out->module, k, any ? module : 0);
    store_float(out->x, k, any ? shifted(mean->x, out->shift_x, module) : zero);
    store_float(out->y, k, any ? shifted(mean->y, out->shift_y, module) : zero);
    store_float(out->x_var, k,
                any ? variance_of(about->x, about->x_own, about->weight, out->widths) : zero);
    store_float(out->y_var, k,
                any ? variance_of(about->y, about->y_own, about->weight, out->widths) : zero);
    store_uint(out->rows, k, any ? mean->x_max - mean->x_min + 1 : 0);
    store_uint(out->columns, k, any ? mean->y_max - mean->y_min + 1 : 0);
}

/* Measures a cluster with one work-item. */
inline void measure_alone(const measure_input *in, const measure_output *out, uint k,
                          const cluster_span *c, bool plain)
{
    measure_turn t = turn_first(plain);
    measure_sums s = t.mean;
    bool ends = false;
    ROLLED
    for (uint turn = 0; turn < MOST_TURNS && !ends; turn++) {
        s = sums_alone(in, k, c, &t);
        ends = turn_end(&t, &s);
    }
    store_measurement(out, k, c->module, &t.mean, &s);
}

#ifndef CPU_FORM

/* Does the same as sums_alone() with all work-items of a group, of which `part` has an element for
 * each. */
inline measure_sums sums_together(const measure_input *in, uint k, const cluster_span *c,
                                  const measure_turn *t, __local measure_sums *part)
{
    const uint me = get_local_id(0);
    measure_sums all = sums_none();
    for (ulong begin = c->begin; begin < c->end; begin += WG * BLOCK) {
        const ulong mine = begin + me * BLOCK;
        if (mine < c->end)
            part[me] = block_sums(in, k, c, (uint)mine, (uint)min(mine + BLOCK, (ulong)c->end),
                                  t->plain, t->about, &t->mean);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me == 0)
            for (uint i = 0; i < WG && begin + i * BLOCK < c->end; i++)
                all = sums_joined(all, part[i]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (me == 0)
        part[0] = all;
    barrier(CLK_LOCAL_MEM_FENCE);
    all = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return all;
}

/* Measures a cluster with all work-items of a group. */
inline void measure_together(const measure_input *in, const measure_output *out, uint k,
                             const cluster_span *c, bool plain, __local measure_sums *part)
{
    measure_turn t = turn_first(plain);
    measure_sums s = t.mean;
    bool ends = false;
    ROLLED
    for (uint turn = 0; turn < MOST_TURNS && !ends; turn++) {
        s = sums_together(in, k, c, &t, part);
        ends = turn_end(&t, &s);
    }
    if (get_local_id(0) == 0)
        store_measurement(out, k, c->module, &t.mean, &s);
}

/* Measures clusters first .. first + WG - 1, of which there are `count`. */
inline void measure_group(const measure_input *in, const measure_output *out, uint first,
                          uint count, bool plain, __local measure_sums *part, __local uint *longer,
                          __local uint *n_longer, __local cluster_span *span)
{
    const uint k = first + get_local_id(0);
    const measure_sums none = sums_none();
    cluster_span c;
    if (get_local_id(0) == 0)
        *n_longer = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (k < count) {
        if (!cluster_open(in, k, &c))
            store_measurement(out, k, 0, &none, &none);
        else if (c.end - c.begin <= LONG)
            measure_alone(in, out, k, &c, plain);
        else
            longer[atomic_inc(n_longer)] = k;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint many = *n_longer;
    for (uint i = 0; i < many; i++) {
        const uint of = longer[i];
        if (get_local_id(0) == 0) {
            if (!cluster_open(in, of, &c)) /* the arrays may change during the call */
                c.end = c.begin = 0;
            *span = c;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        c = *span;
        measure_together(in, out, of, &c, plain, part);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void measure_clusters(
    mote_pixels_params prm, uint count, const __global ID_T *module_id, ulong module_id_at,
    const __global ushort *x, ulong x_at, const __global ushort *y, ulong y_at,
    const __global ADC_T *adc, ulong adc_at, const __global uint *offsets, ulong offsets_at,
    const __global uint *digis, ulong digis_at, ulong n_listed, const __global uint *design,
    ulong design_at, uint n_designs, const __global uint *row_offsets, ulong row_offsets_at,
    const __global float *row_edges, ulong row_edges_at, uint n_row_edges,
    const __global uint *column_offsets, ulong column_offsets_at,
    const __global float *column_edges, ulong column_edges_at, uint n_column_edges,
    const __global float *shift_x, ulong shift_x_at, const __global float *shift_y,
    ulong shift_y_at, uint plain, uint largest, uint widths, __global uint *cluster_module,
    ulong cluster_module_at, __global float *cluster_x, ulong cluster_x_at,
    __global float *cluster_y, ulong cluster_y_at, __global float *cluster_x_var,
    ulong cluster_x_var_at, __global float *cluster_y_var, ulong cluster_y_var_at,
    __global uint *cluster_rows, ulong cluster_rows_at, __global uint *cluster_columns,
    ulong cluster_columns_at, volatile __global uint *error, ulong error_at DECODE_ARGUMENTS)
{
    measure_input in;
    in.module_id = module_id + module_id_at;
    in.x = x + x_at;
    in.y = y + y_at;
    in.adc = adc ? adc + adc_at : 0;
    in.offsets = offsets + offsets_at;
    in.digis = digis + digis_at;
    in.design = design ? design + design_at : 0;
    in.rows.offsets = row_offsets ? row_offsets + row_offsets_at : 0;
    in.rows.edges = row_edges + row_edges_at;
    in.rows.count = n_row_edges;
    in.columns.offsets = column_offsets ? column_offsets + column_offsets_at : 0;
    in.columns.edges = column_edges + column_edges_at;
    in.columns.count = n_column_edges;
    in.n = prm.n;
    in.n_modules = prm.n_modules;
    in.n_designs = n_designs;
    in.largest = largest;
    in.n_listed = n_listed;
    in.error = prm.flags & MOTE_PIXELS_HAS_ERROR ? error + error_at : 0;
    DECODE_BIND(in.decode);
    measure_output out;
    out.module = cluster_module ? cluster_module + cluster_module_at : 0;
    out.x = cluster_x ? cluster_x + cluster_x_at : 0;
    out.y = cluster_y ? cluster_y + cluster_y_at : 0;
    out.x_var = cluster_x_var ? cluster_x_var + cluster_x_var_at : 0;
    out.y_var = cluster_y_var ? cluster_y_var + cluster_y_var_at : 0;
    out.rows = cluster_rows ? cluster_rows + cluster_rows_at : 0;
    out.columns = cluster_columns ? cluster_columns + cluster_columns_at : 0;
    out.shift_x = shift_x ? shift_x + shift_x_at : 0;
    out.shift_y = shift_y ? shift_y + shift_y_at : 0;
    out.widths = widths;
#ifdef CPU_FORM
    const measure_sums none = sums_none();
    cluster_span c;
    for (sweep s = sweep_of(count); s.at < s.end; s.at += s.step)
        if (cluster_open(&in, (uint)s.at, &c))
            measure_alone(&in, &out, (uint)s.at, &c, plain);
        else
            store_measurement(&out, (uint)s.at, 0, &none, &none);
#else
    __local measure_sums part[WG];
    __local uint longer[WG], n_longer;
    __local cluster_span span;
    for (ulong first = get_group_id(0) * WG; first < count; first += get_num_groups(0) * WG)
        measure_group(&in, &out, (uint)first, count, plain, part, longer, &n_longer, &span);
#endif
}
