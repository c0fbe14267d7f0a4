/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal numbers are read like strtod reads them, bit by bit. */
#include "text.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "testkit/rng.h"
#include "tool/formats/trajectory/decimal.h"

/* Reads all of the text, which must be a number. */
static double read_all(const char *text)
{
    char line[4096];
    double value = 0.0;
    int n = snprintf(line, sizeof(line), "%s\n", text) - 1;
    ck_assert_ptr_eq(mote_decimal(line, line + n, &value), line + n);
    return value;
}

static void same(const char *text)
{
    double expected = strtod(text, NULL), found = read_all(text);
    ck_assert_msg(memcmp(&expected, &found, sizeof(found)) == 0, "%s: %a, not %a", text, found,
                  expected);
}

START_TEST(written_ones)
{
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+1",
                                        "1.",
                                        ".5",
                                        "-.5",
                                        "00001.5000",
                                        "1e0",
                                        "1E+5",
                                        "1e-5",
                                        "123456789012345678",
                                        "1234567890123456789",
                                        "12345678901234567890",
                                        "123456789012345678901234567890",
                                        "9007199254740993",
                                        "9007199254740992.5",
                                        "9007199254740993.0000000000000000000000001",
                                        "0.1",
                                        "0.30054369543799164",
                                        "4.35",
                                        "1e22",
                                        "1e23",
                                        "1e308",
                                        "1.7976931348623157e308",
                                        "1e309",
                                        "-1e400",
                                        "1e99999999999",
                                        "1e-99999999999",
                                        "5e-324",
                                        "2.4703282292062327e-324",
                                        "2.2250738585072011e-308",
                                        "0.000000000000000000000000000000000001",
                                        "0e500",
                                        "0.5000000000000000277555756156289135105907917022705078125",
                                        "1.00000000000000011102230246251565404236316680908203125",
                                        "18446744073709551615e-19",
                                        "9999999999999999999e-27",
                                        "1e-27",
                                        "3e-28"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        same(texts[i]);
}
END_TEST

START_TEST(random_ones)
{
    mote_rng rng;
    char text[64];
    mote_rng_seed(&rng, (uint64_t)time(NULL));
    for (int i = 0; i < 100000; i++) {
        uint64_t digits = mote_rng_next(&rng) >> mote_rng_below(&rng, 64);
        int point = (int)mote_rng_below(&rng, 30) - 2;
        int n =
            snprintf(text, sizeof(text), "%s%llu", i % 2 ? "-" : "", (unsigned long long)digits);
        if (point > 0 && point < n - 1) {
            memmove(text + n - point + 1, text + n - point, (size_t)point + 1);
            text[n - point] = '.';
        } else {
            snprintf(text + n, sizeof(text) - (size_t)n, "e%d", -point);
        }
        same(text);
    }
}
END_TEST

/* Tests numbers of any length. A digit at the end of a long number decides a tie between two
 * doubles. */
START_TEST(long_ones)
{
    static const char *const heads[] = {"0.", "9007199254740993.", "", "-1", "00"};
    char text[4000], digits[3001];
    for (int length = 20; length <= 3000; length += 149)
        for (size_t i = 0; i < 3 * (sizeof(heads) / sizeof(heads[0])); i++) {
            memset(digits, i % 3 ? '0' : '3', (size_t)length);
            digits[length - 1] = '1';
            snprintf(text, sizeof(text), "%s%.*s%s", heads[i / 3], length, digits,
                     i % 3 == 2 ? "e-2000" : "");
            same(text);
        }
}
END_TEST

/* Doubles are read back as they were written with 17 digits, and halves between two doubles are
 * rounded to even. */
START_TEST(neighbours)
{
    mote_rng rng;
    char text[64];
    mote_rng_seed(&rng, (uint64_t)time(NULL));
    for (int i = 0; i < 50000; i++) {
        double value = ldexp((double)(mote_rng_next(&rng) >> 11), -(int)mote_rng_below(&rng, 90));
        snprintf(text, sizeof(text), "%.17g", value);
        ck_assert(read_all(text) == value);
        same(text);
        uint64_t odd = (mote_rng_next(&rng) >> 10) | 1; /* 54 bits: a tie */
        snprintf(text, sizeof(text), "%llu.%d", (unsigned long long)odd, i % 3);
        same(text);
    }
}
END_TEST

START_TEST(not_numbers)
{
    static const char *const texts[] = {"",  "-",   "+",   ".", "-.", "e5",
                                        "x", "--1", "+-1", "n", "in"};
    double value = 7.0;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        char line[16];
        int n = snprintf(line, sizeof(line), "%s\n", texts[i]) - 1;
        ck_assert_ptr_null(mote_decimal(line, line + n, &value));
    }
}
END_TEST

START_TEST(where_they_end)
{
    static const struct {
        const char *text;
        int length;
        double value;
    } all[] = {{"1.5abc\n", 3, 1.5},          {"1e\n", 1, 1.0},      {"1e+\n", 1, 1.0},
               {"1.2.3\n", 3, 1.2},           {"2 3\n", 1, 2.0},     {"0x10\n", 1, 0.0},
               {"1.5-2\n", 3, 1.5},           {"7e2e3\n", 3, 700.0}, {"infant\n", 3, INFINITY},
               {"-InFiNiTyx\n", 9, -INFINITY}};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        double value = 0.0;
        const char *end = all[i].text + strlen(all[i].text) - 1;
        ck_assert_ptr_eq(mote_decimal(all[i].text, end, &value), all[i].text + all[i].length);
        ck_assert(value == all[i].value);
    }
    double value = 0.0;
    static const char nan_line[] = "-nan\n";
    ck_assert_ptr_eq(mote_decimal(nan_line, nan_line + 4, &value), nan_line + 4);
    ck_assert(isnan(value));
    char many[601];
    memset(many, '7', sizeof(many));
    many[599] = 'e';
    many[600] = '\n';
    ck_assert_ptr_eq(mote_decimal(many, many + 600, &value), many + 599);
}
END_TEST

static const suite_test tests[] = {SUITE_TEST(written_ones), SUITE_TEST(random_ones),
                                   SUITE_TEST(long_ones),    SUITE_TEST(neighbours),
                                   SUITE_TEST(not_numbers),  SUITE_TEST(where_they_end)};
SUITE_MAIN("decimal", tests)
