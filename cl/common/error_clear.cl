/* SPDX-License-Identifier: Apache-2.0 */
/* Clears an error word, or merges one error word into another.
 *
 * Form: both.
 * Defines: none. */
#include "common/error.clh"

__kernel void error_clear(__global uint *error, ulong error_at)
{
    error_clear_word(error + error_at);
}

/* By one group. */
__kernel void error_merge(const __global uint *error, ulong error_at, volatile __global uint *kept,
                          ulong kept_at)
{
    if (kept)
        for (uint k = get_local_id(0); k < MOTE_ERROR_SLOTS; k += get_local_size(0))
            atomic_min(&kept[kept_at + k], error[error_at + k]);
}
