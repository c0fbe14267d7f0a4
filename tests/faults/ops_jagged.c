/* SPDX-License-Identifier: Apache-2.0 */
#include "tables.h"

#define LISTS ((size_t)120)
#define LONG  ((size_t)1200) /* one list */
#define MOST  ((size_t)9000) /* so long that the list is spread over several groups */
#define FEW   ((size_t)40)   /* lists of expansions */

static int32_t offsets[LISTS + 1], counts[LISTS];
static int32_t parents[LISTS * 12 + MOST];
static float values[LISTS * 12 + MOST];
static size_t n; /* elements */
static size_t longest = LONG;

/* Makes lists of up to 12 elements, every 13th empty, and one long one. */
static void fill(void)
{
    n = 0;
    for (size_t k = 0; k < LISTS; k++) {
        size_t length = k == LISTS / 2 ? longest : k * 7 % 13;
        counts[k] = (int32_t)length;
        offsets[k] = (int32_t)n;
        for (size_t i = 0; i < length; i++, n++) {
            parents[n] = (int32_t)k;
            values[n] = n % 5 ? (float)(n % 101) - 50.0f : 0.0f;
        }
    }
    offsets[LISTS] = (int32_t)n;
}

static mote_view lists_in(fault_bed *b)
{
    fill();
    return fault_in(b, "offsets", MOTE_INT32, LISTS + 1, offsets);
}

static mote_view values_in(fault_bed *b)
{
    return fault_in(b, "values", MOTE_FLOAT32, n, values);
}

/* Describes the same lists by starts and stops. */
static void spans_in(fault_bed *b, mote_view *starts, mote_view *stops)
{
    fill();
    *starts = fault_in(b, "starts", MOTE_INT32, LISTS, offsets);
    *stops = fault_in(b, "stops", MOTE_INT32, LISTS, offsets + 1);
}

static mote_jagged_parents_args *parents_of(fault_bed *b, mote_jagged_strategy strategy)
{
    FAULT_ARGS(b, mote_jagged_parents_args, args);
    args->offsets = lists_in(b);
    args->parents = fault_out(b, "parents", MOTE_INT32, n);
    args->strategy = strategy;
    args->validate = MOTE_JAGGED_VALIDATE_FULL;
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
    return args;
}

static void automatic(fault_bed *b)
{
    parents_of(b, MOTE_JAGGED_AUTO);
}

static void by_search(fault_bed *b)
{
    parents_of(b, MOTE_JAGGED_SEARCH)->absolute = 1;
}

static void by_list(fault_bed *b)
{
    parents_of(b, MOTE_JAGGED_EVENT);
}

static void balanced(fault_bed *b)
{
    parents_of(b, MOTE_JAGGED_BALANCED);
}

static void spans(fault_bed *b)
{
    FAULT_ARGS(b, mote_jagged_parents_args, args);
    spans_in(b, &args->starts, &args->stops);
    args->parents = fault_out(b, "parents", MOTE_INT32, n);
    args->overlap = MOTE_JAGGED_OVERLAP_CHECK;
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
}

static void places(fault_bed *b)
{
    FAULT_ARGS(b, mote_jagged_local_index_args, args);
    args->offsets = lists_in(b);
    args->local_index = fault_out(b, "local_index", MOTE_INT32, n);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
}

static void lengths(fault_bed *b)
{
    FAULT_ARGS(b, mote_jagged_counts_args, args);
    args->offsets = lists_in(b);
    args->counts = fault_out(b, "counts", MOTE_INT32, LISTS);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
}

static void running(fault_bed *b)
{
    FAULT_ARGS(b, mote_jagged_offsets_from_counts_args, args);
    fill();
    args->counts = fault_in(b, "counts", MOTE_INT32, LISTS, counts);
    args->offsets = fault_out(b, "offsets", MOTE_INT32, LISTS + 1);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
}

