/* SPDX-License-Identifier: Apache-2.0 */
/* Parents and local indices: each strategy, both kinds of validation, compared with native code. */
#include <stdlib.h>
#include <string.h>

#include "bench/jagged/sets.h"

/* A strategy that would take longer than this for one call is skipped. */
#define MOST_SECONDS 0.5

typedef struct way {
    const char *name;
    mote_jagged_strategy strategy;
    mote_jagged_validate validate;
    bool local; /* compute local indices instead of parents */
} way;

static const way ways[] = {
    {"search", MOTE_JAGGED_SEARCH, MOTE_JAGGED_VALIDATE_TOUCHED, false},
    {"event", MOTE_JAGGED_EVENT, MOTE_JAGGED_VALIDATE_TOUCHED, false},
    {"balanced", MOTE_JAGGED_BALANCED, MOTE_JAGGED_VALIDATE_TOUCHED, false},
    {"auto", MOTE_JAGGED_AUTO, MOTE_JAGGED_VALIDATE_TOUCHED, false},
    {"auto, full", MOTE_JAGGED_AUTO, MOTE_JAGGED_VALIDATE_FULL, false},
    {"local index", MOTE_JAGGED_AUTO, MOTE_JAGGED_VALIDATE_TOUCHED, true},
};

#define N_WAYS (sizeof(ways) / sizeof(ways[0]))

typedef struct job {
    mote_bench_state *bench;
    const mote_jagged_input *in;
    const way *way;
    cl_mem out;
    int32_t *host_out;
    mote_host *host;
} job;

static mote_view view_of(cl_mem mem, size_t count)
{
    return count ? mote_view_make(mem, count, MOTE_INT32) : (mote_view){0};
}

