/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of mote_pixels_cluster(). */
#include "requested.h"

#define MODULES ((size_t)2000)
/* More modules than local memory has counters for, any order. */
#define MANY_MODULES ((size_t)10000)
#define EVENTS       ((size_t)4)

static const mote_type ids[] = {MOTE_UINT16, MOTE_UINT32};
static const mote_type charges[] = {MOTE_UINT16, MOTE_UINT32, MOTE_TYPE_NONE};

/* Modules with fewer and more than 2^16 pixels in a row, and so with different numbers of levels of
 * the tree. */
static const struct {
    uint32_t rows, columns;
} shapes[] = {{160, 416}, {256, 256}, {2048, 2048}, {65536, 65536}};

static void ask_clusters(mote_context *ctx, mote_type id, mote_type adc, size_t n)
{
    for (unsigned way = 0; way < 2 * 2 * 4 * 2 * 4; way++) {
        mote_pixels_cluster_args args;
        mote_pixels_cluster_args_init(&args);
        args.module_id = args.module_id_out = requested_view(id, n);
        args.x = args.y = requested_view(MOTE_UINT16, n);
        if (adc)
            args.adc = requested_view(adc, n);
        args.event_offsets = requested_view(MOTE_UINT32, EVENTS + 1);
        args.n_modules = MODULES;
        args.order = (mote_pixels_order)(way % 2);
        args.strategy = way / 2 % 2 ? MOTE_PIXELS_HISTOGRAM : MOTE_PIXELS_UNION_FIND;
        args.duplicates = (mote_pixels_duplicates)(way / 4 % 4);
        args.charge_cut = way / 16 % 2 ? 2000 : 0;
        args.rows = shapes[way / 32].rows;
        args.columns = shapes[way / 32].columns;
        args.cluster_id = requested_view(MOTE_INT32, n);
        args.n_clusters = requested_view(MOTE_UINT32, EVENTS * MODULES);
        args.cluster_start = requested_view(MOTE_UINT32, EVENTS * MODULES + 1);
        args.properties = requested_view(MOTE_PIXELS_CLUSTER_TYPE, n);
        requested_prepare(ctx, MOTE_OPERATION_PIXELS_CLUSTER, &args);
    }
}

/* Positions and decoding of digis, each alone and together. */
static void ask_extras(mote_context *ctx, mote_type id, mote_type adc, size_t n)
{
    for (unsigned way = 0; way < 2 * 2 * 4 * 2 * 4; way++) {
        mote_pixels_cluster_args args;
        mote_pixels_cluster_args_init(&args);
        args.module_id = requested_view(id, n);
        args.x = args.y = requested_view(MOTE_UINT16, n);
        args.adc = requested_view(adc, n);
        args.n_modules = way < 32 ? MANY_MODULES : MODULES;
        args.order = (mote_pixels_order)(way % 2);
        args.strategy = way / 2 % 2 ? MOTE_PIXELS_HISTOGRAM : MOTE_PIXELS_UNION_FIND;
        args.duplicates = (mote_pixels_duplicates)(way / 4 % 4);
        args.rows = shapes[0].rows;
        args.columns = shapes[0].columns;
        args.cluster_id = requested_view(MOTE_INT32, n);
        if (way / 16 % 2) {
            args.cluster_x = args.cluster_y = args.cluster_x_var = args.cluster_y_var =
                args.cluster_xy_cov = args.cluster_charge = requested_view(MOTE_FLOAT32, n);
            args.cluster_size = requested_view(MOTE_UINT32, n);
            args.weight = MOTE_PIXELS_WEIGHT_CHARGE;
        }
        if (way / 32 & 1)
            args.mask =
                requested_view(MOTE_UINT32, MODULES * args.columns * ((args.rows + 31) / 32));
        if (way / 32 & 2)
            args.gain = args.pedestal = requested_view(MOTE_FLOAT32, MODULES);
        requested_prepare(ctx, MOTE_OPERATION_PIXELS_CLUSTER, &args);
    }
}

/* Prepares calls with marked modules. */
static void ask_marked(mote_context *ctx, mote_type id, mote_type adc, size_t n)
{
    for (unsigned way = 0; way < 2 * 4 * ASKED_COUNT(shapes); way++) {
        mote_pixels_cluster_args args;
        mote_pixels_cluster_args_init(&args);
        args.rows = shapes[way / 8].rows < 65536 ? shapes[way / 8].rows : 16384;
        args.columns = shapes[way / 8].columns < 65536 ? shapes[way / 8].columns : 16384;
        args.module_id = requested_view(id, n);
        args.x = args.y = requested_view(MOTE_UINT16, n);
        if (adc)
            args.adc = requested_view(adc, n);
        args.n_modules = MODULES;
        args.order = (mote_pixels_order)(way % 2);
        args.duplicates = (mote_pixels_duplicates)(way / 2 % (adc ? 4 : 3));
        args.charge_cut = adc && way / 2 % 2 ? 2000 : 0;
        args.cluster_id = requested_view(MOTE_INT32, n);
        args.morph = requested_view(MOTE_UINT8, MODULES);
        if (adc && id == MOTE_UINT16)
            args.gain = requested_view(MOTE_FLOAT32, MODULES);
        if (adc && way / 8 == 0)
            args.mask =
                requested_view(MOTE_UINT32, MODULES * args.columns * ((args.rows + 31) / 32));
        requested_prepare(ctx, MOTE_OPERATION_PIXELS_CLUSTER, &args);
    }
}

void requested_pixels(mote_context *ctx)
{
    static const size_t digis[] = {50, 20000, 1000000};
    for (size_t k = 0; k < ASKED_COUNT(ids) * ASKED_COUNT(charges) * ASKED_COUNT(digis); k++) {
        mote_type id = ids[k % ASKED_COUNT(ids)];
        mote_type adc = charges[k / ASKED_COUNT(ids) % ASKED_COUNT(charges)];
        size_t n = digis[k / ASKED_COUNT(ids) / ASKED_COUNT(charges)];
        ask_clusters(ctx, id, adc, n);
        if (adc)
            ask_extras(ctx, id, adc, n);
        ask_marked(ctx, id, adc, n);
    }
}
