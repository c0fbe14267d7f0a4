/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file jagged_select.h
 * @brief Jagged arrays: calls that select elements of each list by their place in it. jagged.h
 * includes this file and describes lists, errors in the data and guarantees.
 *
 * Every list is checked. The first largest element of each list, from a reduction and a call of
 * this header:
 *
 *     mote_jagged_reduce_args best = MOTE_JAGGED_REDUCE_ARGS_INIT;
 *     best.offsets = offsets;
 *     best.values = values;
 *     best.reduction = MOTE_REDUCE_ARGMAX;
 *     best.result = places;
 *     mote_jagged_reduce(ctx, queue, &best, 0, NULL, NULL);
 *     mote_jagged_pad_args pad = MOTE_JAGGED_PAD_ARGS_INIT;
 *     pad.offsets = offsets;
 *     pad.values = values;
 *     pad.starts = places;
 *     pad.k = 1;
 *     pad.result = largest;
 *     mote_jagged_pad(ctx, queue, &pad, 0, NULL, NULL);
 */
#ifndef MOTE_JAGGED_SELECT_H
#define MOTE_JAGGED_SELECT_H
#include "jagged.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Arguments of mote_jagged_pad(). */
typedef struct mote_jagged_pad_args {
    size_t size;       /**< set by mote_jagged_pad_args_init() */
    mote_view offsets; /**< in, m + 1, int32, uint32 or int64 */
    mote_view values;  /**< in, n, any type of 1, 2, 4 or 8 bytes */
    int64_t start;     /**< place in its list of the first element of each row, from 0; a negative
                            place counts from the end of the list, so that -1 is its last element */
    mote_view starts; /**< in, m, type of offsets; optional: the first place of each row, instead of
                           start. A negative place does not count from the end */
    size_t k;         /**< elements of a row */
    const void *fill; /**< one value of the type of values, on the host, which the call copies;
                           NULL = 0 */
    mote_view result; /**< out, m k, type of values: row after row */
    cl_mem error;     /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset; /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep; /**< not 0: the word is not cleared first */
} mote_jagged_pad_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_API void mote_jagged_pad_args_init(mote_jagged_pad_args *args);

/**
 * Copies lists to an array of m rows of k elements: element j of row i is the element of list i at
 * place start + j, or `fill` if the list has no such place. With k = 1, it is one element of each
 * list.
 *
 * A row that begins before its list has `fill` there: with start = -k, rows are aligned to the ends
 * of lists. With `starts`, places such as those of MOTE_REDUCE_ARGMIN select an element of each
 * list: the place -1 of a list without values gives `fill` (in uint32, the same bits are a place
 * beyond every list).
 *
 * Errors in the data: those at the top of jagged.h, where beyond the content means beyond values.
 * Also refused (MOTE_ERROR_INVALID_ARGUMENT): more than 2^64 - 1 elements in all rows. Other
 * contracts as mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_pad(mote_context *ctx, cl_command_queue queue,
                                     const mote_jagged_pad_args *args, cl_uint num_wait,
                                     const cl_event *wait, cl_event *event);

/** Arguments of mote_jagged_slice(). */
typedef struct mote_jagged_slice_args {
    size_t size;       /**< set by mote_jagged_slice_args_init() */
    mote_view offsets; /**< in, m + 1, int32, uint32 or int64 */
    mote_view values;  /**< in, n, any type of 1, 2, 4 or 8 bytes */
    int64_t start;     /**< place in its list of the first element that is kept, from 0; a negative
                            place counts from the end of the list */
    int64_t stop;      /**< place of the first element after those that are kept, as start;
                            INT64_MAX = the end of the list */
    mote_view offsets_out; /**< out, m + 1, type of offsets: the lists of the kept elements; the
                              first is 0, the last their number, even when they do not fit */
    mote_view sliced;      /**< out, any capacity, type of values: the kept elements; optional */
    mote_view positions;   /**< out, any capacity, type of offsets: their positions in values;
                              optional. If both are given, they have the same capacity */
    mote_view workspace;   /**< as in mote_jagged_parents_args */
    cl_mem error;          /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;   /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;   /**< not 0: the word is not cleared first */
} mote_jagged_slice_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_API void mote_jagged_slice_args_init(mote_jagged_slice_args *args);

/**
 * Slices each list as Python slices a list: the elements list[start:stop], in their order.
 *
 * Places outside a list are its nearest end, and a list is empty if stop is not after start.
 * Errors in the data: those at the top of jagged.h, where beyond the content means beyond values;
 * MOTE_ERROR_CAPACITY (index: the capacity needed, at most 2^32 - 2; offsets_out, and the elements
 * that fit, are then valid). Other contracts as mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_slice(mote_context *ctx, cl_command_queue queue,
                                       const mote_jagged_slice_args *args, cl_uint num_wait,
                                       const cl_event *wait, cl_event *event);

/** Determines the scratch of mote_jagged_slice(), as mote_jagged_parents_workspace_size() does.
 * Since: 0.1. */
MOTE_API mote_status mote_jagged_slice_workspace_size(mote_context *ctx,
                                                      const mote_jagged_slice_args *args,
                                                      size_t *bytes);

/** Arguments of mote_jagged_quantile(). */
typedef struct mote_jagged_quantile_args {
    size_t size;       /**< set by mote_jagged_quantile_args_init() */
    mote_view offsets; /**< in, m + 1, int32, uint32 or int64 */
    mote_view values;  /**< in, n, bool, any integers, float16, float32 or float64; each list in
                            ascending order with NaN last, as mote_jagged_sort() leaves it */
    const double *quantiles; /**< on the host, which the call copies: numbers from 0 to 1 */
    size_t count;            /**< number of quantiles, up to 256 */
    mote_view result;        /**< out, m count: row after row the quantiles of each list; float32 if
                                  values are float16 or float32, else float64 */
    cl_mem error;            /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;     /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;     /**< not 0: the word is not cleared first */
} mote_jagged_quantile_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_API void mote_jagged_quantile_args_init(mote_jagged_quantile_args *args);

/**
 * Quantiles of lists that are sorted: numpy.quantile() of each list, with its method "linear".
 *
 * Quantile q of a list of L elements is at the place (L - 1) q. With t, the part of the place after
 * its whole number, it is a + (b - a) t for t < 0.5, else b - (b - a) (1 - t), where a and b are
 * the elements before and after the place. Results of integers and float64 are computed in double,
 * as numpy computes them: float64 values give numpy's bits. Results of float16 and float32 are
 * computed in float32, with a place that is not rounded, so that they need no double precision and
 * have the same bits on every device that has subnormal numbers. If the place is a whole number, or
 * if a equals b, the result is a, also where infinite elements give NaN in numpy. A list without
 * elements, or whose last element is NaN, has NaN quantiles.
 *
 * The quantiles of lists that are not sorted are unspecified. Errors in the data: those at the top
 * of jagged.h, where beyond the content means beyond values. Also refused: quantiles that are not
 * from 0 to 1, and more than 256 of them (MOTE_ERROR_INVALID_ARGUMENT); integers or float64 on a
 * device without double precision (MOTE_ERROR_UNSUPPORTED). Other contracts as
 * mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_quantile(mote_context *ctx, cl_command_queue queue,
                                          const mote_jagged_quantile_args *args, cl_uint num_wait,
                                          const cl_event *wait, cl_event *event);

#ifdef __cplusplus
}
#endif

#endif
