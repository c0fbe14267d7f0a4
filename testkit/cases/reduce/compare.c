/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/reduce/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

mote_type mote_reduce_widest_result(const mote_reduce_task *task)
{
    if (task->reduction != MOTE_REDUCE_SUM)
        return task->type;
    if (task->type == MOTE_FLOAT32)
        return task->has_fp64 ? MOTE_FLOAT64 : MOTE_FLOAT32;
    return task->type == MOTE_FLOAT64 ? MOTE_FLOAT64 : MOTE_INT64;
}

/* The same bits, or NaN both. */
static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof(a)) == 0;
}

typedef struct got {
    double x, low;
    int64_t i;
} got;

static got read_result(mote_type type, const void *result, const float *low, size_t row)
{
    got g = {.low = low ? (double)low[row] : 0};
    if (type == MOTE_FLOAT32)
        g.x = (double)((const float *)result)[row];
    else if (type == MOTE_FLOAT64)
        g.x = ((const double *)result)[row];
    else
        g.i = type == MOTE_INT32 ? ((const int32_t *)result)[row] : ((const int64_t *)result)[row];
    return g;
}

static bool compare_row(const mote_reduce_case *c, mote_type type, const void *values, got g,
                        bool has_low, char *message, size_t size)
{
    mote_reduce_result r;
    bool is_float = type == MOTE_FLOAT32 || type == MOTE_FLOAT64;
    mote_reduce_oracle(&c->task, values, c->n, &r);
    double expected = type == MOTE_FLOAT32 ? (double)r.f32 : r.f64;
    if (!is_float && g.i != r.integer) {
        snprintf(message, size, "the result is %lld, not %lld", (long long)g.i,
                 (long long)r.integer);
        return false;
    }
    if (is_float && !same(g.x, expected)) {
        snprintf(message, size, "the result is %a, not %a", g.x, expected);
        return false;
    }
    if (has_low && !same(g.low, (double)r.low)) {
        snprintf(message, size, "result_low is %a, not %a", g.low, (double)r.low);
        return false;
    }
    if (!is_float || c->task.reduction != MOTE_REDUCE_SUM || c->kind == MOTE_SUM_HUGE)
        return true;
    return mote_reduce_is_near(&c->task, values, c->n, type, g.x, g.low, message, size);
}

bool mote_reduce_compare(const mote_reduce_case *c, const void *values, const void *result,
                         const float *low, char *message, size_t size)
{
    mote_type type = c->result ? c->result : mote_reduce_widest_result(&c->task);
    size_t row_bytes = c->n * mote_type_size(c->task.type);
    for (size_t row = 0; row < c->rows; row++) {
        char what[256];
        const void *from = (const char *)values + row * row_bytes;
        if (compare_row(c, type, from, read_result(type, result, low, row), low != NULL, what,
                        sizeof(what)))
            continue;
        snprintf(message, size,
                 "%s of %zu x %zu %s (%s, accumulation %d, nan %d, to %s), row %zu: %s",
                 c->task.reduction == MOTE_REDUCE_SUM   ? "sum"
                 : c->task.reduction == MOTE_REDUCE_MIN ? "minimum"
                                                        : "maximum",
                 c->rows, c->n, mote_type_name(c->task.type), mote_reduce_kind_name(c->kind),
                 (int)c->task.accumulation, (int)c->task.nan, mote_type_name(type), row, what);
        return false;
    }
    return true;
}
