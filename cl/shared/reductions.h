/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file shared/reductions.h
 * @brief The table of reductions, and their kernels for lists; internal to the library.
 */
#ifndef MOTE_SHARED_REDUCTIONS_H
#define MOTE_SHARED_REDUCTIONS_H

/* The kinds of kernels of mote_jagged_reduce(). */
#define MOTE_JAGGED_REDUCE_SUM     0
#define MOTE_JAGGED_REDUCE_PROD    1
#define MOTE_JAGGED_REDUCE_MEAN    2
#define MOTE_JAGGED_REDUCE_VAR     3
#define MOTE_JAGGED_REDUCE_EXTREME 4 /* smallest or largest value, or its position */
#define MOTE_JAGGED_REDUCE_TRUTH   5 /* how many values are (not) 0, or whether any value is */
#define MOTE_JAGGED_REDUCE_COUNT   6 /* number of values, from the offsets alone */

/* The last kind whose result is computed from all values of a list. */
#define MOTE_JAGGED_REDUCE_LAST_NUMBER MOTE_JAGGED_REDUCE_VAR

/* Least bytes of an accumulator; `wide`: values or offsets have 8 bytes; `skip`: NaN are ignored.
 */
#define MOTE_JAGGED_REDUCE_ACCUMULATOR(kernel, wide, skip)                                         \
    ((kernel) == MOTE_JAGGED_REDUCE_VAR ? 32u                                                      \
     : ((kernel) == MOTE_JAGGED_REDUCE_MEAN && (skip)) ||                                          \
             ((kernel) == MOTE_JAGGED_REDUCE_EXTREME && (wide))                                    \
         ? 16u                                                                                     \
         : 8u)

/* Flags of a kernel, in any combination. */
#define MOTE_JAGGED_REDUCE_LARGEST    1u
#define MOTE_JAGGED_REDUCE_POSITION   2u
#define MOTE_JAGGED_REDUCE_ZEROS      4u  /* zeros are counted instead of values other than 0 */
#define MOTE_JAGGED_REDUCE_ANY        8u  /* the result is one byte: whether anything was counted */
#define MOTE_JAGGED_REDUCE_NONE       16u /* the result is one byte: whether nothing was counted */
#define MOTE_JAGGED_REDUCE_BASE_FIRST 32u
#define MOTE_JAGGED_REDUCE_SPREADS    64u  /* long lists are left to another launch */
#define MOTE_JAGGED_REDUCE_LEFT       128u /* after reduce_staged: shared/jagged_reduce.h */

#define MOTE_JAGGED_REDUCE_ROOT      256u /* standard deviations, not variances */
#define MOTE_JAGGED_REDUCE_DDOF      12   /* the bits from this one up contain ddof */
#define MOTE_JAGGED_REDUCE_MOST_DDOF ((1u << (32 - MOTE_JAGGED_REDUCE_DDOF)) - 1)

/* Types of results: these, besides a set of MOTE_TYPE_BIT. */
#define MOTE_RESULT_AS_VALUES  (1u << 31)
#define MOTE_RESULT_AS_OFFSETS (1u << 30)
/* int64 for signed integers and bool, uint64 for unsigned integers, float32 for float16, else the
 * type of the values. */
#define MOTE_RESULT_ADDED   (1u << 29)
#define MOTE_RESULT_TRUTH   (MOTE_TYPE_BIT(MOTE_BOOL) | MOTE_TYPE_BIT(MOTE_UINT8))
#define MOTE_RESULT_FLOAT64 MOTE_TYPE_BIT(MOTE_FLOAT64)

/* One row for each member of mote_reduction, in its order: its name, its word, whether
 * mote_reduce() accepts it, its kernel, the kernel's flags, the types of results for integers and
 * for floats, and the meaning of results. include/interface.py --write copies the rows to the
 * enumeration, the manual page and Python. */
