/* SPDX-License-Identifier: Apache-2.0 */
/* Switching functions on the host compared with long double, their limits, and rejected
 * functions. */
#include "harness.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "testkit/reference/coordination/oracle_switch.h"
#include "coordination/switch.h"

#define rare_functions   mote_coordination_rare_functions
#define n_rare_functions mote_coordination_rare_function_count

#define SIZE     .size = sizeof(mote_switch)
#define RATIONAL SIZE, .kind = MOTE_SWITCH_RATIONAL

/* Each formula and exponent class, with values near, at and beyond every special point of the
 * definitions. */
static const mote_switch good[] = {
    {RATIONAL, .r_0 = 0.3},
    {RATIONAL, .r_0 = 0.3, .d_max = 0.75},
    {RATIONAL, .r_0 = 0.3, .d_max = INFINITY},
    {RATIONAL, .r_0 = 0.3, .d_max = 0.75, .no_stretch = 1},
    {RATIONAL, .r_0 = 1.0, .nn = 6, .mm = 10, .d_max = INFINITY},
    {RATIONAL, .r_0 = 1.0, .nn = 1, .mm = 3, .d_max = INFINITY},
    {RATIONAL, .r_0 = 1.0, .nn = 1, .mm = 2, .d_max = 2.0},
    {RATIONAL, .r_0 = 0.4, .nn = 5, .mm = 11, .d_0 = 0.1},
    {RATIONAL, .r_0 = 0.4, .nn = 7, .mm = 13, .d_0 = -0.2},
    {RATIONAL, .r_0 = 0.4, .nn = 12, .mm = 6, .d_max = 1.5},
    {RATIONAL, .r_0 = 0.4, .nn = 9, .mm = 8, .d_max = 2.0, .d_0 = 0.1},
    {RATIONAL, .r_0 = 0.4, .nn = 11, .mm = 12, .d_max = INFINITY},
    {RATIONAL, .r_0 = 0.4, .nn = 12, .mm = 6},
    {RATIONAL, .r_0 = 0.4, .nn = 14, .mm = 6, .d_0 = 0.1},
    {RATIONAL, .r_0 = 0.4, .nn = 9, .mm = 6, .d_max = INFINITY},
    {RATIONAL, .r_0 = 0.4, .nn = 200, .mm = 6, .d_0 = -0.1, .d_max = INFINITY},
    {RATIONAL, .r_0 = 1.0, .nn = 24, .mm = 48, .d_max = INFINITY},
    {RATIONAL, .r_0 = 1.0, .nn = 100, .mm = 201, .d_max = INFINITY},
    {RATIONAL, .r_0 = 1.0, .nn = 1, .mm = 200, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_EXP, .r_0 = 0.2, .d_0 = 0.1, .d_max = 1.0},
    {SIZE, .kind = MOTE_SWITCH_EXP, .r_0 = 0.2, .d_0 = -0.1, .d_max = 1.0},
    {SIZE, .kind = MOTE_SWITCH_EXP, .r_0 = 0.2, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_GAUSSIAN, .r_0 = 0.3, .d_max = 1.0, .no_stretch = 1},
    {SIZE, .kind = MOTE_SWITCH_GAUSSIAN, .r_0 = 0.3, .d_0 = 0.2, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_SMAP, .r_0 = 0.3, .a = 3, .b = 2, .d_max = 1.0},
    {SIZE, .kind = MOTE_SWITCH_SMAP, .r_0 = 0.3, .a = 0.5, .b = 2.5, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_SMAP, .r_0 = 0.3, .a = 12, .b = 0.5, .d_max = 1.2, .d_0 = -0.1},
    {SIZE, .kind = MOTE_SWITCH_CUBIC, .d_0 = 0.2, .d_max = 1.0},
    {SIZE, .kind = MOTE_SWITCH_CUBIC, .d_0 = -0.2, .d_max = 1.0, .r_0 = 1.2},
    {SIZE, .kind = MOTE_SWITCH_TANH, .r_0 = 0.3, .d_max = 1.0},
    {SIZE, .kind = MOTE_SWITCH_TANH, .r_0 = 0.3, .d_0 = -0.1, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_COSINUS, .r_0 = 0.6, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_COSINUS, .r_0 = 0.6, .d_0 = 0.1, .d_max = 0.5},
    {SIZE, .kind = MOTE_SWITCH_Q, .r_0 = 0.3, .ref = 0.3, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_Q, .r_0 = 0.3, .ref = 0.3, .beta = 5, .lambda = 1, .d_max = 0.8},
    {SIZE, .kind = MOTE_SWITCH_Q, .r_0 = 1, .ref = 0.3, .beta = 5, .d_0 = -0.1, .d_max = 0.8},
    {SIZE, .kind = MOTE_SWITCH_Q, .r_0 = 1, .ref = 0.3, .beta = 5, .d_0 = 0.1, .d_max = 0.8},
};

