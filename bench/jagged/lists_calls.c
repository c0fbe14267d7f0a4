/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/jagged/lists.h"

#include <string.h>

#include "testkit/reference/jagged/reduce_oracle.h"

#define PADDED ((size_t)4) /* elements of a row */

static const double median = 0.5;

static mote_view view_of(cl_mem mem, size_t count, mote_type type)
{
    return count ? mote_view_make(mem, count, type) : (mote_view){0};
}

static mote_view offsets_of(const mote_lists_job *j)
{
    return mote_view_make(j->in->mem, j->in->lists + 1, MOTE_INT32);
}

static mote_view made_offsets(const mote_lists_job *j)
{
    return mote_view_make(j->mem_out[OUT_OFFSETS], j->in->lists + 1, MOTE_INT32);
}

static mote_status call_counts(void *data)
{
    const mote_lists_job *j = data;
    mote_jagged_counts_args args;

    mote_jagged_counts_args_init(&args);
    args.offsets = offsets_of(j);
    args.counts = view_of(j->mem_out[OUT_FIRST], j->in->lists, MOTE_INT32);
    return mote_jagged_counts(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static mote_status call_from_counts(void *data)
{
    const mote_lists_job *j = data;
    mote_jagged_offsets_from_counts_args args;

    mote_jagged_offsets_from_counts_args_init(&args);
    args.counts = view_of(j->mem_in[IN_COUNTS], j->in->lists, MOTE_INT32);
    args.offsets = made_offsets(j);
    return mote_jagged_offsets_from_counts(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static mote_status call_from_parents(void *data)
{
    const mote_lists_job *j = data;
    mote_jagged_offsets_from_parents_args args;

    mote_jagged_offsets_from_parents_args_init(&args);
    args.parents = view_of(j->mem_in[IN_PARENTS], j->in->n, MOTE_INT32);
    args.offsets = made_offsets(j);
    return mote_jagged_offsets_from_parents(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static mote_status call_nonzero(void *data)
{
    const mote_lists_job *j = data;
    mote_jagged_nonzero_args args;

    mote_jagged_nonzero_args_init(&args);
    args.offsets = offsets_of(j);
    args.values = view_of(j->mem_in[IN_VALUES], j->in->n, MOTE_FLOAT32);
    args.offsets_out = made_offsets(j);
    args.positions = view_of(j->mem_out[OUT_FIRST], j->capacity, MOTE_INT32);
    return mote_jagged_nonzero(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

/* The values are both the mask and the elements that are kept. */
static mote_status call_filter(void *data)
{
    const mote_lists_job *j = data;
    mote_jagged_nonzero_args args;

    mote_jagged_nonzero_args_init(&args);
    args.offsets = offsets_of(j);
    args.values = args.elements = view_of(j->mem_in[IN_VALUES], j->in->n, MOTE_FLOAT32);
    args.offsets_out = made_offsets(j);
    args.filtered = view_of(j->mem_out[OUT_FIRST], j->capacity, MOTE_FLOAT32);
    return mote_jagged_nonzero(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static mote_status call_gather(void *data)
{
    const mote_lists_job *j = data;
    mote_jagged_gather_by_parent_args args;

    mote_jagged_gather_by_parent_args_init(&args);
    args.offsets = offsets_of(j);
    args.values = view_of(j->mem_in[IN_LIST_VALUES], j->in->lists, MOTE_FLOAT32);
    args.result = view_of(j->mem_out[OUT_FIRST], j->capacity, MOTE_FLOAT32);
    return mote_jagged_gather_by_parent(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static mote_jagged_combinations_args combinations(const mote_lists_job *j)
{
    mote_jagged_combinations_args args;

    mote_jagged_combinations_args_init(&args);
    args.offsets_a = offsets_of(j);
    args.offsets = made_offsets(j);
    args.first = view_of(j->mem_out[OUT_FIRST], j->capacity, MOTE_INT32);
    args.second = view_of(j->mem_out[OUT_SECOND], j->capacity, MOTE_INT32);
    return args;
}

static mote_status call_product(void *data)
{
    const mote_lists_job *j = data;
    mote_jagged_combinations_args args = combinations(j);

    args.offsets_b = mote_view_make(j->mem_in[IN_OFFSETS_B], j->in->lists + 1, MOTE_INT32);
    return mote_jagged_product(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static mote_status call_pairs(void *data)
{
    const mote_lists_job *j = data;
    mote_jagged_combinations_args args = combinations(j);

    return mote_jagged_pairs(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

/* Defines a call with one result for each value. */
#define ON_VALUES(title, function, output, type)                                                   \
    static mote_status call_##title(void *data)                                                    \
    {                                                                                              \
        const mote_lists_job *j = data;                                                            \
        function##_args args;                                                                      \
                                                                                                   \
        function##_args_init(&args);                                                               \
        args.offsets = offsets_of(j);                                                              \
        args.values = view_of(j->mem_in[IN_VALUES], j->in->n, MOTE_FLOAT32);                       \
        args.output = view_of(j->mem_out[OUT_FIRST], j->in->n, type);                              \
        return function(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);                     \
    }

ON_VALUES(scan, mote_jagged_scan, result, MOTE_FLOAT32)
ON_VALUES(sort, mote_jagged_sort, result, MOTE_FLOAT32)
ON_VALUES(argsort, mote_jagged_sort, indices, MOTE_INT32)

static mote_status call_triples(void *data)
{
    const mote_lists_job *j = data;
    mote_jagged_combinations_args args = combinations(j);

    args.n = 3;
    args.third = view_of(j->mem_out[OUT_THIRD], j->capacity, MOTE_INT32);
    return mote_jagged_combinations(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static mote_status call_run_lengths(void *data)
{
    const mote_lists_job *j = data;
    mote_jagged_run_lengths_args args;

    mote_jagged_run_lengths_args_init(&args);
    args.offsets = offsets_of(j);
    args.values = view_of(j->mem_in[IN_VALUES], j->in->n, MOTE_FLOAT32);
    args.offsets_out = made_offsets(j);
    args.positions = view_of(j->mem_out[OUT_FIRST], j->capacity, MOTE_INT32);
    args.lengths = view_of(j->mem_out[OUT_SECOND], j->capacity, MOTE_INT32);
    return mote_jagged_run_lengths(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

/* Drops the first and the last element of each list. */
static mote_status call_slice(void *data)
{
    const mote_lists_job *j = data;
    mote_jagged_slice_args args;

    mote_jagged_slice_args_init(&args);
    args.offsets = offsets_of(j);
    args.values = view_of(j->mem_in[IN_VALUES], j->in->n, MOTE_FLOAT32);
    args.start = 1;
    args.stop = -1;
    args.offsets_out = made_offsets(j);
    args.sliced = view_of(j->mem_out[OUT_FIRST], j->capacity, MOTE_FLOAT32);
    return mote_jagged_slice(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static mote_status call_pad(void *data)
{
    const mote_lists_job *j = data;
    mote_jagged_pad_args args;

    mote_jagged_pad_args_init(&args);
    args.offsets = offsets_of(j);
    args.values = view_of(j->mem_in[IN_VALUES], j->in->n, MOTE_FLOAT32);
    args.k = PADDED;
    args.result = view_of(j->mem_out[OUT_FIRST], j->capacity, MOTE_FLOAT32);
    return mote_jagged_pad(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

/* The values are not sorted, but the call does the same work as for medians. */
static mote_status call_quantile(void *data)
{
    const mote_lists_job *j = data;
    mote_jagged_quantile_args args;

    mote_jagged_quantile_args_init(&args);
    args.offsets = offsets_of(j);
    args.values = view_of(j->mem_in[IN_VALUES], j->in->n, MOTE_FLOAT32);
    args.quantiles = &median;
    args.count = 1;
    args.result = view_of(j->mem_out[OUT_FIRST], j->capacity, MOTE_FLOAT32);
    return mote_jagged_quantile(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static size_t capacity_lists(const mote_lists_job *j)
{
    return j->in->lists;
}

static size_t capacity_none(const mote_lists_job *j)
{
    (void)j;
    return 0;
}

static size_t capacity_elements(const mote_lists_job *j)
{
    return j->in->n;
}

static size_t capacity_product(const mote_lists_job *j)
{
    return LENGTH_B * j->in->n;
}

static size_t capacity_pairs(const mote_lists_job *j)
{
    size_t sum = 0;

    for (size_t k = 0; k < j->in->lists; k++) {
        size_t length = (size_t)(j->in->offsets[k + 1] - j->in->offsets[k]);

        sum += length * (length - (length > 0)) / 2;
    }
    return sum;
}

/* Returns the number of triples, or any larger number. */
static size_t capacity_triples(const mote_lists_job *j)
{
    double sum = 0;

    for (size_t k = 0; k < j->in->lists; k++) {
        double length = j->in->offsets[k + 1] - j->in->offsets[k];

        sum += length * (length - 1) * (length - 2) / 6;
    }
    return sum < 1e15 ? (size_t)sum : SIZE_MAX;
}

static size_t capacity_padded(const mote_lists_job *j)
{
    return PADDED * j->in->lists;
}

static size_t expect_counts(const mote_lists_job *j, int32_t *const out[])
{
    mote_oracle_counts(&j->lists, out[OUT_FIRST]);
    return j->in->lists;
}

static size_t expect_offsets(const mote_lists_job *j, int32_t *const out[])
{
    memcpy(out[OUT_OFFSETS], j->in->offsets, (j->in->lists + 1) * sizeof(int32_t));
    return j->in->lists;
}

static size_t expect_nonzero(const mote_lists_job *j, int32_t *const out[])
{
    return mote_oracle_nonzero(&j->lists, j->host_in[IN_VALUES], MOTE_FLOAT32, out[OUT_OFFSETS],
                               out[OUT_FIRST], j->capacity);
}

static size_t expect_filter(const mote_lists_job *j, int32_t *const out[])
{
    size_t kept = expect_nonzero(j, out);

    mote_oracle_filter(&j->lists, j->host_in[IN_VALUES], MOTE_FLOAT32, j->host_in[IN_VALUES],
                       sizeof(float), out[OUT_FIRST], j->capacity);
    return kept;
}

static size_t expect_gather(const mote_lists_job *j, int32_t *const out[])
{
    mote_oracle_gather(&j->lists, j->host_in[IN_LIST_VALUES], sizeof(float), out[OUT_FIRST]);
    return j->in->n;
}

static size_t expect_combinations(const mote_lists_job *j, bool product, unsigned n,
                                  int32_t *const out[])
{
    const mote_case_lists *const arrays[] = {&j->lists, &j->lists_b};
    void *const found[] = {out[OUT_FIRST], out[OUT_SECOND], out[OUT_THIRD]};

    return mote_oracle_combinations(arrays, product, n, out[OUT_OFFSETS], found, j->capacity);
}

static size_t expect_product(const mote_lists_job *j, int32_t *const out[])
{
    return expect_combinations(j, true, 2, out);
}

static size_t expect_pairs(const mote_lists_job *j, int32_t *const out[])
{
    return expect_combinations(j, false, 2, out);
}

static size_t expect_triples(const mote_lists_job *j, int32_t *const out[])
{
    return expect_combinations(j, false, 3, out);
}

static size_t expect_runs(const mote_lists_job *j, int32_t *const out[])
{
    return mote_oracle_runs(&j->lists, j->host_in[IN_VALUES], MOTE_FLOAT32, false, out[OUT_OFFSETS],
                            out[OUT_FIRST], out[OUT_SECOND], j->capacity, NULL, 0);
}

static size_t expect_slice(const mote_lists_job *j, int32_t *const out[])
{
    return mote_oracle_slice(&j->lists, j->host_in[IN_VALUES], sizeof(float), 1, -1,
                             out[OUT_OFFSETS], out[OUT_FIRST], NULL, j->capacity);
}

static size_t expect_pad(const mote_lists_job *j, int32_t *const out[])
{
    const float fill = 0;

    mote_oracle_pad(&j->lists, j->host_in[IN_VALUES], sizeof(float), 0, NULL, PADDED, &fill,
                    out[OUT_FIRST]);
    return j->capacity;
}

static size_t expect_quantile(const mote_lists_job *j, int32_t *const out[])
{
    mote_oracle_quantile(&j->lists, j->host_in[IN_VALUES], MOTE_FLOAT32, &median, 1, MOTE_FLOAT32,
                         out[OUT_FIRST]);
    return j->in->lists;
}

/* The values are chosen so that double represents every sum of them exactly, in any order. */
static size_t expect_scan(const mote_lists_job *j, int32_t *const out[])
{
    const mote_jagged_reduce_what what = {
        .values = j->host_in[IN_VALUES], .type = MOTE_FLOAT32, .result = MOTE_FLOAT32};

    return mote_oracle_scan(&j->lists, &what, j->in->n, false, out[OUT_FIRST]) ? j->in->n : 0;
}

static size_t expect_sorted(const mote_lists_job *j, int32_t *values, int32_t *indices)
{
    const mote_jagged_reduce_what what = {.values = j->host_in[IN_VALUES], .type = MOTE_FLOAT32};
    bool good = mote_oracle_sort(&j->lists, &what, j->in->n, false, values,
                                 indices ? MOTE_INT32 : MOTE_TYPE_NONE, indices);

    return good ? j->in->n : 0;
}

static size_t expect_sort(const mote_lists_job *j, int32_t *const out[])
{
    return expect_sorted(j, out[OUT_FIRST], NULL);
}

static size_t expect_argsort(const mote_lists_job *j, int32_t *const out[])
{
    return expect_sorted(j, NULL, out[OUT_FIRST]);
}

const mote_lists_operation mote_lists_operations[] = {
    {"counts", call_counts, capacity_lists, false, 1, expect_counts, 0, 4, 0, 0, 4, 0},
    {"from_counts", call_from_counts, capacity_none, true, 1, expect_offsets, 0, 4, 0, 0, 4, 0},
    {"from_parents", call_from_parents, capacity_none, true, 1, expect_offsets, 4, 0, 0, 0, 4, 0},
    {"nonzero", call_nonzero, capacity_elements, true, 1, expect_nonzero, 4, 4, 0, 0, 4, 4},
    {"gather", call_gather, capacity_elements, false, 1, expect_gather, 0, 0, 8, 0, 0, 4},
    {"product", call_product, capacity_product, true, 2, expect_product, 0, 8, 0, 0, 4, 8},
    {"pairs", call_pairs, capacity_pairs, true, 2, expect_pairs, 0, 4, 0, 0, 4, 8},
    {"scan", call_scan, capacity_elements, false, 1, expect_scan, 4, 4, 0, 0, 0, 4},
    {"filter", call_filter, capacity_elements, true, 1, expect_filter, 8, 4, 0, 0, 4, 4},
    {"sort", call_sort, capacity_elements, false, 1, expect_sort, 4, 4, 0, 0, 0, 4},
    {"argsort", call_argsort, capacity_elements, false, 1, expect_argsort, 4, 4, 0, 0, 0, 4},
    {"triples", call_triples, capacity_triples, true, 3, expect_triples, 0, 4, 0, 0, 4, 12},
    {"run_lengths", call_run_lengths, capacity_elements, true, 2, expect_runs, 4, 4, 0, 0, 4, 8},
    {"slice", call_slice, capacity_elements, true, 1, expect_slice, 0, 4, 0, 4, 4, 4},
    {"pad", call_pad, capacity_padded, false, 1, expect_pad, 0, 4, 4, 0, 0, 4},
    {"quantile", call_quantile, capacity_lists, false, 1, expect_quantile, 0, 4, 8, 0, 0, 4},
    {.name = NULL},
};
