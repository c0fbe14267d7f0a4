/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that make the digis of the cases of the table. Every function appends events to
 * `digis`. */
#ifndef MOTE_TESTKIT_CASES_PIXELS_FILL_H
#define MOTE_TESTKIT_CASES_PIXELS_FILL_H

#include "testkit/cases/pixels/cases.h"

/* Bits of the parameter of mote_fill_decoded(). */
#define MOTE_DECODED_MASK  1u
#define MOTE_DECODED_LINES 2u
/* Calibrations of infinite, tiny and negative numbers, and of NaN. */
#define MOTE_DECODED_HOSTILE 4u
#define MOTE_DECODED_GROUPED 8u /* modules consecutive in each of three events */

#define MOTE_FILL(name)                                                                            \
    void name(const mote_pixels_case *self, mote_digis *digis, mote_pixels_options *options,       \
              mote_rng *rng)

MOTE_FILL(mote_fill_random);  /* n digis anywhere, one in fifty invalid */
MOTE_FILL(mote_fill_grouped); /* the same, modules consecutive in each of `parameter` events */
MOTE_FILL(mote_fill_skewed);  /* half of the digis in one module */
MOTE_FILL(mote_fill_pattern); /* pattern `parameter` in the first, middle and last module */
MOTE_FILL(
    mote_fill_many_events);  /* n events of 0 .. parameter - 1 digis, the first and last empty */
MOTE_FILL(mote_fill_border); /* one module on both sides of event borders, pixels touching */
MOTE_FILL(mote_fill_invalid_gap); /* a full module, `parameter` invalid digis amid its digis */
/* n invalid digis with coordinates outside the module, then an event of `parameter` valid ones */
MOTE_FILL(mote_fill_invalid_only);
MOTE_FILL(mote_fill_extremes); /* x, y and ids at both ends of their ranges */
MOTE_FILL(mote_fill_copies);   /* n copies of one pixel amid two neighbours, charges rising */
MOTE_FILL(mote_fill_triples);  /* singles, pairs and triples; the very last digi is a copy */
MOTE_FILL(mote_fill_copies_threshold); /* copies, of which some are below the threshold */
MOTE_FILL(mote_fill_cut_edge);         /* clusters of charge cut - 1, cut and cut + 1 */
MOTE_FILL(mote_fill_module_cuts);      /* random digis and a cut for each module */
MOTE_FILL(mote_fill_zero_adc);         /* random digis, three in four without charge */
MOTE_FILL(mote_fill_huge_adc);         /* a row of n digis of nearly 2^32 each */
MOTE_FILL(mote_fill_decoded);          /* n digis with a mask, calibrations, or both */
MOTE_FILL(mote_fill_events);           /* n collision events; parameter 0, 1, 2: the detector */
MOTE_FILL(mote_fill_classic);          /* pass n of the classic pattern */
MOTE_FILL(mote_fill_patho);            /* the twelve hard events, 1 / n of them */
MOTE_FILL(mote_fill_bad_module);       /* ids out of range at two places */
MOTE_FILL(mote_fill_bad_coordinate);   /* x (parameter 0) or y (1) just outside, at two places */
MOTE_FILL(mote_fill_bad_offsets);      /* event offsets with error number `parameter` */
MOTE_FILL(mote_fill_second_place);     /* a module in two places of an event */

#endif
