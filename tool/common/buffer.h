/* SPDX-License-Identifier: Apache-2.0 */
/* Text that a worker makes before it is its turn to be written. */
#ifndef MOTE_TOOL_COMMON_BUFFER_H
#define MOTE_TOOL_COMMON_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct text_buffer {
    char *bytes;
    size_t used, reserved;
} text_buffer;

/* Room for `bytes` more, then how many of them were used; NULL without memory. */
char *buffer_room(text_buffer *buffer, size_t bytes);
void buffer_used(text_buffer *buffer, const char *end);

void buffer_free(text_buffer *buffer);

#endif
