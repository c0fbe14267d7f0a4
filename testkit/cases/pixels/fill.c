/* SPDX-License-Identifier: Apache-2.0 */
/* Cases made of random digis and of patterns. */
#include "testkit/cases/pixels/fill.h"

#include "testkit/cases/pixels/events.h"
#include "testkit/cases/pixels/patterns.h"

/* Appends a digi anywhere in the module, which is invalid once in fifty. */
static void push_random(mote_digis *digis, uint32_t module, mote_rng *rng)
{
    uint32_t x = mote_rng_below(rng, digis->rows), y = mote_rng_below(rng, digis->columns);
    uint32_t adc = mote_rng_below(rng, 3000);

    if (mote_rng_below(rng, 50) == 0)
        module = digis->invalid_module_id;
    mote_digis_push(digis, module, x, y, adc);
}

MOTE_FILL(mote_fill_random)
{
    (void)options;
    for (uint32_t i = 0; i < self->n; i++)
        push_random(digis, mote_rng_below(rng, digis->n_modules), rng);
    mote_digis_end_event(digis);
}

MOTE_FILL(mote_fill_grouped)
{
    (void)options;
    for (uint32_t event = 0; event < self->parameter; event++) {
        uint32_t used = digis->n_modules < 9 ? digis->n_modules : 9;
        uint32_t each = self->n / self->parameter / used + 1;
        uint32_t turn = mote_rng_below(rng, digis->n_modules);

        /* A step of -1 visits every module at most once, in descending order from any module. */
        for (uint32_t m = 0; m < used; m++) {
            uint32_t module = (turn + digis->n_modules - m) % digis->n_modules;

            for (uint32_t i = 0; i < each; i++)
                push_random(digis, module, rng);
        }
        mote_digis_end_event(digis);
    }
}

MOTE_FILL(mote_fill_skewed)
{
    (void)options;
    for (uint32_t i = 0; i < self->n; i++) {
        uint32_t other = mote_rng_below(rng, digis->n_modules);

        push_random(digis, i % 2 ? digis->n_modules / 3 : other, rng);
    }
    mote_digis_end_event(digis);
}

MOTE_FILL(mote_fill_pattern)
{
    uint32_t modules[3] = {0, digis->n_modules / 2, digis->n_modules - 1};

    (void)options;
    for (int m = 0; m < 3; m++) {
        if (m > 0 && modules[m] == modules[m - 1])
            continue;
        size_t first = digis->n;

        mote_pattern_push(digis, modules[m], (mote_pattern)self->parameter, rng);
        mote_digis_shuffle(digis, first, digis->n, rng);
    }
    mote_digis_end_event(digis);
}

MOTE_FILL(mote_fill_many_events)
{
    (void)options;
    for (uint32_t event = 0; event < self->n; event++) {
        uint32_t n = mote_rng_below(rng, self->parameter);

        if (event == 0 || event + 1 == self->n)
            n = 0;
        for (uint32_t i = 0; i < n; i++)
            push_random(digis, mote_rng_below(rng, digis->n_modules), rng);
        mote_digis_end_event(digis);
    }
}

MOTE_FILL(mote_fill_border)
{
    (void)options;
    (void)rng;
    for (uint32_t event = 0; event < self->n; event++) {
        /* Halves of a line: the second half of one event would continue the first half of the next.
         */
        for (uint32_t x = 0; x < digis->rows; x++)
            mote_digis_push(digis, digis->n_modules - 1, x, event % digis->columns, 100 + x);
        mote_digis_end_event(digis);
        mote_digis_end_event(digis);
    }
}

MOTE_FILL(mote_fill_events)
{
    static const char *const names[] = {"phase1", "phase2", "heavy-ion"};
    mote_digis events;
    char message[128];

    (void)options;
    if (!mote_case_events(names[self->parameter], self->n, mote_rng_next(rng), &events, message,
                          sizeof(message))) {
        digis->failed = true;
        return;
    }
    for (size_t event = 0; event < events.n_events; event++) {
        mote_digis_append_event(digis, &events, event);
        mote_digis_end_event(digis);
    }
    mote_digis_free(&events);
}

MOTE_FILL(mote_fill_classic)
{
    (void)options;
    (void)rng;
    mote_case_classic(digis, (int)self->n);
}

MOTE_FILL(mote_fill_patho)
{
    (void)options;
    mote_digis_free(digis);
    if (!mote_case_patho(mote_rng_next(rng), self->n, digis))
        digis->failed = true;
}
