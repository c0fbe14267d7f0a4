/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/jagged/run.h"

#include <stdlib.h>

static bool scatter(mote_case_lists *lists)
{
    mote_case_lists whole = *lists;
    bool good = mote_case_lists_scatter(&whole, 1, lists);

    mote_case_lists_free(&whole);
    return good;
}

static size_t count_results(const mote_jagged_run *run)
{
    if (run->work == MOTE_WORK_SPANS)
        return run->lists.content;
    if (run->work <= MOTE_WORK_LOCAL_INDEX)
        return run->elements;
    return run->lists.count + (run->work != MOTE_WORK_COUNTS);
}

bool mote_jagged_run_make(mote_jagged_run *run, const mote_lists_case *c, mote_type type,
                          uint64_t seed, mote_jagged_work work)
{
    *run = (mote_jagged_run){.work = work};
    if (!mote_lists_case_make(c, type, seed, &run->lists))
        return false;
    run->elements = mote_case_lists_elements(&run->lists);
    bool good = work != MOTE_WORK_SPANS || scatter(&run->lists);

    if (good)
        run->input = calloc(run->elements + run->lists.count + 1, sizeof(int64_t));
    if (!run->input) {
        mote_jagged_run_free(run);
        return false;
    }
    run->count = count_results(run);
    if (work == MOTE_WORK_FROM_COUNTS)
        mote_oracle_counts(&run->lists, run->input);
    else if (work == MOTE_WORK_FROM_PARENTS)
        mote_oracle_parents(&run->lists, false, run->elements, run->input);
    return true;
}

void mote_jagged_run_free(mote_jagged_run *run)
{
    mote_case_lists_free(&run->lists);
    free(run->input);
    *run = (mote_jagged_run){0};
}

static mote_status call_elements(const mote_jagged_run *run, mote_context *ctx, mote_host *host,
                                 void *results)
{
    bool strategy = run->work < MOTE_WORK_SPANS;
    mote_jagged_parents_host_args args;

    mote_jagged_parents_host_args_init(&args);
    args.type = run->lists.type;
    args.lists = run->lists.count;
    args.offsets = run->lists.offsets;
    args.starts = run->lists.starts;
    args.stops = run->lists.stops;
    args.out = results;
    args.n = run->count;
    args.strategy = strategy ? (mote_jagged_strategy)run->work : MOTE_JAGGED_AUTO;
    return run->work == MOTE_WORK_LOCAL_INDEX ? mote_jagged_local_index_host(ctx, host, &args)
                                              : mote_jagged_parents_host(ctx, host, &args);
}

mote_status mote_jagged_run_call(const mote_jagged_run *run, mote_context *ctx, mote_host *host,
                                 void *results)
{
    mote_jagged_offsets_host_args args;

    if (run->work <= MOTE_WORK_LOCAL_INDEX)
        return call_elements(run, ctx, host, results);
    mote_jagged_offsets_host_args_init(&args);
    args.type = run->lists.type;
    args.lists = run->lists.count;
    args.in = run->work == MOTE_WORK_COUNTS ? run->lists.offsets : run->input;
    args.n = run->work == MOTE_WORK_FROM_PARENTS ? run->elements : 0;
    args.out = results;
    if (run->work == MOTE_WORK_COUNTS)
        return mote_jagged_counts_host(ctx, host, &args);
    return run->work == MOTE_WORK_FROM_COUNTS
               ? mote_jagged_offsets_from_counts_host(ctx, host, &args)
               : mote_jagged_offsets_from_parents_host(ctx, host, &args);
}
