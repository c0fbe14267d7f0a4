/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file steinhardt.h
 * @brief Steinhardt's order parameters of atoms, with derivatives and virial.
 *
 *     mote_steinhardt_args args;
 *     mote_steinhardt_args_init(&args);
 *     args.positions = mote_view_make(positions, 3 * n, MOTE_FLOAT64);
 *     args.l = 6;
 *     mote_switch_parse("RATIONAL R_0=0.3 D_MAX=0.6", &args.function);
 *     args.box = box;
 *     args.pbc = MOTE_NEIGHBOURS_XYZ;
 *     args.value = mote_view_make(value, 1, MOTE_FLOAT64);
 *     args.derivatives = mote_view_make(derivatives, 3 * n, MOTE_FLOAT64);
 *     status = mote_steinhardt(ctx, queue, &args, 0, NULL, &event);
 *
 * Order parameters. With the switching function s, the vectors r_ij from entry i to its neighbours
 * j, and the spherical harmonics Y_lm, the components and the order parameter of entry i are
 *
 *     q_lm(i) = sum over j of s(|r_ij|) Y_lm(r_ij) / sum over j of s(|r_ij|)
 *     q_l(i) = square root of the sum over m of |q_lm(i)|^2, with the sign of the sum of s
 *
 * where m runs from -l to l. PLUMED's Q3, Q4 and Q6 are defined in this way. Steinhardt's own
 * definition (P. Steinhardt, D. Nelson, M. Ronchetti, Phys. Rev. B 28 (1983) 784) also has the
 * factor sqrt(4 pi / (2 l + 1)).
 *
 * Local averages. With the normalised vector n_lm(i) = q_lm(i) / q_l(i), the local average of entry
 * i is
 *
 *     sum over j of s(|r_ij|) (sum over m of conj(n_lm(i)) n_lm(j)) / sum over j of s(|r_ij|)
 *
 * PLUMED's LOCAL_Q3, LOCAL_Q4 and LOCAL_Q6 are defined in this way. They have a switching function
 * of their own: if `local_function` is given, it replaces s in this formula, but not in q_lm.
 *
 * Value. With the order parameters, or the local averages, x_i, the value is the sum over all
 * entries of weight_i f(x_i), where `reduction` chooses f. Derivatives are those of the value by
 * the positions, if the weights are constant. The virial is minus the sum over the vectors r_ij of
 * r_ij (x) dvalue / dr_ij. To bias any other function V of all x_i, compute x_i first, and pass
 * dV / dx_i as weights to a second call with MOTE_STEINHARDT_SUM.
 *
 * Moments. With MOTE_STEINHARDT_MOMENTS there is a value for each of the `n_moments` powers p in
 * `moments`, with f(x_i) = (x_i - mean of all x)^p / n, and each value has its own derivatives and
 * virial, one after the other in the outputs.
 *
 * Centres and neighbours. By default, each entry has an order parameter, over all other entries.
 * With `n_centres`, only entries 0 .. n_centres - 1 have one: those of the others are 0 and are not
 * part of the value, and n in f is n_centres. With `first_neighbour`, entries before this one are
 * no neighbours. To compute the order parameters of atoms A over atoms B, pass the atoms that are
 * only in A, then those in both, then those that are only in B. Local averages are those of all
 * entries.
 *
 * Distances. Neighbours are counted up to the distance d_max of the switching function, which must
 * be finite. As in PLUMED, only the nearest image of another entry counts, in
 * boxes of any shape, and images of the entry itself do not count. If d_max is at most half as long
 * as the shortest vector of the lattice of the box, these are all images within d_max. For a larger
 * d_max, the value jumps where another image becomes the nearest one, and a pair whose two nearest
 * images are at the same distance, within rounding errors, can count once, twice or not at all.
 *
 * Special cases. The order parameter and the local average of an entry without neighbours, that is,
 * with a sum of s between -1e-30 and 1e-30, are 0. A pair at a distance below 1e-6 d_max has no
 * direction and does not count. An order parameter below 1e-12 (1e-6 without double precision) is a
 * rounding error, as in a lattice whose symmetry makes it 0: it has no derivatives by q_lm, and its
 * n_lm are 0. PLUMED computes NaN, or the direction of the rounding error, in such cases.
 *
 * Precision. All arithmetic is in double precision; devices without it compute in float32.
 * Guarantees: No atomic additions of floats. The same input on the same device gives the same bits.
 *
 * Limits: fewer than 2^31 entries, within 2^29 boxes of the origin; d_max and the lengths of the
 * box's vectors are from 1e-100 to 1e100. Without double precision, entries are within 2^16 boxes,
 * and lengths are from 1e-15 to 1e15.
 *
 * Cost: Every call sorts the entries into cells, as mote_neighbours() does. Pairs are found once
 * for q_l and once more for derivatives, and for local averages twice and four times in total.
 * Scratch is proportional to the number of entries; no lists and no forces of pairs are stored.
 */
#ifndef MOTE_STEINHARDT_H
#define MOTE_STEINHARDT_H

#include "coordination.h"
#include "neighbours.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is added up over the entries. Numbers are frozen. */
typedef enum mote_steinhardt_reduction {
    MOTE_STEINHARDT_MEAN = 0,      /**< f(x) = x / n, where n is the number of entries */
    MOTE_STEINHARDT_SUM = 1,       /**< f(x) = x */
    MOTE_STEINHARDT_LESS_THAN = 2, /**< f(x) is the switching function `threshold` of x */
    MOTE_STEINHARDT_MORE_THAN = 3, /**< f(x) is 1 minus this function */
    MOTE_STEINHARDT_MOMENTS = 4    /**< f(x) = (x - mean)^p / n for each p in `moments` */
} mote_steinhardt_reduction;

