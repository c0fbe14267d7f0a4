/* SPDX-License-Identifier: Apache-2.0 */
#include "shared.h"

#include <float.h>
#include <math.h>

#define DOUBLE_EPS (0.5 * DBL_EPSILON)
#define FLOAT_EPS  (0.5 * FLT_EPSILON)

typedef struct job {
    const shared_case *c;
    mote_npy values, exact, sum_abs;
    size_t rows, n;
    mote_accumulation accumulation;
    mote_type type; /* of the result */
} job;

static mote_reduce_args arguments(const job *j, const mote_guard *values, const mote_guard *out)
{
    mote_reduce_args args;

    mote_reduce_args_init(&args);
    args.values = shared_view(values);
    args.rows = j->rows;
    args.accumulation = j->accumulation;
    args.result = shared_view(out);
    return args;
}

/* Runs both layers, which must give the same bits. To be freed. */
static void *run(const job *j)
{
    bed *b = j->c->b;
    size_t bytes = j->rows * mote_type_size(j->type);
    mote_guard values = shared_upload(j->c, "values", &j->values);
    mote_guard out = bed_array(b, "result", j->type, j->rows, NULL);
    mote_reduce_args args = arguments(j, &values, &out);
    char message[MESSAGE_SIZE] = "";
    void *got = malloc(bytes), *host = malloc(bytes);
    cl_event done = NULL;

    ck_assert(got && host);
    bed_ok((j->rows == 1 ? mote_reduce : mote_reduce_rows)(b->ctx, j->c->queue, &args, 0, NULL,
                                                           &done));
    ck_assert_msg(mote_guard_read(&out, b->in_order, got, 1, &done, message, sizeof(message)),
                  "%s: %s", j->c->name, message);
    mote_guard_release(&out);
    bed_unchanged(b, &values, j->values.values, done, j->c->name);
    clReleaseEvent(done);

    mote_reduce_host_args plain;

    mote_reduce_host_args_init(&plain);
    plain.values = j->n ? j->values.values : NULL;
    plain.type = j->values.type;
    plain.rows = j->rows;
    plain.n = j->n;
    plain.accumulation = j->accumulation;
    plain.result = host;
    plain.result_type = j->type;
    bed_ok(mote_reduce_host(b->ctx, NULL, &plain));
    ck_assert_msg(memcmp(got, host, bytes) == 0, "%s: the host layer differs", j->c->name);
    free(host);
    return got;
}

static void check_integers(job *j)
{
    j->type = MOTE_INT64;
    int64_t *got = run(j);

    for (size_t r = 0; r < j->rows; r++)
        ck_assert_msg(got[r] == ((const int64_t *)j->exact.values)[r], "%s: row %zu", j->c->name,
                      r);
    free(got);
}

/* Returns the documented error of the accumulation, and of the rounding to the result's type. */
static double bound_of(const job *j, double exact, double sum_abs)
{
    bool fp64 = mote_context_device(j->c->b->ctx)->has_fp64;
    bool native = j->values.type == MOTE_FLOAT32 && j->accumulation == MOTE_ACCUMULATE_NATIVE;
    double eps = native ? FLOAT_EPS : fp64 ? DOUBLE_EPS : FLOAT_EPS * FLOAT_EPS * 8;
    double n = (double)j->n, ulp = j->type == MOTE_FLOAT32 ? FLOAT_EPS : DOUBLE_EPS;
    double rounding = fabs(exact) * ulp;

    if (j->accumulation == MOTE_ACCUMULATE_COMPENSATED)
        return 4 * rounding + n * n * eps * eps * sum_abs;
    return eps * (ceil(log2(n > 1 ? n : 1)) + 16) * sum_abs + rounding;
}

static void check_floats(job *j, mote_type type, mote_accumulation accumulation)
{
    const double *exact = j->exact.values, *sum_abs = j->sum_abs.values;

    j->type = type;
    j->accumulation = accumulation;
    void *got = run(j);

    for (size_t r = 0; r < j->rows; r++) {
        double value = type == MOTE_FLOAT32 ? (double)((float *)got)[r] : ((double *)got)[r];

        shared_near(j->c, "sum", r, value, exact[r], bound_of(j, exact[r], sum_abs[r]));
    }
    free(got);
}

/* Returns whether the comparison cannot overflow. */
static bool fits_float(const job *j)
{
    for (size_t r = 0; r < j->rows; r++)
        if (((const double *)j->sum_abs.values)[r] > (double)FLT_MAX)
            return false;
    return true;
}

static void check_types(job *j, mote_accumulation accumulation)
{
    bool fp64 = mote_context_device(j->c->b->ctx)->has_fp64;
    bool in_float =
        j->values.type == MOTE_FLOAT32 && (!fp64 || accumulation != MOTE_ACCUMULATE_DEFAULT);

    if (in_float && !fits_float(j))
        return;
    check_floats(j, j->values.type, accumulation);
    if (j->values.type == MOTE_FLOAT32 && fp64)
        check_floats(j, MOTE_FLOAT64, accumulation);
}

void shared_sum(const shared_case *c)
{
    job j = {.c = c};

    ck_assert(shared_array(c, "values", &j.values) && shared_array(c, "exact", &j.exact));
    j.rows = (size_t)shared_number(c, "rows");
    j.n = (size_t)shared_number(c, "n");
    ck_assert_uint_eq(j.rows * j.n, j.values.count);
    if (shared_array(c, "sumabs", &j.sum_abs)) {
        check_types(&j, MOTE_ACCUMULATE_DEFAULT);
        check_types(&j, MOTE_ACCUMULATE_NATIVE);
        check_types(&j, MOTE_ACCUMULATE_COMPENSATED);
    } else {
        check_integers(&j);
    }
    mote_npy_free(&j.values);
    mote_npy_free(&j.exact);
    mote_npy_free(&j.sum_abs);
}
