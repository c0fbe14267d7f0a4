/* SPDX-License-Identifier: Apache-2.0 */
/* Describes mote_pixels_cluster_time() and mote_pixels_cluster_time_host(). */
#include "testkit/operations/pixels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/reference/pixels/time_oracle.h"

/* The fields of a call. */
enum {
    MODULE_ID,
    X,
    Y,
    T,
    CHARGE,
    CLUSTER_ID,
    N_CLUSTERS,
    PROPERTIES,
    CLUSTER_MODULE,
    CLUSTER_FIRST,
    CLUSTER_LAST
};

/* The decision about the outputs. */
enum { EVERYTHING, LABELS_ALONE, NO_PROPERTIES };

/* The kinds of hits. */
enum { STREAM, ONE_PIXEL, EQUAL_TIMES, ANY_TIMES, EXTREME_TIMES, KINDS };

static mote_time_hits *hits_of(trial_call *c)
{
    return (mote_time_hits *)(void *)&c->own;
}

static void choose_detector(trial_call *c, mote_time_hits *h)
{
    static const uint32_t shapes[][3] = {{1, 256, 256}, {3, 16, 16},      {2, 5, 7},
                                         {40, 1, 300},  {1, 1, 1},        {2, 9, 1},
                                         {1, 65536, 3}, {65535, 1, 65536}};
    static const int64_t windows[] = {0, 1, 20, 1000, INT64_C(1) << 40, INT64_MAX};
    uint32_t count = (uint32_t)(sizeof(shapes) / sizeof(shapes[0]));
    /* The last shape has nearly as many pixels as a call allows, which only the comparison of all
     * pairs can process. */
    const uint32_t *shape = shapes[mote_rng_below(&c->rng, count - (h->n > MOTE_TIME_PAIRS))];

    h->n_modules = shape[0];
    h->rows = shape[1];
    h->columns = shape[2];
    h->radius = mote_rng_below(&c->rng, 3) ? 1 : mote_rng_below(&c->rng, 16);
    h->window = windows[mote_rng_below(&c->rng, sizeof(windows) / sizeof(windows[0]))];
    h->streaming = !c->telling && mote_rng_below(&c->rng, 2);
    c->kind = c->telling ? STREAM : mote_rng_below(&c->rng, KINDS);
    if (c->telling)
        h->window = 20;
}

static void choose_time(trial_call *c)
{
    mote_pixels_cluster_time_args *a = (mote_pixels_cluster_time_args *)(void *)&c->args;
    mote_time_hits *h = hits_of(c);
    mote_type id = (mote_type)trial_choose(c, BIT(MOTE_UINT16) | BIT(MOTE_UINT32));
    mote_type charge =
        (mote_type)trial_choose(c, BIT(MOTE_TYPE_NONE) | BIT(MOTE_UINT16) | BIT(MOTE_UINT32));
    unsigned outputs = trial_choose(c, BIT(EVERYTHING) | BIT(LABELS_ALONE) | BIT(NO_PROPERTIES));
    size_t n = trial_size(c), room = n;
    trial_array *array = c->array;

    *h = (mote_time_hits){.n = n};
    choose_detector(c, h);
    a->n_modules = h->n_modules;
    a->rows = h->rows;
    a->columns = h->columns;
    a->radius = h->radius ? h->radius : MOTE_PIXELS_SAME_PIXEL;
    if (h->radius == 1 && trial_once(c, 2))
        a->radius = 0;
    a->window = h->window;
    a->streaming = h->streaming;
    h->complete = mote_rng_between(&c->rng, -1000, 1000 + (int64_t)n);
    a->complete = h->complete;
    array[MODULE_ID] = (trial_array){.type = id, .count = n};
    array[X] = array[Y] = (trial_array){.type = MOTE_UINT16, .count = n};
    array[T] = (trial_array){.type = MOTE_INT64, .count = n};
    if (charge)
        array[CHARGE] = (trial_array){.type = charge, .count = n};
    array[CLUSTER_ID] = (trial_array){.type = MOTE_INT32, .count = n};
    array[N_CLUSTERS] = (trial_array){.type = MOTE_UINT32, .count = 1};
    if (outputs == LABELS_ALONE)
        return;
    if (!c->telling && !c->on_host && n && trial_once(c, 6)) /* may be too few */
        room = 1 + mote_rng_below(&c->rng, (uint32_t)n);
    if (outputs == EVERYTHING)
        array[PROPERTIES] = (trial_array){.type = MOTE_PIXELS_CLUSTER_TYPE, .count = room};
    array[CLUSTER_MODULE] = (trial_array){.type = MOTE_UINT32, .count = room};
    array[CLUSTER_FIRST] = array[CLUSTER_LAST] = (trial_array){.type = MOTE_INT64, .count = room};
}

/* ---- data ------------------------------------------------------------------------------------ */

