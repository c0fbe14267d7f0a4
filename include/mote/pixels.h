/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file pixels.h
 * @brief Pixel clustering: fired pixels ("digis") of many modules, grouped into clusters.
 *
 * A digi is (module_id, x, y, adc): x is the row, y the column inside a module of rows x columns
 * pixels, adc the charge. Digis are given as a structure of arrays. A batch of events is one array
 * with event offsets; results are per event and module.
 *
 * Stages, in this order: digis of the invalid module are ignored; digis of dead pixels are dropped;
 * adc counts become charges where gains or pedestals are given; digis below the threshold are
 * dropped; repeated pixels are resolved; small gaps in marked modules are closed; touching pixels
 * are joined; clusters are numbered; properties are summed; clusters below the charge cut are
 * dropped, and the remaining clusters are renumbered.
 *
 * Guarantees. Clusters of a module are numbered from 0 in the order of their lowest pixel by (y,
 * x). Labels, counts and properties are the same bits on every device, with every strategy and
 * work-group size, in every run and for every order of the digis (only `first_digi` and the policy
 * MOTE_DUPLICATES_FIRST depend on the order). Any occupancy works, up to every pixel of a module,
 * and so does a module whose digis are scattered over the input. Inputs are never written.
 *
 * If another thread changes an input while a call runs, outputs and error word are unspecified. The
 * call still ends, and reads and writes nothing outside of the arrays that it was given.
 *
 * Limits: fewer than 2^31 digis a call; rows, columns at most 65 536; events x modules below 2^31.
 *
 * Cost. On a GPU each call takes a few launches, so that events are clustered fastest in batches.
 * On a CPU a serial form runs on every core instead; the histogram strategy runs the GPU's kernels
 * there, for comparison only. Scratch: see mote_pixels_cluster_workspace_size().
 *
 * Source of the problem: the countModules, findClus and clusterChargeCut kernels of CMS
 * (A. Bocci et al., "Heterogeneous reconstruction of tracks and primary vertices with the CMS pixel
 * tracker", Front. Big Data 3 (2020) 601728). Labelling by lock-free union-find follows D. Playne
 * and K. Hawick, "A new algorithm for parallel connected-component labelling on GPUs", IEEE TPDS 29
 * (2018) 1217, applied to runs of pixels.
 */
#ifndef MOTE_PIXELS_H
#define MOTE_PIXELS_H

#include "buffer.h"
#include "layout/pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The module id that marks a dead or noisy digi, by default, in uint16 ids (CMS: 2^16 - 2). */
#define MOTE_PIXELS_INVALID_MODULE_U16 65534u
/** The same in uint32 ids. */
#define MOTE_PIXELS_INVALID_MODULE_U32 4294967294u

/** The treatment of a pixel that appears more than once in a module of an event. */
typedef enum mote_pixels_duplicates {
    MOTE_DUPLICATES_DROP = 0,  /**< all its copies are dropped, as CMS does */
    MOTE_DUPLICATES_FIRST = 1, /**< the copy of lowest input index stays, the others are dropped */
    MOTE_DUPLICATES_SUM = 2,   /**< one pixel with the sum of the charges; every copy is labelled */
    MOTE_DUPLICATES_MAX = 3    /**< one pixel with the largest charge; every copy is labelled */
} mote_pixels_duplicates;

/** Returns a value's name ("max"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_pixels_duplicates_name(mote_pixels_duplicates duplicates);

/** The order of the digis. */
typedef enum mote_pixels_order {
    MOTE_ORDER_ANY = 0,       /**< any: the call groups them by module */
    MOTE_ORDER_CONTIGUOUS = 1 /**< in each event, the valid digis of a module are consecutive,
                                 except for invalid ones in between; checked on the device */
} mote_pixels_order;

/** Returns a value's name ("contiguous"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_pixels_order_name(mote_pixels_order order);

/** How touching pixels are joined; every strategy gives the same bits. */
typedef enum mote_pixels_strategy {
    MOTE_PIXELS_AUTO = 0,       /**< the fastest for the device */
    MOTE_PIXELS_UNION_FIND = 1, /**< lock-free union-find over runs of pixels */
    MOTE_PIXELS_HISTOGRAM = 2   /**< CMS's: column histogram, neighbours, label propagation */
} mote_pixels_strategy;

/** Returns a value's name ("histogram"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_pixels_strategy_name(mote_pixels_strategy strategy);

/** The weight of a pixel in the position of its cluster. */
typedef enum mote_pixels_weight {
    MOTE_PIXELS_WEIGHT_CHARGE = 0, /**< its charge; pixels of a cluster without charge count 1 */
    MOTE_PIXELS_WEIGHT_NONE = 1    /**< 1 */
} mote_pixels_weight;

/** Returns a value's name ("charge"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_pixels_weight_name(mote_pixels_weight weight);

/**
 * Arguments of mote_pixels_cluster() (and, where named, of its companions).
 *
 * n is the count of the view module_id; x, y (and adc) must have the same count. E is the number of
 * events (1 without event_offsets), M = n_modules.
 */
typedef struct mote_pixels_cluster_args {
    size_t size; /**< set by mote_pixels_cluster_args_init() */

    mote_view module_id;     /**< in, n, uint16 or uint32: below n_modules, or the invalid id */
    mote_view x;             /**< in, n, uint16: row, below rows */
    mote_view y;             /**< in, n, uint16: column, below columns */
    mote_view adc;           /**< in, n, uint16 or uint32: charge; optional unless something uses it
                                  (threshold, charge cut, MAX, gain, pedestal; absent charges count as
                                  0) */
    mote_view event_offsets; /**< in, E + 1, uint32, first 0, last n, non-decreasing; optional */
    mote_view n_device;      /**< in, 1, uint32: the real n, at most the views' count; optional */

    uint32_t n_modules;         /**< modules in the detector, at least 1 when n > 0 */
    uint32_t rows;              /**< 1 .. 65 536 */
    uint32_t columns;           /**< 1 .. 65 536 */
    uint32_t invalid_module_id; /**< 0 = 65 534 for uint16 ids, 2^32 - 2 for uint32 ids */
    int32_t invalid_cluster_id; /**< label of dropped digis, below 0; 0 = -1 (CMS uses -9999) */

    mote_pixels_order order;           /**< of the digis in each event */
    mote_pixels_strategy strategy;     /**< how touching pixels are joined */
    mote_pixels_duplicates duplicates; /**< the treatment of repeated pixels */
    uint32_t connectivity;             /**< 8 or 4; 0 = 8 */
    uint32_t adc_threshold;            /**< digis with a charge below it are dropped; 0 = none */

    uint64_t charge_cut;       /**< clusters with less charge are dropped; 0 = none */
    uint64_t charge_cut_inner; /**< the cut of modules below inner_modules, which must be set */
    uint32_t inner_modules;    /**< 0 = charge_cut holds for every module */
    mote_view
        charge_cuts; /**< in, M, uint32: a cut for each module, instead of the above; optional */

    mote_view cluster_id;    /**< out, n, int32: number of the digi's cluster in its module */
    mote_view module_id_out; /**< out, n, type of module_id: the id, or the invalid id for a dropped
                                  digi; may be the same range as module_id; optional */
    mote_view n_clusters;    /**< out, E x M, uint32: clusters of each module, absent modules 0;
                                  optional */
    mote_view cluster_start; /**< out, E x M + 1, uint32: exclusive sum of n_clusters over the
                                batch, last = all clusters; optional */
    mote_view properties;    /**< out, MOTE_PIXELS_CLUSTER_TYPE, any capacity: record k belongs to
                                  cluster k in the order of cluster_start; optional, and absent with
                                  a capacity of 0 */

    mote_view workspace; /**< scratch of the caller, uint32, mote_pixels_cluster_workspace_size()
                              bytes; NULL = the context's pool */
    cl_mem error;        /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset; /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep; /**< not 0: the word is not cleared first, so that it reports the errors of
                              all calls since it was cleared */

    /* Positions: out, one element for each cluster in the order of cluster_start, any capacity that
     * is the same for all of them; each optional, and absent with a capacity of 0. See
     * mote_pixels_cluster(). */
    mote_view cluster_x;          /**< float32: mean row */
    mote_view cluster_y;          /**< float32: mean column */
    mote_view cluster_x_var;      /**< float32: variance of the rows */
    mote_view cluster_y_var;      /**< float32 */
    mote_view cluster_xy_cov;     /**< float32: covariance of row and column */
    mote_view cluster_charge;     /**< float32 or uint32: sum of the charges */
    mote_view cluster_charge_min; /**< float32 or uint32: smallest charge of a digi */
    mote_view cluster_charge_max; /**< float32 or uint32: largest charge of a digi */
    mote_view cluster_size;       /**< float32 or uint32: pixels */
    mote_pixels_weight weight;    /**< of the pixels in positions */
    mote_view origin_x; /**< in, M, float32: local x of the centre of row 0; optional, then 0 */
    mote_view origin_y; /**< in, M, float32: local y of the centre of column 0; optional, then 0 */
    mote_view pitch_x;  /**< in, M, float32: local distance between rows; optional, then 1 */
    mote_view pitch_y;  /**< the same of a column's */

    /* Dead pixels and calibration, applied to the digis as they are read; each is optional. See
     * mote_pixels_cluster(). */
    mote_view mask;      /**< in, M x columns x ceil(rows / 32), uint32: dead pixels. Bit x % 32 of
                              word (module columns + y) ceil(rows / 32) + x / 32 stands for the
                              pixel (x, y) */
    mote_view gain;      /**< in, M, float32: charge per adc count; optional, then 1 */
    mote_view pedestal;  /**< in, M, float32: adc counts without any charge; optional, then 0 */
    uint32_t charge_min; /**< lower limit of the charges that gain and pedestal give */

    /* Modules with lost pixels. See mote_pixels_cluster(). */
    mote_view morph; /**< in, M, uint8: not 0 = the module's clusters are formed on the closing
                          of its pixels; optional */
    uint32_t morph_dilation; /**< structuring element, at most 511: bit 3 (i + 1) + j + 1 stands for
                                  the offset of i rows and j columns; 0 = 511, all nine bits */
    uint32_t morph_erosion;  /**< structuring element, likewise; 0 = 186, the cross */
} mote_pixels_cluster_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_pixels_cluster_args)