/* These functions, and those of the cases; returns their number. */
static size_t all_functions(const mote_switch **functions_of)
{
    static mote_switch all[128];
    size_t n = 0;
    ck_assert(COUNT(good) + n_functions + n_rare_functions <= COUNT(all));
    for (size_t i = 0; i < COUNT(good); i++)
        all[n++] = good[i];
    for (size_t i = 0; i < n_functions; i++)
        if (functions[i].kind != MOTE_SWITCH_CUSTOM) /* test_expression.c tests more of these */
            all[n++] = functions[i];
    for (size_t i = 0; i < n_rare_functions; i++)
        all[n++] = rare_functions[i];
    *functions_of = all;
    return n;
}

static mote_switch completed(const mote_switch *of, size_t i)
{
    mote_switch f = of[i];
    mote_status status = mote_switch_complete(&f);
    ck_assert_msg(!status, "function %zu: %s", i, mote_last_error());
    return f;
}

/* The error that the exponential of a rounded number can have. */
static long double lost(long double value, long double most)
{
    return 1e-300L + most * fabsl(value) * (1.0L + fabsl(logl(fabsl(value) + LDBL_MIN)) / 10.0L);
}

/* Compares both numbers relative to their size, or to the error caused by rounding x = (r - d_0) /
 * r_0.
 */
static void check_at(size_t i, const mote_switch *f, const mote_oracle_switch *s, double r)
{
    long double slope, before, after;
    long double value = mote_oracle_switch_value(s, r, &slope);
    double got_slope = NAN, got = mote_switch_value(f, r, &got_slope);
    long double blur = 4.0L * DBL_EPSILON * (r + fabsl(s->d_0));
    if (r < 0.0 || r == f->d_max || value > 1e290L)
        return; /* the oracle's automatic d_max may differ by a bit, and its numbers may be larger
                 */
    mote_oracle_switch_value(s, r - blur, &before);
    mote_oracle_switch_value(s, r + blur, &after);
    long double value_error =
        lost(value, 1e-14L) + 1e-14L * fabsl(s->shift) + 2.0L * blur * fabsl(slope);
    long double slope_error = lost(slope, 1e-13L);
    if (r > 2.0L * blur && fabsl(r - s->d_0) > 2.0L * blur)
        slope_error += fabsl(before - slope) + fabsl(after - slope);
    ck_assert_msg(fabsl(got - value) <= value_error, "function %zu at r = %.17g: %.17g, not %.20Lg",
                  i, r, got, value);
    ck_assert_msg(fabsl(got_slope - slope) <= slope_error,
                  "function %zu at r = %.17g: derivative %.17g, not %.20Lg", i, r, got_slope,
                  slope);
    ck_assert(mote_switch_value(f, r, NULL) == got);
}

START_TEST(agrees_with_long_double)
{
    const mote_switch *all;
    size_t n = all_functions(&all);
    for (size_t i = 0; i < n; i++) {
        mote_switch f = completed(all, i);
        mote_oracle_switch s;
        mote_oracle_switch_make(&all[i], &s);
        for (int k = 1; k < 4000; k++)
            check_at(i, &f, &s, 1e-3 * k);
        for (int k = -40; k < 40; k++) /* r = 1e-10 .. 1e10 */
            check_at(i, &f, &s, pow(10.0, 0.25 * k));
        for (int k = -60; k <= 60; k++) /* x = 1 +- 1e-15 .. 1 */
            check_at(i, &f, &s, f.d_0 + f.r_0 * (1.0 + copysign(pow(10.0, -abs(k) / 4.0), k)));
        for (int k = 1; k < 60 && f.d_0 >= 0.0; k++)
            check_at(i, &f, &s, f.d_0 + pow(10.0, -k / 4.0));
    }
}
END_TEST

/* Each kind is among the functions of the cases, which all tests of the area use. */
START_TEST(all_kinds)
{
    for (unsigned kind = 0; kind < mote_coordination_kinds(); kind++) {
        size_t i = 0;
        while (i < n_functions && functions[i].kind != (mote_switch_kind)kind)
            i++;
        ck_assert_msg(i < n_functions, "%s", mote_switch_kind_name((mote_switch_kind)kind));
    }
}
END_TEST

