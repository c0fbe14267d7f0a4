/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/decode.h"
#include "testkit/cases/pixels/run.h"

/* Returns a copy of 32-bit values in the width of `type`, followed by `extra` elements of
 * `filler`. */
static void *narrow(const uint32_t *values, size_t n, size_t extra, uint32_t filler, mote_type type)
{
    void *out = calloc(n + extra + 1, sizeof(uint32_t));

    for (size_t i = 0; out && i < n + extra; i++) {
        uint32_t value = i < n ? values[i] : filler;

        if (type == MOTE_UINT16)
            ((uint16_t *)out)[i] = (uint16_t)value;
        else
            ((uint32_t *)out)[i] = value;
    }
    return out;
}

static uint16_t *lengthen(const uint16_t *values, size_t n, size_t extra)
{
    uint16_t *out = calloc(n + extra + 1, sizeof(uint16_t));

    if (out && n)
        memcpy(out, values, n * sizeof(uint16_t));
    return out;
}

static cl_int upload_coordinates(mote_context *ctx, cl_command_queue queue, const mote_digis *digis,
                                 size_t extra, mote_pixels_device *d)
{
    uint16_t *x = lengthen(digis->x, digis->n, extra), *y = lengthen(digis->y, digis->n, extra);
    cl_int code = CL_OUT_OF_HOST_MEMORY;

    if (x && y)
        code = mote_guard_create(&d->x, ctx, queue, "x", MOTE_UINT16, digis->n + extra, x);
    if (!code)
        code = mote_guard_create(&d->y, ctx, queue, "y", MOTE_UINT16, digis->n + extra, y);
    free(x);
    free(y);
    return code;
}

/* Uploads ids and charges; the host copies are kept to check later that they were not written. The
 * arbitrary digis have an id that would be reported if it were checked. */
static cl_int upload_values(mote_context *ctx, cl_command_queue queue, const mote_digis *digis,
                            const mote_pixels_options *options, size_t extra, mote_pixels_device *d)
{
    size_t n = digis->n + extra;
    cl_int code = CL_OUT_OF_HOST_MEMORY;

    d->host_module_id = narrow(digis->module_id, digis->n, extra, UINT32_MAX, digis->module_type);
    d->host_adc = narrow(digis->adc, digis->n, extra, UINT32_MAX, digis->adc_type);
    if (d->host_module_id && d->host_adc)
        code = mote_guard_create(&d->module_id, ctx, queue, "module_id", digis->module_type, n,
                                 d->host_module_id);
    if (!code && !options->without_adc)
        code = mote_guard_create(&d->adc, ctx, queue, "adc", digis->adc_type, n, d->host_adc);
    return code;
}

static cl_int upload_decode(mote_context *ctx, cl_command_queue queue, const mote_digis *digis,
                            const mote_pixels_options *options, mote_pixels_device *d)
{
    size_t modules = digis->n_modules;
    cl_int code = CL_SUCCESS;

    if (options->mask)
        code = mote_guard_create(&d->mask, ctx, queue, "mask", MOTE_UINT32,
                                 mote_case_mask_words(digis), options->mask);
    if (!code && options->gain)
        code =
            mote_guard_create(&d->gain, ctx, queue, "gain", MOTE_FLOAT32, modules, options->gain);
    if (!code && options->pedestal)
        code = mote_guard_create(&d->pedestal, ctx, queue, "pedestal", MOTE_FLOAT32, modules,
                                 options->pedestal);
    if (!code && options->morph)
        code =
            mote_guard_create(&d->morph, ctx, queue, "morph", MOTE_UINT8, modules, options->morph);
    return code;
}

bool mote_pixels_upload(mote_context *ctx, cl_command_queue queue, const mote_digis *digis,
                        const mote_pixels_options *options, size_t extra,
                        mote_pixels_device *device, char *message, size_t size)
{
    uint32_t n = (uint32_t)digis->n;
    cl_int code = CL_SUCCESS;

    *device = (mote_pixels_device){0};
    if (digis->n + extra > 0) {
        code = upload_coordinates(ctx, queue, digis, extra, device);
        if (!code)
            code = upload_values(ctx, queue, digis, options, extra, device);
    }
    if (!code)
        code = mote_guard_create(&device->event_offsets, ctx, queue, "event_offsets", MOTE_UINT32,
                                 digis->n_events + 1, digis->event_offsets);
    if (!code && extra)
        code = mote_guard_create(&device->n_device, ctx, queue, "n_device", MOTE_UINT32, 1, &n);
    if (!code && options->charge_cuts)
        code = mote_guard_create(&device->charge_cuts, ctx, queue, "charge_cuts", MOTE_UINT32,
                                 digis->n_modules, options->charge_cuts);
    if (!code)
        code = upload_decode(ctx, queue, digis, options, device);
    if (!code)
        return true;
    snprintf(message, size, "uploading %zu digis failed with %s", digis->n, mote_status_name(code));
    mote_pixels_device_release(device);
    return false;
}

void mote_pixels_device_release(mote_pixels_device *device)
{
    mote_guard_release(&device->module_id);
    mote_guard_release(&device->x);
    mote_guard_release(&device->y);
    mote_guard_release(&device->adc);
    mote_guard_release(&device->event_offsets);
    mote_guard_release(&device->n_device);
    mote_guard_release(&device->charge_cuts);
    mote_guard_release(&device->mask);
    mote_guard_release(&device->gain);
    mote_guard_release(&device->pedestal);
    mote_guard_release(&device->morph);
    free(device->host_module_id);
    free(device->host_adc);
    device->host_module_id = device->host_adc = NULL;
}

void mote_pixels_arguments(const mote_digis *digis, const mote_pixels_options *options,
                           const mote_pixels_device *device, mote_pixels_cluster_args *args)
{
    mote_pixels_cluster_args_init(args);
    args->module_id = device->module_id.view;
    args->x = device->x.view;
    args->y = device->y.view;
    args->adc = device->adc.view;
    args->event_offsets = device->event_offsets.view;
    args->n_device = device->n_device.view;
    args->n_modules = digis->n_modules;
    args->rows = digis->rows;
    args->columns = digis->columns;
    args->invalid_module_id = digis->invalid_module_id;
    args->invalid_cluster_id = options->invalid_cluster_id;
    args->order = options->order;
    args->strategy = options->strategy;
    args->duplicates = options->duplicates;
    args->connectivity = options->connectivity;
    args->adc_threshold = options->adc_threshold;
    args->charge_cut = options->charge_cut;
    args->charge_cut_inner = options->charge_cut_inner;
    args->inner_modules = options->inner_modules;
    args->charge_cuts = device->charge_cuts.view;
    args->mask = device->mask.view;
    args->gain = device->gain.view;
    args->pedestal = device->pedestal.view;
    args->charge_min = options->charge_min;
    args->morph = device->morph.view;
    args->morph_dilation = options->morph_dilation;
    args->morph_erosion = options->morph_erosion;
}
