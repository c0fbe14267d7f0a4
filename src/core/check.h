/* SPDX-License-Identifier: Apache-2.0 */
/* Checking what callers pass; every function fails with a sentence that names function, field and
 * values. */
#ifndef MOTE_CORE_CHECK_H
#define MOTE_CORE_CHECK_H

#include "core/call.h"

#define MOTE_TYPE_BIT(t) (1u << (t))

/* Copies a caller's argument structure into the library's own, `known` bytes long. Its first member
 * is its size: 0 (or smaller than size_t) fails naming `init`; a shorter one is extended with
 * zeros; a longer one must be zero beyond `known`. */
mote_status mote_check_args(const char *function, const char *init, const void *args, void *copy,
                            size_t known);

typedef struct mote_view_rule {
    const char *name; /* field name */
    uint32_t types;   /* MOTE_TYPE_BIT set */
    size_t count;     /* elements needed; SIZE_MAX = any number */
    bool exact;    /* count must be equal, not only at least (message says which arrays disagree) */
    bool optional; /* a NULL view is allowed */
    bool writes;
} mote_view_rule;

/* A view against its rule: present, type, count, inside CL_MEM_SIZE without overflow, of the call's
 * context, rights (CL_MEM_READ_ONLY / WRITE_ONLY, host flags do not matter). With call->preparing
 * the memory object may be NULL. A view of count 0 needs no memory object. */
mote_status mote_check_view(const mote_call *call, const mote_view_rule *rule, const mote_view *v);

/* Two views of one memory object must not overlap in bytes (one of them is written). */
mote_status mote_check_apart(const mote_call *call, const char *a_name, const mote_view *a,
                             const char *b_name, const mote_view *b);

typedef struct mote_checked_view {
    mote_view_rule rule;
    const mote_view *view;
    bool may_be_first; /* a written one that may be the very range of views[0] */
} mote_checked_view;

/* Each view against its rule, then that no written one overlaps another. */
mote_status mote_check_views(const mote_call *call, const mote_checked_view *views, size_t count);

/* An error word: NULL is fine, else 64 bytes at a multiple of 4 inside a writable buffer of the
 * context. */
mote_status mote_check_error_word(const mote_call *call, cl_mem error, size_t offset);

#endif
