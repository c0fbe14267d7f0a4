/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual layout, lane by lane. */
#include "testkit/reference/reduce/oracle.h"

#include <math.h>

enum { LANES = 1024, TILE = 8192, MOST_BLOCKS = 8192 };

/* A float sum and its rounding error; s alone for minima and maxima; i for integers. */
typedef struct part {
    double s, e;
    int64_t i;
} part;

typedef struct arithmetic {
    const mote_reduce_task *task;
    const void *values;
    bool is_float, single, pair;
} arithmetic;

static arithmetic arithmetic_of(const mote_reduce_task *task, const void *values)
{
    bool f32 = task->type == MOTE_FLOAT32, native = task->accumulation == MOTE_ACCUMULATE_NATIVE;
    bool sum = task->reduction == MOTE_REDUCE_SUM;
    arithmetic a = {.task = task, .values = values};
    a.is_float = f32 || task->type == MOTE_FLOAT64;
    a.single = f32 && (native || !task->has_fp64);
    a.pair = sum && (task->accumulation == MOTE_ACCUMULATE_COMPENSATED ||
                     (f32 && !native && !task->has_fp64));
    return a;
}

/* A single-precision sum is the rounded double sum: 53 bits are enough for equal results. */
static double rounded(const arithmetic *a, double x)
{
    return a->single ? (double)(float)x : x;
}

static double add(const arithmetic *a, double x, double y)
{
    volatile double sum = x + y;
    return rounded(a, sum);
}

static double extreme(const arithmetic *a, double x, double y)
{
    bool less = x < y || (x == y && signbit(x) && !signbit(y));
    if (isnan(x) || isnan(y))
        return NAN;
    return less == (a->task->reduction == MOTE_REDUCE_MIN) ? x : y;
}

static part identity(const arithmetic *a)
{
    if (a->task->reduction == MOTE_REDUCE_SUM)
        return (part){0};
    bool least = a->task->reduction == MOTE_REDUCE_MIN;
    return (part){.s = least ? INFINITY : -INFINITY, .i = least ? INT64_MAX : INT64_MIN};
}

static part join(const arithmetic *a, part x, part y)
{
    part z = {0};
    if (a->task->reduction != MOTE_REDUCE_SUM) {
        bool less = x.i < y.i;
        z.s = a->is_float ? extreme(a, x.s, y.s) : 0;
        z.i = less == (a->task->reduction == MOTE_REDUCE_MIN) ? x.i : y.i;
        return z;
    }
    z.i = (int64_t)((uint64_t)x.i + (uint64_t)y.i);
    z.s = add(a, x.s, y.s);
    if (a->pair) {
        double taken = add(a, z.s, -x.s);
        double off_x = add(a, x.s, -add(a, z.s, -taken)), off_y = add(a, y.s, -taken);
        z.e = add(a, add(a, x.e, y.e), add(a, off_x, off_y));
    }
    return z;
}

static part value(const arithmetic *a, size_t i)
{
    part x = {0};
    if (a->task->type == MOTE_INT64)
        x.i = ((const int64_t *)a->values)[i];
    else
        x.s = a->task->type == MOTE_FLOAT32 ? (double)((const float *)a->values)[i]
                                            : ((const double *)a->values)[i];
    return isnan(x.s) && a->task->nan == MOTE_NAN_SKIP ? identity(a) : x;
}

static part join_lanes(const arithmetic *a, part *lanes)
{
    for (size_t left = LANES; left > 1; left /= 2)
        for (size_t k = 0; k < left / 2; k++)
            lanes[k] = join(a, lanes[2 * k], lanes[2 * k + 1]);
    return lanes[0];
}

static part block_sum(const arithmetic *a, size_t begin, size_t end)
{
    part lanes[LANES];
    for (size_t l = 0; l < LANES; l++) {
        lanes[l] = identity(a);
        for (size_t tile = begin; tile < end; tile += TILE) {
            part sum = identity(a);
            for (size_t i = tile + l; i < end && i < tile + TILE; i += LANES)
                sum = join(a, sum, value(a, i));
            lanes[l] = join(a, lanes[l], sum);
        }
    }
    return join_lanes(a, lanes);
}

static void finish(const arithmetic *a, part sum, mote_reduce_result *r)
{
    *r = (mote_reduce_result){.integer = sum.i};
    if (!a->is_float)
        return;
    double all = a->pair ? add(a, sum.s, sum.e) : sum.s;
    if (isnan(all))
        all = sum.s;
    r->f64 = all;
    r->f32 = (float)all;
    double rest =
        a->pair && a->single ? add(a, add(a, sum.s, -(double)r->f32), sum.e) : all - (double)r->f32;
    r->low = isfinite(r->f32) ? (float)rest : 0;
}

void mote_reduce_oracle(const mote_reduce_task *task, const void *values, size_t n,
                        mote_reduce_result *result)
{
    arithmetic a = arithmetic_of(task, values);
    size_t block = TILE;
    while (n / block + (n % block != 0) > MOST_BLOCKS)
        block *= 2;
    size_t blocks = n / block + (n % block != 0);
    part lanes[LANES];
    for (size_t l = 0; l < LANES; l++) {
        lanes[l] = identity(&a);
        for (size_t b = l; b < blocks; b += LANES) {
            size_t begin = b * block, end = n - begin < block ? n : begin + block;
            lanes[l] = join(&a, lanes[l], block_sum(&a, begin, end));
        }
    }
    finish(&a, join_lanes(&a, lanes), result);
}
