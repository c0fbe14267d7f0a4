/* SPDX-License-Identifier: Apache-2.0 */
/* Whole calls: from host arrays to labels in host arrays. */
#include <stdlib.h>
#include <string.h>

#include "bench/pixels/job.h"
#include "testkit/cases/pixels/decode.h"

enum { MODULE, X, Y, ADC, OFFSETS, MASK, GAIN, PEDESTAL, LABELS, COUNTS, ARRAYS };

typedef struct whole_job {
    mote_bench_job *job;
    mote_host *host;
    mote_pixels_host_args args;
    void *array[ARRAYS]; /* pinned */
    size_t bytes[ARRAYS];
    cl_mem mem[ARRAYS];
} whole_job;

static void fill_arguments(whole_job *w, const void *const array[LABELS], int32_t *labels,
                           uint32_t *counts)
{
    const mote_bench_job *j = w->job;
    const mote_digis *d = &j->digis;

    mote_pixels_host_args_init(&w->args);
    w->args.n = d->n;
    w->args.module_id16 = array[MODULE];
    w->args.x = array[X];
    w->args.y = array[Y];
    w->args.adc16 = array[ADC];
    w->args.event_offsets = array[OFFSETS];
    w->args.mask = j->options.mask ? array[MASK] : NULL;
    w->args.gain = j->options.gain ? array[GAIN] : NULL;
    w->args.pedestal = j->options.pedestal ? array[PEDESTAL] : NULL;
    w->args.n_events = d->n_events;
    w->args.n_modules = d->n_modules;
    w->args.rows = d->rows;
    w->args.columns = d->columns;
    w->args.order = j->options.order;
    w->args.strategy = j->options.strategy;
    w->args.charge_cut = j->options.charge_cut;
    w->args.charge_cut_inner = j->options.charge_cut_inner;
    w->args.inner_modules = j->options.inner_modules;
    w->args.same_modules = 1;
    w->args.cluster_id = labels;
    w->args.n_clusters = counts;
}

static mote_status call_whole(void *job)
{
    whole_job *w = job;

    return mote_pixels_cluster_host(w->job->bench->ctx, w->host, &w->args, NULL);
}

/* Copies every byte of the call's inputs except the arrays of modules, which stay on the device,
 * then every byte of its outputs back. */
static mote_status copy_all(void *job)
{
    whole_job *w = job;
    cl_command_queue queue = w->job->bench->queue;
    cl_int code = CL_SUCCESS;

    for (int k = 0; k < ARRAYS && !code; k++)
        if (w->mem[k] && k < LABELS)
            code = clEnqueueWriteBuffer(queue, w->mem[k], CL_FALSE, 0, w->bytes[k], w->array[k], 0,
                                        NULL, NULL);
        else if (w->mem[k])
            code = clEnqueueReadBuffer(queue, w->mem[k], CL_FALSE, 0, w->bytes[k], w->array[k], 0,
                                       NULL, NULL);
    cl_int finished = clFinish(queue);

    return code ? code : finished;
}

/* Returns whether an array is copied in each call. */
static bool travels(const whole_job *w, int k)
{
    return w->bytes[k] && k != MASK && k != GAIN && k != PEDESTAL;
}

static mote_status make_pinned(whole_job *w, const void *const from[LABELS])
{
    mote_context *ctx = w->job->bench->ctx;
    cl_int code = CL_SUCCESS;

    for (int k = 0; k < ARRAYS && !code; k++) {
        code = mote_host_alloc(ctx, w->bytes[k] + 1, &w->array[k]);
        if (!code && travels(w, k))
            w->mem[k] =
                clCreateBuffer(mote_context_cl(ctx), CL_MEM_READ_WRITE, w->bytes[k], NULL, &code);
        if (!code && k < LABELS && w->bytes[k])
            memcpy(w->array[k], from[k], w->bytes[k]);
    }
    return code;
}

static void release(whole_job *w)
{
    for (int k = 0; k < ARRAYS; k++) {
        if (w->mem[k])
            clReleaseMemObject(w->mem[k]);
        mote_host_free(w->job->bench->ctx, w->array[k]);
    }
    mote_host_release(w->host);
}

mote_status mote_bench_whole_measure(mote_bench_job *j, size_t runs, mote_bench_figures *f)
{
    const mote_digis *d = &j->digis;
    const mote_pixels_options *o = &j->options;
    const void *const from[LABELS] = {j->module_id16,   d->x,    d->y,    j->adc16,
                                      d->event_offsets, o->mask, o->gain, o->pedestal};
    size_t counts_bytes = d->n_events * d->n_modules * sizeof(uint32_t);
    int32_t *labels = malloc((d->n + 1) * sizeof(int32_t));
    uint32_t *counts = malloc(counts_bytes + 1);
    mote_repeats repeats = {.runs = runs};
    whole_job w = {.job = j,
                   .bytes = {2 * d->n, 2 * d->n, 2 * d->n, 2 * d->n, 4 * (d->n_events + 1),
                             o->mask ? 4 * mote_case_mask_words(d) : 0,
                             o->gain ? sizeof(float) * d->n_modules : 0,
                             o->pedestal ? sizeof(float) * d->n_modules : 0, 4 * d->n,
                             counts_bytes}};
    mote_status st = labels && counts ? mote_host_create(j->bench->ctx, NULL, &w.host)
                                      : MOTE_ERROR_OUT_OF_HOST_MEMORY;

    fill_arguments(&w, from, labels, counts);
    if (!st)
        st = mote_time_whole(call_whole, &w, repeats, &f->whole);
    if (!st)
        st = make_pinned(&w, from);
    fill_arguments(&w, (const void *const *)w.array, w.array[LABELS], w.array[COUNTS]);
    if (!st)
        st = mote_time_whole(call_whole, &w, repeats, &f->pinned);
    if (!st)
        st = mote_time_whole(copy_all, &w, repeats, &f->bus);
    release(&w);
    free(labels);
    free(counts);
    return st;
}
