/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on sizes. */
#ifndef MOTE_CORE_SIZE_H
#define MOTE_CORE_SIZE_H

#include <stddef.h>

static inline size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t max_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* returns least if it is above most */
static inline size_t clamp(size_t value, size_t least, size_t most)
{
    return value < least ? least : min_size(value, most);
}

/* The number of parts of `each` that contain `count`. */
static inline size_t div_ceil(size_t count, size_t each)
{
    return count / each + (count % each != 0);
}

#endif
