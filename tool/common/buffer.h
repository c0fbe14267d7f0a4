/* SPDX-License-Identifier: Apache-2.0 */
/* Text that a worker formats before it can be written. */
#ifndef MOTE_TOOL_COMMON_BUFFER_H
#define MOTE_TOOL_COMMON_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct text_buffer {
    char *bytes;
    size_t used, reserved;
} text_buffer;

/* Returns room for `bytes` more, and then records how many were used; NULL if memory ran out. */
char *buffer_room(text_buffer *buffer, size_t bytes);
void buffer_used(text_buffer *buffer, const char *end);

void buffer_free(text_buffer *buffer);

#endif
