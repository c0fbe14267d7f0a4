/* SPDX-License-Identifier: Apache-2.0 */
/* Random systems compared with the oracle: every function with every kind of lists, in boxes of
 * every shape, in both forms and every precision. */
#include "harness.h"

#include <math.h>
#include <stdio.h>

static const char *const forms[] = {"cpu", "gpu"};
static const char *const precisions[] = {"mixed", "single", "double"};

/* One of many systems: k walks through all functions and lists, and the other properties vary with
 * it. */
static void make(mote_system *s, mote_coordination_options *options, int k)
{
    mote_system_recipe recipe = {
        .n_atoms = 40 + 37 * (size_t)(k % 4),
        .frames = k % 3 ? 1 : 2,
        .layout = (mote_layout)(k / 2 % MOTE_LAYOUTS),
        .groups = (mote_groups_kind)(k % MOTE_GROUPS),
        .pbc = (mote_pbc)(k / 5 % 3),
        .function = functions[(size_t)k / MOTE_GROUPS],
        .seed = (uint64_t)k,
    };
    recipe.lattice = (mote_lattice)(k / 3 % MOTE_LATTICES);
    if (recipe.pbc == MOTE_PBC_ORTHORHOMBIC)
        recipe.lattice = k % 4 ? MOTE_LATTICE_ORTHORHOMBIC : MOTE_LATTICE_CUBE;
    ck_assert(mote_system_random(s, &recipe));
    options->positions32 = k % 2 && recipe.layout != MOTE_LAYOUT_FAR;
    options->positions_by_4 = k % 7 == 1;
    options->derivatives32 = k % 3 == 1;
    bool finite = !isinf(recipe.function.d_max);
    options->method = finite ? methods[(size_t)k % COUNT(methods)] : MOTE_COORDINATION_AUTO;
    options->of = k % 4 == 2 ? MOTE_DERIVATIVES_ATOM : MOTE_DERIVATIVES_ENTRY;
}

/* _i: form, then precision. */
START_TEST(every_function)
{
    char tune[64], name[64];
    bed b;
    snprintf(tune, sizeof(tune), "coordination.form=%s", forms[_i / 3]);
    bed_open(&b, tune);
    for (int k = 0; k < (int)n_functions * MOTE_GROUPS; k++) {
        mote_system s;
        mote_coordination_options options = {.precision = (mote_precision)(_i % 3)};
        make(&s, &options, k);
        snprintf(name, sizeof(name), "%s, %s, system %d", forms[_i / 3], precisions[_i % 3], k);
        check_run(&b, k % 2 ? b.in_order : b.any_order, name, &s, &options);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Tests every third function, and every ninth one in the form for GPUs as well, because each needs
 * a kernel of its own. */
START_TEST(some_of_each)
{
    char tune[64], name[64];
    bed b;
    snprintf(tune, sizeof(tune), "coordination.form=%s", forms[_i]);
    bed_open(&b, tune);
    for (int k = 0; k < (int)n_functions; k += 3 + 6 * _i) {
        mote_system s;
        mote_coordination_options options = {.precision = MOTE_PRECISION_MIXED};
        make(&s, &options, k * MOTE_GROUPS + k % MOTE_GROUPS);
        snprintf(name, sizeof(name), "%s, function %d", forms[_i], k);
        check_run(&b, k % 2 ? b.in_order : b.any_order, name, &s, &options);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

Suite *random_suite(void)
{
    static const char *const names[] = {"cpu-mixed", "cpu-single", "cpu-double",
                                        "gpu-mixed", "gpu-single", "gpu-double"};
    Suite *suite = suite_create("random");
    for (int i = 0; i < 6; i++) {
        TCase *cases = tcase_create(names[i]);
        tcase_add_loop_test(cases, every_function, i, i + 1);
        tcase_set_timeout(cases, 0);
        suite_add_tcase(suite, cases);
    }
    TCase *some = tcase_create("some");
    tcase_add_loop_test(some, some_of_each, 0, (int)COUNT(forms));
    tcase_set_timeout(some, 0);
    suite_add_tcase(suite, some);
    return suite;
}
