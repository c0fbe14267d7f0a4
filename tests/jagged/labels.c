/* SPDX-License-Identifier: Apache-2.0 */
#include "labels.h"

#include <stdio.h>

/* The arrays of a call; each view is all of its array but `shift` elements at the beginning. */
typedef struct arrays {
    mote_guard offsets, starts, stops, out, word, workspace;
    cl_event gate, done;
} arrays;

static void *shifted(const void *values, mote_type type, size_t count, size_t shift)
{
    size_t size = mote_type_size(type);
    char *all = malloc((count + shift) * size + 1);

    ck_assert_ptr_nonnull(all);
    memset(all, 0xA5, (count + shift) * size);
    if (values && count)
        memcpy(all + shift * size, values, count * size);
    return all;
}

static mote_guard make(bed *b, const char *name, mote_type type, size_t count, const void *values,
                       size_t shift)
{
    void *all = shifted(values, type, count, shift);
    mote_guard guard = bed_array(b, name, type, count + shift, all);

    free(all);
    return guard;
}

static mote_view view_of(const mote_guard *guard, size_t shift)
{
    mote_view view = guard->view;

    view.offset += shift;
    view.count -= shift;
    return view;
}

static size_t out_count(const mote_case_lists *lists, const labels_call *how)
{
    if (how->count)
        return how->count;
    if (how->absolute || lists->starts)
        return lists->content;
    size_t count = mote_case_lists_elements(lists) + how->more;
    return count > how->fewer ? count - how->fewer : 0;
}

static mote_status call_parents(bed *b, cl_command_queue queue, const mote_case_lists *lists,
                                const labels_call *how, arrays *a)
{
    mote_jagged_parents_args args;
    size_t bytes;

    mote_jagged_parents_args_init(&args);
    if (lists->offsets) {
        args.offsets = view_of(&a->offsets, how->shift);
    } else {
        args.starts = view_of(&a->starts, how->shift);
        args.stops = view_of(&a->stops, how->shift);
    }
    args.parents = view_of(&a->out, how->shift);
    args.absolute = how->absolute;
    args.content_length = how->absolute ? 0 : lists->content;
    args.strategy = how->strategy;
    args.validate = how->full ? MOTE_JAGGED_VALIDATE_FULL : MOTE_JAGGED_VALIDATE_DEFAULT;
    args.overlap = how->check_overlap ? MOTE_JAGGED_OVERLAP_CHECK : MOTE_JAGGED_OVERLAP_DEFAULT;
    args.error = a->word.view.mem;
    args.error_offset = a->word.view.offset * sizeof(uint32_t);
    bed_ok(mote_jagged_parents_workspace_size(b->ctx, &args, &bytes));
    a->workspace = bed_array(b, "workspace", MOTE_UINT32, (bytes + 3) / 4, NULL);
    if (how->workspace)
        args.workspace = a->workspace.view;
    bed_ok(mote_prepare(b->ctx, MOTE_OPERATION_JAGGED_PARENTS, &args));
    return mote_jagged_parents(b->ctx, queue, &args, how->gate, how->gate ? &a->gate : NULL,
                               &a->done);
}

static mote_status call_local_index(bed *b, cl_command_queue queue, const mote_case_lists *lists,
                                    const labels_call *how, arrays *a)
{
    mote_jagged_local_index_args args;
    size_t bytes;

    mote_jagged_local_index_args_init(&args);
    args.offsets = view_of(&a->offsets, how->shift);
    args.local_index = view_of(&a->out, how->shift);
    args.content_length = lists->content;
    args.strategy = how->strategy;
    args.validate = how->full ? MOTE_JAGGED_VALIDATE_FULL : MOTE_JAGGED_VALIDATE_DEFAULT;
    args.error = a->word.view.mem;
    args.error_offset = a->word.view.offset * sizeof(uint32_t);
    bed_ok(mote_jagged_local_index_workspace_size(b->ctx, &args, &bytes));
    a->workspace = bed_array(b, "workspace", MOTE_UINT32, (bytes + 3) / 4, NULL);
    if (how->workspace)
        args.workspace = a->workspace.view;
    bed_ok(mote_prepare(b->ctx, MOTE_OPERATION_JAGGED_LOCAL_INDEX, &args));
    return mote_jagged_local_index(b->ctx, queue, &args, how->gate, how->gate ? &a->gate : NULL,
                                   &a->done);
}

