/* SPDX-License-Identifier: Apache-2.0 */
#include "tables.h"

#define EVENTS  2
#define MODULES 10
#define ROWS    160
#define COLUMNS 416
#define N       ((size_t)300)

static uint16_t module_id[N], x[N], y[N], adc[N];
static uint64_t wide_id[N];
static uint32_t event_offsets[EVENTS + 1], cuts[MODULES];
static float pitches[MODULES], gains[MODULES];
static uint32_t dead[MODULES * COLUMNS * ROWS / 32];
static uint8_t damaged[MODULES];
static int32_t labels[N];
static uint32_t label_counts[EVENTS * MODULES];

/* Fills the inputs of calls. Digis are ordered by module if `contiguous`; otherwise neighbouring
 * digis are in different modules. */
static void fill(bool contiguous)
{
    for (uint32_t i = 0; i < N; i++) {
        uint32_t inside = i % (N / EVENTS), each = N / EVENTS / MODULES;
        uint32_t module = contiguous ? inside / each : inside * 7 % MODULES;
        module_id[i] = (uint16_t)module;
        wide_id[i] = UINT64_C(0x1234567800000000) + 17 * module;
        x[i] = (uint16_t)((i * 5 + i / 9) % 23);
        y[i] = (uint16_t)((i * 11 + i / 4) % 31);
        adc[i] = (uint16_t)(i * 37 % 900);
        labels[i] = (int32_t)(i % 3);
    }
    for (uint32_t e = 0; e <= EVENTS; e++)
        event_offsets[e] = (uint32_t)(e * (N / EVENTS));
    for (uint32_t m = 0; m < MODULES; m++) {
        cuts[m] = 300 + m;
        damaged[m] = m % 2;
        pitches[m] = 0.01f * (float)m;
        gains[m] = 1.5f + (float)m;
    }
    for (uint32_t k = 0; k < EVENTS * MODULES; k++)
        label_counts[k] = 3;
    for (size_t k = 0; k < sizeof(dead) / sizeof(dead[0]); k++)
        dead[k] = 1u << k % 32;
}

static mote_pixels_cluster_args *cluster(fault_bed *b, bool contiguous,
                                         mote_pixels_strategy strategy)
{
    FAULT_ARGS(b, mote_pixels_cluster_args, args);
    fill(contiguous);
    args->module_id = fault_in(b, "module_id", MOTE_UINT16, N, module_id);
    args->x = fault_in(b, "x", MOTE_UINT16, N, x);
    args->y = fault_in(b, "y", MOTE_UINT16, N, y);
    args->adc = fault_in(b, "adc", MOTE_UINT16, N, adc);
    args->event_offsets = fault_in(b, "event_offsets", MOTE_UINT32, EVENTS + 1, event_offsets);
    args->n_modules = MODULES;
    args->rows = ROWS;
    args->columns = COLUMNS;
    args->order = contiguous ? MOTE_ORDER_CONTIGUOUS : MOTE_ORDER_ANY;
    args->strategy = strategy;
    args->cluster_id = fault_out(b, "cluster_id", MOTE_INT32, N);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
    return args;
}

static void plain(fault_bed *b)
{
    cluster(b, true, MOTE_PIXELS_UNION_FIND);
}

/* Sets all outputs and options of a call. */
static void complete(fault_bed *b)
{
    mote_pixels_cluster_args *args = cluster(b, false, MOTE_PIXELS_UNION_FIND);
    args->charge_cuts = fault_in(b, "charge_cuts", MOTE_UINT32, MODULES, cuts);
    args->adc_threshold = 20;
    args->module_id_out = fault_out(b, "module_id_out", MOTE_UINT16, N);
    args->n_clusters = fault_out(b, "n_clusters", MOTE_UINT32, EVENTS * MODULES);
    args->cluster_start = fault_out(b, "cluster_start", MOTE_UINT32, EVENTS * MODULES + 1);
    args->properties = fault_out(b, "properties", MOTE_PIXELS_CLUSTER_TYPE, N);
    args->cluster_x = fault_out(b, "cluster_x", MOTE_FLOAT32, N);
    args->cluster_xy_cov = fault_out(b, "cluster_xy_cov", MOTE_FLOAT32, N);
    args->cluster_charge = fault_out(b, "cluster_charge", MOTE_UINT32, N);
    args->pitch_x = fault_in(b, "pitch_x", MOTE_FLOAT32, MODULES, pitches);
    args->mask = fault_in(b, "mask", MOTE_UINT32, sizeof(dead) / sizeof(dead[0]), dead);
    args->gain = fault_in(b, "gain", MOTE_FLOAT32, MODULES, gains);
    args->pedestal = fault_in(b, "pedestal", MOTE_FLOAT32, MODULES, pitches);
    args->morph = fault_in(b, "morph", MOTE_UINT8, MODULES, damaged);
}