static int64_t draw_time(trial_call *c, const mote_time_hits *h, int64_t at)
{
    static const int64_t extremes[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX};
    int64_t late = (int64_t)h->n / 2;

    switch (c->kind) {
    case EQUAL_TIMES:
        return INT64_C(-7000000000000);
    case ANY_TIMES:
        return (int64_t)mote_rng_next(&c->rng);
    case EXTREME_TIMES:
        return extremes[mote_rng_below(&c->rng, 6)];
    case ONE_PIXEL:
        return mote_rng_between(&c->rng, -late * 8, late * 8);
    default:
        return at + mote_rng_between(&c->rng, -3, 12);
    }
}

/* Draws hits near the centres of clusters, whose times increase on average. */
static void draw_hits(trial_call *c, mote_time_hits *h)
{
    uint32_t left = 0, module = 0, x = 0, y = 0;
    int64_t at = c->seed % 2 ? 0 : (INT64_C(1) << 40) - 5;

    if (h->streaming && !(c->seed % 2))
        h->complete += at;
    for (size_t i = 0; i < h->n; i++) {
        if (left == 0) {
            left = 1 + mote_rng_below(&c->rng, mote_rng_below(&c->rng, 20) ? 8 : 200);
            module = mote_rng_below(&c->rng, h->n_modules);
            x = mote_rng_below(&c->rng, h->rows);
            y = mote_rng_below(&c->rng, h->columns);
            at += (int64_t)mote_rng_below(&c->rng, 8);
        }
        left -= c->kind != ONE_PIXEL;
        x = (x + mote_rng_below(&c->rng, 3) * (c->kind != ONE_PIXEL)) % h->rows;
        y = (y + mote_rng_below(&c->rng, 2) * (c->kind != ONE_PIXEL)) % h->columns;
        h->module[i] = module;
        h->x[i] = (uint16_t)x;
        h->y[i] = (uint16_t)y;
        h->t[i] = draw_time(c, h, at);
        h->charge[i] = (uint32_t)mote_rng_next(&c->rng);
        if (c->array[CHARGE].type != MOTE_UINT32)
            h->charge[i] = c->array[CHARGE].type ? h->charge[i] & UINT16_MAX : 0;
    }
}

/* Moves up to two hits out of the detector. Ids of modules have 16 bits or more. */
static void corrupt(trial_call *c, mote_time_hits *h)
{
    const uint32_t modules = h->n_modules < 65000 ? 1000 : 65536 - h->n_modules;

    for (uint32_t k = 0; h->n && k < 2; k++) {
        size_t i = mote_rng_below(&c->rng, (uint32_t)h->n);

        if (h->rows < 65536 && trial_once(c, 2))
            h->x[i] = (uint16_t)(h->rows + mote_rng_below(&c->rng, 65536 - h->rows));
        else if (trial_once(c, 2))
            h->y[i] = (uint16_t)(h->columns + mote_rng_below(&c->rng, 65536 - h->columns));
        else
            h->module[i] = h->n_modules + mote_rng_below(&c->rng, modules);
    }
}

static void expect(trial_call *c, const mote_time_hits *h, const mote_time_clusters *r)
{
    const trial_array *a = c->array;
    size_t total = r->count, room = a[CLUSTER_MODULE].count;

    trial_digis_copy_bytes(&a[CLUSTER_ID], r->label, h->n);
    trial_digis_copy_bytes(&a[N_CLUSTERS], &r->count, 1);
    if (a[CLUSTER_MODULE].type && room && total > room) {
        c->told = MOTE_ERROR_CAPACITY;
        c->told_index = (uint32_t)total;
    }
    total = total < room ? total : room;
    trial_digis_copy_bytes(&a[PROPERTIES], r->records, total);
    trial_digis_copy_bytes(&a[CLUSTER_MODULE], r->module, total);
    trial_digis_copy_bytes(&a[CLUSTER_FIRST], r->first, total);
    trial_digis_copy_bytes(&a[CLUSTER_LAST], r->last, total);
}

static void free_all(mote_time_hits *h, mote_time_clusters *r)
{
    free(h->module);
    free(h->charge);
    free(r->label);
    free(r->records);
    free(r->module);
    free(r->first);
    free(r->last);
}

static bool fill_time(trial_call *c, char *message, size_t size)
{
    mote_time_hits *h = hits_of(c);
    const trial_array *a = c->array;
    size_t n = h->n + 1;
    mote_time_clusters r = {
        .label = malloc(n * sizeof(*r.label)),
        .records = malloc(n * sizeof(*r.records)),
        .module = malloc(n * sizeof(*r.module)),
        .first = malloc(n * sizeof(*r.first)),
        .last = malloc(n * sizeof(*r.last)),
    };

    h->module = malloc(n * sizeof(*h->module));
    h->charge = malloc(n * sizeof(*h->charge));
    h->x = a[X].data, h->y = a[Y].data, h->t = a[T].data;
    bool good = r.label && r.records && r.module && r.first && r.last && h->module && h->charge;
    if (good) {
        draw_hits(c, h);
        if (c->spoilt)
            corrupt(c, h);
        trial_digis_copy(&a[MODULE_ID], h->module, h->n);
        trial_digis_copy(&a[CHARGE], h->charge, h->n);
        ((mote_pixels_cluster_time_args *)(void *)&c->args)->complete = h->complete;
        c->told = mote_oracle_time_error(h, &c->told_index);
        c->unspecified = c->told != MOTE_SUCCESS;
        good = c->unspecified || mote_oracle_time(h, &r);
    }
    if (good && !c->unspecified)
        expect(c, h, &r);
    if (!good)
        snprintf(message, size, "out of memory");
    free_all(h, &r);
    return good;
}

