/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of calls: types, strides, outputs, events, workspaces, batches, repetition. */
#include "harness.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "testkit/rng.h"

static const char *const forms[] = {"coordination.form=cpu", "coordination.form=gpu"};

static mote_system make(uint64_t seed, mote_pbc pbc, mote_groups_kind groups)
{
    mote_system s;
    mote_system_recipe recipe = {
        .n_atoms = 75,
        .frames = 3,
        .lattice = pbc == MOTE_PBC_TRICLINIC ? MOTE_LATTICE_TRICLINIC : MOTE_LATTICE_ORTHORHOMBIC,
        .groups = groups,
        .pbc = pbc,
        .function = functions[0],
        .seed = seed,
    };
    ck_assert(mote_system_random(&s, &recipe));
    return s;
}

/* Tests every combination of element types, strides and treatments of derivatives, at random. */
START_TEST(every_view)
{
    static const mote_type boxes[] = {MOTE_TYPE_NONE, MOTE_FLOAT32, MOTE_FLOAT64};
    static const double factors[] = {0.0, 1.0, -2.5, 1e-3, 300.0};
    bed b;
    mote_rng rng;
    bed_open(&b, forms[_i]);
    mote_rng_seed(&rng, 3);
    for (int k = 0; k < 60; k++) {
        mote_pbc pbc = (mote_pbc)mote_rng_below(&rng, 3);
        mote_system s = make((uint64_t)k, pbc, (mote_groups_kind)mote_rng_below(&rng, MOTE_GROUPS));
        mote_coordination_options options = {
            .precision = (mote_precision)mote_rng_below(&rng, 3),
            .method = methods[mote_rng_below(&rng, COUNT(methods))],
            .of = (mote_derivatives_of)mote_rng_below(&rng, 2),
            .positions32 = mote_rng_below(&rng, 2),
            .derivatives32 = mote_rng_below(&rng, 2),
            .coordination32 = mote_rng_below(&rng, 2),
            .positions_by_4 = mote_rng_below(&rng, 2),
            .derivatives_by_4 = mote_rng_below(&rng, 2),
            .box_device = pbc == MOTE_PBC_NONE ? MOTE_TYPE_NONE : boxes[mote_rng_below(&rng, 3)],
            .accumulate = mote_rng_below(&rng, 2),
            .factor = factors[mote_rng_below(&rng, COUNT(factors))],
            .gated = mote_rng_below(&rng, 2),
            .workspace = mote_rng_below(&rng, 2),
        };
        check_run(&b, k % 2 ? b.in_order : b.any_order, "every view", &s, &options);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Any outputs may be omitted, even all. */
START_TEST(fewer_outputs)
{
    bed b;
    bed_open(&b, forms[_i]);
    mote_system s = make(1, MOTE_PBC_ORTHORHOMBIC, MOTE_GROUPS_OVERLAP);
    for (unsigned without = 0; without < 16; without++)
        for (int precision = 0; precision < 3; precision++) {
            mote_coordination_options options = {
                .precision = (mote_precision)precision,
                .method = methods[(without + (size_t)precision) % COUNT(methods)],
                .without = without};
            check_run(&b, b.in_order, "fewer outputs", &s, &options);
        }
    mote_system_free(&s);
    bed_close(&b);
}
END_TEST

static void check_same(const char *what, const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(memcmp(&a[i], &b[i], sizeof(*a)) == 0, "%s %zu: %.17g, then %.17g", what, i,
                      a[i], b[i]);
}

/* Tests that repeated calls give the same bits, on any queue, even while other calls run. */
START_TEST(same_bits)
{
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 18; k++) {
        char message[MESSAGE_SIZE];
        mote_system s = make(40, (mote_pbc)(k % 3), (mote_groups_kind)(k % MOTE_GROUPS));
        mote_coordination_options options = {.precision = (mote_precision)(k / 3 % 3),
                                             .method = methods[k / 9]};
        mote_coordination *plan;
        mote_coordination_result first, again;
        bed_ok(mote_coordination_plan_of(b.ctx, &s, options.precision, options.method, &plan));
        for (int run = 0; run < 5; run++) {
            options.gated = run == 3;
            options.workspace = run == 4;
            ck_assert_msg(mote_coordination_run(b.ctx, run % 2 ? b.any_order : b.in_order, &s, plan,
                                                &options, run ? &again : &first, message,
                                                sizeof(message)),
                          "%s", message);
            if (run == 0)
                continue;
            size_t f = s.frames;
            check_same("value", first.value, again.value, f);
            check_same("virial", first.virial, again.virial, 9 * f);
            check_same("derivative", first.derivatives, again.derivatives, 3 * f * first.rows);
            check_same("number", first.coordination, again.coordination, f * first.entries);
            mote_coordination_result_free(&again);
        }
        mote_coordination_result_free(&first);
        mote_coordination_release(plan);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Tests batches of one frame, of a few, and of more than fill any launch, with few atoms in each.
 */
START_TEST(batches)
{
    static const size_t frames[] = {1, 2, 7, 64, 1000};
    bed b;
    bed_open(&b, forms[_i]);
    for (size_t i = 0; i < COUNT(frames) * COUNT(methods); i++) {
        size_t k = i % COUNT(frames);
        mote_system s;
        mote_system_recipe recipe = {.n_atoms = 11,
                                     .frames = frames[k],
                                     .lattice = MOTE_LATTICE_SKEWED,
                                     .groups = (mote_groups_kind)(k % MOTE_GROUPS),
                                     .pbc = k % 2 ? MOTE_PBC_TRICLINIC : MOTE_PBC_NONE,
                                     .function = functions[0],
                                     .seed = k};
        mote_coordination_options options = {.precision = (mote_precision)(k % 3),
                                             .method = methods[i / COUNT(frames)],
                                             .of = k % 2};
        ck_assert(mote_system_random(&s, &recipe));
        check_run(&b, b.any_order, "batches", &s, &options);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* ---- preparing ------------------------------------------------------------------------------- */

static mote_view nowhere(size_t count, mote_type type)
{
    return (mote_view){.count = count, .type = type};
}

/* After mote_prepare(), a call builds no program and allocates no memory. This holds as well if the
 * box is set afterwards and is so large that pairs are computed in double precision. */
static void check_prepared(const char *form, bool box_follows)
{
    bed b;
    bed_open(&b, form);
    mote_system s = make(5, MOTE_PBC_ORTHORHOMBIC, MOTE_GROUPS_ALL);
    mote_coordination *plan;
    mote_coordination_args args;
    mote_memory before, after;
    size_t bytes = 0, numbers = s.frames * s.n_atoms;
    bed_ok(mote_coordination_plan_of(b.ctx, &s, MOTE_PRECISION_MIXED, 0, &plan));
    mote_coordination_args_init(&args);
    args.plan = plan;
    args.frames = s.frames;
    args.positions = nowhere(3 * numbers, MOTE_FLOAT64);
    args.box = box_follows ? NULL : s.box;
    for (size_t k = 0; box_follows && k < 9 * s.frames; k++)
        s.box[k] *= 1e7;
    args.value = nowhere(s.frames, MOTE_FLOAT64);
    args.virial = nowhere(9 * s.frames, MOTE_FLOAT64);
    args.derivatives = nowhere(3 * numbers, MOTE_FLOAT64);
    args.coordination = nowhere(numbers, MOTE_FLOAT64);
    bed_ok(mote_prepare(b.ctx, MOTE_OPERATION_COORDINATION, &args));
    bed_ok(mote_coordination_workspace_size(b.ctx, &args, &bytes));
    mote_memory_init(&before);
    mote_memory_init(&after);
    bed_ok(mote_context_memory(b.ctx, &before));
    mote_coordination_options options = {0};
    mote_coordination_result result;
    char message[MESSAGE_SIZE];
    ck_assert_msg(mote_coordination_run(b.ctx, b.in_order, &s, plan, &options, &result, message,
                                        sizeof(message)),
                  "%s", message);
    bed_ok(mote_context_memory(b.ctx, &after));
    ck_assert_mem_eq(&before, &after, sizeof(before));
    mote_coordination_result_free(&result);
    mote_coordination_release(plan);
    mote_system_free(&s);
    bed_close(&b);
}

START_TEST(prepared)
{
    check_prepared(forms[_i], false);
}
END_TEST

START_TEST(prepared_before_the_box)
{
    check_prepared(forms[_i], true);
}
END_TEST

/* A plan may be released while its calls still wait, and used by several threads. */
START_TEST(released_early)
{
    bed b;
    cl_int code;
    cl_event done = NULL;
    double value = 0.0;
    bed_open(&b, forms[_i]);
    mote_system s;
    ck_assert(mote_system_liquid(&s, 150));
    mote_coordination *plan;
    mote_coordination_args args;
    mote_truth truth;
    ck_assert(mote_truth_make(&truth, &s, 1e-7));
    cl_context cl = mote_context_cl(b.ctx);
    cl_event gate = clCreateUserEvent(cl, &code);
    cl_mem x = clCreateBuffer(cl, CL_MEM_COPY_HOST_PTR, 3 * s.n_atoms * sizeof(double), s.positions,
                              &code);
    cl_mem out = clCreateBuffer(cl, CL_MEM_READ_WRITE, sizeof(double), NULL, &code);
    ck_assert(gate && x && out);
    bed_ok(mote_coordination_plan_of(b.ctx, &s, MOTE_PRECISION_MIXED, 0, &plan));
    mote_coordination_args_init(&args);
    args.plan = plan;
    args.positions = mote_view_make(x, 3 * s.n_atoms, MOTE_FLOAT64);
    args.box = s.box;
    args.value = mote_view_make(out, 1, MOTE_FLOAT64);
    bed_ok(mote_coordination_compute(b.ctx, b.any_order, &args, 1, &gate, &done));
    mote_coordination_release(plan);
    clSetUserEventStatus(gate, CL_COMPLETE);
    code = clEnqueueReadBuffer(b.any_order, out, CL_TRUE, 0, sizeof(value), &value, 1, &done, NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert(fabsl(value - truth.value[0].sum) < 1e-5L * truth.value[0].sum);
    clReleaseEvent(gate);
    clReleaseEvent(done);
    clReleaseMemObject(x);
    clReleaseMemObject(out);
    mote_truth_free(&truth);
    mote_system_free(&s);
    bed_close(&b);
}
END_TEST

typedef struct worker {
    bed *b;
    const mote_system *s;
    const mote_coordination *plan;
    bool good;
    double value;
} worker;

static void *work(void *with)
{
    worker *w = with;
    cl_command_queue queue = NULL;
    w->good = mote_context_queue(w->b->ctx, 0, &queue) == MOTE_SUCCESS;
    for (int run = 0; w->good && run < 20; run++) {
        char message[MESSAGE_SIZE];
        mote_coordination_options options = {0};
        mote_coordination_result result;
        w->good = mote_coordination_run(w->b->ctx, queue, w->s, w->plan, &options, &result, message,
                                        sizeof(message));
        if (w->good && run)
            w->good = w->value == result.value[0];
        if (w->good)
            w->value = result.value[0];
        mote_coordination_result_free(&result);
    }
    if (queue)
        clReleaseCommandQueue(queue);
    return NULL;
}

/* Tests a plan that four threads use. */
START_TEST(several_threads)
{
    bed b;
    pthread_t threads[4];
    worker workers[4];
    bed_open(&b, forms[_i]);
    mote_system s = make(8, MOTE_PBC_TRICLINIC, MOTE_GROUPS_TWO);
    mote_coordination *plan;
    bed_ok(mote_coordination_plan_of(b.ctx, &s, MOTE_PRECISION_MIXED, 0, &plan));
    for (size_t k = 0; k < 4; k++) {
        workers[k] = (worker){.b = &b, .s = &s, .plan = plan};
        ck_assert_int_eq(pthread_create(&threads[k], NULL, work, &workers[k]), 0);
    }
    for (size_t k = 0; k < 4; k++)
        pthread_join(threads[k], NULL);
    for (size_t k = 0; k < 4; k++)
        ck_assert(workers[k].good && workers[k].value == workers[0].value);
    mote_coordination_release(plan);
    mote_system_free(&s);
    bed_close(&b);
}
END_TEST

Suite *calls_suite(void)
{
    Suite *suite = suite_create("calls");
    for (int form = 0; form < 2; form++) {
        TCase *cases = tcase_create(form ? "gpu" : "cpu");
        tcase_add_loop_test(cases, every_view, form, form + 1);
        tcase_add_loop_test(cases, fewer_outputs, form, form + 1);
        tcase_add_loop_test(cases, same_bits, form, form + 1);
        tcase_add_loop_test(cases, batches, form, form + 1);
        tcase_add_loop_test(cases, prepared, form, form + 1);
        tcase_add_loop_test(cases, prepared_before_the_box, form, form + 1);
        tcase_add_loop_test(cases, released_early, form, form + 1);
        tcase_add_loop_test(cases, several_threads, form, form + 1);
        tcase_set_timeout(cases, 0);
        suite_add_tcase(suite, cases);
    }
    return suite;
}
