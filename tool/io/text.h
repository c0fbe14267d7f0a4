/* SPDX-License-Identifier: Apache-2.0 */
/* Converts numbers to text faster than printf. Each function writes at `at` and returns the end. */
#ifndef MOTE_TOOL_IO_TEXT_H
#define MOTE_TOOL_IO_TEXT_H

#include <stdint.h>

/* Room that is sufficient for each of these functions. */
#define TEXT_ROOM 32

char *text_whole(char *at, uint64_t value);
char *text_signed(char *at, int64_t value);

/* Writes the same text as printf's %.9g. */
char *text_real(char *at, double value);

/* Writes the same digits as printf's %.17g, from which the identical double can be read again. */
char *text_exact(char *at, double value);

#endif
