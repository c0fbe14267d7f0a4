/* SPDX-License-Identifier: Apache-2.0 */
/* Code that the descriptions of operations on digis share. */
#ifndef MOTE_TESTKIT_OPERATIONS_PIXELS_H
#define MOTE_TESTKIT_OPERATIONS_PIXELS_H

#include "testkit/cases/pixels/run.h"
#include "testkit/operation.h"

#define BIT(number) (1u << (number))

/* Digis and options that a test gives, which must live until the call has been made; how: a set of
 * MOTE_RUN_... Only the positions of the views are random in such a call. */
typedef struct trial_digis_given {
    const mote_digis *digis;
    const mote_pixels_options *options;
    unsigned how;
} trial_digis_given;

/* Notes of a call. */
typedef struct trial_digis {
    /* Without its arrays until trial_digis_make(), with them until trial_digis_end(). */
    mote_digis digis;
    mote_pixels_options options; /* the same */
    size_t n, extra;             /* number of digis, and of elements after them in the views */
    unsigned how;
    bool cuts, mask, morph; /* the options will have these arrays */
    unsigned lines;         /* bit 0: gains, bit 1: pedestals */
} trial_digis;

trial_digis *trial_digis_of(trial_call *c);

/* True with a probability of 1/times. */
static inline bool trial_once(trial_call *c, uint32_t times)
{
    return mote_rng_below(&c->rng, times) == 0;
}

/* Chooses the types of ids and of charges, one of the bits of `adc`, and modules and events for
 * `n` digis. Given digis determine all of these. */
trial_digis *trial_digis_choose(trial_call *c, uint32_t adc, size_t n);

/* Chooses charge cuts. */
void trial_digis_choose_cuts(trial_call *c);

/* Makes digis and arrays of options. Returns false if memory runs out. */
bool trial_digis_make(trial_call *c, unsigned errors);

/* Frees them. Returns `good`. */
bool trial_digis_end(trial_call *c, bool good);

/* Copy values to an array of the call, in its type; elements after them are never read. */
void trial_digis_copy(const trial_array *to, const uint32_t *values, size_t n);
void trial_digis_copy_bytes(const trial_array *to, const void *values, size_t n);

/* Arrays with an element for each digi, each module, and each module of an event. */
trial_array trial_digis_each(const trial_digis *d, mote_type type);
trial_array trial_digis_modules(const trial_digis *d, mote_type type);
trial_array trial_digis_slots(const trial_digis *d, size_t more);

extern const size_t trial_digis_borders[];

#endif
