/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual layout of sums, see mote/reduce.h. */
#ifndef MOTE_SHARED_SUMS_H
#define MOTE_SHARED_SUMS_H

#define MOTE_SUM_LANES       1024
#define MOTE_SUM_TILE        8192
#define MOTE_SUM_MOST_BLOCKS 8192

#endif
