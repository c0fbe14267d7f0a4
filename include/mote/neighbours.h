/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file neighbours.h
 * @brief Neighbour lists: for each entry, all entries within a cutoff, also in periodic images.
 *
 *     mote_neighbours_args args;
 *     mote_neighbours_args_init(&args);
 *     args.positions = mote_view_make(positions, 3 * n, MOTE_FLOAT64);
 *     args.cutoff = 0.5;
 *     args.box = box;
 *     args.pbc = MOTE_NEIGHBOURS_XYZ;
 *     args.offsets = mote_view_make(offsets, n + 1, MOTE_INT32);
 *     args.partner = mote_view_make(partner, capacity, MOTE_INT32);
 *     args.shift = mote_view_make(shift, 3 * capacity, MOTE_INT32);
 *     status = mote_neighbours(ctx, queue, &args, 0, NULL, &event);
 *
 * Neighbours. With a box whose vectors are the rows a, b and c, the vector from entry i to the
 * image S of entry j is
 *
 *     D = (x_j - x_i) + ((S_0 a + S_1 b) + S_2 c)
 *
 * with whole numbers S_k, which are 0 along an axis that does not repeat. j is a neighbour of i in
 * the image S if D_0^2 + D_1^2 + D_2^2 < cutoff^2. All images within the cutoff count, including
 * images of entry i itself, and the cutoff may be larger than the box. Only the entry itself (j =
 * i, S = 0) is not its own neighbour. ASE, matscipy and vesin use the same convention.
 *
 * Lists. The neighbours of entry i are the elements offsets[i] .. offsets[i + 1] - 1 of the
 * outputs, sorted by j, then by S_0, S_1 and S_2. A full list contains each pair twice, as (i, j,
 * S) and as (j, i, -S). A half list contains the pairs with i < j, and the pairs with i = j whose
 * first nonzero S_k is positive. With a second list of positions, the partners are the entries of
 * that list, and all of them count. The outputs are jagged arrays, which the functions of jagged.h
 * accept.
 *
 * Frames. A call can list the pairs of several frames, each with its own box, such as the frames of
 * a trajectory. The n entries of positions and the m entries of other are those of all frames, and
 * each frame has n / F and m / F of them. The lists of all entries follow each other; partners are
 * numbered within their frame. Results are those of one call for each frame. Frames are processed
 * one after the other.
 *
 * Precision. Positions are converted to double. D, its square and the square of the cutoff are
 * computed in double by the formulas above, and each operation is rounded. Results therefore have
 * the same bits on all devices with double precision. Other devices compute in float32.
 *
 * Limits: Both lists together have fewer than 2^31 entries, and each entry has fewer than 2^32
 * neighbours. Positions are within 2^29 boxes of the origin. The cutoff and the lengths of the
 * box's vectors are from 1e-100 to 1e100. Without double precision, positions are within 2^16
 * boxes, and lengths are from 1e-15 to 1e15.
 *
 * Cost: Every call sorts the entries into cells, and compares each entry with the entries of the
 * cells within the cutoff, once to count neighbours and once more to write them. If most entries
 * fill a small part of the box, or of their extent without a box, cells are larger than the cutoff.
 */
#ifndef MOTE_NEIGHBOURS_H
#define MOTE_NEIGHBOURS_H

#include "buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Axes along which a box repeats; any combination is allowed. */
#define MOTE_NEIGHBOURS_X   1u /**< along its first vector */
#define MOTE_NEIGHBOURS_Y   2u /**< along its second vector */
#define MOTE_NEIGHBOURS_Z   4u /**< along its third vector */
#define MOTE_NEIGHBOURS_XYZ 7u /**< along all three */

/** Arguments of mote_neighbours(). */
typedef struct mote_neighbours_args {
    size_t size;         /**< set by mote_neighbours_args_init() */
    mote_view positions; /**< in, 3 n, float32 or float64: x, y, z of each entry */
    mote_view other;     /**< in, 3 m, float32 or float64: the second list; optional */
    double cutoff;       /**< two entries are neighbours below this distance */
    const double *box;  /**< 9 F, host memory, rows = lattice vectors; copied. The vector of an axis
                             that does not repeat is not used; NULL if no axis repeats */
    uint32_t pbc;       /**< axes that repeat: 0 or a sum of MOTE_NEIGHBOURS_X, Y and Z */
    uint32_t half;      /**< not 0: each pair once; must be 0 with other */
    mote_view offsets;  /**< out, n + 1, int32, uint32 or int64; the first is 0 */
    mote_view partner;  /**< out, any capacity, type of offsets: j; optional */
    mote_view shift;    /**< out, 3 x capacity, int32: S; optional */
    mote_view distance; /**< out, any capacity, float32 or float64: length of D; optional */
    mote_view displacement; /**< out, 3 x capacity, float32 or float64: D; optional */
    mote_view workspace;    /**< scratch of the caller, uint32, mote_neighbours_workspace_size()
                                 bytes; NULL = the context's pool */
    cl_mem error;           /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;    /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;    /**< not 0: the word is not cleared first */
    size_t frames; /**< F, frames of equal numbers of entries; 0 = 1. positions and other contain
                      the entries of one frame after the other, and box 9 F numbers */
} mote_neighbours_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_neighbours_args)

