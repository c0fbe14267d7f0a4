/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file jagged_host.h
 * @brief Jagged arrays in plain arrays of the host: the blocking calls of jagged.h, which includes
 * this file.
 *
 * Each call copies its arrays to the device and back, through a mote_host that may be reused from
 * call to call; a CPU device uses them in place (mote/buffer.h). Every list is checked.
 */
#ifndef MOTE_JAGGED_HOST_H
#define MOTE_JAGGED_HOST_H
#include "jagged.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Arguments of mote_jagged_parents_host() and mote_jagged_local_index_host(). Give offsets, or
 * starts and stops (not for the local index).
 */
typedef struct mote_jagged_parents_host_args {
    size_t size;           /**< set by mote_jagged_parents_host_args_init() */
    mote_type type;        /**< of all arrays: int32, uint32 or int64 */
    size_t lists;          /**< m */
    const void *offsets;   /**< m + 1 */
    const void *starts;    /**< m */
    const void *stops;     /**< m */
    void *out;             /**< parents or local index, n */
    size_t n;              /**< elements of out; relative form: at least offsets[m] - offsets[0] */
    uint32_t absolute;     /**< as in mote_jagged_parents_args, like the members below */
    size_t content_length; /**< offsets beyond it are an error; 0 = not checked */
    mote_jagged_strategy strategy; /**< how the work is divided */
    mote_jagged_overlap overlap;   /**< whether starts and stops are tested for common elements */
} mote_jagged_parents_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_API void mote_jagged_parents_host_args_init(mote_jagged_parents_host_args *args);

/**
 * mote_jagged_parents() for arrays of the host; blocking.
 *
 * host: the state to use; NULL = a temporary one. Every list is checked; the sentence names the
 * lowest bad list and its values, as in "list 16: offsets[17] = 5 < offsets[16] = 9". Returns: as
 * mote_jagged_parents(), and the errors in the data. Empty input: m = 0 takes NULL starts and
 * stops, n = 0 a NULL out. Threads: one call at a time for each host. Blocks: yes. Deterministic:
 * yes. Since: 0.1.
 */
MOTE_API mote_status mote_jagged_parents_host(mote_context *ctx, mote_host *host,
                                              const mote_jagged_parents_host_args *args);

/** mote_jagged_local_index() for host arrays, as mote_jagged_parents_host(). Since: 0.1. */
MOTE_API mote_status mote_jagged_local_index_host(mote_context *ctx, mote_host *host,
                                                  const mote_jagged_parents_host_args *args);

/**
 * Arguments of mote_jagged_counts_host(), mote_jagged_offsets_from_counts_host() and
 * mote_jagged_offsets_from_parents_host().
 */
typedef struct mote_jagged_offsets_host_args {
    size_t size;    /**< set by mote_jagged_offsets_host_args_init() */
    mote_type type; /**< of all arrays: int32, uint32 or int64 */
    size_t lists;   /**< m */
    const void *in; /**< offsets (m + 1), counts (m) or parents (n), as the function's name says;
                         for counts and offsets, starts and stops may be given instead */
    const void *starts; /**< m */
    const void *stops;  /**< m */
    size_t n;           /**< length of parents */
    void *out;          /**< counts (m) or offsets (m + 1) */
} mote_jagged_offsets_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_API void mote_jagged_offsets_host_args_init(mote_jagged_offsets_host_args *args);

/** mote_jagged_counts() for host arrays, as mote_jagged_parents_host(). Since: 0.1. */
MOTE_API mote_status mote_jagged_counts_host(mote_context *ctx, mote_host *host,
                                             const mote_jagged_offsets_host_args *args);

/** mote_jagged_offsets_from_counts() for host arrays, as mote_jagged_parents_host(). Since: 0.1. */
MOTE_API mote_status mote_jagged_offsets_from_counts_host(
    mote_context *ctx, mote_host *host, const mote_jagged_offsets_host_args *args);

