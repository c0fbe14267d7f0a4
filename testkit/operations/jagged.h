/* SPDX-License-Identifier: Apache-2.0 */
/* Code that the descriptions of operations on lists share. */
#ifndef MOTE_TESTKIT_OPERATIONS_JAGGED_H
#define MOTE_TESTKIT_OPERATIONS_JAGGED_H

#include "testkit/cases/jagged/values.h"
#include "testkit/operation.h"
#include "mote/jagged.h"

#define BIT(number) (1u << (number))

/* Lists that begin beyond this are for calls without a content. */
#define TRIAL_FAR ((int64_t)1 << 20)

/* Lists that a test provides. Other decisions stay random. */
typedef struct trial_lists_given {
    const mote_lists_case *shape;
    int fault; /* mote_lists_fault to put into the lists, if they can have it; -1: none */
    /* Changes the lists; NULL: they do not change. */
    void (*change)(mote_case_lists *lists, mote_rng *rng, const void *about);
    const void *about; /* argument of change() */
    bool good;         /* the lists are valid after the change, and have as many elements */
} trial_lists_given;

/* The first decision about parents: offsets in the relative form, offsets in the absolute form, or
 * starts and stops. */
enum { TRIAL_RELATIVE, TRIAL_ABSOLUTE, TRIAL_SPANS };

/* Notes of a call. */
typedef struct trial_lists {
    mote_type type;
    bool spans; /* starts and stops */
    mote_lists_case shape;
    size_t m, elements, content;
    mote_case_lists made; /* from trial_lists_make() to trial_lists_end() */
    mote_lengths other;   /* lengths of a second array with as many lists */
} trial_lists;

/* Returns the data of a call on lists. */
trial_lists *trial_lists_of(trial_call *c);

/* Chooses the type of offsets and a shape. Without `far`, lists begin before TRIAL_FAR. With
 * `spans`, the content is as long as it can become. */
trial_lists *trial_lists_choose(trial_call *c, bool far, bool spans);

/* Does the same as trial_lists_choose() for combinations of n elements of one list or, if `product`
 * is set, of one element of each of n arrays. The lists that it chooses have a limited number of
 * combinations. */
trial_lists *trial_lists_choose_few(trial_call *c, bool product, unsigned n, size_t *combinations);

/* Chooses which offsets are checked. */
mote_jagged_validate trial_lists_validate(trial_call *c);

/* Draws the length of an output that needs `needed` elements if nothing is wrong. */
trial_array trial_lists_capacity(trial_call *c, mote_type type, size_t needed);

/* Returns an array with room for all elements or, in some calls, only for some of them. */
trial_array trial_lists_part(trial_call *c, mote_type type);

/* Sets the first arguments of a call on plain arrays. The first fields are offsets and values. */
#define TRIAL_LISTS_HOST(args, c, arrays)                                                          \
    ((args).offsets_type = (c)->array[0].type, (args).lists = (c)->array[0].count - 1,             \
     (args).offsets = (arrays)[0], (args).values_type = (c)->array[1].type,                        \
     (args).values = (arrays)[1], (args).values_length = (c)->array[1].count)

/* Returns whether kernels use double precision, which MOTE_TUNE may disable. */
bool trial_lists_has_fp64(mote_context *ctx);

/* Draws a kind of values. A loose call has only values for which the wider bounds are valid. */
mote_jagged_values trial_lists_values(trial_call *c, bool rounds, bool product);

/* Makes the lists, and copies offsets to the first field, or starts and stops to the second and
 * third. Returns false if out of memory. */
bool trial_lists_make(trial_call *c);

/* Sets the error that must be reported: that of the lists in a content of this length, or
 * MOTE_NO_CONTENT. */
void trial_lists_expect(trial_call *c, size_t content, bool overlap);

/* Sets the error of outputs that are too short; there is no other error. */
void trial_lists_expect_room(trial_call *c, size_t field, size_t needed);

/* Frees the lists. Returns true. */
bool trial_lists_end(trial_call *c);

/* Returns whether a float32 result over `length` values of up to 1010 differs from the expected one
 * by no more than accumulation in two floats, and rounding, can cause. */
bool trial_sums_are_near(int64_t length, const void *got, const void *expected);

/* Values of MOTE_TUNE, which select each variant of an expansion. */
extern const char *const trial_lists_tunes[];

/* Sizes at which layouts, tiles, groups or buffers of lists end. */
extern const size_t trial_lists_borders[];

#endif
