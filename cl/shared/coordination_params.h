/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file shared/coordination_params.h
 * @brief Parameters of the coordination kernels (plan, call and box): 32-bit scalars
 * only.
 *
 * Real numbers take two words. In mote_coordination_params they have the precision of the pairs, in
 * mote_coordination_frame the highest precision of the device: a float in the first word, or the
 * bits of a double, its lower half first.
 */
#ifndef MOTE_SHARED_COORDINATION_PARAMS_H
#define MOTE_SHARED_COORDINATION_PARAMS_H

#ifdef __OPENCL_VERSION__
#define MOTE_COORDINATION_U32 uint
#else
#include <stdint.h>
#define MOTE_COORDINATION_U32 uint32_t
#endif

/* Values of the kernels' PBC, equal to those of mote_pbc. */
#define MOTE_COORDINATION_NONE         0
#define MOTE_COORDINATION_ORTHORHOMBIC 1
#define MOTE_COORDINATION_TRICLINIC    2

/* Words of a group in the array of totals: s, then xx, xy, xz, yy, yz and zz. */
#define MOTE_COORDINATION_TOTALS 8

/* Numbers of the boxes that are passed to a launch by value. */
#define MOTE_COORDINATION_GIVEN_NUMBERS 108

/* Zero entries that end a plane of sorted coordinates, and 64-bit words of a grid of cells. */
#define MOTE_COORDINATION_PADDING    16
#define MOTE_COORDINATION_GRID_WORDS 14

/* One frame's box. The cell's own axes are chosen so that its vectors form a lower triangle. */
typedef struct mote_coordination_frame {
    MOTE_COORDINATION_U32 inverse[18];  /**< 3 x 3, columns: position -> fractions of the cell */
    MOTE_COORDINATION_U32 cell[12];     /**< reduced vectors: a_x, b_x, b_y, c_x, c_y, c_z */
    MOTE_COORDINATION_U32 rotation[18]; /**< 3 x 3, rows: the cell's own axes */
    MOTE_COORDINATION_U32 bad;          /**< not 0: singular, not finite, or out of range */
    MOTE_COORDINATION_U32 near_only;    /**< not 0: images at the next corner of the cell are all
                                             beyond d_max */
} mote_coordination_frame;

#define MOTE_COORDINATION_FRAME_BYTES 200
#define MOTE_COORDINATION_FRAME_WORDS 50

/* One launch. Lengths are in units of r_0 unless stated otherwise. */
typedef struct mote_coordination_params {
    MOTE_COORDINATION_U32 n_atoms;
    MOTE_COORDINATION_U32 n_a;         /**< entries of list A */
    MOTE_COORDINATION_U32 n_b;         /**< entries of list B, 0 in mode self */
    MOTE_COORDINATION_U32 first_frame; /**< number of the launch's first frame in the call */
    MOTE_COORDINATION_U32 frames;      /**< of the launch */
    MOTE_COORDINATION_U32 flags;       /**< MOTE_COORDINATION_IS_* */
    MOTE_COORDINATION_U32 stride;      /**< elements from one position to the next */
    MOTE_COORDINATION_U32 slices_a;    /**< partial sums of each entry of A */
    MOTE_COORDINATION_U32 slices_b;    /**< and of B */
    MOTE_COORDINATION_U32 each_a;      /**< partners of a slice of an entry of A */
    MOTE_COORDINATION_U32 each_b;
    MOTE_COORDINATION_U32 blocks_a; /**< blocks of entries of A */
    MOTE_COORDINATION_U32 blocks_b;
    MOTE_COORDINATION_U32 groups;   /**< groups of a frame that write totals */
    MOTE_COORDINATION_U32 bad_each; /**< words of `bad` for each frame */
    MOTE_COORDINATION_U32 plane;    /**< entries of both lists, each filled up to whole vectors */
    MOTE_COORDINATION_U32 skip;     /**< entries of list A, filled up in the same way */
    MOTE_COORDINATION_U32 reserved;
    MOTE_COORDINATION_U32 nn, mm;  /**< exponents of RATIONAL */
    MOTE_COORDINATION_U32 unit[2]; /**< 1 / r_0^2 */
    MOTE_COORDINATION_U32 inverse_r_0[2];
    MOTE_COORDINATION_U32 d_0[2];
    /* d_max^2 in the unit of d; see cl/coordination/image.clh */
    MOTE_COORDINATION_U32 d_max_2[2];
    MOTE_COORDINATION_U32 stretch[2];
    MOTE_COORDINATION_U32 shift[2];
    MOTE_COORDINATION_U32 largest_2[2]; /**< upper limit of squared distances */
    MOTE_COORDINATION_U32 largest[2];   /**< member of switch_numbers in shared/switch/numbers.h */
    MOTE_COORDINATION_U32 number[18];
} mote_coordination_params;

