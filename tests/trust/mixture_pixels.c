/* SPDX-License-Identifier: Apache-2.0 */
/* The case table of pixel clustering through the host layer. */
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/cases.h"
#include "testkit/cases/pixels/fill.h"
#include "mixture.h"

/* Digis and slots of a case of level 0, and of level 1. */
static const size_t most[2] = {300, 6000};

typedef struct pixels {
    mote_digis digis;
    mote_pixels_options options;
    mote_pixels_result expected;
    uint16_t *module_id16, *adc16;
} pixels;

static void free_pixels(void *data)
{
    pixels *p = data;
    mote_digis_free(&p->digis);
    mote_pixels_options_free(&p->options);
    mote_pixels_result_free(&p->expected);
    free(p->module_id16);
    free(p->adc16);
    free(p);
}

static void fill_digis(const pixels *p, mote_pixels_host_args *args)
{
    const mote_digis *d = &p->digis;
    args->n = d->n;
    if (d->module_type == MOTE_UINT32)
        args->module_id32 = d->module_id;
    else
        args->module_id16 = p->module_id16;
    args->x = d->x, args->y = d->y;
    if (!p->options.without_adc && d->adc_type == MOTE_UINT32)
        args->adc32 = d->adc;
    else if (!p->options.without_adc)
        args->adc16 = p->adc16;
    args->event_offsets = d->event_offsets, args->n_events = d->n_events;
    args->n_modules = d->n_modules, args->rows = d->rows, args->columns = d->columns;
    args->invalid_module_id = d->invalid_module_id;
}

static void fill_options(const pixels *p, mote_pixels_host_args *args)
{
    const mote_pixels_options *o = &p->options;
    args->invalid_cluster_id = o->invalid_cluster_id;
    args->order = o->order;
    args->duplicates = o->duplicates;
    args->connectivity = o->connectivity;
    args->adc_threshold = o->adc_threshold;
    args->charge_cut = o->charge_cut, args->charge_cut_inner = o->charge_cut_inner;
    args->inner_modules = o->inner_modules;
    args->charge_cuts = o->charge_cuts;
    args->mask = o->mask, args->gain = o->gain, args->pedestal = o->pedestal;
    args->charge_min = o->charge_min;
}

/* Labels, numbers of clusters, their records. */
static mote_status run(const mix_call *call, mix_user *user, void *outputs)
{
    const pixels *p = call->data;
    mote_pixels_host_args args;
    mote_pixels_host_result result = MOTE_PIXELS_HOST_RESULT_INIT;
    char *labels = outputs, *counts = labels + p->digis.n * 4;
    mote_pixels_host_args_init(&args);
    fill_digis(p, &args);
    fill_options(p, &args);
    args.strategy = (mote_pixels_strategy)call->which;
    args.cluster_id = (int32_t *)(void *)labels;
    args.n_clusters = (uint32_t *)(void *)counts;
    mote_status status = mote_pixels_cluster_host(user->ctx, user->host, &args, &result);
    if (!status && result.n_clusters == p->expected.n_total)
        memcpy(counts + p->expected.n_slots * 4, result.properties,
               result.n_clusters * sizeof(*result.properties));
    return status;
}

static uint16_t *narrow(const uint32_t *values, size_t n)
{
    uint16_t *out = malloc((n + 1) * sizeof(*out));
    for (size_t i = 0; out && i < n; i++)
        out[i] = (uint16_t)values[i];
    return out;
}

/* NULL when the case is too large, or memory ran out. */
static pixels *make(const mote_pixels_case *c, int level)
{
    pixels *p = calloc(1, sizeof(*p));
    if (!p)
        return NULL;
    mote_digis_init(&p->digis, 0, 0, 0);
    if (mote_pixels_case_make(c, &p->digis, &p->options) && p->digis.n <= most[level] &&
        p->digis.n_events * p->digis.n_modules <= most[level] &&
        mote_pixels_oracle(&p->digis, &p->options, &p->expected)) {
        p->module_id16 = narrow(p->digis.module_id, p->digis.n);
        p->adc16 = narrow(p->digis.adc, p->digis.n);
        if (p->module_id16 && p->adc16)
            return p;
    }
    free_pixels(p);
    return NULL;
}

static void add(mixture *mix, const mote_pixels_case *c, pixels *p, mote_pixels_strategy strategy)
{
    unsigned char *expected;
    const mote_pixels_result *r = &p->expected;
    size_t records = r->n_total * sizeof(*r->properties);
    size_t bytes = r->status ? 0 : p->digis.n * 4 + r->n_slots * 4 + records;
    mix_call *call = mix_add(mix, "pixels", c->name,
                             r->status ? p->digis.n * 4 + r->n_slots * 4 : bytes, &expected);
    if (!call) {
        free_pixels(p);
        return;
    }
    call->bits = MIX_INTEGERS;
    call->run = run;
    call->data = p;
    call->free_data = free_pixels;
    call->which = (int)strategy;
    if (r->status) {
        memcpy(expected - 8, &r->status, sizeof(int32_t));
        return;
    }
    memcpy(expected, r->cluster_id, p->digis.n * 4);
    memcpy(expected + p->digis.n * 4, r->n_clusters, r->n_slots * 4);
    if (records)
        memcpy(expected + p->digis.n * 4 + r->n_slots * 4, r->properties, records);
}

void mix_add_pixels(mixture *mix, int level)
{
    for (size_t k = 0; k < mote_pixels_case_count(); k++) {
        const mote_pixels_case *c = mote_pixels_case_at(k);
        pixels *p = c->small && c->n <= most[1] ? make(c, level) : NULL;
        /* Few kernels: repeated pixels, wide ids and wide charges have their own. */
        /* Lines of odd numbers are refused where the host sees them. */
        bool odd = c->fill == mote_fill_decoded && c->parameter & MOTE_DECODED_HOSTILE;
        bool rare = p && (p->options.duplicates || c->wide_module || c->wide_adc);
        if (p && (odd || (level == 0 && rare))) {
            free_pixels(p);
            continue;
        }
        if (p)
            add(mix, c, p, MOTE_PIXELS_AUTO);
    }
}
