/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms at positions that are hard for one method or another: all methods find the same pairs. */
#include "harness.h"

#include <math.h>
#include <string.h>

static const char *const forms[] = {"coordination.form=cpu", "coordination.form=gpu"};

static const mote_switch smooth = {.size = sizeof(mote_switch), .r_0 = 0.03, .d_max = 0.08};

static void check_methods(bed *b, const char *name, const mote_system *s,
                          mote_coordination_options options)
{
    char what[64];
    for (size_t m = 0; m < COUNT(methods); m++) {
        options.method = methods[m];
        snprintf(what, sizeof(what), "%s by method %d", name, (int)options.method);
        check_run(b, m % 2 ? b->any_order : b->in_order, what, s, &options);
    }
}

/* Tests every distribution of atoms, in every box, with all kinds of lists. */
START_TEST(random_systems)
{
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 36; k++) {
        mote_system s;
        mote_system_recipe recipe = {.n_atoms = 150 + 40 * (size_t)(k % 5),
                                     .frames = 1 + (size_t)(k % 2),
                                     .layout = (mote_layout)(k % MOTE_LAYOUTS),
                                     .lattice = (mote_lattice)(k / 2 % MOTE_LATTICES),
                                     .groups = (mote_groups_kind)(k % MOTE_GROUPS),
                                     .pbc = (mote_pbc)(k / 3 % 3),
                                     .function = smooth,
                                     .seed = 600u + (uint64_t)k};
        recipe.function.d_max = k % 4 ? 0.08 * (k % 4) : 0.5;
        if (recipe.pbc == MOTE_PBC_ORTHORHOMBIC)
            recipe.lattice = MOTE_LATTICE_ORTHORHOMBIC;
        ck_assert(mote_system_random(&s, &recipe));
        check_methods(&b, "random", &s,
                      (mote_coordination_options){.precision = (mote_precision)(k % 3)});
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Tests grids of other shapes, slices, and frames by several launches. */
START_TEST(tuned)
{
    static const char *const tunes[] = {
        ",coordination.cells_across=2,coordination.cells_fine=3,coordination.items=3,"
        "coordination.private_sums=0,coordination.frames=2,coordination.sort_shares=5",
        ",coordination.cells=90,coordination.slices=4,coordination.group=16,coordination.frames=2,"
        "coordination.skip=1,coordination.sort_below=0",
    };
    bed b;
    char tune[200];
    snprintf(tune, sizeof(tune), "%s%s", forms[_i / 2], tunes[_i % 2]);
    bed_open(&b, tune);
    for (int k = 0; k < 6; k++) {
        mote_system s;
        mote_system_recipe recipe = {.n_atoms = 140,
                                     .frames = 3,
                                     .lattice = MOTE_LATTICE_TRICLINIC,
                                     .groups = k % 2 ? MOTE_GROUPS_OVERLAP : MOTE_GROUPS_ALL,
                                     .pbc = (mote_pbc)(k / 2),
                                     .function = smooth,
                                     .seed = (uint64_t)k};
        recipe.function.d_max = k % 2 ? 0.2 : 0.1;
        ck_assert(mote_system_random(&s, &recipe));
        check_run(&b, b.in_order, "tuned", &s,
                  &(mote_coordination_options){.method = MOTE_COORDINATION_CELLS});
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Tests thousands of atoms: in cells of d_max with few atoms each, all in one cell, or most cells
 * nearly empty. */
START_TEST(many_atoms)
{
    static const double d_max[] = {0.08, 0.02, 2.0, 0.001};
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 8; k++) {
        mote_system s;
        mote_system_recipe recipe = {.n_atoms = 2100,
                                     .frames = 1,
                                     .layout = k % 3 ? MOTE_LAYOUT_UNIFORM : MOTE_LAYOUT_CLUSTERED,
                                     .lattice = MOTE_LATTICE_CUBE,
                                     .pbc = k < 4 ? MOTE_PBC_ORTHORHOMBIC : MOTE_PBC_NONE,
                                     .function = smooth,
                                     .seed = (uint64_t)k};
        recipe.function.d_max = d_max[k % 4];
        ck_assert(mote_system_random(&s, &recipe));
        check_methods(&b, "many atoms", &s,
                      (mote_coordination_options){.of = (mote_derivatives_of)(k % 2)});
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Tests a few atoms a million d_max apart: memory must not grow with the extent. */
START_TEST(sparse)
{
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 4; k++) {
        mote_system s;
        mote_system_recipe recipe = {
            .n_atoms = 60, .frames = 2, .function = smooth, .seed = 9u + (uint64_t)k};
        ck_assert(mote_system_random(&s, &recipe));
        for (size_t i = 0; i < 3 * s.frames * s.n_atoms; i++)
            s.positions[i] *= i / 3 % 2 && k % 2 ? 1.0 : 0.1;
        for (size_t f = 0; f < s.frames; f++)
            for (size_t c = 0; c < 3; c++)
                s.positions[3 * (f * s.n_atoms + f) + c] = k < 2 ? 80000.0 : -3000.0;
        check_methods(&b, "sparse", &s,
                      (mote_coordination_options){.precision = MOTE_PRECISION_DOUBLE});
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Tests atoms at multiples of d_max and at the faces of the box, in a line, and on top of each
 * other. */
START_TEST(on_faces)
{
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 6; k++) {
        mote_system s;
        ck_assert(mote_system_make(&s, 130, 1));
        s.pbc = (mote_pbc)(k % 3);
        s.function = smooth;
        for (size_t i = 0; i < 130; i++) {
            s.positions[3 * i] = 0.08 * (double)(i % 26) * (k < 3 ? 1.0 : 0.5);
            s.positions[3 * i + 1] = k < 3 ? 0.0 : 1.0;
            s.positions[3 * i + 2] = k < 3 ? 0.02 * (double)(i / 26) : -1e-17;
        }
        check_methods(&b, "on faces", &s,
                      (mote_coordination_options){.precision = (mote_precision)(k % 3)});
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* The derivatives of a liquid by one method. */
static mote_coordination_result run_liquid(bed *b, const mote_system *s, mote_coordination_method m)
{
    char message[MESSAGE_SIZE];
    mote_coordination *plan;
    mote_coordination_result result;
    mote_coordination_options options = {.positions32 = true, .without = MOTE_WITHOUT_COORDINATION};
    bed_ok(mote_coordination_plan_of(b->ctx, s, options.precision, m, &plan));
    ck_assert_msg(mote_coordination_run(b->ctx, b->in_order, s, plan, &options, &result, message,
                                        MESSAGE_SIZE),
                  "%s", message);
    mote_coordination_release(plan);
    return result;
}

/* AUTO gives the bits of the method that its rule selects. */
START_TEST(auto_choice)
{
    static const struct {
        size_t n_atoms;
        double d_max;
        mote_pbc pbc;
        mote_coordination_method expected;
        int forms; /* 1: CPU, 2: GPU */
    } choices[] = {
        {300, 0.75, MOTE_PBC_ORTHORHOMBIC, MOTE_COORDINATION_ALL_PAIRS, 3},
        {1500, 2.0, MOTE_PBC_TRICLINIC, MOTE_COORDINATION_ALL_PAIRS, 3},
        {1500, INFINITY, MOTE_PBC_TRICLINIC, MOTE_COORDINATION_ALL_PAIRS, 3},
        {2500, 0.6, MOTE_PBC_ORTHORHOMBIC, MOTE_COORDINATION_CELLS, 1},
        {2500, 0.6, MOTE_PBC_TRICLINIC, MOTE_COORDINATION_CELLS, 1},
        {2500, 0.6, MOTE_PBC_NONE, MOTE_COORDINATION_ALL_PAIRS, 3},
        {8000, 0.6, MOTE_PBC_NONE, MOTE_COORDINATION_CELLS, 1},
        {8000, 0.6, MOTE_PBC_TRICLINIC, MOTE_COORDINATION_CELLS, 2},
    };
    bed b;
    bed_open(&b, forms[_i]);
    for (size_t k = 0; k < COUNT(choices); k++) {
        mote_system s;
        if (!(choices[k].forms >> _i & 1))
            continue;
        ck_assert(mote_system_liquid(&s, choices[k].n_atoms));
        s.pbc = choices[k].pbc;
        s.function.d_max = choices[k].d_max;
        mote_coordination_result chosen = run_liquid(&b, &s, MOTE_COORDINATION_AUTO);
        mote_coordination_result named = run_liquid(&b, &s, choices[k].expected);
        ck_assert_msg(
            memcmp(chosen.derivatives, named.derivatives, 3 * named.rows * sizeof(double)) == 0,
            "choice %zu: other bits than by method %d", k, (int)choices[k].expected);
        mote_coordination_result_free(&chosen);
        mote_coordination_result_free(&named);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

Suite *methods_suite(void)
{
    Suite *suite = suite_create("methods");
    for (int form = 0; form < 2; form++) {
        TCase *cases = tcase_create(form ? "gpu" : "cpu");
        tcase_add_loop_test(cases, random_systems, form, form + 1);
        tcase_add_loop_test(cases, tuned, 2 * form, 2 * form + 2);
        tcase_add_loop_test(cases, many_atoms, form, form + 1);
        tcase_add_loop_test(cases, sparse, form, form + 1);
        tcase_add_loop_test(cases, on_faces, form, form + 1);
        tcase_add_loop_test(cases, auto_choice, form, form + 1);
        tcase_set_timeout(cases, 0);
        suite_add_tcase(suite, cases);
    }
    return suite;
}
