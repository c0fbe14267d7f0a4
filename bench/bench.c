/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/bench.h"

#include <string.h>

typedef struct area {
    const char *name;
    mote_bench_status (*run)(mote_bench_state *bench);
    const char *(*set)(size_t k);
    const char *(*call)(size_t k); /* words for `only` */
} area;

/* The calls of areas that have a single one. */
static const char *reduce_call(size_t k)
{
    return k ? NULL : "reduce";
}

static const char *histogram_call(size_t k)
{
    return k ? NULL : "histogram";
}

static const area areas[] = {
    {"pixels", mote_bench_pixels, mote_bench_pixels_set, mote_bench_pixels_call},
    {"jagged", mote_bench_jagged, mote_bench_jagged_set, mote_bench_jagged_call},
    {"reduce", mote_bench_reduce, mote_bench_reduce_set, reduce_call},
    {"histogram", mote_bench_histogram, mote_bench_histogram_set, histogram_call},
    {"coordination", mote_bench_coordination, mote_bench_coordination_set,
     mote_bench_coordination_call},
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

static bool wanted(const mote_bench_options *o, const area *a)
{
    return !o->area || strcmp(o->area, a->name) == 0;
}

/* True if a name is that of the first `length` characters of a word. */
static bool has(const char *(*name)(size_t k), const char *word, size_t length)
{
    for (size_t k = 0; name(k); k++)
        if (strlen(name(k)) == length && strncmp(name(k), word, length) == 0)
            return true;
    return false;
}

static bool wants_set(const mote_bench_options *o, const area *a)
{
    return wanted(o, a) && (!o->set || has(a->set, o->set, strlen(o->set)));
}

/* Returns the first of the calls, separated by commas, that no requested area has; NULL if all are
 * known. */
static const char *find_unknown(const mote_bench_options *o)
{
    for (const char *word = o->only; word && *word;) {
        size_t length = strcspn(word, ",");
        bool known = false;

        for (size_t i = 0; i < N_AREAS; i++)
            known = known || (wanted(o, &areas[i]) && has(areas[i].call, word, length));
        if (!known)
            return word;
        word += length + (word[length] == ',');
    }
    return NULL;
}

static bool has_set(const mote_bench_options *o)
{
    for (size_t i = 0; i < N_AREAS; i++)
        if (wants_set(o, &areas[i]))
            return true;
    return false;
}

/* Returns `names`, which receives the sets or calls of the requested areas. */
static const char *list_names(const mote_bench_options *o, bool set, char *names, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < N_AREAS; i++) {
        const char *(*name)(size_t k) = set ? areas[i].set : areas[i].call;

        for (size_t k = 0; wanted(o, &areas[i]) && name(k) && used < size; k++)
            used += (size_t)snprintf(names + used, size - used, "%s%s", used ? ", " : "one of ",
                                     name(k));
    }
    return names;
}

static mote_bench_status check_words(const mote_bench_options *o, char *message, size_t size)
{
    static const char *const events[] = {"one", "batch", "both", NULL};
    static const char *const orders[] = {"contiguous", "any", "both", NULL};
    static const char *const strategies[] = {"union_find", "histogram", "both", NULL};
    char names[512] = "";
    const char *unknown;
    bool known = false;

    for (size_t i = 0; i < N_AREAS; i++)
        known = known || wanted(o, &areas[i]);
    if (!known)
        snprintf(message, size,
                 "unknown area '%s': expected pixels, jagged, reduce, histogram or coordination",
                 o->area);
    else if (!one_of(o->event, events))
        snprintf(message, size, "unknown event '%s': expected one, batch or both", o->event);
    else if (!one_of(o->order, orders))
        snprintf(message, size, "unknown order '%s': expected contiguous, any or both", o->order);
    else if (!one_of(o->strategy, strategies))
        snprintf(message, size, "unknown strategy '%s': expected union_find, histogram or both",
                 o->strategy);
    else if ((unknown = find_unknown(o)))
        snprintf(message, size, "unknown call '%.*s': expected %s", (int)strcspn(unknown, ","),
                 unknown, list_names(o, false, names, sizeof(names)));
    else if (!has_set(o))
        snprintf(message, size, "unknown set '%s': expected %s", o->set,
                 list_names(o, true, names, sizeof(names)));
    else
        return MOTE_BENCH_OK;
    return MOTE_BENCH_USAGE;
}

