/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/pixels/timepix3_oracle.h"

#define PERIOD (INT64_C(1) << 34)
#define HALF   (PERIOD / 2)

/* Returns `count` bits from bit `first` on. */
static uint64_t bits(uint64_t packet, int first, int count)
{
    return packet / (UINT64_C(1) << first) % (UINT64_C(1) << count);
}

bool mote_oracle_timepix3_is_bad(uint64_t packet)
{
    uint64_t kind = bits(packet, 60, 4);

    return kind < 2 || kind == 3 || kind == 8 || kind == 9 || kind > 11;
}

bool mote_oracle_timepix3(uint64_t packet, int64_t *last, mote_timepix3_hit *hit)
{
    uint64_t kind = bits(packet, 60, 4);

    if (kind != 10 && kind != 11)
        return false;
    /* A double column has 64 groups of 2 x 4 pixels. */
    uint64_t double_column = bits(packet, 44 + 9, 7), group = bits(packet, 44 + 3, 6);
    uint64_t pixel = bits(packet, 44, 3);
    int64_t coarse = (int64_t)(bits(packet, 0, 16) * 16384 + bits(packet, 30, 14));
    int64_t change = (coarse * 16 - (int64_t)bits(packet, 16, 4) - *last % PERIOD) % PERIOD;
    if (change < -HALF)
        change += PERIOD;
    if (change >= HALF)
        change -= PERIOD;
    hit->y = (uint16_t)(double_column * 2 + pixel / 4);
    hit->x = (uint16_t)(group * 4 + pixel % 4);
    hit->charge = (uint16_t)bits(packet, 20, 10);
    hit->t = *last = (int64_t)((uint64_t)*last + (uint64_t)change);
    return true;
}

uint64_t mote_timepix3_packet(const mote_timepix3_hit *hit)
{
    uint64_t fine = (16 - ((uint64_t)hit->t & 15)) & 15;
    uint64_t coarse = ((uint64_t)hit->t + fine) >> 4;
    uint64_t pixel = (hit->y & 1u) << 2 | (hit->x & 3u);
    uint64_t address = (uint64_t)(hit->y >> 1) << 9 | (uint64_t)(hit->x >> 2) << 3 | pixel;

    return UINT64_C(11) << 60 | address << 44 | (coarse & 0x3fff) << 30 |
           (uint64_t)(hit->charge & 0x3ff) << 20 | fine << 16 | (coarse >> 14 & 0xffff);
}