#define MOTE_COORDINATION_PARAMS_BYTES 216

/* How sums are converted to outputs. Scales are those of mote_coordination_frame. */
typedef struct mote_coordination_ending {
    MOTE_COORDINATION_U32 flags; /**< MOTE_COORDINATION_END_* */
    MOTE_COORDINATION_U32 derivative_stride;
    MOTE_COORDINATION_U32 row_groups; /**< work-groups of a frame that sum rows */
    MOTE_COORDINATION_U32 entries;    /**< of the outputs */
    MOTE_COORDINATION_U32 value_scale[2];
    MOTE_COORDINATION_U32 virial_scale[2];
    MOTE_COORDINATION_U32 derivative_scale[2];
} mote_coordination_ending;

#define MOTE_COORDINATION_ENDING_BYTES 40

#define MOTE_COORDINATION_END_DERIVATIVES  1u
#define MOTE_COORDINATION_END_DOUBLES      2u /* derivatives are float64 */
#define MOTE_COORDINATION_END_ATOMS        4u /* outputs are per atom, not per entry */
#define MOTE_COORDINATION_END_ACCUMULATE   8u
#define MOTE_COORDINATION_END_NUMBERS      16u /* coordination numbers of the entries */
#define MOTE_COORDINATION_END_WIDE_NUMBERS 32u /* in float64 */
/* First launch of the call, which clears the error word. */
#define MOTE_COORDINATION_END_FIRST 64u
#define MOTE_COORDINATION_END_BOXES 128u /* boxes are in memory of the device */
#define MOTE_COORDINATION_END_ONTO  256u /* sums and numbers are added to the existing values */

/* In `bad`: all positions are finite. */
#define MOTE_COORDINATION_NO_ATOM 0xffffffffu

/* In the positions of a part: the part has none of its entries. */
#define MOTE_COORDINATION_NO_ENTRY 0xffffffffu

#define MOTE_COORDINATION_IS_DOUBLE    1u  /* positions are float64 */
#define MOTE_COORDINATION_IS_GIVEN     2u  /* the frame is given by value */
#define MOTE_COORDINATION_IS_REPEATED  4u  /* any two entries may be the same atom */
#define MOTE_COORDINATION_IS_TWO_LISTS 8u  /* A against B */
#define MOTE_COORDINATION_IS_SWAPPED   16u /* B against A */

#ifndef __OPENCL_VERSION__
#ifdef __cplusplus
static_assert(sizeof(mote_coordination_frame) == MOTE_COORDINATION_FRAME_BYTES, "layout");
static_assert(sizeof(mote_coordination_params) == MOTE_COORDINATION_PARAMS_BYTES, "layout");
static_assert(sizeof(mote_coordination_ending) == MOTE_COORDINATION_ENDING_BYTES, "layout");
#else
_Static_assert(sizeof(mote_coordination_frame) == MOTE_COORDINATION_FRAME_BYTES, "layout");
_Static_assert(sizeof(mote_coordination_params) == MOTE_COORDINATION_PARAMS_BYTES, "layout");
_Static_assert(sizeof(mote_coordination_ending) == MOTE_COORDINATION_ENDING_BYTES, "layout");
#endif
#endif

#endif
