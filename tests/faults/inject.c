/* SPDX-License-Identifier: Apache-2.0 */
#include "faults/inject.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

fault_count faults[FAULT_CALLS];

static struct {
    fault_call call; /* FAULT_CALLS = none */
    cl_uint what;
    size_t size;
} lie = {.call = FAULT_CALLS};

static int live[FAULT_HANDLES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* State of the armed thread. */
static _Thread_local struct {
    bool armed;
    fault_plan plan;
    fault_record record;
} mine;

static const char *const call_names[] = {
#define CALL_CODE(name, ...)          #name,
#define CALL_INFO(name, ...)          #name,
#define CALL_WAIT(name, ...)          #name,
#define CALL_ENQUEUE(name, ...)       #name,
#define CALL_MAKE(type, name, ...)    #name,
#define CALL_KEEP(name, type, handle) #name,
#define CALL_DROP(name, type, handle) #name,
#define CALL_HEAP(name)               #name,
#include "calls.inc"
};

const char *fault_call_name(fault_call call)
{
    return call < FAULT_CALLS ? call_names[call] : "nothing";
}

const char *fault_handle_name(fault_handle handle)
{
    static const char *const names[] = {"nothing", "context", "device",
                                        "queue",   "buffer",  "event",
                                        "program", "kernel",  "block of host memory"};
    return names[handle];
}

void fault_reset(void)
{
    pthread_mutex_lock(&lock);
    memset(faults, 0, sizeof(faults));
    lie.call = FAULT_CALLS;
    pthread_mutex_unlock(&lock);
}

void fault_fail(fault_call call, int first, int last, cl_int code)
{
    fault_count *f = &faults[call];
    pthread_mutex_lock(&lock);
    f->first = f->calls + first;
    f->last = f->calls + last;
    f->code = code;
    pthread_mutex_unlock(&lock);
}

void fault_lie(fault_call call, cl_uint what, size_t size)
{
    pthread_mutex_lock(&lock);
    lie.call = call;
    lie.what = what;
    lie.size = size;
    pthread_mutex_unlock(&lock);
}

bool fault_bad_answer(fault_call call, cl_uint what, size_t size, void *value, size_t *needed)
{
    static _Thread_local cl_uint asked; /* for queries of the length of an answer */
    if (lie.call != call || lie.what != what)
        return false;
    if (needed)
        *needed = lie.size;
    if (!value)
        asked = what;
    else if (asked == what)
        memset(value, 'l', size);
    else
        for (size_t i = 0; i < size; i += sizeof(lie.size))
            memcpy((char *)value + i, &lie.size,
                   size - i < sizeof(lie.size) ? size - i : sizeof(lie.size));
    if (value)
        asked = 0;
    return true;
}

int fault_live(fault_handle handle)
{
    pthread_mutex_lock(&lock);
    int count = live[handle];
    pthread_mutex_unlock(&lock);
    return count;
}

static void change(fault_handle handle, int by)
{
    pthread_mutex_lock(&lock);
    live[handle] += by;
    pthread_mutex_unlock(&lock);
}

cl_int fault_made(fault_handle handle, bool given, cl_int code)
{
    if (given && code == CL_SUCCESS && handle != FAULT_NOTHING)
        change(handle, 1);
    return code;
}

cl_int fault_gone(fault_handle handle, cl_int code)
{
    if (code == CL_SUCCESS)
        change(handle, -1);
    return code;
}

void fault_arm(const fault_plan *plan)
{
    mine.plan = *plan;
    mine.record = (fault_record){.waited = FAULT_CALLS};
    mine.armed = true;
}

fault_record fault_disarm(void)
{
    mine.armed = false;
    return mine.record;
}

/* Counts a call of the armed thread. */
static bool fails(fault_call call, unsigned family)
{
    if (!mine.armed || !(mine.plan.families & family))
        return false;
    size_t k = ++mine.record.calls;
    bool failing = k >= mine.plan.first && k <= mine.plan.last;
    mine.record.failures += failing;
    mine.record.failed[call] = mine.record.failed[call] || failing;
    return failing;
}

cl_int fault_enter(fault_call call, bool waits, bool event)
{
    fault_count *f = &faults[call];
    pthread_mutex_lock(&lock);
    f->calls++;
    f->events += event;
    cl_int code = f->calls >= f->first && f->calls <= f->last ? f->code : CL_SUCCESS;
    pthread_mutex_unlock(&lock);
    if (mine.armed && call == FAULT_clGetEventInfo)
        mine.record.polls++;
    if (mine.armed && waits && !mine.plan.may_wait) {
        mine.record.waits++;
        mine.record.waited = call;
        return FAULT_FORBIDDEN;
    }
    return fails(call, FAULT_OPENCL) ? mine.plan.code : code;
}

bool fault_starved(fault_call call)
{
    return fails(call, FAULT_MEMORY);
}

static _Thread_local bool tracking;

void fault_track(bool on)
{
    tracking = on;
}

/* Blocks by address, with open addressing. */
#define PLACES ((size_t)1 << 16)
static const void *blocks[PLACES];
static const char gone; /* marks the position of a removed block */

static size_t place_of(const void *block)
{
    return (size_t)(((uint64_t)(uintptr_t)block * UINT64_C(0x9E3779B97F4A7C15)) >> 48);
}

void fault_block_made(const void *block)
{
    if (!block || !tracking)
        return;
    pthread_mutex_lock(&lock);
    size_t at = place_of(block);
    while (blocks[at] && blocks[at] != &gone)
        at = (at + 1) % PLACES;
    blocks[at] = block;
    live[FAULT_HEAP]++;
    pthread_mutex_unlock(&lock);
}

bool fault_block_gone(const void *block)
{
    if (!block)
        return false;
    pthread_mutex_lock(&lock);
    size_t at = place_of(block);
    while (blocks[at] && blocks[at] != block)
        at = (at + 1) % PLACES;
    bool counted = blocks[at] == block;
    if (counted) {
        blocks[at] = blocks[(at + 1) % PLACES] ? &gone : NULL;
        live[FAULT_HEAP]--;
    }
    pthread_mutex_unlock(&lock);
    return counted;
}
