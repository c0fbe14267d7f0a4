/* SPDX-License-Identifier: Apache-2.0 */
/* Errors in host arrays, reported with the wrong values. */
#ifndef MOTE_PIXELS_HOST_ERROR_H
#define MOTE_PIXELS_HOST_ERROR_H

#include "mote/pixels.h"

#define MOTE_PIXELS_HOST_NAME "mote_pixels_cluster_host"

/* Checks arguments and event offsets; n_events 0 has been replaced by 1. */
mote_status mote_pixels_host_check(const mote_pixels_host_args *a);

/* Returns the failure that a call's error word reports, MOTE_SUCCESS if it is clear. If only the
 * room for the properties was too small, this is not a failure: `needed` then receives the number
 * of clusters, else 0. */
mote_status mote_pixels_host_decode(const mote_pixels_host_args *a, const mote_error_word *word,
                                    uint32_t *needed);

#endif
