/* SPDX-License-Identifier: Apache-2.0 */
/* Merges one error word into another.
 *
 * Form: both.
 * Defines: none. */
#include "common/error.clh"

/* By one group. */
__kernel void error_merge(const __global uint *error, ulong error_at, volatile __global uint *kept,
                          ulong kept_at)
{
    if (kept)
        for (uint k = get_local_id(0); k < MOTE_ERROR_SLOTS; k += get_local_size(0))
            atomic_min(&kept[kept_at + k], error[error_at + k]);
}
