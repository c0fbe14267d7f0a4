/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the expected lists of the digis of each cluster. */
#ifndef MOTE_TESTKIT_REFERENCE_PIXELS_DIGIS_ORACLE_H
#define MOTE_TESTKIT_REFERENCE_PIXELS_DIGIS_ORACLE_H

#include "testkit/cases/pixels/digis.h"

/* Lists the digis of the first `capacity` clusters, in the order of (y, x, index). offsets:
 * capacity + 1 elements. list: receives offsets[capacity] elements. Returns false if memory runs
 * out. */
bool mote_oracle_cluster_digis(const mote_digis *digis, const int32_t *cluster_id,
                               const uint32_t *cluster_start, size_t capacity, uint32_t *offsets,
                               uint32_t *list);

#endif
