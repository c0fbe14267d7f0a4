/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of the host to a simulated device: every operation is prepared with every option and
 * with sizes on either side of each choice, and the programs that it would build are printed. */
#ifndef TESTS_VENDORS_ASKED_H
#define TESTS_VENDORS_ASKED_H

#include "mote/mote.h"

#define ASKED_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Every type of elements, including new ones. */
#define ASKED_TYPES(type)                                                                          \
    int type = MOTE_BOOL;                                                                          \
    mote_type_size((mote_type)type) > 0;                                                           \
    type++

/* Prepares a call. Calls that the library rejects are skipped; any other failure ends the
 * program. */
void requested_prepare(mote_context *ctx, mote_operation operation, const void *args);

/* Ends the program with the library's sentence if a call failed. */
void requested_check(mote_status status, const char *what);

/* Returns a view without memory. */
mote_view requested_view(mote_type type, size_t count);

void requested_pixels(mote_context *ctx);
void requested_coordination(mote_context *ctx);

#endif
