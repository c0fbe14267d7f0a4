/* SPDX-License-Identifier: Apache-2.0 */
#include "cases/bench.h"

#include <string.h>

typedef struct area {
    const char *name;
    mote_bench_status (*run)(mote_bench_state *bench);
} area;

static const area areas[] = {
    {"pixels", mote_bench_pixels},
};

#define N_AREAS (sizeof(areas) / sizeof(areas[0]))

static bool one_of(const char *word, const char *const *words)
{
    if (!word)
        return true;
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

static mote_bench_status check_words(const mote_bench_options *o, char *message, size_t size)
{
    static const char *const events[] = {"one", "batch", "both", NULL};
    static const char *const orders[] = {"contiguous", "any", "both", NULL};
    static const char *const sets[] = {"ttbar", "phase2", "hi", "patho", NULL};
    bool known = !o->area;

    for (size_t i = 0; i < N_AREAS; i++)
        known = known || strcmp(o->area, areas[i].name) == 0;
    if (!known)
        snprintf(message, size, "unknown area '%s': expected pixels", o->area);
    else if (!one_of(o->event, events))
        snprintf(message, size, "unknown event '%s': expected one, batch or both", o->event);
    else if (!one_of(o->order, orders))
        snprintf(message, size, "unknown order '%s': expected contiguous, any or both", o->order);
    else if (!one_of(o->set, sets))
        snprintf(message, size, "unknown set '%s': expected ttbar, phase2, hi or patho", o->set);
    else
        return MOTE_BENCH_OK;
    return MOTE_BENCH_USAGE;
}

static void print_device(const mote_bench_state *bench)
{
    const mote_device_info *d = mote_context_device(bench->ctx);
    const mote_bench_options *o = bench->options;

    if (o->table)
        fprintf(o->table,
                "%s (%s, driver %s), %u compute units, opened as %s\n"
                "copy %.1f GB/s (read + write), fill %.1f GB/s\n\n",
                d->name, d->platform, d->driver, d->compute_units, d->spec, bench->bandwidth.copy,
                bench->bandwidth.fill);
    if (o->json)
        fprintf(o->json,
                "{\"device\":\"%s\",\"driver\":\"%s\",\"compute_units\":%u,\"copy_gb_s\":%.3f,"
                "\"fill_gb_s\":%.3f,\"version\":\"%s\"}\n",
                d->name, d->driver, d->compute_units, bench->bandwidth.copy, bench->bandwidth.fill,
                mote_version());
}

static mote_bench_status run_areas(mote_bench_state *bench)
{
    mote_bench_status status = MOTE_BENCH_OK;
    const char *wanted = bench->options->area;

    bench->bandwidth = mote_bandwidth_measure(bench->ctx, bench->queue, bench->options->quick);
    print_device(bench);
    for (size_t i = 0; i < N_AREAS && !status; i++)
        if (!wanted || strcmp(wanted, areas[i].name) == 0)
            status = areas[i].run(bench);
    return status;
}

mote_bench_status mote_bench(const mote_bench_options *options, char *message, size_t size)
{
    mote_bench_state bench = {.options = options, .message = message, .size = size};
    mote_bench_status result = check_words(options, message, size);

    if (result)
        return result;
    mote_status status = mote_context_open(options->device, &bench.ctx);

    if (!status)
        status = mote_context_queue(bench.ctx, CL_QUEUE_PROFILING_ENABLE, &bench.queue);
    if (status) {
        snprintf(message, size, "%s", mote_last_error());
        result = MOTE_BENCH_DEVICE;
    } else {
        result = run_areas(&bench);
    }
    if (bench.queue)
        clReleaseCommandQueue(bench.queue);
    mote_context_release(bench.ctx);
    return result;
}
