/* SPDX-License-Identifier: Apache-2.0 */
#include "shared.h"

#include <float.h>
#include <math.h>

/* The inputs of a case, and one reduction of it. */
typedef struct job {
    const shared_case *c;
    mote_npy offsets, values;
    bool base_first;
    mote_reduction reduction;
    mote_nan_policy nan;
    mote_type type; /* of the result */
} job;

static void open_job(const shared_case *c, job *j)
{
    char base[32] = "";

    *j = (job){.c = c};
    ck_assert(shared_array(c, "offsets", &j->offsets) && shared_array(c, "values", &j->values));
    shared_text(c, "", "base", base, sizeof(base));
    j->base_first = strcmp(base, "first") == 0;
}

static void close_job(job *j)
{
    mote_npy_free(&j->offsets);
    mote_npy_free(&j->values);
}

static bool has_fp64(const job *j)
{
    return mote_context_device(j->c->b->ctx)->has_fp64;
}

/* Returns the device's result, to be freed. */
static void *run_device(const job *j, size_t bytes)
{
    bed *b = j->c->b;
    mote_guard offsets = shared_upload(j->c, "offsets", &j->offsets), error = bed_error_word(b);
    mote_guard values = shared_upload(j->c, "values", &j->values);
    mote_guard out = bed_array(b, "result", j->type, j->offsets.count - 1, NULL);
    mote_jagged_reduce_args args;
    cl_event done = NULL;
    char message[MESSAGE_SIZE] = "";
    void *got = malloc(bytes + 1);

    ck_assert_ptr_nonnull(got);
    mote_jagged_reduce_args_init(&args);
    args.offsets = offsets.view;
    args.values = values.view;
    args.base_first = j->base_first;
    args.reduction = j->reduction;
    args.nan = j->nan;
    args.result = shared_view(&out);
    args.validate = MOTE_JAGGED_VALIDATE_FULL;
    args.error = error.view.mem;
    args.error_offset = error.margin;
    bed_ok(mote_jagged_reduce(b->ctx, j->c->queue, &args, 0, NULL, &done));
    bed_expect_error(b, &error, MOTE_SUCCESS, 0, done, j->c->name);
    ck_assert_msg(mote_guard_read(&out, b->in_order, got, 1, &done, message, sizeof(message)),
                  "%s: %s", j->c->name, message);
    mote_guard_release(&out);
    bed_unchanged(b, &offsets, j->offsets.values, done, j->c->name);
    bed_unchanged(b, &values, j->values.values, done, j->c->name);
    clReleaseEvent(done);
    return got;
}

/* Runs both layers, which must give the same bits. To be freed. */
static void *run(const job *j)
{
    size_t bytes = (j->offsets.count - 1) * mote_type_size(j->type);
    void *got = run_device(j, bytes), *host = malloc(bytes + 1);
    mote_jagged_reduce_host_args args;

    ck_assert_ptr_nonnull(host);
    mote_jagged_reduce_host_args_init(&args);
    args.offsets_type = j->offsets.type;
    args.lists = j->offsets.count - 1;
    args.offsets = j->offsets.values;
    args.values_type = j->values.type;
    args.values = j->values.values;
    args.values_length = j->values.count;
    args.base_first = j->base_first;
    args.reduction = j->reduction;
    args.nan = j->nan;
    args.result_type = j->type;
    args.result = host;
    bed_ok(mote_jagged_reduce_host(j->c->b->ctx, NULL, &args));
    ck_assert_msg(memcmp(got, host, bytes) == 0, "%s, reduction %d: the host layer differs",
                  j->c->name, (int)j->reduction);
    free(host);
    return got;
}

static double value_at(const void *values, mote_type type, size_t k)
{
    return type == MOTE_FLOAT32 ? (double)((const float *)values)[k] : ((const double *)values)[k];
}

/* Results that are exact: integers, and minima and maxima up to the sign of 0. */
static void check_exact(job *j, const char *name, mote_reduction reduction, mote_type type)
{
    mote_npy expected;

    if (!shared_array(j->c, name, &expected))
        return;
    j->reduction = reduction;
    j->type = type;
    void *got = run(j);

    ck_assert_int_eq(expected.type, type);
    for (size_t k = 0; k < expected.count; k++)
        if (type == MOTE_FLOAT32 || type == MOTE_FLOAT64)
            shared_near(j->c, name, k, value_at(got, type, k), value_at(expected.values, type, k),
                        0);
        else
            ck_assert_msg(mote_index_get(got, type, k) == mote_index_get(expected.values, type, k),
                          "%s: %s[%zu]", j->c->name, name, k);
    free(got);
    mote_npy_free(&expected);
}

static int64_t length_of(const job *j, size_t k)
{
    return mote_index_get(j->offsets.values, j->offsets.type, k + 1) -
           mote_index_get(j->offsets.values, j->offsets.type, k);
}

/* The allowed error of a sum or product, where `scale` is the sum of absolute values or the product
 * itself. */
