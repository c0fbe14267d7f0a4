/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/operations/pixels.h"

#include <stdatomic.h>
#include <string.h>

#include "testkit/cases/pixels/draw.h"

#define MOST        ((size_t)1 << 21)
#define EXTRA_DIGIS 300

_Static_assert(sizeof(trial_digis) <= TRIAL_OWN_BYTES, "the notes of digis are too large");

/* Sizes of groups, bands, strips, tiles and packs, and the memory of a work-item. */
const size_t trial_digis_borders[] = {1,   2,   4,    8,    16,   32,   33,   64,   128, 256,
                                      400, 512, 1024, 2048, 3072, 4096, 6144, 8192, 0};

trial_digis *trial_digis_of(trial_call *c)
{
    return (trial_digis *)(void *)&c->own;
}

static void take_given(trial_call *c)
{
    const trial_digis_given *given = c->given;
    trial_digis *d = trial_digis_of(c);

    d->digis = *given->digis;
    d->options = *given->options;
    d->n = given->digis->n;
    d->how = given->how;
    d->options.float_numbers = d->options.float_numbers && !c->on_host;
    c->gated = (d->how & MOTE_RUN_GATED) != 0;
    c->workspace = c->operation->workspace_at && d->how & MOTE_RUN_WORKSPACE;
    c->silent = (d->how & MOTE_RUN_SILENT) != 0;
    c->again = c->spoilt = false;
}

/* Draws the properties of the call that trial_draw() does not draw. */
static unsigned draw_how(trial_call *c)
{
    unsigned how = trial_once(c, 4) ? MOTE_RUN_ALIAS : 0;

    how |= trial_once(c, 4) && !c->on_host ? MOTE_RUN_N_DEVICE : 0;
    return how | (trial_once(c, 4) ? MOTE_RUN_ONE_EVENT : 0);
}

trial_digis *trial_digis_choose(trial_call *c, uint32_t adc, size_t n)
{
    trial_digis *d = trial_digis_of(c);
    mote_digis *digis = &d->digis;

    if (c->given) {
        take_given(c);
    } else {
        mote_digis_init(digis, 0, 0, 0);
        digis->module_type = (mote_type)trial_choose(c, BIT(MOTE_UINT16) | BIT(MOTE_UINT32));
        mote_type type = (mote_type)trial_choose(c, adc);
        d->options.without_adc = type == MOTE_TYPE_NONE;
        digis->adc_type = type == MOTE_UINT32 ? MOTE_UINT32 : MOTE_UINT16;
        d->n = n < MOST || c->size != TRIAL_ANY ? n : MOST;
        d->options.invalid_cluster_id = trial_once(c, 2) ? 0 : -9999;
        d->how = draw_how(c);
    }
    d->extra = d->how & MOTE_RUN_N_DEVICE ? EXTRA_DIGIS : 0;
    c->in_place = d->how & MOTE_RUN_ALIAS && !c->on_host;
    return d;
}

void trial_digis_choose_cuts(trial_call *c)
{
    static const uint64_t cuts[] = {1, 2000, 4000, 65535, 65536, 100000, UINT64_C(1) << 40};
    mote_pixels_options *o = &trial_digis_of(c)->options;
    const size_t count = sizeof(cuts) / sizeof(cuts[0]);

    o->charge_cut = cuts[mote_rng_below(&c->rng, count)];
    if (trial_once(c, 3)) {
        o->charge_cut_inner = cuts[mote_rng_below(&c->rng, count)];
        o->inner_modules = mote_rng_below(&c->rng, trial_digis_of(c)->digis.n_modules) + 1;
    } else if (trial_once(c, 3)) {
        o->charge_cut = 0;
        trial_digis_of(c)->cuts = true;
    }
}

bool trial_digis_make(trial_call *c, unsigned errors)
{
    trial_digis *d = trial_digis_of(c);
    mote_rng *rng = &c->rng;

    if (c->given)
        return true;
    bool good = mote_draw_digis(rng, d->n, d->options.order == MOTE_ORDER_CONTIGUOUS, &d->digis) &&
                (!d->cuts || mote_draw_cuts(rng, &d->digis, &d->options)) &&
                (!d->mask || mote_draw_mask(rng, &d->digis, &d->options)) &&
                (!d->morph || mote_draw_morph(rng, &d->digis, &d->options)) &&
                (!d->lines || mote_draw_lines(rng, &d->digis, d->lines, &d->options));
    if (good && c->spoilt)
        mote_draw_error(rng, errors, &d->digis);
    return good || trial_digis_end(c, false);
}

bool trial_digis_end(trial_call *c, bool good)
{
    trial_digis *d = trial_digis_of(c);

    if (!c->given) {
        mote_digis_free(&d->digis);
        mote_pixels_options_free(&d->options);
    }
    return good;
}

void trial_digis_copy(const trial_array *to, const uint32_t *values, size_t n)
{
    for (size_t i = 0; to->type && i < to->count; i++)
        if (to->type == MOTE_UINT16)
            ((uint16_t *)to->data)[i] = i < n ? (uint16_t)values[i] : UINT16_MAX;
        else
            ((uint32_t *)to->data)[i] = i < n ? values[i] : UINT32_MAX;
}

void trial_digis_copy_bytes(const trial_array *to, const void *values, size_t n)
{
    if (to->type && values && n)
        memcpy(to->data, values, n * mote_type_size(to->type));
}

trial_array trial_digis_each(const trial_digis *d, mote_type type)
{
    return (trial_array){.type = type, .count = d->n + d->extra, .open = d->extra};
}

trial_array trial_digis_modules(const trial_digis *d, mote_type type)
{
    return (trial_array){.type = type, .count = d->digis.n_modules};
}

trial_array trial_digis_slots(const trial_digis *d, size_t more)
{
    return (trial_array){.type = MOTE_UINT32,
                         .count = d->digis.n_events * d->digis.n_modules + more};
}

/* ---- given digis ----------------------------------------------------------------------------- */

static bool try_given(const trial_operation *operation, mote_context *ctx, cl_command_queue queue,
                      const trial_digis_given *given, char *message, size_t size)
{
    /* Counts calls, so that positions and capacities differ from call to call. */
    static atomic_uint calls;
    trial_choices choices = {0};
    const mote_digis *digis = given->digis;
    trial_call c = {.operation = operation,
                    .ctx = ctx,
                    .choices = &choices,
                    .seed = atomic_fetch_add(&calls, 1),
                    .size = digis->n_events * digis->n_modules, /* size for sums of clusters */
                    .given = given,
                    .on_host = (given->how & MOTE_RUN_HOST) != 0};

    return trial_try(&c, queue, NULL, message, size);
}

bool mote_pixels_check(mote_context *ctx, cl_command_queue queue, const mote_digis *digis,
                       const mote_pixels_options *options, unsigned how, char *message, size_t size)
{
    mote_pixels_options uncut = *options;
    trial_digis_given given = {digis, options, how};
    bool good = true;

    if (how & MOTE_RUN_STARTS)
        return try_given(&trial_module_start, ctx, queue, &given, message, size);
    if (how & MOTE_RUN_APART) {
        uncut.charge_cut = uncut.charge_cut_inner = uncut.inner_modules = 0;
        uncut.charge_cuts = NULL;
        good = try_given(&trial_charge_cut, ctx, queue, &given, message, size) &&
               try_given(&trial_cluster_start, ctx, queue, &given, message, size);
        given.options = &uncut;
    }
    return good && try_given(&trial_clusters, ctx, queue, &given, message, size);
}
