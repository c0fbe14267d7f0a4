/* SPDX-License-Identifier: Apache-2.0 */
#include "device_workers.h"
#include "building.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static void *work(void *user)
{
    device_worker *w = user;
    pipeline *p = w->workers->pipeline;
    size_t portion = 0;
    tool_keep_failures(&w->failure);
    mote_status status = mote_host_create(w->ctx, NULL, &w->host);
    bool good = !status || failure_of_library(&w->failure, status);
    while (good && pipeline_take(p, &portion)) {
        building_call call = building_begin(w->ctx);
        good = w->workers->work(w, portion % p->slots);
        w->units_built += building_end(&call) ? w->units : 0;
        if (good)
            pipeline_done(p, portion);
    }
    if (!good) {
        w->failed_at = portion;
        pipeline_fail(p, portion);
    }
    tool_keep_failures(NULL);
    return NULL;
}

/* The first worker uses the thread that starts the others. */
static void start(device_worker *w, device_workers *workers, mote_context *ctx, bool first)
{
    *w = (device_worker){.workers = workers, .ctx = ctx, .failure.code = TOOL_GO_ON};
    w->started = !first && pthread_create(&w->thread, NULL, work, w) == 0;
    if (!first && !w->started) {
        failure_set(&w->failure, TOOL_DEVICE, "no thread can be started");
        pipeline_fail(workers->pipeline, 0);
    }
}

/* Waits for a worker, and keeps its failure if it precedes those of others. */
static void end(device_worker *w, size_t *first)
{
    device_workers *workers = w->workers;
    if (w->started)
        pthread_join(w->thread, NULL);
    if (w->failure.code != TOOL_GO_ON && w->failed_at < *first) {
        *first = w->failed_at;
        workers->failure = w->failure;
    }
    if (w->device_s > workers->device_s)
        workers->device_s = w->device_s;
    workers->units_built += w->units_built;
    if (workers->end)
        workers->end(w);
    mote_host_release(w->host);
}

/* At most as many workers as cores, because their work besides the device takes most of the
 * time. */
static size_t workers_of(const device_workers *workers, size_t device)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = cores > 0 ? (size_t)cores / workers->devices.count : 1;
    size_t each = workers->each < most ? workers->each : most;
    bool cpu = mote_context_device(workers->devices.ctx[device])->device_class == MOTE_DEVICE_CPU;
    return cpu || !each ? 1 : each;
}

static bool run_workers(device_workers *workers)
{
    size_t most = workers->devices.count * (workers->each ? workers->each : 1), count = 0;
    device_worker *worker = calloc(most, sizeof(*worker));
    size_t first = SIZE_MAX;
    if (!worker)
        return failure_set(&workers->failure, TOOL_DEVICE, "out of memory");
    /* One on each device first, because the first portions are assigned in this order. */
    for (size_t turn = 0; turn < most / workers->devices.count; turn++)
        for (size_t d = 0; d < workers->devices.count; d++)
            if (turn < workers_of(workers, d)) {
                start(&worker[count], workers, workers->devices.ctx[d], count == 0);
                count++;
            }
    work(&worker[0]);
    for (size_t i = 0; i < count; i++)
        end(&worker[i], &first);
    free(worker);
    return true;
}

void *workers_prepare(device_workers *workers, const char *spec, size_t more, size_t bytes,
                      int *code)
{
    *code = devices_find(spec, &workers->devices);
    if (*code != TOOL_GO_ON)
        return NULL;
    size_t slots = 2 * workers->devices.count * workers->each + more;
    void *batches = calloc(slots, bytes);
    if (!pipeline_init(workers->pipeline, slots) || !batches) {
        *code = tool_fail(TOOL_DEVICE, "out of memory");
        free(batches);
        return NULL;
    }
    return batches;
}

bool workers_open(device_workers *workers)
{
    return workers->devices.ctx[0] || devices_open(&workers->devices, &workers->failure);
}

void *workers_run(void *user)
{
    device_workers *workers = user;
    workers->failure.code = TOOL_GO_ON;
    bool good = workers_open(workers);
    good = good && (!workers->ready || workers->ready(workers));
    if (!good || !run_workers(workers))
        pipeline_fail(workers->pipeline, 0);
    return NULL;
}
