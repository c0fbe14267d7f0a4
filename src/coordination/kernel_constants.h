/* SPDX-License-Identifier: Apache-2.0 */
/* The constants of the switching function and the lists that the kernels of a plan receive. */
#ifndef MOTE_COORDINATION_KERNEL_CONSTANTS_H
#define MOTE_COORDINATION_KERNEL_CONSTANTS_H

#include "coordination/box.h"
#include "coordination/expression.h"
#include "mote/coordination.h"
#include "shared/coordination_params.h"

#define MOTE_COORDINATION_DEFINES (160 + MOTE_EXPRESSION_TEXT)

/* The computation of a plan's function in one precision. */
typedef struct mote_kernel_constants {
    char *defines; /* the defines of kernels that describe the function, such as DOUBLE and FORM */
    double derivative_scale; /* factor from the kernels' sums of g d to sums of (ds / dr) d / r */
    double virial_scale;     /* times those of g d (x) d */
    bool ends;               /* kernels only compare distances with d_max */
    /* Constants of the function, lengths of lists; other members are 0. */
    mote_coordination_params params;
    /* The range of box lengths for which the pairs can be computed. Coordinates are fractions of
     * the box, whose unit must be small compared with the distance over which the function changes.
     * An empty range (least > most) means that float32 cannot represent the function's own lengths.
     * Without fp64, the boxes themselves are computed in float32, too. */
    mote_box_range boxes;
} mote_kernel_constants;

/* Computes the constants of a plan whose function and lists are known. The caller frees the
 * defines.
 */
mote_status mote_kernel_constants_make(const mote_coordination *plan, bool as_double,
                                       mote_kernel_constants *constants);

/* Writes a number in the type that kernels read: double or float. */
void mote_coordination_put(uint32_t *words, double value, bool as_double);

#endif
