/* SPDX-License-Identifier: Apache-2.0 */
/* A device without double precision: value and virial are pairs of floats, and the host recentres.
 */
#include "harness.h"

#include <math.h>
#include <string.h>

#include "core/context.h"

static const char *const forms[] = {"coordination.form=cpu", "coordination.form=gpu"};

/* Disables double precision of the device, so that kernels are built without it. */
static void open_narrow(bed *b, const char *tune)
{
    bed_open(b, tune);
    b->ctx->device.has_fp64 = 0;
}

static void make(mote_system *s, int k)
{
    mote_system_recipe recipe = {
        .n_atoms = 30 + 41 * (size_t)(k % 3),
        .frames = 1 + (size_t)(k % 2),
        .layout = k % 4 == 2 ? MOTE_LAYOUT_CLUSTERED : MOTE_LAYOUT_UNIFORM,
        .lattice = k % 3 == 1 ? MOTE_LATTICE_ORTHORHOMBIC : MOTE_LATTICE_LEFT,
        .groups = (mote_groups_kind)(k % MOTE_GROUPS),
        .pbc = (mote_pbc)(k % 3),
        .function = functions[(size_t)(k % 5) * 4],
        .seed = 300u + (uint64_t)k,
    };
    ck_assert(mote_system_random(s, &recipe));
}

START_TEST(pairs_of_floats)
{
    bed b;
    open_narrow(&b, forms[_i]);
    for (int k = 0; k < 16; k++) {
        mote_system s;
        make(&s, k);
        bool boxed = s.pbc != MOTE_PBC_NONE && k % 4 > 1;
        mote_coordination_options options = {
            .precision = k % 2 ? MOTE_PRECISION_SINGLE : MOTE_PRECISION_MIXED,
            .method = isinf(s.function.d_max) ? MOTE_COORDINATION_AUTO
                                              : methods[(size_t)k / 2 % COUNT(methods)],
            .of = (mote_derivatives_of)(k / 3 % 2),
            .positions32 = true,
            .derivatives32 = true,
            .coordination32 = true,
            .box_device = boxed ? MOTE_FLOAT32 : MOTE_TYPE_NONE,
            .accumulate = k % 5 == 4,
            .factor = k % 5 == 4 ? -1.5 : 0.0,
            .workspace = k % 7 == 3,
        };
        check_run(&b, b.any_order, "without double precision", &s, &options);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Sums in two floats are more accurate than in one: many equal terms. */
START_TEST(more_than_one_float)
{
    bed b;
    open_narrow(&b, forms[_i]);
    mote_system s;
    mote_coordination *plan;
    mote_coordination_result r;
    mote_coordination_options options = {.positions32 = true, .without = 14};
    char message[MESSAGE_SIZE];
    ck_assert(mote_system_make(&s, 3000, 1));
    s.pbc = MOTE_PBC_NONE;
    s.function = functions[10]; /* all atoms at one position: each pair counts exactly 1 */
    bed_ok(mote_coordination_plan_of(b.ctx, &s, MOTE_PRECISION_MIXED, 0, &plan));
    ck_assert_msg(
        mote_coordination_run(b.ctx, b.in_order, &s, plan, &options, &r, message, sizeof(message)),
        "%s", message);
    ck_assert_msg(r.value[0] == 3000.0 * 2999.0 / 2.0, "%.17g", r.value[0]);
    mote_coordination_result_free(&r);
    mote_coordination_release(plan);
    mote_system_free(&s);
    bed_close(&b);
}
END_TEST

/* Tests arrays of doubles on the host: differences far from the origin survive rounding. */
START_TEST(from_the_host)
{
    bed b;
    open_narrow(&b, forms[_i]);
    for (int k = 0; k < 12; k++) {
        mote_system s;
        char message[MESSAGE_SIZE];
        make(&s, k);
        for (size_t i = 0; i < 3 * s.frames * s.n_atoms; i++)
            s.positions[i] += s.pbc == MOTE_PBC_NONE ? 1000.0 : 0.0;
        mote_coordination_options options = {.precision = MOTE_PRECISION_MIXED};
        ck_assert_msg(
            mote_coordination_check_plain(b.ctx, NULL, &s, &options, message, sizeof(message)),
            "system %d: %s", k, message);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Calls that need double precision report this. */
START_TEST(unsupported)
{
    bed b;
    open_narrow(&b, forms[_i]);
    mote_system s;
    mote_coordination *plan;
    mote_coordination_args args;
    ck_assert(mote_system_liquid(&s, 10));
    ck_assert_int_eq(mote_coordination_plan_of(b.ctx, &s, MOTE_PRECISION_DOUBLE, 0, &plan),
                     MOTE_ERROR_UNSUPPORTED);
    ck_assert_ptr_null(plan);
    bed_ok(mote_coordination_plan_of(b.ctx, &s, MOTE_PRECISION_MIXED, 0, &plan));
    cl_int code;
    cl_mem mem = clCreateBuffer(mote_context_cl(b.ctx), CL_MEM_READ_WRITE, 4096, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    for (int k = 0; k < 3; k++) {
        mote_coordination_args_init(&args);
        args.plan = plan;
        args.box = s.box;
        args.positions = mote_view_make(mem, 30, k == 0 ? MOTE_FLOAT64 : MOTE_FLOAT32);
        if (k == 1)
            args.derivatives = mote_view_make(mem, 30, MOTE_FLOAT64);
        if (k == 2)
            args.value = mote_view_make(mem, 1, MOTE_FLOAT64);
        mote_status status = mote_coordination_compute(b.ctx, b.in_order, &args, 0, NULL, NULL);
        ck_assert_msg(status == MOTE_ERROR_UNSUPPORTED, "%d: %s", k, mote_last_error());
    }
    clReleaseMemObject(mem);
    mote_coordination_release(plan);
    mote_system_free(&s);
    bed_close(&b);
}
END_TEST

Suite *narrow_suite(void)
{
    Suite *suite = suite_create("narrow");
    for (int form = 0; form < 2; form++) {
        TCase *cases = tcase_create(form ? "gpu" : "cpu");
        tcase_add_loop_test(cases, pairs_of_floats, form, form + 1);
        tcase_add_loop_test(cases, more_than_one_float, form, form + 1);
        tcase_add_loop_test(cases, from_the_host, form, form + 1);
        tcase_add_loop_test(cases, unsupported, form, form + 1);
        tcase_set_timeout(cases, 0);
        suite_add_tcase(suite, cases);
    }
    return suite;
}
