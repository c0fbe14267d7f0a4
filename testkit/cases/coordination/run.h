/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the device API on a system, checks that inputs do not change, and compares the results with
 * the expected ones. */
#ifndef MOTE_TESTKIT_CASES_COORDINATION_RUN_H
#define MOTE_TESTKIT_CASES_COORDINATION_RUN_H

#include "testkit/reference/coordination/oracle.h"
#include "testkit/guard.h"

/* How to run. All members zero: mixed precision, everything in float64, three numbers per atom, all
 * outputs.
 */
typedef struct mote_coordination_options {
    mote_precision precision;
    mote_coordination_method method;
    mote_derivatives_of of;
    bool positions32, derivatives32, coordination32;
    bool positions_by_4, derivatives_by_4;
    mote_type box_device; /* MOTE_TYPE_NONE = from the host */
    bool accumulate;      /* added to mote_coordination_base() */
    double factor;        /* 0 = 1 */
    unsigned without;     /* omitted outputs, see below */
    mote_type weights;    /* MOTE_TYPE_NONE = none; with weights, coordination is omitted */
    bool gated;           /* waits for a user event that is completed after the call has returned */
    bool workspace;       /* the caller's own */
    bool silent;          /* no error word */
    double skin;
    uint32_t shares; /* above 1: calls whose outputs are added up; not with accumulate */
} mote_coordination_options;

#define MOTE_WITHOUT_VALUE        1u
#define MOTE_WITHOUT_VIRIAL       2u
#define MOTE_WITHOUT_DERIVATIVES  4u
#define MOTE_WITHOUT_COORDINATION 8u

/* The results; NULL for omitted outputs. Derivatives have rows x 3 numbers per frame. */
typedef struct mote_coordination_result {
    size_t frames, rows, entries;
    double *value, *virial, *derivatives, *coordination;
    mote_status status; /* status of the error word */
    uint32_t index;
} mote_coordination_result;

/* Returns the value of derivative number i before the call. */
double mote_coordination_base(size_t i);

/* The plan of a system. */
mote_status mote_coordination_plan_of(mote_context *ctx, const mote_system *s,
                                      mote_precision precision, mote_coordination_method method,
                                      mote_coordination **plan);

/* The plan of one share of a system. */
mote_status mote_coordination_share_of(mote_context *ctx, const mote_system *s,
                                       const mote_coordination_options *options, uint32_t share,
                                       mote_coordination **plan);

/* Runs one call and reads everything back; false with a sentence if it failed, or if an input or
 * memory around an output was written. The caller frees the result in both cases. */
bool mote_coordination_run(mote_context *ctx, cl_command_queue queue, const mote_system *s,
                           const mote_coordination *plan, const mote_coordination_options *options,
                           mote_coordination_result *result, char *message, size_t size);

/* Adds one result to another of the same shape. */
void mote_coordination_result_add(mote_coordination_result *to,
                                  const mote_coordination_result *result);
void mote_coordination_result_free(mote_coordination_result *result);

/* Returns whether every number differs from the truth by at most `relative` times its size, plus
 * its blur; false with a sentence about the first other one. `worst`, unless NULL, is raised to the
 * largest part of the allowed error. */
bool mote_coordination_compare(const mote_system *s, const mote_truth *truth,
                               const mote_coordination_options *options,
                               const mote_coordination_result *result, double relative,
                               double *worst, char *message, size_t size);

#endif
