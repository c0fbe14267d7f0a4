/* SPDX-License-Identifier: Apache-2.0 */
/* Relations between results of a device, tested without an oracle. */
#include "harness.h"

#include <math.h>
#include <string.h>

static const char *const forms[] = {"coordination.form=cpu", "coordination.form=gpu"};

/* One call in double precision. */
static mote_coordination_result run(bed *b, const mote_system *s, unsigned without)
{
    char message[MESSAGE_SIZE];
    mote_coordination *plan;
    mote_coordination_result r;
    mote_coordination_options options = {.precision = MOTE_PRECISION_DOUBLE, .without = without};
    bed_ok(mote_coordination_plan_of(b->ctx, s, options.precision, 0, &plan));
    ck_assert_msg(
        mote_coordination_run(b->ctx, b->in_order, s, plan, &options, &r, message, sizeof(message)),
        "%s", message);
    mote_coordination_release(plan);
    return r;
}

/* Each kind of lists with a smooth function and its own box; all frames are equal. */
static mote_system make(int k, size_t frames)
{
    static const size_t smooth[] = {1, 4, 10, 12, 15};
    mote_system one, s;
    mote_system_recipe recipe = {.n_atoms = 13,
                                 .frames = 1,
                                 .lattice = k % 2 ? MOTE_LATTICE_SKEWED : MOTE_LATTICE_LEFT,
                                 .groups = (mote_groups_kind)(k % MOTE_GROUPS),
                                 .pbc = k % 3 ? MOTE_PBC_TRICLINIC : MOTE_PBC_NONE,
                                 .function = functions[smooth[k % 5]],
                                 .seed = 50u + (uint64_t)k};
    ck_assert(mote_system_random(&one, &recipe));
    ck_assert(mote_system_make(&s, one.n_atoms, frames));
    s.pbc = one.pbc;
    s.mode = one.mode;
    s.function = one.function;
    ck_assert(!one.group_a || mote_system_group(&s, false, one.group_a, one.n_a));
    ck_assert(!one.group_b || mote_system_group(&s, true, one.group_b, one.n_b));
    for (size_t f = 0; f < frames; f++) {
        memcpy(s.positions + 3 * f * s.n_atoms, one.positions, 3 * s.n_atoms * sizeof(double));
        memcpy(s.box + 9 * f, one.box, 9 * sizeof(double));
    }
    mote_system_free(&one);
    return s;
}

#define STEP 1e-5

/* Tests one frame with a larger and one with a smaller value for each coordinate, in one batch. */
START_TEST(derivatives_by_differences)
{
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 10; k++) {
        mote_system one = make(k, 1), many = make(k, 2 * 3 * 13);
        size_t n = 3 * one.n_atoms;
        for (size_t i = 0; i < n; i++) {
            many.positions[2 * i * n + i] += STEP;
            many.positions[(2 * i + 1) * n + i] -= STEP;
        }
        mote_coordination_result r = run(&b, &one, 0), d = run(&b, &many, 14);
        double sums[3 * 13] = {0.0};
        for (size_t e = 0; e < r.entries; e++)
            for (size_t c = 0; c < 3; c++)
                sums[3 * mote_system_atom(&one, e) + c] += r.derivatives[3 * e + c];
        for (size_t i = 0; i < n; i++)
            ck_assert_double_eq_tol((d.value[2 * i] - d.value[2 * i + 1]) / (2.0 * STEP), sums[i],
                                    2e-6);
        mote_coordination_result_free(&r);
        mote_coordination_result_free(&d);
        mote_system_free(&one);
        mote_system_free(&many);
    }
    bed_close(&b);
}
END_TEST

/* Tests positions and box strained by a small amount, in one batch. */
START_TEST(virial_by_strain)
{
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 10; k++) {
        mote_system one = make(k, 1), many = make(k, 18);
        size_t n = 3 * one.n_atoms;
        for (size_t v = 0; v < 18; v++) {
            size_t to = v / 2 / 3, from = v / 2 % 3;
            double h = v % 2 ? -STEP : STEP;
            for (size_t i = 0; i < n; i += 3)
                many.positions[v * n + i + to] += h * one.positions[i + from];
            for (size_t i = 0; i < 9; i += 3)
                many.box[9 * v + i + to] += h * one.box[i + from];
        }
        mote_coordination_result r = run(&b, &one, 0), d = run(&b, &many, 14);
        for (size_t v = 0; v < 9; v++)
            ck_assert_double_eq_tol((d.value[2 * v + 1] - d.value[2 * v]) / (2.0 * STEP),
                                    r.virial[v], 2e-6);
        mote_coordination_result_free(&r);
        mote_coordination_result_free(&d);
        mote_system_free(&one);
        mote_system_free(&many);
    }
    bed_close(&b);
}
END_TEST

/* Derivatives add up to 0; the virial is symmetric; entries add up to the value. */
START_TEST(sums)
{
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 10; k++) {
        mote_system s = make(k, 1);
        mote_coordination_result r = run(&b, &s, 0);
        size_t n_a = r.entries - s.n_b;
        double total[3] = {0.0}, of_a = 0.0, of_b = 0.0;
        for (size_t e = 0; e < r.entries; e++) {
            for (size_t c = 0; c < 3; c++)
                total[c] += r.derivatives[3 * e + c];
            *(e < n_a ? &of_a : &of_b) += r.coordination[e];
        }
        for (size_t c = 0; c < 3; c++)
            ck_assert_double_eq_tol(total[c], 0.0, 1e-11);
        for (size_t v = 0; v < 9; v++)
            ck_assert(r.virial[v] == r.virial[v % 3 * 3 + v / 3]);
        bool self = s.mode == MOTE_COORDINATION_SELF;
        ck_assert_double_eq_tol(of_a, self ? 2.0 * r.value[0] : r.value[0], 1e-11);
        ck_assert(self || fabs(of_b - r.value[0]) < 1e-11);
        mote_coordination_result_free(&r);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

Suite *identities_suite(void)
{
    Suite *suite = suite_create("identities");
    TCase *cases = tcase_create("identities");
    tcase_add_loop_test(cases, derivatives_by_differences, 0, 2);
    tcase_add_loop_test(cases, virial_by_strain, 0, 2);
    tcase_add_loop_test(cases, sums, 0, 2);
    tcase_set_timeout(cases, 0);
    suite_add_tcase(suite, cases);
    return suite;
}
