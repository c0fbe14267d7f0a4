/* SPDX-License-Identifier: Apache-2.0 */
/* Every key of MOTE_TUNE: the areas' tune_keys.inc, joined in src/tune_keys.c. docs/tuning.md shows
 * this table; a test compares both with what the code asks for. */
#ifndef MOTE_CORE_TUNE_KEYS_H
#define MOTE_CORE_TUNE_KEYS_H

#include <stdbool.h>

typedef struct mote_tune_key {
    const char *key;
    const char *unit;
    const char *usual;  /* the value without MOTE_TUNE; "units" are the device's compute units */
    const char *trades; /* what a larger value gains and costs */
} mote_tune_key;

extern const mote_tune_key mote_tune_keys[]; /* ends with a key of NULL */

bool mote_tune_is_key(const char *key);

#endif
