/* SPDX-License-Identifier: Apache-2.0 */
/* Plain arrays in and out. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
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

/* Arrays for all outputs, filled with what no result is. */
typedef struct outputs {
    double *value, *virial, *derivatives, *coordination;
    float *derivatives32;
} outputs;

static void *filled(size_t bytes)
{
    void *memory = malloc(bytes + 64);
    ck_assert_ptr_nonnull(memory);
    memset(memory, 0x7e, bytes + 64);
    return memory;
}

/* Nothing was written behind an array. */
static void check_end(const void *memory, size_t bytes)
{
    const unsigned char *end = (const unsigned char *)memory + bytes;
    for (int i = 0; i < 64; i++)
        ck_assert_int_eq(end[i], 0x7e);
}

static outputs make_outputs(const mote_system *s, size_t rows)
{
    size_t f = s->frames;
    return (outputs){.value = filled(f * 8),
                     .virial = filled(9 * f * 8),
                     .derivatives = filled(3 * f * rows * 8),
                     .derivatives32 = filled(3 * f * rows * 4),
                     .coordination = filled(f * mote_system_entries(s) * 8)};
}

static void free_outputs(outputs *o, const mote_system *s, size_t rows)
{
    size_t f = s->frames;
    check_end(o->value, f * 8);
    check_end(o->virial, 9 * f * 8);
    check_end(o->derivatives, 3 * f * rows * 8);
    check_end(o->derivatives32, 3 * f * rows * 4);
    check_end(o->coordination, f * mote_system_entries(s) * 8);
    free(o->value);
    free(o->virial);
    free(o->derivatives);
    free(o->derivatives32);
    free(o->coordination);
}

static float *floats_of(const double *from, size_t count)
{
    float *to = filled(count * sizeof(float));
    for (size_t i = 0; i < count; i++)
        to[i] = (float)from[i];
    return to;
}

/* A call in the way of `how`: its precision, its types of positions and derivatives, rows. */
static void call_host(bed *b, mote_host *host, const mote_system *s,
                      const mote_coordination_how *how, outputs *o)
{
    mote_coordination *plan;
    mote_coordination_host_args args;
    float *x32 = how->positions32 ? floats_of(s->positions, 3 * s->frames * s->n_atoms) : NULL;
    bed_ok(mote_coordination_plan_of(b->ctx, s, how->precision, how->method, &plan));
    mote_coordination_host_args_init(&args);
    args.plan = plan;
    args.frames = s->frames;
    args.positions64 = x32 ? NULL : s->positions;
    args.positions32 = x32;
    args.box = s->pbc == MOTE_PBC_NONE ? NULL : s->box;
    args.value = how->without & MOTE_WITHOUT_VALUE ? NULL : o->value;
    args.virial = how->without & MOTE_WITHOUT_VIRIAL ? NULL : o->virial;
    args.coordination = how->without & MOTE_WITHOUT_COORDINATION ? NULL : o->coordination;
    args.derivatives_of = how->of;
    if (how->derivatives32)
        args.derivatives32 = o->derivatives32;
    else if (!(how->without & MOTE_WITHOUT_DERIVATIVES))
        args.derivatives64 = o->derivatives;
    bed_ok(mote_coordination_host(b->ctx, host, &args));
    mote_coordination_release(plan);
    free(x32);
}

static void check_host(bed *b, mote_host *host, const mote_system *given,
                       const mote_coordination_how *how)
{
    char message[MESSAGE_SIZE] = "";
    mote_truth truth;
    mote_system s = copy_of(given);
    mote_system_round(&s, how->positions32, false);
    size_t rows = how->of == MOTE_DERIVATIVES_ATOM ? s.n_atoms : mote_system_entries(&s);
    outputs o = make_outputs(&s, rows);
    ck_assert(mote_truth_make(&truth, &s, blur_of(&s, how)));
    call_host(b, host, &s, how, &o);
    for (size_t i = 0; how->derivatives32 && i < 3 * s.frames * rows; i++)
        o.derivatives[i] = o.derivatives32[i];
    bool no_derivatives = how->without & MOTE_WITHOUT_DERIVATIVES && !how->derivatives32;
    mote_coordination_result result = {
        .frames = s.frames,
        .rows = rows,
        .entries = mote_system_entries(&s),
        .value = how->without & MOTE_WITHOUT_VALUE ? NULL : o.value,
        .virial = how->without & MOTE_WITHOUT_VIRIAL ? NULL : o.virial,
        .derivatives = no_derivatives ? NULL : o.derivatives,
        .coordination = how->without & MOTE_WITHOUT_COORDINATION ? NULL : o.coordination,
    };
    ck_assert_msg(mote_coordination_compare(&s, &truth, how, &result, relative_of(how->precision),
                                            NULL, message, sizeof(message)),
                  "%s", message);
    free_outputs(&o, &s, rows);
    mote_truth_free(&truth);
    mote_system_free(&s);
}

/* Systems of many kinds, one host for all of them and every size. */
START_TEST(random_systems)
{
    bed b;
    mote_host *host;
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
        mote_coordination_how how = {.precision = (mote_precision)(k / 4 % 3),
                                     .of = (mote_derivatives_of)(k / 3 % 2),
                                     .positions32 = k % 5 == 4 && recipe.layout != MOTE_LAYOUT_FAR,
                                     .derivatives32 = k % 4 == 1,
                                     .without = (unsigned)k / 3};
        if (recipe.pbc == MOTE_PBC_ORTHORHOMBIC)
            recipe.lattice = MOTE_LATTICE_ORTHORHOMBIC;
        if (how.precision == MOTE_PRECISION_DOUBLE && _i == 1)
            how.precision = MOTE_PRECISION_SINGLE;
        ck_assert(mote_system_random(&s, &recipe));
        check_host(&b, k % 8 ? host : NULL, &s, &how);
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

/* Differences of the positions that count survive rounding, whatever was added to all of them. */
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
