/* SPDX-License-Identifier: Apache-2.0 */
#include "property/jagged.h"

#include <stdlib.h>
#include <string.h>

uint32_t jagged_chance(jagged_work *w, uint32_t below)
{
    return mote_rng_below(&w->draw->rng, below);
}

static bool begin(jagged_work *w, property_draw *draw, const jagged_family *f, size_t most,
                  bool spoilt)
{
    *w = (jagged_work){.draw = draw, .f = f};
    if (!jagged_lists(draw, f->index, most, spoilt, &w->lists))
        return false;
    size_t shift = mote_rng_below(&draw->rng, 2) ? 0 : mote_rng_below(&draw->rng, 37);
    trial_begin(&w->t, draw->ctx, draw->queue, shift, draw->message, sizeof(draw->message));
    w->m = w->lists.count;
    return true;
}

/* Copies the expected error of the lists to the trial. */
static void note(jagged_work *w)
{
    w->t.status = w->lists.status;
    w->t.index = w->lists.index;
    w->t.anything = w->lists.status != MOTE_SUCCESS;
    w->n = w->lists.status ? 0 : mote_case_lists_elements(&w->lists);
}

bool jagged_begin(jagged_work *w, property_draw *draw, const jagged_family *f, size_t most)
{
    bool good = begin(w, draw, f, most, mote_rng_below(&draw->rng, 8) == 0);

    if (good)
        note(w);
    return good;
}

bool jagged_begin_spans(jagged_work *w, property_draw *draw, const jagged_family *f, size_t most)
{
    uint64_t seed = mote_rng_next(&draw->rng);

    if (!begin(w, draw, f, most, false))
        return false;
    mote_case_lists offsets = w->lists;
    bool good =
        offsets.content < (size_t)1 << 24 && mote_case_lists_scatter(&offsets, seed, &w->lists);

    if (!good) {
        w->lists = offsets;
        jagged_leave(w);
        return false;
    }
    mote_case_lists_free(&offsets);
    if (jagged_chance(w, 8) == 0)
        mote_case_lists_spoil(&w->lists, (mote_lists_fault)jagged_chance(w, MOTE_FAULTS), seed);
    note(w);
    return true;
}

bool jagged_find_error(jagged_work *w, size_t most)
{
    w->lists.status = mote_oracle_find_error(&w->lists, MOTE_NO_CONTENT, false, &w->lists.index);
    note(w);
    return w->n <= ((size_t)1 << 21) + most;
}

bool jagged_end(jagged_work *w, mote_status called)
{
    bool good = trial_end(&w->t, called);

    mote_case_lists_free(&w->lists);
    mote_case_lists_free(&w->other);
    for (size_t k = 0; k < w->used; k++)
        free(w->memory[k]);
    return good;
}

bool jagged_leave(jagged_work *w)
{
    w->t.failed = true;
    jagged_end(w, MOTE_SUCCESS);
    return true;
}

void *jagged_results(jagged_work *w, mote_type type, size_t count)
{
    void *memory = malloc((count + 1) * mote_type_size(type));

    w->t.failed = w->t.failed || !memory;
    if (memory)
        memset(memory, TRIAL_POISON, (count + 1) * mote_type_size(type));
    return w->memory[w->used++] = memory;
}

void *jagged_bytes(jagged_work *w, mote_type type, size_t count)
{
    size_t size = mote_type_size(type);
    unsigned char *bytes = jagged_results(w, type, count);
    uint32_t zeros = 1 + jagged_chance(w, 20);

    for (size_t i = 0; bytes && i < count; i++) {
        uint64_t bits = jagged_chance(w, 20) < zeros ? 0 : mote_rng_next(&w->draw->rng);

        if (bits && jagged_chance(w, 9) == 0)
            bits = (uint64_t)1 << (8 * size - 1); /* -0 of floats, the top bit of integers */
        memcpy(bytes + i * size, &bits, size);
    }
    return bytes;
}

mote_jagged_validate jagged_validate(jagged_work *w)
{
    if (jagged_chance(w, 2))
        return MOTE_JAGGED_VALIDATE_FULL;
    w->t.any_error = w->lists.status != MOTE_SUCCESS;
    return MOTE_JAGGED_VALIDATE_TOUCHED;
}

size_t jagged_capacity(jagged_work *w, size_t needed, size_t most)
{
    if (w->lists.status)
        return jagged_chance(w, (uint32_t)most + 1);
    size_t less = jagged_chance(w, (uint32_t)(needed < 99 ? needed + 1 : 99));
    size_t capacity =
        jagged_chance(w, 4) ? needed + jagged_chance(w, 3) * jagged_chance(w, 50) : needed - less;

    if (capacity < needed) {
        w->t.status = MOTE_ERROR_CAPACITY;
        w->t.index = (uint32_t)needed;
    }
    return capacity;
}

mote_view jagged_offsets(jagged_work *w, const mote_case_lists *lists)
{
    return trial_input(&w->t, "offsets", lists->type, lists->count + 1, lists->offsets);
}