/* Tests points at which the definitions give exact numbers. */
START_TEST(exact_places)
{
    for (size_t i = 0; i < COUNT(good); i++) {
        mote_switch f = completed(good, i);
        double slope = NAN, above = isinf(f.d_max) ? DBL_MAX : nextafter(f.d_max, INFINITY);
        double at_0 = mote_switch_value(&f, 0.0, &slope);
        ck_assert(slope == 0.0);
        if (f.d_0 >= 0.0) {
            ck_assert(at_0 == 1.0);
            ck_assert(mote_switch_value(&f, f.d_0, &slope) == 1.0 && slope == 0.0);
        }
        if (isfinite(f.d_max)) {
            ck_assert(mote_switch_value(&f, above, &slope) == 0.0 && slope == 0.0);
            ck_assert_msg(f.no_stretch || fabs(mote_switch_value(&f, f.d_max, NULL)) < 1e-15,
                          "function %zu", i);
            if (!f.no_stretch)
                ck_assert_double_eq_tol(at_0, 1.0, 1e-14);
        }
    }
    mote_switch f = {RATIONAL, .r_0 = 2.0, .nn = 6, .mm = 10, .d_max = INFINITY};
    double slope;
    ck_assert_int_eq(mote_switch_complete(&f), 0);
    ck_assert(mote_switch_value(&f, 2.0, &slope) == 0.6);
    ck_assert_double_eq_tol(slope, -0.6, 1e-15);
}
END_TEST

/* No number of any size gives infinity or NaN; a decreasing function stays in its range. */
START_TEST(always_finite)
{
    static const double extreme[] = {0.0,  5e-324, DBL_MIN, 1e-300, 1e-160, 1e-30, 1e-8,
                                     1e15, 1e19,   1e100,   1e154,  1e160,  1e300, DBL_MAX};
    const mote_switch *all;
    size_t n = all_functions(&all);
    for (size_t i = 0; i < n; i++) {
        mote_switch f = completed(all, i);
        for (size_t k = 0; k < COUNT(extreme); k++) {
            double slope = NAN, value = mote_switch_value(&f, extreme[k], &slope);
            bool grows = f.nn > f.mm && isinf(f.d_max);
            ck_assert_msg(isfinite(value) && isfinite(slope) && value >= -1e-14 &&
                              (grows || value <= 1.0 + 1e-14),
                          "function %zu at r = %g: %g, derivative %g", i, extreme[k], value, slope);
        }
    }
    /* Numbers for which intermediate results overflow. */
    static const mote_switch wild[] = {
        {RATIONAL, .r_0 = 1e-150, .nn = 12, .mm = 6, .d_max = INFINITY},
        {SIZE, .kind = MOTE_SWITCH_SMAP, .r_0 = 1.0, .a = 1e-300, .b = 1e300, .d_max = INFINITY},
        {SIZE, .kind = MOTE_SWITCH_Q, .r_0 = 1e200, .beta = 1e200, .ref = 1.0, .d_max = INFINITY},
    };
    double slope = 0.0;
    for (size_t i = 0; i < COUNT(wild); i++) {
        mote_switch f = completed(wild, i);
        for (int k = -110; k <= 110; k++)
            ck_assert_msg(isfinite(mote_switch_value(&f, pow(10.0, k), &slope)) && isfinite(slope),
                          "wild function %zu at r = 1e%d", i, k);
    }
    ck_assert(isnan(mote_switch_value(NULL, 1.0, &slope)) && isnan(slope));
    mote_switch f = completed(good, 0);
    ck_assert(isnan(mote_switch_value(&f, -1.0, &slope)) && isnan(slope));
    ck_assert(isnan(mote_switch_value(&f, NAN, &slope)) && isnan(slope));
}
END_TEST

START_TEST(defaults)
{
    mote_switch f = completed(good, 0);
    ck_assert_int_eq(f.nn, 6);
    ck_assert_int_eq(f.mm, 12);
    ck_assert_double_eq_tol(f.d_max, 2.043876207173884, 1e-15);
    mote_switch again = f;
    ck_assert_int_eq(mote_switch_complete(&again), 0);
    ck_assert_mem_eq(&again, &f, sizeof(f));
    f = (mote_switch){SIZE, .kind = MOTE_SWITCH_CUBIC, .d_0 = 0.25, .d_max = 1.0};
    ck_assert_int_eq(mote_switch_complete(&f), 0);
    ck_assert(f.r_0 == 0.75);
    f = (mote_switch){SIZE, .kind = MOTE_SWITCH_Q, .r_0 = 1.0, .ref = 0.3, .d_max = INFINITY};
    ck_assert_int_eq(mote_switch_complete(&f), 0);
    ck_assert(f.beta == 50.0 && f.lambda == 1.8);
    mote_switch_numbers numbers;
    mote_switch_get_numbers(&f, &numbers);
    ck_assert(numbers.stretch == 1.0 && numbers.shift == 0.0 &&
              numbers.numbers.number[1] == 1.8 * 0.3);
}
END_TEST

