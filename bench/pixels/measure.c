/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of the digis of each cluster, and measurements of clusters, for the events of a set in one
 * call. */
#include <stdlib.h>
#include <string.h>

#include "bench/pixels/sets.h"
#include "bench/row.h"
#include "mote/pixels_measure.h"
#include "testkit/reference/pixels/digis_oracle.h"
#include "testkit/reference/pixels/measure_oracle.h"

#define OUTPUTS 7 /* of a measurement */

enum { IDS, X, Y, ADC, EVENTS, LABELS, STARTS, OFFSETS, LIST, ROW_OFFSETS, ROW_EDGES, RESULTS };
#define ARRAYS (RESULTS + OUTPUTS)

typedef struct job {
    mote_bench_state *bench;
    const mote_bench_set *set;
    mote_digis digis;
    mote_pixels_result clusters;
    mote_pixels_options options;
    uint16_t *ids, *adc;
    uint32_t *offsets, *list; /* the expected ones */
    uint32_t row_offsets[2];
    float *row_edges;
    cl_mem mem[ARRAYS];
    size_t bytes[ARRAYS];
} job;

static const mote_type output_types[OUTPUTS] = {
    MOTE_UINT32, MOTE_FLOAT32, MOTE_FLOAT32, MOTE_FLOAT32, MOTE_FLOAT32, MOTE_UINT32, MOTE_UINT32};

static mote_status list(void *data)
{
    const job *j = data;
    const size_t n = j->digis.n;
    mote_pixels_cluster_digis_args a;

    mote_pixels_cluster_digis_args_init(&a);
    a.module_id = mote_view_make(j->mem[IDS], n, MOTE_UINT16);
    a.x = mote_view_make(j->mem[X], n, MOTE_UINT16);
    a.y = mote_view_make(j->mem[Y], n, MOTE_UINT16);
    a.event_offsets = mote_view_make(j->mem[EVENTS], j->digis.n_events + 1, MOTE_UINT32);
    a.cluster_id = mote_view_make(j->mem[LABELS], n, MOTE_INT32);
    a.cluster_start = mote_view_make(j->mem[STARTS], j->clusters.n_slots + 1, MOTE_UINT32);
    a.n_modules = j->digis.n_modules;
    a.cluster_offsets = mote_view_make(j->mem[OFFSETS], j->clusters.n_total + 1, MOTE_UINT32);
    a.digis = mote_view_make(j->mem[LIST], n, MOTE_UINT32);
    return mote_pixels_cluster_digis(j->bench->ctx, j->bench->queue, &a, 0, NULL, NULL);
}

static mote_status measure(void *data)
{
    const job *j = data;
    const size_t n = j->digis.n, rows = j->digis.rows;
    mote_pixels_measure_args a;
    mote_view *const outputs[OUTPUTS] = {&a.cluster_module, &a.cluster_x,     &a.cluster_y,
                                         &a.cluster_x_var,  &a.cluster_y_var, &a.cluster_rows,
                                         &a.cluster_columns};

    mote_pixels_measure_args_init(&a);
    a.module_id = mote_view_make(j->mem[IDS], n, MOTE_UINT16);
    a.x = mote_view_make(j->mem[X], n, MOTE_UINT16);
    a.y = mote_view_make(j->mem[Y], n, MOTE_UINT16);
    a.adc = mote_view_make(j->mem[ADC], n, MOTE_UINT16);
    a.cluster_offsets = mote_view_make(j->mem[OFFSETS], j->clusters.n_total + 1, MOTE_UINT32);
    a.digis = mote_view_make(j->mem[LIST], n, MOTE_UINT32);
    a.n_modules = j->digis.n_modules;
    a.row_offsets = mote_view_make(j->mem[ROW_OFFSETS], 2, MOTE_UINT32);
    a.row_edges = mote_view_make(j->mem[ROW_EDGES], rows + 1, MOTE_FLOAT32);
    a.widths = 1;
    for (size_t k = 0; k < OUTPUTS; k++)
        *outputs[k] = mote_view_make(j->mem[RESULTS + k], j->clusters.n_total, output_types[k]);
    return mote_pixels_measure(j->bench->ctx, j->bench->queue, &a, 0, NULL, NULL);
}

