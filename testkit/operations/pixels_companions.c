/* SPDX-License-Identifier: Apache-2.0 */
/* mote_pixels_module_start(), mote_pixels_charge_cut() and mote_pixels_cluster_start(). */
#include "testkit/operations/pixels.h"

#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/draw.h"

static trial_array event_offsets(const trial_call *c, const trial_digis *d)
{
    bool none = d->how & MOTE_RUN_ONE_EVENT && d->digis.n_events == 1 && !c->spoilt;
    return (trial_array){.type = none ? MOTE_TYPE_NONE : MOTE_UINT32,
                         .count = d->digis.n_events + 1};
}

/* ---- starts of modules ----------------------------------------------------------------------- */

enum { RUN_IDS, RUN_EVENTS, MODULE_START, RUN_MODULE, RUN_LABELS };

static void choose_module_start(trial_call *c)
{
    mote_pixels_module_start_args *a = (mote_pixels_module_start_args *)(void *)&c->args;
    trial_digis *d = trial_digis_choose(c, BIT(MOTE_UINT16), trial_size(c));

    if (!c->given) {
        d->how &= ~MOTE_RUN_N_DEVICE;
        d->options.order = trial_once(c, 2) ? MOTE_ORDER_ANY : MOTE_ORDER_CONTIGUOUS;
        mote_draw_topology(&c->rng, mote_rng_below(&c->rng, MOTE_DRAW_SHAPES), d->n, false,
                           &d->digis);
    }
    d->extra = 0;
    c->in_place = false;
    a->invalid_module_id = d->digis.invalid_module_id;
    c->kind = c->telling ? 0 : mote_rng_below(&c->rng, 6);
    c->array[RUN_IDS] = trial_digis_each(d, d->digis.module_type);
    c->array[RUN_EVENTS] = event_offsets(c, d);
    c->array[MODULE_START] = (trial_array){.type = MOTE_UINT32, .count = d->n + 1};
    if (!trial_once(c, 4))
        c->array[RUN_MODULE] = (trial_array){.type = MOTE_UINT32, .count = d->n};
    if (!trial_once(c, 4))
        c->array[RUN_LABELS] = trial_digis_each(d, MOTE_INT32);
}

/* Finds the first digi of each run of a module in an event, and the module. Returns the number of
 * runs.
 */
static uint32_t find_runs(const mote_digis *digis, uint32_t *starts, uint32_t *modules)
{
    uint32_t runs = 0;

    for (size_t e = 0; e < digis->n_events; e++) {
        uint32_t current = digis->invalid_module_id;

        for (uint32_t i = digis->event_offsets[e]; i < digis->event_offsets[e + 1]; i++) {
            uint32_t module = digis->module_id[i];

            if (module == digis->invalid_module_id || module == current)
                continue;
            current = module;
            starts[++runs] = i;
            if (modules)
                modules[runs - 1] = module;
        }
    }
    starts[0] = runs;
    return runs;
}

static bool fill_module_start(trial_call *c, char *message, size_t size)
{
    trial_digis *d = trial_digis_of(c);
    trial_array *a = c->array;

    (void)message, (void)size;
    if (!trial_digis_make(c, MOTE_SPOIL_EVENTS))
        return false;
    trial_digis_copy(&a[RUN_IDS], d->digis.module_id, d->n);
    trial_digis_copy_bytes(&a[RUN_EVENTS], d->digis.event_offsets, a[RUN_EVENTS].count);
    c->told = mote_pixels_find_error(&d->digis, &d->options, &c->told_index);
    if (c->told != MOTE_ERROR_EVENT_OFFSETS) { /* ids and coordinates are not checked */
        uint32_t runs = find_runs(&d->digis, a[MODULE_START].data, a[RUN_MODULE].data);
        const size_t rooms[] = {d->n, runs, runs ? runs - 1 : 0, runs / 2, 0};
        size_t room = c->kind < 5 ? rooms[c->kind] : mote_rng_below(&c->rng, (uint32_t)d->n + 1);

        a[MODULE_START].count = room + 1;
        a[RUN_MODULE].count = room;
        c->told = runs <= room ? MOTE_SUCCESS : MOTE_ERROR_CAPACITY;
        c->told_index = runs;
    }
    c->unspecified = c->told == MOTE_ERROR_EVENT_OFFSETS;
    for (size_t i = 0; a[RUN_LABELS].type && i < d->n; i++)
        ((int32_t *)a[RUN_LABELS].data)[i] = (int32_t)i;
    return trial_digis_end(c, true);
}

/* ---- charge cuts of their own ---------------------------------------------------------------- */

enum { CUT_IDS, CUT_ADC, CUT_EVENTS, CUT_CUTS, CUT_LABELS, CUT_IDS_OUT, CUT_COUNTS };

