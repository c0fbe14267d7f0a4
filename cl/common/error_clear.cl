/* SPDX-License-Identifier: Apache-2.0 */
/* Clears an error word.
 *
 * Form: both.
 * Defines: none. */
#include "common/error.clh"

__kernel void error_clear(__global uint *error, ulong error_offset)
{
    error_clear_word(error + error_offset);
}