static bool check_lists(job *j)
{
    const size_t offsets = (j->clusters.n_total + 1) * 4, digis = j->digis.n * 4;
    const size_t listed = (size_t)j->offsets[j->clusters.n_total] * 4;
    uint32_t *got = malloc(offsets > digis ? offsets : digis);
    bool good = got && mote_bench_read(j->bench, j->mem[OFFSETS], offsets, got) &&
                memcmp(got, j->offsets, offsets) == 0 &&
                mote_bench_read(j->bench, j->mem[LIST], digis, got) &&
                memcmp(got, j->list, listed) == 0;

    free(got);
    return good;
}

/* Compares the modules and the extents. On devices with double precision, compares all results. */
static bool check_measurements(job *j)
{
    const mote_measure_task task = {.digis = &j->digis,
                                    .options = &j->options,
                                    .clusters = j->clusters.n_total,
                                    .offsets = j->offsets,
                                    .list = j->list,
                                    .rows = {j->row_offsets, j->row_edges},
                                    .widths = true};
    const bool exact = mote_context_device(j->bench->ctx)->has_fp64;
    const size_t bytes = task.clusters * 4;
    uint32_t *got = malloc(OUTPUTS * bytes + 1);
    bool good = got != NULL;

    for (size_t k = 0; good && k < OUTPUTS; k++)
        good = mote_bench_read(j->bench, j->mem[RESULTS + k], bytes, got + k * task.clusters);
    for (size_t i = 0; good && i < task.clusters; i++) {
        mote_measurement m;
        good = mote_oracle_measure(&task, i, &m);
        const void *const values[OUTPUTS] = {&m.module, &m.x,    &m.y,      &m.x_var,
                                             &m.y_var,  &m.rows, &m.columns};
        for (size_t k = 0; good && k < OUTPUTS; k++)
            good = (!exact && output_types[k] == MOTE_FLOAT32) ||
                   memcmp(got + k * task.clusters + i, values[k], 4) == 0;
    }
    free(got);
    return good;
}

/* outputs[k]: the call writes array k. */
static mote_bench_status time_it(job *j, mote_bench_row *row, mote_timed_fn call,
                                 bool (*check)(job *j), const bool outputs[ARRAYS])
{
    mote_bench_state *bench = j->bench;

    if (!mote_bench_wants(bench, row->call))
        return MOTE_BENCH_OK;
    if (!bench->options->no_check) {
        for (size_t k = 0; k < ARRAYS; k++)
            if (outputs[k] && !mote_bench_poison(bench, j->mem[k], j->bytes[k]))
                return mote_bench_failed(bench, row);
        if (call(j))
            return mote_bench_failed(bench, row);
        if (!check(j)) {
            snprintf(bench->message, bench->size, "%s on %s: wrong result", row->call, row->set);
            return MOTE_BENCH_DISAGREE;
        }
    }
    if (mote_time_call(bench->queue, call, j, mote_bench_repeats(bench), &row->times))
        return mote_bench_failed(bench, row);
    mote_bench_row_print(bench, row);
    return MOTE_BENCH_OK;
}

static mote_bench_status time_both(job *j)
{
    const double n = (double)j->digis.n, clusters = (double)j->clusters.n_total;
    mote_bench_row row = {.area = "pixels",
                          .call = "digis",
                          .set = j->set->name,
                          .way = "digis",
                          .lists = j->clusters.n_total,
                          .n = j->digis.n,
                          .scale = 1,
                          .bytes = {.read = 10 * n, .written = 4 * (n + clusters)}};
    bool outputs[ARRAYS] = {[OFFSETS] = true, [LIST] = true};
    mote_bench_status status = time_it(j, &row, list, check_lists, outputs);

    for (size_t k = 0; k < ARRAYS; k++)
        outputs[k] = k >= RESULTS;
    row.call = "measure";
    snprintf(row.way, sizeof(row.way), "measure");
    row.bytes = (mote_bytes){.read = 10 * n + 4 * clusters, .written = 4 * OUTPUTS * clusters};
    if (!status) /* the lists may not have been timed */
        status = list(j) ? mote_bench_failed(j->bench, &row)
                         : time_it(j, &row, measure, check_measurements, outputs);
    return status;
}

