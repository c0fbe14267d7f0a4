/* SPDX-License-Identifier: Apache-2.0 */
/* What goes with parents: counts, offsets from counts and from parents, gathering by parent,
 * positions of values that are not 0. */
#include <stdlib.h>
#include <string.h>

#include "cases/jagged/bench_sets.h"
#include "cases/reduce/bench_values.h"

typedef struct job {
    mote_bench_state *bench;
    const mote_jagged_input *in;
    cl_mem lists;    /* m int32: what gathering takes; lengths for offsets from counts */
    cl_mem elements; /* n: parents, or values of which half are 0 */
    cl_mem out;      /* n or m + 1 int32 */
    cl_mem offsets;  /* m + 1 */
    int32_t *host;   /* n or m + 1 */
} job;

/* A call: how its inputs are made, what it must give, its least bytes for m lists and n elements.
 */
typedef struct companion {
    const char *name;
    void (*fill_lists)(const job *j, int32_t *lists);
    void (*fill_elements)(const job *j, int32_t *elements);
    mote_timed_fn call;
    bool (*right)(const job *j);
    double list_bytes, element_bytes;
} companion;

static mote_view view_of(cl_mem mem, size_t count)
{
    return count ? mote_view_make(mem, count, MOTE_INT32) : (mote_view){0};
}

static int32_t length_of(const job *j, size_t k)
{
    return j->in->offsets[k + 1] - j->in->offsets[k];
}

