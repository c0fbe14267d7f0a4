/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file jagged_expand.h
 * @brief Jagged arrays: calls whose results have more or fewer elements than their inputs. jagged.h
 * includes this file and describes lists, errors in the data and guarantees.
 *
 * These calls do not store the parents of elements.
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
MOTE_INITIALISER(mote_jagged_gather_by_parent_args)

/**
 * Copies the value of each list to all its elements: result[i] = values[parents[i]], without
 * storing the parents. With elements, the result is the difference of the element from that value,
 * rounded once, or the square of this difference. With the means of lists as values, variances lose
 * no digits in this way.
 *
 * Errors in the data are described at the top of jagged.h. If the lists have more elements than
 * result, the error is MOTE_ERROR_CAPACITY; its index is their number. The other contracts are
 * those of mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_gather_by_parent(mote_context *ctx, cl_command_queue queue,
                                                  const mote_jagged_gather_by_parent_args *args,
                                                  cl_uint num_wait, const cl_event *wait,
                                                  cl_event *event);

/** Determines the scratch of mote_jagged_gather_by_parent(), as
 * mote_jagged_parents_workspace_size() does. Since: 0.1. */
MOTE_API mote_status mote_jagged_gather_by_parent_workspace_size(
    mote_context *ctx, const mote_jagged_gather_by_parent_args *args, size_t *bytes);

/** Arguments of mote_jagged_product(), mote_jagged_pairs() and mote_jagged_combinations(). */
typedef struct mote_jagged_combinations_args {
    size_t size;         /**< set by mote_jagged_combinations_args_init() */
    mote_view offsets_a; /**< in, m + 1, int32, uint32 or int64 */
    mote_view offsets_b; /**< in, m + 1, type of offsets_a; absent if the elements of a
                              combination come from one list */
    mote_view offsets;   /**< out, m + 1, type of offsets_a: where the combinations of each list
                              begin. The first is 0. The last is the number of combinations, even if
                              they do not fit */
    mote_view first;     /**< out, any capacity, type of offsets_a: position of the first element of
                              each combination in the content of a */
    mote_view second;    /**< out, as many as first: position of the second element in the content
                              of b, or of a if offsets_b is absent */
    mote_jagged_validate validate; /**< which offsets are checked */
    mote_view workspace;           /**< as in mote_jagged_parents_args */
    cl_mem error;                  /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;           /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;           /**< not 0: the word is not cleared first */
    uint32_t n; /**< for mote_jagged_combinations() without offsets_b: elements of a combination,
                     2, 3 or 4; 0 = 2. In all other calls 0 */
    mote_view offsets_c; /**< in, for mote_jagged_combinations(): as offsets_b, of a third array */
    mote_view offsets_d; /**< in, as offsets_c, of a fourth array; it needs offsets_c */
    mote_view third;     /**< out, if n is 3 or 4, or with offsets_c: as second */
    mote_view fourth;    /**< out, if n is 4, or with offsets_d: as second */
} mote_jagged_combinations_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_combinations_args)

