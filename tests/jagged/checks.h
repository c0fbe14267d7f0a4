/* SPDX-License-Identifier: Apache-2.0 */
/* One call each, held back until it has returned, against the oracle: results, errors,
 * surroundings, and that inputs are as they were. */
#ifndef MOTE_TESTS_JAGGED_CHECKS_H
#define MOTE_TESTS_JAGGED_CHECKS_H

#include "held.h"

/* Lists by offsets, or starts and stops. */
void check_counts(bed *b, cl_command_queue queue, const mote_case_lists *lists, const char *label);

/* workspace: the caller brings scratch, of no more than the call asked for. */
void check_from_counts(bed *b, cl_command_queue queue, mote_type type, size_t m, const void *counts,
                       bool workspace, const char *label);

/* Lists by starts and stops. */
void check_from_spans(bed *b, cl_command_queue queue, const mote_case_lists *lists,
                      const char *label);

void check_from_parents(bed *b, cl_command_queue queue, mote_type type, size_t n,
                        const void *parents, size_t m, const char *label);

/* All of these for good lists by offsets; spans only with a workspace. */
void check_offsets(bed *b, cl_command_queue queue, const mote_case_lists *lists, bool workspace,
                   const char *label);

/* Values of which every so-manyth is 0, some of a kind that is easily taken for another. */
void *make_values(size_t n, mote_type type, uint32_t every, uint64_t seed);

typedef struct nonzero_case {
    const mote_case_lists *lists;
    const void *values;
    mote_type type; /* of values */
    size_t n;
    size_t capacity;
    bool workspace;
    const char *label;
} nonzero_case;

void check_nonzero(bed *b, cl_command_queue queue, const nonzero_case *c);

void check_gather(bed *b, cl_command_queue queue, const mote_case_lists *lists,
                  mote_type value_type, size_t capacity, mote_jagged_validate validate,
                  const char *label);

/* Elements of that type less the values of their lists, or the squares. */
void check_differences(bed *b, cl_command_queue queue, const mote_case_lists *lists,
                       mote_type element_type, bool squared, const char *label);

/* b: NULL for pairs of a. */
typedef struct combine_case {
    const mote_case_lists *a, *b;
    size_t capacity;
    mote_status status; /* of bad lists */
    uint32_t index;
    bool workspace;
    const char *label;
} combine_case;

void check_combine(bed *b, cl_command_queue queue, const combine_case *c);

#endif
