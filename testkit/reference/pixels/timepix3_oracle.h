/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes and encodes packets of Timepix3 one by one. */
#ifndef MOTE_TESTKIT_REFERENCE_PIXELS_TIMEPIX3_ORACLE_H
#define MOTE_TESTKIT_REFERENCE_PIXELS_TIMEPIX3_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct mote_timepix3_hit {
    uint16_t x, y, charge;
    int64_t t;
} mote_timepix3_hit;

/* Decodes a packet; *last is the time of the hit before it, and receives that of this one. Returns
 * false if the packet is not a hit. */
bool mote_oracle_timepix3(uint64_t packet, int64_t *last, mote_timepix3_hit *hit);

/* Returns whether no packet has this kind. */
bool mote_oracle_timepix3_is_bad(uint64_t packet);

/* Returns the packet of a hit, of which the time is kept modulo 2^34 ticks. */
uint64_t mote_timepix3_packet(const mote_timepix3_hit *hit);

#endif
