/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/pixels/positions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[MOTE_POSITION_OUTPUTS] = {
    "cluster_x",      "cluster_y",          "cluster_x_var",      "cluster_y_var", "cluster_xy_cov",
    "cluster_charge", "cluster_charge_min", "cluster_charge_max", "cluster_size"};

static cl_int create_geometry(mote_pixels_positions_device *device, mote_context *ctx,
                              cl_command_queue queue, uint32_t n_modules)
{
    static const char *const fields[4] = {"origin_x", "origin_y", "pitch_x", "pitch_y"};
    float *values = malloc(((size_t)n_modules + 1) * sizeof(*values));
    cl_int code = values ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;

    for (int k = 0; k < 4 && !code; k++) {
        for (uint32_t m = 0; m < n_modules; m++) {
            float geometry[4];

            mote_pixels_module_geometry(m, geometry);
            values[m] = geometry[k];
        }
        code = mote_guard_create(&device->geometry[k], ctx, queue, fields[k], MOTE_FLOAT32,
                                 n_modules, values);
    }
    free(values);
    return code;
}

cl_int mote_pixels_positions_create(mote_pixels_positions_device *device, mote_context *ctx,
                                    cl_command_queue queue, const mote_digis *digis,
                                    const mote_pixels_options *options, size_t count)
{
    cl_int code = CL_SUCCESS;

    for (int k = 0; k < MOTE_POSITION_OUTPUTS && !code; k++)
        code = mote_guard_create(&device->out[k], ctx, queue, names[k],
                                 k < 5 || options->float_numbers ? MOTE_FLOAT32 : MOTE_UINT32,
                                 count, NULL);
    if (!code && options->local)
        code = create_geometry(device, ctx, queue, digis->n_modules);
    return code;
}

void mote_pixels_positions_release(mote_pixels_positions_device *device)
{
    for (int k = 0; k < MOTE_POSITION_OUTPUTS; k++)
        mote_guard_release(&device->out[k]);
    for (int k = 0; k < 4; k++)
        mote_guard_release(&device->geometry[k]);
}

void mote_pixels_positions_arguments(const mote_pixels_positions_device *device,
                                     const mote_pixels_options *options,
                                     mote_pixels_cluster_args *args)
{
    args->cluster_x = device->out[0].view;
    args->cluster_y = device->out[1].view;
    args->cluster_x_var = device->out[2].view;
    args->cluster_y_var = device->out[3].view;
    args->cluster_xy_cov = device->out[4].view;
    args->cluster_charge = device->out[5].view;
    args->cluster_charge_min = device->out[6].view;
    args->cluster_charge_max = device->out[7].view;
    args->cluster_size = device->out[8].view;
    args->weight = options->without_adc ? MOTE_PIXELS_WEIGHT_NONE : options->weight;
    args->origin_x = device->geometry[0].view;
    args->origin_y = device->geometry[1].view;
    args->pitch_x = device->geometry[2].view;
    args->pitch_y = device->geometry[3].view;
}

bool mote_pixels_positions_read(const mote_pixels_positions_device *device, cl_command_queue queue,
                                bool bad_data, mote_pixels_result *result, char *message,
                                size_t size)
{
    bool good = true;

    if (!bad_data)
        result->positions = calloc(result->n_total + 1, sizeof(*result->positions));
    for (int k = 0; k < MOTE_POSITION_OUTPUTS && good; k++) {
        uint32_t *words = malloc(device->out[k].bytes + 1);

        good = words && mote_guard_read(&device->out[k], queue, words, 0, NULL, message, size);
        for (size_t i = 0;
             good && result->positions && device->out[k].view.mem && i < result->n_total; i++)
            memcpy((char *)&result->positions[i] + 4 * k, &words[i], 4);
        free(words);
    }
    return good && (bad_data || result->positions);
}

bool mote_pixels_positions_compare(const mote_pixels_result *expected,
                                   const mote_pixels_result *got, char *message, size_t size)
{
    if (!got->positions)
        return true;
    for (size_t i = 0; i < expected->n_total; i++) {
        uint32_t left[MOTE_POSITION_OUTPUTS], right[MOTE_POSITION_OUTPUTS];

        memcpy(left, &got->positions[i], sizeof(left));
        memcpy(right, &expected->positions[i], sizeof(right));
        for (int k = 0; k < MOTE_POSITION_OUTPUTS; k++) {
            float got_real, expected_real;

            if (left[k] == right[k])
                continue;
            memcpy(&got_real, &left[k], sizeof(got_real));
            memcpy(&expected_real, &right[k], sizeof(expected_real));
            snprintf(message, size, "%s[%zu] is 0x%08x (%.9g), expected 0x%08x (%.9g)", names[k], i,
                     left[k], (double)got_real, right[k], (double)expected_real);
            return false;
        }
    }
    return true;
}
