/* SPDX-License-Identifier: Apache-2.0 */
/* Counts, offsets and expansions of lists, compared with native code. */
#include <stdlib.h>
#include <string.h>

#include "bench/jagged/lists.h"
#include "testkit/rng.h"

/* Sets with more results than this, and than elements, are skipped: they would not fit small
 * devices, nor int32. */
#define MOST_MADE     ((size_t)600000000)
#define MOST_MADE_CPU ((size_t)130000000)

static size_t out_count(const mote_lists_job *j, const mote_lists_operation *op, int out)
{
    if (out == OUT_OFFSETS)
        return op->makes_offsets ? j->in->lists + 1 : 0;
    return out < OUT_FIRST + op->arrays ? j->capacity : 0;
}

/* Only the offsets determine the number of kept positions: the elements after them must still be
 * poison. */
static bool right(const mote_lists_job *j, const mote_lists_operation *op, int32_t *const got[],
                  size_t made)
{
    for (int out = 0; out < OUTPUTS; out++) {
        size_t count = out_count(j, op, out);

        count = out != OUT_OFFSETS && made < count ? made : count;
        if (count && memcmp(got[out], j->expected[out], count * sizeof(int32_t)) != 0)
            return false;
    }
    return true;
}

/* Runs the call on poisoned outputs and compares all of them. */
static mote_bench_status check(mote_lists_job *j, const mote_lists_operation *op,
                               const mote_bench_row *row, size_t made)
{
    mote_bench_state *bench = j->bench;
    bool good = true;

    for (int out = 0; out < OUTPUTS && good; out++) {
        size_t bytes = out_count(j, op, out) * sizeof(int32_t);

        good = !bytes || mote_bench_poison(bench, j->mem_out[out], bytes);
    }
    good = good && !op->call(j);
    for (int out = 0; out < OUTPUTS && good; out++) {
        size_t bytes = out_count(j, op, out) * sizeof(int32_t);

        good = !bytes || mote_bench_read(bench, j->mem_out[out], bytes, j->host_out[out]);
    }
    if (!good)
        return mote_bench_failed(bench, row);
    if (right(j, op, j->host_out, made))
        return MOTE_BENCH_OK;
    snprintf(bench->message, bench->size, "%s on %s: wrong result", row->call, row->set);
    return MOTE_BENCH_DISAGREE;
}

static mote_bench_status run_call(mote_lists_job *j, const mote_lists_operation *op,
                                  mote_bench_row *row, size_t made)
{
    mote_bench_state *bench = j->bench;
    mote_bench_status status = bench->options->no_check ? MOTE_BENCH_OK : check(j, op, row, made);

    if (!status &&
        mote_time_call(bench->queue, op->call, j, mote_bench_repeats(bench), &row->times))
        status = mote_bench_failed(bench, row);
    if (!status)
        mote_bench_row_print(bench, row);
    return status;
}

typedef struct native {
    mote_lists_peer_fn fn;
    mote_lists_native arrays;
} native;

static mote_status call_native(void *data)
{
    const native *p = data;

    p->fn(&p->arrays);
    return MOTE_SUCCESS;
}

static mote_bench_status run_peer(mote_lists_job *j, const mote_lists_operation *op,
                                  const mote_bench_row *row, mote_lists_peer_fn fn, size_t made)
{
    mote_spread times = {0};
    native p = {fn,
                {.lists = j->in->lists,
                 .n = j->in->n,
                 .offsets = j->in->offsets,
                 .counts = j->host_in[IN_COUNTS],
                 .parents = j->host_in[IN_PARENTS],
                 .offsets_b = j->host_in[IN_OFFSETS_B],
                 .values = (const float *)j->host_in[IN_VALUES],
                 .list_values = (const float *)j->host_in[IN_LIST_VALUES],
                 .made_offsets = j->host_out[OUT_OFFSETS],
                 .first = j->host_out[OUT_FIRST],
                 .second = j->host_out[OUT_SECOND]}};

    j->bench->peer_us = 0;
    for (int out = 0; out < OUTPUTS; out++)
        memset(j->host_out[out], 0xa5, out_count(j, op, out) * sizeof(int32_t));
    if (mote_time_whole(call_native, &p, mote_bench_repeats(j->bench), &times))
        return mote_bench_no_memory(j->bench, row->set);
    if (!right(j, op, j->host_out, made)) {
        snprintf(j->bench->message, j->bench->size, "OpenMP %s on %s: wrong result", row->call,
                 row->set);
        return MOTE_BENCH_DISAGREE;
    }
    mote_bench_row_peer(j->bench, row, "OpenMP", &times);
    return MOTE_BENCH_OK;
}

static void free_outputs(mote_lists_job *j)
{
    for (int out = 0; out < OUTPUTS; out++) {
        free(j->host_out[out]);
        free(j->expected[out]);
        if (j->mem_out[out])
            clReleaseMemObject(j->mem_out[out]);
        j->host_out[out] = j->expected[out] = NULL;
        j->mem_out[out] = NULL;
    }
}

