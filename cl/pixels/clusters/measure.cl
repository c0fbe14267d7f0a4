/* SPDX-License-Identifier: Apache-2.0 */
/* Measures clusters: positions, variances and extents in the geometry of their modules.
 *
 * The digis of a cluster are added up in blocks (measure.clh). On GPUs, each work-item measures a
 * cluster of up to two blocks; teams of work-items then measure the clusters of more blocks, a
 * block each; and all work-items of a group measure the remaining clusters, one after another. The
 * sums of blocks are added in pairs, so that all ways give the same bits. Neighbouring clusters may
 * all be large: the group of the first multiple of MOTE_PIXELS_LONG_CLUSTER in the list of a
 * cluster with more digis measures this cluster.
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
    const __global float *x_var_table, *y_var_table; /* rows: designs; columns: sizes */
    uint most_rows, most_columns;                    /* largest sizes in the tables */
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

/* Stores a variance, or the table's variance for the cluster's size if there is one. */
inline void store_variance(__global float *to, uint k, real variance, const __global float *table,
                           uint design, uint size, uint most)
{
    if (to && table && size > 0)
        to[k] = without_subnormals(table[(ulong)design * most + min(size, most) - 1]);
    else
        store_float(to, k, variance);
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
    const uint rows = any ? s->x_max - s->x_min + 1 : 0;
    const uint columns = any ? s->y_max - s->y_min + 1 : 0;
    store_variance(out->x_var, k, any ? variance_of(s->x_squares, x, s->weight, in->widths) : zero,
                   out->x_var_table, c->design, rows, out->most_rows);
    store_variance(out->y_var, k, any ? variance_of(s->y_squares, y, s->weight, in->widths) : zero,
                   out->y_var_table, c->design, columns, out->most_columns);
    store_uint(out->rows, k, rows);
    store_uint(out->columns, k, columns);
}

