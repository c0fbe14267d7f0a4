/* SPDX-License-Identifier: Apache-2.0 */
/* Positions of clusters for callers with plain arrays. */
#ifndef MOTE_PIXELS_HOST_POSITIONS_H
#define MOTE_PIXELS_HOST_POSITIONS_H

#include "core/host_job.h"
#include "mote/pixels.h"
#include "pixels/positions.h"

/* Slots from `slot` on: the outputs, then the geometry. */
#define MOTE_PIXELS_GEOMETRIES     4
#define MOTE_PIXELS_POSITION_SLOTS (MOTE_PIXELS_POSITION_OUTPUTS + MOTE_PIXELS_GEOMETRIES)

/* Copies the geometry of the modules to the device. */
mote_status mote_pixels_upload_geometry(mote_host_job *job, size_t slot,
                                        mote_host_upload_way upload,
                                        const mote_pixels_host_args *args,
                                        mote_pixels_cluster_args *device);

/* Makes room for `count` clusters. */
mote_status mote_pixels_reserve_positions(mote_host_job *job, size_t slot, size_t count,
                                          mote_pixels_cluster_args *device);

/* Copies `count` positions to plain memory of the slots. */
mote_status mote_pixels_download_positions(mote_host_job *job, size_t slot, size_t count,
                                           mote_pixels_host_result *result);

#endif
