/* SPDX-License-Identifier: Apache-2.0 */
/* The values of LENGTH_OF in cl/jagged/lengths.clh. */
#ifndef MOTE_JAGGED_LENGTH_OF_H
#define MOTE_JAGGED_LENGTH_OF_H

typedef enum mote_length_of {
    MOTE_LENGTH_OF_COUNTS = 0,
    MOTE_LENGTH_OF_SPANS = 1,
    MOTE_LENGTH_OF_OFFSETS = 2,
    MOTE_LENGTH_OF_PRODUCT = 3,
    MOTE_LENGTH_OF_PAIRS = 4
} mote_length_of;

#endif