static void choose_charge_cut(trial_call *c)
{
    mote_pixels_charge_cut_args *a = (mote_pixels_charge_cut_args *)(void *)&c->args;
    trial_digis *d = trial_digis_choose(c, BIT(MOTE_UINT16) | BIT(MOTE_UINT32), trial_size(c));
    mote_pixels_options *o = &d->options;

    if (!c->given) {
        o->duplicates = (mote_pixels_duplicates)mote_rng_below(&c->rng, MOTE_DUPLICATES_MAX);
        o->adc_threshold = trial_once(c, 4) ? 500 : 0;
        o->order = trial_once(c, 2) ? MOTE_ORDER_ANY : MOTE_ORDER_CONTIGUOUS;
        mote_draw_topology(&c->rng, mote_rng_below(&c->rng, MOTE_DRAW_SHAPES), d->n, false,
                           &d->digis);
        trial_digis_choose_cuts(c);
    }
    d->extra = 0;
    a->n_modules = d->digis.n_modules;
    a->invalid_module_id = d->digis.invalid_module_id;
    a->invalid_cluster_id = o->invalid_cluster_id;
    a->charge_cut = o->charge_cut;
    a->charge_cut_inner = o->charge_cut_inner;
    a->inner_modules = o->inner_modules;
    c->array[CUT_IDS] = trial_digis_each(d, d->digis.module_type);
    c->array[CUT_ADC] = trial_digis_each(d, d->digis.adc_type);
    c->array[CUT_EVENTS] = event_offsets(c, d);
    if (d->cuts || o->charge_cuts)
        c->array[CUT_CUTS] = trial_digis_modules(d, MOTE_UINT32);
    c->array[CUT_LABELS] = trial_digis_each(d, MOTE_INT32);
    if (c->in_place || !trial_once(c, 4))
        c->array[CUT_IDS_OUT] = trial_digis_each(d, d->digis.module_type);
    c->array[CUT_COUNTS] = trial_digis_slots(d, 0);
}

/* Gives a digi a label that no cluster of its module has. The first such digi is reported. */
static bool spoil_label(trial_call *c, const trial_digis *d)
{
    int32_t *labels = c->array[CUT_LABELS].before;
    const uint32_t *counts = c->array[CUT_COUNTS].before;
    size_t i = d->n ? mote_rng_below(&c->rng, (uint32_t)d->n) : 0, event = 0;

    if (!d->n || labels[i] < 0)
        return false;
    while (d->digis.event_offsets[event + 1] <= i)
        event++;
    labels[i] = (int32_t)counts[event * d->digis.n_modules + d->digis.module_id[i]] +
                (int32_t)mote_rng_below(&c->rng, 3);
    c->told = MOTE_ERROR_CLUSTER_ID;
    c->told_index = (uint32_t)i;
    return true;
}

/* Labels without a cut are the input, those with the cut are the output. */
static bool fill_cut_results(trial_call *c, trial_digis *d)
{
    const trial_array *a = c->array;
    mote_pixels_options none = d->options;
    mote_pixels_result uncut = {0}, cut = {0};

    none.charge_cut = none.charge_cut_inner = none.inner_modules = 0;
    none.charge_cuts = NULL;
    bool good = mote_pixels_oracle(&d->digis, &none, &uncut) &&
                mote_pixels_oracle(&d->digis, &d->options, &cut);
    if (good && !cut.status) {
        trial_array labels = a[CUT_LABELS], counts = a[CUT_COUNTS];
        labels.data = labels.before;
        counts.data = counts.before;
        trial_digis_copy_bytes(&labels, uncut.cluster_id, d->n);
        trial_digis_copy_bytes(&counts, uncut.n_clusters, uncut.n_slots);
        trial_digis_copy_bytes(&a[CUT_LABELS], cut.cluster_id, d->n);
        trial_digis_copy_bytes(&a[CUT_COUNTS], cut.n_clusters, cut.n_slots);
        trial_digis_copy(&a[CUT_IDS_OUT], cut.module_id_out, a[CUT_IDS_OUT].type ? d->n : 0);
    }
    mote_pixels_result_free(&uncut);
    mote_pixels_result_free(&cut);
    return good;
}

