/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "testkit/reference/pixels/oracle.h"

static mote_status find_bad_offsets(const mote_digis *digis, uint32_t *index)
{
    const uint32_t *offsets = digis->event_offsets;

    for (size_t event = 0; event < digis->n_events; event++) {
        bool bad = (event == 0 && offsets[0] != 0) || offsets[event + 1] < offsets[event] ||
                   (event + 1 == digis->n_events && offsets[event + 1] != digis->n);

        if (bad) {
            *index = (uint32_t)event;
            return MOTE_ERROR_EVENT_OFFSETS;
        }
    }
    return MOTE_SUCCESS;
}

static mote_status find_bad_digi(const mote_digis *digis, uint32_t *index)
{
    for (size_t i = 0; i < digis->n; i++) {
        *index = (uint32_t)i;
        if (digis->module_id[i] >= digis->n_modules &&
            digis->module_id[i] != digis->invalid_module_id)
            return MOTE_ERROR_MODULE;
    }
    for (size_t i = 0; i < digis->n; i++) {
        *index = (uint32_t)i;
        if (digis->module_id[i] != digis->invalid_module_id &&
            (digis->x[i] >= digis->rows || digis->y[i] >= digis->columns))
            return MOTE_ERROR_COORDINATE;
    }
    return MOTE_SUCCESS;
}

/* Finds the first digi of a module that occurs again after other modules of its event. */
static mote_status find_second_place(const mote_digis *digis, uint32_t *index)
{
    size_t *seen = calloc(digis->n_modules, sizeof(size_t)); /* 1 + last event that contains it */

    for (size_t event = 0; seen && event < digis->n_events; event++) {
        uint32_t current = digis->invalid_module_id;

        for (uint32_t i = digis->event_offsets[event]; i < digis->event_offsets[event + 1]; i++) {
            uint32_t module = digis->module_id[i];

            if (module == digis->invalid_module_id || module == current)
                continue;
            if (seen[module] == event + 1) {
                *index = i;
                free(seen);
                return MOTE_ERROR_NOT_CONTIGUOUS;
            }
            seen[module] = event + 1;
            current = module;
        }
    }
    free(seen);
    return seen || digis->n_modules == 0 ? MOTE_SUCCESS : MOTE_ERROR_OUT_OF_HOST_MEMORY;
}

mote_status mote_pixels_find_error(const mote_digis *digis, const mote_pixels_options *options,
                                   uint32_t *index)
{
    mote_status status = find_bad_offsets(digis, index);

    if (!status)
        status = find_bad_digi(digis, index);
    if (!status && options->order == MOTE_ORDER_CONTIGUOUS)
        status = find_second_place(digis, index);
    if (!status)
        *index = MOTE_ERROR_SLOT_CLEAR;
    return status;
}
