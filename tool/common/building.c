/* SPDX-License-Identifier: Apache-2.0 */
#include "building.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

/* The CPU and elapsed times from which on a build counts as compilation. PoCL loads programs from
 * its own cache in 0.03 s of CPU time, and compiles them in 0.15 s or more. Elapsed time is not
 * meaningful on a busy machine, but a driver that compiles in another thread uses no CPU time of
 * this one. */
#define LEAST_CPU_SECONDS 0.06
#define LEAST_SECONDS     1.0
/* The elapsed time from which on a build counts if no call is being measured. */
#define LEAST_ALONE_SECONDS 0.1

/* Calls and builds may overlap; overlapping time is counted once. The lock guards all fields. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    unsigned building;              /* builds in progress */
    unsigned calls;                 /* calls in progress on CPU devices */
    unsigned built, built_then;     /* compilations so far; at the start of the first such call */
    double build_start, call_start; /* start of the first build and call in progress */
    double sum, until;              /* seconds counted, and the time up to which they are */
} now;

/* Counts the time from `start` to `end`. The caller holds the lock. */
static void count(double start, double end)
{
    if (start < now.until)
        start = now.until;
    if (end > start)
        now.sum += end - start;
    if (end > now.until)
        now.until = end;
}

static double cpu_seconds(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

static void watch(const mote_build_record *record, void *user)
{
    (void)user;
    static _Thread_local double cpu_start;
    double time = tool_seconds();
    pthread_mutex_lock(&lock);
    if (record->seconds < 0.0) {
        cpu_start = cpu_seconds();
        if (now.building++ == 0)
            now.build_start = time;
    } else {
        now.building--;
        now.built +=
            record->seconds >= LEAST_SECONDS || cpu_seconds() - cpu_start >= LEAST_CPU_SECONDS;
        if (!now.calls && record->seconds >= LEAST_ALONE_SECONDS)
            count(time - record->seconds, time);
    }
    pthread_mutex_unlock(&lock);
}

void building_watch(void)
{
    mote_build_callback_set(watch, NULL);
}

building_call building_begin(const mote_context *ctx)
{
    building_call call = {.start = tool_seconds(), .built = UINT_MAX};
    if (mote_context_device(ctx)->device_class != MOTE_DEVICE_CPU)
        return call;
    pthread_mutex_lock(&lock);
    call.built = now.built;
    if (now.calls++ == 0) {
        now.call_start = call.start;
        now.built_then = now.built;
    }
    pthread_mutex_unlock(&lock);
    return call;
}

bool building_end(const building_call *call)
{
    if (call->built == UINT_MAX)
        return false;
    pthread_mutex_lock(&lock);
    bool counts = now.built != call->built;
    if (counts)
        count(call->start, tool_seconds());
    now.calls--;
    pthread_mutex_unlock(&lock);
    return counts;
}

double building_seconds(bool *at_work)
{
    pthread_mutex_lock(&lock);
    double seconds = now.sum;
    bool in_call = now.calls && now.built != now.built_then;
    double start = in_call ? now.call_start : now.build_start;
    *at_work = in_call || now.building;
    if (*at_work)
        seconds += tool_seconds() - (start > now.until ? start : now.until);
    pthread_mutex_unlock(&lock);
    return seconds;
}

const char *building_text(double seconds, char *text, size_t size)
{
    bool at_work;
    double built = building_seconds(&at_work);
    if (built >= 0.0005)
        snprintf(text, size, "%.3f s, %.3f s of them for building kernels", seconds, built);
    else
        snprintf(text, size, "%.3f s", seconds);
    return text;
}
