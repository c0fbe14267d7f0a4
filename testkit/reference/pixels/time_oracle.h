/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the expected clusters of hits in space and time. */
#ifndef MOTE_TESTKIT_REFERENCE_PIXELS_TIME_ORACLE_H
#define MOTE_TESTKIT_REFERENCE_PIXELS_TIME_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mote/pixels_time.h"

/* The hits and the options of a call. All arrays have n elements. */
typedef struct mote_time_hits {
    size_t n;
    uint32_t n_modules, rows, columns;
    uint32_t *module;
    uint16_t *x, *y;
    int64_t *t;
    uint32_t *charge;
    uint32_t radius; /* the distance itself; 0 if only hits of the same pixel touch */
    int64_t window, complete;
    bool streaming;
} mote_time_hits;

/* The results. All arrays have room for n elements and belong to the caller. */
typedef struct mote_time_clusters {
    int32_t *label;
    uint32_t count;
    mote_pixels_cluster_record *records;
    uint32_t *module;
    int64_t *first, *last;
} mote_time_clusters;

/* Returns the status of the first kind of bad data, and sets *index to the lowest index of this
 * kind. */
mote_status mote_oracle_time_error(const mote_time_hits *hits, uint32_t *index);

/* Finds the clusters of good data. Of at most MOTE_TIME_PAIRS hits, it joins all pairs that touch.
 * Otherwise it joins each hit, in the order of time, with the latest hit of each neighbouring
 * pixel, for which it needs 4 bytes for each pixel. Returns false if memory runs out. */
#define MOTE_TIME_PAIRS 300
bool mote_oracle_time(const mote_time_hits *hits, mote_time_clusters *clusters);

#endif
