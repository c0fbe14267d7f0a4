/* SPDX-License-Identifier: Apache-2.0 */
#include "lists_out.h"

#include <stdio.h>

/* Fills the inputs of the call and the number of lists. */
static int read_inputs(jagged_job *job, jagged_lists_out *work, mote_jagged_offsets_host_args *args)
{
    if (!work->values) {
        int code = jagged_lists_read(job, &work->lists);
        args->type = work->lists.type;
        args->lists = work->lists.count;
        args->in = work->lists.offset_values;
        args->starts = work->lists.start_values;
        args->stops = work->lists.stop_values;
        return code;
    }
    mote_npy *array = &work->lists.first;
    int code = jagged_read_line(job, work->values, array_indices, array);
    args->type = array->type;
    args->lists = work->from_parents ? (size_t)work->n_lists : array->count;
    args->in = array->values;
    args->n = array->count;
    return code;
}

static int compute(jagged_job *job, jagged_lists_out *work)
{
    mote_jagged_offsets_host_args args;
    mote_jagged_offsets_host_args_init(&args);
    int code = read_inputs(job, work, &args);
    if (code == TOOL_GO_ON)
        code = jagged_device(job);
    const char *name = work->values ? array_name(work->values) : jagged_lists_name(&work->lists);
    if (code == TOOL_GO_ON)
        code = jagged_make(job, work->from_parents ? "--segments" : name, args.type,
                           args.lists + work->one_more);
    if (code != TOOL_GO_ON)
        return code;
    args.out = job->result.values;
    snprintf(job->summary, sizeof(job->summary), "%zu list%s", args.lists, tool_plural(args.lists));
    mote_status status = work->call(job->ctx, NULL, &args);
    return jagged_called(job, work->values ? name : jagged_lists_blame(&work->lists), status);
}

int jagged_lists_out_run(const tool_command *self, jagged_lists_out *work)
{
    jagged_job job = {.common = &work->common,
                      .command = self->name,
                      .table = {.columns = work->one_more ? "offset" : "list,count"}};
    jagged_input(&job, work->values);
    jagged_input(&job, work->lists.offsets);
    jagged_input(&job, work->lists.starts);
    jagged_input(&job, work->lists.stops);
    int code = jagged_begin(&job);
    if (code == TOOL_GO_ON)
        code = compute(&job, work);
    code = jagged_end(&job, code);
    jagged_lists_free(&work->lists);
    return code;
}