static void histogram(fault_bed *b)
{
    mote_pixels_cluster_args *args = cluster(b, true, MOTE_PIXELS_HISTOGRAM);
    args->n_clusters = fault_out(b, "n_clusters", MOTE_UINT32, EVENTS * MODULES);
}

static void cut(fault_bed *b)
{
    FAULT_ARGS(b, mote_pixels_charge_cut_args, args);
    fill(true);
    args->module_id = fault_in(b, "module_id", MOTE_UINT16, N, module_id);
    args->adc = fault_in(b, "adc", MOTE_UINT16, N, adc);
    args->event_offsets = fault_in(b, "event_offsets", MOTE_UINT32, EVENTS + 1, event_offsets);
    args->n_modules = MODULES;
    args->charge_cut = 3600;
    args->cluster_id = fault_in_out(b, "cluster_id", MOTE_INT32, N, labels);
    args->n_clusters = fault_in_out(b, "n_clusters", MOTE_UINT32, EVENTS * MODULES, label_counts);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
}

static mote_pixels_host_args *host_digis(fault_bed *b)
{
    FAULT_ARGS(b, mote_pixels_host_args, args);
    fill(false);
    args->n = N;
    args->x = fault_host_in(b, "x", sizeof(x), x);
    args->y = fault_host_in(b, "y", sizeof(y), y);
    args->adc16 = fault_host_in(b, "adc", sizeof(adc), adc);
    args->event_offsets = fault_host_in(b, "event_offsets", sizeof(event_offsets), event_offsets);
    args->n_events = EVENTS;
    args->rows = ROWS;
    args->columns = COLUMNS;
    args->charge_cut = 500;
    args->cluster_id = fault_host_out(b, "cluster_id", sizeof(labels));
    return args;
}

static void host_narrow(fault_bed *b)
{
    mote_pixels_host_args *args = host_digis(b);
    args->module_id16 = fault_host_in(b, "module_id", sizeof(module_id), module_id);
    args->n_modules = MODULES;
    args->n_clusters = fault_host_out(b, "n_clusters", sizeof(label_counts));
    args->positions = 1;
    args->pitch_x = fault_host_in(b, "pitch_x", sizeof(pitches), pitches);
}

static void host_wide(fault_bed *b)
{
    host_digis(b)->module_id64 = fault_host_in(b, "module_id", sizeof(wide_id), wide_id);
}

FAULT_ENQUEUES(mote_pixels_cluster, mote_pixels_cluster_args)
FAULT_SIZES(mote_pixels_cluster, mote_pixels_cluster_args)
FAULT_ENQUEUES(mote_pixels_charge_cut, mote_pixels_charge_cut_args)
FAULT_SIZES(mote_pixels_charge_cut, mote_pixels_charge_cut_args)

/* With a persistent host, the result is requested, too. */
static mote_status run_mote_pixels_cluster_host(fault_bed *b)
{
    mote_pixels_host_result result = MOTE_PIXELS_HOST_RESULT_INIT;
    return mote_pixels_cluster_host(b->ctx, b->host,
                                    (const mote_pixels_host_args *)(const void *)&b->args,
                                    b->host ? &result : NULL);
}

/* clang-format off */
const fault_operation fault_pixels[] = {
    FAULT_SIZED_ROW(plain, mote_pixels_cluster, MOTE_OPERATION_PIXELS_CLUSTER),
    FAULT_SIZED_ROW(complete, mote_pixels_cluster, MOTE_OPERATION_PIXELS_CLUSTER),
    FAULT_ROW(histogram, mote_pixels_cluster, MOTE_OPERATION_PIXELS_CLUSTER),
    FAULT_SIZED_ROW(cut, mote_pixels_charge_cut, MOTE_OPERATION_PIXELS_CHARGE_CUT),
    FAULT_HOST_ROW(host_narrow, mote_pixels_cluster_host),
    FAULT_HOST_ROW(host_wide, mote_pixels_cluster_host),
};
/* clang-format on */
const size_t fault_pixels_count = sizeof(fault_pixels) / sizeof(fault_pixels[0]);
