/* SPDX-License-Identifier: Apache-2.0 */
/* Switching functions from text: accepted texts, and rejected ones with their messages. */
#include "harness.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "testkit/rng.h"
#include "mote/coordination.h"

#define LONG_WORD "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

/* More parentheses than are accepted. */
#define TEN  "(((((((((("
#define DEEP TEN TEN TEN TEN TEN "("

static const struct {
    const char *text;
    mote_switch f;
} good[] = {
    {"RATIONAL R_0=0.3", {.r_0 = 0.3, .nn = 6, .mm = 12, .d_max = INFINITY}},
    {" RATIONAL\tR_0=.3 \n NN=4 MM=0 ", {.r_0 = 0.3, .nn = 4, .mm = 8, .d_max = INFINITY}},
    {"RATIONAL MM=14 NN=6 D_MAX=1. D_0=-1e-1 R_0=3E-1 STRETCH",
     {.r_0 = 0.3, .nn = 6, .mm = 14, .d_max = 1.0, .d_0 = -0.1}},
    {"RATIONAL R_0=0.3 NN=12 MM=6", {.r_0 = 0.3, .nn = 12, .mm = 6, .d_max = INFINITY}},
    {"EXP R_0=+2 D_0=0", {.kind = MOTE_SWITCH_EXP, .r_0 = 2.0, .d_max = INFINITY}},
    {"GAUSSIAN R_0=0.3 D_MAX=1.0 NOSTRETCH",
     {.kind = MOTE_SWITCH_GAUSSIAN, .r_0 = 0.3, .d_max = 1.0, .no_stretch = 1}},
    {"SMAP R_0=0.3 A=3 B=2",
     {.kind = MOTE_SWITCH_SMAP, .r_0 = 0.3, .a = 3, .b = 2, .d_max = INFINITY}},
    {"CUBIC D_0=0.25 D_MAX=1", {.kind = MOTE_SWITCH_CUBIC, .d_0 = 0.25, .r_0 = 0.75, .d_max = 1.0}},
    {"TANH R_0=0.3", {.kind = MOTE_SWITCH_TANH, .r_0 = 0.3, .d_max = INFINITY}},
    {"COSINUS R_0=0.3", {.kind = MOTE_SWITCH_COSINUS, .r_0 = 0.3, .d_max = INFINITY}},
    {"Q R_0=1 REF=0.3",
     {.kind = MOTE_SWITCH_Q, .r_0 = 1, .ref = 0.3, .beta = 50, .lambda = 1.8, .d_max = INFINITY}},
    {"Q R_0=1 REF=0.3 BETA=2.5e1 LAMBDA=1",
     {.kind = MOTE_SWITCH_Q, .r_0 = 1, .ref = 0.3, .beta = 25, .lambda = 1, .d_max = INFINITY}},
    {"RATIONAL R_0=pi/10 NN=2*3 MM=(1+1)^4 D_MAX=(1+2)*0.5",
     {.r_0 = 3.14159265358979323846 / 10.0, .nn = 6, .mm = 16, .d_max = 1.5}},
    {"EXP R_0=1/3 D_0=-2^2/8-1e-1",
     {.kind = MOTE_SWITCH_EXP, .r_0 = 1.0 / 3.0, .d_0 = -0.5 - 0.1, .d_max = INFINITY}},
    {"TANH R_0=2^3^2/2^-1 D_0=8/4/2-sqrt(4)",
     {.kind = MOTE_SWITCH_TANH, .r_0 = 1024.0, .d_0 = -1.0, .d_max = INFINITY}},
    {"EXP R_0=log(exp(0)+e-1)", {.kind = MOTE_SWITCH_EXP, .r_0 = 1.0, .d_max = INFINITY}},
};

static void check_good(size_t i)
{
    mote_switch f, expected = good[i].f;
    memset(&f, 0xA5, sizeof(f));
    expected.size = sizeof(f);
    mote_status status = mote_switch_parse(good[i].text, &f);
    ck_assert_msg(!status, "%s: %s", good[i].text, mote_last_error());
    ck_assert_msg(f.size == expected.size && f.kind == expected.kind && f.r_0 == expected.r_0 &&
                      f.d_0 == expected.d_0 && f.d_max == expected.d_max && f.nn == expected.nn &&
                      f.mm == expected.mm && f.a == expected.a && f.b == expected.b &&
                      f.beta == expected.beta && f.lambda == expected.lambda &&
                      f.ref == expected.ref && f.no_stretch == expected.no_stretch,
                  "%s", good[i].text);
}

START_TEST(understood)
{
    errno = 77;
    for (size_t i = 0; i < COUNT(good); i++)
        check_good(i);
    ck_assert_int_eq(errno, 77);
}
END_TEST