/**
 * Lists all pairs of entries within a cutoff.
 *
 * queue: a queue of ctx, in order or not. args is copied and need not outlive the call. num_wait,
 * wait: the work waits for these events. event: receives an event that covers all the work, and
 * that the caller releases; NULL = not wanted. The caller's memory objects must live until it
 * completes. Outputs must not overlap inputs or each other. shift, distance and displacement need
 * partner; without partner, only offsets are computed.
 *
 * Capacity. The smallest output that is given determines the capacity; without partner, it is 0. If
 * the capacity is exceeded, offsets are valid, the lists that end within the capacity are stored,
 * and the other elements of outputs are unspecified. Allocate offsets[n] elements and call again.
 *
 * Empty input: With n = 0, the only offset is 0. With m = 0, all lists are empty.
 * Errors in the data (args.error): MOTE_ERROR_POSITION for a position that is NaN, infinite or too
 * many boxes away (index: its entry, or n plus its entry in the second list, counted over all
 * frames); MOTE_ERROR_CAPACITY
 * (index: the capacity needed, at most 2^32 - 2); MOTE_ERROR_OFFSETS_OUT_OF_RANGE (index: the first
 * entry whose end the type of offsets cannot count). After an error other than MOTE_ERROR_CAPACITY,
 * the outputs are unspecified, but nothing outside the views was read or written. Returns:
 * MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT, also for a cutoff outside the limits above, or one
 * that reaches more than 2^20 images of the box, counted with one more on each side;
 * MOTE_ERROR_INVALID_STRUCT, MOTE_ERROR_INVALID_TYPE, MOTE_ERROR_INVALID_VIEW,
 * MOTE_ERROR_WRONG_CONTEXT (nothing was enqueued); MOTE_ERROR_BOX for a box that is singular, not
 * finite or out of range; MOTE_ERROR_UNSUPPORTED (float64 views without fp64; too many entries);
 * MOTE_ERROR_BUILD; MOTE_ERROR_OUT_OF_DEVICE_MEMORY; an OpenCL code. Threads: any number at once.
 * Blocks: no (the first call of a kind builds kernels). Deterministic: the same bits on every
 * device with double precision. Since: 0.1.
 */
MOTE_API mote_status mote_neighbours(mote_context *ctx, cl_command_queue queue,
                                     const mote_neighbours_args *args, cl_uint num_wait,
                                     const cl_event *wait, cl_event *event);

/**
 * Determines the bytes of scratch that a call with these arguments needs, for callers that provide
 * their own scratch. Views may have NULL memory objects. A workspace serves one call at a time.
 *
 * Returns: the codes of mote_neighbours(). Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_neighbours_workspace_size(mote_context *ctx,
                                                    const mote_neighbours_args *args,
                                                    size_t *bytes);

/** Arguments of mote_neighbours_host(): plain arrays of the host, with the meaning and shapes of
 * those of mote_neighbours_args. Optional ones may be NULL. */
typedef struct mote_neighbours_host_args {
    size_t size;                 /**< set by mote_neighbours_host_args_init() */
    mote_type positions_type;    /**< float32 or float64 */
    const void *positions;       /**< 3 n */
    size_t n;                    /**< entries in all frames; a multiple of frames, like m */
    mote_type other_type;        /**< float32 or float64; 0 = there is no second list */
    const void *other;           /**< 3 m: the second list */
    size_t m;                    /**< entries of the second list in all frames */
    double cutoff;               /**< as in mote_neighbours_args, like the next four members */
    const double *box;           /**< 9 F */
    uint32_t pbc;                /**< axes that repeat */
    uint32_t half;               /**< not 0: each pair once */
    size_t frames;               /**< F; 0 = 1 */
    mote_type offsets_type;      /**< int32, uint32 or int64; also the type of partner */
    void *offsets;               /**< out, n + 1 */
    size_t capacity;             /**< pairs for which each array below has room */
    void *partner;               /**< out, capacity: j; optional */
    int32_t *shift;              /**< out, 3 x capacity: S; optional */
    mote_type distance_type;     /**< float32 or float64, if distance is given */
    void *distance;              /**< out, capacity: length of D; optional */
    mote_type displacement_type; /**< float32 or float64, if displacement is given */
    void *displacement;          /**< out, 3 x capacity: D; optional */
} mote_neighbours_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_neighbours_host_args)

/**
 * Lists all pairs of entries in plain arrays. The call waits for the results.
 *
 * host: the state to use; NULL = a temporary one. To find the capacity, make a call without
 * partner, which only computes offsets: offsets[n] is the number of pairs. If the capacity is
 * exceeded, the call returns MOTE_ERROR_CAPACITY, and the sentence names the capacity needed;
 * offsets and the lists that end within the capacity are valid. Elements after the lists do not
 * change. Returns: the codes of mote_neighbours(), and the errors in the data, whose messages
 * contain the entry and its position. Empty input: With n = 0 or m = 0, their arrays may be NULL.
 * Threads: one call at a time for each host. Blocks: yes. Deterministic: as mote_neighbours().
 * Since: 0.1.
 */
MOTE_API mote_status mote_neighbours_host(mote_context *ctx, mote_host *host,
                                          const mote_neighbours_host_args *args);

#ifdef __cplusplus
}
#endif

#endif
