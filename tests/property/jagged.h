/* SPDX-License-Identifier: Apache-2.0 */
/* Functions shared by the draws of jagged arrays. */
#ifndef MOTE_TESTS_PROPERTY_JAGGED_H
#define MOTE_TESTS_PROPERTY_JAGGED_H

#include "testkit/reference/jagged/oracle.h"
#include "mote/jagged.h"
#include "property/property.h"
#include "testkit/trial.h"

/* A call with its types and options, shared by several draws so that they share programs. */
typedef struct jagged_family {
    uint32_t call; /* index into jagged_calls[] */
    mote_type index, values, result;
    mote_reduction reduction;
    mote_nan_policy nan;
} jagged_family;

/* Draws a shape of lists with up to about `most` elements. */
mote_lists_case jagged_shape(mote_rng *rng, size_t most);

/* Draws and makes lists. With `spoilt`, they have a fault, which `lists` records. Returns false if
 * the type of offsets cannot hold them. */
bool jagged_lists(property_draw *draw, mote_type type, size_t most, bool spoilt,
                  mote_case_lists *lists);

/* ---- a call on device memory ----------------------------------------------------------------- */

/* A draw and its arrays, which are freed together. */
typedef struct jagged_work {
    property_draw *draw;
    trial t;
    const jagged_family *f;
    mote_case_lists lists, other;
    size_t m, n; /* lists and elements; n is 0 for bad lists */
    void *memory[4];
    size_t used;
} jagged_work;

/* Draws a number from 0 to below - 1. */
uint32_t jagged_chance(jagged_work *w, uint32_t below);

/* Begins a draw with lists, one in eight of which have a fault. Returns false if none could be
 * made. */
bool jagged_begin(jagged_work *w, property_draw *draw, const jagged_family *f, size_t most);

/* Like jagged_begin(), with lists given by starts and stops. */
bool jagged_begin_spans(jagged_work *w, property_draw *draw, const jagged_family *f, size_t most);

/* Like trial_end(); also frees the arrays of the draw. */
bool jagged_end(jagged_work *w, mote_status called);

/* Ends a draw that is too large without a call. Returns true. */
bool jagged_leave(jagged_work *w);

/* Updates the expected error for calls without a content array, whose length bounds the offsets
 * otherwise. Returns false if a spoilt offset makes far more than `most` elements of the lists,
 * which plain loops should not visit. */
bool jagged_find_error(jagged_work *w, size_t most);

/* Allocate `count` elements: jagged_results() fills them with poison, jagged_bytes() with random
 * bytes and some zero elements. */
void *jagged_results(jagged_work *w, mote_type type, size_t count);
void *jagged_bytes(jagged_work *w, mote_type type, size_t count);

/* Draws which offsets are checked. If only touched ones are, errors may go unnoticed. */
mote_jagged_validate jagged_validate(jagged_work *w);

/* Draws a capacity. It is sometimes too small; the call must then report the number needed. For bad
 * lists it can be any number up to `most`. */
size_t jagged_capacity(jagged_work *w, size_t needed, size_t most);

mote_view jagged_offsets(jagged_work *w, const mote_case_lists *lists);

/* Passes a workspace to one call in four. */
#define JAGGED_WORKSPACE(w, args, size_function)                                                   \
    do {                                                                                           \
        size_t bytes = 0;                                                                          \
        if (jagged_chance(w, 4) == 0 && !size_function((w)->draw->ctx, args, &bytes))              \
            (args)->workspace = trial_workspace(&(w)->t, bytes);                                   \
    } while (0)

/* Makes the call, unless an array could not be allocated. */
#define JAGGED_CALL(w, function, args)                                                             \
    ((w)->t.failed                                                                                 \
         ? MOTE_SUCCESS                                                                            \
         : function((w)->draw->ctx, (w)->draw->queue, args, 1, &(w)->t.gate, &(w)->t.done))

typedef bool (*jagged_draw)(property_draw *draw, const jagged_family *f, size_t most);

bool jagged_draw_parents(property_draw *draw, const jagged_family *f, size_t most);
bool jagged_draw_local_index(property_draw *draw, const jagged_family *f, size_t most);
bool jagged_draw_spans(property_draw *draw, const jagged_family *f, size_t most);
bool jagged_draw_counts(property_draw *draw, const jagged_family *f, size_t most);
bool jagged_draw_from_counts(property_draw *draw, const jagged_family *f, size_t most);
bool jagged_draw_from_parents(property_draw *draw, const jagged_family *f, size_t most);
bool jagged_draw_gather(property_draw *draw, const jagged_family *f, size_t most);
bool jagged_draw_pairs(property_draw *draw, const jagged_family *f, size_t most);
bool jagged_draw_product(property_draw *draw, const jagged_family *f, size_t most);
bool jagged_draw_nonzero(property_draw *draw, const jagged_family *f, size_t most);

#endif
