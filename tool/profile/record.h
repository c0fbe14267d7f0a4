/* SPDX-License-Identifier: Apache-2.0 */
/* Stores the collected launches, and their sums by device and kernel. */
#ifndef MOTE_TOOL_PROFILE_RECORD_H
#define MOTE_TOOL_PROFILE_RECORD_H

#include "../io/out.h"

/* A device, in a context that is retained. */
typedef struct profile_device {
    cl_device_id id;
    cl_context context;
    char name[128];
    cl_ulong first; /* earliest start of a launch, nanoseconds of its own clock */
    double busy_ns; /* of all launches */
} profile_device;

/* The launches of one kernel on one device; copies of host calls count as kernels. */
typedef struct profile_kernel {
    const char *name;
    size_t device;
    bool copies; /* the copies are between host and device */
    uint64_t launches;
    uint64_t unsaid;  /* number of launches that do not state a number of bytes */
    double ns, bytes; /* bytes: sum over the launches that state a number */
} profile_kernel;

/* A launch in the trace. */
typedef struct profile_span {
    size_t kernel, queue;
    cl_ulong start, end;
    uint64_t bytes;
    size_t global, local;
} profile_span;

typedef struct profile_record {
    profile_device *devices;
    profile_kernel *kernels;
    cl_command_queue *queues; /* of the spans; only compared: they may have been released */
    profile_span *spans;      /* only for a trace */
    size_t n_devices, n_kernels, n_queues, n_spans, spans_left_out;
    size_t untimed; /* number of launches without times, or for which memory was exhausted */
} profile_record;

/* Adds a finished launch. */
void profile_record_add(profile_record *r, const mote_launch_record *launch, bool keep_span);

void profile_record_free(profile_record *r);

/* Prints the table on stderr; measures the bandwidth of each device for it. */
void profile_table(const profile_record *r);

/* Writes the trace in the trace event format: one process for each device, one thread for each
 * queue. */
void profile_trace(const profile_record *r, out_file *out);

#endif
