/* SPDX-License-Identifier: Apache-2.0 */
/* Random batches of digis. */
#ifndef MOTE_TESTKIT_CASES_PIXELS_DRAW_H
#define MOTE_TESTKIT_CASES_PIXELS_DRAW_H

#include "testkit/reference/pixels/oracle.h"

/* Numbers of rows and columns of modules, on which programs depend. */
#define MOTE_DRAW_SHAPES 16

/* Sets rows and columns to the values of a shape. Draws the number of modules, the invalid module,
 * and the number of events for n digis of the types in `digis`; the batch itself stays empty. If
 * `mask` is set, modules are small and few, because a mask needs a bit for each pixel of each
 * module. */
void mote_draw_topology(mote_rng *rng, unsigned shape, size_t n, bool mask, mote_digis *digis);

/* Draws n digis in digis->n_events events. If digis are contiguous, each module is in one place of
 * an event. Returns false if out of memory. */
bool mote_draw_digis(mote_rng *rng, size_t n, bool contiguous, mote_digis *digis);

/* Draw arrays of the options for the modules of `digis`: a charge cut for each module; gains (bit 0
 * of `kinds`) and pedestals (bit 1) with a least charge; dead pixels; marked modules. They return
 * false if out of memory. */
bool mote_draw_cuts(mote_rng *rng, const mote_digis *digis, mote_pixels_options *options);
bool mote_draw_lines(mote_rng *rng, const mote_digis *digis, unsigned kinds,
                     mote_pixels_options *options);
bool mote_draw_mask(mote_rng *rng, const mote_digis *digis, mote_pixels_options *options);
bool mote_draw_morph(mote_rng *rng, const mote_digis *digis, mote_pixels_options *options);

/* Puts one error into the data. Each bit of `kinds` permits a kind: a wrong module (bit 0), row
 * (bit 1), column (bit 2) or event offset (bit 3). */
enum { MOTE_SPOIL_MODULE = 1, MOTE_SPOIL_EVENTS = 8, MOTE_SPOIL_ANY = 15 };
void mote_draw_error(mote_rng *rng, unsigned kinds, mote_digis *digis);

#endif
