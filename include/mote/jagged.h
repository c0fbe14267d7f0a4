/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file jagged.h
 * @brief Jagged arrays: lists of any lengths, stored one after another in one content array.
 *
 * m lists are described by m + 1 offsets: list k owns the positions offsets[k] .. offsets[k + 1] -
 * 1 of the content. Offsets are int32, uint32 or int64 and never decrease; they need neither start
 * at 0 nor end at the end of the content. Starts and stops describe lists in any order, with gaps:
 * list k owns starts[k] .. stops[k] - 1. Any number of lists may be empty, anywhere.
 *
 * - parents: for each element the number of its list; local_index: its position inside the list;
 * - counts, offsets from counts, from parents, from starts and stops;
 * - reduce: one result for each list (sum, min, argmax, any, ...), straight from the offsets;
 * - scan: for each element the sum, product, minimum or maximum of its list up to it;
 * - sort: the values of each list in order, or the positions that they had;
 * - expansions, which use parents without storing them: gather_by_parent, product, pairs,
 *   combinations;
 * - nonzero: positions of the values that are not 0, or the elements that a mask keeps;
 * - run_lengths: the runs of equal neighbouring elements inside lists;
 * - pad, slice: elements at given indices of each list; quantile: quantiles of sorted lists.
 *
 * Guarantees. Integer results are the same bits on every device, and float sums and products on
 * every device with double precision, with every strategy and work-group size and in every run.
 * Work is divided by lists and elements together: neither a hundred million empty lists nor one
 * list with half of all elements leaves most of a device idle. Inputs are never written.
 *
 * Errors in the data are found on the device. Each call reports, in args.error, the lowest bad list
 * and what is wrong with it, tested in this order: negative (MOTE_ERROR_OFFSETS_NEGATIVE),
 * decreasing (MOTE_ERROR_OFFSETS_NOT_MONOTONIC; MOTE_ERROR_STOP_BEFORE_START for starts and stops),
 * beyond the content (MOTE_ERROR_OFFSETS_OUT_OF_RANGE). MOTE_JAGGED_VALIDATE_FULL tests every
 * offset. MOTE_JAGGED_VALIDATE_TOUCHED tests only those that the kernels read anyway: some bad
 * offsets may go unreported, and the one reported need not be the lowest, but nothing outside the
 * views is ever read or written. After an error the outputs are unspecified.
 *
 * Virtual layout of a list's float sum or product: elements are accumulated in double. On a
 * device without double precision, float32 elements are accumulated in two floats. The elements of
 * a list of up to 32 elements are accumulated one after another, from +0 (or 1). A longer list is
 * divided into chunks of 256 elements from its start. In a chunk, lane l of 8 accumulates the
 * elements l, l + 8, ... in this order, and lanes are combined as l with l + 4, then l + 2, then l
 * + 1. 16 chunks form a block of 4096 elements; they are combined as c with c + 8, c + 4, c + 2, c
 * + 1. If there are several blocks, lane j of 256 accumulates the results of blocks j, j + 256,
 * ..., and lanes are combined as j with j + 128, j + 64, ... j + 1. Missing lanes, chunks and
 * blocks change nothing. Finally the result is rounded once to its type.
 *
 * Virtual layout of a list's variance: the layout of a sum, for any type of values. Where a sum
 * accumulates elements one after another, a variance accumulates the difference of each from the
 * first one, x, in a sum S, and the square of the difference in a sum Q. N elements have the mean x
 * + m, where m = S / N, and the sum of squares q = Q - S m, or 0 if that is negative. Where a sum
 * combines two results, a variance combines x, m, q and N with x', m', q' and N': with d = (x' - x)
 * + (m' - m) and e = d (N' / (N + N')), to x, m + e, q + q' + e (d N) and N + N'. Parts without
 * values change nothing. Thus values far from 0 have variances as accurate as others.
 *
 * Virtual layout of prefix sums and products of floats: a tree over the array of values. From the
 * first value on, 8 values form a run, 16 runs a block, 16 blocks a tile, 16 tiles the next node,
 * and so on. Only elements of one list take part. The total of a node accumulates its elements (a
 * run) or the totals of its children (a higher node) one after another, from +0 (or 1). The prefix
 * of a node is the prefix of its parent, combined with the accumulated totals of the parent's
 * earlier children as the right operand. A result is the prefix of the element's run, combined with
 * the accumulated elements of the run up to it. Where the list has no elements, nothing is
 * combined. Types and the last rounding are those of sums of lists.
 *
 * Limits: fewer than 2^31 lists; any number of elements that the offsets' type can count and the
 * device's memory holds, unless a function says less.
 *
 * Sources: J. Pivarski et al., Awkward Array (doi:10.5281/zenodo.4341376); for the balanced
 * strategy S. Baxter, "Load-balancing search" (moderngpu, 2013); for variances T. F. Chan, G. H.
 * Golub, R. J. LeVeque, "Algorithms for computing the sample variance", Amer. Statist. 37 (1983)
 * 242.
 */
#ifndef MOTE_JAGGED_H
#define MOTE_JAGGED_H
#include "reduce.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How work is divided; every strategy gives the same bits. */
typedef enum mote_jagged_strategy {
    MOTE_JAGGED_AUTO = 0,    /**< by device class, lists and elements; logged at debug level */
    MOTE_JAGGED_SEARCH = 1,  /**< one work-item for each element, with a binary search */
    MOTE_JAGGED_EVENT = 2,   /**< one work-item for each list */
    MOTE_JAGGED_BALANCED = 3 /**< equal amounts of work, for lists of any lengths */
} mote_jagged_strategy;

/** Returns a value's name ("balanced"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_jagged_strategy_name(mote_jagged_strategy strategy);

/** Which offsets are checked. */
typedef enum mote_jagged_validate {
    MOTE_JAGGED_VALIDATE_DEFAULT = 0, /**< TOUCHED for device views, FULL in the host layer */
    MOTE_JAGGED_VALIDATE_TOUCHED = 1, /**< only the offsets that the kernels read anyway */
    MOTE_JAGGED_VALIDATE_FULL = 2     /**< every offset */
} mote_jagged_validate;

/** Returns a value's name ("full"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_jagged_validate_name(mote_jagged_validate validate);

/** Whether lists given by starts and stops are tested for common elements. */
typedef enum mote_jagged_overlap {
    MOTE_JAGGED_OVERLAP_DEFAULT = 0, /**< IGNORE for device views, CHECK in the host layer */
    MOTE_JAGGED_OVERLAP_IGNORE = 1,  /**< a shared element belongs to the list of highest number */
    MOTE_JAGGED_OVERLAP_CHECK = 2    /**< MOTE_ERROR_OVERLAP, index: the lowest list that shares an
                                       element with a list of lower number */
} mote_jagged_overlap;

/** Returns a value's name ("check"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_jagged_overlap_name(mote_jagged_overlap overlap);

/* ---- parents and local index --------------------------------------------------------------- */

/** Arguments of mote_jagged_parents(). Give offsets, or starts and stops. */
typedef struct mote_jagged_parents_args {
    size_t size;           /**< set by mote_jagged_parents_args_init() */
    mote_view offsets;     /**< in, m + 1, int32, uint32 or int64 */
    mote_view starts;      /**< in, m, of the same types */
    mote_view stops;       /**< in, m, type of starts */
    mote_view parents;     /**< out, n, type of the offsets. Relative form: element i is position
                              offsets[0] + i. Absolute form, and starts and stops: element i is position
                              i. Elements that belong to no list get -1 (uint32: all bits set) */
    uint32_t absolute;     /**< not 0 = absolute form (implied by starts and stops) */
    size_t content_length; /**< relative form: offsets beyond it are an error; 0 = not checked. In
                              the absolute form it is n */
    mote_jagged_strategy strategy; /**< for starts and stops AUTO, EVENT or BALANCED; SEARCH needs
                                        ordered lists and is refused */
    mote_jagged_validate validate; /**< which offsets are checked */
    mote_jagged_overlap overlap;   /**< of starts and stops */
    mote_view workspace; /**< scratch of the caller, uint32, mote_jagged_parents_workspace_size()
                            bytes; NULL = the context's pool */
    cl_mem error;        /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset; /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep; /**< not 0: the word is not cleared first, so that it reports the errors of
                              all calls since it was cleared */
} mote_jagged_parents_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_parents_args)

/**
 * The list number of each element.
 *
 * queue: a queue of the context, in order or not. args: see above; copied, need not outlive the
 * call. num_wait, wait: events the work waits for. event: receives an event that covers all of it
 * (the caller releases it); NULL = not wanted. The caller's memory objects must live until it
 * completes. Outputs must not overlap inputs.
 *
 * Empty input: with n = 0 the view parents may be NULL; with m = 0 (one offset, or empty starts and
 * stops) no element belongs to a list.
 * Errors in the data (args.error): those at the top of this header, MOTE_ERROR_OVERLAP, and
 * MOTE_ERROR_CAPACITY when the relative form has more elements than parents (index: the number of
 * elements). Returns: MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT, MOTE_ERROR_INVALID_STRUCT,
 * MOTE_ERROR_INVALID_TYPE, MOTE_ERROR_INVALID_VIEW, MOTE_ERROR_WRONG_CONTEXT (nothing was
 * enqueued); MOTE_ERROR_UNSUPPORTED (2^31 lists or more); MOTE_ERROR_BUILD;
 * MOTE_ERROR_OUT_OF_DEVICE_MEMORY; an OpenCL code. Threads: any number at once. Blocks: no (the
 * first call of a kind builds kernels). Deterministic: yes, the same bits everywhere. Since: 0.1.
 */
MOTE_API mote_status mote_jagged_parents(mote_context *ctx, cl_command_queue queue,
                                         const mote_jagged_parents_args *args, cl_uint num_wait,
                                         const cl_event *wait, cl_event *event);

/**
 * Bytes of scratch that a call with these arguments needs, for callers that provide their own;
 * views may have NULL memory objects. A call with error_keep needs more bytes than a call without:
 * set error_keep as in that call. One call may be in flight on a workspace at a time. Returns: as
 * mote_jagged_parents(). Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_jagged_parents_workspace_size(mote_context *ctx,
                                                        const mote_jagged_parents_args *args,
                                                        size_t *bytes);

/** Arguments of mote_jagged_local_index(). */
typedef struct mote_jagged_local_index_args {
    size_t size;           /**< set by mote_jagged_local_index_args_init() */
    mote_view offsets;     /**< in, m + 1, int32, uint32 or int64 */
    mote_view local_index; /**< out, n, type of offsets; element i is position offsets[0] + i;
                              elements that belong to no list get -1 */
    size_t content_length; /**< offsets beyond it are an error; 0 = not checked */
    mote_jagged_strategy strategy; /**< how the work is divided */
    mote_jagged_validate validate; /**< which offsets are checked */
    mote_view workspace;           /**< as in mote_jagged_parents_args */
    cl_mem error;                  /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;           /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;           /**< not 0: the word is not cleared first */
} mote_jagged_local_index_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_local_index_args)

/** Each element's position in its list. Other contracts as mote_jagged_parents(). Since: 0.1. */
MOTE_API mote_status mote_jagged_local_index(mote_context *ctx, cl_command_queue queue,
                                             const mote_jagged_local_index_args *args,
                                             cl_uint num_wait, const cl_event *wait,
                                             cl_event *event);

/** Determines the scratch of mote_jagged_local_index(), as mote_jagged_parents_workspace_size()
 * does. Since: 0.1. */
MOTE_API mote_status mote_jagged_local_index_workspace_size(
    mote_context *ctx, const mote_jagged_local_index_args *args, size_t *bytes);

/* ---- counts and offsets ---------------------------------------------------------------------- */

/** Arguments of mote_jagged_counts(). Give offsets, or starts and stops. */
typedef struct mote_jagged_counts_args {
    size_t size;         /**< set by mote_jagged_counts_args_init() */
    mote_view offsets;   /**< in, m + 1, int32, uint32 or int64 */
    mote_view starts;    /**< in, m, int32, uint32 or int64 */
    mote_view stops;     /**< in, m, type of starts */
    mote_view counts;    /**< out, m, of the same type: elements of each list */
    cl_mem error;        /**< a mote_error_word, cleared first; NULL = not reported. Every list is
                            checked, but not against a content */
    size_t error_offset; /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep; /**< not 0: the word is not cleared first */
} mote_jagged_counts_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_counts_args)