/**
 * Lists all combinations of an element of list k of a and an element of list k of b, for each k.
 *
 * The combinations of a list ascend by the element of a, then by the element of b. Errors in the
 * data are as for mote_jagged_combinations(). The other contracts are those of
 * mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_product(mote_context *ctx, cl_command_queue queue,
                                         const mote_jagged_combinations_args *args,
                                         cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Lists all pairs i < j of elements of the same list. The pairs of a list ascend by i, then by j.
 *
 * Errors in the data are as for mote_jagged_combinations(). The other contracts are those of
 * mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_pairs(mote_context *ctx, cl_command_queue queue,
                                       const mote_jagged_combinations_args *args, cl_uint num_wait,
                                       const cl_event *wait, cl_event *event);

/**
 * Lists all combinations of n different elements of the same list. With offsets_b, it lists all
 * combinations of one element from list k of each of two to four arrays, for each k.
 *
 * Without offsets_b, the elements of a combination ascend. The combinations of a list ascend by
 * their first element, then by their second element, and so on. mote_jagged_pairs() and
 * mote_jagged_product() are the cases with two elements.
 *
 * Errors in the data are described at the top of jagged.h. MOTE_ERROR_OFFSETS_OUT_OF_RANGE is also
 * reported for the first list whose combinations the type of the offsets cannot count. If the
 * outputs are too small, the error is MOTE_ERROR_CAPACITY; its index is the capacity needed, at
 * most 2^32 - 2, and offsets and the combinations that fit are valid. The other contracts are those
 * of mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_combinations(mote_context *ctx, cl_command_queue queue,
                                              const mote_jagged_combinations_args *args,
                                              cl_uint num_wait, const cl_event *wait,
                                              cl_event *event);

/**
 * Determines the scratch of mote_jagged_combinations(), mote_jagged_product() (with offsets_b) and
 * mote_jagged_pairs() (without it), as mote_jagged_parents_workspace_size() does. Since: 0.1.
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
                              first is 0 */
    mote_view positions;   /**< out, any capacity, type of offsets: position of each kept element in
                              values, ascending */
    mote_jagged_validate validate; /**< every list is checked, whatever this is */
    mote_view workspace;           /**< as in mote_jagged_parents_args */
    cl_mem error;                  /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;           /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;           /**< not 0: the word is not cleared first */
    mote_view elements; /**< in, as many as values, any type of 1, 2, 4 or 8 bytes; optional */
    mote_view filtered; /**< out, with elements: any capacity, type of elements: the elements that
                           are kept, in input order */
} mote_jagged_nonzero_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_nonzero_args)

/**
 * Finds the positions of the elements that are not 0, and the offsets of the lists that they form.
 * With elements, the call filters lists: values is the mask, and filtered receives the elements
 * that are kept; positions may then be absent.
 *
 * values[p] belongs to list k if offsets[k] <= p < offsets[k + 1]; values outside all lists are
 * ignored. Errors in the data are described at the top of jagged.h. If the outputs are too small,
 * the error is MOTE_ERROR_CAPACITY; its index is the capacity that positions and filtered need, at
 * most 2^32 - 2, and offsets_out and the results that fit are valid. The other contracts are those
 * of mote_jagged_parents(). Since: 0.1.
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
    mote_view offsets_out; /**< out, m + 1, type of offsets: runs of each list; the first is 0 */
    mote_view positions;   /**< out, any capacity, type of offsets: position of the first element of
                              each run in values, ascending; optional */
    mote_view run_values;  /**< out, any capacity, type of values: the first element of each run;
                              optional */
    mote_view lengths;  /**< out, as many as positions, type of offsets: the number of elements of
                           each run; optional, and it needs positions */
    uint32_t equal_nan; /**< not 0: a NaN equals another NaN; 0: each NaN is a run of its own */
    mote_jagged_validate validate; /**< every list is checked, whatever this is */
    mote_view workspace;           /**< as in mote_jagged_parents_args */
    cl_mem error;                  /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;           /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;           /**< not 0: the word is not cleared first */
} mote_jagged_run_lengths_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_run_lengths_args)

/**
 * Finds the runs of equal neighbouring elements inside lists: their positions, values and lengths,
 * and the offsets of the lists that they form. -0 equals 0, and all bool other than 0 are equal. If
 * neither positions nor run_values is given, the capacity is 0.
 *
 * If lists are sorted (mote_jagged_sort()), run_values are the different values of each list, and
 * lengths are their counts. Values outside all lists are ignored. Errors in the data are described
 * at the top of jagged.h. If the outputs are too small, the error is MOTE_ERROR_CAPACITY; its index
 * is the capacity needed, at most 2^32 - 2, and offsets_out and the positions and run_values that
 * fit are valid. The other contracts are those of mote_jagged_parents(). Since: 0.1.
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
