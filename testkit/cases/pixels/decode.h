/* SPDX-License-Identifier: Apache-2.0 */
/* Dead pixels and charges of adc counts: expected results, and arguments of calls. */
#ifndef MOTE_TESTKIT_CASES_PIXELS_DECODE_H
#define MOTE_TESTKIT_CASES_PIXELS_DECODE_H

#include "testkit/reference/pixels/oracle.h"

/* Returns the number of words of options->mask. */
size_t mote_case_mask_words(const mote_digis *digis);

/* Returns whether a digi inside its module has a dead pixel. */
bool mote_case_dead(const mote_digis *digis, const mote_pixels_options *options, size_t digi);

/* Returns the charge of a digi of a valid module. */
uint32_t mote_case_charge(const mote_digis *digis, const mote_pixels_options *options, size_t digi);

#endif
