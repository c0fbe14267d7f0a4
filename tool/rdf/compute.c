/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the distances of a batch of frames, on the device of a worker. */
#include "rdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Data that a worker keeps. */
typedef struct worker_data {
    mote_buffer *positions[2], *counts; /* of A, of B; of its frames so far */
    cl_mem error;
    double *chosen; /* positions of one group */
    bool counted;
} worker_data;

static bool fail(device_worker *w, mote_status status, const coordination_batch *batch)
{
    char text[sizeof(w->failure.text)];
    failure_of_library(&w->failure, status);
    if (!batch)
        return false;
    if (status == MOTE_ERROR_BOX && ((const rdf_job *)w->workers->job)->base.options->rules.box) {
        snprintf(text, sizeof(text), "--box: %.1300s", w->failure.text);
        return failure_set(&w->failure, TOOL_USAGE, text);
    }
    snprintf(text, sizeof(text), "frame %llu%s: %.1300s", (unsigned long long)batch->number[0],
             batch->frames > 1 ? " or one after it" : "", w->failure.text);
    return failure_set(&w->failure, w->failure.code, text);
}

static bool make_data(device_worker *w)
{
    const rdf_job *job = w->workers->job;
    const coordination_cv *cv = rdf_groups(job);
    const size_t n[] = {rdf_first(job), cv->group_b.count};
    bool wide = mote_context_device(w->ctx)->has_fp64;
    worker_data *data = w->own = calloc(1, sizeof(*data));
    if (data)
        data->chosen = malloc((3 * (n[0] > n[1] ? n[0] : n[1]) + 1) * sizeof(double));
    if (!data || !data->chosen)
        return failure_set(&w->failure, TOOL_DEVICE, "out of memory");
    mote_status st = mote_error_create(mote_context_cl(w->ctx), &data->error);
    for (int k = 0; k < 1 + rdf_is_two(job) && !st; k++)
        st = mote_buffer_create(w->ctx, wide ? MOTE_FLOAT64 : MOTE_FLOAT32, 3 * n[k], 0,
                                &data->positions[k]);
    if (!st)
        st = mote_buffer_create(w->ctx, MOTE_INT64, job->options->bins, 0, &data->counts);
    return !st || fail(w, st, NULL);
}

/* Copies the positions of a group to the device. If the group has no list of atoms, it contains all
 * atoms. */
static mote_status upload(device_worker *w, const coordination_group *group,
                          const double *positions, mote_buffer *to)
{
    worker_data *data = w->own;
    size_t count = mote_buffer_size(to);
    for (size_t i = 0; group->atoms && i < count / 3; i++)
        memcpy(data->chosen + 3 * i, positions + 3 * (size_t)group->atoms[i], 3 * sizeof(double));
    return mote_buffer_write(to, 0, count, group->atoms ? data->chosen : positions, MOTE_FLOAT64, 1,
                             mote_host_queue(w->host), 0, NULL, NULL);
}

static mote_status count(device_worker *w, const coordination_batch *batch, size_t k)
{
    const rdf_job *job = w->workers->job;
    const rdf_options *options = job->options;
    const coordination_cv *cv = rdf_groups(job);
    const double *positions = batch->positions + 3 * job->base.n_atoms * k;
    worker_data *data = w->own;
    mote_pair_histogram_args args;
    mote_pair_histogram_args_init(&args);
    mote_status st = upload(w, &cv->group_a, positions, data->positions[0]);
    if (!st && rdf_is_two(job))
        st = upload(w, &cv->group_b, positions, data->positions[1]);
    if (st)
        return st;
    args.positions = mote_buffer_view(data->positions[0]);
    if (rdf_is_two(job))
        args.other = mote_buffer_view(data->positions[1]);
    args.r_min = options->r_min;
    args.r_max = options->r_max;
    args.pbc = batch->pbc == MOTE_PBC_NONE ? 0 : batch->periodic;
    args.box = batch->box + 9 * k;
    args.block = options->block[0];
    args.block_other = options->block[1];
    args.accumulate = data->counted;
    args.counts = mote_buffer_view(data->counts);
    args.error = data->error;
    args.error_keep = 1;
    data->counted = true;
    return mote_pair_histogram(w->ctx, mote_host_queue(w->host), &args, 0, NULL, NULL);
}

bool rdf_compute(device_worker *w, size_t slot)
{
    const rdf_job *job = w->workers->job;
    const coordination_batch *batch = &job->base.batches[slot];
    double start = tool_seconds();
    mote_status st = MOTE_SUCCESS;
    w->units = batch->frames;
    if (!w->own && !make_data(w))
        return false;
    for (size_t k = 0; k < batch->frames && !st; k++)
        st = count(w, batch, k);
    if (!st)
        st = mote_error_read(mote_host_queue(w->host), ((worker_data *)w->own)->error, 0, NULL, 0,
                             NULL);
    w->device_s += tool_seconds() - start;
    return !st || fail(w, st, batch);
}

/* Adds the counts of the worker to those of the job. */
static void add_counts(device_worker *w)
{
    rdf_job *job = w->workers->job;
    worker_data *data = w->own;
    size_t bins = job->options->bins;
    int64_t *counts = malloc(bins * sizeof(*counts));
    mote_status st = MOTE_SUCCESS;
    if (counts)
        st = mote_buffer_read(data->counts, 0, bins, counts, MOTE_INT64, 1,
                              mote_host_queue(w->host), 0, NULL, NULL);
    for (size_t k = 0; counts && !st && k < bins; k++)
        job->sums.counts[k] += counts[k];
    if (!counts)
        failure_set(&w->workers->failure, TOOL_DEVICE, "out of memory");
    if (st)
        failure_of_library(&w->workers->failure, st);
    free(counts);
}

void rdf_end(device_worker *w)
{
    worker_data *data = w->own;
    if (!data)
        return;
    if (data->counted && w->workers->failure.code == TOOL_GO_ON)
        add_counts(w);
    for (int k = 0; k < 2; k++)
        mote_buffer_release(data->positions[k]);
    mote_buffer_release(data->counts);
    if (data->error)
        clReleaseMemObject(data->error);
    free(data->chosen);
    free(data);
}
