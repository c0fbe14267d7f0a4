/* SPDX-License-Identifier: Apache-2.0 */
/* Native code on the inputs of the pixel benchmark, checked by its number of clusters. */
#include <stdlib.h>
#include <string.h>

#include "bench/pixels/sets.h"

/* The digis of a batch as native code holds them. */
typedef struct native {
    uint16_t *module_id, *adc;
    int32_t *cluster_id;
    uint32_t *n_clusters;
} native;

static void native_free(native *a)
{
    free(a->module_id);
    free(a->adc);
    free(a->cluster_id);
    free(a->n_clusters);
}

static bool native_create(const mote_digis *digis, native *a)
{
    size_t n = digis->n + 1;

    a->module_id = malloc(n * sizeof(uint16_t));
    a->adc = malloc(n * sizeof(uint16_t));
    a->cluster_id = malloc(n * sizeof(int32_t));
    a->n_clusters = malloc(digis->n_modules * sizeof(uint32_t));
    if (!a->module_id || !a->adc || !a->cluster_id || !a->n_clusters)
        return false;
    for (size_t i = 0; i < digis->n; i++) {
        a->module_id[i] = (uint16_t)digis->module_id[i];
        a->adc[i] = (uint16_t)digis->adc[i];
    }
    return true;
}

static mote_pixels_native event_of(const mote_digis *digis, const mote_bench_set *set,
                                   const native *a, size_t event)
{
    size_t first = digis->event_offsets[event];

    return (mote_pixels_native){
        .n = digis->event_offsets[event + 1] - first,
        .module_id = a->module_id + first,
        .x = digis->x + first,
        .y = digis->y + first,
        .adc = a->adc + first,
        .n_modules = digis->n_modules,
        .rows = digis->rows,
        .columns = digis->columns,
        .invalid_module_id = (uint16_t)digis->invalid_module_id,
        .charge_cut = set->charge_cut,
        .charge_cut_inner = set->charge_cut_inner,
        .inner_modules = set->inner_modules,
    };
}

/* Times an event in microseconds; `clusters` receives the number found. */
static mote_spread time_event(mote_pixels_peer_fn peer, const mote_pixels_native *event,
                              const native *a, int runs, size_t *clusters)
{
    double times[16];

    for (int i = -1; i < runs; i++) {
        memset(a->n_clusters, 0, event->n_modules * sizeof(uint32_t));
        double start = mote_seconds();

        *clusters = peer(event, a->cluster_id, a->n_clusters);
        if (i >= 0)
            times[i] = 1e6 * (mote_seconds() - start);
    }
    return mote_spread_of(times, (size_t)runs);
}

static mote_bench_status run_peer(mote_bench_state *bench, const mote_bench_set *set,
                                  const mote_digis *digis, const native *a, int which,
                                  size_t expected)
{
    const mote_bench_options *o = bench->options;
    const char *name = o->peers->pixels[which].name;
    size_t total = 0;
    double sum = 0, least = 0;

    for (size_t event = 0; event < digis->n_events; event++) {
        mote_pixels_native one = event_of(digis, set, a, event);
        size_t clusters = 0;

        mote_spread times =
            time_event(o->peers->pixels[which].run, &one, a, o->quick ? 3 : 7, &clusters);
        sum += times.median;
        least += times.low;
        total += clusters;
    }
    double us = sum / (double)digis->n_events;
    double rate = us > 0 ? (double)digis->n / sum * 1e-3 : 0;

    if (which == 0)
        bench->peer_us = us;
    if (total != expected) {
        snprintf(bench->message, bench->size, "%s on %s: %zu clusters, expected %zu", name,
                 set->name, total, expected);
        return MOTE_BENCH_DISAGREE;
    }
    if (o->table) {
        fprintf(o->table, "%-7s %-16s %8.0f %9.1f %41s %8.3f   native\n", set->name, name,
                (double)digis->n / (double)digis->n_events, us, "", rate);
        fflush(o->table);
    }
    if (o->json)
        fprintf(o->json,
                "{\"area\":\"pixels\",\"set\":\"%s\",\"peer\":\"%s\",\"digis\":%.1f,\"us\":%.3f,"
                "\"us_10\":%.3f,\"gdigi_s\":%.4f}\n",
                set->name, name, (double)digis->n / (double)digis->n_events, us,
                least / (double)digis->n_events, rate);
    return MOTE_BENCH_OK;
}

mote_bench_status mote_bench_pixels_peers(mote_bench_state *bench, const mote_bench_set *set,
                                          const mote_digis *digis)
{
    native a = {0};
    mote_pixels_result expected = {0};
    mote_pixels_options options = mote_bench_set_options(set);
    mote_bench_status status = MOTE_BENCH_OK;

    bench->peer_us = 0;

    if (!native_create(digis, &a) || !mote_pixels_oracle(digis, &options, &expected)) {
        snprintf(bench->message, bench->size, "no memory for the peers on %s", set->name);
        status = MOTE_BENCH_DEVICE;
    }
    for (int which = 0; which < MOTE_BENCH_MOST_PEERS && !status; which++)
        if (bench->options->peers->pixels[which].run)
            status = run_peer(bench, set, digis, &a, which, expected.n_total);
    mote_pixels_result_free(&expected);
    native_free(&a);
    return status;
}
