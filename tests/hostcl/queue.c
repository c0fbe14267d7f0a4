/* SPDX-License-Identifier: Apache-2.0 */
/* Queues, events, and when commands run: not before a thread waits for or queries them, and the
 * latest of the ready commands first. A missing dependency is detected in this way. */
#include "host.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATIENCE 60 /* seconds for another thread to set a user event */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static host_command *first;

static cl_ulong now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (cl_ulong)t.tv_sec * 1000000000u + (cl_ulong)t.tv_nsec;
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *code)
{
    cl_command_queue queue = host_make(sizeof(*queue), NULL);
    queue->context = context;
    queue->device = device;
    queue->properties = properties;
    if (code)
        *code = CL_SUCCESS;
    return queue;
}

cl_int clRetainCommandQueue(cl_command_queue queue)
{
    return host_retain(queue);
}

cl_int clGetCommandQueueInfo(cl_command_queue q, cl_command_queue_info what, size_t size, void *out,
                             size_t *needed)
{
    if (what == CL_QUEUE_CONTEXT)
        return host_answer(&q->context, sizeof(q->context), size, out, needed);
    if (what == CL_QUEUE_DEVICE)
        return host_answer(&q->device, sizeof(q->device), size, out, needed);
    if (what == CL_QUEUE_PROPERTIES)
        return host_answer(&q->properties, sizeof(q->properties), size, out, needed);
    return CL_INVALID_VALUE;
}

static cl_event make_event(cl_context context, cl_int status)
{
    cl_event event = host_make(sizeof(*event), NULL);
    event->context = context;
    event->status = status;
    event->queued = now();
    return event;
}

static void complete(cl_event event, cl_int status)
{
    event->status = status;
    event->end = now();
    if (event->callback)
        event->callback(event, status, event->data);
    event->callback = NULL;
    pthread_cond_broadcast(&changed);
}

static void free_kernel(struct _cl_kernel *kernel)
{
    for (size_t k = 0; kernel && kernel->letters[k]; k++) {
        cl_mem mem = NULL;
        if (kernel->letters[k] == 'g')
            memcpy(&mem, kernel->arguments[k].value, sizeof(mem));
        if (mem)
            host_release(mem);
    }
    if (kernel)
        host_release(kernel->program);
    free(kernel);
}

static void free_command(host_command *c)
{
    for (cl_uint i = 0; i < c->count; i++)
        host_release(c->wait[i]);
    for (int i = 0; i < 2; i++)
        if (c->mems[i])
            host_release(c->mems[i]);
    if (c->pattern)
        free((void *)(uintptr_t)c->from);
    free_kernel(c->kernel);
    free(c->wait);
    host_release(c->event);
    host_release(c->queue);
    free(c);
}

static void run(host_command *c)
{
    cl_int status = CL_COMPLETE;
    for (cl_uint i = 0; i < c->count; i++)
        if (c->wait[i]->status < 0)
            status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    c->event->start = now();
    if (status == CL_COMPLETE && c->kernel)
        host_run(c->kernel, c->global, c->local);
    else if (status == CL_COMPLETE && c->bytes && !c->pattern)
        memmove(c->to, c->from, c->bytes);
    else if (status == CL_COMPLETE)
        for (size_t at = 0; at < c->bytes; at += c->pattern)
            memcpy(c->to + at, c->from, c->pattern);
    complete(c->event, status);
    free_command(c);
}

static bool may_run(const host_command *c)
{
    bool in_order = !(c->queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (const host_command *before = first; (in_order || c->fence) && before != c;
         before = before->next)
        if (before->queue == c->queue)
            return false;
    for (cl_uint i = 0; i < c->count; i++)
        if (c->wait[i]->status > CL_COMPLETE)
            return false;
    return true;
}

/* Runs the ready commands; the lock must be held. */
static void progress(void)
{
    for (;;) {
        host_command **found = NULL;
        for (host_command **link = &first; *link; link = &(*link)->next)
            if (may_run(*link))
                found = link;
        if (!found)
            return;
        host_command *c = *found;
        *found = c->next;
        run(c);
    }
}

static bool is_waiting(cl_command_queue queue)
{
    for (const host_command *c = first; c; c = c->next)
        if (c->queue == queue)
            return true;
    return false;
}

/* Under the lock: waits until the event, or the queue, is complete. */
static void wait_until(cl_event event, cl_command_queue queue)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += PATIENCE;
    progress();
    while (event ? event->status > CL_COMPLETE : is_waiting(queue)) {
        if (pthread_cond_timedwait(&changed, &lock, &end))
            host_stop("waiting for something that nobody will do");
        progress();
    }
}

