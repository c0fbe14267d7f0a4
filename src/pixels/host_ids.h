/* SPDX-License-Identifier: Apache-2.0 */
/* 64-bit module ids: any values, which the device knows by their place among the distinct ones. */
#ifndef MOTE_PIXELS_HOST_IDS_H
#define MOTE_PIXELS_HOST_IDS_H

#include "core/host.h"

/* The slots used: places (n uint32) and distinct ids (uint64), both plain memory. */
#define MOTE_PIXELS_SLOT_PLACES   0
#define MOTE_PIXELS_SLOT_DISTINCT 1

typedef struct mote_pixels_places {
    uint32_t *place; /* of each digi; MOTE_PIXELS_INVALID_MODULE_U32 for the invalid id */
    uint64_t *id;    /* distinct ids, ascending */
    size_t count;
} mote_pixels_places;

/* Finds the distinct ids; invalid = 0: every id is valid. n is below 2^31. */
mote_status mote_pixels_find_places(mote_host *host, const uint64_t *id, size_t n, uint64_t invalid,
                                    mote_pixels_places *places);

#endif
