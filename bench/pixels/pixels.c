/* SPDX-License-Identifier: Apache-2.0 */
/* The pixel area of the benchmark: sets, orders, single events and batches, and the lines printed.
 */
#include <string.h>

#include "bench/pixels/job.h"
#include "bench/row.h"

/* Bytes of a digi: id, x, y and adc are read, label and id are written. */
#define DIGI_READ    8.0
#define DIGI_WRITTEN 6.0
#define DIGI_BYTES   (DIGI_READ + DIGI_WRITTEN)

static void add_spread(mote_spread *sum, const mote_spread *part, double share)
{
    sum->median += share * part->median;
    sum->low += share * part->low;
    sum->high += share * part->high;
}

static mote_bench_target target_of(const mote_bench_job *j, bool batch)
{
    char way[40];

    if (j->way->positions || j->way->mask || j->way->lines)
        return (mote_bench_target){0};
    snprintf(way, sizeof(way), "%s %s%s", j->way->order == MOTE_ORDER_ANY ? "any" : "contiguous",
             batch ? "batch" : "one",
             j->way->strategy == MOTE_PIXELS_HISTOGRAM ? " histogram" : "");
    return mote_bench_target_of(j->bench, (mote_bench_line){.area = "pixels",
                                                            .call = "cluster",
                                                            .set = j->set->name,
                                                            .way = way,
                                                            .scale = 1,
                                                            .peer_us = j->bench->peer_us});
}

static void print_head(const mote_bench_options *o)
{
    fprintf(o->table,
            "pixels: microseconds an event%s%s\n"
            "%-7s %-10s %-5s %8s %9s %19s %9s %9s %9s %9s %8s %7s%s\n",
            o->peers ? "; x peer = native time on one core / device time" : "",
            o->target ? "; target: <= microseconds, >= Gdigi/s" : "", "set", "order", "event",
            "digis", "device", "10 % .. 90 %", "in a row", "whole", "pinned", "bus", "Gdigi/s",
            "% copy", mote_bench_extra_head(o, false).text);
}

static void report_json(const mote_bench_job *j, bool batch, double digis,
                        const mote_bench_figures *f, double rate, const mote_bench_target *target)
{
    fprintf(j->bench->options->json,
            "{\"area\":\"pixels\",\"set\":\"%s\",\"order\":\"%s\",\"event\":\"%s\","
            "\"digis\":%.1f,\"device_us\":%.3f,\"device_us_10\":%.3f,\"device_us_90\":%.3f,"
            "\"in_a_row_us\":%.3f,\"whole_us\":%.3f,\"pinned_us\":%.3f,\"bus_us\":%.3f,\"gdigi_s\":"
            "%.4f,\"target_us\":%g,"
            "\"target_gdigi_s\":%g,\"peer_us\":%.3f,\"checked\":%s}\n",
            j->set->name, j->way->name, batch ? "batch" : "one", digis, f->call.device.median,
            f->call.device.low, f->call.device.high, f->call.in_a_row, f->whole.median,
            f->pinned.median, f->bus.median, rate, target->us, target->rate, j->bench->peer_us,
            j->bench->options->no_check ? "false" : "true");
}

/* A call on this number of events; us: for one event. */
static void report_point(const mote_bench_job *j, double digis, double events, double us)
{
    const mote_bench_options *o = j->bench->options;
    double n = digis * events;
    mote_bytes bytes = {.read = n * DIGI_READ, .written = n * DIGI_WRITTEN};

    ++*j->bench->rows;
    if (o->point)
        o->point(&(mote_bench_point){.area = "pixels",
                                     .call = "cluster",
                                     .way = j->way->name,
                                     .size = n * DIGI_BYTES,
                                     .n = n,
                                     .us = us * events,
                                     .limit_us = mote_bandwidth_floor(&j->bench->bandwidth, bytes),
                                     .bytes = bytes,
                                     .bandwidth = &j->bench->bandwidth},
                 o->point_user);
}

typedef struct cell {
    char text[32];
} cell;

/* Returns a time as text; 0 was not measured. */
static cell cell_of(double us)
{
    cell out = {"-"};
    if (us > 0)
        snprintf(out.text, sizeof(out.text), "%.1f", us);
    return out;
}

