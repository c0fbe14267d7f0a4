/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file coordination.h
 * @brief Coordination numbers: neighbours counted smoothly, with derivatives and virial.
 *
 * A switching function s(r) falls from 1 to 0 with the distance r of two atoms; the coordination
 * number is the sum of s over pairs. r is the length of d, the nearest image of x_j - x_i. With
 * g = s'(r) / r a pair adds -g d to the derivative of atom i, +g d to that of atom j, and -g d (x)
 * d to the virial (3 x 3, row major, symmetric, not divided by the volume).
 *
 * Modes. Self: all pairs i < j of the entries of list A. Two groups: every entry of A with every
 * entry of B. Pair: A[k] with B[k]. Entries are atom numbers from 0. An atom may be repeated and
 * then counts again; a pair of two entries of the same atom contributes nothing. Derivatives and
 * coordination numbers are per list entry (A, then B); on request, derivatives are summed per atom.
 *
 * Switching functions, with x = (r - d_0) / r_0: exactly 1 for x <= 0, 0 for r > d_max, else
 * f(x) stretch + shift with
 * - RATIONAL f = (1 - x^nn) / (1 - x^mm); EXP e^-x; GAUSSIAN e^(-x^2 / 2);
 *   SMAP (1 + (2^(a/b) - 1) x^a)^(-b/a); CUBIC (x - 1)^2 (1 + 2x) with r_0 = d_max - d_0;
 *   TANH 1 - tanh x; COSINUS (cos(pi x) + 1) / 2 for x <= 1, else 0;
 *   Q 1 / (1 + exp(beta (r - lambda ref))) for r > d_0; CUSTOM an expression in x, or in x2 alone,
 *   which is (r / r_0)^2, needs no square root, and is evaluated at r = 0 as well, so that s(0)
 *   is 1 within the rounding of the precision;
 * - stretched: stretch = 1 / (s(0) - s(d_max)) and shift = -s(d_max) stretch, with s the function
 *   before stretching; not stretched: 1 and 0. With an infinite d_max a function is neither cut nor
 *   stretched, and all pairs are evaluated.
 * Values and derivatives of all kinds but CUSTOM are finite for every finite r; the derivative at
 * r = 0 is 0. RATIONAL with nn above mm grows as x^(nn - mm): it is meant for a finite d_max, and
 * without one it is constant from 1e25 on (DOUBLE and mote_switch_value(): 1e290). Where the two
 * values of s are nearly equal, as for a d_max far below r_0 or a d_0 far below 0, s is computed
 * from products that keep every digit, in every precision.
 *
 * CUSTOM. An expression has + - * / ^ ( ), numbers, the constants pi, e, log2e, log10e, ln2, ln10,
 * pi_2, pi_4, sqrt2, sqrt1_2, and PLUMED's functions: sqrt, exp, log, sin, cos, tan, sec, csc, cot,
 * asin, acos, atan, asec, acsc, acot, atan2, sinh, cosh, tanh, sech, csch, coth, asinh, acosh,
 * atanh, asech, acsch, acoth, erf, erfc, abs, floor, ceil, step, delta, nandelta, min, max, select,
 * square, cube, recip. It is translated into steps for value and derivative, which are compiled
 * into the kernels; text that is not an expression never reaches a compiler. With d_0 = 0 and only
 * even powers of x, as in 1/(1+x^6), the steps use x2 and need no square root, if value and
 * derivative with respect to x2 are finite at 0. It is evaluated as written, in the precision of
 * the pairs, and stretched as defined above: an expression with cancellation loses digits, and a
 * pair at a pole gives infinity or NaN. An expression that is not finite at 257 places between d_0
 * and d_max (or 100 r_0) is refused. A plan for pairs in float32 also refuses an expression whose
 * steps leave the range of float32 there. The derivative is 0 at jumps, and where it overflows
 * while the value does not.
 *
 * Periodic boxes: none; orthorhombic; triclinic with the exact nearest image, whatever the shape or
 * the handedness of the box. One image of each pair counts, even when d_max is more than half the
 * box.
 *
 * Weights. With a weight w for each entry, a pair of the entries i and j counts w_i + w_j times:
 * the value is the sum over the entries of w_i n_i, with n_i their coordination numbers, and
 * derivatives and virial are those of this sum with the weights held fixed. A function f of all n_i
 * therefore takes two calls: the first computes the numbers, and the second, with w_i = df/dn_i,
 * computes the derivatives and the virial of f. An atom's own weight can differ between its
 * entries.
 *
 * Precision. SINGLE: pairs and sums of a tile in float32. MIXED: pairs in float32, sums of tiles in
 * double (in two floats where the device has no double precision). DOUBLE: everything in double.
 * Positions given as float64 are recentred in double before they are rounded: without a box, to
 * 2^-24 of the extent of the atoms.
 *
 * Boxes in SINGLE and MIXED. Coordinates are fractions of the box that are accurate to 2^-31 of its
 * sides. A call computes pairs and sums in double precision instead if its boxes have vectors
 * longer than 16384 times the smallest of r_0, d_max, d_max - d_0, (Q) 1 / beta and (GAUSSIAN)
 * r_0^2 / -d_0, or shorter than 2^-20 r_0.
 * So does every call of a plan with r_0 above 1e12, or with r_0, d_max or (Q) 1 / beta below 1e-12.
 * A box that is far too large, given in place of none, therefore costs time but no accuracy. If
 * the device has no double precision, or if such a box is in memory of the device, the host cannot
 * choose, and the result is MOTE_ERROR_BOX. In this case give the box from the host, or use a plan
 * in DOUBLE; atoms that are near each other need no box.
 *
 * Guarantees: no atomic additions of floats; the same input on the same device gives the same bits.
 *
 * Methods. ALL_PAIRS evaluates every pair. CELLS sorts the entries into cells on the device, in
 * every call, and evaluates neighbouring cells only; it needs a finite d_max. The cells are
 * parallel to the box or, without a box, to the axes; a cell may hold any number of entries, and
 * with all of them in one cell the work is that of all pairs. AUTO chooses the method that it
 * expects to be faster, from d_max, the box, the numbers of entries and frames and the class of the
 * device; without a box, or with a box on the device, it needs more pairs before it chooses cells.
 * The choice is logged at debug level. Another box, or another number of frames in a call, may
 * change the method or the order of additions, and so the last bits; name a method where that
 * matters. Scratch grows with entries and frames: see mote_coordination_workspace_size().
 *
 * Shares. The pairs of a plan can be divided among devices or processes: each creates the same plan
 * except for `share`, and computes a fixed part of the pairs, which is as large as the other parts
 * in a liquid and in a droplet. Every pair is in one share. Which one depends only on the lists,
 * not on device, precision or method. Value, virial, derivatives and coordination numbers of the
 * shares add up to those of all pairs within rounding; the caller adds them. A share detects bad
 * positions only of the atoms that are in its pairs. Sorting into cells is not divided to the same
 * degree as the pairs, so shares are worthwhile when pairs take most of the time.
 *
 * Skin. A plan with a skin keeps lists of each entry's partners within d_max + skin from call to
 * call, so that most steps of a simulation neither sort nor search. The device decides in each
 * call: it makes new lists if an entry has moved by more than half of the skin since they were
 * made, if the box or the precision has changed, or if the call before has failed. Results do not
 * depend on whether lists are kept: a call has the bits of the first call of a new plan with the
 * same skin. They agree with those of a plan without a skin within rounding, because cells add up
 * pairs in another order. Lists are kept on GPUs, for up to 10240 entries, in calls of one frame
 * that would otherwise use cells; in other calls a skin has no effect. AUTO chooses them from about
 * 3000 entries on. They take 2 KiB of device memory for each entry. If an entry has too many
 * partners for its lists, which have room for 512, more entries are tested for it, which is right
 * but slow. Calls of a plan with a skin must not overlap: use one in-order queue, or let each call
 * wait for the event of the one before.
 *
 * Source of the formulas: PLUMED (G. Tribello et al., Comput. Phys. Commun. 185 (2014) 604),
 * actions COORDINATION and the documentation of its switching functions.
 */
