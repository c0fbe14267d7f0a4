/* SPDX-License-Identifier: Apache-2.0 */
/* The area of the benchmark that adds up arrays and rows. */
#include <stdlib.h>
#include <string.h>

#include "bench/row.h"
#include "bench/reduce/values.h"

typedef struct set {
    const char *name;
    mote_type type;
    size_t rows, n;
} set;

static const set sets[] = {
    {"f32-2^20", MOTE_FLOAT32, 1, (size_t)1 << 20},
    {"f32-2^24", MOTE_FLOAT32, 1, (size_t)1 << 24},
    {"f32-2^28", MOTE_FLOAT32, 1, (size_t)1 << 28},
    {"f64-2^28", MOTE_FLOAT64, 1, (size_t)1 << 28},
    {"9xf32-2^24", MOTE_FLOAT32, 9, (size_t)1 << 24},
    {"9xf32-2^26", MOTE_FLOAT32, 9, (size_t)1 << 26},
};

#define N_SETS    (sizeof(sets) / sizeof(sets[0]))
#define MOST_ROWS 9

#define QUICK_BYTES ((double)(1 << 25))
#define CPU_BYTES   1.1e9

typedef struct job {
    mote_bench_state *bench;
    const set *set;
    size_t n, element; /* values of a row, bytes of one value */
    unsigned scale;
    mote_accumulation accumulation;
    void *values;
    double result[MOST_ROWS]; /* in the set's type */
    double exact[MOST_ROWS], sum_abs[MOST_ROWS];
    cl_mem mem_values, mem_result;
    mote_host *host;
} job;

const char *mote_bench_reduce_set(size_t k)
{
    return k < N_SETS ? sets[k].name : NULL;
}

