/* SPDX-License-Identifier: Apache-2.0 */
/* Measures clusters of digis in plain arrays, using the device API. */
#include "core/check.h"
#include "core/error.h"
#include "core/fail.h"
#include "core/host_job.h"
#include "mote/pixels_measure.h"

#define NAME "mote_pixels_measure_host"

typedef struct work {
    mote_pixels_measure_host_args args;
    mote_host_job job;
    mote_pixels_measure_args device;
} work;

/* Checks the arguments for errors that the device function cannot find. */
static mote_status check(const mote_pixels_measure_host_args *a)
{
    const size_t most = (size_t)1 << 31;
    const char *missing = a->n && !a->module_id16 && !a->module_id32 ? "module_id16 or module_id32"
                          : a->n && !a->x                            ? "x"
                          : a->n && !a->y                            ? "y"
                          : a->n_clusters && !a->cluster_offsets     ? "cluster_offsets"
                          : a->n_listed && !a->digis                 ? "digis"
                          : a->row_offsets && !a->row_edges          ? "row_edges"
                          : a->column_offsets && !a->column_edges    ? "column_edges"
                                                                     : NULL;
    if (a->module_id16 && a->module_id32)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         NAME ": module_id16 and module_id32: give one of them");
    if (a->adc16 && a->adc32)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         NAME ": adc16 and adc32: give one of them or neither");
    if (a->n >= most || a->n_clusters >= most || a->n_designs >= most)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         NAME ": %zu digis, %zu clusters, %zu designs: a call takes fewer than "
                              "2^31 of each",
                         a->n, a->n_clusters, a->n_designs);
    if (a->n_listed > UINT32_MAX)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         NAME ": n_listed is %zu, but must be below 2^32, because cluster_offsets "
                              "are uint32",
                         a->n_listed);
    if ((a->row_offsets || a->column_offsets) && a->n_designs == 0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         NAME ": n_designs is 0, but offsets of edges are given");
    if ((a->x_var_by_rows && !a->row_sizes) || (a->y_var_by_columns && !a->column_sizes))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         NAME ": %s is 0, but the table of variances needs one size or more",
                         a->x_var_by_rows && !a->row_sizes ? "row_sizes" : "column_sizes");
    return missing ? mote_fail(MOTE_ERROR_INVALID_ARGUMENT, NAME ": %s is NULL", missing)
                   : MOTE_SUCCESS;
}

/* Makes the offsets[n_designs] edges along an axis available. */
static void bring_edges(work *w, const uint32_t *offsets, const float *edges, mote_view *to_offsets,
                        mote_view *to_edges)
{
    const size_t designs = w->args.n_designs;
    if (!offsets)
        return;
    mote_host_job_in(&w->job, offsets, designs + 1, MOTE_UINT32, to_offsets);
    mote_host_job_in(&w->job, edges, offsets[designs], MOTE_FLOAT32, to_edges);
    to_edges->type = MOTE_FLOAT32;
}

static void bring_modules(work *w)
{
    const mote_pixels_measure_host_args *a = &w->args;
    mote_pixels_measure_args *d = &w->device;
    const bool edges = a->row_offsets || a->column_offsets;
    const size_t m = a->n_modules, designs = edges ? a->n_designs : 1;
    mote_host_job_in(&w->job, a->design, m, MOTE_UINT32, &d->design);
    bring_edges(w, a->row_offsets, a->row_edges, &d->row_offsets, &d->row_edges);
    bring_edges(w, a->column_offsets, a->column_edges, &d->column_offsets, &d->column_edges);
    mote_host_job_in(&w->job, a->shift_x, m, MOTE_FLOAT32, &d->shift_x);
    mote_host_job_in(&w->job, a->shift_y, m, MOTE_FLOAT32, &d->shift_y);
    mote_host_job_in(&w->job, a->gain, m, MOTE_FLOAT32, &d->gain);
    mote_host_job_in(&w->job, a->pedestal, m, MOTE_FLOAT32, &d->pedestal);
    mote_host_job_in(&w->job, a->x_var_by_rows, designs * a->row_sizes, MOTE_FLOAT32,
                     &d->x_var_by_rows);
    mote_host_job_in(&w->job, a->y_var_by_columns, designs * a->column_sizes, MOTE_FLOAT32,
                     &d->y_var_by_columns);
}

static void bring_results(work *w)
{
    const mote_pixels_measure_host_args *a = &w->args;
    mote_pixels_measure_args *d = &w->device;
    const struct {
        void *to;
        mote_type type;
        mote_view *view;
    } results[] = {
        {a->cluster_module, MOTE_UINT32, &d->cluster_module},
        {a->cluster_x, MOTE_FLOAT32, &d->cluster_x},
        {a->cluster_y, MOTE_FLOAT32, &d->cluster_y},
        {a->cluster_x_var, MOTE_FLOAT32, &d->cluster_x_var},
        {a->cluster_y_var, MOTE_FLOAT32, &d->cluster_y_var},
        {a->cluster_rows, MOTE_UINT32, &d->cluster_rows},
        {a->cluster_columns, MOTE_UINT32, &d->cluster_columns},
    };
    for (size_t k = 0; k < sizeof(results) / sizeof(results[0]); k++)
        if (results[k].to)
            mote_host_job_out(&w->job, results[k].to, a->n_clusters, results[k].type,
                              results[k].view);
}

