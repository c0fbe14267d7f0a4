/* SPDX-License-Identifier: Apache-2.0 */
/* Implements parents and local-index, which have one result for each element. */
#include "elements.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const strategies[] = {"auto", "search", "event", "balanced", NULL};

int jagged_strategy(const char *text, mote_jagged_strategy *strategy)
{
    int place = 0;
    int code = tool_word("--strategy", text, strategies, &place);
    *strategy = (mote_jagged_strategy)place;
    return code;
}

/* Makes room for the results; offsets that require too much may be invalid, in which case the
 * message reports that. */
static int make_room(jagged_job *job, const jagged_elements *elements, size_t n)
{
    const jagged_lists *lists = &elements->lists;
    const char *name = jagged_lists_name(lists);
    size_t size = mote_type_size(lists->type);
    if (n <= SIZE_MAX / 2 / size || elements->has_length)
        return jagged_make(job, elements->has_length ? "--length" : name, lists->type, n);
    mote_jagged_offsets_host_args args;
    mote_jagged_offsets_host_args_init(&args);
    args.type = lists->type;
    args.lists = lists->count;
    args.in = lists->offset_values;
    args.out = malloc(lists->count * size);
    mote_status status = args.out ? mote_jagged_counts_host(job->ctx, NULL, &args) : MOTE_SUCCESS;
    free(args.out);
    return status == MOTE_SUCCESS ? jagged_make(job, name, lists->type, n)
                                  : tool_fail_input(name, status);
}

static int compute(jagged_job *job, jagged_elements *elements)
{
    jagged_lists *lists = &elements->lists;
    int code = jagged_lists_read(job, lists);
    if (code == TOOL_GO_ON)
        code = jagged_device(job);
    if (code != TOOL_GO_ON)
        return code;
    mote_jagged_parents_host_args args;
    mote_jagged_parents_host_args_init(&args);
    args.type = lists->type;
    args.lists = lists->count;
    args.offsets = lists->offset_values;
    args.starts = lists->start_values;
    args.stops = lists->stop_values;
    args.n = elements->has_length ? (size_t)elements->length : jagged_lists_span(lists);
    args.absolute = elements->absolute;
    args.strategy = elements->strategy;
    code = make_room(job, elements, args.n);
    if (code != TOOL_GO_ON)
        return code;
    args.out = job->result.values;
    snprintf(job->summary, sizeof(job->summary), "%zu element%s, %zu list%s", args.n,
             tool_plural(args.n), lists->count, tool_plural(lists->count));
    mote_status status = elements->call(job->ctx, NULL, &args);
    return jagged_called(job, jagged_lists_blame(lists), status);
}

int jagged_elements_run(const tool_command *self, jagged_elements *elements)
{
    jagged_job job = {.common = &elements->common, .command = self->name};
    /* The result has the form of lists if it has an element for each of their elements, in the same
     * order. */
    bool flat = elements->has_length;
    job.table = (jagged_table){.columns = elements->columns + (flat ? strlen("list,") : 0),
                               .offsets = flat ? NULL : &elements->lists.first,
                               .relative = true};
    jagged_input(&job, elements->lists.offsets);
    jagged_input(&job, elements->lists.starts);
    jagged_input(&job, elements->lists.stops);
    int code = jagged_begin(&job);
    if (code == TOOL_GO_ON)
        code = compute(&job, elements);
    code = jagged_end(&job, code);
    jagged_lists_free(&elements->lists);
    return code;
}
