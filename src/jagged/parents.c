/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fail.h"
#include "jagged/label.h"
#include "jagged/operations.h"
#include "jagged/spans.h"

typedef struct plan {
    mote_jagged_parents_args args;
    mote_lists lists;
} plan;

void mote_jagged_parents_args_init(mote_jagged_parents_args *args)
{
    if (args)
        *args = (mote_jagged_parents_args){.size = sizeof(*args)};
}

static mote_status check_options(const mote_call *call, const plan *p)
{
    const mote_jagged_parents_args *a = &p->args;
    mote_status st = mote_label_check_strategy(call, a->strategy);
    if (!st)
        st = mote_label_check_validate(call, a->validate);
    if (!st && (unsigned)a->overlap > MOTE_JAGGED_OVERLAP_CHECK)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: overlap %d is none of mote_jagged_overlap",
                       call->name, (int)a->overlap);
    if (!st && p->lists.spans && a->strategy == MOTE_JAGGED_SEARCH)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                       "%s: strategy search needs lists in order, as offsets are; starts and stops "
                       "take auto, event or balanced",
                       call->name);
    return st;
}

static mote_status check(const mote_call *call, const void *args, plan *p)
{
    mote_jagged_parents_args *a = &p->args;
    mote_status st =
        mote_check_args(call->name, "mote_jagged_parents_args_init", args, a, sizeof(*a));
    if (!st)
        st = mote_lists_make(call, &a->offsets, &a->starts, &a->stops, a->parents.type, &p->lists);
    if (!st)
        st = check_options(call, p);
    if (st)
        return st;
    size_t m = p->lists.count;
    uint32_t same = p->lists.type < 32 ? MOTE_TYPE_BIT(p->lists.type) : UINT32_MAX;
    const mote_view_rule views[] = {
        {"offsets", &a->offsets, MOTE_JAGGED_INDEX, m + 1,
         VIEW_EXACT | VIEW_OPTIONAL_IF(p->lists.spans)},
        {"starts", &a->starts, MOTE_JAGGED_INDEX, m,
         VIEW_EXACT | VIEW_OPTIONAL_IF(!p->lists.spans)},
        {"stops", &a->stops, MOTE_JAGGED_INDEX, m, VIEW_EXACT | VIEW_OPTIONAL_IF(!p->lists.spans)},
        {"parents", &a->parents, same, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
        {"workspace", &a->workspace, MOTE_TYPE_BIT(MOTE_UINT32), VIEW_ANY_COUNT,
         VIEW_OPTIONAL | VIEW_WRITES},
    };
    st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    return st ? st : mote_check_error_word(call, a->error, a->error_offset);
}

static mote_status run_offsets(mote_call *call, const plan *p)
{
    const mote_jagged_parents_args *a = &p->args;
    const size_t length = a->absolute ? a->parents.count : a->content_length;
    const mote_label_job job = {.lists = p->lists,
                                .offsets = a->offsets,
                                .out = a->parents,
                                .relative = !a->absolute,
                                .length = length || a->absolute ? length : SIZE_MAX,
                                .strategy = a->strategy,
                                .full = a->validate == MOTE_JAGGED_VALIDATE_FULL,
                                .error = a->error,
                                .error_offset = a->error_offset};
    return mote_label_run(call, &job);
}

/* The scratch is counted first, then carved out of what there is. */
static mote_status run_spans(mote_call *call, const plan *p)
{
    mote_carve carve = {0};
    mote_view scratch;
    mote_spans_make(call->ctx, &p->args, &p->lists, &carve);
    mote_status st = mote_call_scratch(call, carve.used, &p->args.workspace, &scratch);
    if (st)
        return st;
    carve = (mote_carve){.scratch = scratch};
    const mote_spans_plan spans = mote_spans_make(call->ctx, &p->args, &p->lists, &carve);
    return mote_spans_run(call, &spans);
}

mote_status mote_jagged_parents_enqueue(mote_context *ctx, cl_command_queue queue, bool prepare,
                                        const void *args, cl_uint num_wait, const cl_event *wait,
                                        cl_event *event)
{
    mote_call call;
    plan p;
    mote_status st =
        mote_call_begin(&call, "mote_jagged_parents", ctx, queue, prepare, num_wait, wait, event);
    if (!st)
        st = check(&call, args, &p);
    if (!st)
        st = p.lists.spans ? run_spans(&call, &p) : run_offsets(&call, &p);
    return mote_call_end(&call, st);
}

mote_status mote_jagged_parents(mote_context *ctx, cl_command_queue queue,
                                const mote_jagged_parents_args *args, cl_uint num_wait,
                                const cl_event *wait, cl_event *event)
{
    return mote_jagged_parents_enqueue(ctx, queue, false, args, num_wait, wait, event);
}

mote_status mote_jagged_parents_workspace_size(mote_context *ctx,
                                               const mote_jagged_parents_args *args, size_t *bytes)
{
    mote_call call;
    plan p;
    mote_carve carve = {0};
    mote_status st = mote_call_begin(&call, "mote_jagged_parents_workspace_size", ctx, NULL, true,
                                     0, NULL, NULL);
    if (!st && !bytes)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: bytes is NULL", call.name);
    if (!st)
        st = check(&call, args, &p);
    if (!st && p.lists.spans)
        mote_spans_make(ctx, &p.args, &p.lists, &carve);
    if (!st)
        *bytes = carve.used ? carve.used + MOTE_WORKSPACE_SLACK : 0;
    return mote_call_end(&call, st);
}
