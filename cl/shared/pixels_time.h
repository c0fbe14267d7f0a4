/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that the host and the kernels of clusters in space and time share. */
#ifndef MOTE_SHARED_PIXELS_TIME_H
#define MOTE_SHARED_PIXELS_TIME_H

/* Hits of a granule, of a tile that a work-group sorts, and of a slice that a work-group joins. */
#define MOTE_TIME_GRANULE 512
#define MOTE_TIME_TILE    2048
#define MOTE_TIME_SLICE   1024

/* Words of the state of a call on a GPU. */
#define MOTE_TIME_FAR      0 /* not 0: hits are far out of order, and are sorted into bins of time */
#define MOTE_TIME_UNSORTED 1 /* not 0: these bins contain too many hits */
#define MOTE_TIME_PIXELS   2 /* not 0: hits are clustered in the order by (pixel, t) instead */
#define MOTE_TIME_SHIFT    3 /* times are divided by 2^shift to get their bins */
#define MOTE_TIME_STATE    4

#endif
