/* SPDX-License-Identifier: Apache-2.0 */
/* Launching kernels that give every element of an output its list, in equal shares of work.
 * cl/jagged/balanced.clh (GPUs) and balanced_cpu.clh say what such a kernel must contain. */
#ifndef MOTE_JAGGED_BALANCED_H
#define MOTE_JAGGED_BALANCED_H

#include "jagged/lists.h"

typedef struct mote_balanced_plan {
    bool cpu; /* the form of the kernel */
    mote_type type;
    size_t lists, n;
    size_t groups, local;
    uint32_t shift, tile, tiles, steps; /* of the GPU form, as the kernel knows them */
    bool full;
} mote_balanced_plan;

/* n: elements of the output. full: every offset is checked, else what is read anyway. Lists are by
 * offsets. 32-bit offsets reach only 2^32 - 1 elements: plan.n is capped there, and the caller
 * fills the rest. */
mote_balanced_plan mote_balanced_make(const mote_context *ctx, const mote_lists *lists, size_t n,
                                      bool full);

/* Lists and where they lie, as kernels know them. */
typedef struct mote_places_input {
    mote_view offsets;
    bool relative; /* element 0 is position offsets[0], not 0 */
    size_t length; /* of the content; SIZE_MAX = not known */
    mote_view error;
} mote_places_input;

/* Sets PLACES_PARAMETERS of cl/jagged/places.clh, for n elements. */
void mote_places_set(mote_launch *launch, mote_type type, size_t lists, size_t n, bool full,
                     const mote_places_input *input);

/* A kernel in both forms, of one name and with the same arguments. */
typedef struct mote_balanced_kernel {
    const mote_source *gpu, *cpu;
    const char *defines; /* besides INDEX and its friends, and WG; "" for none */
    const char *name;
} mote_balanced_kernel;

/* Begins a launch and sets BALANCED_PARAMETERS; the kernel's own arguments come next. */
void mote_balanced_begin(mote_launch *launch, mote_call *call, const mote_balanced_plan *plan,
                         const mote_balanced_kernel *kernel, const mote_places_input *input);

mote_status mote_balanced_run(mote_launch *launch, const mote_balanced_plan *plan);

#endif
