/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file reduce.h
 * @brief Sums, minima and maxima of whole arrays and of rows of equal length.
 *
 * One buffer holds rows x n values, row after row: x0 .. x(n-1), y0 .. y(n-1), ... Each row gives
 * one result. A single array is one row. One or two launches reduce all rows, however many there
 * are. Since the result is a view on the device, other kernels can continue with it without a copy
 * to the host.
 *
 * Guarantees. The order in which values are added is fixed by n alone (the "virtual layout",
 * below), so a sum is the same bits on every device that has double precision, at every work-group
 * size and in every run. Minima, maxima and integer sums are the same bits on every device.
 *
 * Accuracy of float sums, with eps of the type that accumulates and S = sum of |x|:
 * - MOTE_ACCUMULATE_DEFAULT: float32 in double (in two floats where the device has no double
 *   precision), float64 in double: |r - exact| <= eps (ceil(log2 n) + 16) S, plus eps n / 2^26 S
 *   for more than 2^31 values;
 * - MOTE_ACCUMULATE_NATIVE: float32 in float32, the same bound with float32's eps;
 * - MOTE_ACCUMULATE_COMPENSATED: every addition keeps its rounding error (error-free
 *   transformations): at most 2 ulp of the exact sum plus n^2 eps^2 S.
 * Then the result is rounded once to its type. NaN and infinities give the same result as in an
 * exact sum; only an intermediate overflow of finite values may change it.
 *
 * float16 values give the same result as the same values in float32; they and narrow integers are
 * read directly, without a wider copy.
 *
 * Minima and maxima: -0 is below +0. A NaN result is the quiet NaN with neither sign nor payload.
 *
 * Virtual layout. A row is cut into blocks of B values: B is 8192, doubled until a row has no more
 * than 8192 blocks. A block is cut into tiles of 8192 values. In a tile, lane l of 1024 adds the
 * values l, l + 1024, ..., l + 7168 in this order, beginning with +0; a lane's sums of the tiles
 * are added in their order, beginning with +0. Then the lanes are combined by pairs: first 2k with
 * 2k + 1, then the results 2k with 2k + 1 again, and so on (10 levels). The sums of a row's blocks
 * are added in the same way: lane l of 1024 adds the blocks l, l + 1024, ..., and the lanes are
 * combined by pairs. Missing values (beyond the end of the row, or skipped NaN) count as +0, so no
 * sum is -0.
 *
 * Limits: any n that fits device memory, also above 2^32; fewer than 2^31 rows.
 * Cost: every value is read once; `mote bench reduce` measures the time on your device.
 *
 * Sources: pairwise summation, N. J. Higham, "The accuracy of floating point summation", SIAM J.
 * Sci. Comput. 14 (1993) 783; error-free transformations, T. Ogita, S. Rump, S. Oishi, "Accurate
 * sum and dot product", SIAM J. Sci. Comput. 26 (2005) 1955.
 */
#ifndef MOTE_REDUCE_H
#define MOTE_REDUCE_H

#include "buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What is computed from many values. mote_reduce() accepts SUM, MIN and MAX. Numbers are frozen.
 *
 * The usual types of results of mote_jagged_reduce(), where (u)int64 is uint64 for values that
 * are unsigned and int64 for others, and the result of an empty list:
 * - SUM: (u)int64 (wrapping) of bool and integers, else at least float32; empty: 0
 * - PROD: (u)int64 (wrapping) of bool and integers, else at least float32; empty: 1
 * - MIN: as values; empty: the type's largest value or +inf
 * - MAX: as values; empty: the type's smallest value or -inf
 * - ARGMIN: as offsets: position of the first smallest value; empty: -1 (uint32: 4294967295)
 * - ARGMAX: as offsets: position of the first largest value; empty: -1 (uint32: 4294967295)
 * - COUNT: as offsets: number of values
 * - COUNTNONZERO: as offsets: number of values that are not 0; NaN is not 0
 * - ANY: 0 or 1: whether any value is not 0; empty: 0
 * - ALL: 0 or 1: whether no value is 0; empty: 1
 * - MEAN: float64 of integers and bool, float32 of float16, else as values; empty: NaN
 * - VAR: variance (see ddof), of the type of a mean; empty: NaN
 * - STD: standard deviation (see ddof), of the type of a mean; empty: NaN
 */
