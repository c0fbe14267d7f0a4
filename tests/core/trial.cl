/* SPDX-License-Identifier: Apache-2.0 */
#include "trial.clh"

#ifdef TRIAL_FAILS
#error trial_is_meant_to_fail
#endif

#ifndef TRIAL_FACTOR
#define TRIAL_FACTOR 1
#endif

__kernel void trial_fill(__global uint *out, uint value)
{
    out[get_global_id(0)] = trial_scaled(value);
}

__kernel void trial_other(__global uint *out, uint value)
{
    out[get_global_id(0)] = value + 1;
}
