/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on lists. */
#include "asked.h"

static const mote_type index_types[] = {MOTE_INT32, MOTE_UINT32, MOTE_INT64};

/* Lists, and elements in all of them. */
static const struct {
    size_t lists, elements;
} sizes[] = {{1, 100},          {500, 4000},        {3000, 300000},      {300000, 400000},
             {100000, 5000000}, {400000, 20000000}, {10000000, 3000000}, {5000000, 20000000}};

static void ask_parents(mote_context *ctx, mote_type type, size_t m, size_t n)
{
    for (int way = 0; way < 4 * 2 * 3; way++) {
        mote_jagged_parents_args parents;
        mote_jagged_parents_args_init(&parents);
        parents.strategy = (mote_jagged_strategy)(way % 4);
        parents.validate = way / 4 % 2 ? MOTE_JAGGED_VALIDATE_FULL : MOTE_JAGGED_VALIDATE_TOUCHED;
        parents.parents = asked_view(type, n);
        parents.overlap = MOTE_JAGGED_OVERLAP_CHECK;
        parents.error_keep = 1;
        if (way / 8 == 2) {
            parents.starts = parents.stops = asked_view(type, m);
        } else {
            parents.offsets = asked_view(type, m + 1);
            parents.absolute = way / 8 == 1;
        }
        asked_prepare(ctx, MOTE_OPERATION_JAGGED_PARENTS, &parents);
        if (way / 8)
            continue;
        mote_jagged_local_index_args places;
        mote_jagged_local_index_args_init(&places);
        places.strategy = parents.strategy;
        places.validate = parents.validate;
        places.offsets = parents.offsets;
        places.local_index = parents.parents;
        asked_prepare(ctx, MOTE_OPERATION_JAGGED_LOCAL_INDEX, &places);
    }
}

static void ask_lengths(mote_context *ctx, mote_type type, size_t m, size_t n)
{
    mote_jagged_counts_args counts;
    mote_jagged_offsets_from_counts_args running;
    mote_jagged_offsets_from_parents_args labels;
    for (int spans = 0; spans < 2; spans++) {
        mote_jagged_counts_args_init(&counts);
        mote_jagged_offsets_from_counts_args_init(&running);
        if (spans) {
            counts.starts = counts.stops = asked_view(type, m);
            running.starts = running.stops = counts.starts;
        } else {
            counts.offsets = asked_view(type, m + 1);
            running.counts = asked_view(type, m);
        }
        counts.counts = asked_view(type, m);
        running.offsets = asked_view(type, m + 1);
        asked_prepare(ctx, MOTE_OPERATION_JAGGED_COUNTS, &counts);
        asked_prepare(ctx, MOTE_OPERATION_JAGGED_OFFSETS_FROM_COUNTS, &running);
    }
    mote_jagged_offsets_from_parents_args_init(&labels);
    labels.parents = asked_view(type, n);
    labels.offsets = asked_view(type, m + 1);
    asked_prepare(ctx, MOTE_OPERATION_JAGGED_OFFSETS_FROM_PARENTS, &labels);
}

/* Differences of elements from their list's value, where the device has double precision. */
static void ask_differences(mote_context *ctx, mote_jagged_gather_by_parent_args gather, size_t n)
{
    if (!mote_context_device(ctx)->has_fp64)
        return;
    for (ASKED_TYPES(elements)) {
        gather.elements = asked_view((mote_type)elements, n);
        asked_prepare(ctx, MOTE_OPERATION_JAGGED_GATHER_BY_PARENT, &gather);
    }
}

static void ask_expansions(mote_context *ctx, mote_type type, size_t m, size_t n)
{
    mote_jagged_combinations_args pairs;
    for (ASKED_TYPES(values)) {
        mote_jagged_gather_by_parent_args gather;
        mote_jagged_nonzero_args nonzero;
        mote_jagged_gather_by_parent_args_init(&gather);
        gather.offsets = asked_view(type, m + 1);
        gather.values = asked_view((mote_type)values, m);
        gather.result = asked_view((mote_type)values, n);
        asked_prepare(ctx, MOTE_OPERATION_JAGGED_GATHER_BY_PARENT, &gather);
        if (values == MOTE_FLOAT64)
            ask_differences(ctx, gather, n);
        mote_jagged_nonzero_args_init(&nonzero);
        nonzero.offsets = nonzero.offsets_out = asked_view(type, m + 1);
        nonzero.values = asked_view((mote_type)values, n);
        nonzero.positions = asked_view(type, n);
        asked_prepare(ctx, MOTE_OPERATION_JAGGED_NONZERO, &nonzero);
    }
    mote_jagged_combinations_args_init(&pairs);
    pairs.offsets_a = pairs.offsets = asked_view(type, m + 1);
    pairs.first = pairs.second = asked_view(type, n);
    asked_prepare(ctx, MOTE_OPERATION_JAGGED_PAIRS, &pairs);
    pairs.offsets_b = pairs.offsets_a;
    asked_prepare(ctx, MOTE_OPERATION_JAGGED_PRODUCT, &pairs);
}

void asked_lists(mote_context *ctx)
{
    for (size_t k = 0; k < ASKED_COUNT(index_types) * ASKED_COUNT(sizes); k++) {
        mote_type type = index_types[k % ASKED_COUNT(index_types)];
        size_t m = sizes[k / ASKED_COUNT(index_types)].lists;
        size_t n = sizes[k / ASKED_COUNT(index_types)].elements;
        ask_parents(ctx, type, m, n);
        ask_lengths(ctx, type, m, n);
        ask_expansions(ctx, type, m, n);
    }
    ask_expansions(ctx, MOTE_INT64, 1000, (size_t)5 << 30); /* more than 2^32 elements */
    ask_lengths(ctx, MOTE_INT64, 1000, (size_t)5 << 30);
}

static void ask_results(mote_context *ctx, mote_jagged_segments_args *args, size_t m)
{
    for (ASKED_TYPES(result))
        for (int nan = 0; nan < 2; nan++) {
            args->result = asked_view((mote_type)result, m);
            args->nan = (mote_nan_policy)nan;
            asked_prepare(ctx, MOTE_OPERATION_JAGGED_SEGMENTS, args);
        }
}

static void ask_reductions(mote_context *ctx, mote_type index, mote_type values, size_t m, size_t n)
{
    mote_jagged_segments_args args;
    for (int reduction = 0; mote_reduction_name((mote_reduction)reduction); reduction++) {
        mote_jagged_segments_args_init(&args);
        args.offsets = asked_view(index, m + 1);
        args.values = asked_view(values, n);
        args.reduction = (mote_reduction)reduction;
        ask_results(ctx, &args, m);
    }
}

void asked_segments(mote_context *ctx)
{
    for (size_t k = 0; k < ASKED_COUNT(index_types) * ASKED_COUNT(sizes); k++) {
        size_t size = k / ASKED_COUNT(index_types);
        for (ASKED_TYPES(values))
            ask_reductions(ctx, index_types[k % ASKED_COUNT(index_types)], (mote_type)values,
                           sizes[size].lists, sizes[size].elements);
    }
}