static void compact(fault_bed *b)
{
    FAULT_ARGS(b, mote_jagged_offsets_from_counts_args, args);
    spans_in(b, &args->starts, &args->stops);
    args->offsets = fault_out(b, "offsets", MOTE_INT32, LISTS + 1);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
}

static void labels(fault_bed *b)
{
    FAULT_ARGS(b, mote_jagged_offsets_from_parents_args, args);
    fill();
    args->parents = fault_in(b, "parents", MOTE_INT32, n, parents);
    args->offsets = fault_out(b, "offsets", MOTE_INT32, LISTS + 1);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
}

static void reduce(fault_bed *b, mote_reduction reduction, mote_type type)
{
    FAULT_ARGS(b, mote_jagged_reduce_args, args);
    args->offsets = lists_in(b);
    args->values = values_in(b);
    args->reduction = reduction;
    args->validate = MOTE_JAGGED_VALIDATE_FULL;
    args->result = fault_out(b, "result", type, LISTS);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
}

static void sums(fault_bed *b)
{
    reduce(b, MOTE_REDUCE_SUM, MOTE_FLOAT32);
}

static void long_sums(fault_bed *b)
{
    longest = MOST;
    sums(b);
    longest = LONG;
}

static void largest(fault_bed *b)
{
    reduce(b, MOTE_REDUCE_ARGMAX, MOTE_INT32);
}

static void some(fault_bed *b)
{
    reduce(b, MOTE_REDUCE_ANY, MOTE_BOOL);
}

/* Sums two-byte values. */
static void narrow_sums(fault_bed *b)
{
    FAULT_ARGS(b, mote_jagged_reduce_args, args);
    args->offsets = lists_in(b);
    args->values = fault_in(b, "values", MOTE_INT16, n, values);
    args->reduction = MOTE_REDUCE_SUM;
    args->result = fault_out(b, "result", MOTE_INT64, LISTS);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
}

static void gathered(fault_bed *b)
{
    FAULT_ARGS(b, mote_jagged_gather_by_parent_args, args);
    args->offsets = lists_in(b);
    args->values = fault_in(b, "values", MOTE_FLOAT32, LISTS, values);
    args->result = fault_out(b, "result", MOTE_FLOAT32, n);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
}

static void differences(fault_bed *b)
{
    static double means[LISTS];
    FAULT_ARGS(b, mote_jagged_gather_by_parent_args, args);
    args->offsets = lists_in(b);
    args->values = fault_in(b, "values", MOTE_FLOAT64, LISTS, means);
    args->elements = fault_in(b, "elements", MOTE_INT16, n, values);
    args->result = fault_out(b, "result", MOTE_FLOAT64, n);
    args->squared = 1;
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
}

/* Combines the lists before the long one with themselves or in pairs; there is room for all. */
static void combine(fault_bed *b, bool both)
{
    FAULT_ARGS(b, mote_jagged_combinations_args, args);
    size_t all = 0;
    fill();
    for (size_t k = 0; k < FEW; k++)
        all += (size_t)(both ? counts[k] * counts[k] : counts[k] * (counts[k] - 1) / 2);
    args->offsets_a = fault_in(b, "offsets_a", MOTE_INT32, FEW + 1, offsets);
    if (both)
        args->offsets_b = fault_in(b, "offsets_b", MOTE_INT32, FEW + 1, offsets);
    args->offsets = fault_out(b, "offsets", MOTE_INT32, FEW + 1);
    args->first = fault_out(b, "first", MOTE_INT32, all);
    args->second = fault_out(b, "second", MOTE_INT32, all);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
}

static void products(fault_bed *b)
{
    combine(b, true);
}

static void pairs(fault_bed *b)
{
    combine(b, false);
}