#ifndef MOTE_COORDINATION_H
#define MOTE_COORDINATION_H

#include "buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- switching functions ------------------------------------------------------------------- */

/** The switching functions. Numbers are frozen. */
typedef enum mote_switch_kind {
    MOTE_SWITCH_RATIONAL = 0,
    MOTE_SWITCH_EXP = 1,
    MOTE_SWITCH_GAUSSIAN = 2,
    MOTE_SWITCH_SMAP = 3,
    MOTE_SWITCH_CUBIC = 4,
    MOTE_SWITCH_TANH = 5,
    MOTE_SWITCH_COSINUS = 6,
    MOTE_SWITCH_Q = 7,
    MOTE_SWITCH_CUSTOM = 8
} mote_switch_kind;

/**
 * The name of a kind, such as "GAUSSIAN"; NULL for an unknown number, so counting up from 0 lists
 * all kinds. Threads: any. Since: 0.1.
 */
MOTE_API const char *mote_switch_kind_name(mote_switch_kind kind);

/** Characters of the expression of CUSTOM, with the 0 at its end. */
#define MOTE_SWITCH_FUNC_SIZE 256

/** A switching function. Lengths are in the unit of the positions. */
typedef struct mote_switch {
    size_t size;           /**< set by mote_switch_init() */
    mote_switch_kind kind; /**< the function; it determines the meaning of the other members */
    double r_0;            /**< above 0; for CUBIC 0, or d_max - d_0, to which 0 is completed */
    double d_0;            /**< any finite number */
    double d_max;          /**< above d_0 and 0, INFINITY for none; 0 = automatic (RATIONAL only):
                                d_0 + r_0 (1e-5)^(1 / (nn - mm)), which is below r_0 for nn above
                                mm, as in PLUMED */
    uint32_t no_stretch;   /**< not 0: not stretched; an infinite d_max is never stretched */
    int32_t nn;            /**< RATIONAL: exponent of at least 1; 0 = 6 */
    int32_t mm;            /**< RATIONAL: exponent of at least 1; 0 = 2 nn */
    double a;              /**< SMAP: above 0 */
    double b;              /**< SMAP: above 0 */
    double beta;           /**< Q: above 0; 0 = 50 */
    double lambda;         /**< Q: above 0; 0 = 1.8 */
    double ref;            /**< Q: the reference distance, above 0 */
    char func[MOTE_SWITCH_FUNC_SIZE]; /**< CUSTOM: the expression, as "1/(1+x^6)", ended by 0 */
    uint64_t reserved[8]; /**< 0: reserved, because other structures contain this one by value */
} mote_switch;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_switch)

