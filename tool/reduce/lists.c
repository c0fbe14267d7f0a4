/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce.h"

#include <stdio.h>

int reduce_take_out(const char *value, reduce_choice *choice)
{
    static const char *const outs[] = {"float32", "float64", NULL};
    int code = tool_word("--out", value, outs, &choice->out);
    choice->out++; /* 0 = not given */
    return code;
}

int reduce_choose_result(const reduce_choice *choice, const char *values_name, mote_type values,
                         mote_type index, mote_type *type)
{
    uint32_t types = mote_reduction_results((mote_reduction)choice->reduction, values, index);
    *type = MOTE_BOOL;
    while (types >> *type > 1 && !(types >> *type & 1))
        ++*type;
    if (types >> MOTE_UINT8 & 1)
        *type = MOTE_UINT8;
    if (!choice->out)
        return TOOL_GO_ON;
    mote_type asked = choice->out == 2 ? MOTE_FLOAT64 : MOTE_FLOAT32;
    if (!(types >> asked & 1))
        return tool_fail(TOOL_USAGE, "--out %s: %s holds %s, whose %s is %s", mote_type_name(asked),
                         array_name(values_name), mote_type_name(values), choice->op,
                         mote_type_name(*type));
    *type = asked;
    return TOOL_GO_ON;
}

int reduce_call_lists(jagged_job *job, const reduce_options *options, const jagged_lists *lists,
                      const char *name)
{
    mote_jagged_reduce_host_args args;
    mote_jagged_reduce_host_args_init(&args);
    args.offsets_type = lists->type;
    args.lists = lists->count;
    args.offsets = lists->offset_values;
    args.values_type = options->array.type;
    args.values = options->array.values;
    args.values_length = options->array.count;
    args.base_first = options->base == 2;
    args.reduction = (mote_reduction)options->choice.reduction;
    args.nan = (mote_nan_policy)options->nan;
    args.ddof = (uint32_t)options->ddof;
    args.result_type = job->result.type;
    args.result = job->result.values;
    return jagged_called(job, name, mote_jagged_reduce_host(job->ctx, NULL, &args));
}

int reduce_lists(jagged_job *job, reduce_options *options)
{
    jagged_lists *lists = &options->lists;
    mote_type type = MOTE_TYPE_NONE;
    int code = jagged_lists_read(job, lists);
    if (code == TOOL_GO_ON)
        code = jagged_read_line(job, options->values, reduce_types, &options->array);
    if (code == TOOL_GO_ON)
        code = reduce_choose_result(&options->choice, options->values, options->array.type,
                                    lists->type, &type);
    if (code == TOOL_GO_ON)
        code = jagged_make(job, jagged_lists_name(lists), type, lists->count);
    if (code == TOOL_GO_ON)
        code = jagged_device(job);
    snprintf(job->summary, sizeof(job->summary), "%s of %zu list%s, %zu value%s",
             options->choice.op, lists->count, tool_plural(lists->count), options->array.count,
             tool_plural(options->array.count));
    return code == TOOL_GO_ON ? reduce_call_lists(job, options, lists, jagged_lists_name(lists))
                              : code;
}
