/* SPDX-License-Identifier: Apache-2.0 */
/* Segmented sums of float32: both kinds of validation, compared with native code. */
#include <stdlib.h>
#include <string.h>

#include "bench/jagged/sets.h"
#include "bench/reduce/values.h"

typedef struct job {
    mote_bench_state *bench;
    const mote_jagged_input *in;
    mote_jagged_validate validate;
    mote_jagged_floats floats;
    mote_host *host;
} job;

static mote_status call(void *data)
{
    const job *j = data;
    mote_jagged_reduce_args args;

    mote_jagged_reduce_args_init(&args);
    args.offsets = mote_view_make(j->in->mem, j->in->lists + 1, MOTE_INT32);
    args.values = mote_view_make(j->floats.mem_values, j->in->n, MOTE_FLOAT32);
    args.result = mote_view_make(j->floats.mem_result, j->in->lists, MOTE_FLOAT32);
    args.reduction = MOTE_REDUCE_SUM;
    args.validate = j->validate;
    return mote_jagged_reduce(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static mote_status call_whole(void *data)
{
    const job *j = data;
    mote_jagged_reduce_host_args args;

    mote_jagged_reduce_host_args_init(&args);
    args.offsets_type = MOTE_INT32;
    args.lists = j->in->lists;
    args.offsets = j->in->offsets;
    args.values_type = MOTE_FLOAT32;
    args.values = j->floats.values;
    args.values_length = j->in->n;
    args.reduction = MOTE_REDUCE_SUM;
    args.result = j->floats.result;
    return mote_jagged_reduce_host(j->bench->ctx, j->host, &args);
}

/* The values are multiples of a power of two, so that sums in double are exact. `loose`: the result
 * was added up in float32. */
static bool right(const job *j, bool loose)
{
    const int32_t *offsets = j->in->offsets;

    for (size_t k = 0; k < j->in->lists; k++) {
        double sum = 0, all = 0, got = (double)((const float *)j->floats.result)[k];

        for (int32_t i = offsets[k]; i < offsets[k + 1]; i++) {
            sum += (double)j->floats.values[i];
            all += loose ? mote_bench_abs((double)j->floats.values[i]) : 0;
        }
        /* The error of float32 grows with the length of the chain of additions. */
        double slack = 6e-8 * (double)(offsets[k + 1] - offsets[k]) * all;

        if (loose ? mote_bench_abs(got - sum) > slack : got != (double)(float)sum)
            return false;
    }
    return true;
}

static mote_bench_status check(job *j, const mote_bench_row *row)
{
    mote_bench_state *bench = j->bench;
    size_t bytes = j->in->lists * sizeof(float);
    bool fp64 = mote_context_device(bench->ctx)->has_fp64;

    if (!mote_bench_poison(bench, j->floats.mem_result, bytes) || call(j) ||
        !mote_bench_read(bench, j->floats.mem_result, bytes, j->floats.result))
        return mote_bench_failed(bench, row);
    if (right(j, !fp64))
        return MOTE_BENCH_OK;
    snprintf(bench->message, bench->size, "reduce on %s, %s: wrong result", row->set, row->way);
    return MOTE_BENCH_DISAGREE;
}

static mote_bench_status check_alone(void *data)
{
    const job *j = data;
    mote_bench_row row = mote_jagged_row(j->in, "reduce");

    return check(data, &row);
}

static mote_bench_status run_way(job *j, mote_jagged_validate validate)
{
    bool full = validate == MOTE_JAGGED_VALIDATE_FULL;
    mote_bench_state *bench = j->bench;
    mote_bench_row row = mote_jagged_row(j->in, "reduce");
    mote_bench_status status = MOTE_BENCH_OK;

    j->validate = validate;
    snprintf(row.way, sizeof(row.way), "sum float32%s", full ? ", full" : "");
    row.bytes = (mote_bytes){.read = 4.0 * (double)(j->in->lists + 1) + 4.0 * (double)j->in->n,
                             .written = 4.0 * (double)j->in->lists};
    if (mote_bench_try(bench, &row, call, check_alone, j, &status))
        return status;
    if (!bench->options->no_check)
        status = check(j, &row);
    if (!status && mote_time_call(bench->queue, call, j, mote_bench_repeats(bench), &row.times))
        status = mote_bench_failed(bench, &row);
    if (!status && full) {
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
    mote_jagged_reduce_peer_fn fn;
    const job *j;
} native;

static mote_status call_native(void *data)
{
    const native *p = data;

    p->fn(p->j->in->offsets, p->j->in->lists, p->j->floats.values, p->j->floats.result);
    return MOTE_SUCCESS;
}

static mote_bench_status run_peers(const job *j)
{
    const mote_bench_peers *peers = j->bench->options->peers;
    mote_bench_row row = mote_jagged_row(j->in, "reduce");

    for (int i = 0; peers && i < MOTE_BENCH_MOST_PEERS && peers->reduce[i]; i++) {
        native p = {peers->reduce[i], j};
        mote_spread times = {0};

        memset(j->floats.result, 0xa5, j->in->lists * sizeof(float));
        if (mote_time_whole(call_native, &p, mote_bench_repeats(j->bench), &times))
            return mote_bench_no_memory(j->bench, row.set);
        if (!right(j, true)) {
            snprintf(j->bench->message, j->bench->size, "%s on %s: wrong result",
                     peers->reduce_name[i], row.set);
            return MOTE_BENCH_DISAGREE;
        }
        mote_bench_row_peer(j->bench, &row, peers->reduce_name[i], &times);
    }
    return MOTE_BENCH_OK;
}

mote_bench_status mote_jagged_bench_reduce(mote_bench_state *bench, const mote_jagged_input *in)
{
    job j = {.bench = bench, .in = in};
    mote_bench_status status = mote_jagged_floats_create(bench, in, &j.floats);

    if (!status && mote_host_create(bench->ctx, NULL, &j.host))
        status = mote_bench_no_memory(bench, in->set->name);
    if (!status)
        status = run_peers(&j);
    if (!status)
        status = run_way(&j, MOTE_JAGGED_VALIDATE_TOUCHED);
    if (!status)
        status = run_way(&j, MOTE_JAGGED_VALIDATE_FULL);
    mote_host_release(j.host);
    mote_jagged_floats_release(&j.floats);
    return status;
}
