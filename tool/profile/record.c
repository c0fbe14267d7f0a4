/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include <stdlib.h>
#include <string.h>

/* Largest number of spans of a trace, because viewers do not benefit from more. */
#define MOST_SPANS ((size_t)1 << 20)

/* Makes room for one more element after `n` elements, whose memory grows at powers of two; returns
 * NULL if memory is exhausted.
 */
static void *grow(void *array, size_t n, size_t size)
{
    return n & (n - 1) ? array : realloc(array, (n ? 2 * n : 1) * size);
}

static bool ask_device(cl_command_queue queue, profile_device *device)
{
    *device = (profile_device){.first = ~(cl_ulong)0};
    return clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device->id), &device->id, NULL) ==
               CL_SUCCESS &&
           clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(device->context), &device->context,
                                 NULL) == CL_SUCCESS;
}

/* Returns the index of the device that the queue belongs to; n_devices if memory is exhausted. */
static size_t find_device(profile_record *r, cl_command_queue queue)
{
    profile_device device;
    if (!ask_device(queue, &device))
        return r->n_devices;
    for (size_t i = 0; i < r->n_devices; i++)
        if (r->devices[i].id == device.id)
            return i;
    profile_device *grown = grow(r->devices, r->n_devices, sizeof(*grown));
    if (!grown)
        return r->n_devices;
    r->devices = grown;
    if (clRetainContext(device.context) != CL_SUCCESS)
        return r->n_devices;
    if (clGetDeviceInfo(device.id, CL_DEVICE_NAME, sizeof(device.name), device.name, NULL))
        strcpy(device.name, "device");
    grown[r->n_devices] = device;
    return r->n_devices++;
}

static size_t find_kernel(profile_record *r, size_t device, const mote_launch_record *launch)
{
    for (size_t i = 0; i < r->n_kernels; i++)
        if (r->kernels[i].device == device && strcmp(r->kernels[i].name, launch->kernel) == 0)
            return i;
    profile_kernel *grown = grow(r->kernels, r->n_kernels, sizeof(*grown));
    if (!grown)
        return r->n_kernels;
    r->kernels = grown;
    grown[r->n_kernels] =
        (profile_kernel){.name = launch->kernel, .device = device, .copies = !launch->global};
    return r->n_kernels++;
}

/* Returns the index of a queue; n_queues if memory is exhausted. */
static size_t find_queue(profile_record *r, cl_command_queue queue)
{
    for (size_t i = 0; i < r->n_queues; i++)
        if (r->queues[i] == queue)
            return i;
    cl_command_queue *grown = grow(r->queues, r->n_queues, sizeof(cl_command_queue));
    if (!grown)
        return r->n_queues;
    r->queues = grown;
    grown[r->n_queues] = queue;
    return r->n_queues++;
}

static void add_span(profile_record *r, profile_span *span, cl_command_queue queue)
{
    profile_span *grown =
        r->n_spans < MOST_SPANS ? grow(r->spans, r->n_spans, sizeof(*grown)) : NULL;
    if (grown)
        r->spans = grown;
    span->queue = grown ? find_queue(r, queue) : 0;
    if (grown && span->queue < r->n_queues)
        grown[r->n_spans++] = *span;
    else
        r->spans_left_out++;
}

static bool ask_times(cl_event event, cl_ulong *start, cl_ulong *end)
{
    return clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(*start), start,
                                   NULL) == CL_SUCCESS &&
           clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(*end), end, NULL) ==
               CL_SUCCESS &&
           *end >= *start;
}

void profile_record_add(profile_record *r, const mote_launch_record *launch, bool keep_span)
{
    cl_command_queue queue = NULL;
    profile_span span = {.bytes = launch->bytes, .global = launch->global, .local = launch->local};
    bool timed = clGetEventInfo(launch->event, CL_EVENT_COMMAND_QUEUE, sizeof(queue), &queue,
                                NULL) == CL_SUCCESS &&
                 ask_times(launch->event, &span.start, &span.end);
    size_t device = timed ? find_device(r, queue) : r->n_devices;
    size_t kernel = device < r->n_devices ? find_kernel(r, device, launch) : r->n_kernels;
    if (device == r->n_devices || kernel == r->n_kernels) {
        r->untimed++;
        return;
    }
    double ns = (double)(span.end - span.start);
    profile_kernel *k = &r->kernels[kernel];
    k->launches++;
    k->unsaid += launch->bytes == 0;
    k->bytes += (double)launch->bytes;
    k->ns += ns;
    profile_device *d = &r->devices[device];
    d->busy_ns += ns;
    d->first = span.start < d->first ? span.start : d->first;
    span.kernel = kernel;
    if (keep_span)
        add_span(r, &span, queue);
}

void profile_record_free(profile_record *r)
{
    for (size_t i = 0; i < r->n_devices; i++)
        clReleaseContext(r->devices[i].context);
    free(r->devices);
    free(r->kernels);
    free(r->queues);
    free(r->spans);
    *r = (profile_record){0};
}
