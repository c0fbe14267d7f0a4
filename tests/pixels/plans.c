/* SPDX-License-Identifier: Apache-2.0 */
/* Checks plans of clustering calls for random devices of all vendors, random tuning, and sizes on
 * either side of each decision. The calls are only prepared, and the functions below replace those
 * of the library by means of the linker, so nothing is built or computed. The library compares each
 * launch with the plan (src/pixels/cluster_agree.c).
 *
 *   plans [DRAWS [SEED]] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "testkit/rng.h"
#include "core/call.h"
#include "core/context.h"
#include "core/quirks.h"
#include "mote/mote.h"

#define COUNT(array)       (sizeof(array) / sizeof((array)[0]))
#define ONE_OF(rng, array) (array)[mote_rng_below(rng, COUNT(array))]

static size_t launches;

mote_status __wrap_mote_kernel_acquire(mote_context *ctx, const mote_source *source,
                                       const char *defines, const char *name,
                                       mote_kernel_lease *lease);
mote_status __wrap_mote_launch_run(mote_launch *launch, size_t groups, size_t local);
mote_status __wrap_mote_call_scratch(mote_call *call, size_t bytes, const mote_view *workspace,
                                     mote_view *scratch);

mote_status __wrap_mote_kernel_acquire(mote_context *ctx, const mote_source *source,
                                       const char *defines, const char *name,
                                       mote_kernel_lease *lease)
{
    (void)ctx;
    (void)source;
    (void)defines;
    *lease = (mote_kernel_lease){.name = name};
    return MOTE_SUCCESS;
}

mote_status __wrap_mote_launch_run(mote_launch *launch, size_t groups, size_t local)
{
    launches += groups > 0;
    if (!launch->status && local > launch->call->ctx->device.max_work_group)
        return MOTE_ERROR_INTERNAL;
    return launch->status;
}

mote_status __wrap_mote_call_scratch(mote_call *call, size_t bytes, const mote_view *workspace,
                                     mote_view *scratch)
{
    (void)workspace;
    call->zeros = (mote_view){.count = MOTE_CALL_ZEROS, .type = MOTE_UINT32};
    *scratch = (mote_view){.count = bytes / 4, .type = MOTE_UINT32};
    return MOTE_SUCCESS;
}

/* A device, described as by its driver. */
typedef struct device {
    const char *platform;
    mote_device_class class;
    size_t group, local;
    cl_uint units;
} device;

static const device devices[] = {
    {"NVIDIA CUDA", MOTE_DEVICE_GPU, 1024, 49152, 132},
    {"NVIDIA CUDA", MOTE_DEVICE_GPU, 1024, 49152, 8},
    {"AMD Accelerated Parallel Processing", MOTE_DEVICE_GPU, 256, 65536, 60},
    {"Intel(R) OpenCL Graphics", MOTE_DEVICE_GPU, 512, 65536, 96},
    {"rusticl", MOTE_DEVICE_GPU, 1024, 32768, 1},
    {"Portable Computing Language", MOTE_DEVICE_CPU, 4096, 1048576, 2},
};

/* Values of each key at the limits of its range and at the thresholds in the code. */
static const struct {
    const char *key;
    unsigned value[10], count;
} keys[] = {
    {"work_group", {1, 2, 16, 31, 32, 48, 64, 256, 512, 1024}, 10},
    {"tile", {32, 33, 64, 512, 2048, 4096}, 6},
    {"arena", {1024, 1025, 4096, 10240, 65536}, 5},
    {"by_size", {0, 1}, 2},
    {"group_by_slices", {0, 1}, 2},
    {"group_one_event", {0, 1, 1000, 1048575}, 4},
    {"large_strips", {1, 2, 63, 64}, 4},
    {"registers", {0, 1, 32, 64, 255}, 5},
    {"positions_group", {0, 1, 16, 48, 64, 512}, 6},
};

/* Writes a text for MOTE_TUNE: the form, and each key with a probability of one third. */
static void draw_tune(mote_rng *rng, char *text, size_t size)
{
    int used = snprintf(text, size, "pixels.form=gpu");
    for (size_t k = 0; k < COUNT(keys); k++)
        if (mote_rng_below(rng, 3) == 0)
            used += snprintf(text + used, size - (size_t)used, ",pixels.%s=%u", keys[k].key,
                             keys[k].value[mote_rng_below(rng, keys[k].count)]);
}

static void pretend(mote_context *ctx, const device *of, const char *tune)
{
    mote_device_info *d = &ctx->device;
    d->device_class = of->class;
    snprintf(d->platform, sizeof(d->platform), "%s", of->platform);
    d->max_work_group = of->group;
    d->local_bytes = of->local;
    d->compute_units = of->units;
    ctx->quirks = mote_quirks_find(d);
    if (mote_context_tune(ctx, tune)) {
        printf("%s: %s\n", tune, mote_last_error());
        exit(EXIT_FAILURE);
    }
}

