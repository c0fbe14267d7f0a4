/* SPDX-License-Identifier: Apache-2.0 */
/* Every division of all pairs, with group sizes that divide no list length: known values, lists of
 * every kind and length, bad data. */
#include "harness.h"

#include <math.h>

static const char *const tunes[] = {
    "coordination.form=cpu",
    "coordination.form=cpu,coordination.items=3,coordination.cpu_entries=4,coordination.cpu_block="
    "32,"
    "coordination.skip=1",
    "coordination.form=cpu,coordination.items=1,coordination.cpu_entries=1,coordination.cpu_block="
    "16",
    "coordination.form=gpu,coordination.symmetric=0,coordination.preload=1,coordination.group=32,"
    "coordination.teams=4,coordination.entries_per_item=2,coordination.tile=24,coordination.groups="
    "40,"
    "coordination.finish_group=16,coordination.skip=1",
    "coordination.form=gpu,coordination.symmetric=1,coordination.preload=1,coordination.group=32,"
    "coordination.entries_per_item=1,coordination.block_units=1,coordination.frames=1",
    "coordination.form=gpu,coordination.symmetric=1,coordination.group=64,coordination.entries_per_"
    "item=1,"
    "coordination.block_units=2,coordination.skip=1",
    "coordination.form=gpu,coordination.symmetric=1,coordination.group=24,coordination.entries_per_"
    "item=3,"
    "coordination.finish_group=8,coordination.finish_batch=3",
};

START_TEST(known_values)
{
    static const struct {
        double d_max, value;
    } known[] = {{INFINITY, 2981.29333427}, {0.0, 2976.46448911}, {0.75, 2760.79394361}};
    bed b;
    mote_system s;
    bed_open(&b, tunes[_i]);
    ck_assert(mote_system_liquid(&s, 1000));
    s.pbc = MOTE_PBC_ORTHORHOMBIC;
    for (size_t k = 0; k < COUNT(known); k++) {
        mote_coordination *plan;
        mote_coordination_result result;
        char message[MESSAGE_SIZE];
        mote_precision precision = k ? MOTE_PRECISION_DOUBLE : MOTE_PRECISION_MIXED;
        const mote_coordination_options options = {.without = MOTE_WITHOUT_COORDINATION};
        s.function.d_max = known[k].d_max;
        bed_ok(mote_coordination_plan_of(b.ctx, &s, precision, 0, &plan));
        ck_assert_msg(mote_coordination_run(b.ctx, b.in_order, &s, plan, &options, &result, message,
                                            sizeof(message)),
                      "%s", message);
        ck_assert_double_eq_tol(result.value[0], known[k].value,
                                known[k].value * (k ? 1e-11 : 1e-6));
        mote_coordination_result_free(&result);
        mote_coordination_release(plan);
    }
    mote_system_free(&s);
    bed_close(&b);
}
END_TEST

/* Sizes near vectors, groups, tiles and blocks. */
static const size_t sizes[] = {1, 2, 15, 17, 31, 33, 48, 63, 64, 65, 97, 129, 200, 333};

static void make(mote_system *s, size_t n_atoms, int k)
{
    mote_system_recipe recipe = {
        .n_atoms = n_atoms,
        .frames = 1 + (size_t)(k % 3),
        .layout = k % 4 == 3 ? MOTE_LAYOUT_CLUSTERED : MOTE_LAYOUT_UNIFORM,
        .lattice = k % 2 ? MOTE_LATTICE_LEFT : MOTE_LATTICE_ORTHORHOMBIC,
        .groups = (mote_groups_kind)(k % MOTE_GROUPS),
        .pbc = k % 2 ? MOTE_PBC_TRICLINIC : MOTE_PBC_ORTHORHOMBIC,
        .function = {.size = sizeof(mote_switch), .r_0 = 0.15, .d_max = 0.6},
        .seed = 7000u + (uint64_t)k,
    };
    ck_assert(mote_system_random(s, &recipe));
}

START_TEST(every_size)
{
    bed b;
    bed_open(&b, tunes[_i]);
    for (int k = 0; k < (int)COUNT(sizes) * MOTE_GROUPS; k++) {
        mote_system s;
        make(&s, sizes[(size_t)k % COUNT(sizes)], k);
        const mote_coordination_options options = {
            .precision = k % 5 == 4 ? MOTE_PRECISION_DOUBLE : MOTE_PRECISION_MIXED,
            .of = (mote_derivatives_of)(k / 2 % 2),
            .derivatives_by_4 = k % 7 == 0,
            .gated = k % 9 == 0,
            .workspace = k % 11 == 0,
            .accumulate = k % 4 == 1,
        };
        check_run(&b, k % 2 ? b.in_order : b.any_order, tunes[_i], &s, &options);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Tests lists of very different lengths, either of them the longer one. */
START_TEST(uneven_lists)
{
    static const uint32_t few[] = {5, 250, 5};
    bed b;
    bed_open(&b, tunes[_i]);
    for (int k = 0; k < 4; k++) {
        mote_system s;
        make(&s, 300, 2 * k); /* orthorhombic */
        uint32_t many[260];
        for (uint32_t i = 0; i < COUNT(many); i++)
            many[i] = 299 - i;
        s.mode = MOTE_COORDINATION_TWO;
        ck_assert(mote_system_group(&s, k % 2, few, k < 2 ? 1 : COUNT(few)));
        ck_assert(mote_system_group(&s, !(k % 2), many, COUNT(many)));
        const mote_coordination_options options = {.of = MOTE_DERIVATIVES_ATOM};
        check_run(&b, b.in_order, tunes[_i], &s, &options);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* The lowest bad atom is found in any group, block or frame. */
START_TEST(bad_positions)
{
    bed b;
    bed_open(&b, tunes[_i]);
    for (int k = 0; k < 6; k++) {
        mote_system s;
        mote_coordination *plan;
        mote_coordination_result result;
        char message[MESSAGE_SIZE];
        make(&s, 333, 2 * MOTE_GROUPS * k); /* all atoms */
        const mote_coordination_options options = {.precision = MOTE_PRECISION_MIXED};
        size_t worst = s.frames * s.n_atoms - 1 - (size_t)(k * k);
        s.positions[3 * worst + (size_t)(k % 3)] = k % 2 ? NAN : -INFINITY;
        s.positions[3 * (s.frames * s.n_atoms - 1)] = NAN;
        bed_ok(mote_coordination_plan_of(b.ctx, &s, options.precision, 0, &plan));
        ck_assert_msg(mote_coordination_run(b.ctx, b.any_order, &s, plan, &options, &result,
                                            message, sizeof(message)),
                      "%s", message);
        ck_assert_int_eq(result.status, MOTE_ERROR_POSITION);
        ck_assert_uint_eq(result.index, worst);
        mote_coordination_result_free(&result);
        mote_coordination_release(plan);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

Suite *all_pairs_suite(void)
{
    static const char *const names[] = {"cpu", "gpu"};
    static const int begin[] = {0, 3, (int)COUNT(tunes)};
    Suite *suite = suite_create("all_pairs");
    for (int i = 0; i < 2; i++) {
        TCase *all = tcase_create(names[i]);
        tcase_set_timeout(all, 0);
        tcase_add_loop_test(all, known_values, begin[i], begin[i + 1]);
        tcase_add_loop_test(all, every_size, begin[i], begin[i + 1]);
        tcase_add_loop_test(all, uneven_lists, begin[i], begin[i + 1]);
        tcase_add_loop_test(all, bad_positions, begin[i], begin[i + 1]);
        suite_add_tcase(suite, all);
    }
    return suite;
}
