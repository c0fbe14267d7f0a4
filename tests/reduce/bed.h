/* SPDX-License-Identifier: Apache-2.0 */
/* A device with tuning, its queues, and arrays of uint32 on it whose surroundings are watched. */
#ifndef MOTE_TESTS_REDUCE_BED_H
#define MOTE_TESTS_REDUCE_BED_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/call.h"

#define BED_POISON 0xdeadbeefu

typedef struct bed {
    mote_context *ctx;
    cl_command_queue in_order, any_order;
} bed;

/* tune: the text of MOTE_TUNE. */
void bed_open(bed *b, const char *tune);
void bed_close(bed *b);

/* `count` elements behind `offset` elements of poison, poison behind them too. values: NULL for
 * poison. Freed by bed_free(). */
mote_view bed_array(bed *b, const uint32_t *values, size_t count, size_t offset);

/* The elements of an array, to be freed; fails the test when the poison around them has changed. */
uint32_t *bed_read(bed *b, const mote_view *v);
void bed_free(mote_view *v);

/* Fails the test with the library's sentence when status is not 0. */
void bed_ok(mote_status status);

/* Deterministic numbers. */
uint32_t bed_random(uint32_t *state);

#endif
