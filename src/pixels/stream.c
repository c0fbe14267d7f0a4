/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/stream.h"
#include "core/tune.h"

#include <stdio.h>

#define GPU_LOCAL     ((size_t)256)
#define GROUPS_A_UNIT ((size_t)32)
#define ITEMS_A_CORE  ((size_t)8)
#define LEAST_AN_ITEM ((size_t)1024) /* CPU form */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

mote_pixels_stream mote_pixels_stream_make(const mote_context *ctx, size_t n)
{
    const mote_device_info *device = &ctx->device;
    mote_pixels_stream s = {.cpu = mote_tune_form(ctx, "pixels.form") == MOTE_DEVICE_CPU};
    if (s.cpu) {
        s.local = 1;
        s.groups = smaller(n / LEAST_AN_ITEM + 1, ITEMS_A_CORE * device->compute_units);
    } else {
        s.local = smaller(GPU_LOCAL, device->max_work_group);
        s.groups = smaller(n / s.local + 1, GROUPS_A_UNIT * device->compute_units);
    }
    if (s.groups == 0)
        s.groups = 1;
    return s;
}

void mote_pixels_stream_defines(const mote_pixels_stream *stream, mote_type id, mote_type adc,
                                const char *more, char *text, size_t size)
{
    snprintf(text, size, "-DWG=%zu -DORDER_ANY=0 -DID_T=%s -DADC_T=%s%s%s", stream->local,
             id == MOTE_UINT32 ? "uint" : "ushort", adc == MOTE_UINT32 ? "uint" : "ushort",
             stream->cpu ? " -DCPU_FORM" : "", more);
}

mote_view mote_pixels_error_view(cl_mem error, size_t offset)
{
    if (!error)
        return (mote_view){0};
    return (mote_view){error, offset / sizeof(uint32_t), MOTE_ERROR_SLOTS, MOTE_UINT32};
}
