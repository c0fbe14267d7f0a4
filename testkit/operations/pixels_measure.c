/* SPDX-License-Identifier: Apache-2.0 */
/* Describes mote_pixels_measure() and mote_pixels_measure_host(). */
#include "testkit/operations/pixels.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/draw.h"
#include "testkit/reference/pixels/digis_oracle.h"
#include "testkit/reference/pixels/measure_oracle.h"

enum {
    IDS,
    X,
    Y,
    ADC,
    OFFSETS,
    LIST,
    DESIGN,
    ROW_OFFSETS,
    ROW_EDGES,
    COLUMN_OFFSETS,
    COLUMN_EDGES,
    SHIFT_X,
    SHIFT_Y,
    GAIN,
    PEDESTAL,
    X_VAR_TABLE,
    Y_VAR_TABLE,
    RESULTS,
    RESULT_COUNT = 7
};

#define MOST_DESIGNS 4

/* ---- decisions ------------------------------------------------------------------------------- */

static void choose_options(trial_call *c)
{
    trial_digis *d = trial_digis_of(c);
    mote_pixels_options *o = &d->options;
    bool charges = !o->without_adc;

    d->lines = trial_choose(c, charges ? 3 : 1) ? 1 + mote_rng_below(&c->rng, 3) : 0;
    o->duplicates =
        (mote_pixels_duplicates)mote_rng_below(&c->rng, charges ? 4 : MOTE_DUPLICATES_MAX);
    o->weight = charges ? (mote_pixels_weight)mote_rng_below(&c->rng, 2) : MOTE_PIXELS_WEIGHT_NONE;
    o->charge_min = d->lines && trial_once(c, 2) ? mote_rng_below(&c->rng, 200) : 0;
    mote_draw_topology(&c->rng, mote_rng_below(&c->rng, MOTE_DRAW_SHAPES), d->n, false, &d->digis);
}

/* Returns the number of designs, which is 1 without edges. */
static size_t count_designs(const trial_array *a)
{
    const size_t offsets = a[ROW_OFFSETS].type ? a[ROW_OFFSETS].count : a[COLUMN_OFFSETS].count;
    return offsets ? offsets - 1 : 1;
}

/* Designs have edges of all rows and columns, so that no digi is outside. */
static void choose_geometry(trial_call *c)
{
    const trial_digis *d = trial_digis_of(c);
    const uint32_t sides[] = {d->digis.rows, d->digis.columns};
    size_t designs = 1 + mote_rng_below(&c->rng, MOST_DESIGNS);
    trial_array *a = c->array;

    for (size_t axis = 0; axis < 2; axis++) {
        if (!c->telling && trial_once(c, 4))
            continue;
        a[ROW_OFFSETS + 2 * axis] = (trial_array){.type = MOTE_UINT32, .count = designs + 1};
        a[ROW_EDGES + 2 * axis] = (trial_array){.type = MOTE_FLOAT32,
                                                .count = designs * ((size_t)sides[axis] + 1) +
                                                         mote_rng_below(&c->rng, 3)};
    }
    if ((a[ROW_OFFSETS].type || a[COLUMN_OFFSETS].type) && (designs > 1 || trial_once(c, 2)))
        a[DESIGN] = trial_digis_modules(d, MOTE_UINT32);
    designs = count_designs(a);
    for (size_t k = X_VAR_TABLE; k <= Y_VAR_TABLE; k++)
        if (c->telling || trial_once(c, 3))
            a[k] = (trial_array){.type = MOTE_FLOAT32,
                                 .count = designs * (1 + mote_rng_below(&c->rng, 5))};
    for (size_t k = SHIFT_X; k <= SHIFT_Y; k++)
        if (c->telling || trial_once(c, 2))
            a[k] = trial_digis_modules(d, MOTE_FLOAT32);
}

