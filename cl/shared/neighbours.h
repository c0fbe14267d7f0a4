/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file shared/neighbours.h
 * @brief Parameters of the kernels of neighbour lists: 32-bit scalars only.
 *
 * Two words contain a real number: either a float in the first word, or a double, whose lower half
 * is the first word.
 */
#ifndef MOTE_SHARED_NEIGHBOURS_H
#define MOTE_SHARED_NEIGHBOURS_H

#ifdef __OPENCL_VERSION__
#define MOTE_NEIGHBOURS_U32 uint
#else
#include <stdint.h>
#define MOTE_NEIGHBOURS_U32 uint32_t
#endif

/* The flags of a call. */
#define MOTE_NEIGHBOURS_HALF       1u  /* each pair is listed once */
#define MOTE_NEIGHBOURS_TWO        2u  /* partners are entries of the second list */
#define MOTE_NEIGHBOURS_DOUBLE     4u  /* positions of the first list are float64 */
#define MOTE_NEIGHBOURS_DOUBLE_TWO 8u  /* positions of the second list are float64 */
#define MOTE_NEIGHBOURS_RIGHT      16u /* the vectors of the box are orthogonal */
#define MOTE_NEIGHBOURS_ORDERED    32u /* each pair is found once, from its first entry in order */
#define MOTE_NEIGHBOURS_FINE       64u /* cells may be shorter than the cutoff along all axes */

/* The number of values that a group stores: the lowest and the highest fraction along each axis. */
#define MOTE_NEIGHBOURS_BOUNDS 6

/* The number of 64-bit words of a grid. */
#define MOTE_NEIGHBOURS_GRID_WORDS 16

typedef struct mote_neighbours_params {
    MOTE_NEIGHBOURS_U32 box[18];     /**< 3 x 3; rows: vectors, 0 for axes that do not repeat */
    MOTE_NEIGHBOURS_U32 inverse[18]; /**< 3 x 3; columns: position -> fractions of the box */
    MOTE_NEIGHBOURS_U32 length[6];   /**< lengths of the vectors of the box */
    MOTE_NEIGHBOURS_U32 height[6];   /**< distances of the faces that the axes connect */
    MOTE_NEIGHBOURS_U32 cutoff[2];   /**< distance below which a pair is listed */
    MOTE_NEIGHBOURS_U32 error[2];    /**< error of a coordinate, relative to the largest length */
    MOTE_NEIGHBOURS_U32 images[3];   /**< largest number of boxes between an entry and a partner */
    MOTE_NEIGHBOURS_U32 bits[2];     /**< bits of the second and third part of an image's number */
    MOTE_NEIGHBOURS_U32 pbc;         /**< bit k is set if axis k repeats */
    MOTE_NEIGHBOURS_U32 n;           /**< number of entries of the first list */
    MOTE_NEIGHBOURS_U32 n_two;       /**< number of entries of the second list, or 0 */
    MOTE_NEIGHBOURS_U32 flags;       /**< MOTE_NEIGHBOURS_* */
    MOTE_NEIGHBOURS_U32 most;        /**< largest number of cells of a list */
    MOTE_NEIGHBOURS_U32 first[2]; /**< what is added to the number of an entry of the first and of
                                       the second list in the error word */
} mote_neighbours_params;

/** The bins of a histogram of distances, and the pairs that it leaves out. */
typedef struct mote_distances_params {
    MOTE_NEIGHBOURS_U32 r_min[2];    /**< lower edge of the first bin */
    MOTE_NEIGHBOURS_U32 width[2];    /**< of a bin */
    MOTE_NEIGHBOURS_U32 bins;        /**< number of bins */
    MOTE_NEIGHBOURS_U32 block;       /**< entries of a block of the first list; 0: no blocks */
    MOTE_NEIGHBOURS_U32 block_other; /**< the same of partners */
} mote_distances_params;

#define MOTE_DISTANCES_LOCAL 2048 /* counts of a group in local memory */

#endif
