/* SPDX-License-Identifier: Apache-2.0 */
#include "core/call.h"

#include <assert.h>

#define PIECE_ALIGNMENT ((size_t)256)

mote_view mote_carve_take(mote_carve *carve, size_t count, mote_type type)
{
    size_t size = mote_type_size(type);
    size_t base = carve->scratch.offset * sizeof(uint32_t);
    mote_view piece = {.mem = carve->scratch.mem, .count = count, .type = type};
    assert(size > 0 && PIECE_ALIGNMENT % size == 0 && base % size == 0);
    /* A sum that passes all memory stays at the top, where no allocation succeeds. */
    if (carve->used > SIZE_MAX - PIECE_ALIGNMENT ||
        count > (SIZE_MAX - PIECE_ALIGNMENT - carve->used) / size) {
        carve->used = SIZE_MAX;
        return piece;
    }
    size_t start = (carve->used + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    carve->used = start + count * size;
    assert(!piece.mem || carve->used <= carve->scratch.count * sizeof(uint32_t));
    piece.offset = (base + start) / size;
    return piece;
}
