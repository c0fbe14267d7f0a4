/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file pixels_measure.h
 * @brief The digis of each cluster, and measurements of clusters in the geometry of their modules.
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
 * All calls of jagged.h accept these lists. mote_pixels_measure() reads them, and computes
 * positions, variances and extents of clusters.
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
MOTE_INITIALISER(mote_pixels_cluster_digis_args)

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

/** Arguments of mote_pixels_measure(). n is the count of the view module_id, M = n_modules, C the
 * number of clusters, D the number of designs. */
typedef struct mote_pixels_measure_args {
    size_t size; /**< set by mote_pixels_measure_args_init() */

    mote_view module_id; /**< in, n, uint16 or uint32: below n_modules for digis of clusters */
    mote_view x;         /**< in, n, uint16: row */
    mote_view y;         /**< in, n, uint16: column */
    mote_view adc;       /**< in, n, uint16 or uint32: charge; optional with
                              MOTE_PIXELS_WEIGHT_NONE */

    /* The lists of mote_pixels_cluster_digis(). */
    mote_view cluster_offsets; /**< in, C + 1, uint32 */
    mote_view digis;           /**< in, any count, uint32: input indices, below n */

    uint32_t n_modules;                /**< modules in the detector, at least 1 when n > 0 */
    mote_pixels_weight weight;         /**< of the pixels */
    mote_pixels_duplicates duplicates; /**< as for mote_pixels_cluster(). Copies of a pixel count as
                                            one pixel, whose charge is the largest one with
                                            MOTE_DUPLICATES_MAX, otherwise the sum */
    uint32_t widths; /**< not 0: variances contain the variance of a uniform distribution in each
                          pixel */

    /* Geometry, in any unit of length. A design is a kind of module. */
    mote_view design;      /**< in, M, uint32: design of each module, below D; optional, then 0 */
    mote_view row_offsets; /**< in, D + 1, uint32: where the edges of each design begin in
                                row_edges; optional, then row r is centred at r, and its width is
                                1 */
    mote_view row_edges;   /**< in, float32: row r of a design lies between its edges r and r + 1 */
    mote_view column_offsets; /**< the same of columns */
    mote_view column_edges;   /**< the same of columns */
    mote_view shift_x;        /**< in, M, float32: added to cluster_x; optional, then 0 */
    mote_view shift_y;        /**< in, M, float32: added to cluster_y; optional, then 0 */

    mote_view gain;      /**< in, M, float32, as in mote_pixels_cluster_args; optional, then 1 */
    mote_view pedestal;  /**< in, M, float32, likewise; optional, then 0 */
    uint32_t charge_min; /**< lower limit of the charges that gain and pedestal give */

    /* Results: C elements each, all optional. Clusters without digis get 0. */
    mote_view cluster_module;  /**< out, uint32: module */
    mote_view cluster_x;       /**< out, float32: position across rows */
    mote_view cluster_y;       /**< out, float32: position across columns */
    mote_view cluster_x_var;   /**< out, float32: variance of the position across rows */
    mote_view cluster_y_var;   /**< out, float32: variance of the position across columns */
    mote_view cluster_rows;    /**< out, uint32: rows from the lowest to the highest pixel */
    mote_view cluster_columns; /**< out, uint32: columns, likewise */

    mote_view
        workspace;       /**< scratch of the caller, uint32, of
                              mote_pixels_measure_workspace_size() bytes; NULL = the context's pool */
    cl_mem error;        /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset; /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep; /**< not 0: the word is not cleared first */

    /* Variances by size, for example of residuals in a simulation. Each has D x S elements, S at
     * least 1 (without edges, D = 1). Element design * S + min(size, S) - 1 replaces the variance
     * that is computed.
     */
    mote_view x_var_by_rows;    /**< in, D x S, float32: by the number of rows; optional */
    mote_view y_var_by_columns; /**< in, D x S, float32: by the number of columns; optional */
} mote_pixels_measure_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_pixels_measure_args)

/**
 * Measures clusters: positions, variances and extents in the geometry of their modules.
 *
 * queue, num_wait, wait and event are as for mote_pixels_cluster(). The call copies args, which
 * need not outlive it. The module of a cluster is the module of its first digi. Modules may have
 * different numbers of rows and columns: the edges of their design limit them.
 *
 * Formulas. A pixel has the weight w: its charge, or 1 with MOTE_PIXELS_WEIGHT_NONE and in clusters
 * without charge. Its row lies between the edges a and b, has the centre (a + b) / 2, the distance
 * u from the centre c of the row of the cluster's first pixel, and the width d = b - a. Then, with
 * m = sum(w u) / sum(w),
 *
 *     cluster_x     = c + m + shift_x
 *     cluster_x_var = sum(w u^2) / sum(w) - m^2, with args.widths plus sum(w d^2) / (12 sum(w))
 *
 * Columns likewise. The term with d is the variance that traccc adds to its measurements (ACTS; for
 * equal pitches, pitch^2 / 12). Every operation is rounded to double, and the result to float32.
 * Sums begin with 0 and add the pixels of a block of 8 digis of the cluster in their order; a pixel
 * belongs to the block of its first copy. The sums of blocks are added in pairs: those of the first
 * and second block, of the third and fourth, and so on; then the sums of pairs in the same way,
 * until one is left. A sum without a partner is not changed. With widths,
 * sum(w (12 u^2 + d^2)) / 12 is divided by sum(w). Negative variances become 0. Numbers whose
 * magnitude is below 2^-126 count as 0.
 *
 * Empty input: With C = 0, nothing is written. Errors in the data (args.error):
 * MOTE_ERROR_OFFSETS_NOT_MONOTONIC, and MOTE_ERROR_OFFSETS_OUT_OF_RANGE for clusters that end
 * behind args.digis or contain a number that is not below n (index = the cluster);
 * MOTE_ERROR_MODULE, and MOTE_ERROR_COORDINATE for pixels without edges (index = the lowest digi);
 * MOTE_ERROR_EDGES for pixels with an edge that is NaN or infinite (index = the lower number of the
 * pixel's two edges in args.row_edges or args.column_edges). Edges may decrease, if rows or columns
 * are numbered against the axis.
 * The results of such clusters are unspecified, and if offsets are not monotonic all results are.
 * Returns: the codes of mote_pixels_cluster(). Threads: any number at once. Blocks: no (the first
 * call of a kind builds kernels). Deterministic: yes, the same bits on every device with double
 * precision. Other devices compute with pairs of float32, whose results differ by a few units in
 * the last place of the largest centre. Since: 0.1.
 */
