/* SPDX-License-Identifier: Apache-2.0 */
/* mote_pixels_cluster() and mote_pixels_cluster_host(). */
#include "testkit/operations/pixels.h"

#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/decode.h"
#include "testkit/cases/pixels/draw.h"
#include "testkit/cases/pixels/positions.h"

/* The fields. */
enum {
    MODULE_ID,
    MODULE_ID_OUT,
    X,
    Y,
    ADC,
    EVENT_OFFSETS,
    N_DEVICE,
    CHARGE_CUTS,
    CLUSTER_ID,
    N_CLUSTERS,
    CLUSTER_START,
    PROPERTIES,
    POSITIONS,
    GEOMETRY = POSITIONS + MOTE_POSITION_OUTPUTS,
    MASK = GEOMETRY + 4,
    GAIN,
    PEDESTAL,
    MORPH
};

/* The decision about outputs. */
enum { EVERYTHING, LABELS_ALONE, NO_PROPERTIES };

_Static_assert(sizeof(mote_pixels_cluster_args) <= TRIAL_ARGS_BYTES, "no room for the arguments");

/* ---- decisions ------------------------------------------------------------------------------- */

static void choose_options(trial_call *c)
{
    static const uint32_t thresholds[] = {1, 100, 1500, 65535, 65536};
    trial_digis *d = trial_digis_of(c);
    mote_pixels_options *o = &d->options;
    bool charges = !o->without_adc;

    o->duplicates =
        (mote_pixels_duplicates)trial_choose(c, charges ? 15u : 15u & ~BIT(MOTE_DUPLICATES_MAX));
    o->order = (mote_pixels_order)trial_choose(c, BIT(MOTE_ORDER_ANY) | BIT(MOTE_ORDER_CONTIGUOUS));
    o->strategy = (mote_pixels_strategy)trial_choose(c, BIT(MOTE_PIXELS_UNION_FIND) |
                                                            BIT(MOTE_PIXELS_HISTOGRAM));
    bool cut = trial_choose(c, charges ? 3 : 1);
    d->mask = trial_choose(c, 3);
    d->lines = trial_choose(c, charges ? 3 : 1) ? 1 + mote_rng_below(&c->rng, 3) : 0;
    unsigned outputs = trial_choose(c, 7);
    d->morph = trial_choose(c, 3);

    unsigned shape = trial_choose(c, BIT(MOTE_DRAW_SHAPES) - 1);

    mote_draw_topology(&c->rng, shape, d->n, d->mask || d->morph, &d->digis);
    if (cut)
        trial_digis_choose_cuts(c);
    d->how |= outputs == LABELS_ALONE    ? MOTE_RUN_LABELS
              : outputs == NO_PROPERTIES ? MOTE_RUN_BARE
                                         : 0;
    o->connectivity = 4 * mote_rng_below(&c->rng, 3);
    o->weight = charges ? (mote_pixels_weight)mote_rng_below(&c->rng, 2) : MOTE_PIXELS_WEIGHT_NONE;
    o->local = trial_once(c, 3);
    o->float_numbers = trial_once(c, 2) && !c->on_host;
    o->adc_threshold = charges && trial_once(c, 4) ? thresholds[mote_rng_below(&c->rng, 5)] : 0;
    o->charge_min = d->lines && trial_once(c, 2) ? mote_rng_below(&c->rng, 200) : 0;
    if (d->morph && trial_once(c, 2)) {
        o->morph_dilation = mote_rng_below(&c->rng, 512);
        o->morph_erosion = mote_rng_below(&c->rng, 512);
    }
}

static void choose_outputs(trial_call *c)
{
    const trial_digis *d = trial_digis_of(c);
    trial_array *a = c->array;
    size_t capacity = d->n + d->extra;

    a[CLUSTER_ID] = trial_digis_each(d, MOTE_INT32);
    if (d->how & MOTE_RUN_LABELS)
        return;
    if (!c->on_host)
        a[MODULE_ID_OUT] = trial_digis_each(d, d->digis.module_type);
    a[N_CLUSTERS] = trial_digis_slots(d, 0);
    a[CLUSTER_START] = trial_digis_slots(d, 1);
    if (!c->given && !c->telling && !c->on_host && trial_once(c, 6) &&
        capacity) /* perhaps too few */
        capacity = mote_rng_below(&c->rng, (uint32_t)capacity);
    if (!(d->how & MOTE_RUN_BARE))
        a[PROPERTIES] = (trial_array){.type = MOTE_PIXELS_CLUSTER_TYPE, .count = capacity};
    for (size_t k = 0; k < MOTE_POSITION_OUTPUTS; k++)
        a[POSITIONS + k] =
            (trial_array){.type = k < 5 || d->options.float_numbers ? MOTE_FLOAT32 : MOTE_UINT32,
                          .count = capacity};
}

