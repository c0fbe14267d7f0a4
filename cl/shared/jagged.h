/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that the host and the kernels of jagged arrays share. */
#ifndef MOTE_SHARED_JAGGED_H
#define MOTE_SHARED_JAGGED_H

#define MOTE_JAGGED_NO_LIST 0xffffffffu

/* Values of the kernels' LENGTH_OF: the input from which lengths of lists are computed. */
#define MOTE_LENGTH_OF_COUNTS     0
#define MOTE_LENGTH_OF_SPANS      1
#define MOTE_LENGTH_OF_OFFSETS    2
#define MOTE_LENGTH_OF_PRODUCT    3
#define MOTE_LENGTH_OF_PAIRS      4
#define MOTE_LENGTH_OF_PRODUCT_3  5
#define MOTE_LENGTH_OF_PRODUCT_4  6
#define MOTE_LENGTH_OF_TRIPLES    7
#define MOTE_LENGTH_OF_QUADRUPLES 8

/* Balanced strategy: elements of a tile including the elements lost to alignment, the most elements
 * lost to alignment, and the most tiles of a group. */
#define MOTE_BALANCED_ROOM  8192
#define MOTE_BALANCED_LEAD  32
#define MOTE_BALANCED_TILES 15

/* Positions of values that are not 0: values between two stored counts, and values of a work-item.
 */
#define MOTE_NONZERO_BLOCK 128
#define MOTE_NONZERO_ITEM  16

/* Prefix results inside lists: elements of a run, nodes below each higher node of the virtual
 * layout, and elements of a tile, which is the node two levels above a run. */
#define MOTE_SCAN_RUN   8
#define MOTE_SCAN_WIDTH 16
#define MOTE_SCAN_TILE  (MOTE_SCAN_RUN * MOTE_SCAN_WIDTH * MOTE_SCAN_WIDTH)
#define MOTE_SCAN_NODE  (MOTE_SCAN_WIDTH * MOTE_SCAN_WIDTH) /* tiles, or nodes, of a node */

/* Lists of a tile that a work-group marks one by one; if there are more, it searches for the lists
 * that begin at each element. */
#define MOTE_SCAN_MOST_LISTS (16 * MOTE_SCAN_TILE)

/* How values are compared. */
#define MOTE_SORT_ORDER_PLAIN 0
#define MOTE_SORT_ORDER_FLOAT 1
#define MOTE_SORT_ORDER_BITS  2 /* floats as integers */
#define MOTE_SORT_ORDER_BOOL  3

/* Sorting: elements of a chunk, elements that a work-group can hold, lists of a chunk that a group
 * checks; elements of a chunk in the CPU form. */
#define MOTE_SORT_CHUNK      1792
#define MOTE_SORT_WINDOW     2048
#define MOTE_SORT_MOST_LISTS (16 * MOTE_SORT_WINDOW)
#define MOTE_SORT_CHUNK_CPU  4096

/* Words that the launches of a sort share: whether a chunk is left to sort_chunks, the height of
 * the highest long list, and for each merging how many chunks are taken and how many have ended. */
#define MOTE_SORT_LEFT     0
#define MOTE_SORT_HEIGHT   1
#define MOTE_SORT_TAKEN(k) (2 * (k))
#define MOTE_SORT_ENDED(k) (2 * (k) + 1)
#define MOTE_SORT_TURNS    66

#define MOTE_JAGGED_QUANTILES 4 /* largest number of quantiles of a launch */

#define MOTE_SPANS_WIDTH 16 /* nodes below a node of the tree of starts and stops */

#endif