typedef enum mote_reduction {
    MOTE_REDUCE_SUM = 0,
    MOTE_REDUCE_PROD = 1,
    MOTE_REDUCE_MIN = 2,
    MOTE_REDUCE_MAX = 3,
    MOTE_REDUCE_ARGMIN = 4,
    MOTE_REDUCE_ARGMAX = 5,
    MOTE_REDUCE_COUNT = 6,
    MOTE_REDUCE_COUNTNONZERO = 7,
    MOTE_REDUCE_ANY = 8,
    MOTE_REDUCE_ALL = 9,
    MOTE_REDUCE_MEAN = 10,
    MOTE_REDUCE_VAR = 11,
    MOTE_REDUCE_STD = 12
} mote_reduction;

/**
 * The name of a reduction in the command, such as "argmin"; NULL for an unknown number, so counting
 * up from 0 lists all reductions. Threads: any. Since: 0.1.
 */
MOTE_API const char *mote_reduction_name(mote_reduction reduction);

/**
 * A line about the results of a reduction of lists: their type, and the result of an empty list;
 * NULL for an unknown number. Threads: any. Since: 0.1.
 */
MOTE_API const char *mote_reduction_about(mote_reduction reduction);

/**
 * The types that results may have, as a set of bits 1 << mote_type: the lowest is the usual one.
 *
 * values: type of the values. offsets: type of the offsets, MOTE_TYPE_NONE for mote_reduce().
 * Returns: 0 for an invalid combination. Threads: any. Since: 0.1.
 */
MOTE_API uint32_t mote_reduction_results(mote_reduction reduction, mote_type values,
                                         mote_type offsets);

/** What a NaN among float values does to a minimum or maximum (and, in lists, to sums). */
typedef enum mote_nan_policy {
    MOTE_NAN_PROPAGATE = 0, /**< the result is NaN; arg* give the first NaN */
    MOTE_NAN_SKIP = 1       /**< NaN values are ignored */
} mote_nan_policy;

/** Returns a value's name ("skip"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_nan_policy_name(mote_nan_policy policy);

/** The accuracy of float sums; see the top of this header. */
typedef enum mote_accumulation {
    MOTE_ACCUMULATE_DEFAULT = 0,
    MOTE_ACCUMULATE_NATIVE = 1,
    MOTE_ACCUMULATE_COMPENSATED = 2
} mote_accumulation;

/** Returns a value's name ("compensated"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_accumulation_name(mote_accumulation accumulation);

/** Arguments of mote_reduce() and mote_reduce_rows(). */
typedef struct mote_reduce_args {
    size_t size;      /**< set by mote_reduce_args_init() */
    mote_view values; /**< in, rows x n, bool, any integers, float16, float32 or float64 */
    size_t rows; /**< mote_reduce_rows(): rows; n is values.count / rows. mote_reduce(): 0 or 1 */
    mote_reduction reduction;       /**< MOTE_REDUCE_SUM (0), MOTE_REDUCE_MIN or MOTE_REDUCE_MAX */
    mote_accumulation accumulation; /**< of float sums */
    mote_nan_policy nan;            /**< for MIN, MAX and SUM: SKIP ignores NaN values */
    mote_view result;     /**< out, rows; sums: float32 or float64 for float16 and float32 values,
                               float64 for float64, uint64 for unsigned integers, int64 for others
                               and bool (wrapping at 2^64); MIN, MAX: as values */
    mote_view result_low; /**< out, rows, float32: the error of rounding the result to float32:
                               result + result_low is nearly the accumulated sum; optional, only for
                               sums with a float32 result */
    mote_view workspace;  /**< scratch of the caller, uint32, mote_reduce_workspace_size() bytes;
                               NULL = the context's pool */
} mote_reduce_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_reduce_args)

