/* SPDX-License-Identifier: Apache-2.0 */
/* Workers on all devices of a run, which share the portions of a pipeline. */
#ifndef MOTE_TOOL_COMMON_CREW_H
#define MOTE_TOOL_COMMON_CREW_H

#include "devices.h"
#include "pipeline.h"

/* A thread with its own queue and memory on one of the devices. */
typedef struct device_worker {
    struct device_workers *workers;
    mote_context *ctx;
    mote_host *host;
    /* Data that `work` keeps from portion to portion, for `end` to free; NULL at first. */
    void *own;
    double device_s;      /* seconds in calls of the library */
    uint64_t units;       /* units (such as frames) of the last portion: set by `work` */
    uint64_t units_built; /* units of portions during which kernels were built */
    tool_failure failure;
    size_t failed_at; /* portion */
    pthread_t thread;
    bool started;
} device_worker;

typedef struct device_workers {
    pipeline *pipeline;
    device_list devices;
    size_t each; /* workers of a GPU; a CPU has one */
    void *job;
    bool (*ready)(struct device_workers
                      *workers); /* called when the devices are open; NULL = nothing to do */
    bool (*work)(device_worker *worker, size_t slot); /* false: the reason is in worker->failure */
    void (*end)(device_worker *worker);               /* NULL = nothing to do */
    tool_failure failure; /* the first one in the order of the portions */
    double device_s;      /* of the busiest worker */
    uint64_t units_built; /* sum over all workers */
} device_workers;

/* Finds the devices that `spec` means, and makes a pipeline with room for two batches a worker and
 * `more`. Returns as many zeroed batches of `bytes` each, to be freed, or NULL with an exit code
 * after a message. The pipeline is to be freed when it has slots. */
void *workers_prepare(device_workers *workers, const char *spec, size_t more, size_t bytes,
                      int *code);

/* Opens the devices, unless they are open; false: the reason is in workers->failure. */
bool workers_open(device_workers *workers);

/* A thread: opens the devices, which devices_find() has found, works until nothing is left or one
 * fails, and returns NULL. Failures that tool_fail() reports meanwhile are kept as the worker's. */
void *workers_run(void *workers);

#endif