static mote_status call(void *data)
{
    const job *j = data;
    mote_jagged_parents_args args;

    mote_jagged_parents_args_init(&args);
    args.offsets = view_of(j->in->mem, j->in->lists + 1);
    args.parents = view_of(j->out, j->in->n);
    args.content_length = j->in->n;
    args.strategy = j->way->strategy;
    args.validate = j->way->validate;
    return mote_jagged_parents(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static mote_status call_local(void *data)
{
    const job *j = data;
    mote_jagged_local_index_args args;

    mote_jagged_local_index_args_init(&args);
    args.offsets = view_of(j->in->mem, j->in->lists + 1);
    args.local_index = view_of(j->out, j->in->n);
    args.content_length = j->in->n;
    args.strategy = j->way->strategy;
    args.validate = j->way->validate;
    return mote_jagged_local_index(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static mote_status call_whole(void *data)
{
    const job *j = data;
    mote_jagged_parents_host_args args;

    mote_jagged_parents_host_args_init(&args);
    args.type = MOTE_INT32;
    args.lists = j->in->lists;
    args.offsets = j->in->offsets;
    args.out = j->host_out;
    args.n = j->in->n;
    args.content_length = j->in->n;
    args.strategy = j->way->strategy;
    return mote_jagged_parents_host(j->bench->ctx, j->host, &args);
}

static bool right(const mote_jagged_input *in, const int32_t *out, bool local)
{
    const int32_t *offsets = in->offsets;

    for (size_t k = 0; k < in->lists; k++) {
        int32_t wrong = 0;

        for (int32_t i = offsets[k]; i < offsets[k + 1]; i++)
            wrong |= out[i] ^ (local ? i - offsets[k] : (int32_t)k);
        if (wrong)
            return false;
    }
    return true;
}

/* Runs the call on a poisoned output and compares every element. */
static mote_bench_status check(job *j, mote_timed_fn fn, const mote_bench_row *row)
{
    mote_bench_state *bench = j->bench;
    size_t bytes = j->in->n * sizeof(int32_t);

    if (!mote_bench_poison(bench, j->out, bytes) || fn(j) ||
        !mote_bench_read(bench, j->out, bytes, j->host_out))
        return mote_bench_failed(bench, row);
    if (right(j->in, j->host_out, j->way->local))
        return MOTE_BENCH_OK;
    snprintf(bench->message, bench->size, "%s on %s, %s: wrong result", row->call, row->set,
             row->way);
    return MOTE_BENCH_DISAGREE;
}

static mote_bench_status check_alone(void *data)
{
    job *j = data;
    mote_bench_row row = mote_jagged_row(j->in, j->way->local ? "local_index" : "parents");

    return check(j, j->way->local ? call_local : call, &row);
}

/* Estimates the time of one call: a GPU's work-item writes 10^7 elements a second; a CPU takes
 * about 3 ns for each step of a search. */
static double guess_seconds(const job *j)
{
    const mote_device_info *d = mote_context_device(j->bench->ctx);
    double steps = 1;

    if (d->device_class == MOTE_DEVICE_GPU)
        return j->way->strategy == MOTE_JAGGED_EVENT ? 1e-7 * (double)j->in->longest : 0;
    for (size_t m = j->in->lists; m > 1; m /= 2)
        steps++;
    double all = 3e-9 * steps * (double)j->in->n / (double)d->compute_units;

    return j->way->strategy == MOTE_JAGGED_SEARCH ? all : 0;
}

static mote_bench_status run_way(job *j, const way *w)
{
    mote_bench_state *bench = j->bench;
    mote_bench_row row = mote_jagged_row(j->in, w->local ? "local_index" : "parents");
    mote_timed_fn fn = w->local ? call_local : call;
    mote_bench_status status = MOTE_BENCH_OK;

    j->way = w;
    snprintf(row.way, sizeof(row.way), "%s", w->name);
    row.bytes =
        (mote_bytes){.read = 4.0 * (double)(j->in->filled + 1), .written = 4.0 * (double)j->in->n};
    if (guess_seconds(j) > MOST_SECONDS) {
        mote_bench_row_skip(bench, &row, "would take more than half a second");
        return status;
    }
    if (mote_bench_try(bench, &row, fn, check_alone, j, &status))
        return status;
    if (!bench->options->no_check)
        status = check(j, fn, &row);
    if (!status && mote_time_call(bench->queue, fn, j, mote_bench_repeats(bench), &row.times))
        status = mote_bench_failed(bench, &row);
    if (!status && w->validate == MOTE_JAGGED_VALIDATE_FULL) {
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
    mote_jagged_parents_peer_fn fn;
    const mote_jagged_input *in;
    int32_t *out;
} native;

static mote_status call_native(void *data)
{
    const native *p = data;

    p->fn(p->in->offsets, p->in->lists, p->out);
    return MOTE_SUCCESS;
}

static mote_bench_status run_peers(job *j, bool local)
{
    const mote_bench_peers *peers = j->bench->options->peers;
    mote_bench_row row = mote_jagged_row(j->in, local ? "local_index" : "parents");

    j->bench->peer_us = 0;
    for (int i = 0; peers && i < MOTE_BENCH_MOST_PEERS && peers->parents_name[i]; i++) {
        native p = {local ? peers->local_index[i] : peers->parents[i], j->in, j->host_out};
        mote_spread times = {0};

        memset(p.out, 0xa5, j->in->n * sizeof(int32_t));
        if (mote_time_whole(call_native, &p, mote_bench_repeats(j->bench), &times))
            return mote_bench_no_memory(j->bench, row.set);
        if (!right(j->in, p.out, local)) {
            snprintf(j->bench->message, j->bench->size, "%s on %s: wrong result",
                     peers->parents_name[i], row.set);
            return MOTE_BENCH_DISAGREE;
        }
        mote_bench_row_peer(j->bench, &row, peers->parents_name[i], &times);
    }
    return MOTE_BENCH_OK;
}

mote_bench_status mote_jagged_bench_parents(mote_bench_state *bench, const mote_jagged_input *in)
{
    size_t bytes = in->n * sizeof(int32_t);
    job j = {.bench = bench, .in = in};
    mote_bench_status status = MOTE_BENCH_OK;

    j.out = mote_bench_buffer(bench, bytes, NULL);
    j.host_out = malloc(bytes + 1);
    if (!j.out || !j.host_out || mote_host_create(bench->ctx, NULL, &j.host))
        status = mote_bench_no_memory(bench, in->set->name);
    for (int local = 0; local < 2 && !status; local++) {
        if (!mote_bench_wants(bench, local ? "local_index" : "parents"))
            continue;
        status = run_peers(&j, local);
        for (size_t i = 0; i < N_WAYS && !status; i++)
            if (ways[i].local == local)
                status = run_way(&j, &ways[i]);
    }
    if (j.out)
        clReleaseMemObject(j.out);
    free(j.host_out);
    mote_host_release(j.host);
    return status;
}
