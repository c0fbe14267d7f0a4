/* SPDX-License-Identifier: Apache-2.0 */
/* Packs bytes by gzip before they are written to a file. The same bytes give the same file, because
 * it contains neither a time nor a name. */
#ifndef MOTE_TOOL_IO_PACK_H
#define MOTE_TOOL_IO_PACK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pack_state pack_state;

/* Takes packed bytes. */
typedef void (*pack_sink)(void *user, const char *bytes, size_t count);

/* True if this program was built with zlib. */
bool pack_is_there(void);

/* NULL without memory. Free the result with pack_close(). */
pack_state *pack_open(pack_sink sink, void *user);
void pack_close(pack_state *state);

void pack_bytes(pack_state *state, const char *bytes, size_t count);

/* Writes the remaining bytes and the end of the packed file. */
void pack_end(pack_state *state);

#endif
