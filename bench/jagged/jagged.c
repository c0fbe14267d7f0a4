/* SPDX-License-Identifier: Apache-2.0 */
/* The jagged area of the benchmark. */
#include <string.h>

#include "bench/jagged/lists.h"
#include "bench/jagged/sets.h"

typedef mote_bench_status (*lines_fn)(mote_bench_state *bench, const mote_jagged_input *in);

static mote_bench_status run_sets(mote_bench_state *bench, const char *title, lines_fn lines)
{
    mote_bench_status status = MOTE_BENCH_OK;
    const char *wanted = bench->options->set;

    mote_bench_row_head(bench, title);
    for (size_t k = 0; k < mote_jagged_set_count() && !status; k++) {
        const mote_jagged_set *set = mote_jagged_set_at(k);
        mote_jagged_input in;

        if (wanted && strcmp(wanted, set->name) != 0)
            continue;
        status = mote_jagged_input_create(bench, set, &in);
        bench->peer_us = 0;
        if (!status)
            status = lines(bench, &in);
        mote_jagged_input_release(&in);
    }
    if (bench->options->table)
        fputc('\n', bench->options->table);
    return status;
}

/* `companions` selects all calls of the table. */
const char *mote_bench_jagged_call(size_t k)
{
    static const char *const others[] = {"parents", "local_index", "reduce", "reductions",
                                         "companions"};
    const size_t count = sizeof(others) / sizeof(others[0]);

    return k < count ? others[k] : mote_lists_operations[k - count].name;
}

mote_bench_status mote_bench_jagged(mote_bench_state *bench)
{
    mote_bench_status status = MOTE_BENCH_OK;

    if (mote_bench_wants(bench, "parents") || mote_bench_wants(bench, "local_index"))
        status = run_sets(bench, "parents", mote_jagged_bench_parents);
    if (!status && mote_bench_wants(bench, "reduce"))
        status = run_sets(bench, "segmented sums", mote_jagged_bench_reduce);
    if (!status && mote_bench_wants(bench, "reductions"))
        status = run_sets(bench, "other reductions of lists", mote_jagged_bench_reductions);
    if (!status && mote_jagged_bench_wants_lists(bench))
        status = run_sets(bench, "counts, offsets, expansions", mote_jagged_bench_lists);
    return status;
}
