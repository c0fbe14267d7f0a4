/* SPDX-License-Identifier: Apache-2.0 */
/* Collision events for first experiments, tests and benchmarks.
 *
 * Particles in jets leave the beam line, bend, and cross the modules of a barrel and of disks; the
 * charge of each crossing is spread over the pixels its path touches. Inner layers have more digis,
 * and a few modules have far more than the others. Digis of a module are consecutive and shuffled,
 * modules come in one random order, and about 0.2 % of the digis are invalid ones. Only integers
 * are used: a seed gives the same events on every machine. */
#ifndef MOTE_TESTKIT_CASES_PIXELS_EVENTS_H
#define MOTE_TESTKIT_CASES_PIXELS_EVENTS_H

#include "testkit/cases/pixels/digis.h"

/* Makes a batch of n_events events. topology: "phase1" (1856 modules of 160 x 416, about 57 000
 * digis an event), "phase2" (3892 of 1344 x 432, 380 000), "heavy-ion" (the modules of phase1, 410
 * 000) or "ROWSxCOLUMNS" (800 modules of that size). Returns false with a sentence in `message` if
 * the topology is not one of these or memory runs out; the caller frees `out` after a success. */
bool mote_case_events(const char *topology, size_t n_events, uint64_t seed, mote_digis *out,
                      char *message, size_t size);

/* Damages a share of the modules, from 0 to 1, chosen at random: they lose each of their digis with
 * a probability of one in four, so that their clusters break into pieces. *marks receives
 * n_modules elements, 1 for damaged modules, which the caller frees. Returns false if memory runs
 * out. */
bool mote_case_break(double share, uint64_t seed, mote_digis *digis, uint8_t **marks);

#endif
