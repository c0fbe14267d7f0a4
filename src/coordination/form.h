/* SPDX-License-Identifier: Apache-2.0 */
/* A plan's switching function in the form that the kernels of a call receive. */
#ifndef MOTE_COORDINATION_FORM_H
#define MOTE_COORDINATION_FORM_H

#include "coordination/box.h"
#include "coordination/expression.h"
#include "coordination/job.h"
#include "shared/coordination_params.h"

#define MOTE_COORDINATION_DEFINES (160 + MOTE_EXPRESSION_TEXT)

typedef struct mote_coordination_form {
    /* DOUBLE, PBC, SWITCH and what else describes the function */
    char defines[MOTE_COORDINATION_DEFINES];
    double derivative_scale; /* times the kernels' sums of g d: sums of (ds / dr) d / r */
    double virial_scale;     /* times those of g d (x) d */
    bool ends;               /* kernels compare distances with d_max alone */
} mote_coordination_form;

void mote_coordination_form_make(const mote_coordination_job *job, mote_coordination_form *form);

/* Fills in the numbers of the function and the lengths of the lists; the rest is zeroed. */
void mote_coordination_form_params(const mote_coordination_job *job,
                                   mote_coordination_params *params);

/* Returns the range of box lengths for which the plan's pairs can be computed in double precision,
 * or in float32. Coordinates are fractions of the box, whose unit must be small compared with the
 * distance over which the function changes. An empty range (least > most) means that float32 cannot
 * represent the function's own lengths. Without `fp64`, the boxes themselves are made in float32,
 * too. */
mote_box_range mote_coordination_form_boxes(const mote_coordination *plan, bool as_double,
                                            bool fp64);

/* Writes a number the way kernels read it: as a double, or as a float. */
void mote_coordination_put(uint32_t *words, double value, bool as_double);

#endif