static mote_view view(mote_type type, size_t count)
{
    return (mote_view){.count = count, .type = type};
}

static mote_pixels_cluster_args draw_call(mote_rng *rng)
{
    static const size_t digis[] = {0,      1,      63,     64,      65,      5000,   131071,
                                   131072, 524287, 524288, 1048575, 1048576, 5000000};
    static const uint32_t modules[] = {1, 100, 2000, 4095, 4096, 6144, 6145, 70000};
    static const size_t events[] = {0, 1, 2, 3, 64, 1000};
    static const mote_type ids[] = {MOTE_UINT16, MOTE_UINT32};
    static const mote_type charges[] = {MOTE_UINT16, MOTE_UINT16, MOTE_UINT32, MOTE_TYPE_NONE};
    static const struct {
        uint32_t rows, columns;
    } shapes[] = {{1, 1}, {160, 416}, {256, 255}, {4095, 4095}, {4096, 4095}, {65536, 65536}};
    mote_pixels_cluster_args a;
    size_t n = ONE_OF(rng, digis), count = ONE_OF(rng, events), shape;
    mote_pixels_cluster_args_init(&a);
    a.module_id = view(ONE_OF(rng, ids), n);
    a.x = a.y = view(MOTE_UINT16, n);
    a.adc = view(ONE_OF(rng, charges), n);
    if (!a.adc.type)
        a.adc.count = 0;
    if (count)
        a.event_offsets = view(MOTE_UINT32, count + 1);
    if (mote_rng_below(rng, 4) == 0)
        a.n_device = view(MOTE_UINT32, 1);
    if (mote_rng_below(rng, 2))
        a.module_id_out = a.module_id;
    shape = mote_rng_below(rng, COUNT(shapes));
    a.rows = shapes[shape].rows;
    a.columns = shapes[shape].columns;
    a.n_modules = ONE_OF(rng, modules);
    if (mote_rng_below(rng, 4) == 0 && a.rows < 65536)
        a.morph = view(MOTE_UINT8, a.n_modules);
    a.order = (mote_pixels_order)mote_rng_below(rng, 2);
    a.strategy = mote_rng_below(rng, 4) ? MOTE_PIXELS_UNION_FIND : MOTE_PIXELS_HISTOGRAM;
    /* MOTE_DUPLICATES_MAX needs charges. */
    if (mote_rng_below(rng, 2))
        a.duplicates = (mote_pixels_duplicates)mote_rng_below(rng, a.adc.type ? 4 : 3);
    a.cluster_id = view(MOTE_INT32, n);
    if (a.adc.type && mote_rng_below(rng, 2))
        a.charge_cut = mote_rng_below(rng, 2) ? 2000 : 70000;
    if (a.adc.type && mote_rng_below(rng, 4) == 0)
        a.gain = view(MOTE_FLOAT32, a.n_modules);
    if (mote_rng_below(rng, 3) == 0)
        a.cluster_x = view(MOTE_FLOAT32, n);
    a.weight = a.adc.type ? MOTE_PIXELS_WEIGHT_CHARGE : MOTE_PIXELS_WEIGHT_NONE;
    return a;
}

int main(int argc, char **argv)
{
    unsigned long draws = argc > 1 ? strtoul(argv[1], NULL, 10) : 200000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL);
    unsigned long failed = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    for (unsigned long k = 0; k < draws && failed < 5;) {
        mote_context *ctx = NULL;
        mote_rng rng;
        char tune[512];
        mote_rng_seed(&rng, seed + k);
        draw_tune(&rng, tune, sizeof(tune));
        if (mote_context_open(NULL, &ctx)) {
            printf("%s\n", mote_last_error());
            return EXIT_FAILURE;
        }
        const device *on = &ONE_OF(&rng, devices);
        pretend(ctx, on, tune);
        for (unsigned each = 0; each < 200; each++, k++) {
            mote_pixels_cluster_args a = draw_call(&rng);
            mote_status st = mote_prepare(ctx, MOTE_OPERATION_PIXELS_CLUSTER, &a);
            if (st && st != MOTE_ERROR_UNSUPPORTED) {
                printf("%s, %s: %s\n", on->platform, tune, mote_last_error());
                failed++;
                break;
            }
        }
        mote_context_release(ctx);
    }
    printf("%zu launches, %lu differ\n", launches, failed);
    return failed || launches < draws ? EXIT_FAILURE : EXIT_SUCCESS;
}
