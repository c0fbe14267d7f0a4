/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of mote_pixels_cluster_time(). */
#ifndef MOTE_PIXELS_CLUSTER_TIME_H
#define MOTE_PIXELS_CLUSTER_TIME_H

#include "core/sweep.h"
#include "jagged/sort.h"
#include "mote/pixels_time.h"

typedef struct mote_time_plan {
    mote_pixels_cluster_time_args args;
    mote_sweep sweep;
    size_t n, starts_count;
    uint32_t pixels, radius;
    uint32_t shift;  /* `starts` contains the first hit of every 2^shift-th pixel */
    size_t capacity; /* of the results of clusters */
    bool has_results;
    char defines[128];
    /* Scratch. Steps that run one after another share arrays of n elements. */
    mote_view key, pixel, index, head, parent, first, last, times, sorted_t, starts, list;
    mote_view bin, scan, cluster_t;
    mote_sort by_time;  /* sorts the times of each pixel */
    mote_sort by_first; /* sorts the first times of the closed clusters */
    /* Only with a table of pixels for each work-item (cl/pixels/time/table_cpu.cl). */
    size_t entries; /* of a table; 0: there are no tables */
    mote_view hits, spare, table;
} mote_time_plan;

/* Prepares the launches. */
mote_status mote_pixels_time_run(mote_call *call, const void *call_plan);

/* Prepares the launches up to labels of the CPU form with tables. */
mote_status mote_pixels_time_table_run(mote_call *call, const mote_time_plan *p);

#endif
