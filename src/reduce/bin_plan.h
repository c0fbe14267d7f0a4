/* SPDX-License-Identifier: Apache-2.0 */
/* The passes and groups of a counting sort, and the layout of its scratch. */
#ifndef MOTE_REDUCE_BIN_PLAN_H
#define MOTE_REDUCE_BIN_PLAN_H

#include "reduce/bin_by_key.h"

typedef struct mote_bin_plan {
    bool cpu;
    uint32_t passes, bits; /* number of passes, and bits of the key sorted by each */
    uint32_t bins;         /* of a pass */
    uint32_t stride;       /* length of a row of counters, one row for each tile or work-item */
    size_t words;          /* GPU: words of local memory for a bin's counters, one byte per band */
    size_t group;          /* work-items of a group */
    size_t tile, tiles;    /* elements of a group (GPU) or work-item (CPU), and their number */
    size_t scratch;        /* length in elements of MOTE_UINT32 */
    mote_view counts;      /* tiles x stride */
    mote_view starts;      /* CPU: as counts */
    mote_view totals;      /* GPU: bins */
    mote_view rank;        /* GPU: n elements of MOTE_UINT16 */
    mote_view key, index;  /* n, between two passes */
} mote_bin_plan;

/* scratch: NULL only counts bytes. */
mote_bin_plan mote_bin_plan_make(const mote_context *ctx, size_t n, uint32_t n_bins,
                                 const mote_view *scratch);

/* Returns the bits of the key that a pass sorts by. */
uint32_t mote_bin_plan_shift(const mote_bin_plan *plan, uint32_t pass);
uint32_t mote_bin_plan_mask(const mote_bin_plan *plan);

#endif
