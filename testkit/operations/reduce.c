/* SPDX-License-Identifier: Apache-2.0 */
/* mote_reduce(), mote_reduce_rows() and mote_reduce_host(). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/reduce/data.h"
#include "testkit/operation.h"
#include "testkit/reference/reduce/oracle.h"
#include "shared/sums.h"

#define BIT(number) (1u << (number))

enum { VALUES, RESULT, LOW }; /* the fields */

/* The values in the oracle's type `task.type`, which represents all of them in their order. */
typedef struct wide_values {
    mote_reduce_task task;
    void *row;
} wide_values;

static bool is_real(mote_type type)
{
    return type == MOTE_FLOAT16 || type == MOTE_FLOAT32 || type == MOTE_FLOAT64;
}

static bool is_signed(mote_type type)
{
    return type == MOTE_INT8 || type == MOTE_INT16 || type == MOTE_INT32 || type == MOTE_INT64;
}

/* Three of four draws are contents that reveal errors. */
static mote_reduce_kind draw_kind(trial_call *c)
{
    static const mote_reduce_kind telling[] = {MOTE_SUM_UNIT, MOTE_SUM_UNIT, MOTE_SUM_SCALES,
                                               MOTE_SUM_ILL};
    mote_reduce_kind kind = telling[mote_rng_below(&c->rng, 4)];
    mote_reduce_kind any = (mote_reduce_kind)mote_rng_below(&c->rng, MOTE_SUM_KINDS);
    return mote_rng_below(&c->rng, 4) || c->telling ? kind : any;
}

static void init(void *args)
{
    mote_reduce_args_init(args);
}

/* Draws one row, several, and rarely thousands or none. */
static size_t draw_rows(trial_call *c, size_t n)
{
    size_t few = mote_rng_below(&c->rng, 16) ? 1500 : 20000;
    size_t most = (c->most < few ? c->most : few) / (n + 1);

    if (mote_rng_below(&c->rng, 2))
        return 1;
    if (!c->on_host && mote_rng_below(&c->rng, 16) == 0)
        return 0;
    return 2 + mote_rng_below(&c->rng, 1 + (uint32_t)most);
}

static void choose(trial_call *c)
{
    mote_reduce_args *a = (mote_reduce_args *)(void *)&c->args;
    bool fp64 = trial_has_fp64(c->ctx);
    uint32_t no_type = fp64 ? 0 : BIT(MOTE_FLOAT64);
    mote_type type = trial_choose(c, c->fields->fields[VALUES].types & ~no_type);

    a->reduction =
        trial_choose(c, BIT(MOTE_REDUCE_SUM) | BIT(MOTE_REDUCE_MIN) | BIT(MOTE_REDUCE_MAX));
    bool sum = a->reduction == MOTE_REDUCE_SUM, real = is_real(type);
    a->accumulation = sum && real ? trial_choose(c, 7) : mote_rng_below(&c->rng, 3);
    a->nan = real ? trial_choose(c, 3) : mote_rng_below(&c->rng, 2);
    uint32_t results = mote_reduction_results(a->reduction, type, MOTE_TYPE_NONE);
    mote_type result = trial_choose(c, results & ~(c->on_host ? 0 : no_type));
    size_t n = trial_size(c), rows = draw_rows(c, n);
    bool low = sum && result == MOTE_FLOAT32 && !c->on_host && mote_rng_below(&c->rng, 2);
    bool none = n == 0 && !c->on_host && mote_rng_below(&c->rng, 2);

    a->rows = rows;
    c->array[VALUES] = (trial_array){.type = none ? MOTE_TYPE_NONE : type, .count = rows * n};
    c->array[RESULT] = (trial_array){.type = result, .count = rows};
    c->array[LOW] =
        (trial_array){.type = low ? MOTE_FLOAT32 : MOTE_TYPE_NONE, .count = low ? rows : 0};
    c->kind = draw_kind(c);
    c->any_nan = sum && real;
    c->promise = c->any_nan ? TRIAL_WITH_FP64 : TRIAL_EVERYWHERE;
}

/* ---- what it must give ----------------------------------------------------------------------- */

static wide_values task_of(const trial_call *c)
{
    const mote_reduce_args *a = (const mote_reduce_args *)(const void *)&c->args;
    mote_type type = c->array[VALUES].type ? c->array[VALUES].type : c->array[RESULT].type;
    wide_values w = {.task = {.type = type,
                              .reduction = a->reduction,
                              .accumulation = a->accumulation,
                              .nan = a->nan,
                              .has_fp64 = trial_has_fp64(c->ctx)}};

    if (type == MOTE_FLOAT16)
        w.task.type = MOTE_FLOAT32;
    else if (!is_real(type))
        w.task.type = MOTE_INT64;
    return w;
}

