/* SPDX-License-Identifier: Apache-2.0 */
#include "checks.h"

void check_counts(bed *b, cl_command_queue queue, const mote_case_lists *lists, const char *label)
{
    uint32_t index = 0;
    size_t m = lists->count;
    mote_status status = mote_oracle_find_error(lists, MOTE_NO_CONTENT, false, &index);
    mote_type type = lists->type;
    void *expected = make_array(m, type);
    mote_guard out = bed_array(b, "counts", type, m, NULL), in[2];
    mote_jagged_counts_args args;
    held h;

    if (!status)
        mote_oracle_counts(lists, expected);
    mote_jagged_counts_args_init(&args);
    held_begin(b, &h);
    args.counts = out.view;
    HELD_ERROR(&h, &args);
    if (lists->offsets) {
        in[0] = bed_array(b, "offsets", type, m + 1, lists->offsets);
        args.offsets = in[0].view;
    } else {
        in[0] = bed_array(b, "starts", type, m, lists->starts);
        in[1] = bed_array(b, "stops", type, m, lists->stops);
        args.starts = in[0].view;
        args.stops = in[1].view;
    }
    held_run(b, &h, mote_jagged_counts(b->ctx, queue, &args, 1, &h.gate, &h.done), status, index,
             label);
    bed_unchanged(b, &in[0], lists->offsets ? lists->offsets : lists->starts, h.done, label);
    if (!lists->offsets)
        bed_unchanged(b, &in[1], lists->stops, h.done, label);
    held_expect(b, &h, &out, expected, status, label);
    held_end(&h);
    free(expected);
}

void check_from_counts(bed *b, cl_command_queue queue, mote_type type, size_t m, const void *counts,
                       bool workspace, const char *label)
{
    uint32_t index = 0;
    void *expected = make_array(m + 1, type);
    mote_status status = mote_oracle_offsets_from_counts(type, m, counts, expected, &index);
    mote_guard in = bed_array(b, "counts", type, m, counts), scratch = {0};
    mote_guard out = bed_array(b, "offsets", type, m + 1, NULL);
    mote_jagged_offsets_from_counts_args args;
    held h;

    mote_jagged_offsets_from_counts_args_init(&args);
    held_begin(b, &h);
    args.counts = in.view;
    args.offsets = out.view;
    HELD_ERROR(&h, &args);
    if (workspace) {
        size_t bytes = 0;

        bed_ok(mote_jagged_offsets_from_counts_workspace_size(b->ctx, &args, &bytes));
        scratch = held_workspace(b, bytes);
        args.workspace = scratch.view;
    }
    held_run(b, &h, mote_jagged_offsets_from_counts(b->ctx, queue, &args, 1, &h.gate, &h.done),
             status, index, label);
    bed_unchanged(b, &in, counts, h.done, label);
    if (workspace)
        held_margins(b, &h, &scratch, label);
    held_expect(b, &h, &out, expected, status, label);
    held_end(&h);
    free(expected);
}

void check_from_spans(bed *b, cl_command_queue queue, const mote_case_lists *lists,
                      const char *label)
{
    uint32_t index = 0;
    size_t m = lists->count;
    mote_type type = lists->type;
    void *counts = make_array(m, type), *expected = make_array(m + 1, type);
    mote_status status = mote_oracle_find_error(lists, MOTE_NO_CONTENT, false, &index);
    mote_guard starts = bed_array(b, "starts", type, m, lists->starts);
    mote_guard stops = bed_array(b, "stops", type, m, lists->stops);
    mote_guard out = bed_array(b, "offsets", type, m + 1, NULL);
    mote_jagged_offsets_from_counts_args args;
    held h;

    if (!status) {
        mote_oracle_counts(lists, counts);
        status = mote_oracle_offsets_from_counts(type, m, counts, expected, &index);
    }
    mote_jagged_offsets_from_counts_args_init(&args);
    held_begin(b, &h);
    args.starts = starts.view;
    args.stops = stops.view;
    args.offsets = out.view;
    HELD_ERROR(&h, &args);
    held_run(b, &h, mote_jagged_offsets_from_counts(b->ctx, queue, &args, 1, &h.gate, &h.done),
             status, index, label);
    bed_unchanged(b, &starts, lists->starts, h.done, label);
    bed_unchanged(b, &stops, lists->stops, h.done, label);
    held_expect(b, &h, &out, expected, status, label);
    held_end(&h);
    free(counts);
    free(expected);
}

void check_from_parents(bed *b, cl_command_queue queue, mote_type type, size_t n,
                        const void *parents, size_t m, const char *label)
{
    uint32_t index = 0;
    void *expected = make_array(m + 1, type);
    mote_status status = mote_oracle_offsets_from_parents(type, n, parents, m, expected, &index);
    mote_guard in = bed_array(b, "parents", type, n, parents);
    mote_guard out = bed_array(b, "offsets", type, m + 1, NULL);
    mote_jagged_offsets_from_parents_args args;
    held h;

    mote_jagged_offsets_from_parents_args_init(&args);
    held_begin(b, &h);
    args.parents = in.view;
    args.offsets = out.view;
    HELD_ERROR(&h, &args);
    held_run(b, &h, mote_jagged_offsets_from_parents(b->ctx, queue, &args, 1, &h.gate, &h.done),
             status, index, label);
    bed_unchanged(b, &in, parents, h.done, label);
    held_expect(b, &h, &out, expected, status, label);
    held_end(&h);
    free(expected);
}

void check_offsets(bed *b, cl_command_queue queue, const mote_case_lists *lists, bool workspace,
                   const char *label)
{
    size_t m = lists->count, n = mote_case_lists_elements(lists);
    void *counts = make_array(m, lists->type), *parents = make_array(n, lists->type);
    mote_case_lists spans;

    mote_oracle_counts(lists, counts);
    mote_oracle_parents(lists, false, n, parents);
    check_counts(b, queue, lists, label);
    check_from_counts(b, queue, lists->type, m, counts, workspace, label);
    check_from_parents(b, queue, lists->type, n, parents, m, label);
    if (workspace && mote_case_lists_scatter(lists, 3, &spans)) {
        check_counts(b, queue, &spans, label);
        check_from_spans(b, queue, &spans, label);
        mote_case_lists_free(&spans);
    }
    free(counts);
    free(parents);
}
