/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes far larger or smaller than the atoms, and pairs with several equally near images. */
#include "harness.h"

#include <math.h>
#include <string.h>

#include "testkit/reference/coordination/oracle_switch.h"
#include "core/context.h"

static const char *const forms[] = {"coordination.form=cpu", "coordination.form=gpu"};

#define ATOMS 50

/* The results of a call on host arrays. */
typedef struct answer {
    double value, virial[9], derivatives[3 * ATOMS];
} answer;

static mote_status ask(bed *b, const mote_switch *f, mote_pbc pbc, mote_precision precision,
                       mote_coordination_method method, size_t atoms, const double *x,
                       const double *box, bool value_alone, answer *out)
{
    mote_coordination_plan_args plan_args;
    mote_coordination_host_args args;
    mote_coordination *plan;
    mote_coordination_plan_args_init(&plan_args);
    plan_args.function = *f;
    plan_args.n_atoms = atoms;
    plan_args.pbc = pbc;
    plan_args.precision = precision;
    plan_args.method = method;
    bed_ok(mote_coordination_create(b->ctx, &plan_args, &plan));
    mote_coordination_host_args_init(&args);
    args.plan = plan;
    args.positions64 = x;
    args.box = box;
    memset(out, 0x7e, sizeof(*out));
    args.value = &out->value;
    args.virial = value_alone ? NULL : out->virial;
    args.derivatives64 = value_alone ? NULL : out->derivatives;
    mote_status status = mote_coordination_host(b->ctx, NULL, &args);
    mote_coordination_release(plan);
    return status;
}

static const mote_switch usual = {.size = sizeof(mote_switch), .r_0 = 0.3, .d_max = 1.0};

/* Places atoms within a cube of side 5 * scale. Its corner is at the fraction `shift` of the box's
 * sides, times `scale`. */
static void place(double *x, const double *box, double shift, double scale)
{
    uint64_t s = 5;
    for (size_t i = 0; i < 3 * ATOMS; i++) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        x[i] = scale * (shift * box[i % 3 * 4] + 5.0 * ((double)(s >> 11) * 0x1p-53));
    }
}

static void make_box(double *box, mote_pbc pbc, double size)
{
    for (int k = 0; k < 9; k++)
        box[k] = k % 4 == 0                                    ? size * (1.0 + k / 16.0)
                 : pbc == MOTE_PBC_TRICLINIC && k < 6 && k > 2 ? size / 4.0
                                                               : 0.0;
}

static void check_near(const answer *got, const answer *right, double error, const char *what)
{
    ck_assert_msg(fabs(got->value - right->value) <= error, "%s: value %.17g, not %.17g", what,
                  got->value, right->value);
    for (size_t k = 0; k < 9; k++)
        ck_assert_msg(fabs(got->virial[k] - right->virial[k]) <= error, "%s: virial %zu", what, k);
    for (size_t k = 0; k < 3 * ATOMS; k++)
        ck_assert_msg(fabs(got->derivatives[k] - right->derivatives[k]) <= 20.0 * error,
                      "%s: derivative %zu is %.17g, not %.17g", what, k, got->derivatives[k],
                      right->derivatives[k]);
}

/* A box much larger than the atoms gives the same results as no box, within the rounding of the
 * positions. */
START_TEST(large_boxes)
{
    static const double sizes[] = {1e2, 4e3, 6e3, 1e6, 1e10, 1e12, 1e39, 1e50, 1e160, 1e200, 1e299};
    bed b;
    bed_open(&b, forms[_i]);
    for (size_t k = 0; k < 3 * COUNT(sizes) * 2; k++) {
        double x[3 * ATOMS], box[9], size = sizes[k / 6];
        mote_precision precision = (mote_precision)(k % 3);
        mote_pbc pbc = k / 3 % 2 ? MOTE_PBC_TRICLINIC : MOTE_PBC_ORTHORHOMBIC;
        bool away = size < 1e8; /* beyond this, positions in double have too few digits */
        char what[80];
        answer right, got;
        make_box(box, pbc, size);
        place(x, box, away ? 0.7 : 0.0, 1.0);
        bed_ok(ask(&b, &usual, MOTE_PBC_NONE, MOTE_PRECISION_DOUBLE, 0, ATOMS, x, NULL, false,
                   &right));
        for (int method = 0; method < 3; method++) {
            snprintf(what, sizeof(what), "box %g, pbc %d, precision %d, method %d", size, (int)pbc,
                     (int)precision, method);
            bed_ok(ask(&b, &usual, pbc, precision, (mote_coordination_method)method, ATOMS, x, box,
                       false, &got));
            check_near(&got, &right, precision == MOTE_PRECISION_DOUBLE ? 1e-8 : 3e-5, what);
        }
    }
    bed_close(&b);
}
END_TEST

