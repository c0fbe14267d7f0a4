/* SPDX-License-Identifier: Apache-2.0 */
/* Clears an error word; one work-item a slot. */
#include "mote/layout/error.h"

__kernel void error_clear(__global uint *error, ulong error_offset)
{
    error[error_offset + get_global_id(0)] = MOTE_ERROR_SLOT_CLEAR;
}
