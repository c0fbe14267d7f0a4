/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file pixels_host.h
 * @brief Clustering of digis in plain arrays of the host, and averages of clusters.
 *
 * These functions work on host memory, and calls wait for their results. pixels.h includes this
 * file; its guarantees also hold here.
 */
#ifndef MOTE_PIXELS_HOST_H
#define MOTE_PIXELS_HOST_H

#include "pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Arguments of mote_pixels_cluster_host(): plain arrays of the host.
 *
 * Give one of module_id16, module_id32 and module_id64. 64-bit ids may have any values: the call
 * sorts the distinct ids, so that module k has the k-th smallest id, and n_modules is an output.
 */
typedef struct mote_pixels_host_args {
    size_t size;                       /**< set by mote_pixels_host_args_init() */
    size_t n;                          /**< digis */
    const uint16_t *module_id16;       /**< n ids; give one of the three arrays */
    const uint32_t *module_id32;       /**< n ids */
    const uint64_t *module_id64;       /**< n ids */
    const uint16_t *x;                 /**< n rows */
    const uint16_t *y;                 /**< n columns */
    const uint16_t *adc16;             /**< n charges; give adc16, adc32 or neither */
    const uint32_t *adc32;             /**< n charges */
    const uint32_t *event_offsets;     /**< n_events + 1 values; NULL = one event */
    size_t n_events;                   /**< 0 = 1 */
    uint32_t n_modules;                /**< 16- and 32-bit ids; ignored for 64-bit ids */
    uint32_t rows;                     /**< 1 .. 65 536 */
    uint32_t columns;                  /**< 1 .. 65 536 */
    uint64_t invalid_module_id;        /**< 0 = the default of the id's width (64-bit: none) */
    int32_t invalid_cluster_id;        /**< 0 = -1 */
    mote_pixels_order order;           /**< of the digis in each event */
    mote_pixels_strategy strategy;     /**< how touching pixels are joined */
    mote_pixels_duplicates duplicates; /**< the treatment of repeated pixels */
    uint32_t connectivity;             /**< 8 or 4; 0 = 8 */
    uint32_t adc_threshold;            /**< digis with a charge below it are dropped; 0 = none */
    uint64_t charge_cut;               /**< clusters with less charge are dropped; 0 = none */
    uint64_t charge_cut_inner;         /**< the cut of modules below inner_modules */
    uint32_t inner_modules;            /**< 0 = charge_cut holds for every module */
    const uint32_t *charge_cuts;       /**< NULL or n_modules values */
    int32_t *cluster_id;               /**< out, n */
    uint32_t *n_clusters; /**< out, n_events x n_modules; NULL = not wanted; not with 64-bit ids */
    uint32_t positions;   /**< not 0: the result's positions are wanted */
    mote_pixels_weight weight; /**< of positions, as in mote_pixels_cluster_args */
    const float *origin_x;     /**< n_modules values, or NULL; not with 64-bit ids */
    const float *origin_y;     /**< n_modules values, or NULL; not with 64-bit ids */
    const float *pitch_x;      /**< n_modules values, or NULL: distance between rows */
    const float *pitch_y;      /**< n_modules values, or NULL: distance between columns */
    uint64_t inner_module_id;  /**< 64-bit ids: charge_cut_inner applies to ids below it; 0 = to the
                                    inner_modules smallest ids */
    const uint32_t *mask; /**< dead pixels, as in mote_pixels_cluster_args, or NULL; not with 64-bit
                             ids, like the next two members */
    const float *gain;    /**< n_modules finite values, or NULL */
    const float *pedestal; /**< n_modules finite values, or NULL */
    uint32_t charge_min;   /**< lower limit of the charges that gain and pedestal give */
    uint32_t same_modules; /**< not 0: the per-module arrays (charge_cuts, mask, gain, pedestal,
                              origins, pitches, morph) that the last call on this host also received
                              have not changed since. They are not copied to the device again */
    const uint8_t *morph;  /**< n_modules values, as in mote_pixels_cluster_args, or NULL; not with
                              64-bit ids */
    uint32_t morph_dilation; /**< structuring element, as in mote_pixels_cluster_args */
    uint32_t morph_erosion;  /**< structuring element, likewise */
    uint32_t digis;          /**< not 0: the result's digis are wanted */
} mote_pixels_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_pixels_host_args)

/** Results of mote_pixels_cluster_host() besides the labels. The caller's mote_host owns the
 * arrays.
 */
