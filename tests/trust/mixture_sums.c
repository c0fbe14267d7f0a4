/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of rows: by the host layer, and on device buffers behind an event. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/reduce/data.h"
#include "testkit/reference/reduce/oracle.h"
#include "mixture.h"

static const size_t shapes[][2] = {{1, 0},  {1, 1},   {1, 31},   {7, 3},    {30, 17},
                                   {3, 85}, {1, 600}, {1, 8193}, {3, 20001}};
#define SHAPES (sizeof(shapes) / sizeof(shapes[0]))
#define SHAPES_OF                                                                                  \
    (const size_t[])                                                                               \
    {                                                                                              \
        7, SHAPES                                                                                  \
    } /* of level 0 and 1 */

enum { HOST, IN_ORDER, ANY_ORDER, WAYS };
static const char *const ways[] = {"", ", on a queue in order", ", on a queue out of order"};

typedef struct sums {
    mote_reduce_task task;
    size_t rows, n;
    mote_type result;
    void *values;
} sums;

static void free_sums(void *data)
{
    sums *s = data;
    free(s->values);
    free(s);
}

static mote_status run_host(const mix_call *call, mix_user *user, void *outputs)
{
    const sums *s = call->data;
    mote_reduce_host_args args;
    mote_reduce_host_args_init(&args);
    args.values = s->values;
    args.type = s->task.type;
    args.rows = s->rows;
    args.n = s->n;
    args.reduction = s->task.reduction;
    args.accumulation = s->task.accumulation;
    args.result_type = s->result;
    args.result = outputs;
    return mote_reduce_host(user->ctx, user->host, &args);
}

static cl_mem buffer(const mix_user *user, size_t bytes, void *contents, cl_int *code)
{
    cl_mem_flags flags = CL_MEM_READ_WRITE | (contents && bytes ? CL_MEM_COPY_HOST_PTR : 0);
    return clCreateBuffer(mote_context_cl(user->ctx), flags, bytes ? bytes : 1,
                          bytes ? contents : NULL, code);
}

/* Twice, the second sum behind the first one's event. */
static mote_status call_twice(const sums *s, mix_user *user, cl_command_queue queue, cl_mem values,
                              cl_mem result, void *outputs)
{
    mote_reduce_args args;
    cl_event first = NULL, second = NULL;
    mote_reduce_args_init(&args);
    args.values = (mote_view){values, 0, s->rows * s->n, s->task.type};
    args.rows = s->rows;
    args.reduction = s->task.reduction;
    args.accumulation = s->task.accumulation;
    args.result = (mote_view){result, 0, s->rows, s->result};
    mote_status status = mote_reduce_rows(user->ctx, queue, &args, 0, NULL, &first);
    if (!status)
        status = mote_reduce_rows(user->ctx, queue, &args, 1, &first, &second);
    if (!status)
        status = clEnqueueReadBuffer(queue, result, CL_TRUE, 0, s->rows * mote_type_size(s->result),
                                     outputs, 1, &second, NULL);
    if (status)
        clFinish(queue);
    if (first)
        clReleaseEvent(first);
    if (second)
        clReleaseEvent(second);
    return status;
}

static mote_status run_device(const mix_call *call, mix_user *user, void *outputs)
{
    const sums *s = call->data;
    cl_command_queue queue = call->which == IN_ORDER ? user->in_order : user->any_order;
    cl_int code;
    cl_mem values = buffer(user, s->rows * s->n * mote_type_size(s->task.type), s->values, &code);
    if (code)
        return code;
    cl_mem result = buffer(user, s->rows * mote_type_size(s->result), NULL, &code);
    if (!code)
        code = call_twice(s, user, queue, values, result, outputs);
    clReleaseMemObject(values);
    if (result)
        clReleaseMemObject(result);
    return code;
}

