/* SPDX-License-Identifier: Apache-2.0 */
/* Small cases of every kind, and the comparison of a call with the oracle. */
#ifndef MOTE_TESTKIT_CASES_COORDINATION_CASES_H
#define MOTE_TESTKIT_CASES_COORDINATION_CASES_H

#include "testkit/cases/coordination/run.h"

/* Functions of every kind and class, for boxes of a volume of about 1. */
extern const mote_switch mote_coordination_functions[];
extern const size_t mote_coordination_function_count;

/* Functions that kernels compute by rarer forms, for the same boxes. */
extern const mote_switch mote_coordination_rare_functions[];
extern const size_t mote_coordination_rare_function_count;

/* Returns the number of kinds of functions. */
unsigned mote_coordination_kinds(void);

/* Returns the accuracy of distances in a call with these options: the rounding errors of positions,
 * for mote_truth_make(). */
double mote_coordination_blur(const mote_system *s, const mote_coordination_options *options);

/* Returns the allowed error of one term, relative to its size, for mote_coordination_compare(). */
double mote_coordination_relative(mote_precision precision);

/* Without double precision: uses arrays of float32 instead. Returns false if the precision needs
 * double precision. */
bool mote_coordination_options_fit(mote_context *ctx, mote_coordination_options *options);

/* Compares the outputs of a call with the oracle. Returns false with a sentence about the first
 * difference. */
bool mote_coordination_judge(const mote_system *s, const mote_truth *truth,
                             const mote_coordination_options *options,
                             const mote_coordination_result *result, char *message, size_t size);

/* Creates a plan, runs the system with one set of options and compares with the oracle; numbers
 * that the call receives as float32 are rounded for both. Returns false with a sentence about the
 * first difference. */
bool mote_coordination_check_system(mote_context *ctx, cl_command_queue queue, const mote_system *s,
                                    const mote_coordination_options *options, char *message,
                                    size_t size);

/* Checks a system on plain arrays of float64, or of float32 for positions and derivatives. host:
 * NULL for a temporary one. The call is made twice, the second time with same_positions, which must
 * not change a bit.
 */
bool mote_coordination_check_plain(mote_context *ctx, mote_host *host, const mote_system *s,
                                   const mote_coordination_options *options, char *message,
                                   size_t size);

typedef struct mote_coordination_case {
    const char *name;
    mote_system_recipe recipe;
    mote_coordination_options options;
} mote_coordination_case;

/* The table of cases, with at most a few dozen atoms each. */
size_t mote_coordination_case_count(void);
mote_coordination_case mote_coordination_case_at(size_t i);

/* Returns whether a device can run the case. */
bool mote_coordination_case_fits(mote_context *ctx, const mote_coordination_case *c);

/* Runs the case: on a device without double precision with float32 arrays. */
bool mote_coordination_case_check(mote_context *ctx, cl_command_queue queue,
                                  const mote_coordination_case *c, char *message, size_t size);

#endif