static void choose_inputs(trial_call *c)
{
    const trial_digis *d = trial_digis_of(c);
    const mote_pixels_options *o = &d->options;
    trial_array *a = c->array;
    bool one = d->how & MOTE_RUN_ONE_EVENT && d->digis.n_events == 1 && !c->spoilt;

    a[MODULE_ID] = trial_digis_each(d, d->digis.module_type);
    a[X] = a[Y] = trial_digis_each(d, MOTE_UINT16);
    if (!o->without_adc)
        a[ADC] = trial_digis_each(d, d->digis.adc_type);
    if (!one)
        a[EVENT_OFFSETS] = (trial_array){.type = MOTE_UINT32, .count = d->digis.n_events + 1};
    if (d->extra)
        a[N_DEVICE] = (trial_array){.type = MOTE_UINT32, .count = 1};
    if (d->cuts || o->charge_cuts)
        a[CHARGE_CUTS] = trial_digis_modules(d, MOTE_UINT32);
    for (size_t k = 0; k < 4 && o->local && !(d->how & MOTE_RUN_LABELS); k++)
        a[GEOMETRY + k] = trial_digis_modules(d, MOTE_FLOAT32);
    if (d->mask || o->mask)
        a[MASK] = (trial_array){.type = MOTE_UINT32, .count = mote_case_mask_words(&d->digis)};
    if (d->lines & 1 || o->gain)
        a[GAIN] = trial_digis_modules(d, MOTE_FLOAT32);
    if (d->lines & 2 || o->pedestal)
        a[PEDESTAL] = trial_digis_modules(d, MOTE_FLOAT32);
    if (d->morph || o->morph)
        a[MORPH] = trial_digis_modules(d, MOTE_UINT8);
}

static void choose_clusters(trial_call *c)
{
    mote_pixels_cluster_args *a = (mote_pixels_cluster_args *)(void *)&c->args;
    mote_pixels_device none = {0};
    trial_digis *d = trial_digis_choose(
        c, BIT(MOTE_TYPE_NONE) | BIT(MOTE_UINT16) | BIT(MOTE_UINT32), trial_size(c));

    if (!c->given)
        choose_options(c);
    mote_pixels_arguments(&d->digis, &d->options, &none, a);
    a->weight = d->options.without_adc ? MOTE_PIXELS_WEIGHT_NONE : d->options.weight;
    choose_inputs(c);
    choose_outputs(c);
    c->promise = TRIAL_EVERYWHERE;
}

/* ---- data ------------------------------------------------------------------------------------ */

static void fill_inputs(const trial_call *c, const trial_digis *d)
{
    const trial_array *a = c->array;
    uint32_t n = (uint32_t)d->n;

    trial_digis_copy(&a[MODULE_ID], d->digis.module_id, d->n);
    trial_digis_copy_bytes(&a[X], d->digis.x, d->n);
    trial_digis_copy_bytes(&a[Y], d->digis.y, d->n);
    trial_digis_copy(&a[ADC], d->digis.adc, d->n);
    trial_digis_copy_bytes(&a[EVENT_OFFSETS], d->digis.event_offsets, a[EVENT_OFFSETS].count);
    trial_digis_copy_bytes(&a[N_DEVICE], &n, 1);
    trial_digis_copy_bytes(&a[CHARGE_CUTS], d->options.charge_cuts, a[CHARGE_CUTS].count);
    trial_digis_copy_bytes(&a[MASK], d->options.mask, a[MASK].count);
    trial_digis_copy_bytes(&a[GAIN], d->options.gain, a[GAIN].count);
    trial_digis_copy_bytes(&a[PEDESTAL], d->options.pedestal, a[PEDESTAL].count);
    trial_digis_copy_bytes(&a[MORPH], d->options.morph, a[MORPH].count);
    for (uint32_t m = 0; a[GEOMETRY].type && m < d->digis.n_modules; m++) {
        float geometry[4];
        mote_pixels_module_geometry(m, geometry);
        for (size_t k = 0; k < 4; k++)
            ((float *)a[GEOMETRY + k].data)[m] = geometry[k];
    }
}

/* A lack of room for properties or positions is reported; all other outputs are valid. */
static void expect_capacity(trial_call *c, size_t total)
{
    size_t room = c->array[POSITIONS].count;

    if (room == 0 || total <= room)
        return;
    c->told = MOTE_ERROR_CAPACITY;
    c->told_index = (uint32_t)total;
    for (size_t k = PROPERTIES; k < GEOMETRY; k++)
        c->array[k].open = c->array[k].count;
}