/**
 * Sum (minimum, maximum) of an array.
 *
 * queue: a queue of the context, in order or not. args: see above; copied, need not outlive the
 * call. num_wait, wait: events the work waits for. event: receives an event that covers all of it
 * (the caller releases it); NULL = not wanted. The caller's memory objects must live until it
 * completes. result must not overlap values.
 *
 * Empty input: with n = 0 the view values may be NULL if the type of result determines what is
 * summed: sums are 0, minima +inf or the type's largest, maxima -inf or the type's smallest value.
 * Returns: MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT, MOTE_ERROR_INVALID_STRUCT,
 * MOTE_ERROR_INVALID_TYPE, MOTE_ERROR_INVALID_VIEW, MOTE_ERROR_WRONG_CONTEXT (nothing was
 * enqueued); MOTE_ERROR_UNSUPPORTED (float64 on a device without it); MOTE_ERROR_BUILD;
 * MOTE_ERROR_OUT_OF_DEVICE_MEMORY; an OpenCL code.
 * Threads: any number at once. Blocks: no (the first call of a kind builds kernels).
 * Deterministic: yes, see the top of this header. Since: 0.1.
 */
MOTE_API mote_status mote_reduce(mote_context *ctx, cl_command_queue queue,
                                 const mote_reduce_args *args, cl_uint num_wait,
                                 const cl_event *wait, cl_event *event);

/**
 * Sum (minimum, maximum) of each row of rows x n values.
 *
 * args.rows must divide values.count (0 rows: result is empty too and nothing is done).
 * Other contracts as mote_reduce(). Since: 0.1.
 */
MOTE_API mote_status mote_reduce_rows(mote_context *ctx, cl_command_queue queue,
                                      const mote_reduce_args *args, cl_uint num_wait,
                                      const cl_event *wait, cl_event *event);

/**
 * Bytes of scratch that mote_reduce() or mote_reduce_rows() needs with these arguments, for callers
 * that provide their own; views may have NULL memory objects. One call may be in flight on a
 * workspace at a time.
 *
 * Returns: as mote_reduce_rows(). Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_reduce_workspace_size(mote_context *ctx, const mote_reduce_args *args,
                                                size_t *bytes);

/** Arguments of mote_reduce_host(): plain arrays of the host. */
typedef struct mote_reduce_host_args {
    size_t size;                    /**< set by mote_reduce_host_args_init() */
    const void *values;             /**< rows x n values of `type` */
    mote_type type;                 /**< bool, any integers, float16, float32 or float64 */
    size_t rows;                    /**< 0 = 1 */
    size_t n;                       /**< values in a row */
    mote_reduction reduction;       /**< what is computed from the values */
    mote_accumulation accumulation; /**< the accuracy of float sums */
    mote_nan_policy nan;            /**< the treatment of NaN values */
    void *result;                   /**< out, rows values of result_type */
    mote_type result_type; /**< as mote_reduce_args.result; 0 = float64, int64, uint64, or `type`
                              for MIN and MAX. float64 for float16 and float32 values works on every
                              device: without double precision, the host adds the two floats */
} mote_reduce_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_reduce_host_args)

/**
 * Sums (minima, maxima) of the rows of a host array; blocking.
 *
 * host: the state to use; NULL = a temporary one.
 * Returns: as mote_reduce(). Empty input: with n = 0 the array may be NULL. Threads: one call at a
 * time for each host. Blocks: yes. Deterministic: yes. Since: 0.1.
 */
MOTE_API mote_status mote_reduce_host(mote_context *ctx, mote_host *host,
                                      const mote_reduce_host_args *args);

#ifdef __cplusplus
}
#endif

#endif
