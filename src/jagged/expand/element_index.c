/* SPDX-License-Identifier: Apache-2.0 */
#include "jagged/expand/element_index.h"
#include "core/error.h"
#include "core/log.h"
#include "core/quirks.h"
#include "core/sweep.h"
#include "jagged/expand/balanced.h"

#include "cl_sources.h"

#include <stdio.h>

/* Up to these numbers of elements and lists a GPU is not fully used in either case, and the few
 * steps of a search take less time than the balanced division of work. */
#define SMALL_ELEMENTS ((size_t)1024)
#define SMALL_LISTS    ((size_t)64)

static mote_jagged_strategy choose(const mote_call *call, const mote_label_job *job,
                                   const mote_balanced_plan *plan)
{
    mote_jagged_strategy strategy = job->strategy;
    const char *reason = "asked for";
    if (strategy == MOTE_JAGGED_AUTO) {
        bool small = plan->n <= SMALL_ELEMENTS && plan->lists <= SMALL_LISTS;
        strategy = small && !plan->cpu ? MOTE_JAGGED_SEARCH : MOTE_JAGGED_BALANCED;
        reason = plan->cpu                          ? "always on CPUs"
                 : strategy == MOTE_JAGGED_BALANCED ? "fast for lists of any lengths"
                                                    : "few elements and lists";
    } else if (strategy == MOTE_JAGGED_EVENT && mote_has_quirk(call->ctx, MOTE_QUIRK_SHORT_LOOPS)) {
        strategy = MOTE_JAGGED_BALANCED;
        reason = "the driver would leave the loop over a long list";
    }
    mote_log(MOTE_LOG_DEBUG,
             "%s: %zu elements, %zu lists: strategy %s (%s); balanced would take %zu groups of "
             "%zu, tile %u, %u tiles a group or helpers, shift %u, %u search steps",
             call->name, plan->n, plan->lists, mote_jagged_strategy_name(strategy), reason,
             plan->groups, plan->local, (unsigned)plan->tile, (unsigned)plan->tiles,
             (unsigned)plan->shift, (unsigned)plan->steps);
    return strategy;
}

/* Returns the least traffic of a call. */
static uint64_t traffic(const mote_label_job *job)
{
    return ((uint64_t)job->out.count + job->lists.count + 1) * mote_type_size(job->lists.type);
}

static mote_status launch_balanced(mote_call *call, const mote_label_job *job,
                                   const mote_list_bounds_input *input)
{
    const mote_balanced_kernel kernel = {.gpu = &mote_cl_jagged_expand_element_index,
                                         .cpu = &mote_cl_jagged_expand_element_index_cpu,
                                         .defines = job->local_index ? "-DLOCAL_INDEX=1"
                                                                     : "-DLOCAL_INDEX=0",
                                         .name = "label_balanced",
                                         .bytes = traffic(job)};
    mote_launch launch;
    mote_balanced_begin(&launch, call, &job->plan, &kernel, input);
    mote_launch_view(&launch, "out", &job->out);
    return mote_balanced_run(&launch, &job->plan);
}

static void begin_find(mote_launch *launch, mote_call *call, const mote_label_job *job,
                       const mote_sweep *sweep, const char *kernel)
{
    char defines[128];
    snprintf(defines, sizeof(defines), "%s -DLOCAL_INDEX=%d%s", mote_lists_defines(job->lists.type),
             job->local_index, sweep->cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(launch, call, &mote_cl_jagged_expand_element_index_search, defines, kernel);
}

static mote_status launch_find(mote_call *call, const mote_label_job *job,
                               mote_jagged_strategy strategy, const mote_list_bounds_input *input)
{
    const mote_balanced_plan *plan = &job->plan;
    bool search = strategy == MOTE_JAGGED_SEARCH;
    size_t work = search ? plan->n / 4 + 1 : plan->lists;
    if (plan->full && work < plan->lists)
        work = plan->lists;
    mote_sweep sweep = mote_sweep_make(call->ctx, "jagged.form", work);
    mote_launch launch;
    begin_find(&launch, call, job, &sweep, search ? "label_search" : "label_event");
    mote_list_bounds_set(&launch, plan->type, plan->lists, plan->n, plan->full, input);
    mote_launch_view(&launch, "out", &job->out);
    mote_launch_bytes(&launch, traffic(job));
    mote_launch_last(&launch);
    return mote_launch_run(&launch, sweep.groups, sweep.local);
}

/* Writes the elements after the last one that an offset can count. */
static mote_status launch_rest(mote_call *call, const mote_label_job *job, size_t from)
{
    mote_view rest = job->out;
    rest.offset += from;
    rest.count -= from;
    mote_sweep sweep = mote_sweep_make(call->ctx, "jagged.form", rest.count);
    mote_launch launch;
    begin_find(&launch, call, job, &sweep, "label_none");
    mote_launch_view(&launch, "out", &rest);
    mote_launch_u64(&launch, "n", rest.count);
    return mote_launch_run(&launch, sweep.groups, sweep.local);
}

void mote_label_plan(const mote_call *call, mote_label_job *job)
{
    const mote_balanced_job all = {
        .lists = &job->lists, .n = job->out.count, .full = job->full, .inside = job->local_index};
    job->plan = mote_balanced_make(call->ctx, &all);
}

mote_status mote_label_run(mote_call *call, const mote_label_job *job)
{
    const mote_balanced_plan *plan = &job->plan;
    const mote_list_bounds_input input = {.offsets = job->offsets,
                                          .relative = job->relative,
                                          .length = job->length,
                                          .error = call->error};
    mote_jagged_strategy strategy = choose(call, job, plan);
    mote_status st = mote_error_clear(call);
    if (!st && job->out.count > plan->n)
        st = launch_rest(call, job, plan->n);
    if (st || (plan->n == 0 && !call->error.mem && !call->preparing))
        return st;
    return strategy == MOTE_JAGGED_BALANCED ? launch_balanced(call, job, &input)
                                            : launch_find(call, job, strategy, &input);
}
