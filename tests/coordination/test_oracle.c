/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the oracle itself: known numbers, its derivatives compared with differences, and the
 * shared cases. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Benchmark systems: values of a separate program. */
static const struct {
    size_t n_atoms;
    double d_max, value;
    bool boxed;
} liquids[] = {
    {1000, INFINITY, 2981.29333427, true}, {1000, 0.0, 2976.46448911, true},
    {1000, 0.75, 2760.79394361, true},     {10000, 0.75, 27343.2716249, true},
    {10000, 0.75, 25527.5519026, false},
};

START_TEST(liquid)
{
    mote_system s;
    mote_truth truth;
    ck_assert(mote_system_liquid(&s, liquids[_i].n_atoms));
    s.pbc = liquids[_i].boxed ? MOTE_PBC_ORTHORHOMBIC : MOTE_PBC_NONE;
    s.function.d_max = liquids[_i].d_max;
    ck_assert(mote_truth_make(&truth, &s, 0.0));
    ck_assert_msg(fabsl(truth.value[0].sum / liquids[_i].value - 1.0L) < 1e-11, "%.14Lg",
                  truth.value[0].sum);
    mote_truth_free(&truth);
    mote_system_free(&s);
}
END_TEST

/* ---- differences ----------------------------------------------------------------------------- */

static long double value_of(const mote_system *s)
{
    mote_truth truth;
    ck_assert(mote_truth_make(&truth, s, 0.0));
    long double value = truth.value[0].sum;
    mote_truth_free(&truth);
    return value;
}

/* Smooth functions, one for each combination of lattice and lists. */
static void make_smooth(mote_system *s, int k)
{
    static const mote_switch smooth[] = {
        {.size = sizeof(mote_switch), .r_0 = 0.3, .nn = 6, .mm = 10, .d_max = INFINITY},
        {.size = sizeof(mote_switch), .r_0 = 0.3, .kind = MOTE_SWITCH_TANH, .d_max = INFINITY},
        {.size = sizeof(mote_switch), .r_0 = 0.3, .kind = MOTE_SWITCH_GAUSSIAN, .d_max = INFINITY},
    };
    mote_system_recipe recipe = {
        .n_atoms = 9,
        .frames = 1,
        .layout = k % 2 ? MOTE_LAYOUT_UNIFORM : MOTE_LAYOUT_OUTSIDE,
        .lattice = (mote_lattice)(k % MOTE_LATTICES),
        .groups = (mote_groups_kind)(k % MOTE_GROUPS),
        .pbc = k % 3 ? MOTE_PBC_TRICLINIC : MOTE_PBC_NONE,
        .function = smooth[k % 3],
        .seed = 1000u + (uint64_t)k,
    };
    if (recipe.lattice <= MOTE_LATTICE_ORTHORHOMBIC && k % 3)
        recipe.pbc = MOTE_PBC_ORTHORHOMBIC;
    ck_assert(mote_system_random(s, &recipe));
}

/* Compares derivatives with differences of the value; without a box, sums of forces vanish. */
START_TEST(derivatives_by_differences)
{
    const double step = 1e-5;
    for (int k = 0; k < 30; k++) {
        mote_system s;
        mote_truth truth;
        make_smooth(&s, k);
        ck_assert(mote_truth_make(&truth, &s, 1e-4));
        mote_true_sum *of_atoms = mote_truth_of_atoms(&truth, &s);
        long double total[3] = {0};
        ck_assert_ptr_nonnull(of_atoms);
        for (size_t i = 0; i < 3 * s.n_atoms; i++) {
            double x = s.positions[i], above = x + step, below = x - step;
            s.positions[i] = above;
            long double up = value_of(&s);
            s.positions[i] = below;
            long double difference = (up - value_of(&s)) / ((long double)above - below);
            s.positions[i] = x;
            ck_assert_msg(fabsl(difference - of_atoms[i].sum) <=
                              1e-8L * of_atoms[i].size + of_atoms[i].blur + 1e-13L,
                          "system %d, derivative %zu: %.12Lg, not %.12Lg", k, i, of_atoms[i].sum,
                          difference);
            total[i % 3] += of_atoms[i].sum;
        }
        for (int c = 0; c < 3; c++)
            ck_assert(fabsl(total[c]) < 1e-15L);
        free(of_atoms);
        mote_truth_free(&truth);
        mote_system_free(&s);
    }
}
END_TEST

