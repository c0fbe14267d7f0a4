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

/* Combines the lists before the long one with themselves; there is room for all. */
static void products(fault_bed *b)
{
    FAULT_ARGS(b, mote_jagged_combinations_args, args);
    size_t all = 0;
    fill();
    for (size_t k = 0; k < FEW; k++)
        all += (size_t)(counts[k] * counts[k]);
    args->offsets_a = fault_in(b, "offsets_a", MOTE_INT32, FEW + 1, offsets);
    args->offsets_b = fault_in(b, "offsets_b", MOTE_INT32, FEW + 1, offsets);
    args->offsets = fault_out(b, "offsets", MOTE_INT32, FEW + 1);
    args->first = fault_out(b, "first", MOTE_INT32, all);
    args->second = fault_out(b, "second", MOTE_INT32, all);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
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

FAULT_ENQUEUES(mote_jagged_parents, mote_jagged_parents_args)
FAULT_SIZES(mote_jagged_parents, mote_jagged_parents_args)
FAULT_ENQUEUES(mote_jagged_offsets_from_counts, mote_jagged_offsets_from_counts_args)
FAULT_SIZES(mote_jagged_offsets_from_counts, mote_jagged_offsets_from_counts_args)
FAULT_ENQUEUES(mote_jagged_offsets_from_parents, mote_jagged_offsets_from_parents_args)
FAULT_ENQUEUES(mote_jagged_reduce, mote_jagged_reduce_args)
FAULT_SIZES(mote_jagged_reduce, mote_jagged_reduce_args)
FAULT_ENQUEUES(mote_jagged_gather_by_parent, mote_jagged_gather_by_parent_args)
FAULT_SIZES(mote_jagged_gather_by_parent, mote_jagged_gather_by_parent_args)
FAULT_ENQUEUES(mote_jagged_product, mote_jagged_combinations_args)
FAULT_ENQUEUES(mote_jagged_nonzero, mote_jagged_nonzero_args)
FAULT_SIZES(mote_jagged_nonzero, mote_jagged_nonzero_args)

/* clang-format off */
const fault_operation fault_jagged[] = {
    FAULT_SIZED_ROW(automatic, mote_jagged_parents, MOTE_OPERATION_JAGGED_PARENTS),
    FAULT_ROW(by_search, mote_jagged_parents, 0),
    FAULT_ROW(by_list, mote_jagged_parents, 0),
    FAULT_ROW(balanced, mote_jagged_parents, 0),
    FAULT_SIZED_ROW(spans, mote_jagged_parents, MOTE_OPERATION_JAGGED_PARENTS),
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
    FAULT_SIZED_ROW(kept, mote_jagged_nonzero, MOTE_OPERATION_JAGGED_NONZERO),
    FAULT_ROW(filtered, mote_jagged_nonzero, 0),
};
/* clang-format on */
const size_t fault_jagged_count = sizeof(fault_jagged) / sizeof(fault_jagged[0]);
