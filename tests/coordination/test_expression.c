/* SPDX-License-Identifier: Apache-2.0 */
/* Switching functions given as expressions: values and derivatives, rejected expressions with their
 * positions, and the text that compilers receive. */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "testkit/reference/coordination/oracle_custom.h"
#include "testkit/rng.h"
#include "coordination/expression.h"
#include "coordination/switch_custom.h"

/* Each function and each rule of the grammar; finite for 0 < x < 3. */
static const char *const good[] = {
    "1/(1+x^6)",
    "(1+x)^-2.5",
    "exp(-(x-1)^2*4)*(1+x)^2/(1+x^4)",
    "sqrt(x)+log(1+x)-e^-x",
    "sin(x)*cos(2*x)+tan(x/4)",
    "sec(x/4)+csc(x/2+0.1)-cot(x/4+.2)",
    "asin(x/4)+acos(x/4)*atan(x)",
    "asec(x+1.1)-acsc(x+1.1)+acot(x)",
    "atan2(x,2)*atan2(2,x+1)",
    "sinh(x)-cosh(x/2)+tanh(x)",
    "sech(x)+csch(x+1)*coth(x+1)",
    "asinh(x)+acosh(x+1.1)-atanh(x/4)",
    "asech(x/4)+acsch(x+1)-acoth(x+1.5)",
    "erf(x)*erfc(x/2)",
    "min(x,1)+max(x^2,2)*abs(x-1.5)",
    "floor(x)+ceil(2*x)*x",
    "select(step(x-1),1/x,x^2)",
    "delta(x-7)+nandelta(x-7)+square(x)-cube(x)+recip(x+1)",
    "log2e*x+log10e*x^2+ln2+ln10-pi_2*x+pi_4*sqrt2-sqrt1_2*pi",
    "(1+x)^x+2^x+x^0",
    "2^x^2-x^-2/(1+x^-2)",
    "-x^2--x",
    " 1.5e-1 * x - .5 * ( x - 2. ) ^ 3 ",
    "(x-1)^3+(x-1)^4",
    "1/(1+x2^3)",
    "x2*exp(-x2)+x2^0.5",
    "x+x2",
    "3",
};

static double scale(long double value)
{
    return 1e-12 * (1.0 + (double)fabsl(value));
}

START_TEST(agrees_with_an_interpreter)
{
    mote_switch f;
    mote_switch_init(&f);
    f.kind = MOTE_SWITCH_CUSTOM;
    f.r_0 = 0.5;
    f.d_max = 1.5;
    f.no_stretch = 1;
    snprintf(f.func, sizeof(f.func), "%s", good[_i]);
    ck_assert_msg(!mote_switch_complete(&f), "%s", mote_last_error());
    for (int k = 1; k < 300; k++) {
        double r = 0.005 * k - 1e-4, slope = NAN, value = mote_switch_value(&f, r, &slope);
        long double true_slope, true_value = mote_oracle_custom(good[_i], r / 0.5L, &true_slope);
        ck_assert_msg(fabs(value - (double)true_value) <= scale(true_value),
                      "%s at x = %g: %.17g, not %.20Lg", good[_i], 2 * r, value, true_value);
        ck_assert_msg(fabs(slope * 0.5 - (double)true_slope) <= scale(true_slope * true_slope),
                      "%s at x = %g: derivative %.17g, not %.20Lg", good[_i], 2 * r, slope * 0.5,
                      true_slope);
    }
}
END_TEST

/* Derivatives equal differences, except where functions jump or bend. */
START_TEST(derivatives_are_differences)
{
    mote_expression e;
    mote_expression_error error;
    ck_assert(mote_expression_parse(good[_i], strlen(good[_i]), true, &e, &error));
    ck_assert(mote_expression_derive(&e));
    for (int k = 1; k < 29; k++) {
        double x = 0.1 * k + 0.0123, slope, h = 1e-4;
        double below = mote_expression_value(&e, x - h, NULL);
        double above = mote_expression_value(&e, x + h, NULL);
        double value = mote_expression_value(&e, x, &slope);
        double bend = fabs(above - 2.0 * value + below) / h;
        ck_assert_msg(fabs((above - below) / (2.0 * h) - slope) <=
                          1e-5 * (1.0 + fabs(slope)) + bend,
                      "%s at %g: %g, but differences give %g", good[_i], x, slope,
                      (above - below) / (2.0 * h));
    }
}
END_TEST