/* Positions and box stretched by 1 + h along direction l of each coordinate k. */
static long double strained(const mote_system *s, size_t k, size_t l, double h)
{
    mote_system t;
    ck_assert(mote_system_make(&t, s->n_atoms, 1));
    double *const from[] = {s->positions, s->box}, *const to[] = {t.positions, t.box};
    const size_t counts[] = {3 * s->n_atoms, 9};
    for (int a = 0; a < 2; a++) {
        memcpy(to[a], from[a], counts[a] * sizeof(double));
        for (size_t i = 0; i < counts[a]; i += 3)
            to[a][i + k] += h * from[a][i + l];
    }
    t.pbc = s->pbc == MOTE_PBC_ORTHORHOMBIC ? MOTE_PBC_TRICLINIC : s->pbc;
    t.function = s->function;
    t.mode = s->mode;
    if (s->group_a)
        ck_assert(mote_system_group(&t, false, s->group_a, s->n_a));
    if (s->group_b)
        ck_assert(mote_system_group(&t, true, s->group_b, s->n_b));
    long double value = value_of(&t);
    mote_system_free(&t);
    return value;
}

START_TEST(virial_by_strain)
{
    const double step = 1e-5;
    for (int k = 0; k < 18; k++) {
        mote_system s;
        mote_truth truth;
        make_smooth(&s, k);
        ck_assert(mote_truth_make(&truth, &s, 3e-4));
        for (size_t v = 0; v < 9; v++) {
            long double difference =
                (strained(&s, v / 3, v % 3, -step) - strained(&s, v / 3, v % 3, step)) /
                (2.0L * step);
            ck_assert_msg(fabsl(difference - truth.virial[v].sum) <=
                              1e-7L * truth.virial[v].size + truth.virial[v].blur + 1e-13L,
                          "system %d, virial %zu: %.12Lg, not %.12Lg", k, v, truth.virial[v].sum,
                          difference);
        }
        mote_truth_free(&truth);
        mote_system_free(&s);
    }
}
END_TEST

