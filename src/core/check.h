/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of callers' arguments; every function fails with a sentence that names function, field and
 * values. */
#ifndef MOTE_CORE_CHECK_H
#define MOTE_CORE_CHECK_H

#include "core/call.h"
#include "core/type.h"

/* Copies a caller's argument structure into the library's own, `known` bytes long. Its first member
 * is its size: 0 (or smaller than size_t) fails naming `init`; a shorter one is extended with
 * zeros; a longer one must be zero beyond `known`. */
mote_status mote_check_args(const char *function, const char *init, const void *args, void *copy,
                            size_t known);

/* The requirements of a call on a view. */
enum {
    VIEW_EXACT = 1,    /* `count` elements, no more (the message says which arrays disagree) */
    VIEW_OPTIONAL = 2, /* may be absent */
    VIEW_WRITES = 4,
    VIEW_IN_PLACE = 8 /* may be the same range as the first view of the call */
};
#define VIEW_OPTIONAL_IF(condition) ((condition) ? VIEW_OPTIONAL : 0)
#define VIEW_ANY_COUNT              SIZE_MAX

/* Checks the size of a structure that a call fills, and zeroes the members after its size. */
mote_status mote_check_result(const char *function, const char *init, void *result, size_t known);

/* Copies the library's own structure, as far as it fits the caller's. */
void mote_give_result(void *result, const void *own, size_t known);

/* Fails if the number is not a value of its enumeration. `name` is the value's name, or NULL for a
 * number without one. */
mote_status mote_check_choice(const char *function, const char *field, int value, const char *name,
                              const char *type);

/* Fails if the value is not in its enumeration, whose names a function TYPE_name() returns. */
#define MOTE_CHECK_CHOICE(function, field, value, type)                                            \
    mote_check_choice(function, field, (int)(value), type##_name(value), #type)

typedef struct mote_view_rule {
    const char *name; /* of the field */
    const mote_view *view;
    uint32_t types; /* MOTE_TYPE_BIT set */
    size_t count;   /* elements needed, or VIEW_ANY_COUNT */
    unsigned flags; /* VIEW_... */
} mote_view_rule;

/* Checks a view against its rule: present, type, count, inside CL_MEM_SIZE without overflow, of the
 * call's context, access rights (CL_MEM_READ_ONLY / WRITE_ONLY; host flags do not matter). With
 * call->preparing the memory object may be NULL. A view of count 0 needs no memory object, and if
 * no elements or any number of them are needed, the view may be absent. */
mote_status mote_check_view(const mote_call *call, const mote_view_rule *rule);

/* Checks each view against its rule, then that no written view overlaps another one, including
 * overlaps through sub-buffers. The workspace and the error word of the call are included. An
 * operation passes all its views in one call. */
mote_status mote_check_views(const mote_call *call, const mote_view_rule *views, size_t count);

/* Checks an error word: it is NULL, or 128 bytes at a multiple of 4 inside a writable buffer of the
 * context. */
mote_status mote_check_error_word(const mote_call *call, cl_mem error, size_t offset);

#endif