/** Computes offsets from parents for host arrays, with the contracts of mote_jagged_parents_host().
 * Since: 0.1. */
MOTE_API mote_status mote_jagged_offsets_from_parents_host(
    mote_context *ctx, mote_host *host, const mote_jagged_offsets_host_args *args);

/** Arguments of mote_jagged_reduce_host(). */
typedef struct mote_jagged_reduce_host_args {
    size_t size;              /**< set by mote_jagged_reduce_host_args_init() */
    mote_type offsets_type;   /**< int32, uint32 or int64 */
    size_t lists;             /**< m */
    const void *offsets;      /**< m + 1 */
    mote_type values_type;    /**< bool, any integers, float16, float32 or float64 */
    const void *values;       /**< values that the offsets refer to; not needed by COUNT */
    size_t values_length;     /**< of values, in elements */
    uint32_t base_first;      /**< as in mote_jagged_reduce_args, like the members below */
    mote_reduction reduction; /**< what is computed from the values */
    mote_nan_policy nan;      /**< the treatment of NaN values */
    mote_type result_type;    /**< 0 = float32 for sums and products of float32, else the only
                                   possible type */
    void *result;             /**< out, m */
    uint32_t ddof;            /**< as in mote_jagged_reduce_args */
} mote_jagged_reduce_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_API void mote_jagged_reduce_host_args_init(mote_jagged_reduce_host_args *args);

/** mote_jagged_reduce() for host arrays, as mote_jagged_parents_host(). Since: 0.1. */
MOTE_API mote_status mote_jagged_reduce_host(mote_context *ctx, mote_host *host,
                                             const mote_jagged_reduce_host_args *args);

/** Arguments of mote_jagged_scan_host(). */
typedef struct mote_jagged_scan_host_args {
    size_t size;              /**< set by mote_jagged_scan_host_args_init() */
    mote_type offsets_type;   /**< int32, uint32 or int64 */
    size_t lists;             /**< m */
    const void *offsets;      /**< m + 1 */
    mote_type values_type;    /**< bool, any integers, float16, float32 or float64 */
    const void *values;       /**< n */
    size_t values_length;     /**< n */
    mote_reduction reduction; /**< as in mote_jagged_scan_args, like the member below */
    uint32_t exclusive;       /**< not 0: a result excludes the element itself */
    mote_type result_type;    /**< 0 = float32 for sums and products of float32, else the only
                                   possible type */
    void *result;             /**< out, n */
} mote_jagged_scan_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_API void mote_jagged_scan_host_args_init(mote_jagged_scan_host_args *args);

/** mote_jagged_scan() for host arrays, as mote_jagged_parents_host(). Since: 0.1. */
MOTE_API mote_status mote_jagged_scan_host(mote_context *ctx, mote_host *host,
                                           const mote_jagged_scan_host_args *args);

/** Arguments of mote_jagged_sort_host(). */
typedef struct mote_jagged_sort_host_args {
    size_t size;            /**< set by mote_jagged_sort_host_args_init() */
    mote_type offsets_type; /**< int32, uint32 or int64 */
    size_t lists;           /**< m */
    const void *offsets;    /**< m + 1 */
    mote_type values_type;  /**< bool, any integers, float16, float32 or float64 */
    const void *values;     /**< n */
    size_t values_length;   /**< n */
    void *result;           /**< out, n, of values_type; NULL = not needed */
    mote_type indices_type; /**< int32, uint32 or int64 */
    void *indices;          /**< out, n; NULL = not needed. One of the two must be given */
    uint32_t descending;    /**< not 0: the largest value of a list comes first */
} mote_jagged_sort_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_API void mote_jagged_sort_host_args_init(mote_jagged_sort_host_args *args);

/** mote_jagged_sort() for host arrays, as mote_jagged_parents_host(). Since: 0.1. */
MOTE_API mote_status mote_jagged_sort_host(mote_context *ctx, mote_host *host,
                                           const mote_jagged_sort_host_args *args);

#ifdef __cplusplus
}
#endif

#endif