/**
 * Reads a switching function from PLUMED's words, as "GAUSSIAN R_0=0.3 D_MAX=1.0 NOSTRETCH".
 *
 * text: the name of a kind (MATHEVAL is an older name of CUSTOM), then words in any order: R_0=,
 * D_0=, D_MAX=, NN=, MM=, A=, B=, BETA=, LAMBDA=, REF=, FUNC=, NOSTRETCH, STRETCH (the default).
 * Without D_MAX the function is infinite. Numbers are decimal, with a point in every locale, or
 * expressions without x and without blanks, as pi/10 or 2*sqrt(3). FUNC={1 / (1 + x^6)}, in braces,
 * may have blanks. function: receives the completed function; need not be initialised. Returns:
 * MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT with a sentence that names the wrong word and the
 * nearest valid one, a missing word, a value that is not allowed, or the position in an expression.
 * Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_switch_parse(const char *text, mote_switch *function);

/**
 * Fills in the defaults (exponents, the automatic d_max, r_0 of CUBIC) and checks all values.
 *
 * Returns: MOTE_SUCCESS; MOTE_ERROR_INVALID_STRUCT; MOTE_ERROR_INVALID_ARGUMENT naming the value:
 * r_0 <= 0 or below 7.46e-155 (CUBIC: neither 0 nor d_max - d_0), d_max <= d_0, nn == mm, nn > mm
 * beyond 1e30 at d_max, CUBIC without a d_max, Q without ref, a value that is not finite, an
 * invalid expression (with the character, from 1), one that is not finite, or one in x2 alone with
 * a d_0 other than 0, a function that cannot be stretched: COSINUS that has ended before r = 0, or
 * RATIONAL with mm other than 2 nn that is below 1e-25 there. On failure the function is unchanged.
 * Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_switch_complete(mote_switch *function);

/**
 * s(r) and, unless NULL, its derivative s'(r), in double on the host.
 *
 * function: completed by mote_switch_complete(). r: at least 0; at r = 0 the derivative is 0. Each
 * call parses the text of CUSTOM again.
 * Returns: NaN for a NULL function, or r below 0. Threads: any. Since: 0.1.
 */