#define TEN  "(((((((((("
#define DEEP TEN TEN TEN TEN TEN "("
#define LONG "x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+"

#define MANY(tens) "x^1" tens "9+x^1" tens "7+x^1" tens "3+x^1" tens "1"

static const struct {
    const char *text, *says;
} bad[] = {
    {"FUNC=", "FUNC needs a value: FUNC=EXPRESSION"},
    {"FUNC={}", "CUSTOM needs func"},
    {"FUNC={ }", "at character 2, '': a number, a name or '(' is missing"},
    {"FUNC=1/(1+y^6)", "at character 6, 'y^6)': this is no function, no constant, and neither x"},
    {"FUNC=system(x)", "at character 1, 'system(x)': this is no function"},
    {"FUNC=1/(1+x^6", "at character 9, '': ')' is missing"},
    {"FUNC=1/(1+x^6))", "at character 10, ')': this does not belong"},
    {"FUNC=2x", "at character 2, 'x': this does not belong"},
    {"FUNC=x**2", "at character 3, '*2': a number, a name or '(' is missing"},
    {"FUNC=1;x", "at character 2, ';x': this does not belong"},
    {"FUNC=\"x\"", "at character 1, '\"x\"': a number"},
    {"FUNC=x\\", "at character 2"},
    {"FUNC=sin", "at character 4, '': '(' is missing behind a function"},
    {"FUNC=sin(x,1)", "at character 4, '(x,1)': sin takes 1 value, not 2"},
    {"FUNC=min(x)", "min takes 2 values, not 1"},
    {"FUNC=select(x,1,2,3)", "select takes 3 values, not 4"},
    {"FUNC=exp()", "at character 5, ')': a number"},
    {"FUNC=--x", "at character 2"},
    {"FUNC=" DEEP "x", "at character 52, 'x': more than 50 parentheses"},
    {"FUNC=" LONG LONG LONG LONG "x", "FUNC has 321 characters, but at most 255 are taken"},
    {"FUNC=" MANY("01") "+" MANY("00") "+" MANY("99") "+" MANY("98") "+" MANY("97") "+" MANY("96"),
     "too many steps, with those of the derivative"},
    {"FUNC=log(x-1)", "is no number at x = 0.24"},
    {"FUNC=1/0*x", "is infinite at x ="},
    {"FUNC=sqrt(-1)", "is no number"},
    {"FUNC=x^2 D_MAX=1e30", "more than can be computed with"},
    {"FUNC=log(x2)", "is infinite at x = 0"},
    {"FUNC=1-x2 D_0=0.1", "has x2 alone, which is (r / r_0)^2, but d_0 is 0.1: write x^2"},
    {"FUNC=1 D_MAX=1", "cannot be stretched"},
    {"FUNC=x NN=6", "'NN=6' is no word of CUSTOM"},
    {"FUNC=x FUNC=x", "FUNC is given twice"},
    {"FUNC={x", "FUNC has a '{' without its '}'"},
};

START_TEST(refused)
{
    char text[500];
    mote_switch f, before;
    memset(&f, 0xA5, sizeof(f));
    before = f;
    snprintf(text, sizeof(text), "CUSTOM R_0=1 %s", bad[_i].text);
    ck_assert_msg(mote_switch_parse(text, &f) == MOTE_ERROR_INVALID_ARGUMENT, "%s", text);
    ck_assert_msg(strstr(mote_last_error(), bad[_i].says), "%s: %s", text, mote_last_error());
    ck_assert_mem_eq(&f, &before, sizeof(f));
}
END_TEST

