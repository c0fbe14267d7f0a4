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
    mote_view hits;     /* in the order by (t, pixel): MOTE_TIME_HIT_WORDS words each */
    /* Only with a table of pixels for each work-item (cl/pixels/time/table_cpu.cl). */
    size_t entries; /* of a table; 0: there are no tables */
    mote_view spare, table;
    /* Only with slices of the order by (t, pixel) (cl/pixels/time/slice_link.cl). */
    size_t granules; /* 0: there are no slices */
    uint32_t bits;   /* there are 2^bits bins of time */
    mote_view extents, state, binned_t;
    mote_view guard; /* the word of the state without which there is nothing to do pixel by pixel */
} mote_time_plan;

#define MOTE_TIME_HIT_WORDS 4

/* Prepares the launches. */
mote_status mote_pixels_time_run(mote_call *call, const void *call_plan);

/* Prepare the launches that sort the hits by (t, pixel) and join them, on CPUs and on GPUs. */
mote_status mote_pixels_time_table(mote_call *call, const mote_time_plan *p);
mote_status mote_pixels_time_slices(mote_call *call, const mote_time_plan *p);

/* Prepares the launches that find the roots of clusters in the order by (t, pixel), and write flags
 * to p->parent: 1 for the first hit of a closed cluster. */
mote_status mote_pixels_time_flags(mote_call *call, const mote_time_plan *p);

/* Prepares the launch that writes labels and the results of these clusters, except for sums. */
mote_status mote_pixels_time_labels(mote_call *call, const mote_time_plan *p);

/* Prepares the launch that adds up the hits of these clusters in slices. */
mote_status mote_pixels_time_slice_sums(mote_call *call, const mote_time_plan *p);

/* Prepares the launch that adds up the hits of clusters in the order of the call's arrays, which is
 * the last one. */
mote_status mote_pixels_time_sums(mote_call *call, const mote_time_plan *p);

#endif