static mote_status call(void *data)
{
    const job *j = data;
    mote_reduce_args args;

    mote_reduce_args_init(&args);
    args.values = mote_view_make(j->mem_values, j->set->rows * j->n, j->set->type);
    args.rows = j->set->rows;
    args.accumulation = j->accumulation;
    args.result = mote_view_make(j->mem_result, j->set->rows, j->set->type);
    return mote_reduce_rows(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static mote_status call_whole(void *data)
{
    job *j = data;
    mote_reduce_host_args args;

    mote_reduce_host_args_init(&args);
    args.values = j->values;
    args.type = j->set->type;
    args.rows = j->set->rows;
    args.n = j->n;
    args.accumulation = j->accumulation;
    args.result = j->result;
    args.result_type = j->set->type;
    return mote_reduce_host(j->bench->ctx, j->host, &args);
}

static double result_at(const job *j, size_t row)
{
    return j->set->type == MOTE_FLOAT32 ? (double)((const float *)j->result)[row] : j->result[row];
}

/* Sums in double of these values are exact, so no error is allowed; sums in float32 have the
 * documented bound. */
static bool near(const job *j, size_t row, double got, double eps)
{
    double exact = j->exact[row], levels = 17;

    if (eps <= 0)
        return got == (j->set->type == MOTE_FLOAT32 ? (double)(float)exact : exact);
    for (size_t n = j->n; n > 1; n /= 2)
        levels++;
    return mote_bench_abs(got - exact) <= eps * levels * j->sum_abs[row];
}

static mote_bench_status check(job *j, const mote_bench_row *row)
{
    mote_bench_state *bench = j->bench;
    size_t bytes = j->set->rows * j->element;
    bool in_float = j->set->type == MOTE_FLOAT32 && (j->accumulation == MOTE_ACCUMULATE_NATIVE ||
                                                     !mote_context_device(bench->ctx)->has_fp64);

    if (!mote_bench_poison(bench, j->mem_result, bytes) || call(j) ||
        !mote_bench_read(bench, j->mem_result, bytes, j->result))
        return mote_bench_failed(bench, row);
    for (size_t r = 0; r < j->set->rows; r++)
        if (!near(j, r, result_at(j, r), in_float ? 6e-8 : 0)) {
            snprintf(bench->message, bench->size, "sum on %s, %s: row %zu is %.17g, not %.17g",
                     row->set, row->way, r, result_at(j, r), j->exact[r]);
            return MOTE_BENCH_DISAGREE;
        }
    return MOTE_BENCH_OK;
}

static mote_bench_row row_of(const job *j)
{
    return (mote_bench_row){
        .area = "reduce",
        .call = "sum",
        .set = j->set->name,
        .lists = j->set->rows,
        .n = j->set->rows * j->n,
        .scale = j->scale,
        .bytes = {.read = (double)(j->set->rows * j->n * j->element),
                  .written = (double)(j->set->rows * j->element)},
    };
}

static mote_bench_status check_alone(void *data)
{
    mote_bench_row row = row_of(data);

    return check(data, &row);
}

static mote_bench_status run_way(job *j, mote_accumulation accumulation)
{
    static const char *const names[] = {"default", "native", "compensated"};
    mote_bench_state *bench = j->bench;
    mote_bench_row row = row_of(j);
    mote_bench_status status = MOTE_BENCH_OK;

    j->accumulation = accumulation;
    snprintf(row.way, sizeof(row.way), "%s", names[accumulation]);
    if (mote_bench_try(bench, &row, call, check_alone, j, &status))
        return status;
    if (!bench->options->no_check)
        status = check(j, &row);
    if (!status && mote_time_call(bench->queue, call, j, mote_bench_repeats(bench), &row.times))
        status = mote_bench_failed(bench, &row);
    if (!status && accumulation == MOTE_ACCUMULATE_DEFAULT) {
        mote_spread whole = {0};

        if (mote_time_whole(call_whole, j, mote_bench_repeats(bench), &whole))
            status = mote_bench_failed(bench, &row);
        row.whole_us = whole.median;
    }
    if (!status)
        mote_bench_row_print(bench, &row);
    return status;
}

typedef struct native {
    const mote_reduce_peer *peer;
    job *j;
    double result[MOST_ROWS];
} native;

static mote_status call_native(void *data)
{
    native *p = data;
    const job *j = p->j;

    for (size_t r = 0; r < j->set->rows; r++)
        p->result[r] = j->set->type == MOTE_FLOAT32
                           ? p->peer->f32((const float *)j->values + r * j->n, j->n)
                           : p->peer->f64((const double *)j->values + r * j->n, j->n);
    return MOTE_SUCCESS;
}

static mote_bench_status run_peers(job *j)
{
    const mote_bench_peers *peers = j->bench->options->peers;
    mote_bench_row row = row_of(j);

    for (int i = 0; peers && i < MOTE_BENCH_MOST_PEERS && peers->sums[i].name; i++) {
        native p = {&peers->sums[i], j, {0}};
        mote_spread times = {0};

        if (mote_time_whole(call_native, &p, mote_bench_repeats(j->bench), &times))
            return mote_bench_no_memory(j->bench, row.set);
        for (size_t r = 0; r < j->set->rows; r++)
            /* A plain float32 sum has larger errors than the bound. */
            if (mote_bench_abs(p.result[r] - j->exact[r]) > 1e-3 * j->sum_abs[r]) {
                snprintf(j->bench->message, j->bench->size, "%s on %s: wrong result", p.peer->name,
                         row.set);
                return MOTE_BENCH_DISAGREE;
            }
        mote_bench_row_peer(j->bench, &row, p.peer->name, &times);
    }
    return MOTE_BENCH_OK;
}

/* Returns the largest size of a set on this device, in bytes. */
static double most_bytes(const mote_bench_state *bench)
{
    const mote_device_info *d = mote_context_device(bench->ctx);
    double most = (double)d->max_alloc_bytes, half = (double)d->global_bytes / 2;

    most = half < most ? half : most;
    if (d->device_class == MOTE_DEVICE_CPU && most > CPU_BYTES)
        most = CPU_BYTES;
    return bench->options->quick && most > QUICK_BYTES ? QUICK_BYTES : most;
}

static bool make_values(job *j)
{
    size_t rows = j->set->rows, all = rows * j->n;

    j->values = malloc(all * j->element);
    if (!j->values)
        return false;
    if (j->set->type == MOTE_FLOAT32)
        mote_bench_values_f32(j->values, all, 7);
    else
        mote_bench_values_f64(j->values, all, 7);
    for (size_t r = 0; r < rows; r++) {
        int64_t sum = 0, sum_abs = 0;

        for (size_t i = r * j->n; i < (r + 1) * j->n; i++) {
            int32_t value = mote_bench_integer((uint32_t)i, 7);

            sum += value;
            sum_abs += value < 0 ? -value : value;
        }
        j->exact[r] = (double)sum * MOTE_BENCH_UNIT;
        j->sum_abs[r] = (double)sum_abs * MOTE_BENCH_UNIT;
    }
    return true;
}

static mote_bench_status run_set(mote_bench_state *bench, const set *s)
{
    job j = {.bench = bench, .set = s, .n = s->n, .element = mote_type_size(s->type), .scale = 1};
    mote_bench_status status = MOTE_BENCH_OK;

    bench->peer_us = 0;
    for (; (double)(s->rows * j.n * j.element) > most_bytes(bench); j.scale *= 2)
        j.n /= 2;
    if (make_values(&j))
        j.mem_values = mote_bench_buffer(bench, s->rows * j.n * j.element, j.values);
    j.mem_result = mote_bench_buffer(bench, sizeof(j.result), NULL);
    if (!j.mem_values || !j.mem_result || mote_host_create(bench->ctx, NULL, &j.host))
        status = mote_bench_no_memory(bench, s->name);
    if (!status)
        status = run_peers(&j);
    for (int way = 0; way <= MOTE_ACCUMULATE_COMPENSATED && !status; way++)
        if (way != MOTE_ACCUMULATE_NATIVE || s->type == MOTE_FLOAT32)
            status = run_way(&j, (mote_accumulation)way);
    if (j.mem_values)
        clReleaseMemObject(j.mem_values);
    if (j.mem_result)
        clReleaseMemObject(j.mem_result);
    mote_host_release(j.host);
    free(j.values);
    return status;
}

mote_bench_status mote_bench_reduce(mote_bench_state *bench)
{
    const char *wanted = bench->options->set;
    bool fp64 = mote_context_device(bench->ctx)->has_fp64, head = false;
    mote_bench_status status = MOTE_BENCH_OK;

    for (size_t k = 0; k < N_SETS && !status; k++) {
        if ((wanted && strcmp(wanted, sets[k].name) != 0) ||
            (sets[k].type == MOTE_FLOAT64 && !fp64))
            continue;
        if (!head)
            mote_bench_row_head(bench, "sums");
        head = true;
        status = run_set(bench, &sets[k]);
    }
    return status;
}
