/* SPDX-License-Identifier: Apache-2.0 */
/* Plans with a skin in simulations: atoms move a little from call to call, boxes change, positions
 * are wrong. Every call gives the bits of a new plan, and agrees with the oracle. */
#include "harness.h"

#include <math.h>
#include <string.h>

#include "coordination/kept.h"
#include "testkit/rng.h"

#define STEPS 9
#define SKIN  0.04

typedef struct walk {
    bed bed;
    mote_rng rng;
    mote_system system;
    mote_coordination_options options;
    mote_coordination *plan;
    unsigned kept, made;
} walk;

/* Returns whether the last call made new lists. */
static bool made_lists(const walk *w)
{
    uint32_t state[2];
    ck_assert_ptr_nonnull(w->plan->kept);
    ck_assert_int_eq(clEnqueueReadBuffer(w->bed.in_order, w->plan->kept->state, CL_TRUE, 0,
                                         sizeof(state), state, 0, NULL, NULL),
                     CL_SUCCESS);
    return state[0] == state[1];
}

static void move(walk *w, double most)
{
    for (size_t i = 0; i < 3 * w->system.n_atoms; i++)
        w->system.positions[i] += most * ((double)mote_rng_below(&w->rng, 2001) / 1000.0 - 1.0);
}

static mote_coordination_result run(walk *w, const mote_coordination *plan)
{
    char message[MESSAGE_SIZE] = "";
    mote_coordination_result result;
    ck_assert_msg(mote_coordination_run(w->bed.ctx, w->bed.in_order, &w->system, plan, &w->options,
                                        &result, message, sizeof(message)),
                  "%s", message);
    return result;
}

static void check_bits(const char *what, const double *a, const double *b, size_t count)
{
    ck_assert_msg(!a || memcmp(a, b, count * sizeof(*a)) == 0, "%s differ from a new plan's", what);
}

/* Makes a call with the walk's plan and with a new one. */
static void step(walk *w, bool good)
{
    mote_coordination *fresh;
    bed_ok(mote_coordination_share_of(w->bed.ctx, &w->system, &w->options, 0, &fresh));
    mote_coordination_result r = run(w, w->plan), other = run(w, fresh);
    *(made_lists(w) ? &w->made : &w->kept) += 1;
    ck_assert_int_eq(r.status, other.status);
    ck_assert_int_eq(r.status, good ? MOTE_SUCCESS : MOTE_ERROR_POSITION);
    if (good) {
        check_bits("values", r.value, other.value, 1);
        check_bits("virials", r.virial, other.virial, 9);
        check_bits("derivatives", r.derivatives, other.derivatives, 3 * r.rows);
        check_bits("numbers", r.coordination, other.coordination, r.entries);
        check_run(&w->bed, w->bed.any_order, "with a skin", &w->system, &w->options);
    }
    mote_coordination_result_free(&r);
    mote_coordination_result_free(&other);
    mote_coordination_release(fresh);
}

/* Moves atoms, once so far that lists must be made, one of them by a lattice vector and back,
 * changes the box, and spoils a position. */
static void walk_steps(walk *w)
{
    mote_system *s = &w->system;
    for (int k = 0; k < STEPS; k++) {
        move(w, k == 2 ? SKIN : SKIN / 20);
        if (k == 4 && s->pbc != MOTE_PBC_NONE)
            for (size_t i = 0; i < 9; i++)
                s->box[i] *= 1.001;
        for (size_t i = 0; i < 3 && s->pbc != MOTE_PBC_NONE; i++)
            s->positions[3 + i] += (k % 2 ? -1 : 1) * s->box[3 + i];
        double *spoilt = s->positions + 3 * mote_system_atom(s, 0), was = *spoilt;
        if (k == 6)
            *spoilt = NAN;
        step(w, k != 6);
        *spoilt = was;
    }
}

/* Some lists are too short. */
static const char *const tunes[] = {
    "coordination.form=gpu,coordination.group=16",
    "coordination.form=gpu,coordination.group=16,coordination.slices=3,coordination.skin_list=5",
};

