/* SPDX-License-Identifier: Apache-2.0 */
/* Computes Steinhardt's order parameters by plain loops over the pairs, according to the contract
 * of mote/steinhardt.h, and computes bounds of the differences that rounding errors can cause. */
#ifndef MOTE_TESTKIT_REFERENCE_STEINHARDT_H
#define MOTE_TESTKIT_REFERENCE_STEINHARDT_H

#include <stdbool.h>
#include <stddef.h>

#include "mote/steinhardt.h"

typedef struct mote_steinhardt_task {
    const double *positions; /* 3 n */
    const double *weights;   /* n, or NULL */
    size_t n;
    const mote_steinhardt_args *args; /* the options; views are not used */
    double box[9];
    bool in_float; /* bounds for a device without double precision */
} mote_steinhardt_task;

/* A result, and the largest difference that rounding errors can cause. */
typedef struct mote_steinhardt_number {
    double value, error;
} mote_steinhardt_number;

typedef struct mote_steinhardt_truth {
    mote_steinhardt_number *order;       /* n */
    mote_steinhardt_number *components;  /* n x (2 l + 1) x 2 */
    mote_steinhardt_number *derivatives; /* 3 n for each value */
    mote_steinhardt_number *values;      /* 1, or one for each moment */
    mote_steinhardt_number *virial;      /* 9 for each value */
    bool doubtful; /* a rounding error can decide whether a pair or an order parameter counts */
} mote_steinhardt_truth;

/* Computes the results. Returns false if memory runs out. The caller frees them in any case. */
bool mote_oracle_steinhardt(const mote_steinhardt_task *task, mote_steinhardt_truth *truth);

void mote_steinhardt_truth_free(mote_steinhardt_truth *truth);

#endif