/**
 * Groups digis into clusters: labels, counts, and on request offsets, properties and a charge cut.
 *
 * queue: a queue of the context, in order or not. args: see above; copied, need not outlive the
 * call. num_wait, wait: events the work waits for. event: receives an event that covers all of it
 * (the caller releases it); NULL = not wanted. The caller's memory objects must live until it
 * completes.
 *
 * Positions. With w the charge of a pixel, or 1 (args.weight), cluster_x is sum(w x) / sum(w),
 * cluster_x_var is sum(w x x) / sum(w) - cluster_x^2, and cluster_xy_cov is sum(w x y) / sum(w) -
 * cluster_x cluster_y, each the float nearest to the exact value, ties to even; a centre of a pixel
 * is a whole number. With origins and pitches of modules x becomes origin_x + (pitch_x x), a
 * variance (pitch_x pitch_x) x_var, the covariance (pitch_x pitch_y) xy_cov, where each operation
 * is rounded to float. Charges and sizes are rounded to float32, or limited to 2^32 - 1 as uint32.
 * With MOTE_DUPLICATES_SUM cluster_charge_min and _max consider the charge of each copy separately.
 * Scratch: 128 bytes for each cluster of the capacity (of n, if that is less); on CPUs 36 bytes for
 * each digi and for each module of an event.
 *
 * Dead pixels and charges. A digi of a pixel whose bit of args.mask is set is dropped, like a digi
 * below the threshold. With args.gain or args.pedestal the charge of a digi is not its adc but gain
 * (adc - pedestal) of its module, where each of the three operations (adc to float32, difference,
 * product) is rounded to float32, ties to even; the result is then rounded down and limited to
 * charge_min .. 2^32 - 1. CMS computes electrons in this way, before its threshold (Front. Big Data
 * 3 (2020) 601728). Threshold, charge cuts, the policies SUM and MAX, properties and positions use
 * this charge: a whole number, the same on every device. Gains and pedestals whose magnitude is
 * below 2^-126 count as 0; a charge that is NaN becomes charge_min. Digis are decoded as they are
 * read, without a separate launch. mote_pixels_charge_cut() does not decode.
 *
 * Modules with lost pixels. If args.morph of a module is not 0, two of its pixels belong to one
 * cluster if they are connected in the morphological closing of the module's pixels. The closing is
 * the dilation by args.morph_dilation, followed by the erosion by args.morph_erosion, on a plane
 * that continues beyond the module's edges. The pixels that the closing adds have no label and no
 * charge, and count in no property. All pixels of the module remain in the closing, whatever the
 * structuring elements are. CMS clusters its damaged modules in this way. Modules must have at most
 * 2^28 pixels. Each work-group needs scratch of 5 to 10 bytes for each pixel of a module. All
 * work-groups together need at most 256 MiB, or as much as one module needs if that is more; for
 * large modules, there are fewer work-groups.
 *
 * Empty input: with n = 0 the views of the digis may be NULL; n_clusters and cluster_start are set
 * to 0. Errors in the data (args.error): MOTE_ERROR_EVENT_OFFSETS, MOTE_ERROR_MODULE,
 * MOTE_ERROR_COORDINATE, MOTE_ERROR_NOT_CONTIGUOUS, MOTE_ERROR_CAPACITY (properties or positions;
 * index = the capacity needed). When one is set the outputs are unspecified, but nothing outside
 * the views was touched; after a capacity error, all other outputs are valid. Returns:
 * MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT, MOTE_ERROR_INVALID_STRUCT, MOTE_ERROR_INVALID_TYPE,
 * MOTE_ERROR_INVALID_VIEW, MOTE_ERROR_WRONG_CONTEXT (nothing was enqueued); MOTE_ERROR_UNSUPPORTED
 * (2^31 digis or more, or modules that are too large for args.morph); MOTE_ERROR_BUILD;
 * MOTE_ERROR_OUT_OF_DEVICE_MEMORY; an OpenCL code. Threads: any number at once. Blocks: no (the
 * first call of a kind builds kernels). Deterministic: yes, the same bits everywhere. Since: 0.1.
 */
