/* SPDX-License-Identifier: Apache-2.0 */
/* Returns the bytes of a source, and unpacks them if they begin like data of gzip, bzip2 or xz. */
#ifndef MOTE_TOOL_IO_UNPACK_H
#define MOTE_TOOL_IO_UNPACK_H

#include <stdbool.h>

#include "tool/formats/trajectory/lines.h"

typedef struct unpack_state unpack_state;

/* Reads from `source`; NULL without memory. Free with unpack_close(). */
unpack_state *unpack_open(mote_lines_source source, mote_lines_leap leap, void *user);
void unpack_close(unpack_state *state);

/* A mote_lines_source. What is wrong with packed data is an error with errno EBADMSG. */
long unpack_read(void *state, char *to, size_t bytes);

/* Passes over bytes of what is not packed; false where it is, or where the source cannot. A
 * mote_lines_leap. */
bool unpack_leap(void *state, size_t bytes);

/* What is wrong with the packed data, or NULL. */
const char *unpack_fault(const unpack_state *state);

/* Bytes taken from the source, packed or not. */
size_t unpack_taken(const unpack_state *state);

#endif
