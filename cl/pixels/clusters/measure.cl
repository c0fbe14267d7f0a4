/* SPDX-License-Identifier: Apache-2.0 */
/* Measures clusters: positions, variances and extents in the geometry of their modules.
 *
 * The digis of a cluster are added up in blocks (measure.clh). On GPUs, each work-item measures a
 * cluster of one block; teams of work-items then measure the clusters of several blocks, a block
 * each; and all work-items of a group measure the remaining clusters, one after another. The sums
 * of blocks are added in pairs, so that all ways give the same bits.
 *
 * Form: both.
 * Defines: WG, ID_T, ADC_T, FP64 (real.clh), ORDER_ANY (pixels/input/input.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh), CALIBRATED. */
#include "common/macros.clh"
#include "pixels/clusters/measure.clh"
#include "common/sweep.clh"

#define TEAM   (WG < 8 ? WG : 8)
#define LEVELS 30 /* of pairs of blocks in the longest cluster */

/* The outputs of a call; 0 = not wanted. */
typedef struct measure_output {
    __global uint *module;
    __global float *x, *y, *x_var, *y_var;
    __global uint *rows, *columns;
    const __global float *shift_x, *shift_y;
} measure_output;

/* Sums of a number of neighbours, which are added in pairs as in a binary counter: element l holds
 * those of 2^l neighbours if bit l of the number is set. */