static void print_device(const mote_bench_state *bench)
{
    const mote_device_info *d = mote_context_device(bench->ctx);
    const mote_bench_options *o = bench->options;
    const mote_bandwidth *b = &bench->bandwidth;
    static const char *const keys[MOTE_TRAFFICS] = {"copy", "fill", "read"};
    static const char *const words[MOTE_TRAFFICS] = {"copy (read + write)", "fill", "read"};

    if (o->table) {
        fprintf(o->table, "%s (%s, driver %s), %u compute units, opened as %s\n", d->name,
                d->platform, d->driver, d->compute_units, d->spec);
        for (int k = 0; k < MOTE_TRAFFICS; k++)
            fprintf(o->table, "%s %.1f GB/s (%s), in cache %.1f GB/s (%s)\n", words[k],
                    b->memory[k].gb_s, b->memory[k].by, b->cache[k].gb_s, b->cache[k].by);
        fprintf(o->table, "an empty launch takes %.1f us\n\n", b->launch_us);
    }
    if (!o->json)
        return;
    fprintf(o->json, "{\"device\":\"%s\",\"driver\":\"%s\",\"compute_units\":%u,", d->name,
            d->driver, d->compute_units);
    for (int k = 0; k < MOTE_TRAFFICS; k++)
        fprintf(o->json, "\"%s_gb_s\":%.3f,\"%s_by\":\"%s\",\"%s_cache_gb_s\":%.3f,", keys[k],
                b->memory[k].gb_s, keys[k], b->memory[k].by, keys[k], b->cache[k].gb_s);
    fprintf(o->json, "\"launch_us\":%.3f,\"version\":\"%s\"}\n", b->launch_us, mote_version());
}

static mote_bench_status run_areas(mote_bench_state *bench)
{
    mote_bench_status status = MOTE_BENCH_OK;

    for (size_t i = 0; i < N_AREAS && !status; i++)
        if (wants_set(bench->options, &areas[i]))
            status = areas[i].run(bench);
    return status;
}

static mote_bench_status run_choices(mote_bench_state *bench)
{
    const mote_bench_options *all = bench->options;
    mote_bench_status status = MOTE_BENCH_OK;

    for (const mote_bench_choice *c = all->choices; c->area && !status; c++) {
        mote_bench_options one = *all;

        one.area = c->area;
        one.set = c->set;
        one.only = c->only;
        one.event = c->event;
        one.way = c->way;
        one.table = NULL;
        bench->options = &one;
        status = run_areas(bench);
    }
    bench->options = all;
    return status;
}

static mote_bench_status run(mote_bench_state *bench)
{
    mote_bench_options options = *bench->options;
    bool cpu = mote_context_device(bench->ctx)->device_class == MOTE_DEVICE_CPU;

    options.quick = options.quick || (options.choices && cpu);
    bench->options = &options;
    if (!options.trial) {
        bench->bandwidth = mote_bandwidth_measure(bench->ctx, bench->queue, options.quick);
        print_device(bench);
    }
    return options.choices ? run_choices(bench) : run_areas(bench);
}

/* Fails because the options exclude each other's rows. */
static mote_bench_status no_row(const mote_bench_options *o, char *message, size_t size)
{
    const char *const words[][2] = {{"area", o->area},   {"set", o->set},
                                    {"only", o->only},   {"event", o->event},
                                    {"order", o->order}, {"strategy", o->strategy}};
    int used = snprintf(message, size, "no row matches all of");

    for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++)
        if (words[k][1] && used >= 0 && (size_t)used < size)
            used +=
                snprintf(message + used, size - (size_t)used, " --%s %s", words[k][0], words[k][1]);
    return MOTE_BENCH_USAGE;
}

mote_bench_status mote_bench(const mote_bench_options *options, char *message, size_t size)
{
    size_t rows = 0;
    mote_bench_state bench = {.options = options, .message = message, .size = size, .rows = &rows};
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
        result = run(&bench);
        if (!result && !rows && !options->trial && !options->choices)
            result = no_row(options, message, size);
    }
    if (bench.queue)
        clReleaseCommandQueue(bench.queue);
    mote_context_release(bench.ctx);
    return result;
}
