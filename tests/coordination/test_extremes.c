/* SPDX-License-Identifier: Apache-2.0 */
/* Stretched functions whose definition subtracts nearly equal numbers, on the host and on the
 * device in every precision, compared with decimal arithmetic of sufficient precision. */
#include "harness.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define POINTS 3

typedef struct extreme {
    mote_switch function;
    struct {
        double r, value, slope;
    } point[POINTS];
} extreme;

static const extreme extremes[] = {
#include "extremes.inc"
};

static const char *const forms[] = {"coordination.form=cpu", "coordination.form=gpu"};
static const mote_precision precisions[] = {MOTE_PRECISION_MIXED, MOTE_PRECISION_SINGLE,
                                            MOTE_PRECISION_DOUBLE};

/* Number of wrong results; the first few are printed. */
static int wrong;

static void tell(const extreme *e, double r, const char *what, double got, double right,
                 const char *how)
{
    const mote_switch *f = &e->function;
    if (wrong++ < 20)
        printf("# %s: function %zu (kind %d, d_0 %g, d_max %g) at r = %.17g: %s %.17g, not %.17g\n",
               how, (size_t)(e - extremes), (int)f->kind, f->d_0, f->d_max, r, what, got, right);
}

/* A number may differ by `error` times its terms: the size of value or slope, and the changes of
 * both when r changes by a rounding error. The slope changes by its own size over the distance to
 * either end, or over a unit of Q, or less for high powers. */
static void check_point(const extreme *e, size_t k, double value, double slope, double error,
                        const char *how)
{
    double r = e->point[k].r, right = e->point[k].value, right_slope = e->point[k].slope;
    const mote_switch *f = &e->function;
    double rest = fmin(r - fmax(f->d_0, 0.0), f->d_max - r);
    double near = f->kind == MOTE_SWITCH_Q ? fmin(rest, 1.0 / f->beta) : rest;
    double steep = f->kind == MOTE_SWITCH_RATIONAL ? fmax(f->nn, f->mm) : fmax(f->a, 1.0);
    double moved = error * r * fabs(right_slope), turned = moved * fmax(steep, 4.0) / near;
    if (!(fabs(value - right) <= error + moved))
        tell(e, r, "value", value, right, how);
    double least = error > FLT_EPSILON ? FLT_MIN / DBL_EPSILON / rest : 0.0; /* what float has */
    if (!(fabs(slope - right_slope) <= 32.0 * error * fabs(right_slope) + turned + least))
        tell(e, r, "derivative", slope, right_slope, how);
}

START_TEST(on_the_host)
{
    wrong = 0;
    for (size_t i = 0; i < COUNT(extremes); i++) {
        mote_switch f = extremes[i].function;
        bed_ok(mote_switch_complete(&f));
        for (size_t k = 0; k < POINTS; k++) {
            double slope, value = mote_switch_value(&f, extremes[i].point[k].r, &slope);
            check_point(&extremes[i], k, value, slope, 64.0 * DBL_EPSILON, "host");
        }
        ck_assert(fabs(mote_switch_value(&f, f.d_max, NULL)) < 1e-14);
        ck_assert_double_eq_tol(mote_switch_value(&f, 0.0, NULL), 1.0, 1e-14);
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

/* One frame per point; the first atom is at the origin, so that r is exact. */
static void on_device(bed *b, const extreme *e, mote_precision precision, const char *how)
{
    double positions[POINTS * 6] = {0}, value[POINTS], derivatives[POINTS * 6];
    mote_coordination *plan;
    mote_coordination_plan_args plan_args;
    mote_coordination_host_args args;
    for (size_t k = 0; k < POINTS; k++)
        positions[6 * k + 3] = e->point[k].r;
    mote_coordination_plan_args_init(&plan_args);
    plan_args.function = e->function;
    plan_args.n_atoms = 2;
    plan_args.precision = precision;
    bed_ok(mote_coordination_create(b->ctx, &plan_args, &plan));
    mote_coordination_host_args_init(&args);
    args.plan = plan;
    args.frames = POINTS;
    args.positions64 = positions;
    args.value = value;
    args.derivatives64 = derivatives;
    bed_ok(mote_coordination_host(b->ctx, NULL, &args));
    for (size_t k = 0; k < POINTS; k++)
        check_point(e, k, value[k], derivatives[6 * k + 3],
                    precision == MOTE_PRECISION_DOUBLE ? 64.0 * DBL_EPSILON : 16.0 * FLT_EPSILON,
                    how);
    mote_coordination_release(plan);
}

START_TEST(on_the_device)
{
    char how[80];
    bed b;
    wrong = 0;
    bed_open(&b, forms[_i / 3]);
    mote_precision precision = precisions[_i % 3];
    snprintf(how, sizeof(how), "%s, precision %d", forms[_i / 3], (int)precision);
    if (precision != MOTE_PRECISION_DOUBLE || mote_context_device(b.ctx)->has_fp64)
        for (size_t i = 0; i < COUNT(extremes); i++)
            on_device(&b, &extremes[i], precision, how);
    bed_close(&b);
    ck_assert_int_eq(wrong, 0);
}
END_TEST

/* Results that were 0 for two atoms 0.6 apart in single precision, and wrong by 2.5 %. */
START_TEST(known)
{
    static const struct {
        const char *words;
        double r, value;
    } lines[] = {{"Q R_0=0.1 REF=0.67 LAMBDA=2.03 D_MAX=0.836", 0.6, 0.99999251},
                 {"Q R_0=0.1 REF=9 D_MAX=1", 0.99, 0.39346934}};
    wrong = 0;
    for (size_t i = 0; i < COUNT(lines); i++) {
        extreme e = {0};
        double slope;
        bed b;
        bed_ok(mote_switch_parse(lines[i].words, &e.function));
        ck_assert_double_eq_tol(mote_switch_value(&e.function, lines[i].r, &slope), lines[i].value,
                                1e-7);
        bed_open(&b, forms[0]);
        for (size_t k = 0; k < POINTS; k++) {
            e.point[k].r = lines[i].r;
            e.point[k].value = mote_switch_value(&e.function, lines[i].r, &e.point[k].slope);
        }
        on_device(&b, &e, MOTE_PRECISION_SINGLE, lines[i].words);
        bed_close(&b);
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

Suite *extremes_suite(void)
{
    Suite *suite = suite_create("extremes");
    TCase *host = tcase_create("host"), *cpu = tcase_create("cpu"), *gpu = tcase_create("gpu");
    tcase_add_test(host, on_the_host);
    tcase_add_test(host, known);
    tcase_add_loop_test(cpu, on_the_device, 0, 3);
    tcase_add_loop_test(gpu, on_the_device, 3, 6);
    for (int i = 0; i < 3; i++) {
        TCase *cases = i == 0 ? host : i == 1 ? cpu : gpu;
        tcase_set_timeout(cases, 0);
        suite_add_tcase(suite, cases);
    }
    return suite;
}
