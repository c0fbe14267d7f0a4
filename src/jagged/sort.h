/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting inside lists as a step of a call. The caller makes the plan, takes its scratch, and runs
 * it. */
#ifndef MOTE_JAGGED_SORT_H
#define MOTE_JAGGED_SORT_H

#include "jagged/lists.h"
#include "mote/jagged.h"

typedef struct mote_sort {
    mote_jagged_sort_args args; /* the views of the workspace and of the error are not used */
    mote_lists lists;
    bool cpu;
    bool keys;   /* sort_keys sorts most chunks */
    bool shorts; /* sort_short does */
    bool once;   /* one launch does all mergings */
    size_t n, chunks, local;
    size_t keys_local;                /* work-items of a group of sort_keys */
    size_t short_local, short_lists;  /* work-items and lists of a group of sort_short */
    size_t registers, keys_registers; /* of a work-item of sort_chunks and sort_keys, on NVIDIA's
                                         devices; 0: no limit */
    uint32_t mergings;                /* of a list that has all values */
    mote_view first, spans;           /* scratch: the lists of each chunk */
    mote_view left;          /* scratch: for each chunk, whether sort_chunks has to sort it */
    mote_view turns;         /* scratch: see shared/jagged.h */
    mote_view result, other; /* between which long lists move */
    mote_view indices, other_indices;
    mote_view guard; /* optional, one uint32: if it is 0 on the device, the launches do nothing;
                        needs values of 8 bytes, or indices */
} mote_sort;

/* Chooses the kernels for sort->args and sort->lists, which have been checked. The views need no
 * memory yet. */
void mote_sort_make(const mote_context *ctx, mote_sort *sort);

/* Takes scratch. All views of sort->args are set; their memory may be NULL while scratch is only
 * counted. */
void mote_sort_carve(mote_sort *sort, mote_carve *carve);

/* Enqueues the sort as the next launches of `call`; if `last` is set, they are its final ones.
 * `error` is an error word, which is cleared first and receives errors in the offsets. If its
 * memory is NULL, errors are not reported. */
mote_status mote_sort_run(mote_call *call, const mote_sort *sort, const mote_view *error,
                          bool last);

#endif