static void choose_measure(trial_call *c)
{
    static const mote_type types[RESULT_COUNT] = {MOTE_UINT32,  MOTE_FLOAT32, MOTE_FLOAT32,
                                                  MOTE_FLOAT32, MOTE_FLOAT32, MOTE_UINT32,
                                                  MOTE_UINT32};
    mote_pixels_measure_args *args = (mote_pixels_measure_args *)(void *)&c->args;
    trial_digis *d = trial_digis_choose(
        c, BIT(MOTE_TYPE_NONE) | BIT(MOTE_UINT16) | BIT(MOTE_UINT32), trial_size(c));
    trial_array *a = c->array;

    choose_options(c);
    d->how &= ~MOTE_RUN_N_DEVICE;
    d->extra = 0;
    c->in_place = false;
    args->n_modules = d->digis.n_modules;
    args->weight = d->options.weight;
    args->duplicates = d->options.duplicates;
    args->widths = mote_rng_below(&c->rng, 2);
    args->charge_min = d->options.charge_min;
    a[IDS] = trial_digis_each(d, d->digis.module_type);
    a[X] = a[Y] = trial_digis_each(d, MOTE_UINT16);
    if (!d->options.without_adc)
        a[ADC] = trial_digis_each(d, d->digis.adc_type);
    a[OFFSETS] = (trial_array){.type = MOTE_UINT32, .count = d->n + 1};
    a[LIST] = trial_digis_each(d, MOTE_UINT32);
    choose_geometry(c);
    if (d->lines & 1)
        a[GAIN] = trial_digis_modules(d, MOTE_FLOAT32);
    if (d->lines & 2)
        a[PEDESTAL] = trial_digis_modules(d, MOTE_FLOAT32);
    for (size_t k = 0; k < RESULT_COUNT; k++)
        if (c->telling || !trial_once(c, 5))
            a[RESULTS + k] = (trial_array){.type = types[k], .count = d->n};
    c->promise = TRIAL_WITH_FP64;
    c->loose = !trial_has_fp64(c->ctx);
    c->any_nan = true;
}

/* ---- data ------------------------------------------------------------------------------------ */

/* Draws edges that increase or decrease, of equal pixels or of pixels of several widths. */
static void draw_edges(trial_call *c, const trial_array *offsets, const trial_array *edges,
                       uint32_t side)
{
    uint32_t *begin = offsets->data;
    float *edge = edges->data;
    size_t designs = offsets->count - 1;

    if (!offsets->type)
        return;
    begin[0] = (uint32_t)(edges->count - designs * ((size_t)side + 1));
    for (size_t k = 0; k < begin[0]; k++)
        edge[k] = NAN; /* never read */
    for (size_t design = 0; design < designs; design++) {
        const float widths[] = {0.05f, 0.1f, -0.0125f};
        const float width = widths[mote_rng_below(&c->rng, 3)];
        const bool equal = trial_once(c, 3);
        float at = -0.5f * width * (float)side;

        begin[design + 1] = begin[design] + side + 1;
        for (uint32_t k = 0; k <= side; k++) {
            edge[begin[design] + k] = at;
            at += equal || !trial_once(c, 8) ? width : 2.0f * width;
        }
    }
}

static void draw_geometry(trial_call *c, const mote_digis *digis)
{
    const trial_array *a = c->array;
    const size_t designs = count_designs(a);

    draw_edges(c, &a[ROW_OFFSETS], &a[ROW_EDGES], digis->rows);
    draw_edges(c, &a[COLUMN_OFFSETS], &a[COLUMN_EDGES], digis->columns);
    for (uint32_t m = 0; m < digis->n_modules; m++) {
        if (a[DESIGN].type)
            ((uint32_t *)a[DESIGN].data)[m] = mote_rng_below(&c->rng, (uint32_t)designs);
        for (size_t k = SHIFT_X; k <= SHIFT_Y; k++)
            if (a[k].type)
                ((float *)a[k].data)[m] = 0.001f * (float)mote_rng_between(&c->rng, -50, 50);
    }
    for (size_t k = X_VAR_TABLE; k <= Y_VAR_TABLE; k++)
        for (size_t i = 0; i < a[k].count; i++)
            ((float *)a[k].data)[i] = 0.25f * (float)i;
}

/* Fills the lists. Some calls have more clusters than there are, which are empty, and a longer
 * list. */
static bool fill_lists(trial_call *c, const trial_digis *d)
{
    trial_array *a = c->array;
    mote_pixels_result found = {0};
    mote_pixels_options plain = d->options;
    bool good;

    plain.gain = plain.pedestal = NULL;
    plain.charge_min = 0;
    good = mote_pixels_oracle(&d->digis, &plain, &found);
    if (good) {
        size_t clusters = found.n_total, longest = d->n;
        if (trial_once(c, 4))
            clusters += mote_rng_below(&c->rng, (uint32_t)(d->n - clusters) + 1);
        good = mote_oracle_cluster_digis(&d->digis, found.cluster_id, found.cluster_start, clusters,
                                         a[OFFSETS].data, a[LIST].data);
        uint32_t listed = ((uint32_t *)a[OFFSETS].data)[clusters];
        a[OFFSETS].count = clusters + 1;
        a[LIST].count = trial_once(c, 2) ? listed : longest;
        for (size_t k = 0; k < RESULT_COUNT; k++)
            if (a[RESULTS + k].type)
                a[RESULTS + k].count = clusters;
    }
    mote_pixels_result_free(&found);
    return good;
}

