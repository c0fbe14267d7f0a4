/* SPDX-License-Identifier: Apache-2.0 */
/* Expected results of mote_jagged_reduce(): plain loops that follow the virtual layout of
 * mote/jagged.h, so that devices with double precision give the same bits. A NaN is written as C's
 * NAN. */
#ifndef MOTE_REFERENCE_JAGGED_REDUCE_ORACLE_H
#define MOTE_REFERENCE_JAGGED_REDUCE_ORACLE_H

#include "testkit/cases/jagged/lists.h"
#include "mote/jagged.h"

/* One reduction of a jagged array of the host. */
typedef struct mote_jagged_reduce_what {
    const void *values;
    mote_type type; /* of the values */
    bool base_first;
    mote_reduction reduction;
    mote_nan_policy nan;
    mote_type result; /* a type that results of the reduction can have */
    uint32_t ddof;
} mote_jagged_reduce_what;

/* result[k] for each list; index results have the type of the lists. */
void mote_oracle_jagged_reduce(const mote_case_lists *lists, const mote_jagged_reduce_what *what,
                               void *result);

/* Returns the variance of values first .. first + count - 1, or its root for MOTE_REDUCE_STD. */
double mote_oracle_variance(const mote_jagged_reduce_what *what, size_t first, size_t count);

/* Computes result[i], the sum, product, minimum or maximum of the elements of value i's list up to
 * and including value i; if `exclusive` is set, of those before it, which can be none. Returns
 * false if memory is exhausted. */
bool mote_oracle_scan(const mote_case_lists *lists, const mote_jagged_reduce_what *what, size_t n,
                      bool exclusive, void *result);

/* Sorts the values of each list, and finds the positions that they had in their lists; equal values
 * keep their order. Values outside all lists do not move. result or indices may be NULL. Returns
 * false if memory is exhausted. */
bool mote_oracle_sort(const mote_case_lists *lists, const mote_jagged_reduce_what *what, size_t n,
                      bool descending, void *result, mote_type indices_type, void *indices);

/* Returns value i as a number; a uint64 is returned by its bits. */
double mote_oracle_number(const mote_jagged_reduce_what *what, size_t i);
int64_t mote_oracle_integer(const mote_jagged_reduce_what *what, size_t i);

/* Returns whether value i is a better result than value j, which precedes it. */
bool mote_oracle_better(const mote_jagged_reduce_what *what, size_t i, size_t j);

/* Writes result k: a rounded number, or the value `best` (SIZE_MAX: that of an empty list). */
void mote_oracle_store_float(void *result, mote_type type, size_t k, double x);
void mote_oracle_store_extreme(const mote_jagged_reduce_what *what, size_t best, size_t k,
                               void *result);

/* Returns the default type of a reduction's results; for sums of float32 values, this is float32.
 */
mote_type mote_jagged_reduce_result_type(mote_reduction reduction, mote_type values,
                                         mote_type offsets);

/* Returns whether results are rounded, so that their bits depend on the order of the operations. */
bool mote_jagged_reduce_rounds(mote_reduction reduction, mote_type values);

#endif