typedef struct mote_pixels_host_result {
    size_t size;                   /**< set by mote_pixels_host_result_init() */
    size_t n_modules;              /**< modules (distinct 64-bit ids, or as given) */
    const uint64_t *module_id;     /**< n_modules ids of a 64-bit call, ascending; else NULL */
    size_t n_clusters;             /**< all clusters of the batch */
    const uint32_t *cluster_start; /**< n_events x n_modules + 1 */
    const mote_pixels_cluster_record *properties; /**< n_clusters records */
    const float *x;             /**< n_clusters mean rows, as for mote_pixels_cluster(); NULL unless
                                   args->positions is set, like the next members */
    const float *y;             /**< mean columns */
    const float *x_var;         /**< variances of the rows */
    const float *y_var;         /**< variances of the columns */
    const float *xy_cov;        /**< covariances of row and column */
    const uint32_t *charge;     /**< sums of the charges */
    const uint32_t *charge_min; /**< smallest charge of a digi */
    const uint32_t *charge_max; /**< largest charge of a digi */
    const uint32_t *cluster_size; /**< pixels of each cluster */
    const uint32_t *digi_offsets; /**< n_clusters + 1: where the digis of each cluster begin in
                                       `digis`; NULL unless args->digis is set, like the next
                                       member */
    const uint32_t *digis;        /**< input indices of the digis of each cluster, as in
                                       mote_pixels_cluster_digis_args */
} mote_pixels_host_result;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_pixels_host_result)

/**
 * Groups digis in host arrays into clusters. The call waits for the results.
 *
 * host: the state to use. If it is NULL, the call uses a temporary state, and result must be NULL.
 * result: an initialised structure, which receives counts, offsets and properties. They are valid
 * until the next call with the same host. If result is NULL, only cluster_id and n_clusters are
 * computed, and a large batch is sent to a GPU in parts of whole events, so that copies in both
 * directions and kernels overlap. Pinned arrays (of mote_host_alloc()) are copied fastest. Returns:
 * the codes of mote_pixels_cluster(), and the errors in the data (MOTE_ERROR_EVENT_OFFSETS,
 * MOTE_ERROR_MODULE, MOTE_ERROR_COORDINATE, MOTE_ERROR_NOT_CONTIGUOUS), whose messages contain the
 * digi's index and values. Empty input: With n = 0, the arrays may be NULL. Threads: one call at a
 * time for each host. Blocks: yes. Deterministic: yes. Since: 0.1.
 */
MOTE_API mote_status mote_pixels_cluster_host(mote_context *ctx, mote_host *host,
                                              const mote_pixels_host_args *args,
                                              mote_pixels_host_result *result);

/** Returns the charge of a cluster. Threads: any. Since: 0.1. */
MOTE_API uint64_t mote_pixels_charge(const mote_pixels_cluster_record *record);

/** Averages of a cluster, computed in double precision from its exact integer sums. */
typedef struct mote_pixels_moments {
    double x;     /**< charge-weighted mean row; the plain mean when the charge is 0 */
    double y;     /**< charge-weighted mean column; the plain mean when the charge is 0 */
    double x_var; /**< charge-weighted variance about x; 0 when the charge is 0 */
    double y_var; /**< charge-weighted variance about y; 0 when the charge is 0 */
} mote_pixels_moments;

/**
 * Computes the means and variances of a cluster.
 *
 * The variances are computed about x_min and y_min in exact integers, so that no digits cancel.
 * Returns: the moments, which are all 0 for an empty record. Threads: any. Blocks: no.
 * Deterministic: the same bits on every host with IEEE double. Since: 0.1.
 */
MOTE_API mote_pixels_moments mote_pixels_mean(const mote_pixels_cluster_record *record);

/**
 * Computes the means and variances of `count` clusters: moments[k] belongs to records[k]. If count
 * is 0, the arrays may be NULL.
 *
 * Threads: any. Blocks: no. Deterministic: as mote_pixels_mean(). Since: 0.1.
 */
MOTE_API void mote_pixels_means(const mote_pixels_cluster_record *records, size_t count,
                                mote_pixels_moments *moments);

/** A cluster of a host call in plain numbers. */
typedef struct mote_pixels_cluster_properties {
    uint32_t event;      /**< from 0 */
    uint32_t label;      /**< its number in its module: the cluster_id of its digis */
    uint64_t module;     /**< its id */
    uint32_t size;       /**< number of pixels */
    uint32_t first_digi; /**< lowest input index, inside its event, among the digis kept */
    uint64_t charge;     /**< sum of the charges */
    double x;            /**< mean row, as in mote_pixels_moments, like the next three members */
    double y;            /**< mean column */
    double x_var;        /**< variance of the row */
    double y_var;        /**< variance of the column */
    uint32_t x_min;      /**< bounding box: lowest row */
    uint32_t x_max;      /**< highest row, included */
    uint32_t y_min;      /**< lowest column */
    uint32_t y_max;      /**< highest column, included */
} mote_pixels_cluster_properties;

/**
 * Writes all clusters of a host call, with events, modules, averages and all other properties, to a
 * table of plain numbers without padding bytes.
 *
 * result: the result of mote_pixels_cluster_host(), which must still be valid. properties: receives
 * result->n_clusters elements, in the order of result->cluster_start. Threads: any. Blocks: no.
 * Deterministic: as mote_pixels_mean(). Since: 0.1.
 */
MOTE_API void mote_pixels_properties(const mote_pixels_host_result *result,
                                     mote_pixels_cluster_properties *properties);

#ifdef __cplusplus
}
#endif

#endif
