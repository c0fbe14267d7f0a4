/* SPDX-License-Identifier: Apache-2.0 */
/* Positions of clusters from their exact sums.
 *
 * Means, variances and the covariance are the floats nearest to the exact values.
 *
 * Form: both.
 * Defines: WG.
 * Optional: CPU_FORM (on CPUs: common/sweep.clh). */
#include "mote/layout/ratio.h"
#include "pixels/positions.clh"
#include "common/sweep.clh"
#include "common/width.clh"

typedef struct position {
    float x, y, x_var, y_var, xy_cov;
} position;

inline position position_of(const mote_pixels_sums *s, ulong charge, bool plain)
{
    position p;
    ulong weight = plain ? s->size : charge;
    mote_ratio_wide x, y, xx, yy, xy;
    if (plain) {
        x = mote_ratio_words2(s->plain_x[0], s->plain_x[1]);
        y = mote_ratio_words2(s->plain_y[0], s->plain_y[1]);
        xx = mote_ratio_words2(s->plain_xx[0], s->plain_xx[1]);
        yy = mote_ratio_words2(s->plain_yy[0], s->plain_yy[1]);
        xy = mote_ratio_words2(s->plain_xy[0], s->plain_xy[1]);
    } else {
        x = mote_ratio_words3(s->x[0], s->x[1], s->x[2]);
        y = mote_ratio_words3(s->y[0], s->y[1], s->y[2]);
        xx = mote_ratio_words3(s->xx[0], s->xx[1], s->xx[2]);
        yy = mote_ratio_words3(s->yy[0], s->yy[1], s->yy[2]);
        xy = mote_ratio_words3(s->xy[0], s->xy[1], s->xy[2]);
    }
    weight = max(weight, (ulong)1); /* bad data may leave a cluster without a pixel */
    p.x = mote_ratio_mean(weight, x);
    p.y = mote_ratio_mean(weight, y);
    p.x_var = mote_ratio_covariance(weight, x, x, xx);
    p.y_var = mote_ratio_covariance(weight, y, y, yy);
    p.xy_cov = mote_ratio_covariance(weight, x, y, xy);
    return p;
}

/* The module of a cluster: of the last slot that begins at or before it and is not empty. */
inline uint module_of(const __global uint *cluster_start, uint slots, uint cluster, uint modules)
{
    uint low = 0, high = slots - 1;
    while (low < high) {
        uint middle = low + (high - low + 1) / 2;
        if (cluster_start[middle] <= cluster)
            low = middle;
        else
            high = middle - 1;
    }
    return low % modules;
}

__kernel NARROW __attribute__((reqd_work_group_size(WG, 1, 1))) void positions_finish(
    mote_pixels_params prm, const __global uint *cluster_start, ulong cluster_start_offset,
    const __global uint *sums_words, ulong sums_offset, uint capacity, uint options,
    POSITIONS_GEOMETRY, POSITIONS_OUTPUTS)
{
    uint slots = prm.n_events * prm.n_modules;
    bool local_x = origin_x || pitch_x, local_y = origin_y || pitch_y;
    const __global mote_pixels_sums *sums =
        (const __global mote_pixels_sums *)(sums_words + sums_offset);
    cluster_start += cluster_start_offset;
    uint total = min(cluster_start[slots], capacity);
    for (sweep w = sweep_of(total); w.at < w.end; w.at += w.step) {
        mote_pixels_sums s = sums[w.at];
        ulong charge = (ulong)s.charge[1] << 32 | s.charge[0];
        position p = position_of(&s, charge, options & MOTE_POSITIONS_PLAIN || charge == 0);
        float step_x = 1.0f, step_y = 1.0f;
        if (local_x || local_y) {
            uint m = module_of(cluster_start, slots, (uint)w.at, prm.n_modules);
            step_x = value_of(pitch_x, pitch_x_offset + m, 1.0f);
            step_y = value_of(pitch_y, pitch_y_offset + m, 1.0f);
            p.x = value_of(origin_x, origin_x_offset + m, 0.0f) + step_x * p.x;
            p.y = value_of(origin_y, origin_y_offset + m, 0.0f) + step_y * p.y;
        }
        store_real(x_mean, x_mean_offset + w.at, p.x);
        store_real(y_mean, y_mean_offset + w.at, p.y);
        store_real(x_var, x_var_offset + w.at, step_x * step_x * p.x_var);
        store_real(y_var, y_var_offset + w.at, step_y * step_y * p.y_var);
        store_real(xy_cov, xy_cov_offset + w.at, step_x * step_y * p.xy_cov);
        store_number(charges, charges_offset + w.at, charge, options & MOTE_POSITIONS_FLOAT_CHARGE);
        store_number(charge_min, charge_min_offset + w.at, s.charge_min,
                     options & MOTE_POSITIONS_FLOAT_CHARGE_MIN);
        store_number(charge_max, charge_max_offset + w.at, s.charge_max,
                     options & MOTE_POSITIONS_FLOAT_CHARGE_MAX);
        store_number(size, size_offset + w.at, s.size, options & MOTE_POSITIONS_FLOAT_SIZE);
    }
}