static void kept(fault_bed *b)
{
    FAULT_ARGS(b, mote_jagged_nonzero_args, args);
    size_t all = 0;
    args->offsets = lists_in(b);
    args->values = values_in(b);
    for (size_t i = 0; i < n; i++)
        all += values[i] != 0.0f;
    args->offsets_out = fault_out(b, "offsets_out", MOTE_INT32, LISTS + 1);
    args->positions = fault_out(b, "positions", MOTE_INT32, all);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
}

static void filtered(fault_bed *b)
{
    kept(b);
    mote_jagged_nonzero_args *args = (void *)&b->args;
    args->elements = fault_in(b, "elements", MOTE_FLOAT32, n, values);
    args->filtered = fault_out(b, "filtered", MOTE_FLOAT32, args->positions.count);
}

static void host_lists(fault_bed *b)
{
    FAULT_ARGS(b, mote_jagged_parents_host_args, args);
    fill();
    args->type = MOTE_INT32;
    args->lists = LISTS;
    args->offsets = fault_host_in(b, "offsets", sizeof(offsets), offsets);
    args->n = n;
    args->out = fault_host_out(b, "out", n * sizeof(int32_t));
}

static mote_jagged_offsets_host_args *host_offsets(fault_bed *b, const char *name, const void *in,
                                                   size_t length, size_t out)
{
    FAULT_ARGS(b, mote_jagged_offsets_host_args, args);
    args->type = MOTE_INT32;
    args->lists = LISTS;
    args->in = fault_host_in(b, name, length * sizeof(int32_t), in);
    args->out = fault_host_out(b, "out", out * sizeof(int32_t));
    return args;
}

static void host_lengths(fault_bed *b)
{
    fill();
    host_offsets(b, "offsets", offsets, LISTS + 1, LISTS);
}

static void host_running(fault_bed *b)
{
    fill();
    host_offsets(b, "counts", counts, LISTS, LISTS + 1);
}

static void host_labels(fault_bed *b)
{
    fill();
    host_offsets(b, "parents", parents, n, LISTS + 1)->n = n;
}

static void host_sums(fault_bed *b)
{
    FAULT_ARGS(b, mote_jagged_reduce_host_args, args);
    fill();
    args->offsets_type = MOTE_INT32;
    args->lists = LISTS;
    args->offsets = fault_host_in(b, "offsets", sizeof(offsets), offsets);
    args->values_type = MOTE_FLOAT32;
    args->values = fault_host_in(b, "values", n * sizeof(float), values);
    args->values_length = n;
    args->result = fault_host_out(b, "result", LISTS * sizeof(float));
}

FAULT_ENQUEUES(mote_jagged_parents, mote_jagged_parents_args)
FAULT_SIZES(mote_jagged_parents, mote_jagged_parents_args)
FAULT_ENQUEUES(mote_jagged_local_index, mote_jagged_local_index_args)
FAULT_SIZES(mote_jagged_local_index, mote_jagged_local_index_args)
FAULT_ENQUEUES(mote_jagged_counts, mote_jagged_counts_args)
FAULT_ENQUEUES(mote_jagged_offsets_from_counts, mote_jagged_offsets_from_counts_args)
FAULT_SIZES(mote_jagged_offsets_from_counts, mote_jagged_offsets_from_counts_args)
FAULT_ENQUEUES(mote_jagged_offsets_from_parents, mote_jagged_offsets_from_parents_args)
FAULT_ENQUEUES(mote_jagged_reduce, mote_jagged_reduce_args)
FAULT_SIZES(mote_jagged_reduce, mote_jagged_reduce_args)
FAULT_ENQUEUES(mote_jagged_gather_by_parent, mote_jagged_gather_by_parent_args)
FAULT_SIZES(mote_jagged_gather_by_parent, mote_jagged_gather_by_parent_args)
FAULT_ENQUEUES(mote_jagged_product, mote_jagged_combinations_args)
FAULT_ENQUEUES(mote_jagged_pairs, mote_jagged_combinations_args)
FAULT_SIZES(mote_jagged_combinations, mote_jagged_combinations_args)
FAULT_ENQUEUES(mote_jagged_nonzero, mote_jagged_nonzero_args)
FAULT_SIZES(mote_jagged_nonzero, mote_jagged_nonzero_args)
FAULT_HOST(mote_jagged_parents_host, mote_jagged_parents_host_args)
FAULT_HOST(mote_jagged_local_index_host, mote_jagged_parents_host_args)
FAULT_HOST(mote_jagged_counts_host, mote_jagged_offsets_host_args)
FAULT_HOST(mote_jagged_offsets_from_counts_host, mote_jagged_offsets_host_args)
FAULT_HOST(mote_jagged_offsets_from_parents_host, mote_jagged_offsets_host_args)
FAULT_HOST(mote_jagged_reduce_host, mote_jagged_reduce_host_args)