static void expect(trial_call *c, const mote_pixels_result *r)
{
    const trial_array *a = c->array;
    size_t total = r->n_total;

    expect_capacity(c, total);
    total = total < a[POSITIONS].count ? total : a[POSITIONS].count;
    trial_digis_copy_bytes(&a[CLUSTER_ID], r->cluster_id, r->n);
    if (a[MODULE_ID_OUT].type)
        trial_digis_copy(&a[MODULE_ID_OUT], r->module_id_out, r->n);
    trial_digis_copy_bytes(&a[N_CLUSTERS], r->n_clusters, r->n_slots);
    trial_digis_copy_bytes(&a[CLUSTER_START], r->cluster_start, r->n_slots + 1);
    trial_digis_copy_bytes(&a[PROPERTIES], r->properties, total);
    for (size_t k = 0; k < MOTE_POSITION_OUTPUTS && a[POSITIONS].type; k++)
        for (size_t i = 0; i < total; i++)
            memcpy((uint32_t *)a[POSITIONS + k].data + i, (const char *)&r->positions[i] + 4 * k,
                   sizeof(uint32_t));
}

static bool fill_clusters(trial_call *c, char *message, size_t size)
{
    trial_digis *d = trial_digis_of(c);
    mote_pixels_result expected = {0};

    (void)message, (void)size;
    if (!trial_digis_make(c, MOTE_SPOIL_ANY))
        return false;
    bool good = mote_pixels_oracle(&d->digis, &d->options, &expected);
    if (good) {
        fill_inputs(c, d);
        c->told = expected.status;
        c->told_index = expected.index;
        c->unspecified = c->told != MOTE_SUCCESS;
        if (!c->unspecified)
            expect(c, &expected);
    }
    mote_pixels_result_free(&expected);
    return trial_digis_end(c, good);
}

/* ---- plain arrays ---------------------------------------------------------------------------- */

static void set_host_args(const trial_call *c, void *const *arrays, mote_pixels_host_args *h)
{
    const mote_pixels_cluster_args *a = (const mote_pixels_cluster_args *)(const void *)&c->args;
    const trial_array *array = c->array;

    mote_pixels_host_args_init(h);
    h->n = array[MODULE_ID].count;
    h->module_id16 = array[MODULE_ID].type == MOTE_UINT16 ? arrays[MODULE_ID] : NULL;
    h->module_id32 = array[MODULE_ID].type == MOTE_UINT32 ? arrays[MODULE_ID] : NULL;
    h->x = arrays[X], h->y = arrays[Y];
    h->adc16 = array[ADC].type == MOTE_UINT16 ? arrays[ADC] : NULL;
    h->adc32 = array[ADC].type == MOTE_UINT32 ? arrays[ADC] : NULL;
    h->event_offsets = arrays[EVENT_OFFSETS];
    h->n_events = arrays[EVENT_OFFSETS] ? array[EVENT_OFFSETS].count - 1 : 0;
    h->n_modules = a->n_modules, h->rows = a->rows, h->columns = a->columns;
    h->invalid_module_id = a->invalid_module_id;
    h->invalid_cluster_id = a->invalid_cluster_id;
    h->order = a->order, h->strategy = a->strategy;
    h->duplicates = a->duplicates, h->connectivity = a->connectivity;
    h->adc_threshold = a->adc_threshold, h->charge_cut = a->charge_cut;
    h->charge_cut_inner = a->charge_cut_inner, h->inner_modules = a->inner_modules;
    h->charge_cuts = arrays[CHARGE_CUTS];
    h->cluster_id = arrays[CLUSTER_ID], h->n_clusters = arrays[N_CLUSTERS];
    h->weight = a->weight, h->positions = array[POSITIONS].type != MOTE_TYPE_NONE;
    h->origin_x = arrays[GEOMETRY], h->origin_y = arrays[GEOMETRY + 1];
    h->pitch_x = arrays[GEOMETRY + 2], h->pitch_y = arrays[GEOMETRY + 3];
    h->mask = arrays[MASK], h->gain = arrays[GAIN], h->pedestal = arrays[PEDESTAL];
    h->charge_min = a->charge_min;
    h->morph = arrays[MORPH];
    h->morph_dilation = a->morph_dilation, h->morph_erosion = a->morph_erosion;
}

static bool take(const trial_call *c, void *const *arrays, const mote_pixels_host_result *r)
{
    const void *const positions[] = {r->x,          r->y,          r->x_var,
                                     r->y_var,      r->xy_cov,     r->charge,
                                     r->charge_min, r->charge_max, r->cluster_size};
    size_t n = r->n_clusters;

    if (n > c->array[POSITIONS].count)
        return false;
    memcpy(arrays[CLUSTER_START], r->cluster_start, c->array[CLUSTER_START].count * 4);
    if (n && arrays[PROPERTIES])
        memcpy(arrays[PROPERTIES], r->properties, n * sizeof(*r->properties));
    for (size_t k = 0; n && k < MOTE_POSITION_OUTPUTS; k++)
        memcpy(arrays[POSITIONS + k], positions[k], n * 4);
    return true;
}