/* The nearest image is not farther than any image within two lattice vectors. */
START_TEST(nearest_images)
{
    for (int lattice = 0; lattice < MOTE_LATTICES; lattice++) {
        mote_system s;
        mote_system_recipe recipe = {.n_atoms = 40,
                                     .frames = 5,
                                     .layout = MOTE_LAYOUT_OUTSIDE,
                                     .lattice = (mote_lattice)lattice,
                                     .pbc = MOTE_PBC_TRICLINIC,
                                     .seed = (uint64_t)lattice};
        ck_assert(mote_system_random(&s, &recipe));
        for (size_t f = 0; f < s.frames; f++) {
            const double *box = s.box + 9 * f;
            mote_nearest nearest, ortho;
            mote_nearest_make(&nearest, MOTE_PBC_TRICLINIC, box);
            mote_nearest_make(&ortho, MOTE_PBC_ORTHORHOMBIC, box);
            for (size_t i = 0; i < s.n_atoms; i++) {
                long double d[3], best, same[3];
                for (size_t k = 0; k < 3; k++)
                    same[k] = d[k] = s.positions[3 * (f * s.n_atoms + i) + k];
                mote_nearest_image(&nearest, d, 0.0L);
                best = sqrtl(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * (1.0L + 1e-15L);
                for (int n = 0; n < 125; n++) {
                    long double length = 0.0L;
                    for (int k = 0; k < 3; k++) {
                        long double x = d[k] + (n % 5 - 2) * (long double)box[k] +
                                        (n / 5 % 5 - 2) * (long double)box[3 + k] +
                                        (n / 25 - 2) * (long double)box[6 + k];
                        length += x * x;
                    }
                    ck_assert(best <= sqrtl(length) * (1.0L + 1e-15L));
                }
                if (lattice > MOTE_LATTICE_ORTHORHOMBIC)
                    continue;
                mote_nearest_image(&ortho, same, 0.0L);
                for (int k = 0; k < 3; k++)
                    ck_assert(fabsl(same[k] - d[k]) < 1e-15L);
            }
        }
        mote_system_free(&s);
    }
}
END_TEST

/* ---- shared cases ---------------------------------------------------------------------------- */

static void check_shared_frame(const char *name, const mote_plumed_case *c, const mote_truth *truth,
                               size_t k)
{
    const mote_plumed_frame *f = &c->frames[k];
    size_t rows = 3 * truth->entries;
    if (!f->value_ill_defined)
        ck_assert_msg(fabsl(truth->value[k].sum - f->value) <= 1e-15L * fmaxl(f->value, 1e-3L),
                      "%s, frame %zu: %.20Lg, not %.20Lg", name, k, truth->value[k].sum, f->value);
    if (f->derivatives_ill_defined)
        return;
    for (size_t i = 0; i < rows; i++)
        ck_assert_msg(fabsl(truth->derivatives[k * rows + i].sum - f->derivatives[i]) <=
                          2e-15L * f->derivative_scale,
                      "%s, frame %zu, derivative %zu: %.20Lg, not %.20Lg", name, k, i,
                      truth->derivatives[k * rows + i].sum, f->derivatives[i]);
    for (size_t v = 0; v < 9; v++)
        ck_assert_msg(fabsl(truth->virial[9 * k + v].sum - f->virial[v]) <=
                          2e-15L * f->virial_scale,
                      "%s, frame %zu, virial %zu: %.20Lg, not %.20Lg", name, k, v,
                      truth->virial[9 * k + v].sum, f->virial[v]);
}

static void check_shared(void *with, const char *name, const mote_plumed_case *c)
{
    mote_truth truth;
    (void)with;
    mote_switch f = c->system.function;
    mote_switch_numbers numbers;
    ck_assert_int_eq(mote_switch_complete(&f), 0);
    mote_switch_get_numbers(&f, &numbers);
    ck_assert_double_eq_tol(numbers.stretch, c->stretch, 1e-14);
    ck_assert_double_eq_tol(numbers.shift, c->shift, 1e-14);
    ck_assert(f.d_max == c->d_max || fabs(f.d_max / c->d_max - 1.0) < 1e-15);
    ck_assert(mote_truth_make(&truth, &c->system, 0.0));
    for (size_t k = 0; k < c->system.frames; k++)
        check_shared_frame(name, c, &truth, k);
    mote_truth_free(&truth);
}

START_TEST(shared_cases)
{
    shared_each("the oracle", NULL, check_shared);
}
END_TEST

TCase *oracle_shared_cases(void)
{
    TCase *cases = tcase_create("oracle");
    tcase_add_test(cases, shared_cases);
    tcase_set_timeout(cases, 0);
    return cases;
}

Suite *oracle_suite(void)
{
    Suite *suite = suite_create("oracle");
    TCase *cases = tcase_create("oracle");
    tcase_add_loop_test(cases, liquid, 0, (int)(sizeof(liquids) / sizeof(liquids[0])));
    tcase_add_test(cases, derivatives_by_differences);
    tcase_add_test(cases, virial_by_strain);
    tcase_add_test(cases, nearest_images);
    tcase_set_timeout(cases, 0);
    suite_add_tcase(suite, cases);
    return suite;
}