/* clang-format off */
const fault_operation fault_jagged[] = {
    FAULT_SIZED_ROW(automatic, mote_jagged_parents, MOTE_OPERATION_JAGGED_PARENTS),
    FAULT_ROW(by_search, mote_jagged_parents, 0),
    FAULT_ROW(by_list, mote_jagged_parents, 0),
    FAULT_ROW(balanced, mote_jagged_parents, 0),
    FAULT_SIZED_ROW(spans, mote_jagged_parents, MOTE_OPERATION_JAGGED_PARENTS),
    FAULT_SIZED_ROW(places, mote_jagged_local_index, MOTE_OPERATION_JAGGED_LOCAL_INDEX),
    FAULT_ROW(lengths, mote_jagged_counts, MOTE_OPERATION_JAGGED_COUNTS),
    FAULT_SIZED_ROW(running, mote_jagged_offsets_from_counts, MOTE_OPERATION_JAGGED_OFFSETS_FROM_COUNTS),
    FAULT_ROW(compact, mote_jagged_offsets_from_counts, 0),
    FAULT_ROW(labels, mote_jagged_offsets_from_parents, MOTE_OPERATION_JAGGED_OFFSETS_FROM_PARENTS),
    FAULT_SIZED_ROW(sums, mote_jagged_reduce, MOTE_OPERATION_JAGGED_REDUCE),
    FAULT_ROW(long_sums, mote_jagged_reduce, 0),
    FAULT_ROW(largest, mote_jagged_reduce, 0),
    FAULT_ROW(some, mote_jagged_reduce, 0),
    FAULT_ROW(narrow_sums, mote_jagged_reduce, 0),
    FAULT_SIZED_ROW(gathered, mote_jagged_gather_by_parent, MOTE_OPERATION_JAGGED_GATHER_BY_PARENT),
    FAULT_ROW(differences, mote_jagged_gather_by_parent, 0),
    FAULT_ROW(products, mote_jagged_product, MOTE_OPERATION_JAGGED_PRODUCT),
    FAULT_ROW(pairs, mote_jagged_pairs, MOTE_OPERATION_JAGGED_PAIRS),
    {.name = "mote_jagged_combinations_workspace_size", .setup = pairs, .flags = FAULT_DRY,
     .run = run_mote_jagged_combinations_workspace_size},
    FAULT_SIZED_ROW(kept, mote_jagged_nonzero, MOTE_OPERATION_JAGGED_NONZERO),
    FAULT_ROW(filtered, mote_jagged_nonzero, 0),
    FAULT_HOST_ROW(host_lists, mote_jagged_parents_host),
    FAULT_HOST_ROW(host_lists, mote_jagged_local_index_host),
    FAULT_HOST_ROW(host_lengths, mote_jagged_counts_host),
    FAULT_HOST_ROW(host_running, mote_jagged_offsets_from_counts_host),
    FAULT_HOST_ROW(host_labels, mote_jagged_offsets_from_parents_host),
    FAULT_HOST_ROW(host_sums, mote_jagged_reduce_host),
};
/* clang-format on */
const size_t fault_jagged_count = sizeof(fault_jagged) / sizeof(fault_jagged[0]);