static bool fill_charge_cut(trial_call *c, char *message, size_t size)
{
    trial_digis *d = trial_digis_of(c);
    trial_array *a = c->array;
    bool label = c->spoilt && trial_once(c, 2), spoilt = c->spoilt;

    (void)message, (void)size;
    c->spoilt = spoilt && !label;
    bool good = trial_digis_make(c, MOTE_SPOIL_MODULE | MOTE_SPOIL_EVENTS);
    c->spoilt = spoilt;
    if (!good)
        return false;
    trial_digis_copy(&a[CUT_IDS], d->digis.module_id, d->n);
    trial_digis_copy(&a[CUT_ADC], d->digis.adc, d->n);
    trial_digis_copy_bytes(&a[CUT_EVENTS], d->digis.event_offsets, a[CUT_EVENTS].count);
    trial_digis_copy_bytes(&a[CUT_CUTS], d->options.charge_cuts, a[CUT_CUTS].count);
    c->told = mote_pixels_find_error(&d->digis, &d->options, &c->told_index);
    /* Such digis cannot be clustered, but the call does not find their error: no digi has a label.
     */
    const bool apart = c->told == MOTE_ERROR_COORDINATE || c->told == MOTE_ERROR_NOT_CONTIGUOUS;
    if (apart) {
        c->told = MOTE_SUCCESS;
        memset(a[CUT_LABELS].before, 0xff, d->n * sizeof(int32_t));
    }
    good = fill_cut_results(c, d);
    if (good && label && !apart && !c->told)
        spoil_label(c, d);
    c->unspecified = apart || c->told != MOTE_SUCCESS;
    return trial_digis_end(c, good);
}

/* ---- prefix sums of clusters ----------------------------------------------------------------- */

static void choose_sums(trial_call *c)
{
    size_t n = trial_size(c);

    c->array[0] = (trial_array){.type = MOTE_UINT32, .count = n};
    c->array[1] = (trial_array){.type = MOTE_UINT32, .count = n + 1};
    c->kind = mote_rng_below(&c->rng, 2);
}

static bool fill_sums(trial_call *c, char *message, size_t size)
{
    uint32_t *counts = c->array[0].data, *sums = c->array[1].data, sum = 0;

    (void)message, (void)size;
    for (size_t i = 0; i < c->array[0].count; i++) {
        counts[i] = mote_rng_below(&c->rng, c->kind ? 1000 : UINT32_MAX); /* sums may wrap */
        sums[i] = sum;
        sum += counts[i];
    }
    sums[c->array[0].count] = sum;
    return true;
}

/* ---- the descriptions ------------------------------------------------------------------------ */

static const char *const tunes[] = {
    "pixels.form=cpu,reduce.form=cpu", "pixels.form=gpu,reduce.form=gpu",
    "pixels.form=gpu,reduce.form=gpu,reduce.scan_one_group=0", NULL};

static const trial_program starts_programs[] = {
    TRIAL_PROGRAM("16 bits", MOTE_UINT16),
    TRIAL_PROGRAM("32 bits", MOTE_UINT32),
    TRIAL_END,
};

static const trial_program cut_programs[] = {
    TRIAL_PROGRAM("16 bits", MOTE_UINT16, MOTE_UINT16),
    TRIAL_PROGRAM("32 bits", MOTE_UINT32, MOTE_UINT32),
    TRIAL_END,
};

static const trial_program sums_programs[] = {{.name = "sums"}, TRIAL_END};

TRIAL_FUNCTIONS(module_start, mote_pixels_module_start, mote_pixels_module_start_args)
TRIAL_FUNCTIONS(charge_cut, mote_pixels_charge_cut, mote_pixels_charge_cut_args)
TRIAL_FUNCTIONS(sums, mote_pixels_cluster_start, mote_pixels_cluster_start_args)
TRIAL_WORKSPACE_SIZE(module_start, mote_pixels_module_start_workspace_size)
TRIAL_WORKSPACE_SIZE(charge_cut, mote_pixels_charge_cut_workspace_size)
TRIAL_WORKSPACE_SIZE(sums, mote_pixels_cluster_start_workspace_size)

const trial_operation trial_module_start = {
    TRIAL_OPERATION(module_start, mote_pixels_module_start, mote_pixels_module_start_args,
                    MOTE_OPERATION_PIXELS_MODULE_START),
    TRIAL_WORKSPACE(module_start, mote_pixels_module_start_args),
    .borders = trial_digis_borders,
    .tunes = tunes,
    .programs = starts_programs,
};

const trial_operation trial_charge_cut = {
    TRIAL_OPERATION(charge_cut, mote_pixels_charge_cut, mote_pixels_charge_cut_args,
                    MOTE_OPERATION_PIXELS_CHARGE_CUT),
    TRIAL_WORKSPACE(charge_cut, mote_pixels_charge_cut_args),
    .borders = trial_digis_borders,
    .tunes = tunes,
    .programs = cut_programs,
};

const trial_operation trial_cluster_start = {
    .name = "cluster_start",
    .call = "mote_pixels_cluster_start",
    .number = MOTE_OPERATION_PIXELS_CLUSTER_START,
    .workspace_at = offsetof(mote_pixels_cluster_start_args, workspace),
    .init = init_sums,
    .choose = choose_sums,
    .fill = fill_sums,
    .enqueue = enqueue_sums,
    .workspace_size = workspace_size_sums,
    .borders = trial_digis_borders,
    .tunes = tunes,
    .programs = sums_programs,
};
