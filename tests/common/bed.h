/* SPDX-License-Identifier: Apache-2.0 */
/* The prerequisites of a test: a context with its own tuning, and queues. */
#ifndef MOTE_TESTS_COMMON_BED_H
#define MOTE_TESTS_COMMON_BED_H

#include <check.h>

#include "mote/mote.h"

typedef struct bed {
    mote_context *ctx;
    cl_command_queue in_order,
        any_order;       /* any_order equals in_order if the device has no other queues */
    mote_context *other; /* NULL until bed_open_other() */
} bed;

/* Makes a context of the library in an OpenCL context that the process keeps for this purpose. All
 * calls of a process must name the same device, as for mote_context_open(). */
mote_status bed_context(const char *device, mote_context **ctx);

/* Opens the device of MOTE_DEVICE with a text for MOTE_TUNE (NULL = none), which is not kept in the
 * environment. The test fails if there is no device. The bed has its own OpenCL context if another
 * bed is open; otherwise it uses the context of bed_context(). */
void bed_open(bed *b, const char *tune);

/* Opens a second OpenCL context of the same device, whose objects do not belong to b->ctx. */
void bed_open_other(bed *b);

void bed_close(bed *b);

/* Fails the test with the library's sentence if status is not 0. */
void bed_ok(mote_status status);

#endif
