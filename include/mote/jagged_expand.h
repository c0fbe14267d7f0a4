/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file jagged_expand.h
 * @brief Jagged arrays: calls whose results have more or fewer elements than their inputs. jagged.h
 * includes this file and describes lists, errors in the data and guarantees.
 *
 * The parents that these calls need are never stored.
 */
#ifndef MOTE_JAGGED_EXPAND_H
#define MOTE_JAGGED_EXPAND_H
#include "jagged.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Arguments of mote_jagged_gather_by_parent(). */
typedef struct mote_jagged_gather_by_parent_args {
    size_t size;       /**< set by mote_jagged_gather_by_parent_args_init() */
    mote_view offsets; /**< in, m + 1, int32, uint32 or int64 */
    mote_view values;  /**< in, m, any type of 1, 2, 4 or 8 bytes: one value for each list */
    mote_view result;  /**< out, n, type of values: element i is position offsets[0] + i; elements
                            that belong to no list are not changed */
    mote_jagged_validate validate; /**< which offsets are checked */
    mote_view workspace;           /**< as in mote_jagged_parents_args */
    cl_mem error;                  /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;           /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;           /**< not 0: the word is not cleared first */
    mote_view elements; /**< in, n, bool, integers or floats; optional. If given, element i of the
                             result is elements[i], as a double, minus the value of its list; values
                             and result are then float64, and the device needs double precision */
    uint32_t squared;   /**< with elements: not 0 = the squares of the differences */
} mote_jagged_gather_by_parent_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_API void mote_jagged_gather_by_parent_args_init(mote_jagged_gather_by_parent_args *args);

/**
 * Copies the value of each list to all its elements: result[i] = values[parents[i]], without
 * storing the parents. With elements, the result is the difference of the element from that value,
 * rounded once, or the square of this difference. With the means of lists as values, variances lose
 * no digits in this way.
 *
 * Errors in the data: those at the top of jagged.h, MOTE_ERROR_CAPACITY (more elements than result;
 * index: their number). Other contracts as mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_gather_by_parent(mote_context *ctx, cl_command_queue queue,
                                                  const mote_jagged_gather_by_parent_args *args,
                                                  cl_uint num_wait, const cl_event *wait,
                                                  cl_event *event);

/**
 * Scratch of mote_jagged_gather_by_parent(), as mote_jagged_parents_workspace_size().
 * Since: 0.1.
 */
MOTE_API mote_status mote_jagged_gather_by_parent_workspace_size(
    mote_context *ctx, const mote_jagged_gather_by_parent_args *args, size_t *bytes);

/** Arguments of mote_jagged_product(), mote_jagged_pairs() and mote_jagged_combinations(). */
typedef struct mote_jagged_combinations_args {
    size_t size;         /**< set by mote_jagged_combinations_args_init() */
    mote_view offsets_a; /**< in, m + 1, int32, uint32 or int64 */
    mote_view offsets_b; /**< in, m + 1, type of offsets_a; absent if combinations are of the
                              elements of one list */
    mote_view offsets;   /**< out, m + 1, type of offsets_a: where the combinations of each list
                              begin; the first is 0, the last is their number, even when they do not
                              fit */
    mote_view first;     /**< out, any capacity, type of offsets_a: position of the first element of
                              each combination in the content of a */
    mote_view second;    /**< out, as many as first: position of the second element, in b (without
                              offsets_b: in a) */
    mote_jagged_validate validate; /**< which offsets are checked */
    mote_view workspace;           /**< as in mote_jagged_parents_args */
    cl_mem error;                  /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;           /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;           /**< not 0: the word is not cleared first */
    uint32_t n; /**< mote_jagged_combinations() without offsets_b: elements of a combination,
                     2, 3 or 4; 0 = 2. Otherwise 0 */
    mote_view offsets_c; /**< in, mote_jagged_combinations(): as offsets_b, of a third array */
    mote_view offsets_d; /**< in, as offsets_c, which then is needed, of a fourth array */
    mote_view third;     /**< out, with n of 3 or 4, or with offsets_c: as second */
    mote_view fourth;    /**< out, with n of 4, or with offsets_d: as second */
} mote_jagged_combinations_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_API void mote_jagged_combinations_args_init(mote_jagged_combinations_args *args);

/**
 * All combinations of an element of list k of a with one of list k of b, for each k.
 *
 * Inside a list, combinations ascend by the element of a, then by that of b.
 * Errors in the data: those at the top of jagged.h; MOTE_ERROR_OFFSETS_OUT_OF_RANGE also for the
 * first list whose combinations the type cannot count; MOTE_ERROR_CAPACITY (index: the capacity
 * needed, at most 2^32 - 2; offsets, and the combinations that fit, are then valid). Other
 * contracts as mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_product(mote_context *ctx, cl_command_queue queue,
                                         const mote_jagged_combinations_args *args,
                                         cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * All pairs i < j of elements of the same list; inside a list they ascend by i, then j.
 * Errors in the data: those at the top of jagged.h; MOTE_ERROR_OFFSETS_OUT_OF_RANGE also for the
 * first list whose pairs the type cannot count; MOTE_ERROR_CAPACITY (index: the capacity needed, at
 * most 2^32 - 2; offsets, and the pairs that fit, are then valid). Other contracts as
 * mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_pairs(mote_context *ctx, cl_command_queue queue,
                                       const mote_jagged_combinations_args *args, cl_uint num_wait,
                                       const cl_event *wait, cl_event *event);

/**
 * All combinations of n different elements of the same list, or with offsets_b all combinations of
 * an element of list k of each of two to four arrays.
 *
 * The elements of a combination of one list ascend. Inside a list, combinations ascend by the first
 * element, then by the second, and so on. mote_jagged_pairs() and mote_jagged_product() are the
 * cases of two elements. Errors in the data: those at the top of jagged.h;
 * MOTE_ERROR_OFFSETS_OUT_OF_RANGE also for the first list whose combinations the type cannot count;
 * MOTE_ERROR_CAPACITY (index: the capacity needed, at most 2^32 - 2; offsets, and the combinations
 * that fit, are then valid). Other contracts as mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_combinations(mote_context *ctx, cl_command_queue queue,
                                              const mote_jagged_combinations_args *args,
                                              cl_uint num_wait, const cl_event *wait,
                                              cl_event *event);

/**
 * Determines the scratch of mote_jagged_combinations(), mote_jagged_product() (with offsets_b) and
 * mote_jagged_pairs() (without), as mote_jagged_parents_workspace_size() does. Since: 0.1.
 */
