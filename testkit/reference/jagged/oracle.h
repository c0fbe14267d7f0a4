/* SPDX-License-Identifier: Apache-2.0 */
/* Expected results of the calls on lists: plain loops over the lists, for any valid input, and the
 * first error of any other input. Index arrays have the type of the lists. */
#ifndef MOTE_TESTKIT_REFERENCE_JAGGED_ORACLE_H
#define MOTE_TESTKIT_REFERENCE_JAGGED_ORACLE_H

#include "testkit/cases/jagged/lists.h"

/* Value of `content` if no content is known. */
#define MOTE_NO_CONTENT SIZE_MAX

/* Finds the lowest bad list and its error, in the order negative, decreasing (stop before start),
 * beyond the content, overlap (only on request). MOTE_SUCCESS if there is no error. */
mote_status mote_oracle_find_error(const mote_case_lists *lists, size_t content, bool overlap,
                                   uint32_t *index);

/* Parents of `n` positions: the first position is the first offset (relative), or 0 (absolute, and
 * for starts and stops, where the last of several owners wins). -1 if there is no owner. */
void mote_oracle_parents(const mote_case_lists *lists, bool absolute, size_t n, void *parents);

/* Computes the position in its list of each of `n` elements from the first offset on; -1 after the
 * last list. */
void mote_oracle_local_index(const mote_case_lists *lists, size_t n, void *local_index);

/* Computes the length of each list. */
void mote_oracle_counts(const mote_case_lists *lists, void *counts);

/* m + 1 offsets from 0. If a count is negative or the type cannot hold the end of a list: returns
 * the status and that list. */
mote_status mote_oracle_offsets_from_counts(mote_type type, size_t m, const void *counts,
                                            void *offsets, uint32_t *index);

/* m + 1 offsets from n labels. If a label is out of range or below the previous one: returns the
 * status and that element. */
mote_status mote_oracle_offsets_from_parents(mote_type type, size_t n, const void *parents,
                                             size_t m, void *offsets, uint32_t *index);

/* result[i] = value of the list of element i, for values of `size` bytes; offsets only. */
void mote_oracle_gather(const mote_case_lists *lists, const void *values, size_t size,
                        void *result);

/* Writes the combinations of n elements of each list of arrays[0] or, if `product` is set, of one
 * element of each of n arrays with equal numbers of lists: m + 1 offsets, and n arrays of positions
 * up to the capacity. Returns the number of combinations, which the type must be able to hold. */
size_t mote_oracle_combinations(const mote_case_lists *const *arrays, bool product, unsigned n,
                                void *offsets, void *const *out, size_t capacity);

/* Positions of the values that are not 0, and the offsets of their lists; returns their number. */
size_t mote_oracle_nonzero(const mote_case_lists *lists, const void *values, mote_type values_type,
                           void *offsets, void *positions, size_t capacity);

/* The elements of `size` bytes whose values are not 0; those beyond the capacity are not
 * written. */
void mote_oracle_filter(const mote_case_lists *lists, const void *values, mote_type values_type,
                        const void *content, size_t size, void *filtered, size_t capacity);

/* Writes rows of k values of `size` bytes. Row i contains the values of list i from place `start`
 * on, which counts from the end if it is negative, or from place starts[i] on if `starts` is given.
 * Elements for which the list has no such place are `fill`. */
void mote_oracle_pad(const mote_case_lists *lists, const void *values, size_t size, int64_t start,
                     const void *starts, size_t k, const void *fill, void *result);

/* Slices each list as Python does. Writes the offsets of the kept elements and, up to the capacity,
 * their positions and the values of `size` bytes at these positions. Arrays of positions and values
 * may be NULL. Returns the number of kept elements. */
size_t mote_oracle_slice(const mote_case_lists *lists, const void *values, size_t size,
                         int64_t start, int64_t stop, void *offsets, void *sliced, void *positions,
                         size_t capacity);

/* Computes the quantiles of each list of sorted values, row after row, as float32 or float64. */
void mote_oracle_quantile(const mote_case_lists *lists, const void *values, mote_type type,
                          const double *quantiles, size_t count, mote_type result_type,
                          void *result);

/* Finds the runs of equal neighbours in lists. Each NaN is a run of its own unless `equal_nan` is
 * set. Writes m + 1 offsets, the positions and lengths of runs up to `capacity`, and elements of
 * the type of the values up to `elements_capacity`. An array may be NULL if its capacity is 0.
 * Returns the number of runs. */
size_t mote_oracle_runs(const mote_case_lists *lists, const void *values, mote_type values_type,
                        bool equal_nan, void *offsets, void *positions, void *lengths,
                        size_t capacity, void *elements, size_t elements_capacity);

/* Returns whether value k is not 0; a NaN is not 0. */
bool mote_value_nonzero(const void *values, mote_type type, size_t k);

#endif