/* Every kind is known by its name, and takes some of the numbers. */
START_TEST(every_kind)
{
    static const char *const numbers[] = {" R_0=0.3", " A=3", " B=2", " REF=0.3", " FUNC=exp(-x)"};
    const char *name;
    for (int kind = 0; (name = mote_switch_kind_name((mote_switch_kind)kind)); kind++) {
        bool known = false;
        for (unsigned set = 0; set < 1u << COUNT(numbers) && !known; set++) {
            char text[100];
            mote_switch f;
            int length = snprintf(text, sizeof(text), "%s D_MAX=1", name);
            for (size_t k = 0; k < COUNT(numbers); k++)
                if (set >> k & 1)
                    length +=
                        snprintf(text + length, sizeof(text) - (size_t)length, "%s", numbers[k]);
            known = !mote_switch_parse(text, &f);
            ck_assert(!known || (f.kind == (mote_switch_kind)kind && f.d_max == 1.0));
        }
        ck_assert_msg(known, "%s takes none of these numbers", name);
    }
}
END_TEST

/* A locale with a comma as decimal point changes nothing. */
START_TEST(any_locale)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8",
                                        "fr_FR.utf8"};
    char before[64];
    snprintf(before, sizeof(before), "%s", setlocale(LC_ALL, NULL));
    for (size_t k = 0; k < COUNT(names); k++)
        if (setlocale(LC_ALL, names[k])) {
            for (size_t i = 0; i < COUNT(good); i++)
                check_good(i);
            mote_switch f;
            ck_assert_int_ne(mote_switch_parse("EXP R_0=0,3", &f), 0);
            break;
        }
    setlocale(LC_ALL, before);
}
END_TEST

static const struct {
    const char *text, *says;
} bad[] = {
    {"", "empty"},
    {" \t\n", "empty"},
    {"RATIONA R_0=1", "did you mean RATIONAL?"},
    {"gaussian R_0=1", "did you mean GAUSSIAN?"},
    {"{GAUSSIAN R_0=1}", "did you mean GAUSSIAN?"},
    {"COSINE R_0=1", "did you mean COSINUS?"},
    {"R_0=1 RATIONAL", "'R_0=1' is not one of RATIONAL"},
    {"CUSTOM FUNC=1-x", "CUSTOM needs R_0=NUMBER"},
    {"MATHEVAL R_0=1", "CUSTOM needs FUNC=EXPRESSION"},
    {LONG_WORD, "is not one of"},
    {"RATIONAL", "RATIONAL needs R_0=NUMBER"},
    {"RATIONAL R0=1", "'R0=1' is no word of RATIONAL: did you mean R_0?"},
    {"RATIONAL r_0=1", "did you mean R_0?"},
    {"RATIONAL R_0=1 DMAX=2", "did you mean D_MAX?"},
    {"RATIONAL R_0=1 D_MAXX=2", "did you mean D_MAX?"},
    {"RATIONAL R_0=1 NOSTRECH", "did you mean NOSTRETCH?"},
    {"RATIONAL R_0=1 " LONG_WORD "=1", "which takes R_0, D_0, D_MAX, NN, MM, NOSTRETCH, STRETCH"},
    {"RATIONAL R_0=1 BETA=1", "'BETA=1' is no word of RATIONAL"},
    {"RATIONAL R_0=1 =1", "'=1' is no word of RATIONAL"},
    {"GAUSSIAN R_0=1 NN=6", "'NN=6' is no word of GAUSSIAN"},
    {"RATIONAL R_0=", "R_0 needs a value"},
    {"RATIONAL R_0", "R_0 needs a value"},
    {"RATIONAL R_0= 1", "R_0 needs a value"},
    {"RATIONAL R_0=1 R_0=1", "R_0 is given twice"},
    {"RATIONAL R_0=1 STRETCH STRETCH", "STRETCH is given twice"},
    {"RATIONAL R_0=1 STRETCH NOSTRETCH", "not both"},
    {"RATIONAL R_0=1 NOSTRETCH=1", "NOSTRETCH takes no value"},
    {"RATIONAL R_0=x", "R_0=x is not a finite number, nor an expression"},
    {"RATIONAL R_0=1x", "R_0=1x is not"},
    {"RATIONAL R_0=0x10", "R_0=0x10 is not"},
    {"RATIONAL R_0=inf", "R_0=inf is not"},
    {"RATIONAL R_0=1 D_MAX=INFINITY", "D_MAX=INFINITY is not"},
    {"RATIONAL R_0=nan", "R_0=nan is not"},
    {"RATIONAL R_0=1e999", "R_0=1e999 is not"},
    {"RATIONAL R_0=1e", "R_0=1e is not"},
    {"RATIONAL R_0=1e+", "R_0=1e+ is not"},
    {"RATIONAL R_0=.", "R_0=. is not"},
    {"RATIONAL R_0=-", "R_0=- is not"},
    {"RATIONAL R_0=--1", "R_0=--1 is not"},
    {"RATIONAL R_0=1,5", "R_0=1,5 is not"},
    {"RATIONAL R_0=1.5.1", "R_0=1.5.1 is not"},
    {"RATIONAL R_0=1=1", "R_0=1=1 is not"},
    {"RATIONAL R_0=1/0", "R_0=1/0 is not"},
    {"RATIONAL R_0=sqrt(-1)", "R_0=sqrt(-1) is not"},
    {"RATIONAL R_0=(1", "R_0=(1 is not"},
    {"RATIONAL R_0=1)", "R_0=1) is not"},
    {"RATIONAL R_0=2pi", "R_0=2pi is not"},
    {"RATIONAL R_0=sqrt", "R_0=sqrt is not"},
    {"RATIONAL R_0=system(1)", "R_0=system(1) is not"},
    {"RATIONAL R_0=1+", "R_0=1+ is not"},
    {"RATIONAL R_0=2*-", "R_0=2*- is not"},
    {"RATIONAL R_0=1 NN=7/2", "NN=7/2 is not a whole number"},
    {"RATIONAL R_0=1 NN=2^31", "NN=2^31 is not a whole number"},
    {"RATIONAL R_0=" DEEP "1", "is not a finite number"},
    {"RATIONAL R_0=0", "R_0=0 must be above 0"},
    {"RATIONAL R_0=1e-999", "R_0=1e-999 must be above 0"},
    {"RATIONAL R_0=1 D_MAX=0", "D_MAX=0 must be above 0"},
    {"RATIONAL R_0=1 NN=0", "NN=0 is not a whole number from 1"},
    {"RATIONAL R_0=1 NN=6.5", "NN=6.5 is not"},
    {"RATIONAL R_0=1 NN=-6", "NN=-6 is not"},
    {"RATIONAL R_0=1 NN=+6", "NN=+6 is not"},
    {"RATIONAL R_0=1 MM=2147483648", "MM=2147483648 is not"},
    {"RATIONAL R_0=1 MM=99999999999999999999999999", "is not a whole number"},
    {"RATIONAL R_0=1 NN=6 MM=6", "both 6"},
    {"RATIONAL R_0=1 D_0=2 D_MAX=1", "must be above d_0"},
    {"SMAP R_0=1 A=1", "SMAP needs B=NUMBER"},
    {"SMAP R_0=1 A=0 B=1", "A=0 must be above 0"},
    {"CUBIC D_0=1", "CUBIC needs D_MAX=NUMBER"},
    {"CUBIC R_0=0.3 D_MAX=0.7", "'R_0=0.3' is no word of CUBIC"},
    {"SMAP R_0=0.3 A=2.5", "SMAP needs B=NUMBER"},
    {"Q R_0=1", "Q needs REF=NUMBER"},
    {"Q REF=1", "Q needs R_0=NUMBER"},
    {"COSINUS R_0=1 D_0=-1 D_MAX=1", "cannot be stretched"},
};