static double bound_of(const job *j, size_t k, double scale, double exact)
{
    double n = (double)length_of(j, k), rounding = 0;
    double eps = has_fp64(j) || j->values.type == MOTE_FLOAT64 ? DBL_EPSILON : FLT_EPSILON;
    double steps = j->reduction == MOTE_REDUCE_PROD ? n + 16 : ceil(log2(n > 1 ? n : 1)) + 16;

    if (j->type == MOTE_FLOAT32)
        rounding = 0.5 * FLT_EPSILON * fabs(exact) + 1.5e-45;
    return eps * steps * scale + rounding;
}

static void check_near(job *j, const char *name, mote_reduction reduction, mote_type type)
{
    mote_npy expected, sum_abs;
    bool is_sum = reduction == MOTE_REDUCE_SUM;

    ck_assert(shared_array(j->c, name, &expected) && shared_array(j->c, "sumabs", &sum_abs));
    j->reduction = reduction;
    j->type = type;
    void *got = run(j);

    for (size_t k = 0; k < expected.count; k++) {
        double exact = value_at(expected.values, MOTE_FLOAT64, k);
        double scale = is_sum ? value_at(sum_abs.values, MOTE_FLOAT64, k) : fabs(exact);

        shared_near(j->c, name, k, value_at(got, type, k), exact, bound_of(j, k, scale, exact));
    }
    free(got);
    mote_npy_free(&expected);
    mote_npy_free(&sum_abs);
}

static void check_sums(job *j, mote_type type)
{
    check_near(j, "sum", MOTE_REDUCE_SUM, type);
    check_near(j, "prod", MOTE_REDUCE_PROD, type);
}

/* The cases have no file for these two. */
static void check_any_all(job *j)
{
    j->type = MOTE_UINT8;
    j->reduction = MOTE_REDUCE_ANY;
    unsigned char *any = run(j);

    j->reduction = MOTE_REDUCE_ALL;
    unsigned char *all = run(j);
    int64_t base = j->base_first ? mote_index_get(j->offsets.values, j->offsets.type, 0) : 0;

    for (size_t k = 0; k + 1 < j->offsets.count; k++) {
        int64_t at = mote_index_get(j->offsets.values, j->offsets.type, k) - base, kept = 0;

        for (int64_t i = 0; i < length_of(j, k); i++)
            kept += mote_value_nonzero(j->values.values, j->values.type, (size_t)(at + i));
        ck_assert_msg(any[k] == (kept > 0) && all[k] == (kept == length_of(j, k)),
                      "%s: any or all of list %zu", j->c->name, k);
    }
    free(any);
    free(all);
}

void shared_reduce(const shared_case *c)
{
    job j;

    open_job(c, &j);
    mote_type type = j.values.type, index = j.offsets.type;

    check_exact(&j, "min", MOTE_REDUCE_MIN, type);
    check_exact(&j, "max", MOTE_REDUCE_MAX, type);
    check_exact(&j, "argmin", MOTE_REDUCE_ARGMIN, index);
    check_exact(&j, "argmax", MOTE_REDUCE_ARGMAX, index);
    check_exact(&j, "count", MOTE_REDUCE_COUNT, index);
    check_exact(&j, "countnonzero", MOTE_REDUCE_COUNTNONZERO, index);
    check_any_all(&j);
    if (type == MOTE_FLOAT32 || type == MOTE_FLOAT64) {
        check_sums(&j, type);
        if (type == MOTE_FLOAT32 && has_fp64(&j))
            check_sums(&j, MOTE_FLOAT64);
    } else {
        check_exact(&j, "sum", MOTE_REDUCE_SUM, MOTE_INT64);
        check_exact(&j, "prod", MOTE_REDUCE_PROD, MOTE_INT64);
    }
    close_job(&j);
}

static void check_nan_sum(job *j)
{
    mote_npy is_nan;

    ck_assert(shared_array(j->c, "sum_isnan", &is_nan));
    j->reduction = MOTE_REDUCE_SUM;
    j->type = MOTE_FLOAT32;
    float *got = run(j);

    for (size_t k = 0; k < is_nan.count; k++)
        ck_assert_msg(!isnan(got[k]) == !((const int32_t *)is_nan.values)[k], "%s: sum[%zu]",
                      j->c->name, k);
    free(got);
    mote_npy_free(&is_nan);
}

void shared_reduce_nan(const shared_case *c)
{
    job j;

    open_job(c, &j);
    check_exact(&j, "min_propagate", MOTE_REDUCE_MIN, j.values.type);
    check_exact(&j, "max_propagate", MOTE_REDUCE_MAX, j.values.type);
    check_exact(&j, "argmin_numpy", MOTE_REDUCE_ARGMIN, j.offsets.type);
    check_exact(&j, "argmax_numpy", MOTE_REDUCE_ARGMAX, j.offsets.type);
    check_nan_sum(&j);
    j.nan = MOTE_NAN_SKIP;
    check_exact(&j, "min_skip", MOTE_REDUCE_MIN, j.values.type);
    check_exact(&j, "max_skip", MOTE_REDUCE_MAX, j.values.type);
    check_exact(&j, "argmin_skip", MOTE_REDUCE_ARGMIN, j.offsets.type);
    check_exact(&j, "argmax_skip", MOTE_REDUCE_ARGMAX, j.offsets.type);
    close_job(&j);
}
