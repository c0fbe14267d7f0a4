/* SPDX-License-Identifier: Apache-2.0 */
/* Cases for single weak spots. */
#include <stdlib.h>

#include "testkit/cases/pixels/fill.h"
#include "testkit/cases/pixels/patterns.h"

MOTE_FILL(mote_fill_invalid_gap)
{
    (void)options;
    mote_pattern_push(digis, digis->n_modules / 2, MOTE_PATTERN_FULL, rng);
    mote_digis_shuffle(digis, 0, digis->n, rng);
    size_t half = digis->n / 2;

    for (uint32_t i = 0; i < self->parameter; i++)
        mote_digis_push_invalid(digis);
    /* The second half of the module comes after the invalid digis. */
    for (size_t i = 0; i < half && digis->n > half + i; i++)
        mote_digis_exchange(digis, half + i, digis->n - 1 - i);
    mote_digis_end_event(digis);
}

MOTE_FILL(mote_fill_invalid_only)
{
    (void)options;
    (void)rng;
    for (uint32_t i = 0; i < self->n; i++)
        mote_digis_push(digis, digis->invalid_module_id, 65535 - i % 7, 65535 - i % 5, i % 100);
    mote_digis_end_event(digis);
    for (uint32_t i = 0; i < self->parameter; i++)
        mote_digis_push(digis, i / 2 % digis->n_modules, i % digis->rows, 0, 100);
    if (self->parameter)
        mote_digis_end_event(digis);
}

MOTE_FILL(mote_fill_extremes)
{
    uint32_t xs[4] = {0, 1 % digis->rows, digis->rows - 1, digis->rows / 2};
    uint32_t ys[4] = {0, 1 % digis->columns, digis->columns - 1, digis->columns / 2};
    uint32_t ids[3] = {digis->n_modules - 1, 0, digis->n_modules / 2};

    (void)self;
    (void)options;
    (void)rng;
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                mote_digis_push(digis, ids[m], xs[i], ys[j], 65535);
    mote_digis_end_event(digis);
}

MOTE_FILL(mote_fill_copies)
{
    (void)options;
    (void)rng;
    mote_digis_push(digis, 1, 3, 3, 7);
    for (uint32_t i = 0; i < self->n; i++)
        mote_digis_push(digis, 1, 4, 4, 10 + i % 90);
    mote_digis_push(digis, 1, 5, 5, 9);
    mote_digis_end_event(digis);
}

MOTE_FILL(mote_fill_triples)
{
    (void)options;
    for (uint32_t i = 0; i < self->n; i++) {
        uint32_t x = mote_rng_below(rng, digis->rows), y = mote_rng_below(rng, digis->columns);
        uint32_t module = i * digis->n_modules / self->n;

        for (uint32_t copy = 0; copy <= i % 3; copy++)
            mote_digis_push(digis, module, x, y, 50 + mote_rng_below(rng, 500));
    }
    mote_digis_push(digis, digis->n_modules - 1, 2, 2, 60);
    mote_digis_push(digis, digis->n_modules - 1, 2, 3, 70);
    mote_digis_push(digis, digis->n_modules - 1, 2, 2, 80);
    mote_digis_end_event(digis);
}

MOTE_FILL(mote_fill_copies_threshold)
{
    static const uint32_t charges[6] = {99, 100, 500, 20, 101, 100};

    options->adc_threshold = 100;
    for (uint32_t i = 0; i < self->n; i++) {
        uint32_t x = i % digis->rows, y = i / digis->rows % digis->columns;
        uint32_t copies = 1 + mote_rng_below(rng, 3), from = mote_rng_below(rng, 6);

        for (uint32_t copy = 0; copy < copies; copy++)
            mote_digis_push(digis, i % digis->n_modules, x, y, charges[(from + copy) % 6]);
    }
    mote_digis_end_event(digis);
}