MOTE_API double mote_switch_value(const mote_switch *function, double r, double *derivative);

/* ---- plans --------------------------------------------------------------------------------- */

/** The pairs that are counted. */
typedef enum mote_coordination_mode {
    MOTE_COORDINATION_SELF = 0, /**< pairs i < j of list A */
    MOTE_COORDINATION_TWO = 1,  /**< every entry of A with every entry of B */
    MOTE_COORDINATION_PAIR = 2  /**< A[k] with B[k] */
} mote_coordination_mode;

/** Returns a value's name ("pair"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_coordination_mode_name(mote_coordination_mode mode);

/** The shape of the periodic box. */
typedef enum mote_pbc {
    MOTE_PBC_NONE = 0,
    MOTE_PBC_ORTHORHOMBIC = 1, /**< only the diagonal of the box is used; all three must not be 0 */
    MOTE_PBC_TRICLINIC = 2
} mote_pbc;

/** Returns a value's name ("triclinic"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_pbc_name(mote_pbc pbc);

/** The precision of pairs and of sums; see the top of this header. MIXED is the default in C, C++
 * and Python; the default of the command `mote coordination` is DOUBLE, if the device has it. */
typedef enum mote_precision {
    MOTE_PRECISION_MIXED = 0,
    MOTE_PRECISION_SINGLE = 1,
    MOTE_PRECISION_DOUBLE = 2
} mote_precision;

/** Returns a value's name ("double"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_precision_name(mote_precision precision);

/** Methods of finding pairs. */
typedef enum mote_coordination_method {
    MOTE_COORDINATION_AUTO = 0, /**< by d_max, box, number of entries, device */
    MOTE_COORDINATION_ALL_PAIRS = 1,
    MOTE_COORDINATION_CELLS = 2 /**< by cells; in mode PAIR the same as ALL_PAIRS */
} mote_coordination_method;

/** Returns a value's name ("cells"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_coordination_method_name(mote_coordination_method method);

/** The part of a call that does not change from step to step, uploaded once. Threads: any number of
 * calls at once; with a skin, one call at a time. */
typedef struct mote_coordination mote_coordination;

/** Arguments of mote_coordination_create(). */
typedef struct mote_coordination_plan_args {
    size_t size;                 /**< set by mote_coordination_plan_args_init() */
    mote_switch function;        /**< need not be completed; initialised with this structure */
    mote_coordination_mode mode; /**< the pairs that are counted */
    size_t n_atoms;              /**< atoms of a frame, below 2^31 */
    const uint32_t *group_a;     /**< atoms from 0; copied; NULL with n_a 0 = all atoms in order */
    size_t n_a;                  /**< entries of group_a */
    const uint32_t *group_b;     /**< modes TWO and PAIR, which need it; copied */
    size_t n_b;                  /**< entries of group_b; mode PAIR: n_a */
    mote_pbc pbc;                /**< the shape of the periodic box */
    mote_precision precision;    /**< of pairs and of sums; MIXED by default */
    mote_coordination_method method; /**< how pairs are found */
    uint32_t share;                  /**< number of this share, from 0 */
    uint32_t shares; /**< 0 or 1: all pairs count; 2 to 65536: only the pairs of this share */
    double skin;     /**< at least 0, in the unit of the positions; 0 = none. Above 0, a plan keeps
                        lists of partners from call to call, see "Skin" */
} mote_coordination_plan_args;

/** Sets size, runs mote_switch_init() on function and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER_WITH(mote_coordination_plan_args, mote_switch_init(&args->function);)

/**
 * Checks groups and function, and uploads them to the device.
 *
 * ctx must outlive the plan. out: receives the plan, NULL on failure; free with
 * mote_coordination_release(). Returns: MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT (an atom number
 * that is not below n_atoms, with its index in the list; a share that is not below shares; a skin
 * that is negative or not finite; pair groups of unequal lengths; CELLS with an infinite d_max;
 * what mote_switch_complete() refuses); MOTE_ERROR_UNSUPPORTED (DOUBLE on a device without fp64; a
 * device whose groups have fewer than 8 work-items; 2^31 entries or more);
 * MOTE_ERROR_INVALID_STRUCT; MOTE_ERROR_OUT_OF_HOST_MEMORY; MOTE_ERROR_OUT_OF_DEVICE_MEMORY; an
 * OpenCL code. Threads: any. Blocks: until the lists are uploaded. Since: 0.1.
 */