START_TEST(words)
{
    mote_switch f;
    ck_assert_int_eq(mote_switch_parse("MATHEVAL FUNC=1/(1+x^6) R_0=pi/10", &f), 0);
    ck_assert(f.kind == MOTE_SWITCH_CUSTOM && strcmp(f.func, "1/(1+x^6)") == 0);
    ck_assert_int_eq(mote_switch_parse("CUSTOM R_0=1 FUNC={1 / (1 + x2^3)} D_MAX=2", &f), 0);
    ck_assert_str_eq(f.func, "1 / (1 + x2^3)");
    ck_assert_double_eq_tol(mote_switch_value(&f, 0.0, NULL), 1.0, 1e-15);
    ck_assert_int_eq(mote_switch_parse("CUSTOM R_0=1 FUNC=2-x2^2", &f), 0);
    ck_assert(mote_switch_value(&f, 0.0, NULL) == 2.0);
    ck_assert_int_eq(mote_switch_parse("CUSTOM R_0=1 FUNC=2-x^4", &f), 0);
    ck_assert(mote_switch_value(&f, 0.0, NULL) == 1.0);
    ck_assert_int_eq(mote_switch_parse("CUSTOM R_0=1 FUNC=1/(1+x^6)", &f), 0);
    ck_assert(mote_switch_value(&f, 1e60, NULL) == 0.0);
    memset(f.func, 'x', sizeof(f.func));
    ck_assert_int_eq(mote_switch_complete(&f), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "has no end"));
}
END_TEST

/* Steps may exceed the range of float32 where the value does not, and then give NaN; a pole on the
 * host is a pole in a kernel. */
START_TEST(narrow_range)
{
    mote_switch f;
    ck_assert_int_eq(mote_switch_parse("CUSTOM R_0=.1 FUNC=(1-x^24)/(1-x^48)", &f), 0);
    ck_assert_int_eq(mote_switch_custom_check_narrow("t", &f), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "no number at x = 4"));
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "in single precision"));
    ck_assert_int_eq(mote_switch_parse("CUSTOM R_0=1 D_MAX=5 FUNC=(1-x^24)/(1-x^48)", &f), 0);
    ck_assert_int_eq(mote_switch_custom_check_narrow("t", &f), MOTE_SUCCESS);
    ck_assert(isnan(mote_switch_value(&f, 1.0, NULL)));
    /* Other kinds ignore func, which may be anything. */
    f.kind = MOTE_SWITCH_RATIONAL;
    memset(f.func, 'x', sizeof(f.func));
    ck_assert_int_eq(mote_switch_complete(&f), MOTE_SUCCESS);
    ck_assert_int_eq(mote_switch_custom_check_narrow("t", &f), MOTE_SUCCESS);
}
END_TEST

/* Functions that the kernels evaluate in x2, without a square root, and functions that they do
 * not. */
static const struct {
    const char *func;
    bool square, jumps;
    unsigned quotients;
} even[] = {
    {"1/(1+x^6)", true, false, 1},
    {"(1+x^2)^-3", true, false, 1},
    {"1/(1+x*x*x*x)", true, false, 1},
    {"x^3*x^5*exp(-x2)+1", true, false, 0},
    {"(x^3+x)*x*erfc(x^2)+x/(x^3+2*x)", true, true, 1},
    {"2-x^4", true, true, 0},
    {"sqrt(1+x2)*cos(x^2/(1+x^2))", true, false, 3},
    {"1/(1+x2^3)", true, false, 1},
    {"2-x2^2", true, false, 0},
    {"1/(1+x^5)", false, true, 1},
    {"x^6+x", false, true, 0},
    {"sqrt(x^2*x)", false, true, 1},
    {"abs(x)", false, true, 0},
    {"(x^2)^0.75", false, true, 0},
    {"x^-2", false, true, 1},
    {"1-x^5/x^3", false, true, 2},
    {"log(x^2)", false, true, 1},
};

