/* SPDX-License-Identifier: Apache-2.0 */
/* Pixel clustering in plain C, for comparison with the kernels. */
#ifndef MOTE_BENCH_PEERS_PIXELS_H
#define MOTE_BENCH_PEERS_PIXELS_H

#include "bench/bench.h"

/* The algorithm of CMS: module boundaries, repeated pixels by two bits per pixel, a histogram by
 * column, a list of neighbours, label propagation, numbering in the order in which clusters are
 * found, charge cut. */
size_t mote_peer_pixels_seed(const mote_pixels_native *event, int32_t *cluster_id,
                             uint32_t *n_clusters);

/* Union-find over a dense grid of the module. */
size_t mote_peer_pixels_grid(const mote_pixels_native *event, int32_t *cluster_id,
                             uint32_t *n_clusters);

/* Union-find over a dense grid of the module, on all cores, which share the modules of an event. */
size_t mote_peer_pixels_grid_omp(const mote_pixels_native *event, int32_t *cluster_id,
                                 uint32_t *n_clusters);

/* Drops the clusters of one module (digis first .. last - 1) that fail the cut; `charge` and
 * `number` have room for its clusters. Returns the number of remaining clusters. */
uint32_t mote_peer_pixels_cut(const mote_pixels_native *event, size_t first, size_t last,
                              uint32_t clusters, int32_t *cluster_id, uint64_t *charge,
                              int32_t *number);

/* Returns the end of the run of one module that begins at `first`, across invalid digis. */
size_t mote_peer_pixels_end(const mote_pixels_native *event, size_t first);

#endif
