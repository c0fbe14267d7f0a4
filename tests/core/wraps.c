/* SPDX-License-Identifier: Apache-2.0 */
#include "wraps.h"

#include <pthread.h>
#include <stdbool.h>

wrap wrap_ndrange, wrap_marker, wrap_create, wrap_finish;
wrap wrap_fill, wrap_copy, wrap_write, wrap_read;
int wrap_live_mem, wrap_live_events;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void wraps_reset(void)
{
    const wrap none = {0};
    wrap_ndrange = wrap_marker = wrap_create = wrap_finish = none;
    wrap_fill = wrap_copy = wrap_write = wrap_read = none;
}

void wrap_fail(wrap *w, int first, int last, cl_int code)
{
    w->first = w->calls + first;
    w->last = w->calls + last;
    w->code = code;
}

/* Counts a call; CL_SUCCESS lets it happen. */
static cl_int count(wrap *w, bool event)
{
    pthread_mutex_lock(&lock);
    w->calls++;
    w->events += event;
    cl_int code = w->calls >= w->first && w->calls <= w->last ? w->code : CL_SUCCESS;
    pthread_mutex_unlock(&lock);
    return code;
}

static cl_int made(int *live, bool handle, cl_int code)
{
    pthread_mutex_lock(&lock);
    *live += handle && code == CL_SUCCESS;
    pthread_mutex_unlock(&lock);
    return code;
}

static cl_int gone(int *live, cl_int code)
{
    pthread_mutex_lock(&lock);
    *live -= code == CL_SUCCESS;
    pthread_mutex_unlock(&lock);
    return code;
}

/* A function the linker sends here, and the one it stands for. */
#define WRAP(type, name, parameters)                                                               \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters

#define ENQUEUE(w, call)                                                                           \
    cl_int code = count(&(w), event != NULL);                                                      \
    return code ? code : made(&wrap_live_events, event != NULL, call)

WRAP(cl_int, clEnqueueNDRangeKernel,
     (cl_command_queue queue, cl_kernel kernel, cl_uint dim, const size_t *offset,
      const size_t *global, const size_t *local, cl_uint num_wait, const cl_event *wait,
      cl_event *event))
{
    ENQUEUE(wrap_ndrange, __real_clEnqueueNDRangeKernel(queue, kernel, dim, offset, global, local,
                                                        num_wait, wait, event));
}

WRAP(cl_int, clEnqueueMarkerWithWaitList,
     (cl_command_queue queue, cl_uint num_wait, const cl_event *wait, cl_event *event))
{
    ENQUEUE(wrap_marker, __real_clEnqueueMarkerWithWaitList(queue, num_wait, wait, event));
}

WRAP(cl_int, clEnqueueFillBuffer,
     (cl_command_queue queue, cl_mem mem, const void *pattern, size_t pattern_size, size_t offset,
      size_t size, cl_uint num_wait, const cl_event *wait, cl_event *event))
{
    ENQUEUE(wrap_fill, __real_clEnqueueFillBuffer(queue, mem, pattern, pattern_size, offset, size,
                                                  num_wait, wait, event));
}

WRAP(cl_int, clEnqueueCopyBuffer,
     (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
      size_t size, cl_uint num_wait, const cl_event *wait, cl_event *event))
{
    ENQUEUE(wrap_copy, __real_clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size,
                                                  num_wait, wait, event));
}

WRAP(cl_int, clEnqueueWriteBuffer,
     (cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset, size_t size,
      const void *from, cl_uint num_wait, const cl_event *wait, cl_event *event))
{
    ENQUEUE(wrap_write, __real_clEnqueueWriteBuffer(queue, mem, blocking, offset, size, from,
                                                    num_wait, wait, event));
}

WRAP(cl_int, clEnqueueReadBuffer,
     (cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset, size_t size, void *to,
      cl_uint num_wait, const cl_event *wait, cl_event *event))
{
    ENQUEUE(wrap_read, __real_clEnqueueReadBuffer(queue, mem, blocking, offset, size, to, num_wait,
                                                  wait, event));
}

WRAP(cl_mem, clCreateBuffer,
     (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code))
{
    *code = count(&wrap_create, false);
    if (*code)
        return NULL;
    cl_mem mem = __real_clCreateBuffer(context, flags, size, host, code);
    made(&wrap_live_mem, true, *code);
    return mem;
}

WRAP(cl_int, clReleaseMemObject, (cl_mem mem))
{
    return gone(&wrap_live_mem, __real_clReleaseMemObject(mem));
}

WRAP(cl_event, clCreateUserEvent, (cl_context context, cl_int *code))
{
    cl_event event = __real_clCreateUserEvent(context, code);
    made(&wrap_live_events, event != NULL, CL_SUCCESS);
    return event;
}

WRAP(cl_int, clRetainEvent, (cl_event event))
{
    return made(&wrap_live_events, true, __real_clRetainEvent(event));
}

WRAP(cl_int, clReleaseEvent, (cl_event event))
{
    return gone(&wrap_live_events, __real_clReleaseEvent(event));
}

WRAP(cl_int, clFinish, (cl_command_queue queue))
{
    count(&wrap_finish, false);
    return __real_clFinish(queue);
}
