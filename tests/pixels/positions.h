/* SPDX-License-Identifier: Apache-2.0 */
/* The suite of positions, which is in two files. */
#ifndef MOTE_TESTS_PIXELS_POSITIONS_H
#define MOTE_TESTS_PIXELS_POSITIONS_H

#include "common/suite.h"

/* Adds the cases that compare positions with the oracle. */
void positions_sums(Suite *suite);

#endif