/* Returns a cluster without digis. */
inline cluster_span no_cluster(void)
{
    const real zero = real_of_float(0.0f);
    const cluster_span c = {0, 0, 0, 0, 0, 0, 0, 0, zero, zero};
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
    uint digi[BLOCK], pixel[BLOCK], adc[BLOCK], number = 0;
    const measure_block b = {digi, pixel, adc};
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

/* Local memory of a group. */
typedef struct group_memory {
    uint longer[2 * WG]; /* clusters for teams, and from WG on for the group */
    uint many[2];
    cluster_span span;
    measure_sums pairs[LEVELS];
    measure_sums part[WG];
    uint digi[BLOCK * WG], pixel[BLOCK * WG], adc[BLOCK * WG];
} group_memory;

inline measure_block own_block(__local group_memory *m)
{
    const uint me = get_local_id(0);
    const measure_block b = {m->digi + me, m->pixel + me, m->adc + me};
    return b;
}

inline void put_longer(__local group_memory *m, uint list, uint k)
{
    m->longer[list * WG + atomic_inc(&m->many[list])] = k;
}

/* Measures a cluster of up to two blocks. Lists a longer one, and one without charge. */
inline void measure_first(const measure_input *in, const measure_output *out, uint k, bool plain,
                          __local group_memory *m)
{
    cluster_span c;
    const measure_block b = own_block(m);
    const bool any = cluster_range(in, k, &c);
    const uint length = any ? c.end - c.begin : 0;
    if (length > MOTE_PIXELS_LONG_CLUSTER)
        return;
    if (length > 2 * BLOCK) {
        put_longer(m, length > TEAM * BLOCK, k);
        return;
    }
    if (any)
        block_load(in, k, c.begin, min(c.begin + BLOCK, c.end), &b);
    if (!any || !cluster_open(in, k, &c)) {
        store_nothing(in, out, k);
        return;
    }
    measure_sums s = block_sums(in, &c, c.begin, &b, plain);
    if (length > BLOCK) {
        block_load(in, k, c.begin + BLOCK, c.end, &b);
        s = sums_joined(s, block_sums(in, &c, c.begin + BLOCK, &b, plain));
    }
    if (real_is_zero(s.weight) && !plain)
        put_longer(m, 1, k);
    else
        store_measurement(in, out, k, &c, &s);
}

/* Puts the cluster that contains position `at` into the group's list if the cluster is large and
 * `at` is the first multiple of MOTE_PIXELS_LONG_CLUSTER in it. */
inline void find_long(const measure_input *in, uint count, ulong at, __local group_memory *m)
{
    uint k = 0, end = count;
    while (k < end) {
        const uint middle = k + (end - k) / 2;
        if (in->offsets[middle + 1] > at)
            end = middle;
        else
            k = middle + 1;
    }
    cluster_span c;
    if (k < count && cluster_range(in, k, &c) && c.end - c.begin > MOTE_PIXELS_LONG_CLUSTER &&
        c.begin <= at && at - c.begin < MOTE_PIXELS_LONG_CLUSTER)
        put_longer(m, 1, k);
}

/* Returns the sums of `width` blocks from position `begin` on, in all work-items of a team of this
 * width, which is a power of two. All work-items of the group call this function. */
inline measure_sums team_sums(const measure_input *in, uint k, const cluster_span *c, ulong begin,
                              bool plain, uint width, __local group_memory *m)
{
    const uint me = get_local_id(0), lane = me & (width - 1);
    const ulong at = begin + lane * BLOCK;
    const measure_block b = own_block(m);
    measure_sums s = sums_none();
    if (at < c->end) {
        block_load(in, k, (uint)at, (uint)min(at + BLOCK, (ulong)c->end), &b);
        s = block_sums(in, c, (uint)at, &b, plain);
    }
    m->part[me] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < width; d *= 2) {
        if ((lane & (2 * d - 1)) == 0)
            m->part[me] = s = sums_joined(s, m->part[me + d]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    s = m->part[me - lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    return s;
}

/* Measures the clusters of a list, one in each team of `width` work-items. If the team is the
 * group, clusters may have more blocks than work-items, and may have no charge. */
inline void measure_list(const measure_input *in, const measure_output *out, bool plain, uint list,
                         uint width, __local group_memory *m)
{
    const uint me = get_local_id(0), team = me / width, many = m->many[list];
    for (uint i = 0; i < many; i += WG / width) {
        const uint k = i + team < many ? m->longer[list * WG + i + team] : NONE;
        cluster_span c = no_cluster();
        if (k != NONE && (width < WG || me == 0) &&
            !(cluster_range(in, k, &c) && cluster_open(in, k, &c)))
            c = no_cluster();
        if (width == WG) { /* the arrays may change during the call */
            if (me == 0)
                m->span = c;
            barrier(CLK_LOCAL_MEM_FENCE);
            c = m->span;
        }
        measure_sums s = sums_none();
        ulong begin = c.begin;
        uint number = 0;
        bool ones = plain;
        for (bool ends = false; !ends;) {
            s = team_sums(in, k, &c, begin, ones, width, m);
            begin += WG * BLOCK;
            ends = width < WG || begin >= c.end;
            if (width == WG) {
                if (me == 0)
                    pairs_add(m->pairs, number, s);
                number++;
                barrier(CLK_LOCAL_MEM_FENCE);
                if (ends)
                    s = pairs_end(m->pairs, number);
                if (ends && real_is_zero(s.weight) && !ones) {
                    ones = true;
                    ends = false;
                    begin = c.begin;
                    number = 0;
                }
            }
        }
        if (k != NONE && (me & (width - 1)) == 0) {
            if (width < WG && real_is_zero(s.weight) && !plain)
                put_longer(m, 1, k);
            else
                store_measurement(in, out, k, &c, &s);
        }
        MOTE_RECONVERGE();
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Does one job of a call: each of the first n_long jobs searches for a large cluster and measures
 * it, and each following job measures WG of the `count` clusters. */
inline void measure_group(const measure_input *in, const measure_output *out, ulong job,
                          ulong n_long, uint count, bool plain, __local group_memory *m)
{
    const uint me = get_local_id(0);
    if (me == 0)
        m->many[0] = m->many[1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (job >= n_long) {
        const ulong k = (job - n_long) * WG + me;
        if (k < count)
            measure_first(in, out, (uint)k, plain, m);
    } else if (me == 0) {
        find_long(in, count, job * MOTE_PIXELS_LONG_CLUSTER, m);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    ROLLED
    for (uint list = 0; list < 2; list++)
        measure_list(in, out, plain, list, list ? WG : TEAM, m);
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
    ulong cluster_columns_at, const __global float *x_var_by_rows, ulong x_var_by_rows_at,
    uint most_rows, const __global float *y_var_by_columns, ulong y_var_by_columns_at,
    uint most_columns, volatile __global uint *error, ulong error_at DECODE_ARGUMENTS)
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
    out.x_var_table = x_var_by_rows ? x_var_by_rows + x_var_by_rows_at : 0;
    out.y_var_table = y_var_by_columns ? y_var_by_columns + y_var_by_columns_at : 0;
    out.most_rows = most_rows;
    out.most_columns = most_columns;
#ifdef CPU_FORM
    for (sweep s = sweep_of(count); s.at < s.end; s.at += s.step)
        measure_alone(&in, &out, (uint)s.at, plain);
#else
    __local group_memory memory;
    const ulong n_long = n_listed / MOTE_PIXELS_LONG_CLUSTER + 1;
    const ulong jobs = n_long + count / WG + 1;
    for (ulong job = get_group_id(0); job < jobs; job += get_num_groups(0))
        measure_group(&in, &out, job, n_long, count, plain, &memory);
#endif
}
