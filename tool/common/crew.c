/* SPDX-License-Identifier: Apache-2.0 */
#include "crew.h"
#include "building.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static void *work(void *user)
{
    crew_worker *w = user;
    pipeline *p = w->crew->pipeline;
    size_t portion = 0;
    tool_keep_failures(&w->failure);
    mote_status status = mote_host_create(w->ctx, NULL, &w->host);
    bool good = !status || failure_of_library(&w->failure, status);
    while (good && pipeline_take(p, &portion)) {
        building_call call = building_begin(w->ctx);
        good = w->crew->work(w, portion % p->slots);
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
static void start(crew_worker *w, device_crew *crew, mote_context *ctx, bool first)
{
    *w = (crew_worker){.crew = crew, .ctx = ctx, .failure.code = TOOL_GO_ON};
    w->started = !first && pthread_create(&w->thread, NULL, work, w) == 0;
    if (!first && !w->started) {
        failure_set(&w->failure, TOOL_DEVICE, "no thread can be started");
        pipeline_fail(crew->pipeline, 0);
    }
}

/* Waits for a worker, and keeps its failure if it precedes those of others. */
static void end(crew_worker *w, size_t *first)
{
    device_crew *crew = w->crew;
    if (w->started)
        pthread_join(w->thread, NULL);
    if (w->failure.code != TOOL_GO_ON && w->failed_at < *first) {
        *first = w->failed_at;
        crew->failure = w->failure;
    }
    if (w->device_s > crew->device_s)
        crew->device_s = w->device_s;
    crew->units_built += w->units_built;
    if (crew->end)
        crew->end(w);
    mote_host_release(w->host);
}

/* At most as many workers as cores, because their work besides the device takes most of the
 * time. */
static size_t workers_of(const device_crew *crew, size_t device)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = cores > 0 ? (size_t)cores / crew->devices.count : 1;
    size_t each = crew->each < most ? crew->each : most;
    bool cpu = mote_context_device(crew->devices.ctx[device])->device_class == MOTE_DEVICE_CPU;
    return cpu || !each ? 1 : each;
}

static bool run_workers(device_crew *crew)
{
    size_t most = crew->devices.count * (crew->each ? crew->each : 1), count = 0;
    crew_worker *workers = calloc(most, sizeof(*workers));
    size_t first = SIZE_MAX;
    if (!workers)
        return failure_set(&crew->failure, TOOL_DEVICE, "out of memory");
    /* One on each device first, because the first portions are assigned in this order. */
    for (size_t turn = 0; turn < most / crew->devices.count; turn++)
        for (size_t d = 0; d < crew->devices.count; d++)
            if (turn < workers_of(crew, d)) {
                start(&workers[count], crew, crew->devices.ctx[d], count == 0);
                count++;
            }
    work(&workers[0]);
    for (size_t i = 0; i < count; i++)
        end(&workers[i], &first);
    free(workers);
    return true;
}

void *crew_prepare(device_crew *crew, const char *spec, size_t more, size_t bytes, int *code)
{
    *code = devices_find(spec, &crew->devices);
    if (*code != TOOL_GO_ON)
        return NULL;
    size_t slots = 2 * crew->devices.count * crew->each + more;
    void *batches = calloc(slots, bytes);
    if (!pipeline_init(crew->pipeline, slots) || !batches) {
        *code = tool_fail(TOOL_DEVICE, "out of memory");
        free(batches);
        return NULL;
    }
    return batches;
}

bool crew_open(device_crew *crew)
{
    return crew->devices.ctx[0] || devices_open(&crew->devices, &crew->failure);
}

void *crew_run(void *user)
{
    device_crew *crew = user;
    crew->failure.code = TOOL_GO_ON;
    bool good = crew_open(crew);
    good = good && (!crew->ready || crew->ready(crew));
    if (!good || !run_workers(crew))
        pipeline_fail(crew->pipeline, 0);
    return NULL;
}
