/* SPDX-License-Identifier: Apache-2.0 */
/* Types of elements. */
#ifndef MOTE_CORE_TYPE_H
#define MOTE_CORE_TYPE_H

#include "mote/buffer.h"

typedef struct mote_type_text {
    const char *name;
    size_t size;
} mote_type_text;

/* What an area keeps as records in views, or NULL; in src/record_types.c, which knows the areas. */
const mote_type_text *mote_record_type(mote_type type);

#endif
