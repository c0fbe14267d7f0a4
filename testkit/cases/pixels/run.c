/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/pixels/run.h"
#include "testkit/cases/pixels/positions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXTRA_DIGIS 300

typedef struct run {
    mote_context *ctx;
    cl_command_queue queue;
    const mote_digis *digis;
    const mote_pixels_options *options;
    unsigned how;
    mote_pixels_device in;
    mote_guard cluster_id, module_id_out, n_clusters, cluster_start, properties, workspace, error;
    mote_pixels_positions_device positions;
    cl_event gate, done;
    mote_pixels_result *result;
    char *message;
    size_t size;
} run;

static bool fail(run *r, const char *what, mote_status status)
{
    snprintf(r->message, r->size, "%s failed with %s: %s", what, mote_status_name(status),
             mote_last_error());
    return false;
}

static cl_int create(run *r, mote_guard *guard, const char *name, mote_type type, size_t count)
{
    return mote_guard_create(guard, r->ctx, r->queue, name, type, count, NULL);
}

static bool create_outputs(run *r)
{
    size_t n = r->digis->n + (r->how & MOTE_RUN_N_DEVICE ? EXTRA_DIGIS : 0);
    size_t slots = r->digis->n_events * r->digis->n_modules;
    cl_int code = CL_SUCCESS;

    if (n > 0)
        code = create(r, &r->cluster_id, "cluster_id", MOTE_INT32, n);
    if (!code)
        code = create(r, &r->error, "error word", MOTE_UINT32, MOTE_ERROR_SLOTS);
    if (!code && !(r->how & MOTE_RUN_LABELS)) {
        if (n > 0 && !(r->how & MOTE_RUN_ALIAS))
            code = create(r, &r->module_id_out, "module_id_out", r->digis->module_type, n);
        if (!code)
            code = create(r, &r->n_clusters, "n_clusters", MOTE_UINT32, slots);
        if (!code)
            code = create(r, &r->cluster_start, "cluster_start", MOTE_UINT32, slots + 1);
        if (!code && !(r->how & MOTE_RUN_BARE))
            code = create(r, &r->properties, "properties", MOTE_PIXELS_CLUSTER_TYPE, n);
        if (!code && n > 0)
            code = mote_pixels_positions_create(&r->positions, r->ctx, r->queue, r->digis,
                                                r->options, n);
    }
    return code ? fail(r, "creating the outputs", code) : true;
}

static bool give_workspace(run *r, mote_pixels_cluster_args *args)
{
    size_t bytes = 0;
    mote_status status = mote_pixels_cluster_workspace_size(r->ctx, args, &bytes);

    if (status)
        return fail(r, "mote_pixels_cluster_workspace_size", status);
    status = create(r, &r->workspace, "workspace", MOTE_UINT32, (bytes + 3) / 4);
    args->workspace = r->workspace.view;
    return status ? fail(r, "creating the workspace", status) : true;
}

/* Lets the next step wait for `event` instead of what `done` held. */
static void follow(run *r, cl_event event)
{
    if (r->done)
        clReleaseEvent(r->done);
    r->done = event;
}

/* The cut and the prefix sums by their own calls, after labels made without a cut. */
static bool cut_apart(run *r, const mote_pixels_cluster_args *whole)
{
    mote_pixels_charge_cut_args cut;
    mote_pixels_cluster_start_args start;
    cl_event event = NULL;

    mote_pixels_charge_cut_args_init(&cut);
    cut.module_id = whole->module_id;
    cut.adc = whole->adc;
    cut.event_offsets = whole->event_offsets;
    cut.n_modules = whole->n_modules;
    cut.invalid_module_id = whole->invalid_module_id;
    cut.invalid_cluster_id = whole->invalid_cluster_id;
    cut.charge_cut = r->options->charge_cut;
    cut.charge_cut_inner = r->options->charge_cut_inner;
    cut.inner_modules = r->options->inner_modules;
    cut.charge_cuts = r->in.charge_cuts.view;
    cut.cluster_id = whole->cluster_id;
    cut.module_id_out = whole->module_id_out;
    cut.n_clusters = whole->n_clusters;
    cut.error = whole->error;
    cut.error_offset = whole->error_offset;
    mote_status status = mote_pixels_charge_cut(r->ctx, r->queue, &cut, 1, &r->done, &event);

    if (status)
        return fail(r, "mote_pixels_charge_cut", status);
    follow(r, event);
    mote_pixels_cluster_start_args_init(&start);
    start.n_clusters = whole->n_clusters;
    start.cluster_start = r->cluster_start.view;
    status = mote_pixels_cluster_start(r->ctx, r->queue, &start, 1, &r->done, &event);
    if (status)
        return fail(r, "mote_pixels_cluster_start", status);
    follow(r, event);
    return true;
}

