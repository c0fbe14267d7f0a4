/* SPDX-License-Identifier: Apache-2.0 */
/* The pattern of CMS's own clustering test, made from its description: sparse points, pairs across
 * columns, diagonals in both directions, and ladders in every odd module. */
#include "testkit/cases/pixels/patterns.h"

static void push_line(mote_digis *d, const uint32_t *x, const uint32_t *y, uint32_t n, uint32_t adc)
{
    for (uint32_t i = 0; i < n; i++)
        mote_digis_push(d, 42, x[i], y[i], adc);
}

/* Odd passes begin with the first thousand points of a grid that touches no other pixels. */
static void push_grid(mote_digis *d)
{
    uint32_t pushed = 0;

    for (uint32_t x = 0; x < 140; x += 3)
        for (uint32_t y = 0; y < 400 && pushed < 1000; y += 3, pushed++)
            mote_digis_push(d, 666, x, y, 1000);
}

static void push_module_42(mote_digis *d, int pass)
{
    static const uint32_t rising[] = {20, 21, 22, 23, 24}, falling[] = {45, 44, 43, 42, 41};
    static const uint32_t mixed[] = {21, 25, 23, 24, 22};

    mote_digis_push(d, 42, 10, 10, pass == 0 ? 100 : 5000);
    mote_digis_push(d, 42, 10, 0, 5000);
    mote_digis_push(d, 42, 90, 2, 5000);
    mote_digis_push(d, 42, 90, 1, 5000);
    mote_digis_push(d, 42, 10, 415, 5000);
    mote_digis_push(d, 42, 90, 415, 2500);
    mote_digis_push(d, 42, 90, 414, 2500);
    push_line(d, rising, rising, 5, 1000);
    push_line(d, falling, falling, 5, 1000);
    mote_digis_push_invalid(d);
    for (int i = 0; i < 5; i++)
        mote_digis_push(d, 42, mixed[i], 20 + mixed[i], 1000);
    for (int i = 0; i < 5; i++) {
        mote_digis_push(d, 42, mixed[i], 100, pass == 2 ? 100 : 1000);
        if (mixed[i] % 2 == 0)
            mote_digis_push(d, 42, mixed[i], 101, 1000);
    }
}

static void push_ladder(mote_digis *d, uint32_t module, int pass)
{
    static const uint32_t steps[10] = {5, 7, 9, 1, 3, 0, 4, 8, 2, 6};
    uint32_t weak = pass == 2 ? 10 : 1000;

    if (module / 20 % 2 == 1)
        mote_digis_push_invalid(d);
    for (uint32_t x = 0; x < 40; x += 4)
        for (int k = 0; k < 10; k++) {
            if (module / 10 % 2 == 1) {
                mote_digis_push(d, module, x, x + steps[k], 100);
                mote_digis_push(d, module, x + 1, x + steps[k] + 2, 1000);
                continue;
            }
            mote_digis_push(d, module, x, x + steps[9 - k], weak);
            if (steps[k] == 3)
                continue;
            if (module == 51) {
                mote_digis_push_invalid(d);
                mote_digis_push_invalid(d);
            }
            mote_digis_push(d, module, x + 1, x + steps[k] + 2, weak);
        }
}

void mote_case_classic(mote_digis *digis, int pass)
{
    if (pass % 2 == 1)
        push_grid(digis);
    push_module_42(digis, pass);
    mote_digis_push(digis, 0, 10, 10, 5000);
    for (uint32_t module = 11; module <= 1799; module += 2)
        push_ladder(digis, module, pass);
    mote_digis_end_event(digis);
}