START_TEST(in_square)
{
    const char *func = even[_i].func;
    char text[MOTE_EXPRESSION_TEXT];
    unsigned quotients = 0;
    mote_switch f;
    mote_switch_init(&f);
    f.kind = MOTE_SWITCH_CUSTOM;
    f.r_0 = 0.5;
    f.d_max = 1.5;
    snprintf(f.func, sizeof(f.func), "%s", func);
    ck_assert_msg(!mote_switch_complete(&f), "%s", mote_last_error());
    bool square = mote_switch_square_of(&f).name != NULL;
    bool jumps = !mote_switch_is_of_square(&f) && mote_switch_custom_misses_one(&f, 0.0);
    ck_assert_msg(square == even[_i].square, "%s: in x2: %d", func, square);
    ck_assert_msg(jumps == even[_i].jumps, "%s: jumps: %d", func, jumps);
    mote_switch_custom_print(&f, true, text, sizeof(text));
    for (const char *at = text; (at = strstr(at, "C_DIV")); at++)
        quotients++;
    ck_assert_msg(quotients == even[_i].quotients, "%s: %u in %s", func, quotients, text);
    if (mote_switch_is_of_square(&f))
        return;
    f.d_0 = 0.1;
    ck_assert_msg(!mote_switch_square_of(&f).name, "%s with d_0", func);
}
END_TEST

/* Expressions in x2 have the same values as the expressions in x from which they were derived. */
START_TEST(same_in_square)
{
    mote_expression of_x, of_x2;
    mote_expression_error error;
    const char *func = even[_i].func;
    ck_assert(mote_expression_parse(func, strlen(func), true, &of_x, &error));
    if (!even[_i].square || of_x.squares)
        return;
    ck_assert_msg(mote_expression_in_square(&of_x, &of_x2), "%s", func);
    ck_assert(mote_expression_derive(&of_x2) && of_x2.squares);
    for (int k = 1; k < 300; k++) {
        double x = 0.01 * k, slope, value = mote_expression_value(&of_x2, x * x, &slope);
        long double true_slope, true_value = mote_oracle_custom(func, x, &true_slope);
        ck_assert_msg(fabs(value - (double)true_value) <= scale(true_value), "%s at %g", func, x);
        ck_assert_msg(fabs(2.0 * x * slope - (double)true_slope) <= scale(true_slope * true_slope),
                      "%s at %g: derivative %g, not %Lg", func, x, 2.0 * x * slope, true_slope);
        double narrow = mote_expression_narrow(&of_x2, x * x);
        ck_assert_msg(fabs(narrow - value) <= 2e-5 * (1.0 + fabs(value)), "%s at %g", func, x);
    }
}
END_TEST

/* For any text, the text for a compiler has only characters that the printer chose, and all of it
 * fits. */
START_TEST(text_for_compilers)
{
    static const char pieces[][8] = {"x",    "x2",   "1.5",   "+",    "-",    "*",  "/",
                                     "^",    "(",    ")",     "sin(", "e",    ",",  "max(",
                                     "x^7",  "exp(", "step(", "2)",   "#",    "\n", "\"",
                                     "1e99", "pi",   "/*",    ";",    "abs(", "x)", "asin("};
    mote_rng rng;
    mote_rng_seed(&rng, 7);
    size_t taken = 0;
    for (int run = 0; run < 100000; run++) {
        char text[MOTE_SWITCH_FUNC_SIZE] = "", printed[MOTE_EXPRESSION_TEXT];
        mote_expression e;
        mote_expression_error error;
        for (uint32_t k = mote_rng_below(&rng, run % 10 ? 8 : 30) + 1; k > 0; k--)
            strcat(text, pieces[mote_rng_below(&rng, COUNT(pieces))]);
        if (!mote_expression_parse(text, strlen(text), true, &e, &error)) {
            ck_assert(error.at <= strlen(text));
            continue;
        }
        if (!mote_expression_derive(&e))
            continue;
        taken++;
        mote_expression_print(&e, run % 2, printed, sizeof(printed));
        size_t length = strlen(printed);
        ck_assert(length + 1 < sizeof(printed) && printed[length - 1] == ')');
        ck_assert_uint_eq(strspn(printed, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
                                          "0123456789(),"),
                          length);
    }
    ck_assert_uint_gt(taken, 1000);
}
END_TEST

static const char *const forms[] = {"coordination.form=cpu", "coordination.form=gpu"};

