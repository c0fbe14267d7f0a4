/* SPDX-License-Identifier: Apache-2.0 */
#include "profile.h"
#include "record.h"

#include <pthread.h>
#include <stdlib.h>

/* Largest number of launches that are kept before the finished ones are collected. */
#define WAITING ((size_t)1024)

/* The lock guards these variables while the callback is set. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool on, table;
    out_file *trace;
    mote_launch_record *waiting; /* their events are retained */
    size_t n, room;
    profile_record record;
} run;

static bool is_finished(const mote_launch_record *launch)
{
    cl_int state = CL_QUEUED;
    return clGetEventInfo(launch->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state,
                          NULL) != CL_SUCCESS ||
           state <= CL_COMPLETE;
}

/* After an error, the waiting launches are discarded. */
static void forget_waiting(void)
{
    for (size_t i = 0; i < run.n; i++)
        clReleaseEvent(run.waiting[i].event);
    run.n = 0;
}

/* Collects the launches that have finished; `all`: waits for every launch. */
static void take_finished(bool all)
{
    size_t kept = 0;
    for (size_t i = 0; i < run.n; i++) {
        mote_launch_record *launch = &run.waiting[i];
        if (all)
            clWaitForEvents(1, &launch->event);
        if (all || is_finished(launch)) {
            profile_record_add(&run.record, launch, run.trace != NULL);
            clReleaseEvent(launch->event);
        } else {
            run.waiting[kept++] = *launch;
        }
    }
    run.n = kept;
}

static bool make_room(void)
{
    if (run.n < run.room)
        return true;
    take_finished(false);
    if (run.n < run.room / 2)
        return true;
    size_t room = run.room ? 2 * run.room : WAITING;
    mote_launch_record *grown = realloc(run.waiting, room * sizeof(*grown));
    if (grown) {
        run.waiting = grown;
        run.room = room;
    }
    return run.n < run.room;
}

static void watch(const mote_launch_record *launch, void *user)
{
    (void)user;
    pthread_mutex_lock(&lock);
    if (make_room() && clRetainEvent(launch->event) == CL_SUCCESS)
        run.waiting[run.n++] = *launch;
    else
        run.record.untimed++;
    pthread_mutex_unlock(&lock);
}

int profile_begin(const tool_common *common)
{
    if (!common->profile && !common->trace)
        return TOOL_GO_ON;
    if (common->trace) {
        int code = out_open(common->trace, &run.trace);
        if (code != TOOL_DONE)
            return code;
    }
    run.on = true;
    run.table = common->profile;
    mote_launch_callback_set(watch, NULL);
    return TOOL_GO_ON;
}

int profile_end(int code)
{
    if (!run.on)
        return code;
    mote_launch_callback_set(NULL, NULL);
    if (code == TOOL_DONE)
        take_finished(true);
    forget_waiting();
    if (code == TOOL_DONE && run.table)
        profile_table(&run.record);
    if (code == TOOL_DONE && run.trace) {
        profile_trace(&run.record, run.trace);
        code = out_finish(&run.trace, 1);
    } else if (run.trace) {
        out_discard(&run.trace, 1);
    }
    profile_record_free(&run.record);
    free(run.waiting);
    run.on = false;
    return code;
}