MOTE_API mote_status mote_pixels_measure(mote_context *ctx, cl_command_queue queue,
                                         const mote_pixels_measure_args *args, cl_uint num_wait,
                                         const cl_event *wait, cl_event *event);

/** Determines the scratch of mote_pixels_measure(), as mote_pixels_cluster_workspace_size() does.
 * Since: 0.1. */
MOTE_API mote_status mote_pixels_measure_workspace_size(mote_context *ctx,
                                                        const mote_pixels_measure_args *args,
                                                        size_t *bytes);

/** Arguments of mote_pixels_measure_host(): plain arrays of the host, with the meaning, shapes and
 * types of mote_pixels_measure_args. Optional ones may be NULL. */
typedef struct mote_pixels_measure_host_args {
    size_t size;                 /**< set by mote_pixels_measure_host_args_init() */
    size_t n;                    /**< digis */
    const uint16_t *module_id16; /**< n ids; either these */
    const uint32_t *module_id32; /**< or these */
    const uint16_t *x;           /**< n rows */
    const uint16_t *y;           /**< n columns */
    const uint16_t *adc16;       /**< n charges; either these */
    const uint32_t *adc32;       /**< or these, or neither with MOTE_PIXELS_WEIGHT_NONE */

    size_t n_clusters;               /**< C */
    const uint32_t *cluster_offsets; /**< C + 1; NULL if C is 0 */
    size_t n_listed;                 /**< elements of `digis`, usually cluster_offsets[C] */
    const uint32_t *digis;           /**< indices of digis */

    uint32_t n_modules;                /**< M, at least 1 when n > 0 */
    mote_pixels_weight weight;         /**< of the pixels */
    mote_pixels_duplicates duplicates; /**< as for mote_pixels_cluster() */
    uint32_t widths; /**< not 0: variances contain those of uniform distributions in the pixels */

    size_t n_designs;               /**< D; 0 without edges */
    const uint32_t *design;         /**< M designs, optional */
    const uint32_t *row_offsets;    /**< D + 1, optional */
    const float *row_edges;         /**< row_offsets[D] edges */
    const uint32_t *column_offsets; /**< D + 1, optional */
    const float *column_edges;      /**< column_offsets[D] edges */
    const float *shift_x;           /**< M, optional */
    const float *shift_y;           /**< M, optional */
    const float *gain;              /**< M, optional */
    const float *pedestal;          /**< M, optional */
    uint32_t charge_min;            /**< lower limit of the charges that gain and pedestal give */
    uint32_t row_sizes;             /**< S of x_var_by_rows */
    uint32_t column_sizes;          /**< S of y_var_by_columns */
    const float *x_var_by_rows;     /**< D x S (without edges S), optional */
    const float *y_var_by_columns;  /**< likewise */

    /* Results: C elements each, all optional. */
    uint32_t *cluster_module;  /**< out: module */
    float *cluster_x;          /**< out: position across rows */
    float *cluster_y;          /**< out: position across columns */
    float *cluster_x_var;      /**< out: variance of the position across rows */
    float *cluster_y_var;      /**< out: variance of the position across columns */
    uint32_t *cluster_rows;    /**< out: rows from the lowest to the highest pixel */
    uint32_t *cluster_columns; /**< out: columns, likewise */
} mote_pixels_measure_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_pixels_measure_host_args)

/**
 * Measures clusters of digis in host arrays, for example with the lists of
 * mote_pixels_cluster_host(). The call waits for the results.
 *
 * host: the state to use; NULL: a temporary one. Returns: the codes of mote_pixels_measure(), and
 * the errors in the data, whose messages contain the index and the values. Empty input: With
 * n_clusters = 0, nothing is written. Threads: one call at a time for each host. Blocks: yes.
 * Deterministic: as mote_pixels_measure(). Since: 0.1.
 */
MOTE_API mote_status mote_pixels_measure_host(mote_context *ctx, mote_host *host,
                                              const mote_pixels_measure_host_args *args);

#ifdef __cplusplus
}
#endif

#endif
