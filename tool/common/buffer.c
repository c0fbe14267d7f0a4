/* SPDX-License-Identifier: Apache-2.0 */
#include "buffer.h"

#include <stdint.h>
#include <stdlib.h>

char *buffer_room(text_buffer *buffer, size_t bytes)
{
    if (buffer->reserved - buffer->used < bytes) {
        if (buffer->reserved > SIZE_MAX / 2 - bytes)
            return NULL;
        size_t reserved = 2 * buffer->reserved + bytes;
        char *grown = realloc(buffer->bytes, reserved);
        if (!grown)
            return NULL;
        buffer->bytes = grown;
        buffer->reserved = reserved;
    }
    return buffer->bytes + buffer->used;
}

void buffer_used(text_buffer *buffer, const char *end)
{
    buffer->used = (size_t)(end - buffer->bytes);
}

void buffer_free(text_buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (text_buffer){0};
}