/* Unsigned 64-bit integers are mapped to signed ones by inverting the top bit, which keeps their
 * order. */
static int64_t widen_integer(mote_type type, bool sum, const char *from)
{
    size_t size = mote_type_size(type), unused = 8 * (sizeof(uint64_t) - size);
    uint64_t bits = 0;

    memcpy(&bits, from, size);
    if (type == MOTE_BOOL)
        return bits != 0;
    if (is_signed(type))
        return (int64_t)(bits << unused) / ((int64_t)1 << unused);
    return (int64_t)(type == MOTE_UINT64 && !sum ? bits ^ (uint64_t)1 << 63 : bits);
}

static void widen(const wide_values *w, mote_type type, const char *from, size_t n)
{
    size_t size = mote_type_size(type);

    if (type == w->task.type)
        memcpy(w->row, from, n * size);
    else
        for (size_t i = 0; i < n; i++) {
            uint16_t half;
            memcpy(&half, from + i * size, sizeof(half) < size ? sizeof(half) : size);
            if (type == MOTE_FLOAT16)
                ((float *)w->row)[i] = (float)mote_half_number(half);
            else
                ((int64_t *)w->row)[i] =
                    widen_integer(type, w->task.reduction == MOTE_REDUCE_SUM, from + i * size);
        }
}

/* The extreme of no values is beyond a narrow type. */
static uint64_t narrow_extreme(mote_type type, int64_t x)
{
    size_t bits = type == MOTE_BOOL ? 1 : 8 * mote_type_size(type);
    int64_t most = bits == 64 ? INT64_MAX : ((int64_t)1 << (bits - is_signed(type))) - 1;
    int64_t least = bits == 64 ? INT64_MIN : is_signed(type) ? -most - 1 : 0;

    x = x > most ? most : x < least ? least : x;
    return type == MOTE_UINT64 ? (uint64_t)x ^ (uint64_t)1 << 63 : (uint64_t)x;
}

static void put(const trial_call *c, const wide_values *w, const mote_reduce_result *r, size_t row)
{
    mote_type type = c->array[RESULT].type;
    char *to = (char *)c->array[RESULT].data + row * mote_type_size(type);
    bool sum = w->task.reduction == MOTE_REDUCE_SUM;
    bool two_floats = w->task.type == MOTE_FLOAT32 && !w->task.has_fp64;
    double wide = two_floats ? (double)r->f32 + (double)r->low : r->f64;
    uint64_t whole = sum ? (uint64_t)r->integer : narrow_extreme(type, r->integer);
    uint16_t half = type == MOTE_FLOAT16 ? mote_half_bits((double)r->f32) : 0;

    memcpy(to,
           type == MOTE_FLOAT16   ? (const void *)&half
           : type == MOTE_FLOAT32 ? (const void *)&r->f32
           : type == MOTE_FLOAT64 ? (const void *)&wide
                                  : (const void *)&whole,
           mote_type_size(type));
    if (c->array[LOW].data)
        ((float *)c->array[LOW].data)[row] = r->low;
}

/* The oracle is checked, too: its sums are as close to the exact ones as the header promises. */
static bool is_near(const trial_call *c, const wide_values *w, size_t n,
                    const mote_reduce_result *r, char *message, size_t size)
{
    bool wide = c->array[RESULT].type == MOTE_FLOAT64 && w->task.has_fp64;
    bool two = c->array[LOW].type || (c->array[RESULT].type == MOTE_FLOAT64 && !wide);

    if (!c->any_nan || c->kind == MOTE_SUM_HUGE)
        return true;
    return mote_reduce_is_near(&w->task, w->row, n, wide ? MOTE_FLOAT64 : MOTE_FLOAT32,
                               wide ? r->f64 : (double)r->f32, two ? (double)r->low : 0, message,
                               size);
}

