/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file pixels_time.h
 * @brief Clustering of single hits in space and time, for example of Timepix detectors.
 *
 * A hit is (module_id, x, y, t, charge): x is the row and y is the column in a module of rows x
 * columns pixels, and t is the time in ticks. Hits are given as a structure of arrays, in any
 * order:
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
 * times differ by at most `window`. Clusters are the connected components of hits that touch. They
 * are numbered from 0 over all modules, in the order of their first hits by (t, module, column,
 * row).
 *
 * Guarantees. Labels and the results of clusters have the same bits on every device, in every run
 * and for every order of the hits; only `first_digi` of the properties depends on the order. All
 * times are allowed, including equal and negative times. A pixel may have any number of hits, and a
 * cluster may have any size. Inputs are never written.
 *
 * Streams. A long stream is processed in several calls. `complete` is the time from which on hits
 * may still be missing. A cluster is open if a missing hit may touch it; its hits get the label -1.
 * Pass these hits to the next call, together with the new hits. Each cluster is then returned by
 * exactly one call, and the clusters do not depend on where the stream is cut. Only their numbers
 * depend on it: they begin at 0 in each call.
 *
 * Limits: A call accepts fewer than 2^31 hits, and at most 2^32 - 2 pixels in all modules together.
 *
 * Cost. Hits are sorted by time, which is faster the fewer hits are out of order. GPUs compare each
 * hit with all earlier hits within the window; CPUs find the last hit of each neighbouring pixel in
 * a table. GPUs sort hits by pixel, and by time within each pixel, if there are fewer than 2^18
 * hits or if the window contains more than about 500 hits; so do CPUs if the detector has many more
 * pixels than there are hits. The work grows nearly linearly with the number of hits.
 * mote_pixels_cluster_time_workspace_size() returns the scratch that a call needs.
 *
 * Source of the problem: the clustering of the data stream of Timepix detectors (on GPUs: arXiv
 * 2412.11809). pixels.h names the source of the lock-free union-find.
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
    mote_view charge;    /**< in, n, uint16 or uint32; optional, then 0. Used for properties
                              only */

    uint32_t n_modules; /**< modules in the detector, at least 1 when n > 0 */
    uint32_t rows;      /**< 1 .. 65 536 */
    uint32_t columns;   /**< 1 .. 65 536 */
    uint32_t radius;    /**< largest difference in rows, and in columns, of hits that touch, at most
                             15; 0 = 1; MOTE_PIXELS_SAME_PIXEL = no difference */
    int64_t window;     /**< largest difference in time of hits that touch, 0 .. 2^63 - 1 */
    int64_t complete;   /**< used if `streaming` is set: all hits with earlier times have been
                             given */
    uint32_t streaming; /**< not 0: the stream continues after this call, so that clusters may be
                             open */

    mote_view cluster_id; /**< out, n, int32: number of the hit's cluster, -1 for an open cluster */
    mote_view n_clusters; /**< out, 1, uint32: number of clusters, without open ones */

    /* Results of clusters: optional outputs with one element for each cluster. They have any
     * capacity, but all that are given have the same. */
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
MOTE_INITIALISER(mote_pixels_cluster_time_args)

/**
 * Groups hits of a stream into clusters in space and time.
 *
 * queue, num_wait, wait and event are as for mote_pixels_cluster(). The call copies args, which
 * need not outlive it. With args.streaming, a cluster is open if the time of its last hit is
 * args.complete - args.window or later.
 *
 * Empty input: With n = 0, the views of the hits may be NULL, and n_clusters is set to 0. Errors in
 * the data (args.error): MOTE_ERROR_MODULE and MOTE_ERROR_COORDINATE, whose index is the lowest
 * such hit; MOTE_ERROR_CAPACITY for results of clusters, whose index is the capacity needed. After
 * an error, the outputs are unspecified, but nothing outside the views was read or written. After a
 * capacity error, cluster_id, n_clusters and the results that fit are valid. Returns: the codes of
 * mote_pixels_cluster(); more than 2^32 - 2 pixels also return MOTE_ERROR_UNSUPPORTED. Threads: any
 * number at once. Blocks: no (the first call of a kind builds kernels). Deterministic: yes, the
 * same bits everywhere. Since: 0.1.
 */
