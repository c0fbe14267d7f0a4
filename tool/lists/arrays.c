/* SPDX-License-Identifier: Apache-2.0 */
/* Runs sort, scan and histogram, which have calls on plain arrays. */
#include "lists.h"

#include <float.h>
#include <math.h>

#include "testkit/cases/jagged/values.h"

#define DEFAULT_BINS 10

mote_status lists_sort_call(const jagged_job *job, const lists_work *work, bool descending,
                            void *sorted, void *indices)
{
    mote_jagged_sort_host_args args;
    mote_jagged_sort_host_args_init(&args);
    LISTS_SET(args, work);
    LISTS_SET_VALUES(args, &work->arrays[0]);
    args.indices_type = work->lists[0].type;
    args.indices = indices;
    args.result = sorted;
    args.descending = descending;
    return mote_jagged_sort_host(job->ctx, NULL, &args);
}

int lists_sort(jagged_job *job, lists_work *work)
{
    const mote_npy *values = &work->arrays[0];
    const char *name = jagged_lists_name(&work->lists[0]);
    int code =
        jagged_make(job, name, work->indices ? work->lists[0].type : values->type, values->count);
    void *result = job->result.values;
    return code != TOOL_GO_ON ? code
                              : jagged_called(job, name,
                                              lists_sort_call(job, work, work->descending,
                                                              work->indices ? NULL : result,
                                                              work->indices ? result : NULL));
}

int lists_scan(jagged_job *job, lists_work *work)
{
    const mote_npy *values = &work->arrays[0];
    const char *name = jagged_lists_name(&work->lists[0]);
    mote_type type = MOTE_TYPE_NONE;
    int code = reduce_choose_result(&work->choice, work->names[1], values->type,
                                    work->lists[0].type, &type);
    if (code == TOOL_GO_ON)
        code = jagged_make(job, name, type, values->count);
    if (code != TOOL_GO_ON)
        return code;
    mote_jagged_scan_host_args args;
    mote_jagged_scan_host_args_init(&args);
    LISTS_SET(args, work);
    LISTS_SET_VALUES(args, values);
    args.reduction = (mote_reduction)work->choice.reduction;
    args.exclusive = work->exclusive;
    args.result_type = type;
    args.result = job->result.values;
    return jagged_called(job, name, mote_jagged_scan_host(job->ctx, NULL, &args));
}

/* ---- histogram ------------------------------------------------------------------------------- */

/* Follows numpy.histogram(): the range is the smallest and the largest value, 0 and 1 if there is
 * none, and half of one on both sides of a single value. */
static int find_range(lists_work *work)
{
    const mote_npy *values = &work->arrays[0];
    double low = values->count ? DBL_MAX : 0, high = values->count ? -DBL_MAX : 1;
    for (size_t i = 0; i < values->count; i++) {
        double value = mote_jagged_value(values->values, values->type, i);
        if (!isfinite(value))
            return tool_fail(TOOL_INPUT,
                             "%s: value %zu is not finite: give --range LOW,HIGH or --edges E.npy",
                             array_name(work->names[0]), i);
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    bool single = !(low < high);
    work->low = single ? low - 0.5 : low;
    work->high = single ? high + 0.5 : high;
    return TOOL_GO_ON;
}

/* Computes the regular edges that mote/histogram.h defines. */
static int make_edges(lists_work *work)
{
    int code = work->has_range ? TOOL_GO_ON : find_range(work);
    if (code == TOOL_GO_ON && !(work->low < work->high && isfinite(work->high - work->low)))
        code = tool_fail(TOOL_INPUT, "%s: spans %g to %g, which bins of equal width cannot divide",
                         array_name(work->names[0]), work->low, work->high);
    size_t bins = work->has_bins ? (size_t)work->bins : DEFAULT_BINS;
    mote_npy *edges = &work->edges_array;
    *edges =
        (mote_npy){.type = MOTE_FLOAT64, .n_dims = 1, .shape = {bins + 1, 1}, .count = bins + 1};
    if (code == TOOL_GO_ON)
        code = array_make("--bins", edges);
    bool single = work->arrays[0].type == MOTE_FLOAT32 || work->arrays[0].type == MOTE_FLOAT16;
    double width = (work->high - work->low) / (double)bins;
    for (size_t k = 0; code == TOOL_GO_ON && k <= bins; k++) {
        volatile double step = (double)k * width; /* rounded before the addition */
        double edge = work->low + step;
        edge = k == bins || edge > work->high ? work->high : edge;
        ((double *)edges->values)[k] = single ? (double)(float)edge : edge;
    }
    return code;
}

/* Converts edges to doubles for the table. */
static int show_edges(jagged_job *job, lists_work *work, const char *name)
{
    const mote_npy *edges = &work->edges_array;
    mote_npy *shown = &work->shown;
    *shown = *edges;
    shown->type = MOTE_FLOAT64;
    int code = array_make(name, shown);
    for (size_t k = 0; code == TOOL_GO_ON && k < edges->count; k++)
        ((double *)shown->values)[k] = mote_jagged_value(edges->values, edges->type, k);
    job->table.edges = shown->values;
    return code;
}

int lists_histogram(jagged_job *job, lists_work *work)
{
    const mote_npy *values = &work->arrays[0], *weights = &work->weights_array;
    const char *name = array_name(work->edges ? work->edges : work->names[0]);
    int code = work->edges ? TOOL_GO_ON : make_edges(work);
    if (code == TOOL_GO_ON)
        code = show_edges(job, work, name);
    if (code == TOOL_GO_ON)
        code = jagged_make(job, work->edges ? name : "--bins",
                           work->weights ? weights->type : MOTE_INT64, work->edges_array.count - 1);
    if (code != TOOL_GO_ON)
        return code;
    mote_histogram_host_args args;
    mote_histogram_host_args_init(&args);
    args.values = values->values;
    args.n = values->count;
    args.type = values->type;
    args.bins = job->result.count;
    args.edges = work->edges_array.values;
    args.edges_type = work->edges_array.type;
    args.weights = work->weights ? weights->values : NULL;
    args.weights_type = work->weights ? weights->type : MOTE_TYPE_NONE;
    args.result = job->result.values;
    return jagged_called(job, name, mote_histogram_host(job->ctx, NULL, &args));
}
