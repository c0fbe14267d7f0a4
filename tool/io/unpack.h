/* SPDX-License-Identifier: Apache-2.0 */
/* Returns the bytes of a source, and unpacks them if they begin like data of gzip, bzip2 or xz. */
#ifndef MOTE_TOOL_IO_UNPACK_H
#define MOTE_TOOL_IO_UNPACK_H

#include <stdbool.h>

#include "tool/formats/trajectory/lines.h"

typedef struct unpack_state unpack_state;

/* Reads from `source`; returns NULL if memory is exhausted. Free the result with unpack_close(). */
unpack_state *unpack_open(mote_lines_source source, mote_lines_leap leap, void *user);
void unpack_close(unpack_state *state);

/* A mote_lines_source. Damaged packed data are an error with errno EBADMSG. */
long unpack_read(void *state, char *to, size_t bytes);

/* Skips bytes of unpacked data; returns false if the data are packed or the source cannot skip. A
 * mote_lines_leap. */
bool unpack_leap(void *state, size_t bytes);

/* Returns a description of the fault of the packed data, or NULL. */
const char *unpack_fault(const unpack_state *state);

/* Returns the number of bytes taken from the source, packed or not. */
size_t unpack_taken(const unpack_state *state);

#endif