MOTE_API mote_status mote_pixels_cluster(mote_context *ctx, cl_command_queue queue,
                                         const mote_pixels_cluster_args *args, cl_uint num_wait,
                                         const cl_event *wait, cl_event *event);

/**
 * Bytes of scratch that a call with these arguments needs, for callers that provide their own.
 *
 * args: as for the call; views may have NULL memory objects. bytes: receives the number.
 * A call with error_keep needs more bytes than a call without: set error_keep as in that call. One
 * call may be in flight on a workspace at a time. Returns: as mote_pixels_cluster() for these
 * arguments. Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_pixels_cluster_workspace_size(mote_context *ctx,
                                                        const mote_pixels_cluster_args *args,
                                                        size_t *bytes);

/** Arguments of mote_pixels_module_start(). */
typedef struct mote_pixels_module_start_args {
    size_t size;                /**< set by mote_pixels_module_start_args_init() */
    mote_view module_id;        /**< in, n, uint16 or uint32 */
    mote_view event_offsets;    /**< in, E + 1, uint32; optional */
    uint32_t invalid_module_id; /**< 0 = the default, as above */
    mote_view module_start; /**< out, uint32, 1 + capacity: [0] = number of runs, then the position
                                 of each run's first digi, in input order */
    mote_view run_module;   /**< out, capacity, uint32: the module id of each run; optional */
    mote_view cluster_id;   /**< out, n, int32: set to the digi's own index; optional */
    mote_view workspace;    /**< as above */
    cl_mem error;           /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;    /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;    /**< not 0: the word is not cleared first */
} mote_pixels_module_start_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_pixels_module_start_args)