MOTE_API mote_status mote_jagged_combinations_workspace_size(
    mote_context *ctx, const mote_jagged_combinations_args *args, size_t *bytes);

/** Arguments of mote_jagged_nonzero(). */
typedef struct mote_jagged_nonzero_args {
    size_t size;       /**< set by mote_jagged_nonzero_args_init() */
    mote_view offsets; /**< in, m + 1, int32, uint32 or int64 */
    mote_view values;  /**< in, of any type that mote_jagged_reduce() accepts; values other than 0
                            are kept, including NaN */
    mote_view offsets_out; /**< out, m + 1, type of offsets: the lists of the kept elements; the
                              first 0 */
    mote_view positions;   /**< out, any capacity, type of offsets: position of each kept element in
                              values, ascending */
    mote_jagged_validate validate; /**< which offsets are checked */
    mote_view workspace;           /**< as in mote_jagged_parents_args */
    cl_mem error;                  /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;           /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;           /**< not 0: the word is not cleared first */
    mote_view elements; /**< in, as many as values, any type of 1, 2, 4 or 8 bytes; optional */
    mote_view filtered; /**< out, with elements: any capacity, type of elements: the elements that
                           are kept, in input order */
} mote_jagged_nonzero_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_API void mote_jagged_nonzero_args_init(mote_jagged_nonzero_args *args);

/**
 * Positions of the elements that are not 0, and the offsets of the lists they form. With elements,
 * it filters lists: values is the mask, and filtered receives the elements that are kept; positions
 * may then be absent.
 *
 * values[p] belongs to list k when offsets[k] <= p < offsets[k + 1]; values outside all lists are
 * ignored. Errors in the data: those at the top of jagged.h; MOTE_ERROR_CAPACITY (index: the
 * capacity needed by positions and filtered, at most 2^32 - 2; offsets_out, and what fits, are then
 * valid). Other contracts as mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_nonzero(mote_context *ctx, cl_command_queue queue,
                                         const mote_jagged_nonzero_args *args, cl_uint num_wait,
                                         const cl_event *wait, cl_event *event);

/** Determines the scratch of mote_jagged_nonzero(), as mote_jagged_parents_workspace_size() does.
 * Since: 0.1. */
MOTE_API mote_status mote_jagged_nonzero_workspace_size(mote_context *ctx,
                                                        const mote_jagged_nonzero_args *args,
                                                        size_t *bytes);

/** Arguments of mote_jagged_run_lengths(). */
typedef struct mote_jagged_run_lengths_args {
    size_t size;           /**< set by mote_jagged_run_lengths_args_init() */
    mote_view offsets;     /**< in, m + 1, int32, uint32 or int64 */
    mote_view values;      /**< in, of any type that mote_jagged_reduce() accepts */
    mote_view offsets_out; /**< out, m + 1, type of offsets: the runs of each list; the first 0 */
    mote_view positions;   /**< out, any capacity, type of offsets: position of the first element of
                              each run in values, ascending; optional */
    mote_view run_values;  /**< out, any capacity, type of values: the first element of each run;
                              optional */
    mote_view lengths;     /**< out, as many as positions, which then are needed, type of offsets:
                              elements of each run; optional */
    uint32_t equal_nan;    /**< not 0: a NaN equals another NaN; 0: each NaN is a run of its own */
    mote_jagged_validate validate; /**< which offsets are checked */
    mote_view workspace;           /**< as in mote_jagged_parents_args */
    cl_mem error;                  /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;           /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;           /**< not 0: the word is not cleared first */
} mote_jagged_run_lengths_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_API void mote_jagged_run_lengths_args_init(mote_jagged_run_lengths_args *args);

/**
 * Runs of equal neighbouring elements inside lists: where they begin, their values and lengths, and
 * the offsets of the lists that they form. -0 equals 0.
 *
 * Of sorted lists (mote_jagged_sort()), run_values are the different values of each list, and
 * lengths their counts. Values outside all lists are ignored. Errors in the data: those at the top
 * of jagged.h; MOTE_ERROR_CAPACITY (index: the capacity needed, at most 2^32 - 2; offsets_out, and
 * the positions and run_values that fit, are then valid). Other contracts as
 * mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_run_lengths(mote_context *ctx, cl_command_queue queue,
                                             const mote_jagged_run_lengths_args *args,
                                             cl_uint num_wait, const cl_event *wait,
                                             cl_event *event);

/** Determines the scratch of mote_jagged_run_lengths(), as mote_jagged_parents_workspace_size()
 * does. Since: 0.1. */
MOTE_API mote_status mote_jagged_run_lengths_workspace_size(
    mote_context *ctx, const mote_jagged_run_lengths_args *args, size_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
