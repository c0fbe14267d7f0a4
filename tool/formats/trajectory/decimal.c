/* SPDX-License-Identifier: Apache-2.0 */
#include "tool/formats/trajectory/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define IS_LITTLE_ENDIAN 1
#else
#define IS_LITTLE_ENDIAN 0
#endif

#define MOST_DIGITS 19 /* digits of a whole number that fit 64 bits */
#define MOST_FIVES  27 /* 5^27 < 2^63 */
#define MOST_TENS   22 /* 10^22 is a double */

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* The digits of a number: digits x 10^exponent, unless some digits did not fit. */
typedef struct number {
    uint64_t digits;
    int exponent;
    int count; /* number of significant digits read */
    bool whole;
} number;

/* Reads eight digits at once, the first one in the lowest byte; false if one of them is not a
 * digit. */
static bool eight_digits(const char *p, uint64_t *value)
{
    uint64_t bytes;
    memcpy(&bytes, p, sizeof(bytes));
    uint64_t above = bytes + 0x4646464646464646u, below = bytes - 0x3030303030303030u;
    if ((above | below) & 0x8080808080808080u)
        return false;
    bytes = below * 10 + (below >> 8); /* pairs, then fours, then all */
    *value = (((bytes & 0x000000ff000000ffu) * 0x000f424000000064u) +
              ((bytes >> 16 & 0x000000ff000000ffu) * 0x0000271000000001u)) >>
             32;
    return true;
}

static const char *take_digits(const char *p, const char *end, int each, number *n)
{
    uint64_t digits = n->digits, eight;
    int room = MOST_DIGITS - n->count;
    const char *begin = p;
    while (IS_LITTLE_ENDIAN && end - p >= 8 && room >= 8 && eight_digits(p, &eight)) {
        digits = digits * 100000000 + eight;
        room -= digits ? 8 : 0;
        p += 8;
    }
    for (; is_digit(*p) && room > 0; p++) {
        digits = digits * 10 + (uint64_t)(*p - '0');
        room -= digits != 0;
    }
    n->exponent += each * (int)(p - begin);
    n->digits = digits;
    n->count = MOST_DIGITS - room;
    for (; is_digit(*p); p++) {
        n->whole = n->whole && *p == '0';
        n->exponent += 1 + each;
    }
    return p;
}

static const char *take_exponent(const char *at, number *n)
{
    const char *p = at + 1;
    bool negative = *p == '-';
    int e = 0;
    p += *p == '-' || *p == '+';
    if (!is_digit(*p))
        return at;
    for (; is_digit(*p); p++)
        e = e < 100000 ? e * 10 + (*p - '0') : e;
    n->exponent += negative ? -e : e;
    return p;
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

/* 2^exponent, which is not subnormal. */
static double power_of_two(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* digits / 10^k: a quotient of at least 63 bits, whose lowest bit represents all following ones, is
 * rounded once. */
static bool divide(uint64_t digits, int k, double *value)
{
    /* 5^k x 2^down[k], so that the highest bit is set. */
    static const uint64_t fives[MOST_FIVES + 1] = {
        0x8000000000000000, 0xa000000000000000, 0xc800000000000000, 0xfa00000000000000,
        0x9c40000000000000, 0xc350000000000000, 0xf424000000000000, 0x9896800000000000,
        0xbebc200000000000, 0xee6b280000000000, 0x9502f90000000000, 0xba43b74000000000,
        0xe8d4a51000000000, 0x9184e72a00000000, 0xb5e620f480000000, 0xe35fa931a0000000,
        0x8e1bc9bf04000000, 0xb1a2bc2ec5000000, 0xde0b6b3a76400000, 0x8ac7230489e80000,
        0xad78ebc5ac620000, 0xd8d726b7177a8000, 0x878678326eac9000, 0xa968163f0a57b400,
        0xd3c21bcecceda100, 0x84595161401484a0, 0xa56fa5b99019a5c8, 0xcecb8f27f4200f3a};
    static const int down[MOST_FIVES + 1] = {63, 61, 59, 57, 54, 52, 50, 47, 45, 43, 40, 38, 36, 33,
                                             31, 29, 26, 24, 22, 19, 17, 15, 12, 10, 8,  5,  3,  1};
    if (k > MOST_FIVES)
        return false;
    int up = __builtin_clzll(digits);
    wide numerator = (wide)(digits << up) << 63;
    uint64_t quotient = (uint64_t)(numerator / fives[k]);
    quotient |= (wide)quotient * fives[k] != numerator;
    *value = (double)quotient * power_of_two(down[k] - up - k - 63);
    return true;
}
#else
static bool divide(uint64_t digits, int k, double *value)
{
    (void)digits, (void)k, (void)value;
    return false;
}
#endif

static bool is_quick(const number *n, double *value)
{
    static const double tens[MOST_TENS + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!n->whole)
        return false;
    if (n->digits == 0) {
        *value = 0.0;
        return true;
    }
    if (n->digits < (uint64_t)1 << 53 && abs(n->exponent) <= MOST_TENS) {
        *value = n->exponent < 0 ? (double)n->digits / tens[-n->exponent]
                                 : (double)n->digits * tens[n->exponent];
        return true;
    }
    return n->exponent < 0 && divide(n->digits, -n->exponent, value);
}

/* Uses the C library, which stops at the same byte: numbers that begin with 0x never come here. */
static bool is_slow(const char *at, const char *end, double *value)
{
    char *stop;
    *value = strtod(at, &stop);
    return stop == end;
}

static const char *take_word(const char *at, const char *end, double *value)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"nan", NAN}, {"infinity", INFINITY}, {"inf", INFINITY}};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(words[i].word);
        if ((size_t)(end - at) >= length && strncasecmp(at, words[i].word, length) == 0) {
            *value = words[i].value;
            return at + length;
        }
    }
    return NULL;
}

const char *mote_decimal(const char *at, const char *end, double *value)
{
    number n = {.whole = true};
    bool negative = at < end && *at == '-';
    const char *first = at + (at < end && (*at == '-' || *at == '+'));
    const char *p = take_digits(first, end, 0, &n);
    int seen = p != first;
    if (*p == '.') {
        const char *behind = p + 1;
        p = take_digits(behind, end, -1, &n);
        seen |= p != behind;
    }
    if (!seen) {
        p = take_word(first, end, value);
        if (p && negative)
            *value = -*value;
        return p;
    }
    if (*p == 'e' || *p == 'E')
        p = take_exponent(p, &n);
    if (!is_quick(&n, value) && !is_slow(first, p, value))
        return NULL;
    if (negative)
        *value = -*value;
    return p;
}
