/* SPDX-License-Identifier: Apache-2.0 */
/* The first launch of a clustering call: clears what later launches add to, and with ORDER_ANY = 1
 * makes the key by which the digis will be sorted. Nothing is reported here, since the error word
 * is only being cleared.
 *
 * Form: GPU.
 * Defines: ID_T, ADC_T, ORDER_ANY (pixels/input.clh). */
#include "pixels/input.clh"

__kernel void init(mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_offset,
                   const __global uint *events, ulong events_offset,
                   const __global uint *n_device, ulong n_device_offset, __global uint *key_of,
                   ulong key_of_offset, __global uint *n_clusters, ulong n_clusters_offset,
                   __global uint *owner, ulong owner_offset, __global uint *large,
                   ulong large_offset, __global uint *error, ulong error_offset)
{
    uint first = get_global_id(0), step = get_global_size(0);
    uint slots = prm.n_events * prm.n_modules;
    n_clusters += n_clusters_offset;
    for (uint k = first; k < slots; k += step)
        n_clusters[k] = 0;
    if (first == 0)
        large[large_offset] = 0;
    if (prm.flags & MOTE_PIXELS_HAS_ERROR)
        for (uint k = first; k < MOTE_ERROR_SLOTS; k += step)
            error[error_offset + k] = MOTE_ERROR_SLOT_CLEAR;
#if ORDER_ANY
    digi_input in;
    in.module_id = module_id + module_id_offset;
    in.events = events + events_offset;
    in.n = input_length(prm, n_device + n_device_offset);
    key_of += key_of_offset;
    for (uint p = first; p < prm.n; p += step) {
        uint id = p < in.n ? in.module_id[p] : prm.invalid_module;
        key_of[p] = module_valid(id, prm)
                        ? event_of(in.events, p, 0, prm.n_events - 1) * prm.n_modules + id
                        : NONE;
    }
#else
    owner += owner_offset;
    for (uint k = first; k < slots; k += step)
        owner[k] = NONE;
#endif
}
