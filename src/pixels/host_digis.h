/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of the digis of each cluster for plain arrays. */
#ifndef MOTE_PIXELS_HOST_DIGIS_H
#define MOTE_PIXELS_HOST_DIGIS_H

#include "core/host_job.h"
#include "mote/pixels.h"

/* Lists the digis of up to `capacity` clusters after the call with the arguments `clusters`, in two
 * slots from `slot` on. Waits for the lists, which mote_pixels_download_digis() reads. */
mote_status mote_pixels_list_digis(mote_host_job *job, size_t slot,
                                   const mote_pixels_cluster_args *clusters, size_t capacity);

/* Reads the lists of `clusters` clusters. */
mote_status mote_pixels_download_digis(mote_host_job *job, size_t slot, size_t clusters,
                                       mote_pixels_host_result *result);

#endif