/** The length of each list; no scratch. Other contracts as mote_jagged_parents(). Since: 0.1. */
MOTE_API mote_status mote_jagged_counts(mote_context *ctx, cl_command_queue queue,
                                        const mote_jagged_counts_args *args, cl_uint num_wait,
                                        const cl_event *wait, cl_event *event);

/** Arguments of mote_jagged_offsets_from_counts(). Give counts, or starts and stops. */
typedef struct mote_jagged_offsets_from_counts_args {
    size_t size;         /**< set by mote_jagged_offsets_from_counts_args_init() */
    mote_view counts;    /**< in, m, int32, uint32 or int64 */
    mote_view starts;    /**< in, m, int32, uint32 or int64: compact offsets of lists with gaps */
    mote_view stops;     /**< in, m, type of starts */
    mote_view offsets;   /**< out, m + 1, of the same type, the first 0 */
    mote_view workspace; /**< as in mote_jagged_parents_args */
    cl_mem error;        /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset; /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep; /**< not 0: the word is not cleared first */
} mote_jagged_offsets_from_counts_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_offsets_from_counts_args)

/**
 * Prefix sums of counts: the first position of each list when the lists are stored without gaps.
 *
 * Errors in the data: MOTE_ERROR_OFFSETS_NEGATIVE (a negative count), MOTE_ERROR_STOP_BEFORE_START,
 * MOTE_ERROR_OFFSETS_OUT_OF_RANGE (the first list whose end the type cannot represent; the sum of
 * all counts is assumed to be below 2^63). Other contracts as mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_offsets_from_counts(
    mote_context *ctx, cl_command_queue queue, const mote_jagged_offsets_from_counts_args *args,
    cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Scratch of mote_jagged_offsets_from_counts(), as mote_jagged_parents_workspace_size().
 * Since: 0.1.
 */
