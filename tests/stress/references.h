/* SPDX-License-Identifier: Apache-2.0 */
/* A mixture with the bits that each call gives, and code that its tests share. */
#ifndef MOTE_TESTS_TRUST_REFERENCES_H
#define MOTE_TESTS_TRUST_REFERENCES_H

#include <stddef.h>

#include "testkit/rng.h"
#include "mixture.h"

#define MESSAGE_SIZE 1024

typedef struct references {
    mixture *mix;
    unsigned char **results; /* of each call */
    size_t largest;          /* bytes of a result */
} references;

/* Makes a mixture for a context's device and each of its calls once, in a separate context; the
 * results must be as expected. The test fails with the first difference. */
void references_make(references *refs, int level);
void references_free(references *refs);

/* Makes call k again and compares its result with the first one; `room` has space for `largest`
 * bytes. Returns false, with a sentence, if they differ. */
bool references_again(const references *refs, size_t k, mix_user *user, void *room, char *message,
                      size_t size);

/* Returns a number from the environment, else `usual`. */
size_t count_from(const char *variable, size_t usual);

/* Opens the device of MOTE_DEVICE; the test fails if there is none. */
mote_context *open_context(void);

#endif