/** Returns a value's name ("mean"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_steinhardt_reduction_name(mote_steinhardt_reduction reduction);

/** Arguments of mote_steinhardt(). */
typedef struct mote_steinhardt_args {
    size_t size;          /**< set by mote_steinhardt_args_init() */
    mote_view positions;  /**< in, 3 n, float32 or float64: x, y, z of each entry */
    mote_switch function; /**< s, with a finite d_max; need not be completed; initialised with this
                               structure */
    uint32_t l;           /**< degree of the spherical harmonics: 3, 4 or 6 */
    uint32_t local;       /**< not 0: x are the local averages, 0: the order parameters */
    const double *box;    /**< 9, host memory, rows = lattice vectors; copied. The vector of an axis
                               that does not repeat is not used; NULL if no axis repeats */
    uint32_t pbc;         /**< axes that repeat: 0 or a sum of MOTE_NEIGHBOURS_X, Y and Z */
    mote_steinhardt_reduction reduction; /**< f; MEAN by default */
    mote_switch threshold; /**< for LESS_THAN and MORE_THAN, of which x below 0 count as 0; need not
                                be completed; initialised with this structure */
    mote_view weights;     /**< in, n, float32 or float64; NULL = 1 */
    mote_view order;       /**< out, n, float32 or float64: x; optional */
    mote_view components;  /**< out, n x (2 l + 1) x 2, float32 or float64: real and imaginary part
                                of q_lm, m from -l to l; optional */
    mote_view value;       /**< out, 1 or n_moments, float32 or float64; optional */
    mote_view derivatives; /**< out, 3 n for each value, float32 or float64; optional */
    mote_view virial;      /**< out, 9 for each value, float32 or float64: rows of the 3 x 3 matrix;
                                optional */
    mote_view workspace;   /**< scratch of the caller, uint32, mote_steinhardt_workspace_size()
                                bytes; NULL = the context's pool */
    cl_mem error;          /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;   /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;   /**< not 0: the word is not cleared first */
    mote_switch local_function; /**< for local averages, with a finite d_max; initialised with this
                                     structure; as initialised: the same as `function` */
    const uint32_t *moments; /**< n_moments powers from 2 to 64, host memory, for MOMENTS; copied */
    size_t n_moments;        /**< 1 to 64 for MOMENTS, not used otherwise */
    size_t n_centres;        /**< the number of entries with an order parameter, up to n; 0: all */
    size_t first_neighbour;  /**< the first entry that is a neighbour of others; below n, or 0 */
} mote_steinhardt_args;

/** Sets size, runs mote_switch_init() on the functions and zeroes the rest. Threads: any.
 * Since: 0.1. */
MOTE_INITIALISER_WITH(mote_steinhardt_args, mote_switch_init(&args->function);
                      mote_switch_init(&args->threshold); mote_switch_init(&args->local_function);)

/**
 * Computes order parameters, and a sum over all entries with its derivatives and virial.
 *
 * queue: a queue of ctx, in order or not. args is copied and need not outlive the call. num_wait,
 * wait: the work waits for these events. event: receives an event that covers all the work, and
 * that the caller releases; NULL = not wanted. The caller's memory objects must live until it
 * completes. Outputs must not overlap inputs or each other.
 *
 * Empty input: With n = 0, value and virial are 0.
 * Errors in the data (args.error): MOTE_ERROR_POSITION for a position that is NaN, infinite or too
 * many boxes away (index: its entry). The outputs are then unspecified, but nothing outside the
 * views was read or written. Returns: MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT, also for another
 * l, powers, n_centres or first_neighbour outside their limits, centres or first neighbours
 * together with local averages, an infinite d_max, one outside the limits above or that reaches
 * more than 2^20 images of the box, and what mote_switch_complete() rejects;
 * MOTE_ERROR_INVALID_STRUCT, MOTE_ERROR_INVALID_TYPE, MOTE_ERROR_INVALID_VIEW,
 * MOTE_ERROR_WRONG_CONTEXT (nothing was enqueued); MOTE_ERROR_BOX for a box that is singular, not
 * finite or out of range; MOTE_ERROR_UNSUPPORTED (float64 views without fp64; too many entries);
 * MOTE_ERROR_BUILD; MOTE_ERROR_OUT_OF_HOST_MEMORY; MOTE_ERROR_OUT_OF_DEVICE_MEMORY; an OpenCL code.
 * Threads: any number at once. Blocks: no (the first call of a kind builds kernels).
 * Deterministic: the same bits on the same device. Since: 0.1.
 */
MOTE_API mote_status mote_steinhardt(mote_context *ctx, cl_command_queue queue,
                                     const mote_steinhardt_args *args, cl_uint num_wait,
                                     const cl_event *wait, cl_event *event);

/**
 * Determines the bytes of scratch that a call with these arguments needs, for callers that provide
 * their own scratch. Views may have NULL memory objects. A workspace serves one call at a time.
 *
 * Returns: the codes of mote_steinhardt(). Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_steinhardt_workspace_size(mote_context *ctx,
                                                    const mote_steinhardt_args *args,
                                                    size_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