static mote_status bring(work *w)
{
    const mote_pixels_measure_host_args *a = &w->args;
    mote_pixels_measure_args *d = &w->device;
    const void *module = a->module_id16 ? (const void *)a->module_id16 : a->module_id32;
    const void *adc = a->adc16 ? (const void *)a->adc16 : a->adc32;
    mote_pixels_measure_args_init(d);
    d->module_id.type = a->module_id32 ? MOTE_UINT32 : MOTE_UINT16;
    d->x.type = d->y.type = MOTE_UINT16;
    d->digis.type = MOTE_UINT32;
    d->adc.type = a->adc16 ? MOTE_UINT16 : a->adc32 ? MOTE_UINT32 : MOTE_TYPE_NONE;
    d->n_modules = a->n_modules;
    d->weight = a->weight;
    d->duplicates = a->duplicates;
    d->widths = a->widths;
    d->charge_min = a->charge_min;
    mote_host_job_in(&w->job, module, a->n, d->module_id.type, &d->module_id);
    mote_host_job_in(&w->job, a->x, a->n, MOTE_UINT16, &d->x);
    mote_host_job_in(&w->job, a->y, a->n, MOTE_UINT16, &d->y);
    mote_host_job_in(&w->job, adc, a->n, d->adc.type, &d->adc);
    mote_host_job_in(&w->job, a->cluster_offsets, a->n_clusters + 1, MOTE_UINT32,
                     &d->cluster_offsets);
    mote_host_job_in(&w->job, a->digis, a->n_listed, MOTE_UINT32, &d->digis);
    bring_modules(w);
    bring_results(w);
    d->error = mote_host_job_error(&w->job);
    return w->job.status;
}

/* Returns the first number of a cluster that is no index of a digi; n if there is none. */
static uint32_t wrong_digi(const mote_pixels_measure_host_args *a, size_t k)
{
    for (size_t at = a->cluster_offsets[k]; at < a->cluster_offsets[k + 1]; at++)
        if (a->digis[at] >= a->n)
            return a->digis[at];
    return (uint32_t)a->n;
}

/* Returns the error that the error word reports. */
static mote_status decode(const work *w)
{
    const mote_pixels_measure_host_args *a = &w->args;
    const uint32_t *slot = w->job.word.slot, *offsets = a->cluster_offsets;
    const uint32_t back = slot[MOTE_SLOT_OFFSETS_NOT_MONOTONIC];
    const uint32_t outside = slot[MOTE_SLOT_OFFSETS_OUT_OF_RANGE];
    const uint32_t module = slot[MOTE_SLOT_MODULE], digi = slot[MOTE_SLOT_COORDINATE];
    if (back < a->n_clusters)
        return mote_fail(MOTE_ERROR_OFFSETS_NOT_MONOTONIC,
                         NAME ": cluster %u: cluster_offsets[%u] = %u < cluster_offsets[%u] = %u",
                         (unsigned)back, (unsigned)back + 1, (unsigned)offsets[back + 1],
                         (unsigned)back, (unsigned)offsets[back]);
    if (outside < a->n_clusters && offsets[outside + 1] > a->n_listed)
        return mote_fail(MOTE_ERROR_OFFSETS_OUT_OF_RANGE,
                         NAME ": cluster %u: cluster_offsets[%u] = %u exceeds n_listed = %zu",
                         (unsigned)outside, (unsigned)outside + 1, (unsigned)offsets[outside + 1],
                         a->n_listed);
    if (outside < a->n_clusters)
        return mote_fail(MOTE_ERROR_OFFSETS_OUT_OF_RANGE,
                         NAME ": cluster %u contains digi %u, but n is %zu", (unsigned)outside,
                         (unsigned)wrong_digi(a, outside), a->n);
    if (module < a->n)
        return mote_fail(
            MOTE_ERROR_MODULE, NAME ": digi %u: module %u is not below n_modules = %u",
            (unsigned)module,
            (unsigned)(a->module_id16 ? a->module_id16[module] : a->module_id32[module]),
            (unsigned)a->n_modules);
    if (digi < a->n)
        return mote_fail(
            MOTE_ERROR_COORDINATE,
            NAME ": digi %u: pixel (%u, %u) of module %u has no edges in the module's design",
            (unsigned)digi, (unsigned)a->x[digi], (unsigned)a->y[digi],
            (unsigned)(a->module_id16 ? a->module_id16[digi] : a->module_id32[digi]));
    return mote_error_decode(&w->job.word, NULL);
}

mote_status mote_pixels_measure_host(mote_context *ctx, mote_host *host,
                                     const mote_pixels_measure_host_args *args)
{
    static const uint32_t no_clusters[1] = {0};
    work w = {0};
    cl_event done = NULL;
    mote_status st =
        mote_check_args(NAME, "mote_pixels_measure_host_args_init", args, &w.args, sizeof(w.args));
    if (!st)
        st = check(&w.args);
    if (!st && w.args.n_clusters == 0)
        w.args.cluster_offsets = no_clusters;
    if (!st)
        st = mote_host_job_begin(&w.job, NAME, ctx, host);
    if (!st)
        st = bring(&w);
    if (!st) {
        st = mote_pixels_measure(w.job.host->ctx, w.job.host->queue, &w.device, 0, NULL, &done);
        st = mote_host_job_finish(&w.job, st, done);
    }
    if (!st)
        st = decode(&w);
    return mote_host_job_end(&w.job, st);
}
