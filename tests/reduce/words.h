/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of uint32 on a device with guarded margins. */
#ifndef MOTE_TESTS_REDUCE_WORDS_H
#define MOTE_TESTS_REDUCE_WORDS_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "common/bed.h"
#include "core/call.h"

#define WORDS_POISON 0xdeadbeefu

/* `count` elements after `offset` elements of poison, followed by poison. values: NULL for poison.
 * Freed by words_free(). */
mote_view words_create(bed *b, const uint32_t *values, size_t count, size_t offset);

/* Returns the elements of an array, to be freed; fails the test if the poison around them has
 * changed. */
uint32_t *words_read(bed *b, const mote_view *v);
void words_free(mote_view *v);

/* Deterministic numbers. */
uint32_t words_random(uint32_t *state);

#endif
