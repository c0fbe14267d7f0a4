/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file layout/pixels.h
 * @brief One cluster's properties as they lie in memory, seen by C and by OpenCL C.
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
    MOTE_LAYOUT_U32 x_min, x_max, y_min, y_max; /**< bounding box, ends included */
} mote_pixels_cluster_record;

#define MOTE_PIXELS_CLUSTER_RECORD_BYTES 96

#endif
