/* SPDX-License-Identifier: Apache-2.0 */
/* One clustering call: checked arguments, the variant chosen for it, and its scratch. */
#ifndef MOTE_PIXELS_CLUSTER_PLAN_H
#define MOTE_PIXELS_CLUSTER_PLAN_H

#include "core/call.h"
#include "shared/pixels_params.h"
#include "mote/pixels.h"

typedef struct mote_pixels_plan {
    mote_pixels_cluster_args args; /* the caller's, defaults filled in */
    mote_pixels_params params;
    size_t n;
    size_t slots; /* events x modules */
    bool any_order;
    bool histogram;
    bool on_gpu; /* large modules are done in place, without a kernel of their own */
    mote_device_class form;
    size_t work_group; /* 1 in the CPU form */
    size_t tile;       /* positions a work-group starts from, or a work-item of the CPU form */
    size_t arena;      /* words of local memory for a pack */
    uint32_t levels;   /* of the bit tree */
    size_t tiles;
    size_t groups; /* work-groups of the clustering kernel */
    char defines[320];

    /* Pieces of the scratch; n_clusters and cluster_start are the caller's when given. */
    mote_view n_clusters, cluster_start, key, sorted_key, index, run_of, owner, spill, copies,
        large, bin_scratch, scan_scratch;
} mote_pixels_plan;

/* Checks every argument and fills in the defaults. */
mote_status mote_pixels_cluster_check(const mote_call *call, mote_pixels_cluster_args *args);

/* Chooses the variant for the plan's checked arguments; logs it with the reason. */
mote_status mote_pixels_plan_make(const mote_call *call, mote_pixels_plan *plan);

/* Lays out the scratch: run with an empty carve to count, with the scratch to assign. */
void mote_pixels_plan_carve(const mote_call *call, void *call_plan, mote_carve *carve);

#endif