MOTE_API mote_status mote_coordination_create(mote_context *ctx,
                                              const mote_coordination_plan_args *args,
                                              mote_coordination **out);

/** Releases a plan; calls that are already enqueued retain the objects they use. NULL is allowed.
 * Since: 0.1. */
MOTE_API void mote_coordination_release(mote_coordination *plan);

/** Returns the number of entries: n_a, or n_a + n_b in modes TWO and PAIR. Threads: any.
 * Since: 0.1. */
MOTE_API size_t mote_coordination_entries(const mote_coordination *plan);

/** Returns the completed switching function; lives as long as the plan. Threads: any.
 * Since: 0.1. */
MOTE_API const mote_switch *mote_coordination_function(const mote_coordination *plan);

/* ---- calls --------------------------------------------------------------------------------- */

/** The rows of the derivatives. */
typedef enum mote_derivatives_of {
    MOTE_DERIVATIVES_ENTRY = 0, /**< each list entry, A then B */
    MOTE_DERIVATIVES_ATOM = 1   /**< each atom of the frame, summed over its entries; 0 for atoms in
                                   no list */
} mote_derivatives_of;

/** Returns a value's name ("atom"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_derivatives_of_name(mote_derivatives_of of);

/** Arguments of mote_coordination_compute(). F is the number of frames, N the plan's n_atoms. */
typedef struct mote_coordination_args {
    size_t size;                   /**< set by mote_coordination_args_init() */
    const mote_coordination *plan; /**< of mote_coordination_create() */
    size_t frames;                 /**< 0 = 1 */
    mote_view
        positions; /**< in, F x N x position_stride, float32 or float64: x, y, z of each atom */
    uint32_t position_stride; /**< 3 or 4; 0 = 3 */
    const double *box; /**< F x 9, host memory, rows = lattice vectors a, b, c; copied. Needed with
                          a periodic box, unless box_device is given. Vectors are from 1e-300 to
                          1e300 and at least 1e-130 r_0 long, and those of a triclinic box within a
                          factor of 1e70; see also "Boxes in SINGLE and MIXED" */
    mote_view box_device; /**< the same, float32 or float64, on the device */
    mote_view value;  /**< out, F, float64; on devices without fp64 float32, 2 F: high and low part;
                           optional */
    mote_view virial; /**< out, F x 9, float64; without fp64 float32, 2 F x 9; optional */
    mote_view derivatives; /**< out, F x (entries or N) x derivative_stride, float32 or float64;
                                optional. A fourth component is not changed */
    uint32_t derivative_stride;         /**< 3 or 4; 0 = 3 */
    mote_derivatives_of derivatives_of; /**< the rows of the derivatives */
    uint32_t
        accumulate; /**< 0: derivatives are overwritten; not 0: factor x derivatives is added */
    double factor;  /**< 0 = 1; derivatives are multiplied by it in both cases */
    mote_view
        coordination; /**< out, F x entries, float32 or float64: coordination number of each entry.
                           SELF: sum over the other entries (they add up to twice the value). TWO: A
                         over B, then B over A. PAIR: s of the pair, for both; optional */
    mote_view workspace; /**< scratch of the caller, uint32, mote_coordination_workspace_size()
                            bytes; NULL = the context's pool */
    cl_mem error;        /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset; /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep; /**< not 0: the word is not cleared first, so that it reports the errors of
                              all calls since it was cleared */
    mote_view weights;   /**< in, F x entries, float32 or float64, finite, and within float32's
                              range unless the precision is DOUBLE: pairs and outputs are weighted,
                              see the top; not together with coordination; optional */
} mote_coordination_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_coordination_args)

