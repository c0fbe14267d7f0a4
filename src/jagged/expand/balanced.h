/* SPDX-License-Identifier: Apache-2.0 */
/* Launches kernels that find the list of every element of an output, by equal amounts of work.
 * cl/jagged/expand/balanced.clh (GPUs) and balanced_cpu.clh describe the contents of such a
 * kernel. */
#ifndef MOTE_JAGGED_EXPAND_BALANCED_H
#define MOTE_JAGGED_EXPAND_BALANCED_H

#include "jagged/lists.h"

/* The properties of a call that determine its plan. */
typedef struct mote_balanced_job {
    const mote_lists *lists; /* by offsets */
    size_t n;                /* elements of the output */
    bool full;    /* check every offset; otherwise, check only offsets that are read in any case */
    bool inside;  /* elements need their positions in the lists */
    bool reads;   /* elements read a value of their list */
    bool entries; /* lists are labels: cl/jagged/from_parents/offsets_short_lists.cl */
} mote_balanced_job;

/* How a GPU's groups divide the work: cl/jagged/expand/balanced.clh. */
typedef enum mote_balanced_variant {
    MOTE_BALANCED_MERGE = 1, /* by elements and lists together */
    MOTE_BALANCED_ELEMENTS,  /* by elements: for long lists */
    MOTE_BALANCED_LISTS, /* by lists: for short lists; helpers process elements that do not fit a
                            group */
    MOTE_BALANCED_SEARCH /* elements, few compared with the lists, search for their lists */
} mote_balanced_variant;

typedef struct mote_balanced_plan {
    bool cpu; /* the form of the kernel */
    mote_type type;
    size_t lists, n;
    size_t groups, local;
    bool full;
    /* For the GPU form, as the kernel uses them: */
    mote_balanced_variant variant;
    uint32_t shift, tile, tiles, steps;
    uint32_t room, whole, deep; /* BALANCED_ROOM, BALANCED_WHOLE, BALANCED_DEEP */
    bool near;                  /* BALANCED_INTERPOLATES */
} mote_balanced_plan;

/* 32-bit offsets count only to 2^32 - 1 elements: plan.n is limited to that, and the caller fills
 * the others. */
mote_balanced_plan mote_balanced_make(const mote_context *ctx, const mote_balanced_job *job);

/* Lists and their memory, in the form that kernels read. */
typedef struct mote_list_bounds_input {
    mote_view offsets;
    bool relative; /* element 0 is position offsets[0], not 0 */
    size_t length; /* length of the content; SIZE_MAX = not known */
    mote_view error;
} mote_list_bounds_input;

/* Sets LIST_BOUNDS_PARAMETERS of cl/jagged/expand/list_bounds.clh, for n elements. */
void mote_list_bounds_set(mote_launch *launch, mote_type type, size_t lists, size_t n, bool full,
                          const mote_list_bounds_input *input);

/* A kernel in both forms, with one name and the same arguments. */
typedef struct mote_balanced_kernel {
    const mote_source *gpu, *cpu;
    const char *defines; /* in addition to the defines of INDEX and WG; "" for none */
    const char *name;
    uint64_t bytes; /* least traffic of the call */
} mote_balanced_kernel;

/* Begins the launch and sets BALANCED_PARAMETERS; the kernel's other arguments are set next. */
void mote_balanced_begin(mote_launch *launch, mote_call *call, const mote_balanced_plan *plan,
                         const mote_balanced_kernel *kernel, const mote_list_bounds_input *input);

mote_status mote_balanced_run(mote_launch *launch, const mote_balanced_plan *plan);

#endif
