/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal numbers to doubles: correctly rounded, the same in every locale, and fast for numbers
 * with up to 19 digits. */
#ifndef MOTE_TOOL_FORMATS_TRAJECTORY_DECIMAL_H
#define MOTE_TOOL_FORMATS_TRAJECTORY_DECIMAL_H

/* Reads the number at `at`: digits with or without a point and an exponent, or nan, inf, infinity.
 * `end` is the end of the text, where a byte that belongs to no number must be readable. Returns
 * where the number ends, or NULL when there is none. A number beyond the range becomes infinite. */
const char *mote_decimal(const char *at, const char *end, double *value);

#endif
