/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file pixels_time.h
 * @brief Clustering of single hits in space and time, as of Timepix detectors.
 *
 * A hit is (module_id, x, y, t, charge): x is the row, y the column inside a module of rows x
 * columns pixels, t its time in ticks. Hits are given as a structure of arrays, in any order:
 *
 *     mote_pixels_cluster_time_args args;
 *     mote_pixels_cluster_time_args_init(&args);
 *     args.module_id = (mote_view){module_id, 0, n, MOTE_UINT16};
 *     args.x = (mote_view){x, 0, n, MOTE_UINT16};
 *     args.y = (mote_view){y, 0, n, MOTE_UINT16};
 *     args.t = (mote_view){t, 0, n, MOTE_INT64};
 *     args.n_modules = 4, args.rows = args.columns = 256;
 *     args.window = 64;
 *     args.cluster_id = (mote_view){cluster_id, 0, n, MOTE_INT32};
 *     args.n_clusters = (mote_view){n_clusters, 0, 1, MOTE_UINT32};
 *     mote_status st = mote_pixels_cluster_time(ctx, queue, &args, 0, NULL, &event);
 *
 * Two hits of one module touch if their rows and their columns differ by at most `radius` and their
 * times by at most `window`. Clusters are the connected components of hits that touch. They are
 * numbered from 0 over all modules, in the order of their first hits by (t, module, column, row).
 *
 * Guarantees. Labels and results of clusters are the same bits on every device, in every run and
 * for every order of the hits (only `first_digi` of the properties depends on the order). Any times
 * work, equal times and negative times too, and so do any number of hits of a pixel and any size of
 * a cluster. Inputs are never written.
 *
 * Streams. A long stream is cut into calls by `complete`, a time from which on hits may still be
 * missing. A cluster that a missing hit may touch is open: its hits get the label -1. Pass them
 * to the next call together with the new hits. In this way each cluster is given by exactly one
 * call, and the clusters do not depend on how the stream is cut, except for their numbers, which
 * begin at 0 in each call.
 *
 * Limits: fewer than 2^31 hits a call, and at most 2^32 - 2 pixels in all modules together.
 *
 * Cost. Hits are sorted by time and by pixel, in work that grows linearly with their number; then
 * each hit is compared with the neighbours in time of its neighbouring pixels. Scratch: see
 * mote_pixels_cluster_time_workspace_size().
 *
 * Source of the problem: the clustering of the data stream of Timepix detectors (for GPUs in arXiv
 * 2412.11809). Lock-free union-find: see pixels.h.
 */
#ifndef MOTE_PIXELS_TIME_H
#define MOTE_PIXELS_TIME_H

#include "pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The radius with which only hits of the same pixel touch. */
#define MOTE_PIXELS_SAME_PIXEL 0xffffffffu

/** Arguments of mote_pixels_cluster_time(). n is the count of the view module_id. */
typedef struct mote_pixels_cluster_time_args {
    size_t size; /**< set by mote_pixels_cluster_time_args_init() */

    mote_view module_id; /**< in, n, uint16 or uint32: below n_modules */
    mote_view x;         /**< in, n, uint16: row, below rows */
    mote_view y;         /**< in, n, uint16: column, below columns */
    mote_view t;         /**< in, n, int64: time in ticks */
    mote_view charge;    /**< in, n, uint16 or uint32; optional, then 0. Only for properties */

    uint32_t n_modules; /**< modules in the detector, at least 1 when n > 0 */
    uint32_t rows;      /**< 1 .. 65 536 */
    uint32_t columns;   /**< 1 .. 65 536 */
    uint32_t radius;    /**< largest distance in rows and in columns of hits that touch, at most 15;
                             0 = 1, MOTE_PIXELS_SAME_PIXEL = none */
    int64_t window;     /**< largest difference in time of hits that touch, 0 .. 2^63 - 1 */
    int64_t complete;   /**< if `streaming`: every hit of an earlier time has been given */
    uint32_t streaming; /**< not 0: the stream goes on, so that clusters may be open */

    mote_view cluster_id; /**< out, n, int32: number of the hit's cluster, -1 if it is open */
    mote_view n_clusters; /**< out, 1, uint32: number of clusters, without open ones */

    /* Results of clusters: out, an element for each cluster, any capacity that is the same for all
     * of them; each optional, and absent with a capacity of 0. */
    mote_view properties;     /**< MOTE_PIXELS_CLUSTER_TYPE: sums over the hits; size counts hits,
                                   first_digi is the lowest input index */
    mote_view cluster_module; /**< uint32: module */
    mote_view cluster_first;  /**< int64: lowest time */
    mote_view cluster_last;   /**< int64: highest time */

    mote_view workspace; /**< scratch of the caller, uint32, of
                              mote_pixels_cluster_time_workspace_size() bytes; NULL = the context's
                              pool */
    cl_mem error;        /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset; /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep; /**< not 0: the word is not cleared first */
} mote_pixels_cluster_time_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_API void mote_pixels_cluster_time_args_init(mote_pixels_cluster_time_args *args);

