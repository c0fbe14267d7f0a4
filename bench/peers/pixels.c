/* SPDX-License-Identifier: Apache-2.0 */
/* Code that both peers share. */
#include "bench/peers/pixels.h"

size_t mote_peer_pixels_end(const mote_pixels_native *event, size_t first)
{
    uint16_t module = event->module_id[first], invalid = event->invalid_module_id;
    size_t end = first + 1;

    while (end < event->n && (event->module_id[end] == module || event->module_id[end] == invalid))
        end++;
    return end;
}

uint32_t mote_peer_pixels_cut(const mote_pixels_native *event, size_t first, size_t last,
                              uint32_t clusters, int32_t *cluster_id, uint64_t *charge,
                              int32_t *number)
{
    uint32_t cut = event->module_id[first] < event->inner_modules ? event->charge_cut_inner
                                                                  : event->charge_cut;
    uint32_t kept = 0;

    for (uint32_t k = 0; k < clusters; k++)
        charge[k] = 0;
    for (size_t i = first; i < last; i++)
        if (cluster_id[i] >= 0)
            charge[cluster_id[i]] += event->adc[i];
    for (uint32_t k = 0; k < clusters; k++)
        number[k] = charge[k] >= cut ? (int32_t)kept++ : -1;
    if (kept == clusters)
        return kept;
    for (size_t i = first; i < last; i++)
        if (cluster_id[i] >= 0)
            cluster_id[i] = number[cluster_id[i]];
    return kept;
}