static bool enqueue(run *r)
{
    mote_pixels_cluster_args args;
    bool apart = (r->how & MOTE_RUN_APART) != 0;

    mote_pixels_arguments(r->digis, r->options, &r->in, &args);
    if (r->how & MOTE_RUN_ONE_EVENT && r->digis->n_events == 1)
        args.event_offsets = (mote_view){0};
    args.cluster_id = r->cluster_id.view;
    args.module_id_out = r->how & MOTE_RUN_ALIAS ? r->in.module_id.view : r->module_id_out.view;
    args.n_clusters = r->n_clusters.view;
    if (!(r->how & MOTE_RUN_SILENT)) {
        args.error = r->error.view.mem;
        args.error_offset = r->error.margin;
    }
    if (!apart) {
        args.cluster_start = r->cluster_start.view;
        args.properties = r->properties.view;
        mote_pixels_positions_arguments(&r->positions, r->options, &args);
    } else {
        args.charge_cut = args.charge_cut_inner = args.inner_modules = 0;
        args.charge_cuts = (mote_view){0};
    }
    if (r->how & MOTE_RUN_WORKSPACE && !give_workspace(r, &args))
        return false;
    mote_status status = mote_pixels_cluster(r->ctx, r->queue, &args, r->gate ? 1 : 0,
                                             r->gate ? &r->gate : NULL, &r->done);

    if (status)
        return fail(r, "mote_pixels_cluster", status);
    return apart ? cut_apart(r, &args) : true;
}

/* Completes the gate whatever happened, so that nothing hangs. */
static bool enqueue_gated(run *r)
{
    cl_int code = CL_SUCCESS;

    if (r->how & MOTE_RUN_GATED)
        r->gate = clCreateUserEvent(mote_context_cl(r->ctx), &code);
    if (code != CL_SUCCESS)
        return fail(r, "clCreateUserEvent", code);
    bool good = enqueue(r);

    if (r->gate) {
        code = clSetUserEventStatus(r->gate, CL_COMPLETE);
        if (good && code != CL_SUCCESS)
            return fail(r, "clSetUserEventStatus", code);
    }
    return good;
}

static bool read_guard(run *r, const mote_guard *guard, void *out)
{
    return mote_guard_read(guard, r->queue, out, r->done ? 1 : 0, r->done ? &r->done : NULL,
                           r->message, r->size);
}

/* Ids come back in the device's width; `from` is as long as the view. */
static bool read_modules(run *r, const mote_guard *from)
{
    void *ids = malloc(from->bytes + 1);
    bool good = ids && read_guard(r, from, ids);

    for (size_t i = 0; good && from->view.mem && i < r->digis->n; i++)
        r->result->module_id_out[i] = r->digis->module_type == MOTE_UINT16
                                          ? ((const uint16_t *)ids)[i]
                                          : ((const uint32_t *)ids)[i];
    free(ids);
    return good;
}

/* Labels behind the real length may hold anything, so all are read and the first n kept. */
static bool read_labels(run *r)
{
    int32_t *labels = malloc(r->cluster_id.bytes + 1);
    bool good = labels && read_guard(r, &r->cluster_id, labels);

    if (good && r->digis->n)
        memcpy(r->result->cluster_id, labels, r->digis->n * sizeof(int32_t));
    free(labels);
    return good;
}

static void forget(void *array)
{
    void **pointer = array;

    free(*pointer);
    *pointer = NULL;
}

static bool read_properties(run *r)
{
    mote_pixels_result *result = r->result;
    mote_pixels_cluster_record *records = malloc(r->properties.bytes + 1);

    result->properties = records;
    result->n_total = result->cluster_start[result->n_slots];
    if (result->n_total > r->properties.view.count) {
        snprintf(r->message, r->size, "%zu clusters of %zu digis", result->n_total, r->digis->n);
        return false;
    }
    return records && read_guard(r, &r->properties, records);
}

