/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of lists of float32 other than sums, compared with native code. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/jagged/sets.h"
#include "bench/reduce/values.h"

static const mote_reduction reductions[] = {
    MOTE_REDUCE_MIN, MOTE_REDUCE_ARGMAX, MOTE_REDUCE_COUNT, MOTE_REDUCE_COUNTNONZERO,
    MOTE_REDUCE_ANY, MOTE_REDUCE_MEAN,   MOTE_REDUCE_VAR,   MOTE_REDUCE_STD};

#define N_REDUCTIONS (sizeof(reductions) / sizeof(reductions[0]))

typedef struct job {
    mote_bench_state *bench;
    const mote_jagged_input *in;
    mote_reduction reduction;
    mote_type type; /* of the results */
    mote_jagged_floats floats;
} job;

static mote_status call(void *data)
{
    const job *j = data;
    mote_jagged_reduce_args args;

    mote_jagged_reduce_args_init(&args);
    args.offsets = mote_view_make(j->in->mem, j->in->lists + 1, MOTE_INT32);
    if (j->reduction != MOTE_REDUCE_COUNT)
        args.values = mote_view_make(j->floats.mem_values, j->in->n, MOTE_FLOAT32);
    args.result = mote_view_make(j->floats.mem_result, j->in->lists, j->type);
    args.reduction = j->reduction;
    return mote_jagged_reduce(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

/* Returns whether the reduction is a variance or a standard deviation. */
static bool is_spread(mote_reduction reduction)
{
    return reduction == MOTE_REDUCE_VAR || reduction == MOTE_REDUCE_STD;
}

/* Returns the expected result of a list without NaN. */
static double expected(mote_reduction reduction, const float *values, int32_t n)
{
    double sum = 0, extreme = INFINITY, squares = 0;
    int32_t at = -1, nonzero = 0;

    if (reduction == MOTE_REDUCE_COUNT)
        return n;
    for (int32_t i = 0; i < n; i++) {
        double v = reduction == MOTE_REDUCE_ARGMAX ? -(double)values[i] : (double)values[i];

        sum += v;
        nonzero += v != 0;
        at = v < extreme ? i : at;
        extreme = v < extreme ? v : extreme;
    }
    for (int32_t i = 0; i < n && is_spread(reduction); i++)
        squares += ((double)values[i] - sum / n) * ((double)values[i] - sum / n);
    if (is_spread(reduction))
        return reduction == MOTE_REDUCE_VAR ? squares / n : sqrt(squares / n);
    if (reduction == MOTE_REDUCE_MEAN)
        return sum / n;
    if (reduction == MOTE_REDUCE_MIN)
        return extreme;
    return reduction == MOTE_REDUCE_ARGMAX ? at
           : reduction == MOTE_REDUCE_ANY  ? nonzero != 0
                                           : nonzero;
}

static double result_at(const job *j, size_t k)
{
    if (j->type == MOTE_FLOAT32)
        return (double)((const float *)j->floats.result)[k];
    return j->type == MOTE_INT32 ? ((const int32_t *)j->floats.result)[k]
                                 : ((const uint8_t *)j->floats.result)[k];
}

/* `loose`: means and variances were added up in float32. */
static bool right(const job *j, bool loose)
{
    const int32_t *offsets = j->in->offsets;
    double near = loose ? 1e-3 : 1e-6; /* of variances and deviations */

    loose = loose && j->reduction == MOTE_REDUCE_MEAN;
    for (size_t k = 0; k < j->in->lists; k++) {
        int32_t n = offsets[k + 1] - offsets[k];
        double got = result_at(j, k);
        double want = expected(j->reduction, j->floats.values + offsets[k], n);
        double most = (1 << 20) * MOTE_BENCH_UNIT; /* of a value */

        if (is_spread(j->reduction) && n > 0 ? mote_bench_abs(got - want) > near * want
            : loose                          ? mote_bench_abs(got - want) > 6e-8 * n * most
                    : got != (j->type == MOTE_FLOAT32 ? (double)(float)want : want) &&
                          !(isnan(got) && isnan(want)))
            return false;
    }
    return true;
}

static mote_bench_status wrong(const job *j, const mote_bench_row *row)
{
    snprintf(j->bench->message, j->bench->size, "%s on %s: wrong result", row->way, row->set);
    return MOTE_BENCH_DISAGREE;
}

static mote_bench_status check(job *j, const mote_bench_row *row)
{
    mote_bench_state *bench = j->bench;
    size_t bytes = j->in->lists * sizeof(float), used = j->in->lists * mote_type_size(j->type);
    bool fp64 = mote_context_device(bench->ctx)->has_fp64;

    if (!mote_bench_poison(bench, j->floats.mem_result, bytes) || call(j) ||
        !mote_bench_read(bench, j->floats.mem_result, used, j->floats.result))
        return mote_bench_failed(bench, row);
    return right(j, !fp64) ? MOTE_BENCH_OK : wrong(j, row);
}

typedef struct native {
    mote_jagged_reduction_peer_fn fn;
    const job *j;
} native;

static mote_status call_native(void *data)
{
    const native *p = data;

    p->fn(p->j->in->offsets, p->j->in->lists, p->j->floats.values, p->j->floats.result);
    return MOTE_SUCCESS;
}

/* Returns NULL if a table has no function for the reduction. */
static mote_jagged_reduction_peer_fn find_peer(const mote_jagged_reduction_peer *peer,
                                               mote_reduction reduction)
{
    while (peer->run && peer->reduction != reduction)
        peer++;
    return peer->run;
}

static mote_bench_status run_peers(const job *j, mote_bench_row row)
{
    const mote_bench_peers *peers = j->bench->options->peers;

    j->bench->peer_us = 0;
    for (int i = 0; peers && i < MOTE_BENCH_MOST_PEERS && peers->reductions[i]; i++) {
        native p = {find_peer(peers->reductions[i], j->reduction), j};
        mote_spread times = {0};

        if (!p.fn)
            continue;
        memset(j->floats.result, 0xa5, j->in->lists * sizeof(float));
        if (mote_time_whole(call_native, &p, mote_bench_repeats(j->bench), &times))
            return mote_bench_no_memory(j->bench, row.set);
        snprintf(row.way, sizeof(row.way), "%s", peers->reductions_name[i]);
        if (!right(j, true))
            return wrong(j, &row);
        mote_bench_row_peer(j->bench, &row, peers->reductions_name[i], &times);
    }
    return MOTE_BENCH_OK;
}

static mote_bench_status run_reduction(job *j, mote_reduction reduction)
{
    mote_bench_state *bench = j->bench;
    mote_bench_row row = mote_jagged_row(j->in, "reductions");
    uint32_t types = mote_reduction_results(reduction, MOTE_FLOAT32, MOTE_INT32);

    j->reduction = reduction;
    for (j->type = MOTE_TYPE_NONE; !(types >> j->type & 1);)
        j->type++;
    snprintf(row.way, sizeof(row.way), "%s", mote_reduction_name(reduction));
    row.bytes.read = 4.0 * (double)(j->in->lists + 1);
    row.bytes.written = (double)mote_type_size(j->type) * (double)j->in->lists;
    if (reduction ==
        MOTE_REDUCE_ANY) /* the first value of a list that is not 0 determines the result */
        row.bytes.read += 4.0 * (double)j->in->filled;
    else if (reduction != MOTE_REDUCE_COUNT)
        row.bytes.read += 4.0 * (double)j->in->n;
    mote_bench_status status = run_peers(j, row);
    if (!status && !bench->options->no_check)
        status = check(j, &row);
    if (!status && mote_time_call(bench->queue, call, j, mote_bench_repeats(bench), &row.times))
        status = mote_bench_failed(bench, &row);
    if (!status)
        mote_bench_row_print(bench, &row);
    return status;
}

mote_bench_status mote_jagged_bench_reductions(mote_bench_state *bench, const mote_jagged_input *in)
{
    job j = {.bench = bench, .in = in};
    mote_bench_status status = mote_jagged_floats_create(bench, in, &j.floats);

    for (size_t k = 0; k < N_REDUCTIONS && !status && !bench->options->trial; k++)
        status = run_reduction(&j, reductions[k]);
    mote_jagged_floats_release(&j.floats);
    return status;
}
