/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file histogram.h
 * @brief Histograms: how many values lie in each bin, or the sum of their weights.
 *
 *     mote_histogram_args args;
 *     mote_histogram_args_init(&args);
 *     args.values = mote_view_make(values, n, MOTE_FLOAT32);
 *     args.low = 0;
 *     args.high = 10;
 *     args.result = mote_view_make(counts, 100, MOTE_INT64);
 *     status = mote_histogram(ctx, queue, &args, 0, NULL, &event);
 *
 * Bins. The edges e0 <= e1 <= ... <= eB of B bins are an array, or regular. Bin k has the values x
 * with ek <= x < ek+1, and the last bin also those with x = eB. Values below e0, values above eB
 * and NaN are in no bin. Equal edges enclose an empty bin, except that the last bin can have the
 * values equal to eB. Values and edges are compared exactly, whatever their types. These are the
 * bins of numpy.histogram(); NumPy rounds 64-bit integers to float64 before it compares them with
 * float edges, and so differs above 2^53.
 *
 * Regular edges are ek = low + k ((high - low) / B) in double precision, where each operation is
 * rounded, no edge is above high, and eB = high. For float32 and float16 values, edges are then
 * rounded to float32. They are the edges of numpy.linspace(low, high, B + 1).
 *
 * Guarantees. Counts are exact: int64, and the same on every device. Sums of weights have the same
 * bits on every device too, because weights are added in fixed point: with W the largest |weight|
 * of all n values, 2^(E-1) <= W < 2^E (E is at least -125 for float32 and -1021 for float64) and L
 * = ceil(log2 n), each weight is rounded to a multiple of 2^(E + L - 62), to the nearest, ties to
 * even. The sums of these multiples are exact, and are rounded once to the type of the weights.
 * The sum of a bin with c values therefore has an error of at most c n W / 2^61 (where W is at
 * least the smallest normal number) plus the error of the last rounding. A bin with an infinite
 * weight has an infinite sum; a bin with a NaN, or with infinities of both signs, has the sum NaN.
 * Weights of values that are in no bin only contribute to W.
 *
 * Limits: any n that fits device memory, also above 2^32; from 1 to 2^31 - 2 bins.
 * Cost: values are read once, weights twice. A GPU counts up to 4096 bins in local memory.
 */
#ifndef MOTE_HISTOGRAM_H
#define MOTE_HISTOGRAM_H

#include "buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Arguments of mote_histogram(). */
typedef struct mote_histogram_args {
    size_t size;         /**< set by mote_histogram_args_init() */
    mote_view values;    /**< in, n, bool, any integers, float16, float32 or float64 */
    mote_view edges;     /**< in, B + 1, float32, float64 or as values; NULL = regular edges */
    double low;          /**< first regular edge; not used with an array of edges */
    double high;         /**< last regular edge, above low */
    mote_view weights;   /**< in, n, float32 or float64; NULL = values are counted */
    mote_view result;    /**< out, B bins: int64, or with weights the type of the weights */
    mote_view workspace; /**< scratch of the caller, uint32, mote_histogram_workspace_size() bytes;
                              NULL = the context's pool */
    cl_mem error;        /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset; /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep; /**< not 0: the word is not cleared first */
} mote_histogram_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_histogram_args)

/**
 * Counts the values of an array in bins, or adds up their weights.
 *
 * queue: a queue of the context, in order or not. args: see above; copied, need not outlive the
 * call. num_wait, wait: events the work waits for. event: receives an event that covers all of it
 * (the caller releases it); NULL = not wanted. The caller's memory objects must live until it
 * completes. result must not overlap an input.
 *
 * Error in the data, in the error word: MOTE_ERROR_EDGES if an edge is NaN or above the next one,
 * with the number of the lower of the two; then the result is unspecified.
 * Empty input: with n = 0 the views values and weights may be NULL, and every bin is 0; result.type
 * determines whether weights are summed.
 * Returns: MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT (also for low and high that are not finite,
 * not increasing, or too far apart for double precision), MOTE_ERROR_INVALID_STRUCT,
 * MOTE_ERROR_INVALID_TYPE, MOTE_ERROR_INVALID_VIEW, MOTE_ERROR_WRONG_CONTEXT (nothing was
 * enqueued); MOTE_ERROR_UNSUPPORTED (too many bins; float64 or regular edges on a device without
 * double precision); MOTE_ERROR_BUILD; MOTE_ERROR_OUT_OF_DEVICE_MEMORY; an OpenCL code.
 * Threads: any number at once. Blocks: no (the first call of a kind builds kernels).
 * Deterministic: yes, see the top of this header. Since: 0.1.
 */
MOTE_API mote_status mote_histogram(mote_context *ctx, cl_command_queue queue,
                                    const mote_histogram_args *args, cl_uint num_wait,
                                    const cl_event *wait, cl_event *event);

/**
 * Bytes of scratch that mote_histogram() needs with these arguments, for callers that provide their
 * own; views may have NULL memory objects. A call with error_keep needs more bytes than a call
 * without. One call may be in flight on a workspace at a time.
 *
 * Returns: as mote_histogram(). Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_histogram_workspace_size(mote_context *ctx,
                                                   const mote_histogram_args *args, size_t *bytes);

/** Arguments of mote_histogram_host(). */
typedef struct mote_histogram_host_args {
    size_t size;            /**< set by mote_histogram_host_args_init() */
    const void *values;     /**< n */
    size_t n;               /**< number of values */
    mote_type type;         /**< bool, any integers, float16, float32 or float64 */
    size_t bins;            /**< B, 1 or more */
    const void *edges;      /**< B + 1; NULL = regular edges */
    mote_type edges_type;   /**< float32, float64 or `type` */
    double low;             /**< first regular edge */
    double high;            /**< last regular edge, above low */
    const void *weights;    /**< n; NULL = values are counted */
    mote_type weights_type; /**< float32 or float64; 0 without weights */
    void *result;           /**< out, B, int64, or of the type of the weights */
} mote_histogram_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_histogram_host_args)

/**
 * mote_histogram() for arrays of the host; blocking.
 *
 * host: the state to use; NULL = a temporary one.
 * Returns: as mote_histogram(), and MOTE_ERROR_EDGES. Empty input:
 * with n = 0 the arrays values and weights may be NULL; weights_type then determines whether
 * weights are summed. Threads: one call at a time for each host. Blocks: yes. Deterministic: yes.
 * Since: 0.1.
 */
MOTE_API mote_status mote_histogram_host(mote_context *ctx, mote_host *host,
                                         const mote_histogram_host_args *args);

#ifdef __cplusplus
}
#endif

#endif
