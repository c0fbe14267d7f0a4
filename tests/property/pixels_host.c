/* SPDX-License-Identifier: Apache-2.0 */
#include "property/pixels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/positions.h"

/* The arrays of a call in the types that it takes. */
typedef struct host_arrays {
    uint16_t *id16, *adc16;
    float *geometry[4];
} host_arrays;

static bool make_arrays(const mote_digis *d, const mote_pixels_options *o, host_arrays *h)
{
    h->id16 = malloc((d->n + 1) * sizeof(uint16_t));
    h->adc16 = malloc((d->n + 1) * sizeof(uint16_t));
    bool good = h->id16 && h->adc16;
    for (size_t i = 0; good && i < d->n; i++) {
        h->id16[i] = (uint16_t)d->module_id[i];
        h->adc16[i] = (uint16_t)d->adc[i];
    }
    for (size_t k = 0; o->local && k < 4; k++)
        good &= (h->geometry[k] = malloc(d->n_modules * sizeof(float))) != NULL;
    for (uint32_t m = 0; good && o->local && m < d->n_modules; m++) {
        float of[4];
        mote_pixels_module_geometry(m, of);
        for (size_t k = 0; k < 4; k++)
            h->geometry[k][m] = of[k];
    }
    return good;
}

static void free_arrays(host_arrays *h)
{
    free(h->id16);
    free(h->adc16);
    for (size_t k = 0; k < 4; k++)
        free(h->geometry[k]);
}

static void set_arguments(const mote_digis *d, const mote_pixels_options *o, const host_arrays *h,
                          mote_pixels_host_args *a)
{
    mote_pixels_host_args_init(a);
    a->n = d->n;
    a->module_id16 = d->module_type == MOTE_UINT16 ? h->id16 : NULL;
    a->module_id32 = d->module_type == MOTE_UINT32 ? d->module_id : NULL;
    a->x = d->x;
    a->y = d->y;
    a->adc16 = !o->without_adc && d->adc_type == MOTE_UINT16 ? h->adc16 : NULL;
    a->adc32 = !o->without_adc && d->adc_type == MOTE_UINT32 ? d->adc : NULL;
    a->event_offsets = d->event_offsets;
    a->n_events = d->n_events;
    a->n_modules = d->n_modules;
    a->rows = d->rows;
    a->columns = d->columns;
    a->invalid_module_id = d->invalid_module_id;
    a->invalid_cluster_id = o->invalid_cluster_id;
    a->order = o->order;
    a->strategy = o->strategy;
    a->duplicates = o->duplicates;
    a->connectivity = o->connectivity;
    a->adc_threshold = o->adc_threshold;
    a->charge_cut = o->charge_cut;
    a->charge_cut_inner = o->charge_cut_inner;
    a->inner_modules = o->inner_modules;
    a->charge_cuts = o->charge_cuts;
    a->weight = o->weight;
    a->origin_x = h->geometry[0];
    a->origin_y = h->geometry[1];
    a->pitch_x = h->geometry[2];
    a->pitch_y = h->geometry[3];
    a->mask = o->mask;
    a->gain = o->gain;
    a->pedestal = o->pedestal;
    a->charge_min = o->charge_min;
}

/* Copies the result of a call into the oracle's structure. */
static bool take_result(const mote_pixels_host_result *r, mote_pixels_result *got)
{
    size_t n = r->n_clusters;
    got->n_total = n;
    memcpy(got->cluster_start, r->cluster_start, (got->n_slots + 1) * sizeof(uint32_t));
    got->properties = malloc(n * sizeof(*got->properties) + 1);
    free(got->positions);
    got->positions = r->x ? malloc(n * sizeof(*got->positions) + 1) : NULL;
    if (!got->properties || (r->x && !got->positions))
        return false;
    memcpy(got->properties, r->properties, n * sizeof(*got->properties));
    for (size_t k = 0; r->x && k < n; k++)
        got->positions[k] = (mote_pixels_position){
            r->x[k],      r->y[k],          r->x_var[k],      r->y_var[k],        r->xy_cov[k],
            r->charge[k], r->charge_min[k], r->charge_max[k], r->cluster_size[k],
        };
    return true;
}

/* Makes one call and compares. Without wants_result, only labels and counts are returned. */
static bool call_once(mote_context *ctx, mote_host *host, const mote_digis *digis,
                      mote_pixels_host_args *args, bool wants_result,
                      const mote_pixels_result *expected, char *message, size_t size)
{
    mote_pixels_host_result result = MOTE_PIXELS_HOST_RESULT_INIT;
    mote_pixels_result got = {0};
    bool good = mote_pixels_result_create(&got, digis);

    args->cluster_id = got.cluster_id;
    args->n_clusters = got.n_clusters;
    args->positions = wants_result;
    got.status = mote_pixels_cluster_host(ctx, host, args, wants_result ? &result : NULL);
    got.index = expected->index; /* only the message holds the index */
    if (good && got.status && got.status != expected->status) {
        snprintf(message, size, "mote_pixels_cluster_host: %s: %s", mote_status_name(got.status),
                 mote_last_error());
        good = false;
    }
    free(got.module_id_out);
    got.module_id_out = NULL;
    if (good && !got.status && wants_result)
        good = take_result(&result, &got);
    else {
        free(got.cluster_start);
        got.cluster_start = NULL;
    }
    good = good && mote_pixels_compare(digis, expected, &got, message, size);
    mote_pixels_result_free(&got);
    return good;
}

bool pixels_check_host(mote_context *ctx, mote_rng *rng, const mote_digis *digis,
                       const mote_pixels_options *options, const mote_pixels_result *expected,
                       char *message, size_t size)
{
    host_arrays arrays = {0};
    mote_pixels_host_args args;
    mote_host *host = NULL;

    snprintf(message, size, "no memory");
    bool good = make_arrays(digis, options, &arrays) && !mote_host_create(ctx, NULL, &host);
    set_arguments(digis, options, &arrays, &args);
    for (uint32_t turn = 0; good && turn < 2; turn++) {
        args.same_modules = turn;
        good =
            call_once(ctx, host, digis, &args, mote_rng_below(rng, 3) > 0, expected, message, size);
    }
    mote_host_release(host);
    free_arrays(&arrays);
    return good;
}
