/* SPDX-License-Identifier: Apache-2.0 */
/* Random batches of pixel digis, and calls on plain arrays with them. */
#ifndef MOTE_TESTS_PROPERTY_PIXELS_H
#define MOTE_TESTS_PROPERTY_PIXELS_H

#include "testkit/reference/pixels/oracle.h"
#include "property/property.h"

/* Options that all draws of one context share, so that they need few programs. */
typedef struct pixels_epoch {
    mote_type id, adc; /* adc: MOTE_TYPE_NONE for no charges */
    mote_pixels_duplicates duplicates;
    bool cuts, mask, lines;
} pixels_epoch;

#define PIXELS_ONE_OF(rng, array) (array)[mote_rng_below(rng, sizeof(array) / sizeof((array)[0]))]

/* True with a probability of 1/times. */
static inline bool pixels_once(mote_rng *rng, uint32_t times)
{
    return mote_rng_below(rng, times) == 0;
}

/* Draws digis in the order that options->order promises; a large batch has at least 10^5. Returns
 * false if out of memory. */
bool pixels_draw_digis(mote_rng *rng, const pixels_epoch *epoch, bool large,
                       const mote_pixels_options *options, mote_digis *digis);

/* Draws all options except order and strategy, for the modules of `digis`. Returns false if out of
 * memory. */
bool pixels_draw_options(mote_rng *rng, const pixels_epoch *epoch, const mote_digis *digis,
                         mote_pixels_options *options);

/* Puts one error into the data. */
void pixels_spoil(mote_rng *rng, mote_digis *digis);

/* Runs mote_pixels_cluster_host() and compares its results. On a difference, returns false and
 * writes a message. */
bool pixels_check_host(mote_context *ctx, mote_rng *rng, const mote_digis *digis,
                       const mote_pixels_options *options, const mote_pixels_result *expected,
                       char *message, size_t size);

#endif