static mote_measure_task task_of(const trial_call *c, const trial_digis *d)
{
    const trial_array *a = c->array;
    const size_t designs = count_designs(a);
    return (mote_measure_task){
        .digis = &d->digis,
        .options = &d->options,
        .clusters = a[OFFSETS].count - 1,
        .offsets = a[OFFSETS].data,
        .list = a[LIST].data,
        .design = a[DESIGN].data,
        .rows = {a[ROW_OFFSETS].data, a[ROW_EDGES].data},
        .columns = {a[COLUMN_OFFSETS].data, a[COLUMN_EDGES].data},
        .shift_x = a[SHIFT_X].data,
        .shift_y = a[SHIFT_Y].data,
        .var_table = {a[X_VAR_TABLE].data, a[Y_VAR_TABLE].data},
        .var_sizes = {(uint32_t)(a[X_VAR_TABLE].count / designs),
                      (uint32_t)(a[Y_VAR_TABLE].count / designs)},
        .widths = ((const mote_pixels_measure_args *)(const void *)&c->args)->widths != 0,
    };
}

static bool expect(trial_call *c, const mote_measure_task *t)
{
    const trial_array *out = c->array + RESULTS;

    for (size_t k = 0; k < t->clusters; k++) {
        mote_measurement m;
        if (!mote_oracle_measure(t, k, &m))
            return false;
        for (size_t i = 0; i < RESULT_COUNT; i++) /* members of 4 bytes, in this order */
            if (out[i].type)
                memcpy((uint32_t *)out[i].data + k, (const char *)&m + 4 * i, 4);
    }
    return true;
}

/* Makes the design of a digi's module wrong, so that the digis of this module have no edges. */
static void spoil_design(trial_call *c, const mote_measure_task *t, uint32_t module)
{
    uint32_t *design = c->array[DESIGN].data, lowest = UINT32_MAX;

    design[module] = MOST_DESIGNS + 1 + mote_rng_below(&c->rng, 3);
    for (size_t at = t->offsets[0]; at < t->offsets[t->clusters]; at++)
        if (t->digis->module_id[t->list[at]] == module && t->list[at] < lowest)
            lowest = t->list[at];
    c->told = MOTE_ERROR_COORDINATE;
    c->told_index = lowest;
}

/* Puts one fault into the lists or the designs. */
static void corrupt(trial_call *c, const mote_measure_task *t)
{
    const trial_array *a = c->array;
    uint32_t *offsets = a[OFFSETS].data, *list = a[LIST].data;
    size_t k = 0;

    while (k < t->clusters && (offsets[k] == offsets[k + 1] || !trial_once(c, 3)))
        k++;
    if (k == t->clusters)
        return;
    uint32_t fault = mote_rng_below(&c->rng, 3);
    size_t at = offsets[k] + mote_rng_below(&c->rng, offsets[k + 1] - offsets[k]);
    c->told = MOTE_ERROR_OFFSETS_OUT_OF_RANGE;
    c->told_index = (uint32_t)k;
    if (fault == 0 && a[DESIGN].type) {
        spoil_design(c, t, t->digis->module_id[list[at]]);
    } else if (fault == 1) {
        list[at] = (uint32_t)t->digis->n + mote_rng_below(&c->rng, 2) * 0x7fffffffu;
    } else if (k + 1 == t->clusters) {
        offsets[k + 1] = (uint32_t)a[LIST].count + 1 + mote_rng_below(&c->rng, 5);
    } else {
        offsets[k + 1] = offsets[k] - (offsets[k] > 0);
        c->told = offsets[k] > 0 ? MOTE_ERROR_OFFSETS_NOT_MONOTONIC : MOTE_SUCCESS;
        c->told_any = true; /* the next cluster may contain digis of two modules */
    }
    c->unspecified = true;
}

static bool fill_measure(trial_call *c, char *message, size_t size)
{
    trial_digis *d = trial_digis_of(c);
    trial_array *a = c->array;
    bool spoilt = c->spoilt;

    (void)message, (void)size;
    c->spoilt = false;
    bool good = trial_digis_make(c, 0);
    c->spoilt = spoilt;
    if (!good)
        return false;
    trial_digis_copy(&a[IDS], d->digis.module_id, d->n);
    trial_digis_copy_bytes(&a[X], d->digis.x, d->n);
    trial_digis_copy_bytes(&a[Y], d->digis.y, d->n);
    trial_digis_copy(&a[ADC], d->digis.adc, a[ADC].type ? d->n : 0);
    trial_digis_copy_bytes(&a[GAIN], d->options.gain, a[GAIN].count);
    trial_digis_copy_bytes(&a[PEDESTAL], d->options.pedestal, a[PEDESTAL].count);
    ((mote_pixels_measure_args *)(void *)&c->args)->charge_min = d->options.charge_min;
    draw_geometry(c, &d->digis);
    good = fill_lists(c, d);
    mote_measure_task task = task_of(c, d);
    good = good && expect(c, &task);
    if (good && spoilt)
        corrupt(c, &task);
    return trial_digis_end(c, good);
}

