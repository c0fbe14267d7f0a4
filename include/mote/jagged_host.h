/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file jagged_host.h
 * @brief Jagged arrays in plain arrays of the host: the blocking calls of jagged.h, which includes
 * this file.
 *
 * Each call copies its arrays to the device and back, through a mote_host that may be reused from
 * call to call; a CPU device uses them in place (mote/buffer.h). Every list is checked.
 *
 * If the number of results depends on the data, the arguments have a member `capacity`: the length
 * of each array of results. There are two ways to find a sufficient capacity. Results that are
 * selected from `values` need no more room than there are values. For all other results, make the
 * call twice. The first call has NULL for each array of results and only computes the offsets of
 * the new lists, the last of which is the number of results. If the arrays of results are too
 * short, the call returns MOTE_ERROR_CAPACITY, and the sentence names the capacity needed; the
 * offsets and the results that fit are valid. Elements after the results do not change.
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
MOTE_INITIALISER(mote_jagged_parents_host_args)

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
MOTE_INITIALISER(mote_jagged_offsets_host_args)

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
MOTE_INITIALISER(mote_jagged_reduce_host_args)

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
MOTE_INITIALISER(mote_jagged_scan_host_args)

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
MOTE_INITIALISER(mote_jagged_sort_host_args)

/** mote_jagged_sort() for host arrays, as mote_jagged_parents_host(). Since: 0.1. */
MOTE_API mote_status mote_jagged_sort_host(mote_context *ctx, mote_host *host,
                                           const mote_jagged_sort_host_args *args);

/** Arguments of mote_jagged_gather_by_parent_host(). */
typedef struct mote_jagged_gather_by_parent_host_args {
    size_t size;             /**< set by mote_jagged_gather_by_parent_host_args_init() */
    mote_type offsets_type;  /**< int32, uint32 or int64 */
    size_t lists;            /**< m */
    const void *offsets;     /**< m + 1 */
    mote_type values_type;   /**< any type of 1, 2, 4 or 8 bytes; also the type of result */
    const void *values;      /**< m */
    size_t n;                /**< length of result: at least offsets[m] - offsets[0] */
    void *result;            /**< out, n */
    mote_type elements_type; /**< bool, any integers, float16, float32 or float64 */
    const void *elements;    /**< n; optional, as in mote_jagged_gather_by_parent_args */
    uint32_t squared;        /**< as in mote_jagged_gather_by_parent_args */
} mote_jagged_gather_by_parent_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_gather_by_parent_host_args)

/** mote_jagged_gather_by_parent() for host arrays, as mote_jagged_parents_host(). Since: 0.1. */
MOTE_API mote_status mote_jagged_gather_by_parent_host(
    mote_context *ctx, mote_host *host, const mote_jagged_gather_by_parent_host_args *args);

/** Arguments of mote_jagged_combinations_host(). */
typedef struct mote_jagged_combinations_host_args {
    size_t size;            /**< set by mote_jagged_combinations_host_args_init() */
    mote_type offsets_type; /**< of all arrays: int32, uint32 or int64 */
    size_t lists;           /**< m */
    const void *offsets_a;  /**< m + 1 */
    const void *offsets_b;  /**< m + 1; NULL if the elements of a combination come from one list */
    const void *offsets_c;  /**< m + 1; NULL if there is no third array */
    const void *offsets_d;  /**< m + 1; NULL if there is no fourth array */
    uint32_t n;             /**< as in mote_jagged_combinations_args */
    void *offsets;          /**< out, m + 1: where the combinations of each list begin */
    size_t capacity;        /**< length of each array below */
    void *first;            /**< out, as in mote_jagged_combinations_args */
    void *second;           /**< out, likewise */
    void *third;            /**< out, if combinations have three or four elements */
    void *fourth;           /**< out, if combinations have four elements */
} mote_jagged_combinations_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_combinations_host_args)

/** mote_jagged_combinations() for host arrays, which includes products and pairs, as
 * mote_jagged_parents_host(). Since: 0.1. */
MOTE_API mote_status mote_jagged_combinations_host(mote_context *ctx, mote_host *host,
                                                   const mote_jagged_combinations_host_args *args);

/** Arguments of mote_jagged_nonzero_host(). */
typedef struct mote_jagged_nonzero_host_args {
    size_t size;             /**< set by mote_jagged_nonzero_host_args_init() */
    mote_type offsets_type;  /**< int32, uint32 or int64; also the type of offsets_out, positions */
    size_t lists;            /**< m */
    const void *offsets;     /**< m + 1 */
    mote_type values_type;   /**< bool, any integers, float16, float32 or float64 */
    const void *values;      /**< n: values other than 0 are kept */
    size_t values_length;    /**< n */
    mote_type elements_type; /**< any type of 1, 2, 4 or 8 bytes; also the type of filtered */
    const void *elements;    /**< n: what is filtered, and then values is the mask; optional */
    void *offsets_out;       /**< out, m + 1: the lists of the kept elements */
    size_t capacity;         /**< length of each array below */
    void *positions;         /**< out, positions of the kept elements; NULL = not needed */
    void *filtered;          /**< out, the kept elements; NULL = not needed */
} mote_jagged_nonzero_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_nonzero_host_args)