/* Prints one line; the times in `f` are those of one event. */
static void report(const mote_bench_job *j, bool batch, double digis, const mote_bench_figures *f)
{
    const mote_bench_options *o = j->bench->options;
    mote_bench_target target = target_of(j, batch);
    double us = f->call.device.median;
    double rate = us > 0 ? digis / us * 1e-3 : 0;
    double copy = j->bench->bandwidth.memory[MOTE_TRAFFIC_COPY].gb_s;

    if (o->table) {
        fprintf(o->table,
                "%-7s %-10s %-5s %8.0f %9.1f %8.1f ..%8.1f %9.1f %9s %9s %9s %8.3f %7.2f%s\n",
                j->set->name, j->way->name, batch ? "batch" : "one", digis, us, f->call.device.low,
                f->call.device.high, f->call.in_a_row, cell_of(f->whole.median).text,
                cell_of(f->pinned.median).text, cell_of(f->bus.median).text, rate,
                copy > 0 ? 100 * rate * DIGI_BYTES / copy : 0,
                mote_bench_extra_of(o, us > 0 ? j->bench->peer_us / us : 0, &target, false).text);
        fflush(o->table);
    }
    if (o->json)
        report_json(j, batch, digis, f, rate, &target);
}

/* Measures a call on the given digis; its times are added to `sum`, multiplied by `share`. */
static mote_bench_status run_job(mote_bench_job *j, mote_bench_state *bench,
                                 const mote_bench_set *set, const mote_bench_way *way,
                                 mote_digis *digis, double share, mote_bench_figures *sum)
{
    mote_bench_figures f = {0};
    mote_bench_status status = mote_bench_job_create(j, bench, set, way, digis);

    if (!status)
        status = mote_bench_job_measure(j, &f);
    add_spread(&sum->call.device, &f.call.device, share);
    add_spread(&sum->whole, &f.whole, share);
    add_spread(&sum->pinned, &f.pinned, share);
    add_spread(&sum->bus, &f.bus, share);
    sum->call.in_a_row += share * f.call.in_a_row;
    mote_bench_job_release(j);
    return status;
}

/* Measures one event per call, averaged over the events. Empty events need no time on the
 * device. */
static mote_bench_status run_single(mote_bench_state *bench, const mote_bench_set *set,
                                    const mote_digis *digis, const mote_bench_way *way)
{
    mote_bench_figures sum = {0};
    mote_bench_status status = MOTE_BENCH_OK;
    double events = (double)digis->n_events;
    mote_bench_job j = {0};

    for (size_t e = 0; e < digis->n_events && !status; e++) {
        mote_digis one;

        if (digis->event_offsets[e] == digis->event_offsets[e + 1])
            continue;
        if (!mote_digis_event(digis, e, &one)) {
            snprintf(bench->message, bench->size, "no memory for an event of %s", set->name);
            return MOTE_BENCH_DEVICE;
        }
        status = run_job(&j, bench, set, way, &one, 1 / events, &sum);
    }
    if (!status)
        report(&j, false, (double)digis->n / events, &sum);
    if (!status)
        report_point(&j, (double)digis->n / events, 1, sum.call.device.median);
    return status;
}

static mote_bench_status run_batch(mote_bench_state *bench, const mote_bench_set *set,
                                   const mote_digis *digis, const mote_bench_way *way)
{
    mote_bench_figures sum = {0};
    double events = (double)digis->n_events;
    mote_digis copy;
    mote_bench_job j = {0};

    if (!mote_digis_copy(digis, &copy)) {
        snprintf(bench->message, bench->size, "no memory for the batch of %s", set->name);
        return MOTE_BENCH_DEVICE;
    }
    mote_bench_status status = run_job(&j, bench, set, way, &copy, 1 / events, &sum);

    if (!status)
        report(&j, true, (double)digis->n / events, &sum);
    if (!status)
        report_point(&j, (double)digis->n / events, events, sum.call.device.median);
    return status;
}

static mote_bench_status run_way(mote_bench_state *bench, const mote_bench_set *set,
                                 const mote_digis *digis, const mote_bench_way *way)
{
    const char *event = bench->options->event;
    mote_bench_status status = MOTE_BENCH_OK;

    if (!event || strcmp(event, "batch") != 0)
        status = run_single(bench, set, digis, way);
    if (!status && (!event || strcmp(event, "one") != 0))
        status = run_batch(bench, set, digis, way);
    return status;
}