cl_int host_enqueue(cl_command_queue queue, host_command given, cl_uint count, const cl_event *wait,
                    cl_event *out, bool blocking)
{
    host_command *c = malloc(sizeof(*c)), **link = &first;
    if (!c || (count > 0) != (wait != NULL))
        host_stop(c ? "a wait list of %u events at %p" : "no memory %u %p", count,
                  (const void *)wait);
    *c = given;
    c->queue = queue;
    c->event = make_event(queue->context, CL_QUEUED);
    c->count = count;
    c->wait = malloc((count + 1) * sizeof(cl_event));
    for (cl_uint i = 0; i < count; i++) {
        c->wait[i] = wait[i];
        host_retain(wait[i]);
    }
    for (int i = 0; i < 2; i++)
        if (c->mems[i])
            host_retain(c->mems[i]);
    host_retain(queue);
    host_retain(c->event);
    cl_event event = c->event;
    pthread_mutex_lock(&lock);
    while (*link)
        link = &(*link)->next;
    *link = c;
    if (blocking)
        wait_until(event, NULL);
    pthread_mutex_unlock(&lock);
    if (out)
        *out = event;
    else
        host_release(event);
    return CL_SUCCESS;
}

cl_event clCreateUserEvent(cl_context context, cl_int *code)
{
    if (code)
        *code = CL_SUCCESS;
    return make_event(context, CL_SUBMITTED);
}

cl_int clSetUserEventStatus(cl_event event, cl_int status)
{
    pthread_mutex_lock(&lock);
    complete(event, status);
    pthread_mutex_unlock(&lock);
    return CL_SUCCESS;
}

cl_int clWaitForEvents(cl_uint count, const cl_event *events)
{
    cl_int code = CL_SUCCESS;
    pthread_mutex_lock(&lock);
    for (cl_uint i = 0; i < count; i++) {
        wait_until(events[i], NULL);
        if (events[i]->status < 0)
            code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    pthread_mutex_unlock(&lock);
    return code;
}

cl_int clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *out, size_t *needed)
{
    pthread_mutex_lock(&lock);
    progress();
    cl_int status = event->status;
    pthread_mutex_unlock(&lock);
    if (what == CL_EVENT_CONTEXT)
        return host_answer(&event->context, sizeof(event->context), size, out, needed);
    if (what == CL_EVENT_COMMAND_EXECUTION_STATUS)
        return host_answer(&status, sizeof(status), size, out, needed);
    return CL_INVALID_VALUE;
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size, void *out,
                               size_t *needed)
{
    const cl_ulong *time = what == CL_PROFILING_COMMAND_END     ? &event->end
                           : what == CL_PROFILING_COMMAND_START ? &event->start
                                                                : &event->queued;
    return host_answer(time, sizeof(*time), size, out, needed);
}

cl_int clSetEventCallback(cl_event event, cl_int when, void (*callback)(cl_event, cl_int, void *),
                          void *data)
{
    (void)when;
    pthread_mutex_lock(&lock);
    bool done = event->status <= CL_COMPLETE;
    event->callback = done ? NULL : callback;
    event->data = data;
    pthread_mutex_unlock(&lock);
    if (done)
        callback(event, event->status, data);
    return CL_SUCCESS;
}

cl_int clRetainEvent(cl_event event)
{
    return host_retain(event);
}

cl_int clReleaseEvent(cl_event event)
{
    return host_release(event);
}

cl_int clFlush(cl_command_queue queue)
{
    (void)queue;
    return CL_SUCCESS;
}

cl_int clFinish(cl_command_queue queue)
{
    pthread_mutex_lock(&lock);
    wait_until(NULL, queue);
    pthread_mutex_unlock(&lock);
    return CL_SUCCESS;
}

/* Releasing the last reference lets the commands run; they retain the queue. */
cl_int clReleaseCommandQueue(cl_command_queue queue)
{
    pthread_mutex_lock(&lock);
    progress();
    pthread_mutex_unlock(&lock);
    return host_release(queue);
}