/* Memory around every output is checked even where the contents are unspecified. */
static bool read_outputs(run *r)
{
    mote_pixels_result *result = r->result;
    bool bad_data = result->status != MOTE_SUCCESS;
    bool good = read_labels(r) &&
                read_modules(r, r->how & MOTE_RUN_ALIAS ? &r->in.module_id : &r->module_id_out) &&
                read_guard(r, &r->n_clusters, result->n_clusters) &&
                read_guard(r, &r->cluster_start, result->cluster_start) &&
                read_guard(r, &r->workspace, NULL);

    bool whole = !bad_data && !(r->how & (MOTE_RUN_LABELS | MOTE_RUN_APART));
    if (good && whole && r->how & MOTE_RUN_BARE)
        result->n_total = result->cluster_start[result->n_slots];
    else if (good && whole)
        good = read_properties(r);
    else if (good)
        good = read_guard(r, &r->properties, NULL);
    good = good &&
           mote_pixels_positions_read(&r->positions, r->queue, !whole, result, r->message, r->size);
    if (bad_data || r->how & MOTE_RUN_LABELS) {
        forget(&result->module_id_out);
        forget(&result->n_clusters);
        forget(&result->cluster_start);
    }
    if (bad_data)
        forget(&result->cluster_id);
    return good;
}

static bool check_inputs(run *r)
{
    size_t n = r->digis->n + (r->how & MOTE_RUN_N_DEVICE ? EXTRA_DIGIS : 0);
    bool whole = n == r->digis->n; /* coordinates behind the digis have no copy here */

    if (n == 0)
        return true;
    if (!(r->how & MOTE_RUN_ALIAS) &&
        !mote_guard_unchanged(&r->in.module_id, r->queue, r->in.host_module_id, 0, NULL, r->message,
                              r->size))
        return false;
    if (!mote_guard_unchanged(&r->in.adc, r->queue, r->in.host_adc, 0, NULL, r->message, r->size))
        return false;
    return !whole ||
           (mote_guard_unchanged(&r->in.x, r->queue, r->digis->x, 0, NULL, r->message, r->size) &&
            mote_guard_unchanged(&r->in.y, r->queue, r->digis->y, 0, NULL, r->message, r->size));
}

static bool finish(run *r)
{
    mote_status status = MOTE_SUCCESS;

    if (!(r->how & MOTE_RUN_SILENT))
        status = mote_error_read(r->queue, r->error.view.mem, r->error.margin, &r->result->index, 1,
                                 &r->done);
    if (status && status > MOTE_ERROR_INVALID_ARGUMENT)
        return fail(r, "mote_error_read", status);
    r->result->status = status;
    return read_guard(r, &r->error, NULL) && read_outputs(r) && check_inputs(r);
}

static void release(run *r)
{
    if (r->done) {
        /* Views may only be released by us once nothing runs on them. */
        clWaitForEvents(1, &r->done);
        clReleaseEvent(r->done);
    }
    if (r->gate)
        clReleaseEvent(r->gate);
    mote_pixels_device_release(&r->in);
    mote_guard_release(&r->cluster_id);
    mote_guard_release(&r->module_id_out);
    mote_guard_release(&r->n_clusters);
    mote_guard_release(&r->cluster_start);
    mote_guard_release(&r->properties);
    mote_pixels_positions_release(&r->positions);
    mote_guard_release(&r->workspace);
    mote_guard_release(&r->error);
}

bool mote_pixels_run(mote_context *ctx, cl_command_queue queue, const mote_digis *digis,
                     const mote_pixels_options *options, unsigned how, mote_pixels_result *result,
                     char *message, size_t size)
{
    run r = {.ctx = ctx,
             .queue = queue,
             .digis = digis,
             .options = options,
             .how = how,
             .result = result,
             .message = message,
             .size = size};
    size_t extra = how & MOTE_RUN_N_DEVICE ? EXTRA_DIGIS : 0;

    if (!mote_pixels_result_create(result, digis)) {
        snprintf(message, size, "no memory for the result of %zu digis", digis->n);
        return false;
    }
    bool good = mote_pixels_upload(ctx, queue, digis, options, extra, &r.in, message, size) &&
                create_outputs(&r) && enqueue_gated(&r) && finish(&r);

    release(&r);
    return good;
}
