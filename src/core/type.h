/* SPDX-License-Identifier: Apache-2.0 */
/* Types of elements. */
#ifndef MOTE_CORE_TYPE_H
#define MOTE_CORE_TYPE_H

#include <stdbool.h>
#include "mote/buffer.h"

/* The last type that is a number; MOTE_PIXELS_CLUSTER_TYPE, which precedes it, is not one. */
#define MOTE_TYPE_LAST MOTE_FLOAT16

/* A set of types is a word of these bits. */
#define MOTE_TYPE_BIT(t) (1u << (t))

/* The bit of a type in a set, or 0 if it is not in the set. The number comes from a caller and may
 * not be a valid type. */
static inline uint32_t mote_type_in(uint32_t types, mote_type type)
{
    return (unsigned)type < 32 ? types & MOTE_TYPE_BIT((unsigned)type) : 0;
}

/* The types of 1, 2, 4 or 8 bytes, whose values kernels can move as integers of that size. */
uint32_t mote_types_moved(void);
const char *mote_type_moved_as(mote_type type); /* such as "uint" */

bool mote_type_is_float(mote_type type);
bool mote_type_is_unsigned(mote_type type); /* bool is not */

#endif