MOTE_FILL(mote_fill_cut_edge)
{
    uint32_t outer = 4000, inner = 2000;

    options->charge_cut = outer;
    options->charge_cut_inner = inner;
    options->inner_modules = digis->n_modules / 2;
    (void)rng;
    for (uint32_t i = 0; i < self->n; i++) {
        uint32_t module = i % digis->n_modules;
        uint32_t cut = module < options->inner_modules ? inner : outer;
        uint32_t y = i / digis->n_modules * 2;

        /* Pairs whose sum is just below, at or just above the cut. */
        mote_digis_push(digis, module, 1, y, cut / 2);
        mote_digis_push(digis, module, 2, y, cut - cut / 2 - 1 + i % 3);
    }
    mote_digis_end_event(digis);
}

MOTE_FILL(mote_fill_module_cuts)
{
    options->charge_cuts = malloc(digis->n_modules * sizeof(uint32_t));
    if (!options->charge_cuts) {
        digis->failed = true;
        return;
    }
    for (uint32_t m = 0; m < digis->n_modules; m++)
        options->charge_cuts[m] = m % 4 == 0 ? 0 : mote_rng_below(rng, 6000);
    mote_fill_random(self, digis, options, rng);
}

MOTE_FILL(mote_fill_zero_adc)
{
    mote_fill_random(self, digis, options, rng);
    for (size_t i = 0; i < digis->n; i++)
        if (i % 4)
            digis->adc[i] = 0;
}

MOTE_FILL(mote_fill_huge_adc)
{
    (void)options;
    (void)rng;
    for (uint32_t i = 0; i < self->n; i++)
        mote_digis_push(digis, digis->n_modules - 1, digis->rows - 1 - i % 2,
                        digis->columns - 1 - i / 2, UINT32_MAX - i % 3);
    mote_digis_end_event(digis);
}

MOTE_FILL(mote_fill_bad_module)
{
    mote_fill_random(self, digis, options, rng);
    if (digis->failed || digis->n < 10)
        return;
    digis->module_id[digis->n - 1] = self->parameter;
    digis->module_id[digis->n - 7] = self->parameter;
    digis->x[digis->n - 1] = (uint16_t)digis->rows;
}

MOTE_FILL(mote_fill_bad_coordinate)
{
    mote_fill_random(self, digis, options, rng);
    if (digis->failed || digis->n < 10)
        return;
    for (size_t back = 2; back <= 9; back += 7) {
        size_t i = digis->n - back;

        digis->module_id[i] = 0;
        digis->adc[i] = 0;
        if (self->parameter == 0)
            digis->x[i] = (uint16_t)digis->rows;
        else
            digis->y[i] = (uint16_t)(back == 2 ? digis->columns : UINT16_MAX);
    }
}

MOTE_FILL(mote_fill_bad_offsets)
{
    for (int event = 0; event < 4; event++)
        mote_fill_random(self, digis, options, rng);
    if (digis->failed)
        return;
    if (self->parameter == 0)
        digis->event_offsets[0] = 1;
    else if (self->parameter == 1)
        digis->event_offsets[2] = digis->event_offsets[1] - 1;
    else if (self->parameter == 2)
        digis->event_offsets[4] -= 1;
    else
        digis->event_offsets[3] = UINT32_MAX;
}

MOTE_FILL(mote_fill_second_place)
{
    (void)options;
    (void)rng;
    /* Event 0 is valid although its modules occur again in event 1. */
    for (uint32_t event = 0; event < 2; event++) {
        for (uint32_t i = 0; i < self->n; i++) {
            uint32_t x = i % digis->rows, y = i / digis->rows % digis->columns;

            mote_digis_push(digis, i * 3 / self->n, x, y, 100);
        }
        if (event == 1) {
            mote_digis_push_invalid(digis);
            mote_digis_push(digis, 0, 1, 1, 100);
            mote_digis_push(digis, 1, 1, 1, 100);
        }
        mote_digis_end_event(digis);
    }
}