/* Tests kernels with every function. */
START_TEST(kernels)
{
    static const char *const functions_of_all[] = {
        "sqrt(x)+log(1+x)-e^-x+sin(x)*cos(2*x)+tan(x/8)+asin(x/9)+acos(x/9)*atan(x)+atan2(x,2)",
        "tanh(x)+sech(x)+asinh(x)+acosh(x+1.1)-atanh(x/9)+erf(x)*erfc(x/2)+sinh(x/4)+(1+x)^x",
        "min(x,1.3)+max(x^2,2.1)*abs(x-1.9)+floor(x/9)+ceil(x/9)*x+select(step(x-9),1/x,x^2)",
        "1/(1+x2^3)+exp(-x2)",
    };
    bed b;
    bed_open(&b, forms[_i]);
    for (size_t k = 0; k < COUNT(functions_of_all); k++) {
        mote_system s;
        mote_system_recipe recipe = {.n_atoms = 40, .frames = 1, .pbc = MOTE_PBC_ORTHORHOMBIC};
        mote_coordination_options options = {.precision = k % 2 ? MOTE_PRECISION_DOUBLE
                                                                : MOTE_PRECISION_MIXED};
        recipe.seed = k;
        mote_switch_init(&recipe.function);
        recipe.function.kind = MOTE_SWITCH_CUSTOM;
        recipe.function.r_0 = 0.2;
        recipe.function.d_max = 0.9;
        recipe.function.no_stretch = k % 2;
        snprintf(recipe.function.func, sizeof(recipe.function.func), "%s", functions_of_all[k]);
        ck_assert(mote_system_random(&s, &recipe));
        if (mote_coordination_options_fit(b.ctx, &options))
            check_run(&b, b.in_order, functions_of_all[k], &s, &options);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Tests kernels without a square root, with many atoms at the same position. */
START_TEST(kernels_in_square)
{
    static const double ends[] = {0.9, 0.9, INFINITY};
    static const mote_layout layouts[] = {MOTE_LAYOUT_EQUAL, MOTE_LAYOUT_GRID, MOTE_LAYOUT_UNIFORM};
    bed b;
    bed_open(&b, forms[_i]);
    for (size_t k = 0; k < COUNT(even); k++) {
        mote_system s;
        mote_system_recipe recipe = {.n_atoms = 40, .frames = 1, .pbc = (mote_pbc)(k % 3)};
        mote_coordination_options options = {.precision = (mote_precision)(k / 3 % 3)};
        if (!even[k].square)
            continue;
        recipe.seed = k;
        recipe.layout = layouts[(k + 1) % 3];
        mote_switch_init(&recipe.function);
        recipe.function.kind = MOTE_SWITCH_CUSTOM;
        recipe.function.r_0 = 0.2;
        recipe.function.d_max = ends[k % 3];
        recipe.function.no_stretch = k % 3 == 1;
        snprintf(recipe.function.func, sizeof(recipe.function.func), "%s", even[k].func);
        ck_assert(mote_system_random(&s, &recipe));
        if (mote_coordination_options_fit(b.ctx, &options))
            check_run(&b, b.in_order, even[k].func, &s, &options);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

Suite *expression_suite(void)
{
    Suite *suite = suite_create("expression");
    TCase *cases = tcase_create("host");
    tcase_add_loop_test(cases, agrees_with_an_interpreter, 0, (int)COUNT(good));
    tcase_add_loop_test(cases, derivatives_are_differences, 0, (int)COUNT(good));
    tcase_add_loop_test(cases, refused, 0, (int)COUNT(bad));
    tcase_add_loop_test(cases, in_square, 0, (int)COUNT(even));
    tcase_add_loop_test(cases, same_in_square, 0, (int)COUNT(even));
    tcase_add_test(cases, words);
    tcase_add_test(cases, narrow_range);
    tcase_add_test(cases, text_for_compilers);
    tcase_set_timeout(cases, 0);
    suite_add_tcase(suite, cases);
    for (int form = 0; form < 2; form++) {
        cases = tcase_create(form ? "gpu" : "cpu");
        tcase_add_loop_test(cases, kernels, form, form + 1);
        tcase_add_loop_test(cases, kernels_in_square, form, form + 1);
        tcase_set_timeout(cases, 0);
        suite_add_tcase(suite, cases);
    }
    return suite;
}