/* A CPU would run the histogram strategy's GPU kernels, for minutes, so only on request. */
static bool wants(const mote_bench_state *bench, const mote_bench_way *way)
{
    const mote_bench_options *o = bench->options;
    bool any = way->order == MOTE_ORDER_ANY, histogram = way->strategy == MOTE_PIXELS_HISTOGRAM;
    bool gpu = mote_context_device(bench->ctx)->device_class == MOTE_DEVICE_GPU;

    if (o->order && strcmp(o->order, "both") != 0 && strcmp(o->order, any ? "any" : "contiguous"))
        return false;
    if (!mote_bench_wants(bench, way->name) || (way->named && !o->only))
        return false;
    if (!o->strategy)
        return !histogram || gpu;
    return strcmp(o->strategy, "both") == 0 ||
           strcmp(o->strategy, histogram ? "histogram" : "union_find") == 0;
}

/* Rows of one order follow each other, so that digis are permuted once. */
static const mote_bench_way ways[] = {
    {.name = "contiguous", .order = MOTE_ORDER_CONTIGUOUS},
    {.name = "positions", .order = MOTE_ORDER_CONTIGUOUS, .positions = true},
    {.name = "mask", .order = MOTE_ORDER_CONTIGUOUS, .mask = true},
    {.name = "gain", .order = MOTE_ORDER_CONTIGUOUS, .lines = true},
    {.name = "histogram", .order = MOTE_ORDER_CONTIGUOUS, .strategy = MOTE_PIXELS_HISTOGRAM},
    {.name = "charges32", .order = MOTE_ORDER_CONTIGUOUS, .named = true, .wide = true},
    {.name = "first",
     .order = MOTE_ORDER_CONTIGUOUS,
     .named = true,
     .duplicates = MOTE_DUPLICATES_FIRST},
    {.name = "sum",
     .order = MOTE_ORDER_CONTIGUOUS,
     .named = true,
     .duplicates = MOTE_DUPLICATES_SUM},
    {.name = "max",
     .order = MOTE_ORDER_CONTIGUOUS,
     .named = true,
     .duplicates = MOTE_DUPLICATES_MAX},
    {.name = "threshold", .order = MOTE_ORDER_CONTIGUOUS, .named = true, .threshold = true},
    {.name = "morph", .order = MOTE_ORDER_CONTIGUOUS, .named = true, .morph = true},
    {.name = "any", .order = MOTE_ORDER_ANY},
};

#define N_WAYS (sizeof(ways) / sizeof(ways[0]))

const char *mote_bench_pixels_call(size_t k)
{
    static const char *const others[] = {"time", "digis", "measure", NULL};

    return k < N_WAYS ? ways[k].name : others[k - N_WAYS];
}

static mote_bench_status run_set(mote_bench_state *bench, const mote_bench_set *set)
{
    const mote_bench_options *o = bench->options;
    bool permuted = false;
    mote_digis digis;
    mote_bench_status status = mote_bench_set_load(set, o, &digis, bench->message, bench->size);

    if (status)
        return status;
    if (o->peers)
        status = mote_bench_pixels_peers(bench, set, &digis);
    for (size_t w = 0; w < N_WAYS && !status; w++) {
        bool any = ways[w].order == MOTE_ORDER_ANY;

        if (any && !permuted)
            mote_digis_permute(&digis, 1, NULL);
        permuted = any;
        if (wants(bench, &ways[w]))
            status = run_way(bench, set, &digis, &ways[w]);
    }
    mote_digis_free(&digis);
    return status;
}

mote_bench_status mote_bench_pixels(mote_bench_state *bench)
{
    const mote_bench_options *o = bench->options;
    mote_bench_status status = MOTE_BENCH_OK;
    bool events = false;

    for (size_t w = 0; w < N_WAYS; w++)
        events = events || mote_bench_wants(bench, ways[w].name);
    if (o->table && events)
        print_head(o);
    for (size_t i = 0; i < mote_bench_set_count() && !status && events; i++) {
        const mote_bench_set *set = mote_bench_set_at(i);

        if (!o->set || strcmp(o->set, set->name) == 0)
            status = run_set(bench, set);
    }
    if (!status && (mote_bench_wants(bench, "digis") || mote_bench_wants(bench, "measure")))
        status = mote_bench_measure(bench);
    if (!status && mote_bench_wants(bench, "time"))
        status = mote_bench_time(bench);
    if (!status && mote_bench_wants(bench, "time"))
        status = mote_bench_timepix3(bench);
    return status;
}