static bool fill(trial_call *c, char *message, size_t size)
{
    const trial_array *values = &c->array[VALUES];
    size_t rows = c->array[RESULT].count, n = rows ? values->count / rows : 0;
    wide_values w = task_of(c);
    bool good = (w.row = malloc((n + 1) * sizeof(int64_t))) != NULL;

    if (values->type)
        mote_reduce_fill((mote_reduce_kind)c->kind, values->type, values->count, &c->rng,
                         values->data);
    for (size_t row = 0; good && row < rows; row++) {
        mote_reduce_result r;
        if (n)
            widen(&w, values->type,
                  (const char *)values->data + row * n * mote_type_size(values->type), n);
        mote_reduce_oracle(&w.task, w.row, n, &r);
        put(c, &w, &r, row);
        good = is_near(c, &w, n, &r, message, size);
    }
    free(w.row);
    return good;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static mote_status enqueue(mote_context *ctx, cl_command_queue queue, const void *args,
                           cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    const mote_reduce_args *a = args;

    return a->rows == 1 ? mote_reduce(ctx, queue, a, num_wait, wait, event)
                        : mote_reduce_rows(ctx, queue, a, num_wait, wait, event);
}

TRIAL_WORKSPACE_SIZE(reduce, mote_reduce_workspace_size)

static mote_status run_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_reduce_args *a = (const mote_reduce_args *)(const void *)&c->args;
    mote_reduce_host_args args;

    mote_reduce_host_args_init(&args);
    args.rows = a->rows;
    args.n = c->array[VALUES].count / c->array[RESULT].count;
    args.values = args.n ? arrays[VALUES] : NULL;
    args.type = c->array[VALUES].type;
    args.reduction = a->reduction;
    args.accumulation = a->accumulation;
    args.nan = a->nan;
    args.result = arrays[RESULT];
    /* Without a type, results are as wide as possible. */
    uint32_t results = mote_reduction_results(a->reduction, args.type, MOTE_TYPE_NONE);
    args.result_type = c->seed % 2 || results >> c->array[RESULT].type > 1 ? c->array[RESULT].type
                                                                           : MOTE_TYPE_NONE;
    return mote_reduce_host(c->ctx, host, &args);
}

static const size_t borders[] = {1,
                                 4,
                                 16,
                                 32,
                                 64,
                                 256,
                                 512,
                                 MOTE_SUM_LANES,
                                 2 * MOTE_SUM_LANES,
                                 4 * MOTE_SUM_LANES,
                                 MOTE_SUM_TILE - MOTE_SUM_LANES,
                                 MOTE_SUM_TILE,
                                 MOTE_SUM_TILE + MOTE_SUM_LANES,
                                 2 * MOTE_SUM_TILE,
                                 5 * MOTE_SUM_TILE,
                                 0};

static const char *const tunes[] = {"reduce.form=cpu",
                                    "reduce.form=gpu",
                                    "reduce.form=cpu,reduce.fp64=0,reduce.sum_items=1",
                                    "reduce.form=gpu,reduce.sum_group=64,reduce.sum_groups=1",
                                    "reduce.form=gpu,reduce.sum_group=128,reduce.fp64=0",
                                    "reduce.form=gpu,reduce.sum_group=512,reduce.sum_groups=2",
                                    "reduce.form=gpu,reduce.sum_group=1024",
                                    NULL};

static const trial_program programs[] = {
    TRIAL_PROGRAM("sum, float32", MOTE_FLOAT32),
    TRIAL_PROGRAM("sum, int32", MOTE_INT32),
    TRIAL_PROGRAM("sum, float64", MOTE_FLOAT64, MOTE_REDUCE_SUM, MOTE_ACCUMULATE_COMPENSATED),
    TRIAL_PROGRAM("maximum, float32", MOTE_FLOAT32, MOTE_REDUCE_MAX, MOTE_NAN_SKIP),
    TRIAL_PROGRAM("sum, compensated", MOTE_FLOAT32, MOTE_REDUCE_SUM, MOTE_ACCUMULATE_COMPENSATED),
    TRIAL_PROGRAM("sum, int64", MOTE_INT64),
    TRIAL_PROGRAM("minimum, float64", MOTE_FLOAT64, MOTE_REDUCE_MIN, MOTE_NAN_PROPAGATE),
    TRIAL_PROGRAM("sum, native", MOTE_FLOAT32, MOTE_REDUCE_SUM, MOTE_ACCUMULATE_NATIVE),
    TRIAL_PROGRAM("minimum, int8", MOTE_INT8, MOTE_REDUCE_MIN),
    TRIAL_PROGRAM("maximum, float16", MOTE_FLOAT16, MOTE_REDUCE_MAX),
    TRIAL_END,
};

static const trial_program selftest[] = {
    TRIAL_PROGRAM("reduce sum, float32", MOTE_FLOAT32),
    TRIAL_VARIANT("reduce sum, int64", MOTE_INT64),
    TRIAL_VARIANT("reduce sum, compensated", MOTE_FLOAT32, MOTE_REDUCE_SUM,
                  MOTE_ACCUMULATE_COMPENSATED),
    TRIAL_END,
};

const trial_operation trial_reduce = {
    .name = "reduce",
    .call = "mote_reduce_rows",
    .number = MOTE_OPERATION_REDUCE,
    .workspace_at = offsetof(mote_reduce_args, workspace),
    .init = init,
    .choose = choose,
    .fill = fill,
    .enqueue = enqueue,
    .workspace_size = workspace_size_reduce,
    .run_host = run_host,
    .borders = borders,
    .tunes = tunes,
    .programs = programs,
    .selftest = selftest,
};
