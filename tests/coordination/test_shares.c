/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of the pairs: they add up to all pairs, are the same on every device, and have equal
 * sizes. */
#include "harness.h"

#include <math.h>
#include <string.h>

static const char *const forms[] = {"coordination.form=cpu", "coordination.form=gpu"};

static const mote_switch smooth = {.size = sizeof(mote_switch), .r_0 = 0.03, .d_max = 0.25};

/* 1 within d_max: the value is the number of pairs within d_max. */
static const mote_switch ones = {.size = sizeof(mote_switch),
                                 .kind = MOTE_SWITCH_EXP,
                                 .r_0 = 1e9,
                                 .d_max = 0.2,
                                 .no_stretch = 1};

static mote_system make(int k, size_t n_atoms)
{
    mote_system s;
    mote_system_recipe recipe = {.n_atoms = n_atoms,
                                 .frames = 1 + (size_t)(k % 2),
                                 .lattice =
                                     k % 3 ? MOTE_LATTICE_ORTHORHOMBIC : MOTE_LATTICE_TRICLINIC,
                                 .groups = (mote_groups_kind)(k % MOTE_GROUPS),
                                 .pbc = k % 3 ? MOTE_PBC_ORTHORHOMBIC : MOTE_PBC_TRICLINIC,
                                 .function = smooth,
                                 .seed = 4000u + (uint64_t)k};
    ck_assert(mote_system_random(&s, &recipe));
    return s;
}

