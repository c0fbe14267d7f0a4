/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file shared/segments.h
 * @brief How mote_jagged_segments() reduces lists, seen by C and by OpenCL C; internal to the
 * library.
 */
#ifndef MOTE_SHARED_SEGMENTS_H
#define MOTE_SHARED_SEGMENTS_H

/* What a kernel is built for. */
#define MOTE_SEGMENTS_SUM     0
#define MOTE_SEGMENTS_PROD    1
#define MOTE_SEGMENTS_EXTREME 2 /* smallest or largest value, or its position */
#define MOTE_SEGMENTS_TRUTH   3 /* number of values that are (not) 0, or whether there are any */

/* What it is told, any number of bits. */
#define MOTE_SEGMENTS_LARGEST    1u
#define MOTE_SEGMENTS_POSITION   2u
#define MOTE_SEGMENTS_ZEROS      4u  /* zeros are counted, not what differs from 0 */
#define MOTE_SEGMENTS_ANY        8u  /* the result is one byte: whether anything was counted */
#define MOTE_SEGMENTS_NONE       16u /* the result is one byte: whether nothing was counted */
#define MOTE_SEGMENTS_BASE_FIRST 32u
#define MOTE_SEGMENTS_SPREADS    64u  /* long lists are left to another launch */
#define MOTE_SEGMENTS_LEFT       128u /* lists of up to MOTE_SEGMENTS_SERIAL elements are done */

/* The virtual layout of a list. */
#define MOTE_SEGMENTS_SERIAL 32   /* longest list that is taken one element after another */
#define MOTE_SEGMENTS_LANES  8    /* of a chunk */
#define MOTE_SEGMENTS_CHUNK  256  /* elements */
#define MOTE_SEGMENTS_BLOCK  4096 /* elements */
#define MOTE_SEGMENTS_JOIN   256  /* lanes over the blocks */

#define MOTE_SEGMENTS_FLAT 4096 /* lists of a group of segments_flat, a power of 2 */

#endif
