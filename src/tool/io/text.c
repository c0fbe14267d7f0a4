/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

char *text_whole(char *at, uint64_t value)
{
    char digits[20];
    int n = 0;
    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (n)
        *at++ = digits[--n];
    return at;
}

char *text_signed(char *at, int64_t value)
{
    if (value >= 0)
        return text_whole(at, (uint64_t)value);
    *at++ = '-';
    return text_whole(at, 0 - (uint64_t)value);
}

/* digits / 10^behind without trailing zeros. */
static char *fraction(char *at, uint64_t digits, int behind)
{
    while (behind && digits % 10 == 0) {
        digits /= 10;
        behind--;
    }
    uint64_t ten = 1;
    for (int i = 0; i < behind; i++)
        ten *= 10;
    at = text_whole(at, digits / ten);
    if (!behind)
        return at;
    *at++ = '.';
    for (digits %= ten; behind; behind--) {
        ten /= 10;
        *at++ = (char)('0' + digits / ten);
        digits %= ten;
    }
    return at;
}

char *text_real(char *at, double value)
{
    static const double tens[] = {1e0, 1e1, 1e2, 1e3,  1e4,  1e5, 1e6,
                                  1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
    if (value == 0.0 && !signbit(value))
        return text_whole(at, 0);
    if (value >= 1e-4 && value < 999999999.0) {
        int behind = 12; /* nine digits: that many behind the point for 1e-4 <= value < 1e-3 */
        while (behind > 0 && value >= tens[12 - behind] * 1e-3)
            behind--;
        /* The bounds below 1 are not exact in binary: the product decides. */
        long double scaled = (long double)value * tens[behind];
        if (scaled < 1e8L && behind < 12)
            scaled = (long double)value * tens[++behind];
        long double whole = floorl(scaled), rest = scaled - whole;
        /* A tie, or nearly one, is left to printf's exact arithmetic. */
        if (fabsl(rest - 0.5L) > 1e-6L && scaled >= 1e8L && scaled < 999999999.0L)
            return fraction(at, (uint64_t)whole + (rest > 0.5L), behind);
    }
    return at + snprintf(at, TEXT_ROOM, "%.9g", value);
}
