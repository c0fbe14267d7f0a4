/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
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

/* Writes digits / 10^behind without trailing zeros. */
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
        int behind =
            12; /* nine digits need this number of decimal places for 1e-4 <= value < 1e-3 */
        while (behind > 0 && value >= tens[12 - behind] * 1e-3)
            behind--;
        /* The bounds below 1 are not exact in binary, so the product decides. */
        long double scaled = (long double)value * tens[behind];
        if (scaled < 1e8L && behind < 12)
            scaled = (long double)value * tens[++behind];
        long double whole = floorl(scaled), rest = scaled - whole;
        /* printf's exact arithmetic handles ties and values close to one. */
        if (fabsl(rest - 0.5L) > 1e-6L && scaled >= 1e8L && scaled < 999999999.0L)
            return fraction(at, (uint64_t)whole + (rest > 0.5L), behind);
    }
    return at + snprintf(at, TEXT_ROOM, "%.9g", value);
}

#define EXACT_DIGITS 17

/* Finds the first 17 digits of a size from 1e-10 to 1e16, and the power of ten of the first one.
 * Returns false if the value is so near a tie that a product rounded once cannot decide. */
static bool find_digits(double size, uint64_t *digits, int *power)
{
    static const long double tens[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                       1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                       1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L,
                                       1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    int exponent;
    if (LDBL_MANT_DIG < 64 || !(size >= 1e-10 && size < 1e16))
        return false;
    frexp(size, &exponent);
    /* The estimate is too low by one at most. */
    int p = (int)floor((exponent - 1) * 0.30102999566398120);
    long double scaled = (long double)size * tens[16 - p];
    if (scaled >= 1e17L)
        scaled = (long double)size * tens[16 - ++p];
    uint64_t whole = (uint64_t)scaled;
    long double rest = scaled - (long double)whole;
    *digits = whole + (rest > 0.5L);
    *power = p;
    return fabsl(rest - 0.5L) > 0x1p-6L && whole >= 10000000000000000u &&
           *digits < 100000000000000000u;
}

/* Writes digits with a decimal point after the first `before` of them. */
static char *point(char *at, const char *digits, int count, int before)
{
    for (int i = 0; i < before; i++)
        *at++ = i < count ? digits[i] : '0';
    if (count > before) {
        *at++ = '.';
        for (int i = before; i < count; i++)
            *at++ = digits[i];
    }
    return at;
}

char *text_exact(char *at, double value)
{
    uint64_t number;
    char digits[EXACT_DIGITS];
    int power, count = EXACT_DIGITS;
    if (!find_digits(fabs(value), &number, &power))
        return at + snprintf(at, TEXT_ROOM, "%.17g", value);
    for (int i = EXACT_DIGITS; i > 0; number /= 10)
        digits[--i] = (char)('0' + number % 10);
    while (count > 1 && digits[count - 1] == '0')
        count--;
    if (value < 0.0)
        *at++ = '-';
    if (power >= 0)
        return point(at, digits, count, power + 1);
    if (power < -4) {
        at = point(at, digits, count, 1);
        *at++ = 'e';
        *at++ = '-';
        *at++ = (char)('0' - power / 10);
        *at++ = (char)('0' - power % 10);
        return at;
    }
    *at++ = '0';
    *at++ = '.';
    for (int i = -1; i > power; i--)
        *at++ = '0';
    for (int i = 0; i < count; i++)
        *at++ = digits[i];
    return at;
}
