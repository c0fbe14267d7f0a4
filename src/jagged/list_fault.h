/* SPDX-License-Identifier: Apache-2.0 */
/* The sentence for an error in lists on the host that an error word reports. */
#ifndef MOTE_JAGGED_LIST_FAULT_H
#define MOTE_JAGGED_LIST_FAULT_H

#include <stdbool.h>
#include "mote/jagged.h"

#define MOTE_HOST_NO_CONTENT SIZE_MAX

/* Arrays of the host; only those that the call has are set. */
typedef struct mote_host_lists {
    mote_type type;
    size_t count; /* lists */
    const void *offsets, *starts, *stops, *counts, *parents;
    size_t content;           /* its length; MOTE_HOST_NO_CONTENT if there is none */
    const char *offsets_name; /* NULL = "offsets" */
} mote_host_lists;

/* Fails with the wrong values, as in "NAME: list 16: offsets[17] = 5 < offsets[16] = 9";
 * MOTE_SUCCESS if the word is clear. */
mote_status mote_lists_fault(const char *name, const mote_host_lists *lists,
                             const mote_error_word *word);

#endif
