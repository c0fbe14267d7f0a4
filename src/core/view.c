/* SPDX-License-Identifier: Apache-2.0 */
#include "mote/buffer.h"

mote_view mote_view_make(cl_mem mem, size_t count, mote_type type)
{
    return (mote_view){.mem = mem, .offset = 0, .count = count, .type = type};
}
