/* SPDX-License-Identifier: Apache-2.0 */
/* Jagged arrays of the host for tests, the tool and the benchmark: a table of named cases that has
 * every class of lists, the same lists by starts and stops, and lists with one fault. */
#ifndef MOTE_TESTKIT_CASES_JAGGED_LISTS_H
#define MOTE_TESTKIT_CASES_JAGGED_LISTS_H

#include "testkit/cases/jagged/lengths.h"

/* Element k of an array of int32, uint32 or int64. */
static inline int64_t mote_index_get(const void *array, mote_type type, size_t k)
{
    if (type == MOTE_INT32)
        return ((const int32_t *)array)[k];
    return type == MOTE_UINT32 ? ((const uint32_t *)array)[k] : ((const int64_t *)array)[k];
}

/* Stores the part of a value that the type can hold; -1 as uint32 has all bits set. */
static inline void mote_index_set(void *array, mote_type type, size_t k, int64_t value)
{
    if (type == MOTE_INT32)
        ((int32_t *)array)[k] = (int32_t)value;
    else if (type == MOTE_UINT32)
        ((uint32_t *)array)[k] = (uint32_t)value;
    else
        ((int64_t *)array)[k] = value;
}

/* Returns the largest value of the type. */
static inline int64_t mote_index_most(mote_type type)
{
    return type == MOTE_INT32 ? INT32_MAX : type == MOTE_UINT32 ? UINT32_MAX : INT64_MAX;
}

/* Lists as plain arrays: offsets, or starts and stops. */
typedef struct mote_case_lists {
    mote_type type;       /* int32, uint32 or int64 */
    size_t count;         /* m */
    void *offsets;        /* m + 1; NULL if there are starts and stops */
    void *starts, *stops; /* m each */
    size_t content;       /* its length; the last list may end before */
    mote_status status;   /* the error in the data; MOTE_SUCCESS if there is none */
    uint32_t index;       /* the lowest bad list */
} mote_case_lists;

/* Frees the arrays. */
void mote_case_lists_free(mote_case_lists *lists);

/* Determines the bounds of list k. */
void mote_case_lists_bounds(const mote_case_lists *lists, size_t k, int64_t *begin, int64_t *end);

/* Returns the number of elements from the first offset to the last, or of all lists together. */
size_t mote_case_lists_elements(const mote_case_lists *lists);

/* A named case. */
typedef struct mote_lists_case {
    const char *name;
    mote_lengths lengths;
    int64_t first; /* first offset */
    size_t tail;   /* elements of the content behind the last list */
} mote_lists_case;

/* The table, from none to 80 000 lists and up to 230 000 elements. */
size_t mote_lists_case_count(void);
const mote_lists_case *mote_lists_case_at(size_t k);

/* Makes offsets; false if the type cannot hold them or memory ran out. A seed other than 0 gives
 * other random lengths. */
bool mote_lists_case_make(const mote_lists_case *c, mote_type type, uint64_t seed,
                          mote_case_lists *out);

/* Describes the same lengths in another form: starts and stops in random order, gaps between the
 * lists and at both ends, and lists without elements anywhere, even beyond the content. Returns
 * false if memory ran out.
 */
bool mote_case_lists_scatter(const mote_case_lists *offsets, uint64_t seed, mote_case_lists *out);

/* Describes the same lists by starts and stops, one after the other. Returns false if memory ran
 * out. */
bool mote_case_lists_split(const mote_case_lists *offsets, mote_case_lists *out);

/* Errors in lists. */
typedef enum mote_lists_fault {
    MOTE_FAULT_NEGATIVE,
    MOTE_FAULT_DECREASING, /* for starts and stops: a stop before its start */
    MOTE_FAULT_BEYOND,     /* the content ends inside a list, or before the first list */
    MOTE_FAULT_FAR_BEYOND, /* a list ends near the end of what the type can hold */
    MOTE_FAULT_OVERLAP,    /* starts and stops only */
    MOTE_FAULTS
} mote_lists_fault;

/* Puts one error into a random list of valid lists and records the expected report; returns false
 * and changes nothing if these lists cannot have the error. */
bool mote_case_lists_spoil(mote_case_lists *lists, mote_lists_fault fault, uint64_t seed);

#endif
