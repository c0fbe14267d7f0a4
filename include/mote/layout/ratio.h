/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file layout/ratio.h
 * @brief OpenCL C: means and variances from exact sums, each rounded to float once.
 *
 * Every function returns the float that is nearest to the exact value, ties to even. Hence the bits
 * are the same on every device, although single divisions in OpenCL may be off by some units in the
 * last place and fp64 may be missing. Small numbers use a fast path: a quotient estimated in float
 * is corrected by its exact remainder. Large ones are divided bit by bit. Both give the same float.
 *
 * Needs OpenCL C 1.1; for kernels only.
 */
#ifndef MOTE_LAYOUT_RATIO_H
#define MOTE_LAYOUT_RATIO_H

#ifdef __OPENCL_VERSION__

#define MOTE_RATIO_SHORT_BITS    58 /* of a number that may use the fast path */
#define MOTE_RATIO_WEIGHT_BITS   29 /* of a weight whose square may use it */
#define MOTE_RATIO_FRACTION_BITS 23
#define MOTE_RATIO_BIAS          127

/** A number of 128 bits. */
typedef struct mote_ratio_wide {
    ulong low, high;
} mote_ratio_wide;

/** A number of 192 bits. */
typedef struct mote_ratio_huge {
    ulong low, middle, high;
} mote_ratio_huge;

static inline uint mote_ratio_bits(ulong a)
{
    uint high = (uint)(a >> 32);
    return high ? 64 - clz(high) : 32 - clz((uint)a);
}

/* `quotient` has two bits more than a fraction, the last one for rounding; `rest`: the exact value
 * has further bits. */
static inline float mote_ratio_round(uint quotient, bool rest, int exponent)
{
    uint fraction = quotient >> 1;
    if ((quotient & 1) && (rest || (fraction & 1)))
        fraction++;
    return as_float(((uint)(exponent + MOTE_RATIO_BIAS) << MOTE_RATIO_FRACTION_BITS) + fraction -
                    (1u << MOTE_RATIO_FRACTION_BITS));
}

/* a / b, both below 2^58, b not 0. */
static inline float mote_ratio_short(ulong a, ulong b)
{
    uint a_bits = mote_ratio_bits(a), b_bits = mote_ratio_bits(b);
    int exponent = (int)a_bits - (int)b_bits;
    if (a == 0)
        return 0.0f;
    a <<= MOTE_RATIO_SHORT_BITS - a_bits;
    b <<= MOTE_RATIO_SHORT_BITS - b_bits;
    if (a < b) {
        a <<= 1;
        exponent--;
    }
    /* Now 1 <= a / b < 2. The guess is off by less than 2^5, so the remainder fits. */
    uint quotient = (uint)((float)a / (float)b * (float)(2u << MOTE_RATIO_FRACTION_BITS));
    long rest = (long)((a << (MOTE_RATIO_FRACTION_BITS + 1)) - quotient * b);
    int more = (int)((float)rest / (float)b);
    quotient += (uint)more;
    rest -= more * (long)b;
    for (uint turn = 0; turn < 2 && rest < 0; turn++) {
        quotient--;
        rest += (long)b;
    }
    if (rest >= (long)b) {
        quotient++;
        rest -= (long)b;
    }
    return mote_ratio_round(quotient, rest != 0, exponent);
}

static inline mote_ratio_huge mote_ratio_add(mote_ratio_huge a, mote_ratio_huge b)
{
    mote_ratio_huge sum = {a.low + b.low, a.middle + b.middle, a.high + b.high};
    uint carry = sum.low < a.low;
    sum.high += sum.middle < a.middle;
    sum.middle += carry;
    sum.high += carry && sum.middle == 0;
    return sum;
}

static inline bool mote_ratio_less(mote_ratio_huge a, mote_ratio_huge b)
{
    if (a.high != b.high)
        return a.high < b.high;
    return a.middle != b.middle ? a.middle < b.middle : a.low < b.low;
}

/* a - b for a >= b. */
static inline mote_ratio_huge mote_ratio_subtract(mote_ratio_huge a, mote_ratio_huge b)
{
    mote_ratio_huge rest = {a.low - b.low, a.middle - b.middle, a.high - b.high};
    uint borrow = a.low < b.low;
    rest.high -= a.middle < b.middle;
    rest.high -= borrow && rest.middle == 0;
    rest.middle -= borrow;
    return rest;
}

/* A product that has no more than 192 bits. */
static inline mote_ratio_huge mote_ratio_multiply(mote_ratio_wide a, mote_ratio_wide b)
{
    mote_ratio_huge product = {a.low * b.low, mul_hi(a.low, b.low), a.high * b.high};
    mote_ratio_huge first = {0, a.low * b.high, mul_hi(a.low, b.high)};
    mote_ratio_huge second = {0, a.high * b.low, mul_hi(a.high, b.low)};
    return mote_ratio_add(product, mote_ratio_add(first, second));
}

static inline uint mote_ratio_huge_bits(mote_ratio_huge a)
{
    if (a.high)
        return 128 + mote_ratio_bits(a.high);
    return a.middle ? 64 + mote_ratio_bits(a.middle) : mote_ratio_bits(a.low);
}

