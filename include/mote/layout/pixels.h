/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file layout/pixels.h
 * @brief The layout in memory of one cluster's properties, for C and OpenCL C.
 *
 * Your own kernels can include this header too, if they are built with the folder above `mote/` as
 * an include path (`-I`, which `pkg-config --cflags mote` prints). They read records with the
 * functions below:
 *
 *     #include "mote/layout/pixels.h"
 *
 *     __kernel void rows(__global const mote_pixels_cluster_record *records, __global float *x)
 *     {
 *         mote_pixels_cluster_record r = records[get_global_id(0)];
 *         x[get_global_id(0)] = mote_pixels_record_x(&r);
 *     }
 *
 * The functions give the float nearest to the exact value, ties to even: the same bits on every
 * device, without fp64. In C, mote_pixels_charge() and mote_pixels_mean() read records.
 *
 * All numbers are integers, so the same digis give the same bits on every device. Sums that can
 * pass 32 bits are kept in two or three 32-bit words, least significant first: with x, y below
 * 2^16, charges below 2^32 and fewer than 2^31 digis, 96 bits hold every moment exactly.
 */
#ifndef MOTE_LAYOUT_PIXELS_H
#define MOTE_LAYOUT_PIXELS_H

#ifdef __OPENCL_VERSION__
#define MOTE_LAYOUT_U32 uint
#else
#include <stdint.h>
/** The word of 32 bits, in C and in OpenCL C. */
#define MOTE_LAYOUT_U32 uint32_t
#endif

/** Properties of one cluster. x is the row, y the column, q the charge (adc) of a pixel. */
typedef struct mote_pixels_cluster_record {
    MOTE_LAYOUT_U32 size;       /**< number of pixels */
    MOTE_LAYOUT_U32 first_digi; /**< lowest input index, inside its event, among the digis kept */
    MOTE_LAYOUT_U32 charge[2];  /**< sum of q, 64 bits */
    MOTE_LAYOUT_U32 sum_x[3];   /**< sum of x q, 96 bits */
    MOTE_LAYOUT_U32 sum_y[3];   /**< sum of y q */
    MOTE_LAYOUT_U32 sum_xx[3];  /**< sum of x x q */
    MOTE_LAYOUT_U32 sum_yy[3];  /**< sum of y y q */
    MOTE_LAYOUT_U32 plain_x[2]; /**< sum of x over pixels, 64 bits: the mean when the charge is 0 */
    MOTE_LAYOUT_U32 plain_y[2]; /**< sum of y over pixels */
    MOTE_LAYOUT_U32 x_min;      /**< bounding box: lowest row */
    MOTE_LAYOUT_U32 x_max;      /**< highest row, included */
    MOTE_LAYOUT_U32 y_min;      /**< lowest column */
    MOTE_LAYOUT_U32 y_max;      /**< highest column, included */
} mote_pixels_cluster_record;

/** Bytes of a record, on every device. */
#define MOTE_PIXELS_CLUSTER_RECORD_BYTES 96

#ifdef __OPENCL_VERSION__

#include "mote/layout/ratio.h"

/** Returns the sum of the charges. */
static inline ulong mote_pixels_record_charge(const mote_pixels_cluster_record *r)
{
    return (ulong)r->charge[1] << 32 | r->charge[0];
}

/** Mean row, weighted by charge; the plain mean when the charge is 0; 0 for an empty record. */
static inline float mote_pixels_record_x(const mote_pixels_cluster_record *r)
{
    ulong charge = mote_pixels_record_charge(r);
    if (charge)
        return mote_ratio_mean(charge, mote_ratio_words3(r->sum_x[0], r->sum_x[1], r->sum_x[2]));
    return r->size ? mote_ratio_mean(r->size, mote_ratio_words2(r->plain_x[0], r->plain_x[1])) : 0;
}

/** Mean column. */
static inline float mote_pixels_record_y(const mote_pixels_cluster_record *r)
{
    ulong charge = mote_pixels_record_charge(r);
    if (charge)
        return mote_ratio_mean(charge, mote_ratio_words3(r->sum_y[0], r->sum_y[1], r->sum_y[2]));
    return r->size ? mote_ratio_mean(r->size, mote_ratio_words2(r->plain_y[0], r->plain_y[1])) : 0;
}

/** Variance of the row, weighted by charge; 0 when the charge is 0. */
static inline float mote_pixels_record_x_var(const mote_pixels_cluster_record *r)
{
    ulong charge = mote_pixels_record_charge(r);
    mote_ratio_wide x = mote_ratio_words3(r->sum_x[0], r->sum_x[1], r->sum_x[2]);
    mote_ratio_wide xx = mote_ratio_words3(r->sum_xx[0], r->sum_xx[1], r->sum_xx[2]);
    return charge ? mote_ratio_covariance(charge, x, x, xx) : 0;
}

/** Variance of the column. */
static inline float mote_pixels_record_y_var(const mote_pixels_cluster_record *r)
{
    ulong charge = mote_pixels_record_charge(r);
    mote_ratio_wide y = mote_ratio_words3(r->sum_y[0], r->sum_y[1], r->sum_y[2]);
    mote_ratio_wide yy = mote_ratio_words3(r->sum_yy[0], r->sum_yy[1], r->sum_yy[2]);
    return charge ? mote_ratio_covariance(charge, y, y, yy) : 0;
}

#endif

#endif