static bool make_host(job *j)
{
    mote_digis *d = &j->digis;
    mote_pixels_result *r = &j->clusters;

    j->options = mote_bench_set_options(j->set);
    if (!mote_pixels_oracle(d, &j->options, r))
        return false;
    j->ids = malloc((d->n + 1) * sizeof(*j->ids));
    j->adc = malloc((d->n + 1) * sizeof(*j->adc));
    j->offsets = malloc((r->n_total + 1) * sizeof(*j->offsets));
    j->list = malloc((d->n + 1) * sizeof(*j->list));
    j->row_edges = malloc(((size_t)d->rows + 1) * sizeof(*j->row_edges));
    if (!j->ids || !j->adc || !j->offsets || !j->list || !j->row_edges)
        return false;
    for (size_t i = 0; i < d->n; i++) {
        j->ids[i] = (uint16_t)d->module_id[i];
        j->adc[i] = (uint16_t)d->adc[i];
    }
    for (uint32_t k = 0; k <= d->rows; k++)
        j->row_edges[k] = 0.01f * (float)k + (k > d->rows / 2 ? 0.02f : 0.0f);
    j->row_offsets[1] = d->rows + 1;
    return mote_oracle_cluster_digis(d, r->cluster_id, r->cluster_start, r->n_total, j->offsets,
                                     j->list);
}

static bool make_buffers(job *j)
{
    const mote_digis *d = &j->digis;
    const mote_pixels_result *r = &j->clusters;
    const size_t clusters = r->n_total * 4 + 4;
    const struct {
        size_t bytes;
        const void *from;
    } arrays[RESULTS] = {[IDS] = {d->n * 2, j->ids},
                         [X] = {d->n * 2, d->x},
                         [Y] = {d->n * 2, d->y},
                         [ADC] = {d->n * 2, j->adc},
                         [EVENTS] = {(d->n_events + 1) * 4, d->event_offsets},
                         [LABELS] = {d->n * 4, r->cluster_id},
                         [STARTS] = {(r->n_slots + 1) * 4, r->cluster_start},
                         [OFFSETS] = {clusters, NULL},
                         [LIST] = {d->n * 4, NULL},
                         [ROW_OFFSETS] = {sizeof(j->row_offsets), j->row_offsets},
                         [ROW_EDGES] = {((size_t)d->rows + 1) * 4, j->row_edges}};

    for (size_t k = 0; k < ARRAYS; k++) {
        j->bytes[k] = k < RESULTS ? arrays[k].bytes : clusters;
        j->mem[k] = mote_bench_buffer(j->bench, j->bytes[k], k < RESULTS ? arrays[k].from : NULL);
        if (!j->mem[k])
            return false;
    }
    return true;
}

static void release(job *j)
{
    mote_digis_free(&j->digis);
    mote_pixels_result_free(&j->clusters);
    free(j->ids);
    free(j->adc);
    free(j->offsets);
    free(j->list);
    free(j->row_edges);
    for (size_t k = 0; k < ARRAYS; k++)
        if (j->mem[k])
            clReleaseMemObject(j->mem[k]);
}

static mote_bench_status run_set(mote_bench_state *bench, size_t number)
{
    job j = {.bench = bench, .set = mote_bench_set_at(number)};
    mote_bench_status status =
        mote_bench_set_load(j.set, bench->options, &j.digis, bench->message, bench->size);

    if (status)
        return status;
    status = make_host(&j) && make_buffers(&j) ? time_both(&j)
                                               : mote_bench_no_memory(bench, j.set->name);
    release(&j);
    return status;
}

static const char *name_of(size_t k)
{
    return k < mote_bench_set_count() ? mote_bench_set_at(k)->name : NULL;
}

mote_bench_status mote_bench_measure(mote_bench_state *bench)
{
    bench->peer_us = 0;
    return mote_bench_row_sets(bench, "digis of clusters, and measurements; lists are clusters",
                               name_of, run_set);
}