/* ---- plain arrays ---------------------------------------------------------------------------- */

static bool take(const trial_call *c, void *const *arrays, const mote_pixels_time_host_result *r)
{
    const void *const results[] = {r->properties, r->module, r->first, r->last};

    for (size_t k = 0; k < 4; k++) {
        const trial_array *a = &c->array[PROPERTIES + k];

        if (a->type && r->n_clusters > a->count)
            return false;
        if (a->type && r->n_clusters)
            memcpy(arrays[PROPERTIES + k], results[k], r->n_clusters * mote_type_size(a->type));
    }
    *(uint32_t *)arrays[N_CLUSTERS] = (uint32_t)r->n_clusters;
    return true;
}

static mote_status run_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_pixels_cluster_time_args *a =
        (const mote_pixels_cluster_time_args *)(const void *)&c->args;
    mote_pixels_time_host_result result = MOTE_PIXELS_TIME_HOST_RESULT_INIT;
    mote_pixels_time_host_args args = MOTE_PIXELS_TIME_HOST_ARGS_INIT;
    const trial_array *array = c->array;
    mote_host *own = NULL;
    mote_status status = host ? MOTE_SUCCESS : mote_host_create(c->ctx, NULL, &own);

    args.n = array[MODULE_ID].count;
    args.module_id16 = array[MODULE_ID].type == MOTE_UINT16 ? arrays[MODULE_ID] : NULL;
    args.module_id32 = array[MODULE_ID].type == MOTE_UINT32 ? arrays[MODULE_ID] : NULL;
    args.x = arrays[X], args.y = arrays[Y], args.t = arrays[T];
    args.charge16 = array[CHARGE].type == MOTE_UINT16 ? arrays[CHARGE] : NULL;
    args.charge32 = array[CHARGE].type == MOTE_UINT32 ? arrays[CHARGE] : NULL;
    args.n_modules = a->n_modules, args.rows = a->rows, args.columns = a->columns;
    args.radius = a->radius, args.window = a->window;
    args.complete = a->complete, args.streaming = a->streaming;
    args.cluster_id = arrays[CLUSTER_ID];
    if (!status)
        status = mote_pixels_cluster_time_host(c->ctx, host ? host : own, &args, &result);
    if (!status && !take(c, arrays, &result))
        status = MOTE_ERROR_INTERNAL;
    mote_host_release(own);
    return status;
}

/* ---- the description ------------------------------------------------------------------------- */

static const char *const tunes[] = {"pixels.form=cpu", "pixels.form=gpu",
                                    "pixels.form=cpu,pixels.time_table=0",
                                    "pixels.form=gpu,pixels.time_slices=1", NULL};

static const trial_program programs[] = {
    TRIAL_PROGRAM("16 bits", MOTE_UINT16, MOTE_UINT16, EVERYTHING),
    TRIAL_PROGRAM("32 bits", MOTE_UINT32, MOTE_UINT32, EVERYTHING),
    TRIAL_PROGRAM("without charges", MOTE_UINT16, MOTE_TYPE_NONE, NO_PROPERTIES),
    TRIAL_PROGRAM("labels alone", MOTE_UINT16, MOTE_TYPE_NONE, LABELS_ALONE),
    TRIAL_END,
};

/* Sizes near the ends of a work-item's range in the CPU form and of a tile of the sort, and near
 * the largest number of hits of which the oracle compares all pairs. */
static const size_t borders[] = {1, 2, 33, 256, 300, 1024, 2048, 4096, 0};

TRIAL_FUNCTIONS(time, mote_pixels_cluster_time, mote_pixels_cluster_time_args)
TRIAL_WORKSPACE_SIZE(time, mote_pixels_cluster_time_workspace_size)

const trial_operation trial_cluster_time = {
    .name = "cluster_time",
    .call = "mote_pixels_cluster_time",
    .number = MOTE_OPERATION_PIXELS_CLUSTER_TIME,
    .error_at = offsetof(mote_pixels_cluster_time_args, error),
    .init = init_time,
    .choose = choose_time,
    .fill = fill_time,
    .enqueue = enqueue_time,
    TRIAL_WORKSPACE(time, mote_pixels_cluster_time_args),
    .run_host = run_host,
    .borders = borders,
    .whole = 2,
    .tunes = tunes,
    .programs = programs,
    .many_calls = true,
    .weight = 3,
};
