/* SPDX-License-Identifier: Apache-2.0 */
/* What the host asks of a device that is not there: every operation is prepared with every option
 * and with sizes on either side of each choice, and what it would build is printed. */
#ifndef TESTS_VENDORS_ASKED_H
#define TESTS_VENDORS_ASKED_H

#include "mote/mote.h"

#define ASKED_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Every type of elements, new ones too. */
#define ASKED_TYPES(type)                                                                          \
    int type = MOTE_BOOL;                                                                          \
    mote_type_size((mote_type)type) > 0;                                                           \
    type++

/* Prepares a call. What the library refuses is passed over; any other failure ends the program. */
void asked_prepare(mote_context *ctx, mote_operation operation, const void *args);

/* Ends the program with the library's sentence when there is a failure. */
void asked_check(mote_status status, const char *what);

/* A view without memory. */
mote_view asked_view(mote_type type, size_t count);

void asked_pixels(mote_context *ctx);
void asked_coordination(mote_context *ctx);

#endif