/* Without double precision, positions and variances may differ by a few units in the last place of
 * the largest centre. Numbers that are not floats are equal. */
static bool is_near(const void *call, size_t at, const void *got, const void *expected)
{
    const trial_digis *d = trial_digis_of((trial_call *)(uintptr_t)call);
    const double side = d->digis.rows > d->digis.columns ? d->digis.rows : d->digis.columns;
    float a, b;

    (void)at;
    memcpy(&a, got, sizeof(a));
    memcpy(&b, expected, sizeof(b));
    if ((a != 0.0f && fabsf(a) < FLT_MIN) || (b != 0.0f && fabsf(b) < FLT_MIN))
        return false;
    return fabs((double)a - (double)b) <= 0x1p-22 * fabs((double)b) + 0x1p-38 * side * side;
}

/* ---- the description ------------------------------------------------------------------------- */

/* Arrays whose pointers follow each other in the structure. */
#define MEMBER(name) offsetof(mote_pixels_measure_host_args, name)
static const struct {
    size_t first, count, member;
} pointers[] = {{X, 2, MEMBER(x)},
                {DESIGN, 9, MEMBER(design)},
                {X_VAR_TABLE, 2, MEMBER(x_var_by_rows)},
                {RESULTS, RESULT_COUNT, MEMBER(cluster_module)}};

static mote_status run_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_pixels_measure_args *d = (const mote_pixels_measure_args *)(const void *)&c->args;
    const trial_array *a = c->array;
    const size_t designs = count_designs(a);
    mote_pixels_measure_host_args args = {
        .size = sizeof(args),
        .n = a[IDS].count,
        .module_id16 = a[IDS].type == MOTE_UINT16 ? arrays[IDS] : NULL,
        .module_id32 = a[IDS].type == MOTE_UINT32 ? arrays[IDS] : NULL,
        .adc16 = a[ADC].type == MOTE_UINT16 ? arrays[ADC] : NULL,
        .adc32 = a[ADC].type == MOTE_UINT32 ? arrays[ADC] : NULL,
        .n_clusters = a[OFFSETS].count - 1,
        .cluster_offsets = arrays[OFFSETS],
        .n_listed = a[LIST].count,
        .digis = arrays[LIST],
        .n_modules = d->n_modules,
        .weight = d->weight,
        .duplicates = d->duplicates,
        .widths = d->widths,
        .n_designs = a[ROW_OFFSETS].type || a[COLUMN_OFFSETS].type ? designs : 0,
        .charge_min = d->charge_min,
        .row_sizes = (uint32_t)(a[X_VAR_TABLE].count / designs),
        .column_sizes = (uint32_t)(a[Y_VAR_TABLE].count / designs),
    };

    for (size_t p = 0; p < sizeof(pointers) / sizeof(pointers[0]); p++)
        for (size_t i = 0; i < pointers[p].count; i++)
            if (a[pointers[p].first + i].type)
                memcpy((char *)&args + pointers[p].member + i * sizeof(void *),
                       &arrays[pointers[p].first + i], sizeof(void *));
    return mote_pixels_measure_host(c->ctx, host, &args);
}

static const char *const tunes[] = {"pixels.form=cpu", "pixels.form=gpu",
                                    "pixels.form=cpu,reduce.fp64=0",
                                    "pixels.form=gpu,reduce.fp64=0", NULL};

static const trial_program programs[] = {
    TRIAL_PROGRAM("16 bits", MOTE_UINT16, MOTE_UINT16, 0),
    TRIAL_PROGRAM("charges of lines", MOTE_UINT32, MOTE_UINT32, 1),
    TRIAL_PROGRAM("without charges", MOTE_UINT16, MOTE_TYPE_NONE, 0),
    TRIAL_END,
};

/* Sizes near the end of a block and of the longest cluster that one work-item processes alone. */
static const size_t borders[] = {1, 64, 256, 1024, 4096, 0};

TRIAL_FUNCTIONS(measure, mote_pixels_measure, mote_pixels_measure_args)
TRIAL_WORKSPACE_SIZE(measure, mote_pixels_measure_workspace_size)

const trial_operation trial_measure = {
    TRIAL_OPERATION(measure, mote_pixels_measure, mote_pixels_measure_args,
                    MOTE_OPERATION_PIXELS_MEASURE),
    TRIAL_WORKSPACE(measure, mote_pixels_measure_args),
    .run_host = run_host,
    .is_near = is_near,
    .borders = borders,
    .whole = 2,
    .tunes = tunes,
    .programs = programs,
};