/* Boxes so small that every pair is much nearer than r_0: s is 1, and the slope is that of s at r =
 * 0. */
START_TEST(small_boxes)
{
    static const double sizes[] = {1e-5, 1e-12, 1e-30, 1e-100};
    static const mote_switch exponential = {
        .size = sizeof(mote_switch), .kind = MOTE_SWITCH_EXP, .r_0 = 0.3, .d_max = INFINITY};
    bed b;
    bed_open(&b, forms[_i]);
    for (size_t k = 0; k < 6 * COUNT(sizes); k++) {
        double x[3 * ATOMS], box[9], size = sizes[k / 6], length = 0.0;
        mote_pbc pbc = k / 3 % 2 ? MOTE_PBC_TRICLINIC : MOTE_PBC_ORTHORHOMBIC;
        answer got;
        make_box(box, pbc, size);
        place(x, box, 0.0, size / 50.0);
        bed_ok(ask(&b, &exponential, pbc, (mote_precision)(k % 3), 0, 2, x, box, false, &got));
        for (size_t c = 0; c < 3; c++)
            length += got.derivatives[c] * got.derivatives[c];
        ck_assert_msg(fabs(got.value - 1.0) < 1e-4, "%g: value %.17g", size, got.value);
        ck_assert_msg(fabs(sqrt(length) - 1.0 / 0.3) < 1e-3, "%g: slope %g", size, sqrt(length));
    }
    bed_close(&b);
}
END_TEST

/* A box that no precision can resolve is an error whose message holds the numbers. */
START_TEST(refused)
{
    static const struct {
        mote_pbc pbc;
        double box[3];
        const char *says;
    } boxes[] = {
        {MOTE_PBC_ORTHORHOMBIC, {5e-324, 1, 1}, "is too small"},
        {MOTE_PBC_ORTHORHOMBIC,
         {1, 1e-140, 1},
         "from 3e-131 to 1e+300 long beside r_0 = 0.3, which may be at most 1e-10 in this"},
        {MOTE_PBC_ORTHORHOMBIC, {1, 1.5e300, 1}, "is too large"},
        {MOTE_PBC_TRICLINIC, {1e-310, 1e-310, 1e-310}, "is too small"},
        {MOTE_PBC_TRICLINIC, {1e-300, 1e-300, 1e-300}, "r_0 = 0.3, which may be at most 1e-170 in"},
        {MOTE_PBC_TRICLINIC, {1e308, 1e308, 1e308}, "is too large"},
        {MOTE_PBC_TRICLINIC, {1e-40, 1, 1e40}, "is too thin"},
    };
    double x[3 * ATOMS] = {0};
    bed b;
    bed_open(&b, forms[_i]);
    for (size_t k = 0; k < COUNT(boxes); k++) {
        const double *l = boxes[k].box, box[9] = {l[0], 0, 0, 0, l[1], 0, 0, 0, l[2]};
        answer got;
        ck_assert_int_eq(
            ask(&b, &usual, boxes[k].pbc, MOTE_PRECISION_MIXED, 0, 2, x, box, false, &got),
            MOTE_ERROR_BOX);
        ck_assert_msg(strstr(mote_last_error(), boxes[k].says), "%s", mote_last_error());
    }
    b.ctx->device.has_fp64 = 0;
    const double box[9] = {[0] = 1e6, [4] = 1e6, [8] = 1e6};
    answer got;
    ck_assert_int_eq(
        ask(&b, &usual, MOTE_PBC_ORTHORHOMBIC, MOTE_PRECISION_MIXED, 0, 2, x, box, false, &got),
        MOTE_ERROR_BOX);
    ck_assert_msg(strstr(mote_last_error(), "4.92e+03 long beside r_0 = 0.3 and d_max = "), "%s",
                  mote_last_error());
    bed_close(&b);
}
END_TEST

