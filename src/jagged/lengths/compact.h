/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets of packed lists: running sums of lengths, in one to three launches. */
#ifndef MOTE_JAGGED_LENGTHS_COMPACT_H
#define MOTE_JAGGED_LENGTHS_COMPACT_H

#include "core/call.h"
#include "shared/jagged.h"

typedef struct mote_compact {
    int of;
    size_t lists;
    /* The input of the lengths, which cl/jagged/lengths/lengths.clh describes. All but a may be
     * absent. */
    mote_view a, b, c, d;
    mote_view offsets;     /* out, lists + 1 */
    mote_view error;       /* the cleared error word; NULL view = none */
    mote_view sums, bytes; /* scratch, carved by mote_compact_carve() */
} mote_compact;

void mote_compact_carve(const mote_context *ctx, mote_compact *c, mote_carve *carve);

/* Prepares the next launches of `call`; they are its final ones if `last`. */
mote_status mote_compact_run(mote_call *call, const mote_compact *c, bool last);

#endif