/**
 * Finds the runs of equal module id (CMS's countModules), in input order.
 *
 * A valid digi starts a run when it is the first valid digi of its event or the previous one has
 * another module; invalid digis never start or end a run. A module whose digis are scattered has
 * several runs. At most n runs exist: a capacity of n always suffices. If the capacity is too
 * small, MOTE_ERROR_CAPACITY is reported with the capacity needed, module_start[0] still counts all
 * runs, and the runs that fit are written. Work is linear in n, even with long stretches of invalid
 * digis.
 *
 * Empty input: module_start[0] = 0. Other contracts as mote_pixels_cluster(). Since: 0.1.
 */
MOTE_API mote_status mote_pixels_module_start(mote_context *ctx, cl_command_queue queue,
                                              const mote_pixels_module_start_args *args,
                                              cl_uint num_wait, const cl_event *wait,
                                              cl_event *event);

/** Returns the scratch for mote_pixels_module_start(), like mote_pixels_cluster_workspace_size().
 */
MOTE_API mote_status mote_pixels_module_start_workspace_size(
    mote_context *ctx, const mote_pixels_module_start_args *args, size_t *bytes);

/** Arguments of mote_pixels_charge_cut(). */
typedef struct mote_pixels_charge_cut_args {
    size_t size;                /**< set by mote_pixels_charge_cut_args_init() */
    mote_view module_id;        /**< in, n, uint16 or uint32 */
    mote_view adc;              /**< in, n, uint16 or uint32 */
    mote_view event_offsets;    /**< in, E + 1, uint32; optional */
    uint32_t n_modules;         /**< modules in the detector */
    uint32_t invalid_module_id; /**< 0 = the default, as above */
    int32_t invalid_cluster_id; /**< 0 = -1 */
    uint64_t charge_cut;        /**< as in mote_pixels_cluster_args */
    uint64_t charge_cut_inner;  /**< the cut of modules below inner_modules */
    uint32_t inner_modules;     /**< 0 = charge_cut holds for every module */
    mote_view charge_cuts;      /**< in, M, uint32; optional */
    mote_view cluster_id;       /**< in and out, n, int32: renumbered; negative ids are ignored */
    mote_view module_id_out;    /**< out, n, type of module_id; may be module_id; optional */
    mote_view n_clusters;       /**< in and out, E x M, uint32 */
    mote_view workspace;        /**< as above */
    cl_mem error;               /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;        /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;        /**< not 0: the word is not cleared first */
} mote_pixels_charge_cut_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_pixels_charge_cut_args)