/* A box in device memory is unknown to the host, so the device detects that float32 cannot resolve
 * it. */
START_TEST(large_on_the_device)
{
    static const double sizes[] = {1e3, 1e5, 1e-9};
    bed b;
    bed_open(&b, forms[_i]);
    for (size_t k = 0; k < 3 * COUNT(sizes); k++) {
        char message[MESSAGE_SIZE];
        mote_system s;
        mote_coordination *plan;
        mote_coordination_result r;
        mote_coordination_options options = {.precision = (mote_precision)(k % 3),
                                             .box_device = MOTE_FLOAT64};
        ck_assert(mote_system_make(&s, 3, 2));
        s.function = usual;
        for (size_t c = 9; c < 18; c += 4)
            s.box[c] = sizes[k / 3];
        bed_ok(mote_coordination_plan_of(b.ctx, &s, options.precision, 0, &plan));
        ck_assert_msg(mote_coordination_run(b.ctx, b.in_order, &s, plan, &options, &r, message,
                                            sizeof(message)),
                      "%s", message);
        bool good = options.precision == MOTE_PRECISION_DOUBLE || k < 3;
        ck_assert_int_eq(r.status, good ? MOTE_SUCCESS : MOTE_ERROR_BOX);
        ck_assert(good || r.index == 1);
        mote_coordination_result_free(&r);
        mote_coordination_release(plan);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* If r_0 is much larger than d_max, the function is a step from 1 to 0 at d_max. */
START_TEST(step_at_d_max)
{
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 24; k++) {
        const double box[9] = {[0] = 1, [4] = 1, [8] = 1},
                     x[] = {0, 0, 0, 0.25, 0, 0, 0.5, 0.4, 0.4};
        const mote_switch f = {
            .size = sizeof(f), .r_0 = pow(10.0, 3 * (k / 3) + 4), .d_max = 0.3, .no_stretch = 1};
        answer got;
        bed_ok(ask(&b, &f, k % 2 ? MOTE_PBC_TRICLINIC : MOTE_PBC_ORTHORHOMBIC,
                   (mote_precision)(k % 3), MOTE_COORDINATION_CELLS, 3, x, box, true, &got));
        ck_assert_msg(got.value == 1.0, "r_0 %g, precision %d: %.17g", f.r_0, k % 3, got.value);
    }
    bed_close(&b);
}
END_TEST

/* A pair of atoms at the same position counts exactly 1, whatever the stretching of the
 * function. */
START_TEST(one_at_zero)
{
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 3 * 24; k++) {
        static const mote_switch_kind kinds[] = {MOTE_SWITCH_RATIONAL, MOTE_SWITCH_TANH,
                                                 MOTE_SWITCH_EXP, MOTE_SWITCH_SMAP};
        const double x[6] = {0.3, 0.1, 0.7, 0.3, 0.1, 0.7}, box[9] = {[0] = 2, [4] = 2, [8] = 2};
        const mote_switch f = {.size = sizeof(f),
                               .kind = kinds[k / 3 % 4],
                               .r_0 = 0.3,
                               .d_max = 0.31 + 0.017 * k,
                               .a = k % 2 ? 0.05 : 3.0,
                               .b = 2.0};
        answer got;
        bed_ok(
            ask(&b, &f, (mote_pbc)(k / 12 % 2), (mote_precision)(k % 3), 0, 2, x, box, true, &got));
        ck_assert_msg(got.value == 1.0, "kind %d, d_max %g, precision %d: %.17g", (int)f.kind,
                      f.d_max, k % 3, got.value);
    }
    bed_close(&b);
}
END_TEST

/* In double precision, SMAP and its slope follow x^a down to distances far below rounding errors of
 * positions. The images of one atom are that close to each other. */