MOTE_API mote_status mote_jagged_offsets_from_counts_workspace_size(
    mote_context *ctx, const mote_jagged_offsets_from_counts_args *args, size_t *bytes);

/** Arguments of mote_jagged_offsets_from_parents(). */
typedef struct mote_jagged_offsets_from_parents_args {
    size_t size;         /**< set by mote_jagged_offsets_from_parents_args_init() */
    mote_view parents;   /**< in, n < 2^32 - 1 (int32: 2^31), int32, uint32 or int64: labels
                              0 .. m - 1 that never decrease */
    mote_view offsets;   /**< out, m + 1 (its count determines m), of the same type; the first is 0,
                              the last n */
    cl_mem error;        /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset; /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep; /**< not 0: the word is not cleared first */
} mote_jagged_offsets_from_parents_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_offsets_from_parents_args)

/**
 * Offsets of the lists that have these parents, including empty lists.
 *
 * Errors in the data: MOTE_ERROR_PARENTS, index: the lowest element whose label is not one of
 * 0 .. m - 1, or is below the label before it. If scratch is needed, it comes from the context.
 * Other contracts as mote_jagged_parents(). Since: 0.1.
 */
MOTE_API mote_status mote_jagged_offsets_from_parents(
    mote_context *ctx, cl_command_queue queue, const mote_jagged_offsets_from_parents_args *args,
    cl_uint num_wait, const cl_event *wait, cl_event *event);