/**
 * Groups hits of a stream into clusters in space and time.
 *
 * queue, num_wait, wait, event: as for mote_pixels_cluster(). args: see above; copied, need not
 * outlive the call. With args.streaming, a cluster is open if its last hit is not earlier than
 * args.complete by more than args.window.
 *
 * Empty input: with n = 0 the views of the hits may be NULL; n_clusters is set to 0. Errors in the
 * data (args.error): MOTE_ERROR_MODULE, MOTE_ERROR_COORDINATE (index = the lowest such hit),
 * MOTE_ERROR_CAPACITY (results of clusters; index = the capacity needed). When one is set the
 * outputs are unspecified, but nothing outside the views was touched; after a capacity error,
 * labels, their number and the results that fit are valid. Returns: as mote_pixels_cluster();
 * MOTE_ERROR_UNSUPPORTED also for more than 2^32 - 2 pixels. Threads: any number at once. Blocks:
 * no (the first call of a kind builds kernels). Deterministic: yes, the same bits everywhere.
 * Since: 0.1.
 */
MOTE_API mote_status mote_pixels_cluster_time(mote_context *ctx, cl_command_queue queue,
                                              const mote_pixels_cluster_time_args *args,
                                              cl_uint num_wait, const cl_event *wait,
                                              cl_event *event);

/** Returns the scratch for mote_pixels_cluster_time(), like mote_pixels_cluster_workspace_size().
 */
MOTE_API mote_status mote_pixels_cluster_time_workspace_size(
    mote_context *ctx, const mote_pixels_cluster_time_args *args, size_t *bytes);

/** Arguments of mote_pixels_cluster_time_host(): plain arrays of the host. */
typedef struct mote_pixels_time_host_args {
    size_t size;                 /**< set by mote_pixels_time_host_args_init() */
    size_t n;                    /**< hits */
    const uint16_t *module_id16; /**< n ids; one of the two is given */
    const uint32_t *module_id32; /**< n ids */
    const uint16_t *x;           /**< n rows */
    const uint16_t *y;           /**< n columns */
    const int64_t *t;            /**< n times */
    const uint16_t *charge16;    /**< one of charge16, charge32, or neither */
    const uint32_t *charge32;    /**< n charges */
    uint32_t n_modules;          /**< as in mote_pixels_cluster_time_args, like the next members */
    uint32_t rows;               /**< 1 .. 65 536 */
    uint32_t columns;            /**< 1 .. 65 536 */
    uint32_t radius;             /**< 0 = 1 */
    int64_t window;              /**< in ticks */
    int64_t complete;            /**< if `streaming` */
    uint32_t streaming;          /**< not 0: the stream goes on */
    int32_t *cluster_id;         /**< out, n; -1 = open */
} mote_pixels_time_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_API void mote_pixels_time_host_args_init(mote_pixels_time_host_args *args);

/** Results of mote_pixels_cluster_time_host() besides the labels; owned by the caller's mote_host.
 */
typedef struct mote_pixels_time_host_result {
    size_t size;                                  /**< set by mote_pixels_time_host_result_init() */
    size_t n_clusters;                            /**< clusters, without open ones */
    const mote_pixels_cluster_record *properties; /**< n_clusters records */
    const uint32_t *module;                       /**< module of each cluster */
    const int64_t *first;                         /**< lowest time of each cluster */
    const int64_t *last;                          /**< highest time */
} mote_pixels_time_host_result;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_API void mote_pixels_time_host_result_init(mote_pixels_time_host_result *result);

/**
 * Groups hits in host arrays into clusters in space and time; blocking.
 *
 * host: the state to use; NULL = a temporary one (then result must be NULL).
 * result: initialised; receives the clusters; valid until the next call with the same host. With
 * NULL, only cluster_id is computed. Returns: as mote_pixels_cluster_time(), and also
 * MOTE_ERROR_MODULE and MOTE_ERROR_COORDINATE with the hit's index and values in the sentence.
 * Empty input: with n = 0 the arrays may be NULL. Threads: one call at a time for each host.
 * Blocks: yes. Deterministic: yes. Since: 0.1.
 */
MOTE_API mote_status mote_pixels_cluster_time_host(mote_context *ctx, mote_host *host,
                                                   const mote_pixels_time_host_args *args,
                                                   mote_pixels_time_host_result *result);

#ifdef __cplusplus
}
#endif

#endif