START_TEST(refused)
{
    mote_switch f, before;
    memset(&f, 0xA5, sizeof(f));
    before = f;
    ck_assert_msg(mote_switch_parse(bad[_i].text, &f) == MOTE_ERROR_INVALID_ARGUMENT, "%s",
                  bad[_i].text);
    ck_assert_msg(strstr(mote_last_error(), "mote_switch_parse: ") == mote_last_error(), "%s",
                  mote_last_error());
    ck_assert_msg(strstr(mote_last_error(), bad[_i].says), "%s: %s", bad[_i].text,
                  mote_last_error());
    ck_assert_mem_eq(&f, &before, sizeof(f));
}
END_TEST

START_TEST(null_pointers)
{
    mote_switch f;
    ck_assert_int_eq(mote_switch_parse(NULL, &f), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_switch_parse("EXP R_0=1", NULL), MOTE_ERROR_INVALID_ARGUMENT);
}
END_TEST

/* Damaged text is accepted or rejected, whatever it contains. */
START_TEST(damaged)
{
    mote_rng rng;
    mote_rng_seed(&rng, 5);
    for (int run = 0; run < 20000; run++) {
        char text[100];
        snprintf(text, sizeof(text), "%s", good[mote_rng_below(&rng, COUNT(good))].text);
        size_t length = strlen(text);
        for (uint32_t k = mote_rng_below(&rng, 4); k < 4; k++)
            text[mote_rng_below(&rng, (uint32_t)length)] = (char)mote_rng_next(&rng);
        mote_switch f;
        mote_status status = mote_switch_parse(text, &f);
        if (status)
            ck_assert_int_eq(status, MOTE_ERROR_INVALID_ARGUMENT);
        else
            ck_assert(isfinite(mote_switch_value(&f, 0.4, NULL)));
    }
}
END_TEST

Suite *parse_suite(void)
{
    Suite *suite = suite_create("parse");
    TCase *cases = tcase_create("parse");
    tcase_add_test(cases, understood);
    tcase_add_test(cases, every_kind);
    tcase_add_test(cases, any_locale);
    tcase_add_loop_test(cases, refused, 0, (int)COUNT(bad));
    tcase_add_test(cases, null_pointers);
    tcase_add_test(cases, damaged);
    tcase_set_timeout(cases, 0);
    suite_add_tcase(suite, cases);
    return suite;
}
