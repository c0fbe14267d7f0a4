/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/pixels/job.h"
#include "bench/row.h"

#include <stdlib.h>

#define WARM_UP   10
#define THRESHOLD 100 /* of charges */

static mote_bench_status fail(mote_bench_state *bench, const char *what)
{
    snprintf(bench->message, bench->size, "%s failed: %s", what, mote_last_error());
    return MOTE_BENCH_DEVICE;
}

void mote_bench_job_release(mote_bench_job *j)
{
    mote_pixels_device_release(&j->in);
    mote_guard_release(&j->cluster_id);
    mote_guard_release(&j->module_id_out);
    mote_guard_release(&j->n_clusters);
    mote_pixels_positions_release(&j->positions);
    mote_pixels_options_free(&j->options);
    mote_digis_free(&j->digis);
    free(j->module_id16);
    free(j->adc16);
}

static uint16_t *narrow(const uint32_t *values, size_t n)
{
    uint16_t *out = malloc((n + 1) * sizeof(uint16_t));

    for (size_t i = 0; out && i < n; i++)
        out[i] = (uint16_t)values[i];
    return out;
}

/* Takes ownership of the digis, also on failure. */
mote_bench_status mote_bench_job_create(mote_bench_job *j, mote_bench_state *bench,
                                        const mote_bench_set *set, const mote_bench_way *way,
                                        mote_digis *digis)
{
    size_t n = digis->n, slots = digis->n_events * digis->n_modules;
    cl_int code = CL_SUCCESS;

    *j = (mote_bench_job){
        .bench = bench, .set = set, .digis = *digis, .options = mote_bench_set_options(set)};
    j->options.order = way->order;
    j->options.strategy = way->strategy;
    j->options.duplicates = way->duplicates;
    j->options.adc_threshold = way->threshold ? THRESHOLD : 0;
    if (way->wide)
        j->digis.adc_type = MOTE_UINT32;
    j->way = way;
    j->module_id16 = narrow(digis->module_id, n);
    j->adc16 = narrow(digis->adc, n);
    if (!j->module_id16 || !j->adc16 || (way->mask && !mote_bench_set_mask(digis, &j->options)) ||
        (way->lines && !mote_bench_set_lines(digis, &j->options)) ||
        (way->morph && !mote_bench_set_morph(digis, &j->options))) {
        snprintf(bench->message, bench->size, "no memory for %zu digis", n);
        return MOTE_BENCH_DEVICE;
    }
    if (!mote_pixels_upload(bench->ctx, bench->queue, &j->digis, &j->options, 0, &j->in,
                            bench->message, bench->size))
        return MOTE_BENCH_DEVICE;
    if (n)
        code = mote_guard_create(&j->cluster_id, bench->ctx, bench->queue, "cluster_id", MOTE_INT32,
                                 n, NULL);
    if (!code && n)
        code = mote_guard_create(&j->module_id_out, bench->ctx, bench->queue, "module_id_out",
                                 MOTE_UINT16, n, NULL);
    if (!code)
        code = mote_guard_create(&j->n_clusters, bench->ctx, bench->queue, "n_clusters",
                                 MOTE_UINT32, slots, NULL);
    if (!code && n && way->positions)
        code = mote_pixels_positions_create(&j->positions, bench->ctx, bench->queue, &j->digis,
                                            &j->options, n);
    if (code) {
        snprintf(bench->message, bench->size, "creating buffers failed with %s",
                 mote_status_name(code));
        return MOTE_BENCH_DEVICE;
    }
    mote_pixels_arguments(&j->digis, &j->options, &j->in, &j->args);
    mote_pixels_positions_arguments(&j->positions, &j->options, &j->args);
    j->args.cluster_id = j->cluster_id.view;
    j->args.module_id_out = j->module_id_out.view;
    j->args.n_clusters = j->n_clusters.view;
    return MOTE_BENCH_OK;
}

static mote_status call(void *job)
{
    mote_bench_job *j = job;

    return mote_pixels_cluster(j->bench->ctx, j->bench->queue, &j->args, 0, NULL, NULL);
}

/* Reads labels, ids, counts and positions of the call that is timed; `clusters`: their number.
 */
static bool read_outputs(mote_bench_job *j, size_t clusters, mote_pixels_result *got)
{
    mote_bench_state *bench = j->bench;
    uint16_t *ids = calloc(j->digis.n + 1, sizeof(uint16_t));
    bool good = ids && mote_pixels_result_create(got, &j->digis) &&
                mote_guard_read(&j->cluster_id, bench->queue, got->cluster_id, 0, NULL,
                                bench->message, bench->size) &&
                mote_guard_read(&j->module_id_out, bench->queue, ids, 0, NULL, bench->message,
                                bench->size) &&
                mote_guard_read(&j->n_clusters, bench->queue, got->n_clusters, 0, NULL,
                                bench->message, bench->size);

    for (size_t i = 0; good && i < j->digis.n; i++)
        got->module_id_out[i] = ids[i];
    free(ids);
    got->n_total = clusters;
    if (good && j->digis.n && j->way->positions)
        good = mote_pixels_positions_read(&j->positions, bench->queue, false, got, bench->message,
                                          bench->size);
    free(got->cluster_start);
    got->cluster_start = NULL; /* not an output of this call */
    return good;
}

static mote_bench_status job_check(mote_bench_job *j)
{
    mote_bench_state *bench = j->bench;
    mote_pixels_result expected = {0}, got = {0};
    char difference[512];
    mote_bench_status status = MOTE_BENCH_OK;

    if (!mote_pixels_oracle(&j->digis, &j->options, &expected)) {
        snprintf(bench->message, bench->size, "no memory for the oracle");
        status = MOTE_BENCH_DEVICE;
    } else if (call(j)) {
        status = fail(bench, "mote_pixels_cluster");
    } else if (!read_outputs(j, expected.n_total, &got)) {
        status = MOTE_BENCH_DEVICE;
    } else if (!mote_pixels_compare(&j->digis, &expected, &got, difference, sizeof(difference))) {
        snprintf(bench->message, bench->size, "%s, %s: %s", j->set->name, j->way->name, difference);
        status = MOTE_BENCH_DISAGREE;
    }
    mote_pixels_result_free(&expected);
    mote_pixels_result_free(&got);
    return status;
}

static mote_bench_status time_whole(mote_bench_job *j, size_t runs, mote_bench_figures *f)
{
    return mote_bench_whole_measure(j, runs, f) ? fail(j->bench, "mote_pixels_cluster_host")
                                                : MOTE_BENCH_OK;
}

static mote_bench_status check_alone(void *data)
{
    return job_check(data);
}

mote_bench_status mote_bench_job_measure(mote_bench_job *j, mote_bench_figures *f)
{
    size_t runs = j->bench->options->quick ? 10 : 50;
    mote_repeats repeats = {.warm_up = WARM_UP, .runs = runs};
    mote_bench_row row = {.area = "pixels", .call = "cluster", .set = j->set->name};
    mote_bench_status status;

    snprintf(row.way, sizeof(row.way), "%s", j->way->name);
    if (mote_bench_try(j->bench, &row, call, check_alone, j, &status))
        return status;
    status = j->bench->options->no_check ? MOTE_BENCH_OK : job_check(j);
    if (!status && mote_time_call(j->bench->queue, call, j, repeats, &f->call))
        status = fail(j->bench, "timing mote_pixels_cluster");
    if (!status && !j->way->named)
        status = time_whole(j, runs / 2, f);
    return status;
}