/**
 * Coordination number, virial, derivatives and per-entry numbers of one or more frames.
 *
 * queue: a queue of the plan's context, in order or not. args: see above; copied, need not outlive
 * the call; the plan must. num_wait, wait: events the work waits for. event: receives an event that
 * covers all of it (the caller releases it); NULL = not wanted. The caller's memory objects must
 * live until it completes. Outputs must not overlap inputs or each other.
 *
 * Empty input: with no entries or a single one, value and virial are 0.
 * Errors in the data (args.error): MOTE_ERROR_POSITION (an atom of a list that is NaN or infinite;
 * index: frame x N + atom, at most 2^32 - 2), MOTE_ERROR_BOX (a box on the device that is singular,
 * not finite, or of a size that the precision does not allow; index: frame). After such an error
 * the outputs are unspecified, but nothing outside the views was touched. Returns: MOTE_SUCCESS;
 * MOTE_ERROR_INVALID_ARGUMENT, MOTE_ERROR_INVALID_STRUCT, MOTE_ERROR_INVALID_TYPE,
 * MOTE_ERROR_INVALID_VIEW, MOTE_ERROR_WRONG_CONTEXT (nothing was enqueued); MOTE_ERROR_BOX for a
 * bad box of the host; MOTE_ERROR_UNSUPPORTED (float64 views without fp64); MOTE_ERROR_BUILD;
 * MOTE_ERROR_OUT_OF_DEVICE_MEMORY (with the bytes needed); an OpenCL code. Threads: any number at
 * once, also on one plan without a skin. Blocks: no (the first call of a kind builds kernels).
 * Deterministic: the same bits on the same device. Since: 0.1.
 */
MOTE_API mote_status mote_coordination_compute(mote_context *ctx, cl_command_queue queue,
                                               const mote_coordination_args *args, cl_uint num_wait,
                                               const cl_event *wait, cl_event *event);

/**
 * Bytes of scratch that a call with these arguments needs, for callers that provide their own;
 * views may have NULL memory objects. A call with error_keep needs more bytes than a call without:
 * set error_keep as in that call. If no box is given, the bytes suffice for any box; with a box,
 * they suffice for all boxes that need the same precision, whatever method AUTO chooses (see "Boxes
 * in SINGLE and MIXED"). One call may be in flight on a workspace at a time.
 *
 * Returns: as mote_coordination_compute(). Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_coordination_workspace_size(mote_context *ctx,
                                                      const mote_coordination_args *args,
                                                      size_t *bytes);

/** Arguments of mote_coordination_host(): plain arrays of the host. */
typedef struct mote_coordination_host_args {
    size_t size;                        /**< set by mote_coordination_host_args_init() */
    const mote_coordination *plan;      /**< of mote_coordination_create() */
    size_t frames;                      /**< 0 = 1 */
    const double *positions64;          /**< F x N x 3; recentred in double. Give one of the two */
    const float *positions32;           /**< the same in single precision */
    const double *box;                  /**< F x 9 with a periodic box */
    double *value;                      /**< out, F; optional, as all outputs */
    double *virial;                     /**< out, F x 9 */
    double *derivatives64;              /**< out, F x (entries or N) x 3; at most one of the two */
    float *derivatives32;               /**< the same in single precision */
    mote_derivatives_of derivatives_of; /**< the rows of the derivatives */
    double *coordination;               /**< out, F x entries */
    const double *weights;   /**< F x entries, finite, and within float32's range unless the
                                  precision is DOUBLE; not together with coordination; optional */
    uint32_t same_positions; /**< not 0: the array of positions is that of the last call on this
                                host and has not changed since. It is not copied to the device
                                again; useful for several plans on one frame */
} mote_coordination_host_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_coordination_host_args)

/**
 * mote_coordination_compute() for arrays of the host; blocking.
 *
 * host: the state to use; NULL = a temporary one. After the first call of a given size, nothing is
 * allocated or built. Returns: as mote_coordination_compute(), and also the errors in the data,
 * with frame, atom and values in the sentence; MOTE_ERROR_INVALID_ARGUMENT also for a weight out of
 * range, with frame and entry. Threads: one call at a time for each host, and for each plan with a
 * skin. Blocks: yes. Since: 0.1.
 */
MOTE_API mote_status mote_coordination_host(mote_context *ctx, mote_host *host,
                                            const mote_coordination_host_args *args);

#ifdef __cplusplus
}
#endif

#endif
