/* SPDX-License-Identifier: Apache-2.0 */
/* Coordination numbers in long double by plain loops over all pairs. */
#ifndef MOTE_TESTKIT_REFERENCE_COORDINATION_ORACLE_H
#define MOTE_TESTKIT_REFERENCE_COORDINATION_ORACLE_H

#include "testkit/cases/coordination/system.h"

/* A sum and the possible effects of rounding. `size` is the sum of the terms' magnitudes, to be
 * multiplied by the relative error of one term. `blur` is the largest change of the sum if
 * distances are known only to the oracle's own `blur`: this includes the jumps at d_0, at d_max,
 * and between images that are equally near. */
typedef struct mote_true_sum {
    long double sum;
    double size, blur;
} mote_true_sum;

typedef struct mote_truth {
    size_t frames, entries;
    mote_true_sum *value;        /* frames */
    mote_true_sum *virial;       /* frames x 9 */
    mote_true_sum *derivatives;  /* frames x entries x 3 */
    mote_true_sum *coordination; /* frames x entries */
} mote_truth;

/* Fills in the truth of a system; false if memory runs out. blur: a length, or 0 for no blurs. */
bool mote_truth_make(mote_truth *truth, const mote_system *s, double blur);
void mote_truth_free(mote_truth *truth);

/* Derivatives of the atoms instead of the entries: frames x n_atoms x 3, to be freed; NULL if
 * memory runs out. */
mote_true_sum *mote_truth_of_atoms(const mote_truth *truth, const mote_system *s);

#endif
