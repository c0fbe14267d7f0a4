/* SPDX-License-Identifier: Apache-2.0 */
/* Scratch of a histogram that the host lays out and kernels use. */
#ifndef MOTE_SHARED_HISTOGRAM_H
#define MOTE_SHARED_HISTOGRAM_H

/* GPU form: the largest number of bins that a group counts in local memory. */
#define MOTE_HISTOGRAM_LOCAL 4096
#define MOTE_HISTOGRAM_ROWS  8 /* GPU form: values that a work-item loads at once */

/* The words of the state: the largest exponent of the weights, then for each part of the edges the
 * words MOTE_HISTOGRAM_REACHED and MOTE_HISTOGRAM_NEAR. */
#define MOTE_HISTOGRAM_EXPONENT   0
#define MOTE_HISTOGRAM_PART(k)    (2 + 2 * (k))
#define MOTE_HISTOGRAM_REACHED    0 /* the first edge of the part that no value reaches */
#define MOTE_HISTOGRAM_NEAR       1 /* the largest distance of a key from its place; a float */
#define MOTE_HISTOGRAM_MOST_PARTS 64

#endif
