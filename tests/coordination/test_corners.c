/* SPDX-License-Identifier: Apache-2.0 */
/* Special cases that are easily overlooked: each of them has been wrong once. */
#include "harness.h"

#include <math.h>
#include <string.h>

static const char *const forms[] = {"coordination.form=cpu", "coordination.form=gpu"};
static const mote_precision precisions[] = {MOTE_PRECISION_MIXED, MOTE_PRECISION_SINGLE,
                                            MOTE_PRECISION_DOUBLE};

/* Runs a system in every precision, and with either method. */
static void check_all(bed *b, const char *name, const mote_system *s)
{
    for (size_t p = 0; p < COUNT(precisions); p++) {
        mote_coordination_options options = {.precision = precisions[p]};
        check_run(b, b->in_order, name, s, &options);
    }
}

/* Two atoms per frame, at the distance x r_0 + d_0 for every x. */
static void make_pairs(mote_system *s, const mote_switch *f, const double *x, size_t count)
{
    ck_assert(mote_system_make(s, 2, count));
    s->pbc = MOTE_PBC_NONE;
    s->function = *f;
    for (size_t k = 0; k < count; k++)
        s->positions[6 * k + 3 + k % 3] = x[k] * f->r_0 + f->d_0;
}

#define RATIONAL(n, m)                                                                             \
    {                                                                                              \
        .size = sizeof(mote_switch), .r_0 = 1.0, .nn = n, .mm = m, .d_max = 4.0                    \
    }

