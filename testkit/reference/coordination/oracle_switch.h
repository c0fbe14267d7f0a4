/* SPDX-License-Identifier: Apache-2.0 */
/* Switching functions in long double, computed from their definitions: no code is shared with the
 * library. */
#ifndef MOTE_TESTKIT_REFERENCE_COORDINATION_ORACLE_SWITCH_H
#define MOTE_TESTKIT_REFERENCE_COORDINATION_ORACLE_SWITCH_H

#include "mote/coordination.h"

/* A function with all defaults filled in. */
typedef struct mote_oracle_switch {
    mote_switch given;
    long double r_0, d_0, d_max;
    long double stretch, shift;
} mote_oracle_switch;

/* function: valid; need not be completed. */
void mote_oracle_switch_make(const mote_switch *function, mote_oracle_switch *s);

/* s(r), and its derivative with respect to r. */
long double mote_oracle_switch_value(const mote_oracle_switch *s, long double r,
                                     long double *derivative);

#endif
