/* SPDX-License-Identifier: Apache-2.0 */
/* Every key of MOTE_TUNE: each area defines its own. */
#include "core/tune_keys.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
const mote_tune_key mote_tune_keys[] = {
#include "core/tune_keys.inc"
#include "reduce/tune_keys.inc"
#include "jagged/tune_keys.inc"
#include "pixels/tune_keys.inc"
#include "coordination/tune_keys.inc"
    {NULL, NULL, NULL, NULL},
};
/* clang-format on */

bool mote_tune_is_key(const char *key)
{
    for (const mote_tune_key *k = mote_tune_keys; k->key; k++)
        if (strcmp(k->key, key) == 0)
            return true;
    return false;
}
