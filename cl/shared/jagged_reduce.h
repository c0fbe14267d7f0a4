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
#define MOTE_JAGGED_REDUCE_SERIAL 32   /* longest list that is accumulated serially */
#define MOTE_JAGGED_REDUCE_LANES  8    /* of a chunk */
#define MOTE_JAGGED_REDUCE_CHUNK  256  /* elements */
#define MOTE_JAGGED_REDUCE_BLOCK  4096 /* elements */
#define MOTE_JAGGED_REDUCE_JOIN   256  /* lanes that accumulate the results of blocks */

#define MOTE_JAGGED_REDUCE_MOST_TILES 15 /* of a group */

#define MOTE_JAGGED_REDUCE_FIND 8 /* lists of a work-item of reduce_find */

/* The record that reduce_staged writes about skipped lists. Word 0: whether some skipped lists are
 * not recorded; then the numbers of long and of huge lists, including lists that are not recorded,
 * the huge lists, the long lists, and a word for each group. */
#define MOTE_JAGGED_REDUCE_LONGS       1
#define MOTE_JAGGED_REDUCE_HUGES       2
#define MOTE_JAGGED_REDUCE_HUGE        3
#define MOTE_JAGGED_REDUCE_MOST_HUGES  128
#define MOTE_JAGGED_REDUCE_LONG        (MOTE_JAGGED_REDUCE_HUGE + MOTE_JAGGED_REDUCE_MOST_HUGES)
#define MOTE_JAGGED_REDUCE_MOST_LONGS  4096
#define MOTE_JAGGED_REDUCE_GROUPS      (MOTE_JAGGED_REDUCE_LONG + MOTE_JAGGED_REDUCE_MOST_LONGS)
#define MOTE_JAGGED_REDUCE_LONG_BLOCKS 4 /* most blocks of a long list */

/* The word of a group: it has skipped no list, or all lists. Other values: lists of this length and
 * longer are skipped. */
#define MOTE_JAGGED_REDUCE_NONE_LEFT 0xffffffffu
#define MOTE_JAGGED_REDUCE_ALL_LEFT  0u

#endif