/* The second call need not copy arrays that the first has copied. */
static mote_status run_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    mote_pixels_host_result result = MOTE_PIXELS_HOST_RESULT_INIT;
    mote_pixels_host_args args;
    mote_host *own = NULL;
    bool wanted = arrays[CLUSTER_START] != NULL;
    mote_status status = host || !wanted ? MOTE_SUCCESS : mote_host_create(c->ctx, NULL, &own);

    set_host_args(c, arrays, &args);
    for (uint32_t turn = 0; !status && turn < 2; turn++) {
        args.same_modules = turn && (host || own);
        status =
            mote_pixels_cluster_host(c->ctx, host ? host : own, &args, wanted ? &result : NULL);
    }
    if (!status && wanted && !take(c, arrays, &result))
        status = MOTE_ERROR_INTERNAL;
    mote_host_release(own);
    return status;
}

/* ---- the description ------------------------------------------------------------------------- */

static const char *const tunes[] = {
    "pixels.form=cpu",
    "pixels.form=gpu",
    "pixels.form=gpu,pixels.work_group=32,pixels.tile=32",
    "pixels.form=gpu,pixels.by_size=1,pixels.work_group=64,pixels.morph_local=1",
    "pixels.form=gpu,pixels.group_by_slices=0,pixels.positions_group=0",
    "pixels.form=cpu,pixels.cpu_tile=33,pixels.cpu_items=3",
    "pixels.form=cpu,pixels.cpu_slices=7",
    NULL};

static const trial_program programs[] = {
    TRIAL_PROGRAM("any order", MOTE_UINT16, MOTE_UINT16, MOTE_DUPLICATES_DROP, MOTE_ORDER_ANY,
                  MOTE_PIXELS_UNION_FIND, 1, 0, 0, EVERYTHING, 0),
    TRIAL_PROGRAM("contiguous", MOTE_UINT16, MOTE_UINT16, MOTE_DUPLICATES_DROP,
                  MOTE_ORDER_CONTIGUOUS, MOTE_PIXELS_UNION_FIND, 1, 0, 0, EVERYTHING, 0),
    TRIAL_PROGRAM("charges of lines, dead pixels, marked modules", MOTE_UINT16, MOTE_UINT16,
                  MOTE_DUPLICATES_FIRST, MOTE_ORDER_ANY, MOTE_PIXELS_UNION_FIND, 1, 1, 1,
                  NO_PROPERTIES, 1),
    TRIAL_PROGRAM("histogram", MOTE_UINT16, MOTE_UINT16, MOTE_DUPLICATES_DROP, MOTE_ORDER_ANY,
                  MOTE_PIXELS_HISTOGRAM, 0, 0, 0, EVERYTHING, 0),
    TRIAL_PROGRAM("wide", MOTE_UINT32, MOTE_UINT32, MOTE_DUPLICATES_SUM, MOTE_ORDER_ANY,
                  MOTE_PIXELS_UNION_FIND, 1, 0, 0, EVERYTHING, 0),
    TRIAL_PROGRAM("largest charge", MOTE_UINT32, MOTE_UINT16, MOTE_DUPLICATES_MAX,
                  MOTE_ORDER_CONTIGUOUS, MOTE_PIXELS_UNION_FIND, 0, 1, 0, LABELS_ALONE, 0),
    TRIAL_PROGRAM("without charges", MOTE_UINT16, MOTE_TYPE_NONE, MOTE_DUPLICATES_FIRST,
                  MOTE_ORDER_CONTIGUOUS, MOTE_PIXELS_HISTOGRAM, 0, 0, 0, NO_PROPERTIES, 0),
    TRIAL_END,
};

TRIAL_FUNCTIONS(clusters, mote_pixels_cluster, mote_pixels_cluster_args)
TRIAL_WORKSPACE_SIZE(clusters, mote_pixels_cluster_workspace_size)

const trial_operation trial_clusters = {
    TRIAL_OPERATION(clusters, mote_pixels_cluster, mote_pixels_cluster_args,
                    MOTE_OPERATION_PIXELS_CLUSTER),
    TRIAL_WORKSPACE(clusters, mote_pixels_cluster_args),
    .run_host = run_host,
    .borders = trial_digis_borders,
    .whole = 4,
    .tunes = tunes,
    .programs = programs,
    .weight = 5,
};
