/* SPDX-License-Identifier: Apache-2.0 */
/* Pixels that are hard for an algorithm, and the classic pattern of CMS's clustering test. */
#ifndef MOTE_TESTKIT_CASES_PIXELS_PATTERNS_H
#define MOTE_TESTKIT_CASES_PIXELS_PATTERNS_H

#include "testkit/cases/pixels/digis.h"

typedef enum mote_pattern {
    MOTE_PATTERN_SNAKE,    /* one path up and down through the module */
    MOTE_PATTERN_SPIRAL,   /* one path winding inwards */
    MOTE_PATTERN_BLOCK,    /* a dense rectangle, half as long and a fifth as wide as the module */
    MOTE_PATTERN_FULL,     /* every pixel */
    MOTE_PATTERN_ISOLATED, /* every second pixel of every second column: none touch */
    MOTE_PATTERN_CHECKERBOARD, /* touching by corners only */
    MOTE_PATTERN_RANDOM_40,    /* 40 % of the pixels */
    MOTE_PATTERN_CORNERS,      /* the four corners and their neighbours */
    MOTE_PATTERN_DIAGONALS,    /* falling and rising diagonals with gaps */
    MOTE_PATTERN_COMB,         /* separate rows joined by the last column: late merges */
    MOTE_PATTERNS
} mote_pattern;

/* Appends the pattern's pixels in (y, x) order, as the digis of one module of the event being
 * built. Charges come from `rng`. */
void mote_pattern_push(mote_digis *digis, uint32_t module, mote_pattern pattern, mote_rng *rng);

/* Twelve events of 1856 modules of 160 x 416, up to every pixel of a module: snakes, spirals,
 * blocks, full modules, isolated pixels, checkerboards, 3 % repeated pixels, none, only invalid
 * digis, one digi, random 40 %, corners. `scale` divides the number of modules filled (1 = about 2
 * million digis). Returns false if memory ran out. */
bool mote_case_patho(uint64_t seed, uint32_t scale, mote_digis *out);

/* Makes one event of the pattern of CMS's clustering test, of its pass 0 to 4, in the order of that
 * test. */
void mote_case_classic(mote_digis *digis, int pass);

#endif
