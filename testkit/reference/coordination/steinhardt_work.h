/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs and entries of the oracle of order parameters. */
#ifndef MOTE_TESTKIT_REFERENCE_STEINHARDT_WORK_H
#define MOTE_TESTKIT_REFERENCE_STEINHARDT_WORK_H

#include "testkit/reference/coordination/harmonics.h"
#include "testkit/reference/coordination/steinhardt.h"

#define MOTE_STEINHARDT_OPERATIONS                                                                 \
    16.0 /* rounding errors of one number, in units in the last place */

/* A pair in one direction. */
typedef struct mote_steinhardt_pair {
    size_t i, j;
    double d[3], length;
    double s, slope;   /* slope: derivative of s with respect to the length */
    double u, u_slope; /* of local averages */
    double error;      /* relative error of lengths and of s */
    bool has_s, has_u;
} mote_steinhardt_pair;

/* Numbers of an entry. */
typedef struct mote_steinhardt_entry {
    double complex a[MOTE_HARMONICS], n[MOTE_HARMONICS], by_n[MOTE_HARMONICS];
    double sum, norm, value, weight; /* S, |A / S|, x, and dV / dx */
    double end, end_error;           /* the sum of u, and its relative error */
    double weight_error; /* absolute error of `weight`, without the error that `turn` causes */
    double error;        /* error of A / S */
    double turn;         /* error of the direction of A */
    double spread;       /* bound of the absolute terms of dV / dn, with their errors */
    bool counts, ends, turns;
} mote_steinhardt_entry;

typedef struct mote_steinhardt_work {
    const mote_steinhardt_task *task;
    mote_steinhardt_truth *truth;
    mote_steinhardt_pair *pairs;
    size_t n_pairs;
    mote_steinhardt_entry *entries;
    int numbers;  /* 2 l + 1 */
    size_t value; /* the number of the value that is computed */
    size_t centres;
    double unit, least_norm;
    bool apart; /* local averages have their own function */
} mote_steinhardt_work;

/* Returns whether a pair is part of the components of its first entry. */
static inline bool mote_steinhardt_takes(const mote_steinhardt_work *w,
                                         const mote_steinhardt_pair *p)
{
    return p->has_s && p->i < w->centres && p->j >= w->task->args->first_neighbour;
}

/* Returns the real part of the product of two vectors. */
static inline double mote_steinhardt_product(const mote_steinhardt_work *w, const double complex *a,
                                             const double complex *b)
{
    double sum = 0;

    for (int m = 0; m < w->numbers; m++)
        sum += creal(conj(a[m]) * b[m]);
    return sum;
}

/* Computes the value with the number w->value, its derivatives and its virial. */
void mote_steinhardt_add_value(mote_steinhardt_work *w);

#endif