#define MOTE_REDUCTIONS(ROW)                                                                       \
    ROW(SUM, "sum", true, MOTE_JAGGED_REDUCE_SUM, 0, MOTE_RESULT_ADDED,                            \
        MOTE_RESULT_ADDED | MOTE_RESULT_FLOAT64,                                                   \
        "(u)int64 (wrapping) of bool and integers, else at least float32; empty: 0")               \
    ROW(PROD, "prod", false, MOTE_JAGGED_REDUCE_PROD, 0, MOTE_RESULT_ADDED,                        \
        MOTE_RESULT_ADDED | MOTE_RESULT_FLOAT64,                                                   \
        "(u)int64 (wrapping) of bool and integers, else at least float32; empty: 1")               \
    ROW(MIN, "min", true, MOTE_JAGGED_REDUCE_EXTREME, 0, MOTE_RESULT_AS_VALUES,                    \
        MOTE_RESULT_AS_VALUES, "as VALUES; empty: the type's largest value or +inf")               \
    ROW(MAX, "max", true, MOTE_JAGGED_REDUCE_EXTREME, MOTE_JAGGED_REDUCE_LARGEST,                  \
        MOTE_RESULT_AS_VALUES, MOTE_RESULT_AS_VALUES,                                              \
        "as VALUES; empty: the type's smallest value or -inf")                                     \
    ROW(ARGMIN, "argmin", false, MOTE_JAGGED_REDUCE_EXTREME, MOTE_JAGGED_REDUCE_POSITION,          \
        MOTE_RESULT_AS_OFFSETS, MOTE_RESULT_AS_OFFSETS,                                            \
        "as OFFSETS: position of the first smallest value; empty: -1 (uint32: 4294967295)")        \
    ROW(ARGMAX, "argmax", false, MOTE_JAGGED_REDUCE_EXTREME,                                       \
        MOTE_JAGGED_REDUCE_LARGEST | MOTE_JAGGED_REDUCE_POSITION, MOTE_RESULT_AS_OFFSETS,          \
        MOTE_RESULT_AS_OFFSETS,                                                                    \
        "as OFFSETS: position of the first largest value; empty: -1 (uint32: 4294967295)")         \
    ROW(COUNT, "count", false, MOTE_JAGGED_REDUCE_COUNT, 0, MOTE_RESULT_AS_OFFSETS,                \
        MOTE_RESULT_AS_OFFSETS, "as OFFSETS: number of values")                                    \
    ROW(COUNTNONZERO, "countnonzero", false, MOTE_JAGGED_REDUCE_TRUTH, 0, MOTE_RESULT_AS_OFFSETS,  \
        MOTE_RESULT_AS_OFFSETS, "as OFFSETS: number of values that are not 0; NaN is not 0")       \
    ROW(ANY, "any", false, MOTE_JAGGED_REDUCE_TRUTH, MOTE_JAGGED_REDUCE_ANY, MOTE_RESULT_TRUTH,    \
        MOTE_RESULT_TRUTH, "0 or 1: whether any value is not 0; empty: 0")                         \
    ROW(ALL, "all", false, MOTE_JAGGED_REDUCE_TRUTH,                                               \
        MOTE_JAGGED_REDUCE_ZEROS | MOTE_JAGGED_REDUCE_NONE, MOTE_RESULT_TRUTH, MOTE_RESULT_TRUTH,  \
        "0 or 1: whether no value is 0; empty: 1")                                                 \
    ROW(MEAN, "mean", false, MOTE_JAGGED_REDUCE_MEAN, 0, MOTE_RESULT_FLOAT64,                      \
        MOTE_RESULT_ADDED | MOTE_RESULT_FLOAT64,                                                   \
        "float64 of integers and bool, float32 of float16, else as VALUES; empty: NaN")            \
    ROW(VAR, "var", false, MOTE_JAGGED_REDUCE_VAR, 0, MOTE_RESULT_FLOAT64,                         \
        MOTE_RESULT_ADDED | MOTE_RESULT_FLOAT64,                                                   \
        "variance (see ddof), of the type of a mean; empty: NaN")                                  \
    ROW(STD, "std", false, MOTE_JAGGED_REDUCE_VAR, MOTE_JAGGED_REDUCE_ROOT, MOTE_RESULT_FLOAT64,   \
        MOTE_RESULT_ADDED | MOTE_RESULT_FLOAT64,                                                   \
        "standard deviation (see ddof), of the type of a mean; empty: NaN")

#endif