static void begin(bed *b, cl_command_queue queue, const mote_case_lists *lists,
                  const labels_call *how, arrays *a)
{
    size_t m = lists->count, shift = how->shift;

    *a = (arrays){0};
    if (lists->offsets) {
        a->offsets = make(b, "offsets", lists->type, m + 1, lists->offsets, shift);
    } else {
        a->starts = make(b, "starts", lists->type, m, lists->starts, shift);
        a->stops = make(b, "stops", lists->type, m, lists->stops, shift);
    }
    a->out = make(b, "labels", lists->type, out_count(lists, how), NULL, shift);
    a->word = bed_error_word(b);
    if (how->gate)
        a->gate = bed_gate(b);
    bed_ok(how->local_index ? call_local_index(b, queue, lists, how, a)
                            : call_parents(b, queue, lists, how, a));
    ck_assert_ptr_nonnull(a->done);
    if (how->gate)
        bed_open_gate(a->gate);
}

static void unchanged(bed *b, mote_guard *guard, const void *values, const labels_call *how,
                      cl_event done, const char *label)
{
    size_t count = guard->view.count - how->shift;
    void *all = shifted(values, guard->view.type, count, how->shift);

    bed_unchanged(b, guard, all, done, label);
    free(all);
}

static void end(bed *b, const mote_case_lists *lists, const labels_call *how, arrays *a,
                const char *label)
{
    char message[MESSAGE_SIZE];

    if (lists->offsets) {
        unchanged(b, &a->offsets, lists->offsets, how, a->done, label);
    } else {
        unchanged(b, &a->starts, lists->starts, how, a->done, label);
        unchanged(b, &a->stops, lists->stops, how, a->done, label);
    }
    bool good =
        mote_guard_read(&a->workspace, b->in_order, NULL, 1, &a->done, message, sizeof(message));
    ck_assert_msg(good, "%s: %s", label, message);
    mote_guard_release(&a->workspace);
    clReleaseEvent(a->done);
}

void labels_check(bed *b, cl_command_queue queue, const mote_case_lists *lists,
                  const labels_call *how, const char *label)
{
    size_t n = out_count(lists, how);
    void *labels = malloc((n + 1) * sizeof(int64_t));
    arrays a;

    ck_assert_ptr_nonnull(labels);
    if (how->local_index)
        mote_oracle_local_index(lists, n, labels);
    else
        mote_oracle_parents(lists, how->absolute || lists->starts, n, labels);
    void *expected = shifted(labels, lists->type, n, how->shift);

    begin(b, queue, lists, how, &a);
    bed_expect_error(b, &a.word, MOTE_SUCCESS, 0, a.done, label);
    bed_expect(b, &a.out, expected, a.done, label);
    end(b, lists, how, &a, label);
    free(expected);
    free(labels);
}

void labels_check_fault(bed *b, cl_command_queue queue, const mote_case_lists *lists,
                        const labels_call *how, mote_status status, const uint32_t *index,
                        const char *label)
{
    char message[MESSAGE_SIZE];
    arrays a;

    begin(b, queue, lists, how, &a);
    if (index)
        bed_expect_error(b, &a.word, status, *index, a.done, label);
    else
        mote_guard_release(&a.word);
    bool good = mote_guard_read(&a.out, b->in_order, NULL, 1, &a.done, message, sizeof(message));
    ck_assert_msg(good, "%s: %s", label, message);
    mote_guard_release(&a.out);
    end(b, lists, how, &a, label);
}