/* ---- reduce ---------------------------------------------------------------------------------- */

/** Arguments of mote_jagged_reduce(). */
typedef struct mote_jagged_reduce_args {
    size_t size;         /**< set by mote_jagged_reduce_args_init() */
    mote_view offsets;   /**< in, m + 1, int32, uint32 or int64 */
    mote_view values;    /**< in, bool, any integers, float16, float32 or float64; not needed by
                            COUNT */
    uint32_t base_first; /**< 0: list k begins at values[offsets[k]]; not 0: at
                            values[offsets[k] - offsets[0]] */
    mote_reduction reduction; /**< what is computed from the values */
    mote_nan_policy nan;      /**< the treatment of NaN values */
    mote_view result; /**< out, m, of a type that mote_reduction lists: results that are 0 or 1 have
                         the type bool or uint8, and a float32 result other than that of MIN and MAX
                         may be float64 as well */
    mote_jagged_validate validate; /**< which offsets are checked */
    mote_view workspace;           /**< as in mote_jagged_parents_args */
    cl_mem error;                  /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;           /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;           /**< not 0: the word is not cleared first */
    uint32_t ddof; /**< VAR and STD: the number, less than 2^20, that is subtracted from the number
                      of values before the sum of squares is divided by it; 1 for a sample */
} mote_jagged_reduce_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_reduce_args)