static void expect(const sums *s, void *expected)
{
    size_t row_bytes = s->n * mote_type_size(s->task.type), size = mote_type_size(s->result);
    for (size_t row = 0; row < s->rows; row++) {
        mote_reduce_result r;
        char *to = (char *)expected + row * size;
        int32_t narrow;
        mote_reduce_oracle(&s->task, (const char *)s->values + row * row_bytes, s->n, &r);
        narrow = (int32_t)r.integer;
        if (s->result == MOTE_FLOAT64)
            memcpy(to, &r.f64, size);
        else if (s->result == MOTE_FLOAT32)
            memcpy(to, &r.f32, size);
        else if (s->result == MOTE_INT32)
            memcpy(to, &narrow, size);
        else
            memcpy(to, &r.integer, size);
    }
}

static sums *make(const mixture *mix, mote_reduce_task task, size_t shape, mote_reduce_kind kind)
{
    sums *s = calloc(1, sizeof(*s));
    mote_rng rng;
    if (!s)
        return NULL;
    bool is_float = task.type == MOTE_FLOAT32 || task.type == MOTE_FLOAT64;
    s->task = task;
    s->task.has_fp64 = mix->has_fp64;
    s->rows = shapes[shape][0];
    s->n = shapes[shape][1];
    s->result = task.reduction != MOTE_REDUCE_SUM || (is_float && !mix->has_fp64) ? task.type
                : is_float                                                        ? MOTE_FLOAT64
                                                                                  : MOTE_INT64;
    s->values = calloc(s->rows * s->n + 1, mote_type_size(task.type));
    if (!s->values) {
        free_sums(s);
        return NULL;
    }
    mote_rng_seed(&rng, shape + 1);
    mote_reduce_fill(kind, task.type, s->rows * s->n, &rng, s->values);
    return s;
}

static void add(mixture *mix, mote_reduce_task task, size_t shape, mote_reduce_kind kind, int way)
{
    unsigned char *expected;
    char name[90];
    sums *s = make(mix, task, shape, kind);
    if (!s) {
        mix->failed = true;
        return;
    }
    snprintf(name, sizeof(name), "reduction %d of %zu x %zu %s (%s), accumulation %d%s",
             (int)task.reduction, s->rows, s->n, mote_type_name(task.type),
             mote_reduce_kind_name(kind), (int)task.accumulation, ways[way]);
    mix_call *call = mix_add(mix, "sums", name, s->rows * mote_type_size(s->result), &expected);
    if (!call) {
        free_sums(s);
        return;
    }
    expect(s, expected);
    bool rounds = (task.type == MOTE_FLOAT32 || task.type == MOTE_FLOAT64) &&
                  task.reduction == MOTE_REDUCE_SUM;
    call->bits = rounds ? MIX_SUMS : MIX_INTEGERS;
    call->run = way == HOST ? run_host : run_device;
    call->data = s;
    call->free_data = free_sums;
    call->which = way;
}

/* The first two are level 0. */
static const mote_reduce_task tasks[] = {
    {.type = MOTE_FLOAT32},
    {.type = MOTE_INT64},
    {.type = MOTE_FLOAT32, .accumulation = MOTE_ACCUMULATE_NATIVE},
    {.type = MOTE_FLOAT32, .accumulation = MOTE_ACCUMULATE_COMPENSATED},
    {.type = MOTE_FLOAT64},
    {.type = MOTE_FLOAT64, .accumulation = MOTE_ACCUMULATE_COMPENSATED},
    {.type = MOTE_INT32},
    {.type = MOTE_FLOAT32, .reduction = MOTE_REDUCE_MAX},
    {.type = MOTE_INT32, .reduction = MOTE_REDUCE_MIN},
};

void mix_add_sums(mixture *mix, int level)
{
    for (size_t t = 0; t < (level ? sizeof(tasks) / sizeof(tasks[0]) : 2); t++) {
        if (tasks[t].type == MOTE_FLOAT64 && !mix->has_fp64)
            continue;
        for (size_t shape = 0; shape < SHAPES_OF[level]; shape++)
            for (int way = 0; way < WAYS; way++) {
                add(mix, tasks[t], shape, MOTE_SUM_UNIT, way);
                if (tasks[t].reduction == MOTE_REDUCE_SUM)
                    add(mix, tasks[t], shape, MOTE_SUM_ILL, way);
            }
    }
}
