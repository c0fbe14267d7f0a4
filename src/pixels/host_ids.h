/* SPDX-License-Identifier: Apache-2.0 */
/* 64-bit module ids of any values, which the device knows by their index among the distinct ids. */
#ifndef MOTE_PIXELS_HOST_IDS_H
#define MOTE_PIXELS_HOST_IDS_H

#include "core/host.h"

typedef struct mote_pixels_places {
    uint32_t
        *place;   /* index of each digi's id; MOTE_PIXELS_INVALID_MODULE_U32 for the invalid id */
    uint64_t *id; /* distinct ids, ascending */
    size_t count;
} mote_pixels_places;

/* Finds the distinct ids; invalid = 0: every id is valid. n is below 2^31. Indices and ids are in
 * the plain memory of the two slots. */
mote_status mote_pixels_compress_ids(mote_host *host, size_t place_slot, size_t id_slot,
                                     const uint64_t *id, size_t n, uint64_t invalid,
                                     mote_pixels_places *places);

#endif
