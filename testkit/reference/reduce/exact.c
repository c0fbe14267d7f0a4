/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/reduce/exact.h"

#include <math.h>
#include <string.h>

#define BASE        ((int64_t)1 << 32)
#define LOWEST_BIT  (-1088)
#define CARRY_AFTER ((size_t)1 << 28) /* additions of less than 2^33 that a digit can take */

/* Digits 0 .. 2^32 - 1, the highest of either sign. */
static void carry(mote_exact *sum)
{
    for (int k = 0; k + 1 < MOTE_EXACT_DIGITS; k++) {
        int64_t low = sum->digit[k] & (BASE - 1);
        sum->digit[k + 1] += (sum->digit[k] - low) / BASE;
        sum->digit[k] = low;
    }
    sum->since_carry = 0;
}

void mote_exact_add(mote_exact *sum, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = bits & (((uint64_t)1 << 52) - 1);
    int64_t sign = bits >> 63 ? -1 : 1;
    if (exponent == 0x7ff) {
        sum->nan = sum->nan || mantissa;
        sum->plus_infinity = sum->plus_infinity || (!mantissa && sign > 0);
        sum->minus_infinity = sum->minus_infinity || (!mantissa && sign < 0);
        return;
    }
    if (exponent > 0)
        mantissa |= (uint64_t)1 << 52;
    else
        exponent = 1;
    int place = exponent - 1075 - LOWEST_BIT; /* exponent of the lowest bit */
    int k = place / 32, shift = place % 32;
    uint64_t low = (mantissa & 0xffffffffu) << shift, high = (mantissa >> 32) << shift;
    sum->digit[k] += sign * (int64_t)(low & 0xffffffffu);
    sum->digit[k + 1] += sign * (int64_t)((low >> 32) + (high & 0xffffffffu));
    sum->digit[k + 2] += sign * (int64_t)(high >> 32);
    if (++sum->since_carry == CARRY_AFTER)
        carry(sum);
}

/* Returns the bit `place` of normalised digits that are not negative. */
static unsigned bit_at(const mote_exact *sum, int place)
{
    return place < 0 ? 0 : (unsigned)(sum->digit[place / 32] >> (place % 32) & 1);
}

static int highest_bit(const mote_exact *sum)
{
    int place = 32 * MOTE_EXACT_DIGITS - 1;
    while (place >= 0 && !bit_at(sum, place))
        place--;
    return place;
}

double mote_exact_value(const mote_exact *sum)
{
    if (sum->nan || (sum->plus_infinity && sum->minus_infinity))
        return NAN;
    if (sum->plus_infinity || sum->minus_infinity)
        return sum->plus_infinity ? INFINITY : -INFINITY;
    mote_exact s = *sum;
    carry(&s);
    bool negative = s.digit[MOTE_EXACT_DIGITS - 1] < 0;
    if (negative) {
        for (int k = 0; k < MOTE_EXACT_DIGITS; k++)
            s.digit[k] = -s.digit[k];
        carry(&s);
    }
    int top = highest_bit(&s), last = top - 52; /* of 53 bits */
    if (last < -1074 - LOWEST_BIT)
        last = -1074 - LOWEST_BIT;
    uint64_t mantissa = 0;
    for (int place = top; place >= last; place--)
        mantissa = mantissa << 1 | bit_at(&s, place);
    bool half = bit_at(&s, last - 1), more = false;
    for (int place = last - 2; place >= 0; place--)
        more = more || bit_at(&s, place);
    if (half && (more || (mantissa & 1)))
        mantissa++;
    double value = ldexp((double)mantissa, last + LOWEST_BIT);
    return negative ? -value : value;
}