MOTE_API mote_status mote_pixels_cluster_time(mote_context *ctx, cl_command_queue queue,
                                              const mote_pixels_cluster_time_args *args,
                                              cl_uint num_wait, const cl_event *wait,
                                              cl_event *event);

/** Determines the scratch of mote_pixels_cluster_time(), as mote_pixels_cluster_workspace_size()
 * does. Since: 0.1. */
MOTE_API mote_status mote_pixels_cluster_time_workspace_size(
    mote_context *ctx, const mote_pixels_cluster_time_args *args, size_t *bytes);

/** Arguments of mote_pixels_cluster_time_host(): plain arrays of the host. */
typedef struct mote_pixels_time_host_args {
    size_t size;                 /**< set by mote_pixels_time_host_args_init() */
    size_t n;                    /**< hits */
    const uint16_t *module_id16; /**< n ids; give module_id16 or module_id32 */
    const uint32_t *module_id32; /**< n ids */
    const uint16_t *x;           /**< n rows */
    const uint16_t *y;           /**< n columns */
    const int64_t *t;            /**< n times */
    const uint16_t *charge16;    /**< n charges; give charge16, charge32 or neither */
    const uint32_t *charge32;    /**< n charges */
    uint32_t n_modules;          /**< as in mote_pixels_cluster_time_args, like the next members */
    uint32_t rows;               /**< 1 .. 65 536 */
    uint32_t columns;            /**< 1 .. 65 536 */
    uint32_t radius;             /**< 0 = 1 */
    int64_t window;              /**< in ticks */
    int64_t complete;            /**< used if `streaming` is set */
    uint32_t streaming;          /**< not 0: the stream continues after this call */
    int32_t *cluster_id;         /**< out, n; -1 = open */
} mote_pixels_time_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_pixels_time_host_args)

/** Results of mote_pixels_cluster_time_host() besides the labels. The caller's mote_host owns the
 * arrays. */
typedef struct mote_pixels_time_host_result {
    size_t size;                                  /**< set by mote_pixels_time_host_result_init() */
    size_t n_clusters;                            /**< clusters, without open ones */
    const mote_pixels_cluster_record *properties; /**< n_clusters records */
    const uint32_t *module;                       /**< module of each cluster */
    const int64_t *first;                         /**< lowest time of each cluster */
    const int64_t *last;                          /**< highest time */
} mote_pixels_time_host_result;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_pixels_time_host_result)

/**
 * Groups hits in host arrays into clusters in space and time. The call waits for the results.
 *
 * host: the state to use. If it is NULL, the call uses a temporary state, and result must be NULL.
 * result: an initialised structure, which receives the clusters. They are valid until the next call
 * with the same host. If result is NULL, only cluster_id is computed. Returns: the codes of
 * mote_pixels_cluster_time(), MOTE_ERROR_MODULE and MOTE_ERROR_COORDINATE. The error messages for
 * the last two contain the hit's index and values. Empty input: With n = 0, the arrays may be NULL.
 * Threads: one call at a time for each host.
 * Blocks: yes. Deterministic: yes. Since: 0.1.
 */
MOTE_API mote_status mote_pixels_cluster_time_host(mote_context *ctx, mote_host *host,
                                                   const mote_pixels_time_host_args *args,
                                                   mote_pixels_time_host_result *result);

/** Arguments of mote_pixels_decode_timepix3(). n is the count of the view packets. */
typedef struct mote_pixels_timepix3_args {
    size_t size; /**< set by mote_pixels_timepix3_args_init() */

    mote_view packets; /**< in, n, uint64: packets without the headers of chunks */
    mote_view chip;    /**< in, n, uint16: chip that sent each packet; optional, then 0 */
    int64_t reference; /**< time of the last hit before these packets; for the first packets of a
                            stream, 2^33 leads to a first time of 0 .. 2^34 - 1 */

    /* Hits in the order of their packets: optional outputs. They have any capacity, but all that
     * are given have the same. */
    mote_view module_id; /**< uint16: chip */
    mote_view x;         /**< uint16: row, below 256 */
    mote_view y;         /**< uint16: column, below 256 */
    mote_view t;         /**< int64: time of arrival in ticks of 1.5625 ns */
    mote_view charge;    /**< uint16: time over threshold in ticks of 25 ns, below 1024 */
    mote_view n_hits;    /**< out, 1, uint32: number of hits */

    mote_view workspace; /**< scratch of the caller, uint32, of
                              mote_pixels_decode_timepix3_workspace_size() bytes; NULL = the
                              context's pool */
    cl_mem error;        /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset; /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep; /**< not 0: the word is not cleared first */
} mote_pixels_timepix3_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_pixels_timepix3_args)

