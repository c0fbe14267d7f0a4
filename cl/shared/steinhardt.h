/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file shared/steinhardt.h
 * @brief Parameters of the kernels of Steinhardt's order parameters: 32-bit scalars only.
 *
 * Two words contain a real number, as in shared/coordination_params.h.
 */
#ifndef MOTE_SHARED_STEINHARDT_H
#define MOTE_SHARED_STEINHARDT_H

#include "shared/coordination_params.h"

/* The kernels' LOCAL. With functions of its own, a local average needs two programs of pairs: one
 * for each function. */
#define MOTE_STEINHARDT_ONE_FUNCTION  1
#define MOTE_STEINHARDT_OF_COMPONENTS 2 /* the function of the components */
#define MOTE_STEINHARDT_OF_AVERAGES   3 /* that of the averages */

/* What is added up over the entries: the kernels' TERM, equal to mote_steinhardt_reduction. */
#define MOTE_STEINHARDT_SUMS 1 /* also means, whose scale differs */
#define MOTE_STEINHARDT_LESS 2
#define MOTE_STEINHARDT_MORE 3

/* Types of arrays: float64 if the flag is set, else float32. */
#define MOTE_STEINHARDT_WIDE_WEIGHTS     1u
#define MOTE_STEINHARDT_WIDE_ORDER       2u
#define MOTE_STEINHARDT_WIDE_COMPONENTS  4u
#define MOTE_STEINHARDT_WIDE_VALUE       8u
#define MOTE_STEINHARDT_WIDE_DERIVATIVES 16u
#define MOTE_STEINHARDT_WIDE_VIRIAL      32u

/* Several images of an entry can be within d_max. */
#define MOTE_STEINHARDT_SEVERAL 64u

/* The number of different elements of the virial: xx, xy, xz, yy, yz, zz. */
#define MOTE_STEINHARDT_VIRIAL 6

/* A switching function, of distances or of order parameters, and the scalars of a call. */
typedef struct mote_steinhardt_params {
    mote_coordination_params function;
    MOTE_COORDINATION_U32 slope[2];    /**< factor of the kernels' slope of the function */
    MOTE_COORDINATION_U32 scale[2];    /**< factor of each entry's weight */
    MOTE_COORDINATION_U32 least[2];    /**< square of the least distance of a pair that counts */
    MOTE_COORDINATION_U32 lattice[18]; /**< 3 x 3; rows: reduced vectors of the box, or 0 */
    MOTE_COORDINATION_U32 n;           /**< number of entries */
    MOTE_COORDINATION_U32 centres;     /**< number of entries with an order parameter */
    MOTE_COORDINATION_U32 first;       /**< first entry that is a neighbour */
    MOTE_COORDINATION_U32 flags;       /**< MOTE_STEINHARDT_WIDE_*, MOTE_STEINHARDT_SEVERAL */
} mote_steinhardt_params;

#endif