static inline mote_ratio_huge mote_ratio_up(mote_ratio_huge a, uint bits)
{
    for (; bits >= 64; bits -= 64) {
        a.high = a.middle;
        a.middle = a.low;
        a.low = 0;
    }
    if (bits) {
        a.high = a.high << bits | a.middle >> (64 - bits);
        a.middle = a.middle << bits | a.low >> (64 - bits);
        a.low <<= bits;
    }
    return a;
}

/* a / b, both below 2^160, b not 0. */
static inline float mote_ratio_long(mote_ratio_huge a, mote_ratio_huge b)
{
    uint a_bits = mote_ratio_huge_bits(a), b_bits = mote_ratio_huge_bits(b), quotient = 0;
    int exponent = (int)a_bits - (int)b_bits;
    if (a_bits == 0)
        return 0.0f;
    if (a_bits < b_bits)
        a = mote_ratio_up(a, b_bits - a_bits);
    else
        b = mote_ratio_up(b, a_bits - b_bits);
    if (mote_ratio_less(a, b)) {
        a = mote_ratio_up(a, 1);
        exponent--;
    }
    /* If Intel's compiler unrolls this loop, its code is longer than all other code here. */
#pragma unroll 1
    for (uint bit = 0; bit < MOTE_RATIO_FRACTION_BITS + 2; bit++) {
        bool fits = !mote_ratio_less(a, b);
        if (fits)
            a = mote_ratio_subtract(a, b);
        quotient = quotient << 1 | fits;
        a = mote_ratio_up(a, 1);
    }
    return mote_ratio_round(quotient, mote_ratio_huge_bits(a) != 0, exponent);
}

static inline mote_ratio_wide mote_ratio_words2(uint low, uint high)
{
    mote_ratio_wide number = {(ulong)high << 32 | low, 0};
    return number;
}

static inline mote_ratio_wide mote_ratio_words3(uint low, uint middle, uint high)
{
    mote_ratio_wide number = {(ulong)middle << 32 | low, high};
    return number;
}

/** sum / weight; weight not 0 and below 2^63, the sum below 2^96. */
static inline float mote_ratio_mean(ulong weight, mote_ratio_wide sum)
{
    mote_ratio_huge a = {sum.low, sum.high, 0}, b = {weight, 0, 0};
    if (sum.high == 0 && (sum.low | weight) >> MOTE_RATIO_SHORT_BITS == 0)
        return mote_ratio_short(sum.low, weight);
    return mote_ratio_long(a, b);
}

static inline float mote_ratio_covariance_long(ulong weight, mote_ratio_wide x, mote_ratio_wide y,
                                               mote_ratio_wide xy)
{
    mote_ratio_wide w = {weight, 0};
    mote_ratio_huge all = mote_ratio_multiply(w, xy), means = mote_ratio_multiply(x, y), size;
    bool negative = mote_ratio_less(all, means);
    if (negative)
        size = mote_ratio_subtract(means, all);
    else
        size = mote_ratio_subtract(all, means);
    float ratio = mote_ratio_long(size, mote_ratio_multiply(w, w));
    return negative ? -ratio : ratio;
}

/* The fast path, about whole numbers near the means, where sums are small; returns false if it does
 * not apply. Numbers are below 2^64, and the square of the weight must fit. */
static inline bool mote_ratio_covariance_short(ulong weight, ulong x, ulong y, ulong xy,
                                               float *ratio)
{
    long w = (long)weight, near_x = (long)((float)x / (float)weight);
    long near_y = (long)((float)y / (float)weight);
    long left_x = (long)x - near_x * w, left_y = (long)y - near_y * w;
    ulong about =
        xy - (ulong)near_x * y - (ulong)near_y * x + (ulong)near_x * (ulong)near_y * weight;
    long left = (long)about;
    if (left >= 1l << MOTE_RATIO_WEIGHT_BITS || -left >= 1l << MOTE_RATIO_WEIGHT_BITS)
        return false;
    long all = left * w - left_x * left_y;
    ulong size = (ulong)(all < 0 ? -all : all);
    if (size >> MOTE_RATIO_SHORT_BITS)
        return false;
    *ratio = mote_ratio_short(size, weight * weight);
    *ratio = all < 0 ? -*ratio : *ratio;
    return true;
}

/**
 * xy / weight - x / weight * y / weight, where the arguments are the sums of w, w x, w y and w x y
 * of points with coordinates below 2^16 and weights w; the sum of weights is not 0 and below 2^63.
 * With x for y, and the sum of w x x for xy, it is the variance of x.
 */
static inline float mote_ratio_covariance(ulong weight, mote_ratio_wide x, mote_ratio_wide y,
                                          mote_ratio_wide xy)
{
    float ratio = 0.0f;
    bool small = weight >> MOTE_RATIO_WEIGHT_BITS == 0 && (x.high | y.high | xy.high) == 0;
    if (small)
        small = mote_ratio_covariance_short(weight, x.low, y.low, xy.low, &ratio);
    if (!small)
        ratio = mote_ratio_covariance_long(weight, x, y, xy);
    return ratio;
}

#endif

#endif
