/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file shared/pixels_positions.h
 * @brief Sums of a cluster from which its position is computed, and options of this computation.
 *
 * Numbers of several 32-bit words begin with the least significant one.
 */
#ifndef MOTE_SHARED_PIXELS_POSITIONS_H
#define MOTE_SHARED_PIXELS_POSITIONS_H

#ifdef __OPENCL_VERSION__
#define MOTE_SUMS_U32 uint
#else
#include <stdint.h>
#define MOTE_SUMS_U32 uint32_t
#endif

/** x is the row, y the column, q the charge of a pixel. */
typedef struct mote_pixels_sums {
    MOTE_SUMS_U32 size;
    MOTE_SUMS_U32 charge_min;
    MOTE_SUMS_U32 charge_max;
    MOTE_SUMS_U32 charge[2];
    MOTE_SUMS_U32 x[3]; /**< sum of x q; the next members: of y q, x x q, ... */
    MOTE_SUMS_U32 y[3];
    MOTE_SUMS_U32 xx[3];
    MOTE_SUMS_U32 yy[3];
    MOTE_SUMS_U32 xy[3];
    MOTE_SUMS_U32 plain_x[2]; /**< sums without charges, over the pixels without a charge or over
                                 all pixels */
    MOTE_SUMS_U32 plain_y[2];
    MOTE_SUMS_U32 plain_xx[2];
    MOTE_SUMS_U32 plain_yy[2];
    MOTE_SUMS_U32 plain_xy[2];
    MOTE_SUMS_U32 unused[2]; /**< fills up two cache lines */
} mote_pixels_sums;

#define MOTE_PIXELS_SUMS_WORDS 32

/** Most events x modules per work-item for which a tile finds the starts of clusters itself. */
#define MOTE_PIXELS_SLOTS_EACH 8

#define MOTE_PIXELS_POSITION_OUTPUTS 9

/* Clusters for which a work-item on a CPU has memory for sums; 64-bit words of each, and of sums
 * that may exceed 64 bits. */
#define MOTE_PIXELS_OWN_SUMS   1024
#define MOTE_PIXELS_SUM_WORDS  9
#define MOTE_PIXELS_WIDE_WORDS 14

/* Bits of the options of a kernel. The copies of a pixel are combined as the policy SUM or MAX
 * states. */
#define MOTE_POSITIONS_PLAIN            1u
#define MOTE_POSITIONS_SUM              2u
#define MOTE_POSITIONS_MAX              4u
#define MOTE_POSITIONS_FLOAT_CHARGE     8u
#define MOTE_POSITIONS_FLOAT_CHARGE_MIN 16u
#define MOTE_POSITIONS_FLOAT_CHARGE_MAX 32u
#define MOTE_POSITIONS_FLOAT_SIZE       64u

#ifndef __OPENCL_VERSION__
#ifdef __cplusplus
static_assert(sizeof(mote_pixels_sums) == 4 * MOTE_PIXELS_SUMS_WORDS, "layout");
#else
_Static_assert(sizeof(mote_pixels_sums) == 4 * MOTE_PIXELS_SUMS_WORDS, "layout");
#endif
#endif

#endif
