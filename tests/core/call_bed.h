/* SPDX-License-Identifier: Apache-2.0 */
/* Code that the tests of calls share: contexts, queues, and a call with two launches and
 * scratch. */
#ifndef TESTS_CORE_CALL_BED_H
#define TESTS_CORE_CALL_BED_H

#include "common/bed.h"
#include "core/call.h"

#define BED_GROUP 64

extern const mote_source mote_cl_core_call_trial;

/* A bed with a second context; no program is stored on disk. The test fails if the device has no
 * out-of-order queue. */
void call_bed_open(bed *b, const char *tune);
void call_bed_close(bed *b);

/* Returns a buffer of ctx with the numbers 0 .. n - 1; n is at least 1. */
cl_mem bed_numbers(const bed *b, size_t n);

/* Fails the test unless every element i equals i * factor + add. */
void bed_expect(const bed *b, cl_mem mem, size_t n, uint32_t factor, uint32_t add);

/* Computes v * factor + add for every element, with `scratch` bytes of scratch (at least 4 n); with
 * queue NULL it prepares. */
mote_status bed_call(mote_context *ctx, cl_command_queue queue, cl_mem mem, size_t n,
                     uint32_t factor, uint32_t add, size_t scratch, cl_uint num_wait,
                     const cl_event *wait, cl_event *event);

/* Fails the test unless `status` is `expected` and the last sentence contains `words`. */
void bed_refused(mote_status status, mote_status expected, const char *words);

cl_int bed_event_state(cl_event event);

mote_memory bed_memory(mote_context *ctx);

#endif
