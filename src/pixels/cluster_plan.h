/* SPDX-License-Identifier: Apache-2.0 */
/* One clustering call: checked arguments, the variant chosen for it, and its scratch. */
#ifndef MOTE_PIXELS_CLUSTER_PLAN_H
#define MOTE_PIXELS_CLUSTER_PLAN_H

#include "core/call.h"
#include "shared/pixels_params.h"
#include "mote/pixels.h"

#define BY_SIZE_BAND  32u /* cl/common/band.clh */
#define BY_SIZE_STRIP 64u /* cl/pixels/group/strip.clh */

/* The choices of the CPU form for a call, and the scratch that cl/pixels/label/cpu needs. */
typedef struct mote_pixels_cpu_plan {
    size_t items;        /* work-items of each launch */
    uint32_t tile;       /* positions processed at once */
    uint32_t item_words; /* words of memory of a work-item */
    uint32_t slices;     /* any order: parts of an event */
    char defines[224];
    mote_view events, counters, owner, memory, rows, record, sorted;
} mote_pixels_cpu_plan;

/* How the GPU form labels digis, and how it moves digis in any order. The fields depend on each
 * other, so that mote_pixels_plan_make() sets all of them at once. */
typedef struct mote_pixels_labels {
    bool by_size;  /* one path for small and one for large modules, after a list of their beginnings
                    */
    bool fused;    /* both paths in one launch */
    bool packed;   /* any order: moved digis are two words, not four */
    bool event;    /* any order: two launches move the digis of one event, if there are words for
                      totals; else three launches or more */
    size_t groups; /* work-groups of the clustering kernel, or of both paths if they are fused */
    size_t arena;  /* words of local memory for a pack */
    size_t large_strips, large_groups;
    size_t strip_bands; /* bands that share a strip */
    size_t registers;   /* register limit of a work-item; 0: the compiler's choice */
} mote_pixels_labels;

typedef struct mote_pixels_plan {
    mote_pixels_cluster_args args; /* the caller's arguments, with defaults filled in */
    mote_pixels_params params;
    size_t n;
    size_t slots;                /* events x modules */
    size_t positions, any_group; /* positions of moved digis, and number of keys for which a group
                                    assigns segments */
    size_t shares;               /* counters of a key */
    size_t tally_group; /* any order: groups count slices of events; 0: all digis at once */
    bool any_order;
    bool histogram;
    bool on_gpu;    /* large modules are processed in place, without a separate kernel */
    bool out_apart; /* a separate launch writes module_id_out */
    mote_device_class form;
    size_t work_group;
    size_t tile;     /* positions of a tile of a work-group */
    size_t arena;    /* words of local memory for a pack of a tile */
    uint32_t levels; /* levels of the bit tree */
    size_t tiles;
    size_t strips; /* strips of positions, see cl/pixels/group/strip.clh */
    mote_pixels_labels labels;
    /* GPU form: work-items that compute positions; 0: sums in global memory */
    size_t positions_group;
    size_t positions_registers; /* register limit of these work-items; 0: the compiler's choice */
    bool finds_starts;          /* these work-items find the first clusters of modules */
    bool position_keys;         /* any order: the key of each position is needed */
    /* The number of marked modules that are processed at the same time; 0 if no module is
     * marked. */
    size_t images;
    char defines[512];
    mote_pixels_cpu_plan cpu;

    /* Pieces of the scratch; n_clusters and cluster_start are the caller's arrays if given. */
    mote_view n_clusters, cluster_start, key, rank, count, start, record, position_key, run_of,
        owner, spill, copies, large, strip_list, scan_scratch, sums, formed, first_formed,
        image_memory;

    /* The caller's length and event offsets, as the first launch has read them for the later
     * launches. */
    mote_view length, events;
} mote_pixels_plan;

/* Checks every argument and fills in the defaults. */
mote_status mote_pixels_cluster_check(const mote_call *call, mote_pixels_cluster_args *args);

/* Chooses the variant for the plan's checked arguments; logs it with the reason. */
mote_status mote_pixels_plan_make(const mote_call *call, mote_pixels_plan *plan);

/* Lays out the scratch: run with an empty carve to count, with the scratch to assign. */
void mote_pixels_plan_carve(const mote_call *call, void *call_plan, mote_carve *carve);

/* Returns a view of `count` elements of another view, from `first` on. */
mote_view mote_pixels_words_of(const mote_view *of, size_t first, size_t count);

/* Returns the number of bits that hold numbers up to `values`. */
uint32_t mote_pixels_bits_for(uint32_t values);

/* Returns the register limit of a work-item on an NVIDIA device; 0: the compiler's choice. */
size_t mote_pixels_registers(const mote_context *ctx, size_t work_group);

/* The number of words of a moved digi's record, and the defines that state it to the programs that
 * write or read records. */
uint32_t mote_pixels_record_words(const mote_pixels_plan *plan);
void mote_pixels_moved_defines(const mote_pixels_plan *plan, char *text, size_t size);

/* Runs a launch as mote_launch_run() does, for a kernel of the GPU form that was built with
 * `defines`. With assertions enabled it fails with MOTE_ERROR_INTERNAL if defines, groups and plan
 * do not agree. */
mote_status mote_pixels_run_launch(mote_launch *launch, const mote_pixels_plan *plan,
                                   const char *defines, size_t groups, size_t local);

/* Moves the digis of a key together, GPU form; makes the first launches of a call. */
mote_status mote_pixels_any_launch(mote_call *call, const mote_pixels_plan *plan, bool last);

/* The words that count the digis of modules if two launches move the digis of one event; else the
 * NULL view. */
mote_view mote_pixels_event_totals(const mote_call *call, const mote_pixels_plan *plan);

/* These functions are the same two steps for the CPU form. */
void mote_pixels_cpu_plan_make(const mote_call *call, mote_pixels_plan *plan);
void mote_pixels_cpu_plan_carve(mote_pixels_plan *plan, mote_carve *carve);

/* Launches the CPU form; `last`: no other launch of the call follows. */
mote_status mote_pixels_cpu_launch(mote_call *call, const mote_pixels_plan *plan, bool last);

#endif