static mote_status call_counts(void *data)
{
    const job *j = data;
    mote_counts_args args;

    mote_counts_args_init(&args);
    args.offsets = view_of(j->in->mem, j->in->lists + 1);
    args.counts = view_of(j->out, j->in->lists);
    return mote_counts(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static bool right_counts(const job *j)
{
    int32_t wrong = 0;

    for (size_t k = 0; k < j->in->lists; k++)
        wrong |= j->host[k] ^ length_of(j, k);
    return !wrong;
}

static void fill_counts(const job *j, int32_t *lists)
{
    for (size_t k = 0; k < j->in->lists; k++)
        lists[k] = length_of(j, k);
}

static mote_status call_from_counts(void *data)
{
    const job *j = data;
    mote_offsets_from_counts_args args;

    mote_offsets_from_counts_args_init(&args);
    args.counts = view_of(j->lists, j->in->lists);
    args.offsets = view_of(j->out, j->in->lists + 1);
    return mote_offsets_from_counts(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static bool right_offsets(const job *j)
{
    return memcmp(j->host, j->in->offsets, (j->in->lists + 1) * sizeof(int32_t)) == 0;
}

static void fill_parents(const job *j, int32_t *elements)
{
    for (size_t k = 0; k < j->in->lists; k++)
        for (int32_t i = j->in->offsets[k]; i < j->in->offsets[k + 1]; i++)
            elements[i] = (int32_t)k;
}

static mote_status call_from_parents(void *data)
{
    const job *j = data;
    mote_offsets_from_parents_args args;

    mote_offsets_from_parents_args_init(&args);
    args.parents = view_of(j->elements, j->in->n);
    args.offsets = view_of(j->out, j->in->lists + 1);
    return mote_offsets_from_parents(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static void fill_integers(const job *j, int32_t *lists)
{
    for (size_t k = 0; k < j->in->lists; k++)
        lists[k] = mote_bench_integer((uint32_t)k, 3);
}

static mote_status call_gather(void *data)
{
    const job *j = data;
    mote_gather_by_parent_args args;

    mote_gather_by_parent_args_init(&args);
    args.offsets = view_of(j->in->mem, j->in->lists + 1);
    args.values = view_of(j->lists, j->in->lists);
    args.result = view_of(j->out, j->in->n);
    return mote_gather_by_parent(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static bool right_gather(const job *j)
{
    int32_t wrong = 0;

    for (size_t k = 0; k < j->in->lists; k++) {
        int32_t value = mote_bench_integer((uint32_t)k, 3);

        for (int32_t i = j->in->offsets[k]; i < j->in->offsets[k + 1]; i++)
            wrong |= j->host[i] ^ value;
    }
    return !wrong;
}

/* Every second value is 0, in no order. */
static int32_t kept(size_t i)
{
    return mote_bench_integer((uint32_t)i, 5) & 1;
}

static void fill_kept(const job *j, int32_t *elements)
{
    for (size_t i = 0; i < j->in->n; i++)
        elements[i] = kept(i);
}

static mote_status call_nonzero(void *data)
{
    const job *j = data;
    mote_nonzero_args args;

    mote_nonzero_args_init(&args);
    args.offsets = view_of(j->in->mem, j->in->lists + 1);
    args.values = view_of(j->elements, j->in->n);
    args.offsets_out = view_of(j->offsets, j->in->lists + 1);
    args.positions = view_of(j->out, j->in->n);
    return mote_nonzero(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static bool right_nonzero(const job *j)
{
    size_t m = j->in->lists, count = 0;
    int32_t *offsets = malloc((m + 1) * sizeof(int32_t)), wrong = 0;

    if (!offsets || !mote_bench_read(j->bench, j->offsets, (m + 1) * sizeof(int32_t), offsets))
        return false;
    for (size_t k = 0; k < m; k++) {
        wrong |= offsets[k] ^ (int32_t)count;
        for (int32_t i = j->in->offsets[k]; i < j->in->offsets[k + 1]; i++)
            if (kept((size_t)i))
                wrong |= j->host[count++] ^ i;
    }
    wrong |= offsets[m] ^ (int32_t)count;
    free(offsets);
    return !wrong;
}

static const companion companions[] = {
    {"counts", NULL, NULL, call_counts, right_counts, 8, 0},
    {"offsets from counts", fill_counts, NULL, call_from_counts, right_offsets, 8, 0},
    {"offsets from parents", NULL, fill_parents, call_from_parents, right_offsets, 4, 4},
    {"gather by parent", fill_integers, NULL, call_gather, right_gather, 8, 4},
    {"nonzero, half", NULL, fill_kept, call_nonzero, right_nonzero, 8, 6},
};

#define N_COMPANIONS (sizeof(companions) / sizeof(companions[0]))

static bool upload(const job *j, cl_mem mem, size_t count,
                   void (*fill)(const job *j, int32_t *values))
{
    if (!fill || !count)
        return true;
    fill(j, j->host);
    return !clEnqueueWriteBuffer(j->bench->queue, mem, CL_TRUE, 0, count * sizeof(int32_t), j->host,
                                 0, NULL, NULL);
}

static mote_bench_status check(job *j, const companion *c, const mote_bench_row *row, size_t bytes)
{
    mote_bench_state *bench = j->bench;

    if (!mote_bench_poison(bench, j->out, bytes) || c->call(j) ||
        !mote_bench_read(bench, j->out, bytes, j->host))
        return mote_bench_failed(bench, row);
    if (c->right(j))
        return MOTE_BENCH_OK;
    snprintf(bench->message, bench->size, "%s on %s: wrong result", row->way, row->set);
    return MOTE_BENCH_DISAGREE;
}

static mote_bench_status run(job *j, const companion *c, size_t bytes)
{
    mote_bench_state *bench = j->bench;
    mote_bench_row row = mote_jagged_row(j->in, "companions", 0);
    mote_bench_status status = MOTE_BENCH_OK;

    snprintf(row.way, sizeof(row.way), "%s", c->name);
    row.bytes = c->list_bytes * (double)j->in->lists + c->element_bytes * (double)j->in->n;
    row.gb_s = bench->bandwidth.copy;
    if (!upload(j, j->lists, j->in->lists, c->fill_lists) ||
        !upload(j, j->elements, j->in->n, c->fill_elements))
        return mote_bench_no_memory(bench, row.set);
    if (!bench->options->no_check)
        status = check(j, c, &row, bytes);
    if (!status && mote_time_call(bench->queue, c->call, j, mote_bench_repeats(bench), &row.times))
        status = mote_bench_failed(bench, &row);
    if (!status)
        mote_bench_row_print(bench, &row);
    return status;
}

mote_bench_status mote_jagged_bench_companions(mote_bench_state *bench, const mote_jagged_input *in)
{
    size_t most = in->n > in->lists ? in->n : in->lists + 1, bytes = most * sizeof(int32_t);
    job j = {.bench = bench, .in = in};
    mote_bench_status status = MOTE_BENCH_OK;

    j.host = malloc(bytes);
    j.lists = mote_bench_buffer(bench, in->lists * sizeof(int32_t), NULL);
    j.elements = mote_bench_buffer(bench, in->n * sizeof(int32_t), NULL);
    j.out = mote_bench_buffer(bench, bytes, NULL);
    j.offsets = mote_bench_buffer(bench, (in->lists + 1) * sizeof(int32_t), NULL);
    cl_mem mems[] = {j.lists, j.elements, j.out, j.offsets};

    for (int i = 0; i < 4; i++)
        if (!mems[i] || !j.host)
            status = mote_bench_no_memory(bench, in->set->name);
    for (size_t i = 0; i < N_COMPANIONS && !status; i++)
        status = run(&j, &companions[i], bytes);
    for (int i = 0; i < 4; i++)
        if (mems[i])
            clReleaseMemObject(mems[i]);
    free(j.host);
    return status;
}