/* Around x = 1 with mm other than 2 nn: 0 / 0 there, and few digits nearby in single precision. */
START_TEST(near_r_0)
{
    static const mote_switch near[] = {RATIONAL(6, 10), RATIONAL(1, 3),   RATIONAL(5, 11),
                                       RATIONAL(6, 14), RATIONAL(7, 13),  RATIONAL(12, 6),
                                       RATIONAL(9, 8),  RATIONAL(24, 50), RATIONAL(6, 12)};
    static const double off[] = {0.0,  1e-16, 1e-9, 1e-7, 2e-7, 1e-6, 1e-5, 1e-4, 3e-4, 1e-3,
                                 2e-3, 5e-3,  1e-2, 2e-2, 4e-2, 7e-2, 0.1,  0.13, 0.2,  0.3};
    double x[2 * COUNT(off)];
    bed b;
    bed_open(&b, forms[_i]);
    for (size_t k = 0; k < COUNT(off); k++) {
        x[2 * k] = 1.0 + off[k];
        x[2 * k + 1] = 1.0 - off[k];
    }
    for (size_t f = 0; f < COUNT(near); f++) {
        mote_system s;
        make_pairs(&s, &near[f], x, COUNT(x));
        check_all(&b, "near r_0", &s);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Tests distances from r = 0, where the derivative is 0, to distances far beyond the range of s:
 * all results are finite. */
START_TEST(near_and_far)
{
    static const double x[] = {0.0, 1e-20, 1e-12, 1e-6, 1e-3, 0.1,  0.5, 1.0,
                               1.5, 3.0,   8.0,   20.0, 60.0, 300., 4e3, 1e5};
    bed b;
    bed_open(&b, forms[_i]);
    for (size_t f = 0; f < n_functions; f++) {
        mote_system s;
        mote_switch function = functions[f];
        if (function.r_0 == 0.0)
            function.r_0 = function.kind == MOTE_SWITCH_CUBIC ? 0.0 : 0.1;
        make_pairs(&s, &function, x, COUNT(x));
        check_all(&b, "near and far", &s);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Tests distances on both sides of d_0 and of d_max. A pair at d_max counts. */
START_TEST(at_the_ends)
{
    bed b;
    bed_open(&b, forms[_i]);
    for (size_t f = 0; f < n_functions; f++) {
        mote_system s;
        mote_switch done = functions[f];
        bed_ok(mote_switch_complete(&done));
        double end = isinf(done.d_max) ? 1.0 : done.d_max, begin = fmax(done.d_0, 0.0);
        const double r[] = {end,   end - 1e-4,   end + 1e-4,         0.9 * end,   1.1 * end,
                            begin, begin + 1e-4, fabs(begin - 1e-4), 0.5 * begin, 0.75 * begin};
        double x[COUNT(r)];
        for (size_t k = 0; k < COUNT(r); k++)
            x[k] = (r[k] - done.d_0) / done.r_0;
        make_pairs(&s, &done, x, COUNT(x));
        check_all(&b, "at the ends", &s);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Tests distances that need no rounding: d_max itself, and a few bits more. */
START_TEST(exactly_d_max)
{
    bed b;
    bed_open(&b, forms[_i]);
    for (size_t p = 0; p < COUNT(precisions); p++) {
        mote_system s;
        mote_coordination *plan;
        mote_coordination_result r;
        mote_coordination_options options = {.precision = precisions[p]};
        mote_switch f = {.size = sizeof(f), .r_0 = 0.5, .d_max = 0.75, .no_stretch = 1};
        char message[MESSAGE_SIZE];
        bool in_double = precisions[p] == MOTE_PRECISION_DOUBLE;
        const double x[] = {1.5, 1.5 * (1.0 + (in_double ? 0x1p-50 : 0x1p-20))};
        make_pairs(&s, &f, x, 2);
        bed_ok(mote_coordination_plan_of(b.ctx, &s, options.precision, 0, &plan));
        ck_assert_msg(mote_coordination_run(b.ctx, b.in_order, &s, plan, &options, &r, message,
                                            sizeof(message)),
                      "%s", message);
        ck_assert_double_eq_tol(r.value[0], 1.0 / (1.0 + pow(1.5, 6.0)), 1e-6);
        ck_assert(r.value[1] == 0.0);
        mote_coordination_result_free(&r);
        mote_coordination_release(plan);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Tests functions that are not exactly 0 at large distances, with thousands of pairs there. */
START_TEST(many_far_pairs)
{
    static const mote_switch many[] = {
        {.size = sizeof(mote_switch),
         .kind = MOTE_SWITCH_SMAP,
         .r_0 = 0.05,
         .a = 6,
         .b = 3,
         .d_max = INFINITY},
        {.size = sizeof(mote_switch), .kind = MOTE_SWITCH_TANH, .r_0 = 0.05, .d_max = INFINITY},
        {.size = sizeof(mote_switch),
         .kind = MOTE_SWITCH_Q,
         .r_0 = 0.05,
         .ref = 0.05,
         .d_max = INFINITY},
        {.size = sizeof(mote_switch), .kind = MOTE_SWITCH_COSINUS, .r_0 = 0.2, .d_max = INFINITY},
        {.size = sizeof(mote_switch), .kind = MOTE_SWITCH_EXP, .r_0 = 0.02, .d_max = INFINITY},
        {.size = sizeof(mote_switch), .r_0 = 0.05, .nn = 24, .mm = 48, .d_max = INFINITY},
    };
    bed b;
    bed_open(&b, forms[_i]);
    for (size_t f = 0; f < COUNT(many); f++) {
        mote_system s;
        mote_system_recipe recipe = {.n_atoms = 300,
                                     .frames = 1,
                                     .lattice = f % 2 ? MOTE_LATTICE_LEFT : MOTE_LATTICE_TRICLINIC,
                                     .pbc = MOTE_PBC_TRICLINIC,
                                     .function = many[f],
                                     .seed = f};
        ck_assert(mote_system_random(&s, &recipe));
        check_all(&b, "many far pairs", &s);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Tests boxes of every shape with atoms many cells outside, and d_max beyond half a box. */
START_TEST(every_lattice)
{
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 3 * MOTE_LATTICES; k++) {
        mote_system s;
        mote_system_recipe recipe = {.n_atoms = 60,
                                     .frames = 3,
                                     .layout = k % 2 ? MOTE_LAYOUT_OUTSIDE : MOTE_LAYOUT_FAR,
                                     .lattice = (mote_lattice)(k % MOTE_LATTICES),
                                     .groups = k % 2 ? MOTE_GROUPS_OVERLAP : MOTE_GROUPS_ALL,
                                     .pbc = MOTE_PBC_TRICLINIC,
                                     .function = functions[1 + k / MOTE_LATTICES],
                                     .seed = 70u + (uint64_t)k};
        ck_assert(mote_system_random(&s, &recipe));
        check_all(&b, "every lattice", &s);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Far from the origin without a box: only the differences matter. */
START_TEST(far_from_the_origin)
{
    bed b;
    bed_open(&b, forms[_i]);
    mote_system s;
    ck_assert(mote_system_liquid(&s, 200));
    s.pbc = MOTE_PBC_NONE;
    for (size_t i = 0; i < 3 * s.n_atoms; i++)
        s.positions[i] += 12345.678 * (double)(1 + i % 3);
    check_all(&b, "far from the origin", &s);
    mote_system_free(&s);
    bed_close(&b);
}
END_TEST

/* Tests entries with the same position, with the same atom, and an entry that occurs twice. */
START_TEST(equal_atoms)
{
    static const uint32_t a[] = {0, 1, 1, 2, 3, 3, 0}, same[] = {0, 1, 1, 2, 3, 3, 0},
                          other[] = {1, 1, 2, 2, 0, 3, 3};
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 5; k++) {
        mote_system s;
        ck_assert(mote_system_make(&s, 4, 1));
        s.function = functions[k];
        s.mode = (mote_coordination_mode)(k % 3);
        for (size_t i = 0; i < 3; i++)
            s.positions[3 + i] = s.positions[6 + i] = 0.1 * (double)(i + 1); /* 1 and 2 coincide */
        s.positions[9] = 0.25;
        ck_assert(mote_system_group(&s, false, a, COUNT(a)));
        if (s.mode != MOTE_COORDINATION_SELF)
            ck_assert(mote_system_group(&s, true, k % 2 ? same : other, COUNT(same)));
        check_all(&b, "equal atoms", &s);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Tests few atoms or none: every mode, with lists of every length. */
START_TEST(few_atoms)
{
    bed b;
    bed_open(&b, forms[_i]);
    for (size_t n = 0; n <= 3; n++)
        for (int g = 0; g < MOTE_GROUPS; g++) {
            mote_system s;
            mote_system_recipe recipe = {.n_atoms = n,
                                         .frames = 2,
                                         .groups = (mote_groups_kind)g,
                                         .pbc = (mote_pbc)(g % 3),
                                         .function = functions[g],
                                         .seed = 9 * n};
            ck_assert(mote_system_random(&s, &recipe));
            check_all(&b, "few atoms", &s);
            mote_system_free(&s);
        }
    bed_close(&b);
}
END_TEST

/* Tests sizes near those of work-groups and tiles. */
START_TEST(every_size)
{
    static const size_t sizes[] = {5,  7,  8,  9,   15,  16,  17,  31,  32,  33,  47,  63,
                                   64, 65, 96, 127, 128, 129, 191, 255, 256, 257, 511, 513};
    bed b;
    bed_open(&b, forms[_i]);
    for (size_t k = 0; k < COUNT(sizes); k++)
        for (int g = MOTE_GROUPS_ALL; g < MOTE_GROUPS; g += 2) {
            mote_system s;
            mote_system_recipe recipe = {.n_atoms = sizes[k],
                                         .frames = 1,
                                         .groups = (mote_groups_kind)g,
                                         .pbc = MOTE_PBC_ORTHORHOMBIC,
                                         .function = functions[0],
                                         .seed = k};
            mote_coordination_options options = {.precision = precisions[k % 3], .of = k % 2};
            ck_assert(mote_system_random(&s, &recipe));
            check_run(&b, b.in_order, "every size", &s, &options);
            mote_system_free(&s);
        }
    bed_close(&b);
}
END_TEST

Suite *corners_suite(void)
{
    Suite *suite = suite_create("corners");
    for (int form = 0; form < 2; form++) {
        TCase *cases = tcase_create(form ? "gpu" : "cpu");
        tcase_add_loop_test(cases, near_r_0, form, form + 1);
        tcase_add_loop_test(cases, near_and_far, form, form + 1);
        tcase_add_loop_test(cases, at_the_ends, form, form + 1);
        tcase_add_loop_test(cases, exactly_d_max, form, form + 1);
        tcase_add_loop_test(cases, many_far_pairs, form, form + 1);
        tcase_add_loop_test(cases, every_lattice, form, form + 1);
        tcase_add_loop_test(cases, far_from_the_origin, form, form + 1);
        tcase_add_loop_test(cases, equal_atoms, form, form + 1);
        tcase_add_loop_test(cases, few_atoms, form, form + 1);
        tcase_add_loop_test(cases, every_size, form, form + 1);
        tcase_set_timeout(cases, 0);
        suite_add_tcase(suite, cases);
    }
    return suite;
}