/**
 * One result for each list.
 *
 * mote_reduction lists the results of empty lists. ARG* are positions inside the list; of equal
 * values the first wins, -0 and +0 are equal. NaN: PROPAGATE as numpy does; SKIP ignores NaN, so
 * that a list of only NaN counts as empty, except in COUNT, which counts every element, and in
 * COUNTNONZERO, ANY and ALL, where NaN is not 0. Float sums and products follow the virtual layout
 * at the top; float16 values give the same result as the same values in float32. MEAN: values of
 * any type are added up in double in that layout, so that no sum of integers wraps, and divided
 * once by their number; means of integers need a device with double precision. VAR: the sum of the
 * squares of the differences from the mean, in the variant of that layout, divided by the number of
 * values less `ddof`, or by 0 if that is not positive, which gives NaN or infinity as numpy does;
 * STD: its square root. Both are rounded and limited as MEAN is. Errors in the data: those at the
 * top, where beyond the content means beyond values. Other contracts as mote_jagged_parents().
 * Since: 0.1.
 */
MOTE_API mote_status mote_jagged_reduce(mote_context *ctx, cl_command_queue queue,
                                        const mote_jagged_reduce_args *args, cl_uint num_wait,
                                        const cl_event *wait, cl_event *event);

/** Determines the scratch of mote_jagged_reduce(), as mote_jagged_parents_workspace_size() does.
 * Since: 0.1. */
MOTE_API mote_status mote_jagged_reduce_workspace_size(mote_context *ctx,
                                                       const mote_jagged_reduce_args *args,
                                                       size_t *bytes);

/* ---- scan ------------------------------------------------------------------------------------ */

/** Arguments of mote_jagged_scan(). */
typedef struct mote_jagged_scan_args {
    size_t size;                   /**< set by mote_jagged_scan_args_init() */
    mote_view offsets;             /**< in, m + 1, int32, uint32 or int64 */
    mote_view values;              /**< in, n, bool, any integers, float16, float32 or float64 */
    mote_view result;              /**< out, n, of a type that mote_reduction lists */
    mote_reduction reduction;      /**< MOTE_REDUCE_SUM (0), _PROD, _MIN or _MAX */
    uint32_t exclusive;            /**< not 0: a result excludes the element itself */
    mote_jagged_validate validate; /**< which offsets are checked */
    mote_view workspace;           /**< as in mote_jagged_parents_args */
    cl_mem error;                  /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;           /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;           /**< not 0: the word is not cleared first */
} mote_jagged_scan_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_scan_args)

