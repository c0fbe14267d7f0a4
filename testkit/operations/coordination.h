/* SPDX-License-Identifier: Apache-2.0 */
/* Coordination numbers as a described operation. The size of a call is its number of pairs. */
#ifndef MOTE_TESTKIT_OPERATIONS_COORDINATION_H
#define MOTE_TESTKIT_OPERATIONS_COORDINATION_H

#include "testkit/cases/coordination/cases.h"
#include "testkit/operation.h"

/* Atoms and options of a test, instead of random ones. */
typedef struct trial_coordination_given {
    const mote_system *system;
    const mote_coordination_options *options;
    const mote_coordination *plan; /* NULL: the call creates one */
    /* Receives the results of the call; NULL: they are compared. */
    mote_coordination_result *result;
} trial_coordination_given;

/* Notes of a call. */
typedef struct coordination_notes {
    mote_system_recipe recipe;
    mote_coordination_options options;
    mote_rng rng; /* for atoms and boxes */
    uint32_t share;
    bool may_refuse; /* float32 may not resolve fractions of a box in device memory */
    bool bad;        /* a position is not finite */
    /* From fill() to drop(). */
    mote_system *system;
    mote_truth *truth;
} coordination_notes;

/* Returns the notes of a call. */
coordination_notes *trial_coordination_of(trial_call *c);
const coordination_notes *trial_coordination_notes(const trial_call *c);

/* The fields, some of which are outputs. */
enum { POSITIONS, BOX, VALUE, VIRIAL, DERIVATIVES, COORDINATION, WEIGHTS };

/* Floats that represent a sum of a frame: two on a device without double precision. */
size_t trial_coordination_wide(const trial_call *c);

/* Returns whether float32 may not resolve a function in a box in memory of the device, because the
 * function changes within a very short distance or r_0 is very large. */
bool trial_coordination_is_steep(const mote_switch *f);

/* Draws a recipe and options. */
void trial_coordination_draw(trial_call *c);

/* Makes the atoms of a call in the form that kernels read. Stores in *large the factor by which
 * boxes were scaled. Returns false if memory runs out. */
bool trial_coordination_make(const trial_call *c, mote_system *s, double *large);

/* Compares the results of a call, or copies them. */
bool trial_coordination_judge(const trial_call *c, mote_status told, uint32_t index,
                              const void *const *arrays, char *message, size_t size);

#endif
