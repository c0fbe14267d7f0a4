/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of a switching function, in the common part of C and OpenCL C: the host includes this
 * file as well.
 *
 * The including file defines SWITCH_REAL, the type of a number, first. */
#ifndef MOTE_SHARED_SWITCH_NUMBERS_H
#define MOTE_SHARED_SWITCH_NUMBERS_H

#define SWITCH_NUMBERS 9

/* Indices of two numbers of all stretched forms. */
#define STRETCHED_END   0
#define STRETCHED_SCALE 1 /* makes s(0) = 1 */

typedef struct switch_numbers {
    unsigned nn, mm;     /* exponents of RATIONAL */
    SWITCH_REAL largest; /* switch_rational is constant above this x */
    /* The meaning of these numbers depends on the form that computes the function; the file of the
     * form names their indices. */
    SWITCH_REAL number[SWITCH_NUMBERS];
} switch_numbers;

#endif
