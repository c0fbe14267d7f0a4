/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/sweep.h"

#include <stdio.h>

void mote_pixels_sweep_defines(const mote_sweep *sweep, mote_type id, mote_type adc,
                               const char *more, char *text, size_t size)
{
    snprintf(text, size, "-DWG=%zu -DORDER_ANY=0 -DID_T=%s -DADC_T=%s%s%s", sweep->local,
             id == MOTE_UINT32 ? "uint" : "ushort", adc == MOTE_UINT32 ? "uint" : "ushort",
             sweep->cpu ? " -DCPU_FORM" : "", more);
}