/* Tests all kinds of lists, by both methods; shares beyond the entries are empty. */
START_TEST(add_up)
{
    static const uint32_t shares[] = {2, 3, 4, 5, 8, 300};
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 30; k++) {
        mote_system s = make(k, k % 7 == 6 ? 3 : 120 + 11 * (size_t)(k % 4));
        mote_coordination_options options = {.precision = MOTE_PRECISION_DOUBLE,
                                             .method = methods[(size_t)k / 2 % COUNT(methods)],
                                             .of = (mote_derivatives_of)(k / 5 % 2),
                                             .workspace = k % 4 == 3,
                                             .gated = k % 4 == 1,
                                             .shares = shares[(size_t)k % COUNT(shares)]};
        if (options.shares > 100 && k > 6)
            options.shares = 6;
        check_run(&b, k % 2 ? b.any_order : b.in_order, "shares", &s, &options);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Returns the results of one share of a system. */
static mote_coordination_result run_share(bed *b, const mote_system *s,
                                          const mote_coordination_options *options, uint32_t share)
{
    char message[MESSAGE_SIZE];
    mote_coordination *plan;
    mote_coordination_result result = {0};
    ck_assert_msg(!mote_coordination_share_of(b->ctx, s, options, share, &plan), "%s",
                  mote_last_error());
    ck_assert_msg(mote_coordination_run(b->ctx, b->in_order, s, plan, options, &result, message,
                                        sizeof(message)),
                  "%s", message);
    mote_coordination_release(plan);
    return result;
}

static void assert_near(const double *a, const double *b, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(fabs(a[i] - b[i]) <= 1e-9 * (1.0 + fabs(b[i])), "%s %zu: %.17g and %.17g",
                      what, i, a[i], b[i]);
}

/* The pairs of a share depend on neither form nor method; with both, its bits do not change. */
START_TEST(fixed)
{
    bed beds[2];
    for (int f = 0; f < 2; f++)
        bed_open(&beds[f], forms[f]);
    for (int k = 0; k < 2 * MOTE_GROUPS; k++) {
        mote_system s = make(k, 90);
        mote_coordination_options options = {.precision = MOTE_PRECISION_DOUBLE,
                                             .shares = 2 + (uint32_t)k % 3};
        uint32_t share = (uint32_t)k % options.shares;
        options.method = MOTE_COORDINATION_ALL_PAIRS;
        mote_coordination_result first = run_share(&beds[0], &s, &options, share);
        mote_coordination_result again = run_share(&beds[0], &s, &options, share);
        size_t rows = first.frames * first.rows;
        ck_assert_mem_eq(first.derivatives, again.derivatives, 3 * rows * sizeof(double));
        mote_coordination_result_free(&again);
        options.method = MOTE_COORDINATION_CELLS;
        mote_coordination_result other = run_share(&beds[1], &s, &options, share);
        assert_near(other.value, first.value, first.frames, "value");
        assert_near(other.virial, first.virial, 9 * first.frames, "virial");
        assert_near(other.derivatives, first.derivatives, 3 * rows, "derivative");
        assert_near(other.coordination, first.coordination, first.frames * first.entries, "number");
        mote_coordination_result_free(&first);
        mote_coordination_result_free(&other);
        mote_system_free(&s);
    }
    for (int f = 0; f < 2; f++)
        bed_close(&beds[f]);
}
END_TEST

/* Atoms like a liquid in the box, or in a ball of an eighth of its volume. */
static mote_system make_liquid(size_t n_atoms, bool droplet)
{
    mote_system s;
    ck_assert(mote_system_liquid(&s, n_atoms));
    s.function = ones;
    s.function.d_max = droplet ? 0.4 : 0.75;
    double half = s.box[0] / 2.0;
    for (size_t i = 0; droplet && i < 3 * n_atoms; i += 3) {
        double *x = s.positions + i, r = 0.0, most = 0.0;
        for (size_t c = 0; c < 3; c++) {
            r = hypot(r, x[c] - half);
            most = fmax(most, fabs(x[c] - half));
        }
        for (size_t c = 0; c < 3 && r > 0.0; c++)
            x[c] = half + (x[c] - half) * 0.5 * most / r;
    }
    return s;
}

START_TEST(balanced)
{
    bed b;
    bed_open(&b, forms[0]);
    for (int k = 0; k < 6; k++) {
        mote_system s = make_liquid(8000, k % 2);
        mote_coordination_options options = {
            .without = MOTE_WITHOUT_DERIVATIVES | MOTE_WITHOUT_VIRIAL | MOTE_WITHOUT_COORDINATION,
            .shares = (const uint32_t[]){2, 3, 8}[k / 2]};
        double least = INFINITY, most = 0.0;
        for (uint32_t share = 0; share < options.shares; share++) {
            mote_coordination_result result = run_share(&b, &s, &options, share);
            least = fmin(least, result.value[0]);
            most = fmax(most, result.value[0]);
            mote_coordination_result_free(&result);
        }
        printf("# %u shares of a %s: %.0f to %.0f pairs\n", (unsigned)options.shares,
               k % 2 ? "droplet" : "liquid", least, most);
        ck_assert_double_le(most, 1.05 * least);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

START_TEST(refused)
{
    static const uint32_t wrong[][2] = {{1, 0}, {1, 1}, {3, 3}, {0, 65537}};
    bed b;
    mote_coordination *plan;
    mote_coordination_plan_args args;
    bed_open(&b, forms[0]);
    mote_coordination_plan_args_init(&args);
    args.function = smooth;
    args.n_atoms = 10;
    for (size_t k = 0; k < COUNT(wrong); k++) {
        args.share = wrong[k][0];
        args.shares = wrong[k][1];
        ck_assert_int_eq(mote_coordination_create(b.ctx, &args, &plan),
                         MOTE_ERROR_INVALID_ARGUMENT);
        ck_assert_ptr_null(plan);
        ck_assert_ptr_nonnull(strstr(mote_last_error(), "share is"));
    }
    bed_close(&b);
}
END_TEST

Suite *shares_suite(void)
{
    Suite *suite = suite_create("shares");
    for (int form = 0; form < 2; form++)
        tcase_add_loop_test(suite_case(suite, form ? "gpu" : "cpu", NULL), add_up, form, form + 1);
    TCase *rest = suite_case(suite, "rest", NULL);
    tcase_add_test(rest, fixed);
    tcase_add_test(rest, balanced);
    tcase_add_test(rest, refused);
    return suite;
}
