/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/reduce/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/guard.h"

typedef struct device {
    mote_guard values, result, low, workspace;
    mote_reduce_args args;
} device;

static bool fail(char *message, size_t size, const char *what, cl_int code)
{
    snprintf(message, size, "%s: %s: %s", what, mote_status_name(code), mote_last_error());
    return false;
}

static cl_int make_workspace(mote_context *ctx, cl_command_queue queue, device *d)
{
    size_t bytes = 0;
    mote_status st = mote_reduce_workspace_size(ctx, &d->args, &bytes);
    if (st)
        return st;
    st = mote_guard_create(&d->workspace, ctx, queue, "workspace", MOTE_UINT32, bytes / 4, NULL);
    d->args.workspace = d->workspace.view;
    return st;
}

static cl_int make(mote_context *ctx, cl_command_queue queue, const mote_reduce_case *c,
                   const void *values, device *d)
{
    size_t count = c->rows * c->n;
    mote_type result = c->result ? c->result : mote_reduce_widest_result(&c->task);
    mote_reduce_args_init(&d->args);
    cl_int code =
        mote_guard_create(&d->values, ctx, queue, "values", c->task.type, count + c->shift, values);
    if (!code)
        code = mote_guard_create(&d->result, ctx, queue, "result", result, c->rows, NULL);
    if (!code && c->low)
        code = mote_guard_create(&d->low, ctx, queue, "result_low", MOTE_FLOAT32, c->rows, NULL);
    if (code)
        return code;
    d->args.values = d->values.view;
    d->args.values.offset += c->shift;
    d->args.values.count = count;
    d->args.rows = c->rows;
    d->args.reduction = c->task.reduction;
    d->args.accumulation = c->task.accumulation;
    d->args.nan = c->task.nan;
    d->args.result = d->result.view;
    d->args.result_low = d->low.view;
    return c->workspace ? make_workspace(ctx, queue, d) : CL_SUCCESS;
}

/* Calls; *done covers what was enqueued, NULL when nothing was. */
static mote_status call(mote_context *ctx, cl_command_queue queue, const mote_reduce_case *c,
                        const mote_reduce_args *args, cl_event *done)
{
    cl_event gate = NULL;
    cl_int code = CL_SUCCESS;
    if (c->gated)
        gate = clCreateUserEvent(mote_context_cl(ctx), &code);
    if (code)
        return code;
    cl_uint num_wait = gate ? 1 : 0;
    const cl_event *wait = gate ? &gate : NULL;
    mote_status st = c->rows == 1 ? mote_reduce(ctx, queue, args, num_wait, wait, done)
                                  : mote_reduce_rows(ctx, queue, args, num_wait, wait, done);
    if (gate) {
        clSetUserEventStatus(gate, CL_COMPLETE);
        clReleaseEvent(gate);
    }
    return st;
}

static bool run(mote_context *ctx, cl_command_queue queue, const mote_reduce_case *c, char *values,
                device *d, char *message, size_t size)
{
    cl_event done = NULL;
    const char *from = values + c->shift * mote_type_size(c->task.type);
    void *result = calloc(c->rows + 1, sizeof(double));
    float *low = calloc(c->rows + 1, sizeof(float));
    cl_int code = make(ctx, queue, c, values, d);
    bool good = result && low;
    if (good && code)
        good = fail(message, size, "preparing buffers", code);
    if (good && (code = call(ctx, queue, c, &d->args, &done)) != 0)
        good = fail(message, size, "the call", code);
    if (good && !done)
        good = fail(message, size, "no event", 0);
    if (good)
        good = mote_guard_read(&d->result, queue, result, 1, &done, message, size) &&
               mote_guard_read(&d->low, queue, low, 1, &done, message, size) &&
               mote_guard_read(&d->workspace, queue, NULL, 1, &done, message, size) &&
               mote_guard_unchanged(&d->values, queue, values, 1, &done, message, size) &&
               mote_reduce_compare(c, from, result, c->low ? low : NULL, message, size);
    if (done)
        clReleaseEvent(done);
    free(result);
    free(low);
    return good;
}

bool mote_reduce_run(mote_context *ctx, cl_command_queue queue, const mote_reduce_case *c,
                     char *message, size_t size)
{
    device d = {0};
    mote_rng rng;
    size_t element = mote_type_size(c->task.type);
    char *values = malloc((c->shift + c->rows * c->n + 1) * element);
    snprintf(message, size, "out of memory");
    if (!values)
        return false;
    mote_rng_seed(&rng, c->seed);
    memset(values, 0x5a, c->shift * element);
    mote_reduce_fill(c->kind, c->task.type, c->rows * c->n, &rng, values + c->shift * element);
    bool good = run(ctx, queue, c, values, &d, message, size);
    mote_guard_release(&d.values);
    mote_guard_release(&d.result);
    mote_guard_release(&d.low);
    mote_guard_release(&d.workspace);
    free(values);
    return good;
}
