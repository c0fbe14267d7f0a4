/* SPDX-License-Identifier: Apache-2.0 */
/* Verification cases of the shared folder: each is a folder with case.json and arrays. */
#ifndef MOTE_TESTS_JAGGED_SHARED_H
#define MOTE_TESTS_JAGGED_SHARED_H

#include "common/json.h"
#include "common/shared.h"
#include "tool/formats/npy.h"
#include "harness.h"

typedef struct shared_case {
    char name[256];
    mote_json *json;
    bed *b;
    cl_command_queue queue;
} shared_case;

/* The text of a key inside one of the JSON's objects ("" = the outermost); false if it is missing
 * or null. Numbers are returned as their text. */
bool shared_text(const shared_case *c, const char *object, const char *key, char *out, size_t size);

/* Returns a number of "num"; the test fails if it is missing. */
int64_t shared_number(const shared_case *c, const char *key);

/* Reads an array; false if the case has none of this name. A damaged file fails the test. */
bool shared_array(const shared_case *c, const char *name, mote_npy *array);

/* Converts indices to another type, because some files have a narrower type than the offsets. */
void shared_convert(mote_npy *array, mote_type type);

/* The expected error of the case, and the list. */
mote_status shared_error(const shared_case *c, uint32_t *index);

/* A guarded array on the device with the contents of a file, or none for an array that was not
 * read; and its view, the NULL view if there are no elements. */
mote_guard shared_upload(const shared_case *c, const char *name, const mote_npy *array);
mote_view shared_view(const mote_guard *guard);

/* Run one case on the device and with the host layer, one function for each operation. */
void shared_parents(const shared_case *c);
void shared_parents_invalid(const shared_case *c);
void shared_local_index(const shared_case *c);
void shared_counts(const shared_case *c);
void shared_offsets_from_counts(const shared_case *c);
void shared_offsets_from_parents(const shared_case *c);
void shared_reduce(const shared_case *c);
void shared_reduce_nan(const shared_case *c);
void shared_sum(const shared_case *c);

/* Fails unless |got - exact| <= bound; NaN and infinities must be equal. */
void shared_near(const shared_case *c, const char *what, size_t k, double got, double exact,
                 double bound);

#endif
