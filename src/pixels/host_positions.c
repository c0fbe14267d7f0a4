/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/host_positions.h"

mote_status mote_pixels_upload_geometry(mote_host_job *job, size_t slot,
                                        mote_host_upload_way upload,
                                        const mote_pixels_host_args *args,
                                        mote_pixels_cluster_args *device)
{
    const float *from[MOTE_PIXELS_GEOMETRIES] = {args->origin_x, args->origin_y, args->pitch_x,
                                                 args->pitch_y};
    mote_view *to[MOTE_PIXELS_GEOMETRIES] = {&device->origin_x, &device->origin_y, &device->pitch_x,
                                             &device->pitch_y};
    mote_status st = MOTE_SUCCESS;
    for (size_t k = 0; !st && k < MOTE_PIXELS_GEOMETRIES; k++)
        st = upload(job, slot + MOTE_PIXELS_POSITION_OUTPUTS + k, from[k], args->n_modules,
                    MOTE_FLOAT32, to[k]);
    return st;
}

mote_status mote_pixels_reserve_positions(mote_host_job *job, size_t slot, size_t count,
                                          mote_pixels_cluster_args *device)
{
    mote_view *const to[MOTE_PIXELS_POSITION_OUTPUTS] = {
        &device->cluster_x,          &device->cluster_y,          &device->cluster_x_var,
        &device->cluster_y_var,      &device->cluster_xy_cov,     &device->cluster_charge,
        &device->cluster_charge_min, &device->cluster_charge_max, &device->cluster_size,
    };
    mote_status st = MOTE_SUCCESS;
    for (size_t k = 0; !st && k < MOTE_PIXELS_POSITION_OUTPUTS; k++)
        st = mote_host_job_result(job, slot + k, count, k < 5 ? MOTE_FLOAT32 : MOTE_UINT32, to[k]);
    return st;
}

mote_status mote_pixels_download_positions(mote_host_job *job, size_t slot, size_t count,
                                           mote_pixels_host_result *result)
{
    void *at[MOTE_PIXELS_POSITION_OUTPUTS];
    for (size_t k = 0; k < MOTE_PIXELS_POSITION_OUTPUTS; k++) {
        size_t bytes = count * sizeof(float);
        mote_status st = mote_host_plain(job->host, slot + k, bytes, &at[k]);
        if (!st)
            st = mote_host_download(job->host, slot + k, at[k], bytes);
        if (st)
            return st;
    }
    result->x = at[0];
    result->y = at[1];
    result->x_var = at[2];
    result->y_var = at[3];
    result->xy_cov = at[4];
    result->charge = at[5];
    result->charge_min = at[6];
    result->charge_max = at[7];
    result->cluster_size = at[8];
    return MOTE_SUCCESS;
}
