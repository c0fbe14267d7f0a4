/* SPDX-License-Identifier: Apache-2.0 */
/* Weighted pairs: compared with the oracle, and with coordination numbers and differences of
 * functions of them; rejected calls. */
#include "harness.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The last two launch frames one by one, so that a second launch reads its own weights. */
static const char *const forms[] = {
    "coordination.form=cpu",
    "coordination.form=gpu",
    "coordination.form=cpu,coordination.frames=1",
    "coordination.form=gpu,coordination.frames=1",
};

static mote_system make(uint64_t seed, size_t n_atoms, mote_pbc pbc, mote_groups_kind groups)
{
    mote_system s;
    mote_system_recipe recipe = {
        .n_atoms = n_atoms,
        .frames = 1 + seed / 2 % 2,
        .layout = seed % 4 == 3 ? MOTE_LAYOUT_CLUSTERED : MOTE_LAYOUT_UNIFORM,
        .lattice = pbc == MOTE_PBC_TRICLINIC ? MOTE_LATTICE_SKEWED : MOTE_LATTICE_ORTHORHOMBIC,
        .groups = groups,
        .pbc = pbc,
        .function = functions[0],
        .seed = seed,
    };
    ck_assert(mote_system_random(&s, &recipe));
    return s;
}

/* Tests lists, boxes, precisions and methods in all combinations of any two of them. */
START_TEST(against_oracle)
{
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 36; k++) {
        mote_system s = make((uint64_t)k, 50 + 29 * (size_t)(k % 5), (mote_pbc)(k % 3),
                             (mote_groups_kind)(k % MOTE_GROUPS));
        mote_coordination_options options = {
            .precision = (mote_precision)(k / 3 % 3),
            .method = methods[(size_t)k / 9 % COUNT(methods)],
            .of = k % 4 == 1 ? MOTE_DERIVATIVES_ATOM : MOTE_DERIVATIVES_ENTRY,
            .weights = k / 4 % 2 ? MOTE_FLOAT32 : MOTE_FLOAT64,
            .accumulate = k % 7 == 3,
            .factor = k % 7 == 3 ? -1.5 : 0.0,
            .gated = k % 5 == 2,
            .workspace = k % 6 == 4,
            .shares = k % 11 == 5 ? 3 : 1,
        };
        if (options.shares > 1)
            options.accumulate = false;
        check_run(&b, k % 2 ? b.in_order : b.any_order, "weights", &s, &options);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Evaluates a system's first frame in double precision. */
static double call(bed *b, const mote_coordination *plan, const mote_system *s,
                   const double *weights, double *numbers, double *derivatives, double *virial)
{
    double value = NAN;
    mote_coordination_host_args args;
    mote_coordination_host_args_init(&args);
    args.plan = plan;
    args.positions64 = s->positions;
    args.box = s->pbc == MOTE_PBC_NONE ? NULL : s->box;
    args.value = &value;
    args.coordination = numbers;
    args.weights = weights;
    args.derivatives64 = derivatives;
    args.virial = virial;
    bed_ok(mote_coordination_host(b->ctx, NULL, &args));
    return value;
}

/* A function of all numbers, and the weights that are its derivatives. */
static double function_of(const double *numbers, double *weights, size_t count)
{
    double sum = 0.0;
    for (size_t k = 0; k < count; k++) {
        sum += sin(0.3 * numbers[k]) + (k % 3 == 0 ? numbers[k] * numbers[k] : 0.0);
        if (weights)
            weights[k] = 0.3 * cos(0.3 * numbers[k]) + (k % 3 == 0 ? 2.0 * numbers[k] : 0.0);
    }
    return sum;
}

/* The value is the sum of w n; derivatives and virial are those of a function of the numbers whose
 * derivatives are the weights. */
START_TEST(functions_of_numbers)
{
    bed b;
    bed_open(&b, forms[_i]);
    mote_system s = make(1, 40, MOTE_PBC_ORTHORHOMBIC, MOTE_GROUPS_OVERLAP);
    size_t entries = mote_system_entries(&s);
    double *numbers = calloc(entries, sizeof(double)), *weights = calloc(entries, sizeof(double));
    double *derivatives = calloc(3 * s.n_atoms + 3 * entries, sizeof(double)), virial[9];
    double dot = 0.0, step = 1e-6, side[2];
    mote_coordination *plan;
    bed_ok(
        mote_coordination_plan_of(b.ctx, &s, MOTE_PRECISION_DOUBLE, MOTE_COORDINATION_AUTO, &plan));
    call(&b, plan, &s, NULL, numbers, NULL, NULL);
    function_of(numbers, weights, entries);
    for (size_t k = 0; k < entries; k++)
        dot += weights[k] * numbers[k];
    double value = call(&b, plan, &s, weights, NULL, derivatives, virial);
    ck_assert_double_eq_tol(value, dot, 1e-11 * fabs(dot));
    size_t atom = mote_system_atom(&s, 0);
    double expected = 0.0;
    for (size_t k = 0; k < entries; k++)
        expected += mote_system_atom(&s, k) == atom ? derivatives[3 * k + 1] : 0.0;
    for (int k = 0; k < 2; k++) {
        s.positions[3 * atom + 1] += k ? 2.0 * step : -step;
        call(&b, plan, &s, NULL, numbers, NULL, NULL);
        side[k] = function_of(numbers, NULL, entries);
    }
    s.positions[3 * atom + 1] -= step;
    ck_assert_double_eq_tol(expected, (side[1] - side[0]) / (2.0 * step), 1e-5);
    for (int k = 0; k < 2; k++) {
        mote_system strained;
        ck_assert(mote_system_copy(&strained, &s));
        double scale = k ? 1.0 + step : 1.0 - step;
        strained.box[4] *= scale;
        for (size_t i = 0; i < s.n_atoms; i++)
            strained.positions[3 * i + 1] *= scale;
        call(&b, plan, &strained, NULL, numbers, NULL, NULL);
        side[k] = function_of(numbers, NULL, entries);
        mote_system_free(&strained);
    }
    ck_assert_double_eq_tol(-virial[4], (side[1] - side[0]) / (2.0 * step), 1e-4);
    mote_coordination_release(plan);
    free(numbers);
    free(weights);
    free(derivatives);
    mote_system_free(&s);
    bed_close(&b);
}
END_TEST

/* Tests a weight that float32 cannot represent, and in double precision one that is not finite. */
START_TEST(weights_out_of_range)
{
    static const double wrong[] = {1e39, -3.5e38, INFINITY, -INFINITY, NAN};
    bed b;
    bed_open(&b, "");
    mote_system s = make(2, 12, MOTE_PBC_NONE, MOTE_GROUPS_ALL);
    double weights[24] = {FLT_MAX, -FLT_MAX}, value[2];
    for (int precision = 0; precision < 3; precision++) {
        mote_coordination *plan;
        mote_coordination_host_args args;
        bool wide = precision == MOTE_PRECISION_DOUBLE;
        if (wide && !mote_context_device(b.ctx)->has_fp64)
            continue;
        bed_ok(mote_coordination_plan_of(b.ctx, &s, (mote_precision)precision,
                                         MOTE_COORDINATION_AUTO, &plan));
        mote_coordination_host_args_init(&args);
        args.plan = plan;
        args.frames = 2;
        args.positions64 = s.positions;
        args.weights = weights;
        args.value = value;
        bed_ok(mote_coordination_host(b.ctx, NULL, &args));
        for (size_t k = 0; k < COUNT(wrong); k++) {
            bool fits = wide && isfinite(wrong[k]);
            weights[15] = wrong[k];
            ck_assert_int_eq(mote_coordination_host(b.ctx, NULL, &args),
                             fits ? MOTE_SUCCESS : MOTE_ERROR_INVALID_ARGUMENT);
            if (!fits)
                ck_assert_ptr_nonnull(
                    strstr(mote_last_error(), "frame 1: the weight of entry 3 is"));
        }
        weights[15] = 0.0;
        mote_coordination_release(plan);
    }
    mote_system_free(&s);
    bed_close(&b);
}
END_TEST

START_TEST(refused)
{
    bed b;
    bed_open(&b, "");
    mote_system s = make(2, 12, MOTE_PBC_NONE, MOTE_GROUPS_ALL);
    double numbers[12] = {0}, weights[12] = {0};
    mote_coordination *plan;
    mote_coordination_args args;
    mote_coordination_host_args host_args;
    bed_ok(
        mote_coordination_plan_of(b.ctx, &s, MOTE_PRECISION_MIXED, MOTE_COORDINATION_AUTO, &plan));
    mote_coordination_args_init(&args);
    args.plan = plan;
    args.positions = mote_view_make(NULL, 36, MOTE_FLOAT32);
    args.weights = mote_view_make(NULL, 11, MOTE_FLOAT32);
    ck_assert_int_eq(mote_prepare(b.ctx, MOTE_OPERATION_COORDINATION, &args),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "weights"));
    args.weights = mote_view_make(NULL, 12, MOTE_UINT32);
    ck_assert_int_eq(mote_prepare(b.ctx, MOTE_OPERATION_COORDINATION, &args),
                     MOTE_ERROR_INVALID_TYPE);
    args.weights = mote_view_make(NULL, 12, MOTE_FLOAT32);
    args.coordination = mote_view_make(NULL, 12, MOTE_FLOAT32);
    ck_assert_int_eq(mote_prepare(b.ctx, MOTE_OPERATION_COORDINATION, &args),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "weights and coordination"));
    mote_coordination_host_args_init(&host_args);
    host_args.plan = plan;
    host_args.positions64 = s.positions;
    host_args.weights = weights;
    host_args.coordination = numbers;
    ck_assert_int_eq(mote_coordination_host(b.ctx, NULL, &host_args), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "weights and coordination"));
    mote_coordination_release(plan);
    mote_system_free(&s);
    bed_close(&b);
}
END_TEST

Suite *weights_suite(void)
{
    static const char *const names[] = {"cpu", "gpu"};
    Suite *suite = suite_create("weights");
    for (int i = 0; i < 2; i++) {
        TCase *cases = tcase_create(names[i]);
        tcase_add_loop_test(cases, against_oracle, i, i + 1);
        tcase_add_loop_test(cases, against_oracle, i + 2, i + 3);
        tcase_set_timeout(cases, 0);
        suite_add_tcase(suite, cases);
    }
    TCase *rest = tcase_create("rest");
    tcase_add_loop_test(rest, functions_of_numbers, 0, 2);
    tcase_add_test(rest, weights_out_of_range);
    tcase_add_test(rest, refused);
    suite_add_tcase(suite, rest);
    return suite;
}
