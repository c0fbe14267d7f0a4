/* SPDX-License-Identifier: Apache-2.0 */
/* What a test needs before it can call the library: a context with its own tuning, and queues. */
#ifndef MOTE_TESTS_COMMON_BED_H
#define MOTE_TESTS_COMMON_BED_H

#include <check.h>

#include "mote/mote.h"

typedef struct bed {
    mote_context *ctx;
    cl_command_queue in_order, any_order; /* any_order is in_order where the device has no other */
    mote_context *other;                  /* NULL until bed_open_other() */
} bed;

/* Makes a context of the library in an OpenCL context that the process keeps for this purpose. All
 * calls of a process name the same device, as for mote_context_open(). */
mote_status bed_context(const char *device, mote_context **ctx);

/* Opens the device of MOTE_DEVICE with a text for MOTE_TUNE (NULL = none), which the environment
 * does not keep. The test fails when there is no device. The bed has an OpenCL context of its own
 * if another bed is open; else it is in the context of bed_context(). */
void bed_open(bed *b, const char *tune);

/* Opens a second OpenCL context of the same device: what belongs to it is foreign to b->ctx. */
void bed_open_other(bed *b);

void bed_close(bed *b);

/* Fails the test with the library's sentence when status is not 0. */
void bed_ok(mote_status status);

#endif
