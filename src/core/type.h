/* SPDX-License-Identifier: Apache-2.0 */
/* Types of elements. */
#ifndef MOTE_CORE_TYPE_H
#define MOTE_CORE_TYPE_H

#include <stdbool.h>
#include "mote/buffer.h"

/* The last type that is a number; MOTE_PIXELS_CLUSTER_TYPE before it is none. */
#define MOTE_TYPE_LAST MOTE_FLOAT16

bool mote_type_is_float(mote_type type);
bool mote_type_is_unsigned(mote_type type); /* bool is not */


#endif