/* Tests numbers that PLUMED printed. */
START_TEST(known_stretching)
{
    static const struct {
        mote_switch f;
        double stretch, shift;
    } known[] = {
        {{RATIONAL, .r_0 = 0.4, .nn = 6, .mm = 14}, 1.000009998321704, -9.998321703806999e-06},
        {{RATIONAL, .r_0 = 1.3, .nn = 6, .mm = 10, .d_max = 2.6}, 1.065625, -0.065625},
        {{SIZE, .kind = MOTE_SWITCH_EXP, .r_0 = 0.8, .d_0 = 0.5, .d_max = 2.6},
         1.0780970913572525,
         -0.07809709135725258},
        {{SIZE, .kind = MOTE_SWITCH_GAUSSIAN, .r_0 = 1.0, .d_0 = 0.3, .d_max = 2.6},
         1.0764324681799478,
         -0.0764324681799477},
        {{SIZE, .kind = MOTE_SWITCH_SMAP, .r_0 = 1.3, .a = 3, .b = 2, .d_max = 2.6},
         1.1904528095397078,
         -0.1904528095397077},
        {{SIZE, .kind = MOTE_SWITCH_TANH, .r_0 = 1.3, .d_max = 2.6},
         1.0373147207275482,
         -0.037314720727548094},
        {{SIZE, .kind = MOTE_SWITCH_Q, .r_0 = 1, .d_0 = 0.3, .beta = 1, .lambda = 1, .ref = 1.3,
          .d_max = 2.6},
         1.2725317930340125,
         -0.2725317930340126},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        mote_switch f = known[i].f;
        mote_switch_numbers numbers;
        ck_assert_int_eq(mote_switch_complete(&f), 0);
        mote_switch_get_numbers(&f, &numbers);
        ck_assert_double_eq_tol(numbers.stretch, known[i].stretch, 1e-14);
        ck_assert_double_eq_tol(numbers.shift, known[i].shift, 1e-14);
    }
}
END_TEST

static const struct {
    mote_switch f;
    mote_status status;
    const char *says;
} bad[] = {
    {{.kind = MOTE_SWITCH_EXP, .r_0 = 1.0}, MOTE_ERROR_INVALID_STRUCT, "mote_switch_init"},
    {{.size = 8000, .r_0 = 1.0}, MOTE_ERROR_INVALID_STRUCT, "mote_switch_init"},
    {{SIZE, .kind = (mote_switch_kind)99, .r_0 = 1.0}, 0, "kind 99"},
    {{SIZE, .kind = (mote_switch_kind)-1, .r_0 = 1.0}, 0, "kind -1"},
    {{RATIONAL}, 0, "r_0 is 0"},
    {{RATIONAL, .r_0 = -1.0}, 0, "r_0 is -1"},
    {{RATIONAL, .r_0 = NAN}, 0, "r_0 is"},
    {{RATIONAL, .r_0 = INFINITY}, 0, "r_0 is inf"},
    {{RATIONAL, .r_0 = 1e-310}, 0, "r_0 is 1e-310, but must be at least 7.46e-155"},
    {{RATIONAL, .r_0 = 1.0, .d_0 = NAN}, 0, "d_0 is"},
    {{RATIONAL, .r_0 = 1.0, .d_0 = -INFINITY}, 0, "d_0 is -inf"},
    {{RATIONAL, .r_0 = 1.0, .d_0 = 1.0, .d_max = 1.0}, 0, "above d_0 = 1"},
    {{RATIONAL, .r_0 = 1.0, .d_max = NAN}, 0, "d_max is"},
    {{RATIONAL, .r_0 = 1.0, .d_0 = -3.0, .d_max = -1.0}, 0, "d_max is -1, but must be above 0"},
    {{RATIONAL, .r_0 = 1.0, .d_0 = -9.0}, 0, "d_max is -2.18"},
    {{RATIONAL, .r_0 = 1.0, .nn = -1}, 0, "nn is -1"},
    {{RATIONAL, .r_0 = 1.0, .mm = -1}, 0, "mm is -1"},
    {{RATIONAL, .r_0 = 1.0, .nn = INT32_MAX}, 0, "nn is 2147483647"},
    {{RATIONAL, .r_0 = 1.0, .nn = 6, .mm = 6}, 0, "both 6"},
    {{RATIONAL, .r_0 = 1.0, .nn = 200, .mm = 6, .d_max = 3.0}, 0, "at d_max = 3"},
    {{SIZE, .kind = MOTE_SWITCH_CUBIC, .d_max = INFINITY}, 0, "CUBIC"},
    {{SIZE, .kind = MOTE_SWITCH_CUBIC}, 0, "CUBIC"},
    {{SIZE, .kind = MOTE_SWITCH_CUBIC, .r_0 = 0.3, .d_max = 0.7}, 0, "CUBIC has d_max - d_0 = 0.7"},
    {{SIZE, .kind = MOTE_SWITCH_EXP, .r_0 = 1.0}, 0, "d_max is 0"},
    {{SIZE, .kind = MOTE_SWITCH_SMAP, .r_0 = 1.0, .b = 1.0, .d_max = 1.0}, 0, "a is 0"},
    {{SIZE, .kind = MOTE_SWITCH_SMAP, .r_0 = 1.0, .a = 1.0, .d_max = 1.0}, 0, "b is 0"},
    {{SIZE, .kind = MOTE_SWITCH_Q, .r_0 = 1.0, .d_max = 1.0}, 0, "ref is 0"},
    {{SIZE, .kind = MOTE_SWITCH_Q, .r_0 = 1.0, .ref = NAN, .d_max = 1.0}, 0, "ref is"},
    {{SIZE, .kind = MOTE_SWITCH_Q, .r_0 = 1.0, .ref = 1.0, .beta = -1.0, .d_max = 1.0},
     0,
     "beta is -1"},
    {{SIZE, .kind = MOTE_SWITCH_Q, .r_0 = 1.0, .ref = 1.0, .lambda = NAN, .d_max = 1.0},
     0,
     "lambda is"},
    {{SIZE, .kind = MOTE_SWITCH_COSINUS, .r_0 = 1.0, .d_0 = -1.0, .d_max = 1.0},
     0,
     "cannot be stretched"},
    {{RATIONAL, .r_0 = 1e-3, .nn = 6, .mm = 15, .d_0 = -1.0, .d_max = 9.0},
     0,
     "cannot be stretched"},
};

