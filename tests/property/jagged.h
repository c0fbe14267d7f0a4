/* SPDX-License-Identifier: Apache-2.0 */
/* What the draws of jagged arrays share. */
#ifndef MOTE_TESTS_PROPERTY_JAGGED_H
#define MOTE_TESTS_PROPERTY_JAGGED_H

#include "cases/jagged/oracle.h"
#include "mote/jagged.h"
#include "property/trial.h"

/* What draws of one context share, so that they share programs. */
typedef struct jagged_family {
    uint32_t call; /* of jagged_calls[] */
    mote_type index, values, result;
    mote_reduction reduction;
    mote_nan_policy nan;
} jagged_family;

/* Draws a shape of lists, of `most` elements or about as many. */
mote_lists_case jagged_shape(mote_rng *rng, size_t most);

/* The same, made; good, or with a fault that is noted in them. False when the type cannot hold
 * them. */
bool jagged_lists(property_draw *draw, mote_type type, size_t most, bool spoilt,
                  mote_case_lists *lists);

/* ---- a call on device memory ------------------------------------------------------------------
 */

/* The arrays of a draw, freed together. */
typedef struct jagged_work {
    trial t;
    const jagged_family *f;
    mote_case_lists lists, other;
    size_t m, n; /* n: elements of the lists, 0 where they are bad */
    void *memory[4];
    size_t used;
} jagged_work;

/* A number below `below`. */
uint32_t jagged_chance(jagged_work *w, uint32_t below);

/* Draws lists; one time in eight they have a fault. False when there are none. */
bool jagged_begin(jagged_work *w, property_draw *draw, const jagged_family *f, size_t most);

/* The same by starts and stops. */
bool jagged_begin_spans(jagged_work *w, property_draw *draw, const jagged_family *f, size_t most);

/* As trial_end(), and frees what the draw has. */
bool jagged_end(jagged_work *w, mote_status called);

/* Ends a draw that is too large to be made. */
bool jagged_leave(jagged_work *w);

/* What the oracle finds wrong with lists whose content no array tells. */
void jagged_find_error(jagged_work *w);

/* Poison for `count` results; random bytes, with a zero for every other element or so. */
void *jagged_results(jagged_work *w, mote_type type, size_t count);
void *jagged_bytes(jagged_work *w, mote_type type, size_t count);

/* Which offsets are checked: touched ones need not be all that are wrong. */
mote_jagged_validate jagged_validate(jagged_work *w);

/* A capacity, too small now and then, which the call reports with what it needs; of bad lists any.
 */
size_t jagged_capacity(jagged_work *w, size_t needed, size_t most);

mote_view jagged_offsets(jagged_work *w, const mote_case_lists *lists);

/* Gives the call a workspace, one time in four. */
#define JAGGED_WORKSPACE(w, args, size_function)                                                   \
    do {                                                                                           \
        size_t bytes = 0;                                                                          \
        if (jagged_chance(w, 4) == 0 && !size_function((w)->t.draw->ctx, args, &bytes))            \
            (args)->workspace = trial_workspace(&(w)->t, bytes);                                   \
    } while (0)

/* The call, unless something is missing. */
#define JAGGED_CALL(w, function, args)                                                             \
    ((w)->t.failed                                                                                 \
         ? MOTE_SUCCESS                                                                            \
         : function((w)->t.draw->ctx, (w)->t.draw->queue, args, 1, &(w)->t.gate, &(w)->t.done))

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