#define DEFINE_PAIRS(SPACE, NAME)                                                                  \
    inline void CAT(NAME, _add)(SPACE measure_sums * pairs, uint number, measure_sums s)           \
    {                                                                                              \
        uint level = 0;                                                                            \
        for (; level < LEVELS - 1 && number >> level & 1; level++)                                 \
            s = sums_joined(pairs[level], s);                                                      \
        pairs[level] = s;                                                                          \
    }                                                                                              \
    inline measure_sums CAT(NAME, _end)(const SPACE measure_sums *pairs, uint number)              \
    {                                                                                              \
        measure_sums s = sums_none();                                                              \
        bool any = false;                                                                          \
        for (uint level = 0; level < LEVELS; level++)                                              \
            if (number >> level & 1) {                                                             \
                s = any ? sums_joined(pairs[level], s) : pairs[level];                             \
                any = true;                                                                        \
            }                                                                                      \
        return s;                                                                                  \
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

/* Returns a variance from a mean distance and the sum of squares. */
inline real variance_of(real squares, real mean, real weight, uint widths)
{
    if (widths)
        squares = real_divide(squares, real_of_float(12.0f));
    const real v = real_subtract(real_divide(squares, weight), real_multiply(mean, mean));
    return real_is_negative(v) ? real_of_float(0.0f) : v;
}

/* Stores the measurement of cluster k, of its sums. If the cluster has no pixels, everything is 0.
 */
inline void store_measurement(const measure_input *in, const measure_output *out, uint k,
                              const cluster_span *c, const measure_sums *s)
{
    const bool any = !real_is_zero(s->weight);
    const real zero = real_of_float(0.0f);
    const real x = any ? real_divide(s->x, s->weight) : zero;
    const real y = any ? real_divide(s->y, s->weight) : zero;
    store_uint(out->module, k, any ? c->module : 0);
    store_float(out->x, k, any ? shifted(real_add(c->x, x), out->shift_x, c->module) : zero);
    store_float(out->y, k, any ? shifted(real_add(c->y, y), out->shift_y, c->module) : zero);
    store_float(out->x_var, k, any ? variance_of(s->x_squares, x, s->weight, in->widths) : zero);
    store_float(out->y_var, k, any ? variance_of(s->y_squares, y, s->weight, in->widths) : zero);
    store_uint(out->rows, k, any ? s->x_max - s->x_min + 1 : 0);
    store_uint(out->columns, k, any ? s->y_max - s->y_min + 1 : 0);
}

/* Returns a cluster without digis. */
inline cluster_span no_cluster(void)
{
    const real zero = real_of_float(0.0f);
    const cluster_span c = {0, 0, 0, 0, 0, 0, 0, zero, zero};
    return c;
}

inline void store_nothing(const measure_input *in, const measure_output *out, uint k)
{
    const cluster_span c = no_cluster();
    const measure_sums none = sums_none();
    store_measurement(in, out, k, &c, &none);
}

#ifdef CPU_FORM

DEFINE_PAIRS(, pairs)

inline measure_sums sums_alone(const measure_input *in, uint k, const cluster_span *c, bool plain)
{
    measure_sums pairs[LEVELS];
    measure_block b;
    uint number = 0;
    for (ulong begin = c->begin; begin < c->end; begin += BLOCK, number++) {
        block_load(in, k, (uint)begin, (uint)min(begin + BLOCK, (ulong)c->end), &b);
        const measure_sums s = block_sums(in, c, (uint)begin, &b, plain);
        if (c->end - c->begin <= BLOCK)
            return s;
        pairs_add(pairs, number, s);
    }
    return pairs_end(pairs, number);
}

inline void measure_alone(const measure_input *in, const measure_output *out, uint k, bool plain)
{
    cluster_span c;
    if (!cluster_range(in, k, &c) || !cluster_open(in, k, &c)) {
        store_nothing(in, out, k);
        return;
    }
    measure_sums s = sums_none();
    for (uint turn = 0; turn < 2 && real_is_zero(s.weight); turn++)
        s = sums_alone(in, k, &c, plain || turn);
    store_measurement(in, out, k, &c, &s);
}

#else

DEFINE_PAIRS(__local, pairs)

/* Clusters of a group that its work-items process together. */
typedef struct group_lists {
    uint medium[WG], longer[WG];
    uint n_medium, n_longer;
    cluster_span span;
    measure_sums pairs[LEVELS];
    measure_sums part[WG];
} group_lists;

/* Measures a cluster of one block. Puts a longer one into a list. */
inline void measure_first(const measure_input *in, const measure_output *out, uint k, bool plain,
                          __local group_lists *lists)
{
    cluster_span c;
    measure_block b;
    const bool any = cluster_range(in, k, &c);
    if (any && c.end - c.begin > BLOCK) {
        if (c.end - c.begin <= TEAM * BLOCK)
            lists->medium[atomic_inc(&lists->n_medium)] = k;
        else
            lists->longer[atomic_inc(&lists->n_longer)] = k;
        return;
    }
    if (any)
        block_load(in, k, c.begin, c.end, &b);
    if (!any || !cluster_open(in, k, &c)) {
        store_nothing(in, out, k);
        return;
    }
    measure_sums s = block_sums(in, &c, c.begin, &b, plain);
    if (real_is_zero(s.weight) && !plain)
        s = block_sums(in, &c, c.begin, &b, true);
    store_measurement(in, out, k, &c, &s);
}

/* Returns the sums of `width` blocks from position `begin` on, in all work-items of a team of this
 * width, which is a power of two. All work-items of the group call this function. */
inline measure_sums team_sums(const measure_input *in, uint k, const cluster_span *c, ulong begin,
                              bool plain, uint width, __local measure_sums *part)
{
    const uint me = get_local_id(0), lane = me & (width - 1);
    const ulong at = begin + lane * BLOCK;
    measure_sums s = sums_none();
    measure_block b;
    if (at < c->end) {
        block_load(in, k, (uint)at, (uint)min(at + BLOCK, (ulong)c->end), &b);
        s = block_sums(in, c, (uint)at, &b, plain);
    }
    part[me] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < width; d *= 2) {
        if ((lane & (2 * d - 1)) == 0)
            part[me] = s = sums_joined(s, part[me + d]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    s = part[me - lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    return s;
}

/* Measures the clusters of several blocks, one in each team. */
inline void measure_medium(const measure_input *in, const measure_output *out, bool plain,
                           __local group_lists *lists)
{
    const uint team = get_local_id(0) / TEAM, many = lists->n_medium;
    for (uint i = 0; i < many; i += WG / TEAM) {
        const uint k = i + team < many ? lists->medium[i + team] : NONE;
        cluster_span c;
        const bool open = k != NONE && cluster_range(in, k, &c) && cluster_open(in, k, &c);
        if (!open)
            c = no_cluster();
        const measure_sums s = team_sums(in, k, &c, c.begin, plain, TEAM, lists->part);
        if (k != NONE && get_local_id(0) % TEAM == 0) {
            if (open && real_is_zero(s.weight) && !plain)
                lists->longer[atomic_inc(&lists->n_longer)] = k;
            else
                store_measurement(in, out, k, &c, &s);
        }
        MOTE_MEET();
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Returns the sums of a cluster in all work-items of a group. */
inline measure_sums group_sums(const measure_input *in, uint k, const cluster_span *c, bool plain,
                               __local group_lists *lists)
{
    uint number = 0;
    for (ulong begin = c->begin; begin < c->end; begin += WG * BLOCK, number++) {
        const measure_sums s = team_sums(in, k, c, begin, plain, WG, lists->part);
        if (get_local_id(0) == 0)
            pairs_add(lists->pairs, number, s);
    }
    if (get_local_id(0) == 0)
        lists->part[0] = pairs_end(lists->pairs, number);
    barrier(CLK_LOCAL_MEM_FENCE);
    const measure_sums all = lists->part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return all;
}

/* Measures the clusters that are left with all work-items of a group. */
inline void measure_longer(const measure_input *in, const measure_output *out, bool plain,
                           __local group_lists *lists)
{
    const uint many = lists->n_longer;
    for (uint i = 0; i < many; i++) {
        const uint k = lists->longer[i];
        cluster_span c;
        if (get_local_id(0) == 0) { /* the arrays may change during the call */
            const bool open = cluster_range(in, k, &c) && cluster_open(in, k, &c);
            lists->span = open ? c : no_cluster();
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        c = lists->span;
        barrier(CLK_LOCAL_MEM_FENCE);
        measure_sums s = sums_none();
        ROLLED
        for (uint turn = 0; turn < 2 && real_is_zero(s.weight); turn++)
            s = group_sums(in, k, &c, plain || turn, lists);
        if (get_local_id(0) == 0)
            store_measurement(in, out, k, &c, &s);
        MOTE_MEET();
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Measures clusters first .. first + WG - 1, of which there are `count`. */
inline void measure_group(const measure_input *in, const measure_output *out, uint first,
                          uint count, bool plain, __local group_lists *lists)
{
    const uint k = first + get_local_id(0);
    if (get_local_id(0) == 0)
        lists->n_medium = lists->n_longer = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (k < count)
        measure_first(in, out, k, plain, lists);
    barrier(CLK_LOCAL_MEM_FENCE);
    measure_medium(in, out, plain, lists);
    measure_longer(in, out, plain, lists);
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
    in.widths = widths;
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
#ifdef CPU_FORM
    for (sweep s = sweep_of(count); s.at < s.end; s.at += s.step)
        measure_alone(&in, &out, (uint)s.at, plain);
#else
    __local group_lists lists;
    for (ulong first = get_group_id(0) * WG; first < count; first += get_num_groups(0) * WG)
        measure_group(&in, &out, (uint)first, count, plain, &lists);
#endif
}