/**
 * Drops clusters whose charge is below their module's cut and renumbers the others, keeping order.
 *
 * The labels come from mote_pixels_cluster() without a cut, or from another program. A cluster is
 * kept when its charge, the 64-bit sum of adc over its digis, is greater than or equal to the cut.
 * Scratch is reserved for n clusters, the largest possible sum of n_clusters. Errors in the data:
 * MOTE_ERROR_EVENT_OFFSETS, MOTE_ERROR_MODULE, MOTE_ERROR_CLUSTER_ID. Other contracts as
 * mote_pixels_cluster(). Since: 0.1.
 */
MOTE_API mote_status mote_pixels_charge_cut(mote_context *ctx, cl_command_queue queue,
                                            const mote_pixels_charge_cut_args *args,
                                            cl_uint num_wait, const cl_event *wait,
                                            cl_event *event);

/** Returns the scratch for mote_pixels_charge_cut(), like mote_pixels_cluster_workspace_size(). */
MOTE_API mote_status mote_pixels_charge_cut_workspace_size(mote_context *ctx,
                                                           const mote_pixels_charge_cut_args *args,
                                                           size_t *bytes);

/** Arguments of mote_pixels_cluster_start(). */
typedef struct mote_pixels_cluster_start_args {
    size_t size;             /**< set by mote_pixels_cluster_start_args_init() */
    mote_view n_clusters;    /**< in, k, uint32 */
    mote_view cluster_start; /**< out, k + 1, uint32: exclusive sum, last = total */
    mote_view workspace;     /**< as above */
} mote_pixels_cluster_start_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_pixels_cluster_start_args)

/**
 * Prefix sums of the clusters of each module. Sums wrap at 2^32.
 *
 * Empty input: cluster_start[0] = 0. Other contracts as mote_pixels_cluster(). Since: 0.1.
 */
MOTE_API mote_status mote_pixels_cluster_start(mote_context *ctx, cl_command_queue queue,
                                               const mote_pixels_cluster_start_args *args,
                                               cl_uint num_wait, const cl_event *wait,
                                               cl_event *event);

/** Returns the scratch of mote_pixels_cluster_start() like mote_pixels_cluster_workspace_size(). */
MOTE_API mote_status mote_pixels_cluster_start_workspace_size(
    mote_context *ctx, const mote_pixels_cluster_start_args *args, size_t *bytes);

#ifdef __cplusplus
}
#endif

#include "pixels_host.h"

#endif
