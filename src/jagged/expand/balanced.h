/* SPDX-License-Identifier: Apache-2.0 */
/* Launching kernels that give every element of an output its list, in equal shares of work.
 * cl/jagged/expand/balanced.clh (GPUs) and balanced_cpu.clh say what such a kernel must contain. */
#ifndef MOTE_JAGGED_EXPAND_BALANCED_H
#define MOTE_JAGGED_EXPAND_BALANCED_H

#include "jagged/lists.h"

/* What is to be done. */
typedef struct mote_balanced_job {
    const mote_lists *lists; /* by offsets */
    size_t n;                /* elements of the output */
    bool full;               /* every offset is checked, else what is read anyway */
    bool inside;             /* elements need their positions in the lists */
    bool reads;              /* elements read something of their lists */
    bool entries;            /* lists are labels: cl/jagged/from_parents/offsets_short_lists.cl */
} mote_balanced_job;

/* How a GPU's groups share out the work: cl/jagged/expand/balanced.clh. */
typedef enum mote_balanced_variant {
    MOTE_BALANCED_SHARES = 1, /* elements and lists together */
    MOTE_BALANCED_WHOLE,      /* elements: of long lists */
    MOTE_BALANCED_LISTS,      /* lists: of short lists; helpers take what does not fit a group */
    MOTE_BALANCED_ALONE       /* nothing: elements, few beside the lists, look for their list */
} mote_balanced_variant;

typedef struct mote_balanced_plan {
    bool cpu; /* the form of the kernel */
    mote_type type;
    size_t lists, n;
    size_t groups, local;
    bool full;
    /* Of the GPU form, as the kernel knows them: */
    mote_balanced_variant variant;
    uint32_t shift, tile, tiles, steps;
    uint32_t room, whole, deep; /* BALANCED_ROOM, BALANCED_WHOLE, BALANCED_DEEP */
    bool near;                  /* BALANCED_NEAR */
} mote_balanced_plan;

/* 32-bit offsets reach only 2^32 - 1 elements: plan.n is capped there, and the caller fills the
 * rest. */
mote_balanced_plan mote_balanced_make(const mote_context *ctx, const mote_balanced_job *job);

/* Lists and where they lie, as kernels know them. */
typedef struct mote_places_input {
    mote_view offsets;
    bool relative; /* element 0 is position offsets[0], not 0 */
    size_t length; /* of the content; SIZE_MAX = not known */
    mote_view error;
} mote_places_input;

/* Sets PLACES_PARAMETERS of cl/jagged/expand/list_bounds.clh, for n elements. */
void mote_places_set(mote_launch *launch, mote_type type, size_t lists, size_t n, bool full,
                     const mote_places_input *input);

/* A kernel in both forms, of one name and with the same arguments. */
typedef struct mote_balanced_kernel {
    const mote_source *gpu, *cpu;
    const char *defines; /* besides INDEX and its friends, and WG; "" for none */
    const char *name;
    uint64_t bytes; /* least traffic of the call */
} mote_balanced_kernel;

/* Begins the launch and sets BALANCED_PARAMETERS; the kernel's own arguments come next. */
void mote_balanced_begin(mote_launch *launch, mote_call *call, const mote_balanced_plan *plan,
                         const mote_balanced_kernel *kernel, const mote_places_input *input);

mote_status mote_balanced_run(mote_launch *launch, const mote_balanced_plan *plan);

#endif
