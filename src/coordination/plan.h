/* SPDX-License-Identifier: Apache-2.0 */
/* The members of a mote_coordination. */
#ifndef MOTE_COORDINATION_PLAN_H
#define MOTE_COORDINATION_PLAN_H

#include <stdbool.h>

#include "coordination/kernel_constants.h"
#include "coordination/switch.h"
#include "core/context.h"

/* Parts of one share of a plan. */
#define MOTE_COORDINATION_MOST_PARTS 3

struct mote_coordination {
    mote_context *ctx;
    mote_switch function;
    mote_switch_numbers numbers;
    mote_kernel_constants constants[2]; /* copies in float32 and in double */
    mote_coordination_mode mode;
    mote_pbc pbc;
    mote_precision precision;
    mote_coordination_method method;
    uint32_t n_atoms, n_a, n_b;
    double skin;
    bool repeated;        /* the two entries of a pair may be the same atom */
    uint32_t *host_atoms; /* atom of each entry, A then B; NULL if entry k is atom k */
    /* In device memory; NULL under the same condition. */
    cl_mem atoms;        /* as host_atoms */
    cl_mem atom_start;   /* n_atoms + 1: where the entries of an atom begin in atom_entries */
    cl_mem atom_entries; /* the entries, atom by atom */
    /* A share: its pairs as plans of some of the entries; no parts if all pairs count. */
    uint32_t share, shares;
    size_t n_parts;
    mote_coordination *parts[MOTE_COORDINATION_MOST_PARTS];
    /* In a part: maps each entry of the plan to its number here, or NO_ENTRY, and vice versa. */
    cl_mem places, origins;
    struct mote_kept *kept; /* of a plan with a skin, else NULL; see coordination/kept.h */
};

/* Makes a plan without shares. args: checked. */
mote_status mote_coordination_make(mote_context *ctx, const mote_coordination_plan_args *args,
                                   mote_coordination **out);

/* Returns device memory with a copy of the values, of which there must be at least one. */
mote_status mote_coordination_upload(mote_context *ctx, const uint32_t *values, size_t count,
                                     cl_mem *mem);

#endif