/**
 * Decodes packets of Timepix3 detectors to hits for mote_pixels_cluster_time().
 *
 * A packet is a word of 64 bits, whose highest 4 bits are its kind. Kinds 0xA and 0xB are hits;
 * bits 59-44 are the address of the pixel, 43-30 the time of arrival, 29-20 the time over
 * threshold, 19-16 the fine time and 15-0 the time of the read-out. With the address a, the column
 * is (a >> 9) * 2 + (a >> 2 & 1) and the row is (a >> 3 & 63) * 4 + (a & 3). The time modulo 2^34
 * ticks (26.8 s) is ((time of the read-out << 14) + time of arrival) * 16 - fine time. Packets of
 * the kinds 2 and 4 to 7 (time stamps, triggers and control) are skipped.
 *
 * `t` contains the whole times: of all times with the right value modulo 2^34, a hit has the one
 * that differs from the time of the hit before it by -2^33 .. 2^33 - 1 ticks; the first hit is
 * compared with args.reference. Hits may therefore be out of order, but consecutive hits must be
 * less than 13.4 s apart. A stream can be decoded in any pieces: pass the last time of each piece
 * as the reference of the next one.
 *
 * queue, num_wait, wait and event are as for mote_pixels_cluster(). The call copies args, which
 * need not outlive it. Empty input: With n = 0, the views of the packets may be NULL, and n_hits is
 * set to 0. Errors in the data (args.error): MOTE_ERROR_PACKET for a packet of another kind, whose
 * index is the lowest such packet, all of which are skipped; MOTE_ERROR_CAPACITY, whose index is
 * the capacity needed. After both errors, n_hits and the hits that fit are valid. Returns: the
 * codes of mote_pixels_cluster(). Threads: any number at once. Blocks: no (the first call of a kind
 * builds kernels). Deterministic: yes, the same bits everywhere. Since: 0.1.
 */
MOTE_API mote_status mote_pixels_decode_timepix3(mote_context *ctx, cl_command_queue queue,
                                                 const mote_pixels_timepix3_args *args,
                                                 cl_uint num_wait, const cl_event *wait,
                                                 cl_event *event);

/** Determines the scratch of mote_pixels_decode_timepix3(), as mote_pixels_cluster_workspace_size()
 * does. Since: 0.1. */
MOTE_API mote_status mote_pixels_decode_timepix3_workspace_size(
    mote_context *ctx, const mote_pixels_timepix3_args *args, size_t *bytes);

/** Arguments of mote_pixels_decode_timepix3_host(): plain arrays of the host. */
typedef struct mote_pixels_timepix3_host_args {
    size_t size;             /**< set by mote_pixels_timepix3_host_args_init() */
    size_t n;                /**< packets */
    const uint64_t *packets; /**< n packets */
    const uint16_t *chip;    /**< n chips; NULL = 0 */
    int64_t reference;       /**< as in mote_pixels_timepix3_args */
    uint16_t *module_id;     /**< out; like the next members, room for n hits, or NULL */
    uint16_t *x;             /**< out: rows */
    uint16_t *y;             /**< out: columns */
    int64_t *t;              /**< out: times */
    uint16_t *charge;        /**< out: times over threshold */
    uint32_t *n_hits;        /**< out, 1 */
} mote_pixels_timepix3_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_pixels_timepix3_host_args)

/**
 * Decodes packets of Timepix3 detectors in host arrays. The call waits for the results.
 *
 * host: the state to use. If it is NULL, the call uses a temporary state. Elements of the outputs
 * after the last hit are unspecified. Returns: the codes of mote_pixels_decode_timepix3(), and
 * MOTE_ERROR_PACKET, whose message contains the number and the bits of the packet; the outputs are
 * valid then. Empty input: With n = 0, packets may be NULL. Threads: one call at a time for each
 * host. Blocks: yes. Deterministic: yes. Since: 0.1.
 */
MOTE_API mote_status mote_pixels_decode_timepix3_host(mote_context *ctx, mote_host *host,
                                                      const mote_pixels_timepix3_host_args *args);

#ifdef __cplusplus
}
#endif

#endif
