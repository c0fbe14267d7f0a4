/* SPDX-License-Identifier: Apache-2.0 */
/* What the jagged calls must give: plain loops over the lists, for any input that is valid, and the
 * first thing that is wrong with any other. Index arrays have the type of the lists. */
#ifndef MOTE_TESTKIT_REFERENCE_JAGGED_ORACLE_H
#define MOTE_TESTKIT_REFERENCE_JAGGED_ORACLE_H

#include "testkit/cases/jagged/lists.h"

/* Value of `content` where no content is known. */
#define MOTE_NO_CONTENT SIZE_MAX

/* The lowest bad list and its fault, looked for in the order negative, decreasing (stop before
 * start), beyond the content, overlap (only when asked). MOTE_SUCCESS when there is none. */
mote_status mote_oracle_find_error(const mote_case_lists *lists, size_t content, bool overlap,
                                   uint32_t *index);

/* Parents of `n` positions: the first is the first offset (relative), or 0 (absolute, and for
 * starts and stops, where of several owners the last wins). -1 where there is no owner. */
void mote_oracle_parents(const mote_case_lists *lists, bool absolute, size_t n, void *parents);

/* Position in its list of each of `n` elements from the first offset on; -1 behind the last. */
void mote_oracle_local_index(const mote_case_lists *lists, size_t n, void *local_index);

/* Length of each list. */
void mote_oracle_counts(const mote_case_lists *lists, void *counts);

/* m + 1 offsets from 0. When a count is negative or the type cannot hold the end of a list: the
 * status and that list. */
mote_status mote_oracle_offsets_from_counts(mote_type type, size_t m, const void *counts,
                                            void *offsets, uint32_t *index);

/* m + 1 offsets from n labels. When a label is out of range or below the one before: the status and
 * that element. */
mote_status mote_oracle_offsets_from_parents(mote_type type, size_t n, const void *parents,
                                             size_t m, void *offsets, uint32_t *index);

/* result[i] = value of the list of element i, for values of `size` bytes; offsets only. */
void mote_oracle_gather(const mote_case_lists *lists, const void *values, size_t size,
                        void *result);

/* Combinations of two jagged arrays of as many lists: offsets (m + 1), and positions as far as the
 * capacity goes. They return how many there are, which the type must be able to hold. */
size_t mote_oracle_product(const mote_case_lists *a, const mote_case_lists *b, void *offsets,
                           void *first, void *second, size_t capacity);

/* The same for pairs inside each list. */
size_t mote_oracle_pairs(const mote_case_lists *a, void *offsets, void *first, void *second,
                         size_t capacity);

/* Positions of the values that are not 0, and the offsets of their lists; returns how many. */
size_t mote_oracle_nonzero(const mote_case_lists *lists, const void *values, mote_type values_type,
                           void *offsets, void *positions, size_t capacity);

/* The elements of `size` bytes whose values are not 0; those that exceed the capacity are lost. */
void mote_oracle_filter(const mote_case_lists *lists, const void *values, mote_type values_type,
                        const void *content, size_t size, void *filtered, size_t capacity);

/* Whether value k is not 0; NaN is not. */
bool mote_value_nonzero(const void *values, mote_type type, size_t k);

#endif
