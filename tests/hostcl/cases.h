/* SPDX-License-Identifier: Apache-2.0 */
/* Cases for the kernels on the host: code that other programs' cases do not reach. */
#ifndef MOTE_TESTS_HOSTCL_MORE_H
#define MOTE_TESTS_HOSTCL_MORE_H

#include <stdbool.h>
#include <stddef.h>

#include "testkit/operations/jagged.h"

#define MORE_MESSAGE 1024

extern mote_context *more_ctx;
extern cl_command_queue more_queue;
extern char more_message[MORE_MESSAGE];

/* Counts a case, and prints more_message if it failed. */
void more_count(bool good, const char *name);

#define MORE_DECISIONS 6

/* A call of mote_jagged_reduce() with these lists, whose decisions about kernels are `values`. */
void more_reduce(const uint8_t *values, const trial_lists_given *given, uint64_t seed);

/* One function for each area. */
void cases_coordination(void);
void cases_lists(void);
void cases_pixels(void);

#endif
