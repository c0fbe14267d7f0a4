/* SPDX-License-Identifier: Apache-2.0 */
/* Cases with results of PLUMED: NAME.json, NAME.xyz and NAME.fK.deriv. */
#ifndef MOTE_TESTS_COMMON_PLUMED_H
#define MOTE_TESTS_COMMON_PLUMED_H

#include "testkit/cases/coordination/system.h"

/* Of one frame. */
typedef struct mote_plumed_frame {
    long double value, virial[9];
    long double *derivatives; /* entries x 3 */
    double derivative_scale, virial_scale;
    bool value_ill_defined, derivatives_ill_defined;
} mote_plumed_frame;

typedef struct mote_plumed_case {
    mote_system system;
    mote_plumed_frame *frames;
    double d_max, stretch, shift; /* as used; d_max INFINITY for none */
} mote_plumed_case;

/* Reads FOLDER/NAME.json and its files; false with a sentence in `message`. */
bool mote_plumed_read(mote_plumed_case *c, const char *folder, const char *name, char *message,
                      size_t size);
void mote_plumed_free(mote_plumed_case *c);

#endif
