/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file jagged_select.h
 * @brief Jagged arrays: calls that select elements of each list by their index in the list, and
 * quantiles. jagged.h includes this file and describes lists, errors in the data and guarantees.
 *
 * In this header, the index of an element counts from 0 in its list, and its position counts from 0
 * in `values`. Every list is checked. A reduction and mote_jagged_pad() find the first largest
 * element of each list:
 *
 *     mote_jagged_reduce_args best = MOTE_JAGGED_REDUCE_ARGS_INIT;
 *     best.offsets = offsets;
 *     best.values = values;
 *     best.reduction = MOTE_REDUCE_ARGMAX;
 *     best.result = indices;
 *     mote_jagged_reduce(ctx, queue, &best, 0, NULL, NULL);
 *     mote_jagged_pad_args pad = MOTE_JAGGED_PAD_ARGS_INIT;
 *     pad.offsets = offsets;
 *     pad.values = values;
 *     pad.starts = indices;
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
    int64_t start;     /**< index of the first element of each row. A negative index counts from the
                            end of the list: -1 is its last element */
    mote_view starts; /**< in, m, type of offsets; optional: index of the first element of each row,
                           instead of start. A negative index does not count from the end */
    size_t k;         /**< elements of a row */
    const void *fill; /**< host memory: one value of the type of values, which the call copies;
                           NULL = 0 */
    mote_view result; /**< out, m k, type of values: the rows, one after another */
    cl_mem error;     /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset; /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep; /**< not 0: the word is not cleared first */
} mote_jagged_pad_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_pad_args)

/**
 * Copies lists to an array of m rows of k elements. Element j of row i is the element of list i
 * with the index start + j, or `fill` if the list has no such element. With k = 1, the call selects
 * one element of each list.
 *
 * Elements of a row that lie before its list are `fill`. With start = -k, rows are therefore
 * aligned to the ends of the lists. If k is 1 and `starts` is the result of MOTE_REDUCE_ARGMIN or
 * MOTE_REDUCE_ARGMAX, the call selects the first smallest or largest element of each list. For a
 * list without values, that result is -1, which selects `fill`; in uint32, the same bits are an
 * index beyond every list.
 *
 * Errors in the data are described at the top of jagged.h. Offsets beyond `values` count as offsets
 * beyond the content. More than 2^64 - 1 elements in all rows return MOTE_ERROR_INVALID_ARGUMENT.
 * The other contracts are those of mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_pad(mote_context *ctx, cl_command_queue queue,
                                     const mote_jagged_pad_args *args, cl_uint num_wait,
                                     const cl_event *wait, cl_event *event);

/** Arguments of mote_jagged_slice(). */
typedef struct mote_jagged_slice_args {
    size_t size;       /**< set by mote_jagged_slice_args_init() */
    mote_view offsets; /**< in, m + 1, int32, uint32 or int64 */
    mote_view values;  /**< in, n, any type of 1, 2, 4 or 8 bytes */
    int64_t start; /**< index of the first element that is kept. A negative index counts from the
                        end of the list */
    int64_t stop;  /**< index of the first element after the elements that are kept; a negative
                        index counts from the end; INT64_MAX = the end of the list */
    mote_view offsets_out; /**< out, m + 1, type of offsets: the lists of the kept elements. The
                              first is 0. The last is the number of kept elements, even if they do
                              not fit */
    mote_view sliced;      /**< out, any capacity, type of values: the kept elements; optional */
    mote_view positions;   /**< out, any capacity, type of offsets: positions of the kept elements;
                              optional. If sliced is given too, both have the same capacity */
    mote_view workspace;   /**< as in mote_jagged_parents_args */
    cl_mem error;          /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;   /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;   /**< not 0: the word is not cleared first */
} mote_jagged_slice_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_slice_args)

/**
 * Slices each list as Python slices a list: keeps the elements list[start:stop], in their order.
 *
 * An index outside a list counts as the nearest end of the list. If neither sliced nor positions is
 * given, the capacity is 0. No element is kept if stop is not
 * after start. Errors in the data are described at the top of jagged.h. Offsets beyond `values`
 * count as offsets beyond the content. If the outputs are too small, the error is
 * MOTE_ERROR_CAPACITY; its index is the capacity needed, at most 2^32 - 2, and offsets_out and the
 * elements that fit are valid. The other contracts are those of mote_jagged_parents(). Since: 0.1.
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
    mote_view values;  /**< in, n, bool, any integers, float16, float32 or float64. Each list is in
                            ascending order with NaN last, as mote_jagged_sort() sorts it */
    const double *quantiles; /**< host memory, which the call copies: numbers from 0 to 1 */
    size_t count;            /**< number of quantiles, up to 256 */
    mote_view result;        /**< out, m count: the quantiles of each list, one list after another;
                                  float32 if values are float16 or float32, else float64 */
    cl_mem error;            /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;     /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;     /**< not 0: the word is not cleared first */
} mote_jagged_quantile_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_quantile_args)

/**
 * Quantiles of sorted lists, as numpy.quantile() computes them by its method "linear".
 *
 * The quantile q of a list of L elements is interpolated at the virtual index v = (L - 1) q. Let k
 * be the whole part of v, t = v - k, a the element k and b the element k + 1. The quantile is a +
 * (b - a) t if t < 0.5, and b - (b - a) (1 - t) otherwise. If t is 0 or a equals b, the quantile
 * equals a, even where infinite elements give NaN in NumPy. If a list has no elements, or if its
 * last element is NaN, its quantiles are NaN.
 *
 * Quantiles of integers and float64 are computed in double as in NumPy: for float64 values, they
 * have NumPy's bits. Quantiles of float16 and float32 are computed in float32, from q
 * rounded down to a multiple of 2^-64 and a virtual index that is not rounded. They need no double
 * precision and have the same bits on every device that supports subnormal numbers.
 *
 * The quantiles of lists that are not sorted are unspecified. Errors in the data are described at
 * the top of jagged.h. A list that ends beyond `values` is reported like a list that ends beyond
 * the content. If a quantile is outside of 0 .. 1, or if there are more than 256, the call returns
 * MOTE_ERROR_INVALID_ARGUMENT. If values are integers or float64 and the device has no double
 * precision, it returns MOTE_ERROR_UNSUPPORTED. The other contracts are those of
 * mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_quantile(mote_context *ctx, cl_command_queue queue,
                                          const mote_jagged_quantile_args *args, cl_uint num_wait,
                                          const cl_event *wait, cl_event *event);

#ifdef __cplusplus
}
#endif

#endif