static bool make_outputs(mote_lists_job *j, const mote_lists_operation *op)
{
    bool good = true;

    for (int out = 0; out < OUTPUTS && good; out++) {
        size_t bytes = out_count(j, op, out) * sizeof(int32_t);

        j->host_out[out] = malloc(bytes + 1);
        j->expected[out] = malloc(bytes + 1);
        j->mem_out[out] = mote_bench_buffer(j->bench, bytes, NULL);
        good = j->host_out[out] && j->expected[out] && j->mem_out[out];
    }
    return good;
}

static mote_bench_status run_operation(mote_lists_job *j, size_t number)
{
    const mote_lists_operation *op = &mote_lists_operations[number];
    const mote_bench_peers *peers = j->bench->options->peers;
    const mote_device_info *device = mote_context_device(j->bench->ctx);
    size_t most = device->device_class == MOTE_DEVICE_CPU ? MOST_MADE_CPU : MOST_MADE;
    mote_bench_row row = mote_jagged_row(j->in, op->name);
    mote_bench_status status = MOTE_BENCH_OK;

    snprintf(row.way, sizeof(row.way), "%s", op->name);
    j->capacity = op->capacity(j);
    if (j->capacity > j->in->n && j->capacity > most) {
        mote_bench_row_skip(j->bench, &row, "too many results");
        return status;
    }
    if (!make_outputs(j, op))
        status = mote_bench_no_memory(j->bench, row.set);
    if (!status) {
        size_t made = op->expect(j, j->expected);

        row.bytes = (mote_bytes){
            .read = op->read_element * (double)j->in->n + op->read_list * (double)j->in->lists +
                    op->read_filled * (double)j->in->filled + op->read_made * (double)made,
            .written = op->write_list * (double)j->in->lists + op->write_made * (double)made};
        if (peers && number < MOTE_NATIVE_CALLS && peers->lists[number])
            status = run_peer(j, op, &row, peers->lists[number], made);
        if (!status)
            status = run_call(j, op, &row, made);
    }
    free_outputs(j);
    return status;
}

/* Every second value is 0. */
static void fill_values(int32_t *values, size_t n)
{
    mote_rng rng;

    mote_rng_seed(&rng, 5);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = mote_rng_next(&rng);
        float value = bits & 1 ? (float)(bits >> 40) + 1 : 0;

        memcpy(&values[i], &value, sizeof(value));
    }
}

static bool make_inputs(mote_lists_job *j)
{
    size_t m = j->in->lists, n = j->in->n;
    const size_t counts[INPUTS] = {m, n, n, m, m + 1};

    j->lists =
        (mote_case_lists){.type = MOTE_INT32, .count = m, .offsets = j->in->offsets, .content = n};
    for (int in = 0; in < INPUTS; in++)
        if (!(j->host_in[in] = malloc(counts[in] * sizeof(int32_t) + 1)))
            return false;
    j->lists_b = (mote_case_lists){.type = MOTE_INT32,
                                   .count = m,
                                   .offsets = j->host_in[IN_OFFSETS_B],
                                   .content = LENGTH_B * m};
    mote_oracle_counts(&j->lists, j->host_in[IN_COUNTS]);
    mote_oracle_parents(&j->lists, false, n, j->host_in[IN_PARENTS]);
    fill_values(j->host_in[IN_VALUES], n);
    fill_values(j->host_in[IN_LIST_VALUES], m);
    for (size_t k = 0; k <= m; k++)
        j->host_in[IN_OFFSETS_B][k] = (int32_t)(LENGTH_B * k);
    for (int in = 0; in < INPUTS; in++)
        if (!(j->mem_in[in] =
                  mote_bench_buffer(j->bench, counts[in] * sizeof(int32_t), j->host_in[in])))
            return false;
    return true;
}

static bool wanted(const mote_bench_state *bench, const char *call)
{
    return mote_bench_wants(bench, "companions") || mote_bench_wants(bench, call);
}

bool mote_jagged_bench_wants_lists(const mote_bench_state *bench)
{
    for (size_t k = 0; mote_lists_operations[k].name; k++)
        if (wanted(bench, mote_lists_operations[k].name))
            return true;
    return false;
}

mote_bench_status mote_jagged_bench_lists(mote_bench_state *bench, const mote_jagged_input *in)
{
    mote_lists_job j = {.bench = bench, .in = in};
    mote_bench_status status = MOTE_BENCH_OK;

    if (!make_inputs(&j))
        status = mote_bench_no_memory(bench, in->set->name);
    for (size_t k = 0; mote_lists_operations[k].name && !status; k++)
        if (wanted(bench, mote_lists_operations[k].name))
            status = run_operation(&j, k);
    for (int k = 0; k < INPUTS; k++) {
        free(j.host_in[k]);
        if (j.mem_in[k])
            clReleaseMemObject(j.mem_in[k]);
    }
    return status;
}
