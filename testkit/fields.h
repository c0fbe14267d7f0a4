/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of each call on device buffers, as the public headers describe them. The test of
 * refusals loops over these tables. */
#ifndef MOTE_TESTKIT_FIELDS_H
#define MOTE_TESTKIT_FIELDS_H

#include <stddef.h>
#include <stdint.h>

/* Properties of a view. */
enum {
    FIELD_OPTIONAL = 1, /* may be absent, at least with some other arguments */
    FIELD_WRITTEN = 2,
    FIELD_EXACT = 4,    /* one element more or less is rejected, and in FIELD_LEADS as well */
    FIELD_LEADS = 8,    /* the length of another view follows from this one, so an error message may
                           name that view */
    FIELD_FOLLOWS = 16, /* has the type of another view, one of `types` */
    FIELD_IN_PLACE = 32, /* may be the same range as the first view */
    FIELD_READ = 64      /* written, and read before that */
};

typedef struct mote_field {
    const char *name;
    size_t at;      /* offset of the view in the arguments */
    uint32_t types; /* bit t: mote_type t is accepted in some call */
    unsigned is;    /* FIELD_... */
} mote_field;

/* An enumeration of the numbers from 0 to count - 1. */
typedef struct mote_choice {
    const char *name;
    size_t at;
    uint32_t count;
} mote_choice;

#define MOTE_FIELDS_MOST  30
#define MOTE_CHOICES_MOST 5

/* A table ends at the first row without a name. */
typedef struct mote_fields {
    const char *call, *init;
    size_t size; /* of the arguments */
    mote_field fields[MOTE_FIELDS_MOST];
    mote_choice choices[MOTE_CHOICES_MOST];
} mote_fields;

extern const mote_fields mote_all_fields[];
extern const size_t mote_all_fields_count;

#endif