START_TEST(refused)
{
    mote_switch f = bad[_i].f;
    mote_status expected = bad[_i].status ? bad[_i].status : MOTE_ERROR_INVALID_ARGUMENT;
    ck_assert_int_eq(mote_switch_complete(&f), expected);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "mote_switch_complete: "));
    ck_assert_msg(strstr(mote_last_error(), bad[_i].says), "%s", mote_last_error());
    ck_assert_mem_eq(&f, &bad[_i].f, sizeof(f));
}
END_TEST

/* Tests a structure of another version: shorter, without later members, or longer with a zero tail.
 */
START_TEST(other_sizes)
{
    struct {
        mote_switch f;
        char more[64];
    } longer = {.f = {.size = sizeof(longer), .kind = MOTE_SWITCH_RATIONAL, .r_0 = 1.0}};
    mote_switch shorter = {.size = offsetof(mote_switch, beta), .r_0 = 1.0, .beta = NAN};
    ck_assert_int_eq(mote_switch_complete(&longer.f), 0);
    ck_assert_uint_eq(longer.f.size, sizeof(longer));
    ck_assert_int_eq(mote_switch_complete(&shorter), 0);
    ck_assert_uint_eq(shorter.size, offsetof(mote_switch, beta));
    ck_assert(shorter.mm == 12 && isnan(shorter.beta));
    longer.more[63] = 1;
    ck_assert_int_eq(mote_switch_complete(&longer.f), MOTE_ERROR_INVALID_STRUCT);
    ck_assert_int_eq(mote_switch_complete_for("me", &longer.f), MOTE_ERROR_INVALID_STRUCT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "me: "));
    ck_assert_int_eq(mote_switch_complete(NULL), MOTE_ERROR_INVALID_ARGUMENT);
    mote_switch_init(NULL);
}
END_TEST

Suite *switch_suite(void)
{
    Suite *suite = suite_create("switch");
    TCase *cases = tcase_create("switch");
    tcase_add_test(cases, agrees_with_long_double);
    tcase_add_test(cases, all_kinds);
    tcase_add_test(cases, exact_places);
    tcase_add_test(cases, always_finite);
    tcase_add_test(cases, defaults);
    tcase_add_test(cases, known_stretching);
    tcase_add_loop_test(cases, refused, 0, (int)COUNT(bad));
    tcase_add_test(cases, other_sizes);
    tcase_set_timeout(cases, 0);
    suite_add_tcase(suite, cases);
    return suite;
}
