/* SPDX-License-Identifier: Apache-2.0 */
/* The first launch of a clustering call on contiguous digis: clears the memory that later launches
 * add to. Errors are not reported here, because this launch clears the error word.
 *
 * Form: GPU.
 * Defines: ID_T, ADC_T, ORDER_ANY (pixels/input/input.clh). */
#include "pixels/input/input.clh"

__kernel void init(mote_pixels_params prm, const __global uint *events, ulong events_at,
                   const __global uint *n_device, ulong n_device_at, __global uint *n_clusters,
                   ulong n_clusters_at, __global uint *owner, ulong owner_at, __global uint *large,
                   ulong large_at, __global uint *error, ulong error_at)
{
    uint first = get_global_id(0), step = get_global_size(0);
    uint slots = prm.n_events * prm.n_modules;
    n_clusters += n_clusters_at;
    for (uint k = first; k < slots; k += step)
        n_clusters[k] = 0;
    input_open(prm, events + events_at, input_length(prm, n_device + n_device_at),
               large + large_at);
    if (prm.flags & MOTE_PIXELS_HAS_ERROR)
        for (uint k = first; k < MOTE_ERROR_SLOTS; k += step)
            error[error_at + k] = MOTE_ERROR_SLOT_CLEAR;
    owner += owner_at;
    for (uint k = first; k < slots; k += step)
        owner[k] = NONE;
}
