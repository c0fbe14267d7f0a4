/* SPDX-License-Identifier: Apache-2.0 */
/* The members of a mote_buffer. */
#ifndef MOTE_CORE_BUFFER_H
#define MOTE_CORE_BUFFER_H

#include "core/context.h"
#include "mote/buffer.h"

struct mote_buffer {
    mote_context *ctx;
    mote_type type;
    cl_mem_flags flags;
    cl_mem mem; /* NULL while nothing is reserved */
    size_t size, reserved;
};

#endif