/**
 * Prefix sums inside lists: each element gets the sum (product, minimum, maximum) of the elements
 * of its list up to itself, or with `exclusive` up to the element before it.
 *
 * values[p] belongs to list k when offsets[k] <= p < offsets[k + 1]. An element outside all lists
 * gets the result of an empty list (mote_reduction). If `exclusive` is set, so does the first
 * element of each list. Integers wrap. A NaN makes all later results of its list NaN; of equal
 * values, such as -0 and +0, the first wins. Float sums and products follow the virtual layout at
 * the top: an exclusive result need not have the bits of the inclusive one before it, and sums of
 * positive values may decrease by a rounding error.
 *
 * Errors in the data: those at the top, where beyond the content means beyond values. Also refused
 * (MOTE_ERROR_UNSUPPORTED): more values than the type of offsets can count, and float64 on a device
 * without it. Other contracts as mote_jagged_parents(); n is the length of values. Since: 0.1.
 */
MOTE_API mote_status mote_jagged_scan(mote_context *ctx, cl_command_queue queue,
                                      const mote_jagged_scan_args *args, cl_uint num_wait,
                                      const cl_event *wait, cl_event *event);

/** Determines the scratch of mote_jagged_scan(), as mote_jagged_parents_workspace_size() does.
 * Since: 0.1. */
MOTE_API mote_status mote_jagged_scan_workspace_size(mote_context *ctx,
                                                     const mote_jagged_scan_args *args,
                                                     size_t *bytes);

/* ---- sort ------------------------------------------------------------------------------------ */

/** Arguments of mote_jagged_sort(). */
typedef struct mote_jagged_sort_args {
    size_t size;         /**< set by mote_jagged_sort_args_init() */
    mote_view offsets;   /**< in, m + 1, int32, uint32 or int64 */
    mote_view values;    /**< in, n, bool, any integers, float16, float32 or float64 */
    mote_view result;    /**< out, n, type of values: the values of each list in order; optional */
    mote_view indices;   /**< out, n, int32, uint32 or int64: the position in its list that each of
                              the sorted values had; optional. One of the two must be given */
    uint32_t descending; /**< not 0: the largest value of a list comes first */
    mote_jagged_validate validate; /**< which offsets are checked */
    mote_view workspace;           /**< as in mote_jagged_parents_args */
    cl_mem error;                  /**< a mote_error_word, cleared first; NULL = not reported */
    size_t error_offset;           /**< byte offset of the error word, a multiple of 4 */
    uint32_t error_keep;           /**< not 0: the word is not cleared first */
} mote_jagged_sort_args;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_jagged_sort_args)

/**
 * Sorts the values of each list. Equal values keep their order, so that every device gives the same
 * bits.
 *
 * values[p] belongs to list k when offsets[k] <= p < offsets[k + 1]. An element outside all lists
 * keeps its value, and its index is 0. -0 and +0 are equal. NaN are equal to each other and come
 * last, also if `descending` is set; all bits of a value are kept. Values of bool are compared as 0
 * or 1. float16 and float64 need no extension of the device.
 *
 * Lists are cut into pieces, which are sorted and then merged two at a time by merge path (Green,
 * McColl and Bader, ICS 2012): the time for a long list grows with the logarithm of its length.
 * Errors in the data: those at the top, where beyond the content means beyond values. Also refused
 * (MOTE_ERROR_UNSUPPORTED): 2^32 values or more, or 2^31 with offsets or indices of int32. Other
 * contracts as mote_jagged_parents(); n is the length of values. Since: 0.1.
 */
MOTE_API mote_status mote_jagged_sort(mote_context *ctx, cl_command_queue queue,
                                      const mote_jagged_sort_args *args, cl_uint num_wait,
                                      const cl_event *wait, cl_event *event);

/** Determines the scratch of mote_jagged_sort(), as mote_jagged_parents_workspace_size() does.
 * Since: 0.1. */
MOTE_API mote_status mote_jagged_sort_workspace_size(mote_context *ctx,
                                                     const mote_jagged_sort_args *args,
                                                     size_t *bytes);

#ifdef __cplusplus
}
#endif

#include "jagged_expand.h"
#include "jagged_select.h"
#include "jagged_host.h"

#endif
