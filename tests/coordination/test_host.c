/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on plain arrays. */
#include "harness.h"

#include <math.h>
#include <string.h>

#include "coordination/recentre.h"
#include "core/context.h"

/* The second turn uses a device without double precision, for which the host recentres
 * positions. */
static const char *const tunes[] = {"coordination.form=cpu", "coordination.form=cpu",
                                    "coordination.form=gpu"};

static void open_form(bed *b, int k)
{
    bed_open(b, tunes[k]);
    if (k == 1)
        b->ctx->device.has_fp64 = 0;
}

/* Tests systems of many kinds, with one host for all of them and every size. */
START_TEST(random_systems)
{
    bed b;
    mote_host *host;
    char message[MESSAGE_SIZE];
    open_form(&b, _i);
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    for (int k = 0; k < 48; k++) {
        mote_system s;
        mote_system_recipe recipe = {.n_atoms = (size_t)(k * 37 % 150),
                                     .frames = 1 + (size_t)(k % 3),
                                     .layout = (mote_layout)(k % MOTE_LAYOUTS),
                                     .lattice = (mote_lattice)(k % MOTE_LATTICES),
                                     .groups = (mote_groups_kind)(k % MOTE_GROUPS),
                                     .pbc = (mote_pbc)(k / 2 % 3),
                                     .function = functions[k % 4],
                                     .seed = (uint64_t)k};
        mote_coordination_options options = {.precision = (mote_precision)(k / 4 % 3),
                                             .of = (mote_derivatives_of)(k / 3 % 2),
                                             .positions32 =
                                                 k % 5 == 4 && recipe.layout != MOTE_LAYOUT_FAR,
                                             .derivatives32 = k % 4 == 1,
                                             .without = (unsigned)k / 3};
        if (recipe.pbc == MOTE_PBC_ORTHORHOMBIC)
            recipe.lattice = MOTE_LATTICE_ORTHORHOMBIC;
        if (options.precision == MOTE_PRECISION_DOUBLE && _i == 1)
            options.precision = MOTE_PRECISION_SINGLE;
        ck_assert(mote_system_random(&s, &recipe));
        ck_assert_msg(mote_coordination_check_plain(b.ctx, k % 8 ? host : NULL, &s, &options,
                                                    message, sizeof(message)),
                      "system %d: %s", k, message);
        mote_system_free(&s);
    }
    mote_host_release(host);
    bed_close(&b);
}
END_TEST

/* ---- what is refused ------------------------------------------------------------------------- */

#define ATOMS 5

typedef struct sample {
    double x[2 * 3 * ATOMS], box[18], derivatives[2 * 3 * ATOMS];
    float x32[2 * 3 * ATOMS], derivatives32[2 * 3 * ATOMS];
    mote_coordination_host_args args;
} sample;

static mote_coordination *make_plan(bed *b, mote_pbc pbc)
{
    mote_coordination_plan_args args;
    mote_coordination *plan;
    mote_coordination_plan_args_init(&args);
    args.function = functions[0];
    args.n_atoms = ATOMS;
    args.pbc = pbc;
    bed_ok(mote_coordination_create(b->ctx, &args, &plan));
    return plan;
}

static void make_sample(sample *s, const mote_coordination *plan)
{
    *s = (sample){0};
    for (size_t i = 0; i < 2 * 3 * ATOMS; i++)
        s->x[i] = s->x32[i] = (float)(i % 7);
    for (size_t i = 0; i < 18; i++)
        s->box[i] = i % 9 % 4 == 0;
    mote_coordination_host_args_init(&s->args);
    s->args.plan = plan;
    s->args.frames = 2;
    s->args.positions64 = s->x;
    s->args.box = s->box;
    s->args.derivatives64 = s->derivatives;
}

static void expect(bed *b, const sample *s, mote_status status, const char *says)
{
    mote_status got = mote_coordination_host(b->ctx, NULL, &s->args);
    ck_assert_msg(got == status, "%s: %s", mote_status_name(got), mote_last_error());
    ck_assert_msg(strstr(mote_last_error(), says), "'%s' is not in: %s", says, mote_last_error());
    ck_assert_msg(strstr(mote_last_error(), "mote_coordination_host: "), "%s", mote_last_error());
}

START_TEST(refused)
{
    bed b, other;
    sample s;
    mote_host *host;
    bed_open(&b, "");
    bed_open(&other, "");
    mote_coordination *plan = make_plan(&b, MOTE_PBC_TRICLINIC);
    mote_coordination *foreign = make_plan(&other, MOTE_PBC_NONE);
    make_sample(&s, plan);
    bed_ok(mote_coordination_host(b.ctx, NULL, &s.args));
    s.args.size = 0;
    expect(&b, &s, MOTE_ERROR_INVALID_STRUCT, "mote_coordination_host_args_init");
    make_sample(&s, NULL);
    expect(&b, &s, MOTE_ERROR_INVALID_ARGUMENT, "plan is NULL");
    make_sample(&s, foreign);
    expect(&b, &s, MOTE_ERROR_WRONG_CONTEXT, "plan was made on another");
    make_sample(&s, plan);
    s.args.positions32 = s.x32;
    expect(&b, &s, MOTE_ERROR_INVALID_ARGUMENT, "positions64 and positions32");
    s.args.positions64 = NULL;
    bed_ok(mote_coordination_host(b.ctx, NULL, &s.args));
    s.args.positions32 = NULL;
    expect(&b, &s, MOTE_ERROR_INVALID_ARGUMENT, "positions64 or positions32 is missing");
    make_sample(&s, plan);
    s.args.derivatives32 = s.derivatives32;
    expect(&b, &s, MOTE_ERROR_INVALID_ARGUMENT, "derivatives64 and derivatives32");
    make_sample(&s, plan);
    s.args.derivatives_of = (mote_derivatives_of)2;
    expect(&b, &s, MOTE_ERROR_INVALID_ARGUMENT, "derivatives_of is 2");
    make_sample(&s, plan);
    s.args.box = NULL;
    expect(&b, &s, MOTE_ERROR_INVALID_ARGUMENT, "box is NULL");
    make_sample(&s, plan);
    s.args.frames = SIZE_MAX / 4;
    expect(&b, &s, MOTE_ERROR_UNSUPPORTED, "too many");
    ck_assert_int_eq(mote_coordination_host(NULL, NULL, &s.args), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_coordination_host(b.ctx, NULL, NULL), MOTE_ERROR_INVALID_ARGUMENT);
    bed_ok(mote_host_create(other.ctx, NULL, &host));
    make_sample(&s, plan);
    ck_assert_int_eq(mote_coordination_host(b.ctx, host, &s.args), MOTE_ERROR_WRONG_CONTEXT);
    mote_host_release(host);
    mote_coordination_release(plan);
    mote_coordination_release(foreign);
    bed_close(&other);
    bed_close(&b);
}
END_TEST