static void check_walk(size_t tune, size_t k)
{
    walk w = {.options = {.precision = (mote_precision)(k % 3),
                          .method = MOTE_COORDINATION_CELLS,
                          .weights = k % 4 == 3 ? MOTE_FLOAT64 : MOTE_TYPE_NONE,
                          .skin = SKIN}};
    mote_system_recipe recipe = {.n_atoms = 150,
                                 .frames = 1,
                                 .lattice = k % 3 == 2 ? MOTE_LATTICE_SKEWED : MOTE_LATTICE_CUBE,
                                 .groups = (mote_groups_kind)(k % MOTE_GROUPS_PAIR),
                                 .layout = k % 5 ? MOTE_LAYOUT_UNIFORM : MOTE_LAYOUT_CLUSTERED,
                                 .pbc = (mote_pbc)((k + 1) % 3),
                                 .function = functions[0],
                                 .seed = k};
    bed_open(&w.bed, tunes[tune]);
    mote_rng_seed(&w.rng, k);
    recipe.function.r_0 = 0.1;
    recipe.function.d_max = 0.25;
    ck_assert(mote_system_random(&w.system, &recipe));
    w.system.weighted = w.options.weights != MOTE_TYPE_NONE;
    if (mote_coordination_options_fit(w.bed.ctx, &w.options)) {
        bed_ok(mote_coordination_share_of(w.bed.ctx, &w.system, &w.options, 0, &w.plan));
        walk_steps(&w);
        ck_assert_msg(w.kept >= 3 && w.made >= 2, "%u calls kept their lists, and %u made them",
                      w.kept, w.made);
        mote_coordination_release(w.plan);
    }
    mote_system_free(&w.system);
    bed_close(&w.bed);
}

/* The precision, box, lists and tuning of a case change together, so that few programs are built.
 */
START_TEST(walks)
{
    check_walk((size_t)_i % COUNT(tunes), (size_t)_i);
}
END_TEST

/* A call in another precision, between calls that keep lists, makes new ones; so does a call after
 * one that has failed. */
START_TEST(other_calls)
{
    walk w = {.options = {.method = MOTE_COORDINATION_CELLS, .skin = SKIN}};
    mote_system_recipe recipe = {.n_atoms = 90,
                                 .frames = 1,
                                 .pbc = MOTE_PBC_ORTHORHOMBIC,
                                 .function = functions[0],
                                 .seed = 8};
    bed_open(&w.bed, tunes[0]);
    recipe.function.r_0 = 0.1;
    recipe.function.d_max = 0.25;
    ck_assert(mote_system_random(&w.system, &recipe));
    bed_ok(mote_coordination_share_of(w.bed.ctx, &w.system, &w.options, 0, &w.plan));
    step(&w, true);
    step(&w, true);
    ck_assert_uint_eq(w.made, 1);
    ck_assert_uint_eq(w.kept, 1);
    atomic_fetch_add(&w.plan->kept->calls, 1); /* a call of which no launch was enqueued */
    step(&w, true);
    ck_assert_uint_eq(w.made, 2);
    double side = w.system.box[0];
    w.system.box[0] *= w.bed.ctx->device.has_fp64 ? 1e6 : 1.0;
    step(&w, true);
    w.system.box[0] = side;
    step(&w, true);
    ck_assert_uint_eq(w.made, w.bed.ctx->device.has_fp64 ? 4 : 2);
    mote_coordination_release(w.plan);
    mote_system_free(&w.system);
    bed_close(&w.bed);
}
END_TEST

Suite *skin_suite(void)
{
    Suite *suite = suite_create("skin");
    TCase *some = suite_case(suite, "some", NULL),
          *rest = suite_case(suite, "rest", SUITE_THOROUGH);
    suite_split(some, rest, walks, 2, 12);
    tcase_add_test(some, other_calls);
    return suite;
}
