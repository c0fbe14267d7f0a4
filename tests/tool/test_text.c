/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers are converted to the same text as by printf, byte by byte. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/suite.h"
#include "testkit/rng.h"
#include "tool/io/text.h"

static void same(double value)
{
    char expected[64], found[64];
    snprintf(expected, sizeof(expected), "%.17g", value);
    *text_exact(found, value) = '\0';
    ck_assert_msg(strcmp(expected, found) == 0, "%s, not %s", found, expected);
    snprintf(expected, sizeof(expected), "%.9g", value);
    *text_real(found, value) = '\0';
    ck_assert_msg(strcmp(expected, found) == 0, "%s, not %s", found, expected);
}

START_TEST(written_ones)
{
    static const double values[] = {0.0,
                                    1.0,
                                    0.5,
                                    10.0,
                                    100.0,
                                    123.456,
                                    1e15,
                                    1e16,
                                    9999999999999998.0,
                                    99999999999999984.0,
                                    1e17,
                                    1e-4,
                                    1e-5,
                                    1e-9,
                                    1e-10,
                                    9.9e-11,
                                    1e-300,
                                    5e-324,
                                    1e300,
                                    INFINITY,
                                    NAN,
                                    0.1,
                                    0.3,
                                    2.0 / 3.0,
                                    1e22,
                                    123456789012345.0,
                                    0.00012345678901234567,
                                    999999999.5,
                                    0.99999999999999989};
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        same(values[i]);
        same(-values[i]);
    }
}
END_TEST

/* Tests every power of ten and of two, with its neighbours. */
START_TEST(bounds)
{
    for (int p = -30; p <= 30; p++) {
        const double values[] = {pow(10.0, p), ldexp(1.0, p), ldexp(1.0, 2 * p), 5 * pow(10.0, p)};
        for (int i = 0; i < 4; i++) {
            same(values[i]);
            same(nextafter(values[i], 0.0));
            same(nextafter(values[i], INFINITY));
        }
    }
}
END_TEST

START_TEST(random_ones)
{
    mote_rng rng;
    mote_rng_seed(&rng, (uint64_t)time(NULL));
    for (int i = 0; i < 100000; i++) {
        double value = (double)(mote_rng_next(&rng) >> 11);
        same(ldexp(i % 2 ? value : -value, (int)mote_rng_between(&rng, -100, 10)));
        same((double)mote_rng_between(&rng, -1000000, 1000000) / 1000.0);
    }
}
END_TEST

START_TEST(whole_ones)
{
    static const uint64_t values[] = {0, 9, 10, 99, 100, 4294967295u, UINT64_MAX};
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        char expected[32], found[32];
        snprintf(expected, sizeof(expected), "%llu", (unsigned long long)values[i]);
        *text_whole(found, values[i]) = '\0';
        ck_assert_str_eq(found, expected);
    }
}
END_TEST

static const suite_test tests[] = {SUITE_TEST(written_ones), SUITE_TEST(bounds),
                                   SUITE_TEST(random_ones), SUITE_TEST(whole_ones)};
SUITE_MAIN("text", tests)