/** mote_jagged_nonzero() for host arrays, as mote_jagged_parents_host(). Since: 0.1. */
MOTE_API mote_status mote_jagged_nonzero_host(mote_context *ctx, mote_host *host,
                                              const mote_jagged_nonzero_host_args *args);

/** Arguments of mote_jagged_run_lengths_host(). */
typedef struct mote_jagged_run_lengths_host_args {
    size_t size;            /**< set by mote_jagged_run_lengths_host_args_init() */
    mote_type offsets_type; /**< int32, uint32 or int64; also the type of offsets_out, positions and
                                 lengths */
    size_t lists;           /**< m */
    const void *offsets;    /**< m + 1 */
    mote_type values_type;  /**< bool, any integers, float16, float32 or float64 */
    const void *values;     /**< n */
    size_t values_length;   /**< n */
    uint32_t equal_nan;     /**< as in mote_jagged_run_lengths_args */
    void *offsets_out;      /**< out, m + 1: runs of each list */
    size_t capacity;        /**< length of each array below */
    void *positions;  /**< out, position of the first element of each run; NULL = not needed */
    void *run_values; /**< out, first element of each run; NULL = not needed */
    void *lengths;    /**< out, elements of each run; NULL = not needed. It needs positions.
                                 After MOTE_ERROR_CAPACITY, the last one is unspecified */
} mote_jagged_run_lengths_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_run_lengths_host_args)

/** mote_jagged_run_lengths() for host arrays, as mote_jagged_parents_host(). Since: 0.1. */
MOTE_API mote_status mote_jagged_run_lengths_host(mote_context *ctx, mote_host *host,
                                                  const mote_jagged_run_lengths_host_args *args);

/** Arguments of mote_jagged_slice_host(). */
typedef struct mote_jagged_slice_host_args {
    size_t size;            /**< set by mote_jagged_slice_host_args_init() */
    mote_type offsets_type; /**< int32, uint32 or int64; also the type of offsets_out, positions */
    size_t lists;           /**< m */
    const void *offsets;    /**< m + 1 */
    mote_type values_type;  /**< any type of 1, 2, 4 or 8 bytes */
    const void *values;     /**< n */
    size_t values_length;   /**< n */
    int64_t start;          /**< as in mote_jagged_slice_args */
    int64_t stop;           /**< as in mote_jagged_slice_args */
    void *offsets_out;      /**< out, m + 1: the lists of the kept elements */
    size_t capacity;        /**< length of each array below */
    void *sliced;           /**< out, the kept elements; NULL = not needed */
    void *positions;        /**< out, positions of the kept elements; NULL = not needed */
} mote_jagged_slice_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_slice_host_args)

/** mote_jagged_slice() for host arrays, as mote_jagged_parents_host(). Since: 0.1. */
MOTE_API mote_status mote_jagged_slice_host(mote_context *ctx, mote_host *host,
                                            const mote_jagged_slice_host_args *args);

/** Arguments of mote_jagged_pad_host(). */
typedef struct mote_jagged_pad_host_args {
    size_t size;            /**< set by mote_jagged_pad_host_args_init() */
    mote_type offsets_type; /**< int32, uint32 or int64; also the type of starts */
    size_t lists;           /**< m */
    const void *offsets;    /**< m + 1 */
    mote_type values_type;  /**< any type of 1, 2, 4 or 8 bytes */
    const void *values;     /**< n */
    size_t values_length;   /**< n */
    int64_t start;          /**< as in mote_jagged_pad_args, like the members below */
    const void *starts;     /**< m; optional */
    size_t k;               /**< elements of a row */
    const void *fill;       /**< one value; NULL = 0 */
    void *result;           /**< out, m k */
} mote_jagged_pad_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_pad_host_args)

/** mote_jagged_pad() for host arrays, as mote_jagged_parents_host(). Since: 0.1. */
MOTE_API mote_status mote_jagged_pad_host(mote_context *ctx, mote_host *host,
                                          const mote_jagged_pad_host_args *args);

/** Arguments of mote_jagged_quantile_host(). */
typedef struct mote_jagged_quantile_host_args {
    size_t size;             /**< set by mote_jagged_quantile_host_args_init() */
    mote_type offsets_type;  /**< int32, uint32 or int64 */
    size_t lists;            /**< m */
    const void *offsets;     /**< m + 1 */
    mote_type values_type;   /**< bool, any integers, float16, float32 or float64 */
    const void *values;      /**< n: sorted lists, as of mote_jagged_sort_host() */
    size_t values_length;    /**< n */
    const double *quantiles; /**< numbers from 0 to 1 */
    size_t count;            /**< number of quantiles, up to 256 */
    void *result;            /**< out, m count: float32 if values are float16 or float32, else
                                  float64 */
} mote_jagged_quantile_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_quantile_host_args)

/** mote_jagged_quantile() for host arrays, as mote_jagged_parents_host(). Since: 0.1. */
MOTE_API mote_status mote_jagged_quantile_host(mote_context *ctx, mote_host *host,
                                               const mote_jagged_quantile_host_args *args);

#ifdef __cplusplus
}
#endif

#endif
