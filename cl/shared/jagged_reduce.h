/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file shared/jagged_reduce.h
 * @brief How mote_jagged_reduce() reduces lists, seen by C and by OpenCL C; internal to the
 * library.
 */
#ifndef MOTE_SHARED_JAGGED_REDUCE_H
#define MOTE_SHARED_JAGGED_REDUCE_H

#include "shared/reductions.h"

/* The virtual layout of a list. */
#define MOTE_JAGGED_REDUCE_SERIAL 32   /* longest list that is taken one element after another */
#define MOTE_JAGGED_REDUCE_LANES  8    /* of a chunk */
#define MOTE_JAGGED_REDUCE_CHUNK  256  /* elements */
#define MOTE_JAGGED_REDUCE_BLOCK  4096 /* elements */
#define MOTE_JAGGED_REDUCE_JOIN   256  /* lanes over the blocks */

#define MOTE_JAGGED_REDUCE_MOST_TILES 15 /* of a group */

#define MOTE_JAGGED_REDUCE_FIND 8 /* lists of a work-item that looks for windows */

/* What reduce_staged has left. Word 0: whether there is anything that is not noted; then how many
 * long lists and how many huge ones it would note, the huge ones, the long ones, and a word for
 * each group. */
#define MOTE_JAGGED_REDUCE_LONGS       1
#define MOTE_JAGGED_REDUCE_HUGES       2
#define MOTE_JAGGED_REDUCE_HUGE        3
#define MOTE_JAGGED_REDUCE_MOST_HUGES  128
#define MOTE_JAGGED_REDUCE_LONG        (MOTE_JAGGED_REDUCE_HUGE + MOTE_JAGGED_REDUCE_MOST_HUGES)
#define MOTE_JAGGED_REDUCE_MOST_LONGS  4096
#define MOTE_JAGGED_REDUCE_GROUPS      (MOTE_JAGGED_REDUCE_LONG + MOTE_JAGGED_REDUCE_MOST_LONGS)
#define MOTE_JAGGED_REDUCE_LONG_BLOCKS 4 /* of a long list, at most */

/* What it says of the lists of a group: it has taken those that are shorter. */
#define MOTE_JAGGED_REDUCE_NONE_LEFT 0xffffffffu
#define MOTE_JAGGED_REDUCE_ALL_LEFT  0u

#endif
