/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file pair_histogram.h
 * @brief Histograms of the distances of pairs, from which radial distribution functions follow.
 *
 *     mote_pair_histogram_args args;
 *     mote_pair_histogram_args_init(&args);
 *     args.positions = mote_view_make(positions, 3 * n, MOTE_FLOAT32);
 *     args.r_max = 1.5;
 *     args.box = box;
 *     args.pbc = MOTE_NEIGHBOURS_XYZ;
 *     args.counts = mote_view_make(counts, 300, MOTE_INT64);
 *     args.accumulate = frame > 0;
 *     status = mote_pair_histogram(ctx, queue, &args, 0, NULL, &event);
 *
 * Pairs. With one list of positions, the pairs are (i, j, S) and (j, i, -S) of all entries i and j
 * and all images S of the box, as in a full list of neighbours.h: each pair of two entries counts
 * twice, and an entry with its own image counts, but not an entry with itself. All counts are
 * therefore even. With a second list, the pairs are those of an entry of the first list with an
 * image of an entry of the second, at any distance, also 0. All images within r_max count. If r_max
 * is at most half of the smallest distance between opposite faces of the box, these are the nearest
 * images, which other programs count.
 *
 * Bins. B bins divide the range from r_min to r_max. Let w = (r_max - r_min) / B and e_k = r_min +
 * k w. A pair with the vector D (neighbours.h) and d = D_0^2 + D_1^2 + D_2^2 is in a bin if e_0^2
 * <= d < r_max^2, and its bin is the last one with e_k^2 <= d.
 *
 * Blocks. If block is not 0, the entries of the first list are divided into blocks of this many
 * entries, such as the atoms of a molecule, and the partners into blocks of block_other entries. A
 * pair whose two blocks have the same number does not count in any image.
 *
 * Precision. Positions are converted to double, and every operation of the formulas above is
 * computed in double and rounded. The counts are therefore the same on all devices with double
 * precision. Other devices compute in float32.
 *
 * Limits: those of neighbours.h for r_max, box and positions; from 1 to 2^20 bins, which are wider
 * than 2^-50 r_max, or 2^-21 r_max without double precision.
 *
 * Cost: Every call sorts the entries into cells. The time is proportional to the number of pairs
 * within r_max if the entries are spread evenly.
 */
#ifndef MOTE_PAIR_HISTOGRAM_H
#define MOTE_PAIR_HISTOGRAM_H

#include "neighbours.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Arguments of mote_pair_histogram(). */
typedef struct mote_pair_histogram_args {
    size_t size;          /**< set by mote_pair_histogram_args_init() */
    mote_view positions;  /**< in, 3 n, float32 or float64: x, y, z of each entry */
    mote_view other;      /**< in, 3 m, float32 or float64: the second list; optional */
    double r_min;         /**< lower edge of the first bin, 0 or more */
    double r_max;         /**< upper edge of the last bin, above r_min */
    const double *box;    /**< 9, host memory, rows = lattice vectors; copied. The vector of an axis
                               that does not repeat is not used; NULL if no axis repeats */
    uint32_t pbc;         /**< axes that repeat: 0 or a sum of MOTE_NEIGHBOURS_X, Y and Z */
    uint32_t accumulate;  /**< not 0: the numbers of pairs are added to counts */
    uint32_t block;       /**< entries of a block of the first list; 0 = all pairs count */
    uint32_t block_other; /**< the same of the second list; with one list 0 or equal to block */
    mote_view counts;     /**< out, B bins, int64; with accumulate, in and out */
    mote_view workspace;  /**< scratch of the caller, uint32, mote_pair_histogram_workspace_size()
                               bytes; NULL = the context's pool */
    cl_mem error;         /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;  /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;  /**< not 0: the word is not cleared first */
} mote_pair_histogram_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_pair_histogram_args)

/**
 * Counts the distances of all pairs of entries in bins.
 *
 * queue: a queue of ctx, in order or not. args is copied and need not outlive the call. num_wait,
 * wait: the work waits for these events. event: receives an event that covers all the work, and
 * that the caller releases; NULL = not wanted. The caller's memory objects must live until it
 * completes. counts must not overlap an input. Counts wrap at 2^63.
 *
 * Empty input: With n = 0 or m = 0, no pairs are counted; with n = 0, other is not read.
 * Error in the data (args.error): MOTE_ERROR_POSITION for a position that is NaN, infinite or too
 * many boxes away (index: its entry, or n plus its entry in the second list). counts are then
 * unspecified, but nothing outside the views was read or written. Returns: MOTE_SUCCESS;
 * MOTE_ERROR_INVALID_ARGUMENT, also for bins outside the limits above, or for r_max that reaches
 * more than 2^20 images of the box, counted with one more on each side; MOTE_ERROR_INVALID_STRUCT,
 * MOTE_ERROR_INVALID_TYPE, MOTE_ERROR_INVALID_VIEW, MOTE_ERROR_WRONG_CONTEXT (nothing was
 * enqueued); MOTE_ERROR_BOX for a box that is singular, not finite or out of range;
 * MOTE_ERROR_UNSUPPORTED (float64 views without fp64; too many entries); MOTE_ERROR_BUILD;
 * MOTE_ERROR_OUT_OF_DEVICE_MEMORY; an OpenCL code. Threads: any number at once. Blocks: no (the
 * first call of a kind builds kernels). Deterministic: the same counts on every device with double
 * precision. Since: 0.1.
 */
MOTE_API mote_status mote_pair_histogram(mote_context *ctx, cl_command_queue queue,
                                         const mote_pair_histogram_args *args, cl_uint num_wait,
                                         const cl_event *wait, cl_event *event);

/**
 * Determines the bytes of scratch that a call with these arguments needs, for callers that provide
 * their own scratch. Views may have NULL memory objects. A workspace serves one call at a time.
 *
 * Returns: the codes of mote_pair_histogram(). Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_pair_histogram_workspace_size(mote_context *ctx,
                                                        const mote_pair_histogram_args *args,
                                                        size_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
