/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/timing.h"
#include "bench/hold.h"

#include <stdlib.h>
#include <time.h>

double mote_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void collect(const mote_launch_record *record, void *user)
{
    mote_collector *collector = user;
    size_t room = sizeof(collector->events) / sizeof(collector->events[0]);

    if (collector->n == room || clRetainEvent(record->event) != CL_SUCCESS)
        collector->overflow = true;
    else
        collector->events[collector->n++] = record->event;
}

void mote_collector_on(mote_collector *collector)
{
    *collector = (mote_collector){0};
    mote_launch_callback_set(collect, collector);
}

static void forget(mote_collector *collector)
{
    for (size_t i = 0; i < collector->n; i++)
        clReleaseEvent(collector->events[i]);
    collector->n = 0;
    collector->overflow = false;
}

void mote_collector_off(mote_collector *collector)
{
    mote_launch_callback_set(NULL, NULL);
    forget(collector);
}

bool mote_event_times(cl_event event, cl_ulong *start, cl_ulong *end)
{
    return clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(*start), start,
                                   NULL) == CL_SUCCESS &&
           clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(*end), end, NULL) ==
               CL_SUCCESS;
}

double mote_collector_take(mote_collector *collector)
{
    cl_ulong first = ~(cl_ulong)0, last = 0;
    bool good = collector->n > 0 && !collector->overflow;

    for (size_t i = 0; i < collector->n; i++) {
        cl_ulong start = 0, end = 0;

        good = mote_event_times(collector->events[i], &start, &end) && good;
        first = start < first ? start : first;
        last = end > last ? end : last;
    }
    forget(collector);
    return good && last >= first ? 1e-3 * (double)(last - first) : -1;
}

#define LEAST_RUNS 3

/* Reduces the repeats to the budget if one call takes `seconds`. */
static mote_repeats within_budget(mote_repeats repeats, double seconds)
{
    double fit = repeats.budget > 0 ? repeats.budget / (seconds + 1e-9) : 1e9;
    size_t most = fit > LEAST_RUNS ? (size_t)fit : LEAST_RUNS;

    repeats.runs = repeats.runs < most ? repeats.runs : most;
    repeats.warm_up = repeats.warm_up < most / 4 ? repeats.warm_up : most / 4;
    return repeats;
}

static mote_status finished(cl_command_queue queue, mote_timed_fn call, void *job)
{
    mote_status status = call(job);
    cl_int code = clFinish(queue);

    return status ? status : code;
}

/* Times a call by the events of its kernels. */
static mote_status time_kernels(cl_command_queue queue, mote_timed_fn call, void *job, double *time)
{
    mote_collector collector;
    mote_collector_on(&collector);
    mote_status status = finished(queue, call, job);
    *time = mote_collector_take(&collector);
    mote_collector_off(&collector);
    return !status && *time < 0 ? CL_PROFILING_INFO_NOT_AVAILABLE : status;
}

/* Runs the call between two markers; the queue is finished. */
static mote_status mark(cl_command_queue queue, mote_timed_fn call, void *job, cl_event *before,
                        cl_event *after)
{
    mote_status status = clEnqueueMarkerWithWaitList(queue, 0, NULL, before);
    if (!status)
        status = call(job);
    if (!status)
        status = clEnqueueMarkerWithWaitList(queue, 0, NULL, after);
    cl_int code = clFinish(queue);
    return status ? status : code;
}

/* Times a call on a GPU by markers around it, because an event for each kernel would take
 * microseconds itself. The queue is blocked while the call enqueues, so that gaps between its
 * kernels are not caused by the host.
 */
static mote_status time_held(const mote_hold *hold, mote_timed_fn call, void *job, double *time)
{
    cl_event before = NULL, after = NULL;
    cl_ulong start, from, to;
    mote_status status = mote_hold_enqueue(hold);
    if (!status)
        status = mark(hold->queue, call, job, &before, &after);
    if (!status && (!mote_event_times(before, &start, &from) ||
                    !mote_event_times(after, &start, &to) || to < from))
        status = CL_PROFILING_INFO_NOT_AVAILABLE;
    if (!status)
        *time = 1e-3 * (double)(to - from);
    if (before)
        clReleaseEvent(before);
    if (after)
        clReleaseEvent(after);
    return status;
}

/* Device times of the calls after the warm-up. */
static mote_status time_device(cl_command_queue queue, mote_timed_fn call, void *job,
                               mote_repeats repeats, double *times)
{
    mote_status status = MOTE_SUCCESS;
    mote_hold hold;

    mote_hold_open(&hold, queue);
    for (size_t i = 0; i < repeats.warm_up + repeats.runs && !status; i++) {
        double time = 0;

        status = hold.program ? time_held(&hold, call, job, &time)
                              : time_kernels(queue, call, job, &time);
        if (i >= repeats.warm_up)
            times[i - repeats.warm_up] = time;
    }
    mote_hold_close(&hold);
    return status;
}

static mote_status time_in_a_row(cl_command_queue queue, mote_timed_fn call, void *job, size_t runs,
                                 double *out)
{
    double start = mote_seconds();
    mote_status status = MOTE_SUCCESS;

    for (size_t i = 0; i < runs && !status; i++)
        status = call(job);
    cl_int code = clFinish(queue);

    *out = 1e6 * (mote_seconds() - start) / (double)runs;
    return status ? status : code;
}

mote_status mote_time_call(cl_command_queue queue, mote_timed_fn call, void *job,
                           mote_repeats repeats, mote_call_times *out)
{
    mote_status status = finished(queue, call, job); /* builds the kernels */
    double start = mote_seconds();

    if (!status)
        status = finished(queue, call, job);
    repeats = within_budget(repeats, mote_seconds() - start);
    double *times = malloc(repeats.runs * sizeof(double));

    if (!status && !times)
        status = MOTE_ERROR_OUT_OF_HOST_MEMORY;
    if (!status)
        status = time_device(queue, call, job, repeats, times);
    if (!status)
        out->device = mote_spread_of(times, repeats.runs);
    if (!status)
        status = time_in_a_row(queue, call, job, repeats.runs, &out->in_a_row);
    out->runs = repeats.runs;
    free(times);
    return status;
}

mote_status mote_time_whole(mote_timed_fn call, void *job, mote_repeats repeats, mote_spread *out)
{
    mote_status status = call(job);
    double start = mote_seconds();

    if (!status)
        status = call(job);
    repeats = within_budget(repeats, mote_seconds() - start);
    double *times = malloc(repeats.runs * sizeof(double));

    if (!status && !times)
        status = MOTE_ERROR_OUT_OF_HOST_MEMORY;
    for (size_t i = 0; i < repeats.runs && !status; i++) {
        start = mote_seconds();
        status = call(job);
        times[i] = 1e6 * (mote_seconds() - start);
    }
    if (!status)
        *out = mote_spread_of(times, repeats.runs);
    free(times);
    return status;
}
