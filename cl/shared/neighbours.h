/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file shared/neighbours.h
 * @brief Parameters of the kernels of neighbour lists: 32-bit scalars only.
 *
 * Real numbers take two words: a float in the first word, or the bits of a double, its lower half
 * first.
 */
#ifndef MOTE_SHARED_NEIGHBOURS_H
#define MOTE_SHARED_NEIGHBOURS_H

#ifdef __OPENCL_VERSION__
#define MOTE_NEIGHBOURS_U32 uint
#else
#include <stdint.h>
#define MOTE_NEIGHBOURS_U32 uint32_t
#endif

/* Flags. */
#define MOTE_NEIGHBOURS_HALF       1u  /* each pair once */
#define MOTE_NEIGHBOURS_TWO        2u  /* partners are entries of the second list */
#define MOTE_NEIGHBOURS_DOUBLE     4u  /* positions are float64 */
#define MOTE_NEIGHBOURS_DOUBLE_TWO 8u  /* and positions of the second list */
#define MOTE_NEIGHBOURS_RIGHT      16u /* the vectors of the box are orthogonal */

/* Numbers that a group of entries stores: the lowest and the highest fraction along each axis. */
#define MOTE_NEIGHBOURS_BOUNDS 6

/* 64-bit words of a grid. */
#define MOTE_NEIGHBOURS_GRID_WORDS 18

typedef struct mote_neighbours_params {
    MOTE_NEIGHBOURS_U32 box[18];     /**< 3 x 3, rows: lattice vectors, 0 for axes that do not
                                          repeat */
    MOTE_NEIGHBOURS_U32 inverse[18]; /**< 3 x 3, columns: position -> fractions of the box */
    MOTE_NEIGHBOURS_U32 length[6];   /**< of the vectors */
    MOTE_NEIGHBOURS_U32 height[6];   /**< distance of the faces that an axis connects */
    MOTE_NEIGHBOURS_U32 cutoff[2];   /**< distance below which a pair counts */
    MOTE_NEIGHBOURS_U32 error[2];    /**< of a coordinate, relative to the largest length */
    MOTE_NEIGHBOURS_U32 images[3];   /**< most boxes between an entry and a partner */
    MOTE_NEIGHBOURS_U32 bits[2];     /**< of the second and third part of an image's number */
    MOTE_NEIGHBOURS_U32 pbc;         /**< bit k: axis k repeats */
    MOTE_NEIGHBOURS_U32 n;           /**< entries of the first list */
    MOTE_NEIGHBOURS_U32 n_two;       /**< entries of the second list, 0 if there is none */
    MOTE_NEIGHBOURS_U32 flags;       /**< MOTE_NEIGHBOURS_* */
    MOTE_NEIGHBOURS_U32 most;        /**< cells of a list at most */
} mote_neighbours_params;

#endif
