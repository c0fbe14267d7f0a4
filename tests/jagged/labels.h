/* SPDX-License-Identifier: Apache-2.0 */
/* One call of mote_jagged_parents() or mote_jagged_local_index() against the oracle. */
#ifndef MOTE_TESTS_JAGGED_LABELS_H
#define MOTE_TESTS_JAGGED_LABELS_H

#include "harness.h"

typedef struct labels_call {
    bool local_index;
    bool absolute;
    bool full;
    bool gate;      /* behind an event that completes after the call has returned */
    bool workspace; /* of the caller's */
    bool check_overlap;
    mote_jagged_strategy strategy;
    size_t more;  /* elements of the output behind the last list, relative form */
    size_t fewer; /* elements of the output too few, relative form */
    size_t count; /* of the output, instead of what the lists need; 0 = that */
    size_t shift; /* elements by which the views begin later in their buffers */
} labels_call;

/* For valid lists: the labels must equal the oracle's, inputs and surrounding memory must not
 * change, and no error may be reported. */
void labels_check(bed *b, cl_command_queue queue, const mote_case_lists *lists,
                  const labels_call *how, const char *label);

/* Lists with a fault: the error word tells status and index (not looked at when `index` is NULL),
 * and inputs and surroundings stay. */
void labels_check_fault(bed *b, cl_command_queue queue, const mote_case_lists *lists,
                        const labels_call *how, mote_status status, const uint32_t *index,
                        const char *label);

#endif