/* The sentences name frame, atom and values. */
START_TEST(bad_data)
{
    bed b;
    sample s;
    open_form(&b, _i);
    mote_coordination *plan = make_plan(&b, MOTE_PBC_TRICLINIC);
    for (int wide = 0; wide < 2; wide++) {
        make_sample(&s, plan);
        if (!wide) {
            s.args.positions64 = NULL;
            s.args.positions32 = s.x32;
        }
        s.x[3 * (ATOMS + 3) + 1] = s.x32[3 * (ATOMS + 3) + 1] = NAN;
        s.x[3 * (ATOMS + 4)] = s.x32[3 * (ATOMS + 4)] = NAN;
        expect(&b, &s, MOTE_ERROR_POSITION, "frame 1: the position of atom 3 is (");
        s.x[3 * (ATOMS + 3) + 1] = s.x32[3 * (ATOMS + 3) + 1] = -INFINITY;
        expect(&b, &s, MOTE_ERROR_POSITION, "-inf");
        s.x[0] = s.x32[0] = INFINITY;
        expect(&b, &s, MOTE_ERROR_POSITION, "frame 0: the position of atom 0 is (inf, 1, 2)");
    }
    make_sample(&s, plan);
    s.box[9 + 4] = 0.0;
    expect(&b, &s, MOTE_ERROR_BOX, "frame 1: the box (1 0 0, 0 0 0, 0 0 1) has a vector of");
    s.box[9 + 4] = NAN;
    expect(&b, &s, MOTE_ERROR_BOX, "frame 1: the box (");
    mote_coordination_release(plan);
    bed_close(&b);
}
END_TEST

/* ---- recentring ------------------------------------------------------------------------------ */

/* Differences of the listed positions survive rounding, whatever offset all positions have. */
START_TEST(recentred)
{
    static const uint32_t atoms[] = {7, 2, 2, 11};
    for (int k = 0; k < 3 * MOTE_LATTICES; k++) {
        mote_system s;
        mote_system_recipe recipe = {.n_atoms = 20,
                                     .frames = 1,
                                     .layout = k % 2 ? MOTE_LAYOUT_FAR : MOTE_LAYOUT_OUTSIDE,
                                     .lattice = (mote_lattice)(k % MOTE_LATTICES),
                                     .pbc = (mote_pbc)(k / MOTE_LATTICES),
                                     .seed = (uint64_t)k};
        ck_assert(mote_system_random(&s, &recipe));
        float out[60];
        bool all = k % 4 < 2;
        mote_nearest nearest;
        mote_nearest_make(&nearest, s.pbc, s.box);
        mote_recentre_frame f = {.positions = s.positions,
                                 .box = s.box,
                                 .pbc = s.pbc,
                                 .n_atoms = 20,
                                 .atoms = all ? NULL : atoms,
                                 .count = all ? 20 : COUNT(atoms)};
        if (!all)
            s.positions[0] = NAN;
        ck_assert_uint_eq(mote_recentre(&f, out), SIZE_MAX);
        for (size_t c = 0; c < 3; c++) {
            long double d[3], moved[3];
            for (size_t l = 0; l < 3; l++) {
                d[l] = (long double)s.positions[33 + l] - s.positions[6 + l];
                moved[l] = (long double)out[33 + l] - out[6 + l];
            }
            mote_nearest_image(&nearest, d, 0.0L);
            mote_nearest_image(&nearest, moved, 0.0L);
            ck_assert(fabsl(d[c] - moved[c]) < 3e-5L);
        }
        ck_assert(all || (out[0] == 0.0f && out[4] == 0.0f));
        s.positions[3 * 11 + 2] = INFINITY;
        s.positions[3 * 7] = NAN;
        ck_assert_uint_eq(mote_recentre(&f, out), 7);
        mote_system_free(&s);
    }
}
END_TEST

Suite *host_suite(void)
{
    Suite *suite = suite_create("host");
    TCase *cpu = tcase_create("cpu"), *gpu = tcase_create("gpu");
    int last = (int)COUNT(tunes) - 1;
    tcase_add_loop_test(cpu, random_systems, 0, last);
    tcase_add_loop_test(gpu, random_systems, last, last + 1);
    tcase_add_same_positions(cpu);
    tcase_add_test(cpu, refused);
    tcase_add_loop_test(cpu, bad_data, 0, last);
    tcase_add_loop_test(gpu, bad_data, last, last + 1);
    tcase_add_test(cpu, recentred);
    tcase_set_timeout(cpu, 0);
    tcase_set_timeout(gpu, 0);
    suite_add_tcase(suite, cpu);
    suite_add_tcase(suite, gpu);
    return suite;
}
