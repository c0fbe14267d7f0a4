/* SPDX-License-Identifier: Apache-2.0 */
/* Expected clusters of hits in space and time. */
#ifndef MOTE_TESTKIT_REFERENCE_PIXELS_TIME_ORACLE_H
#define MOTE_TESTKIT_REFERENCE_PIXELS_TIME_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mote/pixels_time.h"

/* Hits, and the options of a call. All arrays have n elements. */
typedef struct mote_time_hits {
    size_t n;
    uint32_t n_modules, rows, columns;
    uint32_t *module;
    uint16_t *x, *y;
    int64_t *t;
    uint32_t *charge;
    uint32_t radius; /* the distance itself: 0 for the same pixel */
    int64_t window, complete;
    bool streaming;
} mote_time_hits;

/* Results; all arrays have room for n elements, and belong to the caller. */
typedef struct mote_time_clusters {
    int32_t *label;
    uint32_t count;
    mote_pixels_cluster_record *records;
    uint32_t *module;
    int64_t *first, *last;
} mote_time_clusters;

/* Returns the status and the lowest index of the first kind of bad data. */
mote_status mote_oracle_time_error(const mote_time_hits *hits, uint32_t *index);

/* Finds the clusters of good data: for few hits, by joining all pairs that touch; for many, each
 * hit is joined with the latest hit of each neighbouring pixel, in the order of time. Returns false
 * if memory ran out. */
bool mote_oracle_time(const mote_time_hits *hits, mote_time_clusters *clusters);

#endif
