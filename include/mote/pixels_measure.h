/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file pixels_measure.h
 * @brief The digis of each cluster.
 *
 * mote_pixels_cluster() labels digis. mote_pixels_cluster_digis() turns the labels into lists, one
 * for each cluster:
 *
 *     mote_pixels_cluster_digis_args args;
 *     mote_pixels_cluster_digis_args_init(&args);
 *     args.module_id = clusters.module_id, args.x = clusters.x, args.y = clusters.y;
 *     args.cluster_id = clusters.cluster_id, args.cluster_start = clusters.cluster_start;
 *     args.n_modules = clusters.n_modules;
 *     args.cluster_offsets = (mote_view){offsets, 0, capacity + 1, MOTE_UINT32};
 *     args.digis = (mote_view){digis, 0, n, MOTE_UINT32};
 *     mote_status st = mote_pixels_cluster_digis(ctx, queue, &args, 0, NULL, &event);
 *
 * The digis of cluster k are then digis[cluster_offsets[k]] to digis[cluster_offsets[k + 1] - 1].
 * All calls of jagged.h accept these lists.
 */
#ifndef MOTE_PIXELS_MEASURE_H
#define MOTE_PIXELS_MEASURE_H

#include "pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Arguments of mote_pixels_cluster_digis(). n is the count of the view module_id, E the number of
 * events, M = n_modules. */
typedef struct mote_pixels_cluster_digis_args {
    size_t size; /**< set by mote_pixels_cluster_digis_args_init() */

    /* The digis and labels of a call of mote_pixels_cluster(). */
    mote_view module_id;     /**< in, n, uint16 or uint32: below n_modules, or the invalid id */
    mote_view x;             /**< in, n, uint16: row */
    mote_view y;             /**< in, n, uint16: column */
    mote_view event_offsets; /**< in, E + 1, uint32; optional */
    mote_view n_device;      /**< in, 1, uint32: the real n; optional */
    mote_view cluster_id;    /**< in, n, int32; digis with negative labels belong to no cluster */
    mote_view cluster_start; /**< in, E x M + 1, uint32 */
    uint32_t n_modules;      /**< modules in the detector, at least 1 when n > 0 */
    uint32_t invalid_module_id; /**< 0 = the default, as in mote_pixels_cluster_args */

    mote_view cluster_offsets; /**< out, capacity + 1, uint32: where the digis of each cluster begin
                                    in `digis`, in the order of cluster_start. Behind the last
                                    cluster, all offsets are the number of digis in clusters */
    mote_view digis; /**< out, n, uint32: input indices of the digis of each cluster, in the order
                          of (y, x, index). Behind the digis in clusters, it is not changed */

    mote_view workspace; /**< scratch of the caller, uint32, of
                              mote_pixels_cluster_digis_workspace_size() bytes; NULL = the context's
                              pool */
    cl_mem error;        /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset; /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep; /**< not 0: the word is not cleared first */
} mote_pixels_cluster_digis_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_API void mote_pixels_cluster_digis_args_init(mote_pixels_cluster_digis_args *args);

/**
 * Groups digis by cluster.
 *
 * queue, num_wait, wait and event are as for mote_pixels_cluster(). The call copies args, which
 * need not outlive it. Labels may also come from mote_pixels_charge_cut(), with the prefix sums of
 * its n_clusters, or from another program. All copies of a repeated pixel that have the label of a
 * cluster are in its list. Scratch: about 40 bytes for each digi.
 *
 * Empty input: With n = 0, the views of the digis may be NULL, and all offsets are set to 0. Errors
 * in the data (args.error): MOTE_ERROR_EVENT_OFFSETS, MOTE_ERROR_MODULE and MOTE_ERROR_CLUSTER_ID,
 * as for mote_pixels_charge_cut(), and MOTE_ERROR_CAPACITY, whose index is the number of clusters.
 * After an error, the outputs are unspecified, but nothing outside the views was read or written.
 * After a capacity error, the lists of the clusters that fit are valid, and all other digis belong
 * to no cluster. Returns: the codes of mote_pixels_cluster(). Threads: any number at once. Blocks:
 * no (the first call of a kind builds kernels). Deterministic: yes, the same on every device.
 * Since: 0.1.
 */
MOTE_API mote_status mote_pixels_cluster_digis(mote_context *ctx, cl_command_queue queue,
                                               const mote_pixels_cluster_digis_args *args,
                                               cl_uint num_wait, const cl_event *wait,
                                               cl_event *event);

/** Determines the scratch of mote_pixels_cluster_digis(), as mote_pixels_cluster_workspace_size()
 * does. Since: 0.1. */
MOTE_API mote_status mote_pixels_cluster_digis_workspace_size(
    mote_context *ctx, const mote_pixels_cluster_digis_args *args, size_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