START_TEST(smap_near_zero)
{
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 24; k++) {
        const double r = pow(10.0, -1 - k), x[6] = {0, 0, 0, r, 0, 0};
        const double box[9] = {[0] = 2, [4] = 2, [8] = 2};
        const mote_switch f = {.size = sizeof(f),
                               .kind = MOTE_SWITCH_SMAP,
                               .r_0 = 0.3,
                               .d_max = 0.9,
                               .a = k % 2 ? 1.1 : 1.9,
                               .b = 1.0};
        mote_oracle_switch oracle;
        answer got;
        long double slope, s;
        mote_oracle_switch_make(&f, &oracle);
        s = mote_oracle_switch_value(&oracle, r, &slope);
        bed_ok(ask(&b, &f, k % 3 ? MOTE_PBC_ORTHORHOMBIC : MOTE_PBC_TRICLINIC,
                   MOTE_PRECISION_DOUBLE, MOTE_COORDINATION_CELLS, 2, x, box, false, &got));
        ck_assert_msg(fabsl(got.value - s) <= 1e-14L, "r %g: s is %.17g, not %.17Lg", r, got.value,
                      s);
        ck_assert_msg(fabsl(got.derivatives[3] - slope) <= -1e-12L * slope,
                      "r %g: the derivative is %.17g, not %.17Lg", r, got.derivatives[3], slope);
    }
    bed_close(&b);
}
END_TEST

/* Pairs half a box apart along one, two or three axes have several nearest images. Whichever image
 * is chosen, the forces on the two atoms must be opposite. */
START_TEST(half_a_box_apart)
{
    static const char *const tunes[] = {
        "coordination.form=cpu,coordination.items=3,coordination.private_sums=0",
        "coordination.form=gpu,coordination.symmetric=0",
        "coordination.form=gpu,coordination.symmetric=1"};
    static const mote_switch far = {.size = sizeof(mote_switch), .r_0 = 0.3, .d_max = 2.0};
    bed b;
    for (int t = _i; t < (_i ? 3 : 1); t++) {
        bed_open(&b, tunes[t]);
        for (int k = 0; k < 12; k++) {
            double x[3 * ATOMS], box[9] = {[0] = 1.5, [4] = 1.5, [8] = 1.5}, size = 0.0;
            answer got;
            for (size_t i = 0; i < 3 * ATOMS; i++) {
                x[i] = 0.375 * (double)((i * 7 + i / 5) % 4) + (i % 2 ? 0.0 : 3.0);
                size = fmax(size, fabs(x[i]));
            }
            box[3] = k % 2 ? 0.75 : 0.0;
            bed_ok(ask(&b, &far, k % 2 ? MOTE_PBC_TRICLINIC : MOTE_PBC_ORTHORHOMBIC,
                       (mote_precision)(k / 2 % 3), (mote_coordination_method)(1 + k / 6), ATOMS, x,
                       box, false, &got));
            for (size_t c = 0; c < 3; c++) {
                double sum = 0.0, all = 0.0;
                for (size_t i = 0; i < ATOMS; i++) {
                    sum += got.derivatives[3 * i + c];
                    all += fabs(got.derivatives[3 * i + c]);
                }
                ck_assert_msg(fabs(sum) <= 1e-5 * (all + 1.0), "tune %d, call %d: %g of %g", t, k,
                              sum, all);
            }
        }
        bed_close(&b);
    }
}
END_TEST

Suite *boxes_suite(void)
{
    Suite *suite = suite_create("boxes");
    for (int form = 0; form < 2; form++) {
        TCase *cases = tcase_create(form ? "gpu" : "cpu");
        tcase_add_loop_test(cases, large_boxes, form, form + 1);
        tcase_add_loop_test(cases, small_boxes, form, form + 1);
        tcase_add_loop_test(cases, refused, form, form + 1);
        tcase_add_loop_test(cases, large_on_the_device, form, form + 1);
        tcase_add_loop_test(cases, step_at_d_max, form, form + 1);
        tcase_add_loop_test(cases, one_at_zero, form, form + 1);
        tcase_add_loop_test(cases, smap_near_zero, form, form + 1);
        tcase_add_loop_test(cases, half_a_box_apart, form, form + 1);
        tcase_set_timeout(cases, 0);
        suite_add_tcase(suite, cases);
    }
    return suite;
}
