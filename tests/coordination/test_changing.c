/* SPDX-License-Identifier: Apache-2.0 */
/* Another thread changes lists, boxes and positions during a call. The results are then
 * unspecified, but the call must use the values that it has checked, so that it accesses nothing
 * outside of its arrays. */
#include "harness.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define ATOMS ((size_t)3000)
#define PLANS 5000
#define CALLS 400

typedef struct changing {
    uint32_t *list;
    double *positions, box[9];
    atomic_bool stop;
    pthread_t thread;
} changing;

/* Writes bad and good values in turn. The pointers are volatile, so that the compiler keeps both
 * writes. */
static void *change(void *of)
{
    changing *c = of;
    volatile uint32_t *list = c->list;
    volatile double *x = c->positions, *side = &c->box[4];
    for (size_t turn = 0; !atomic_load(&c->stop); turn++) {
        size_t k = turn / 64 % ATOMS; /* one entry at a time, so that most calls pass the checks */
        list[k] = UINT32_MAX - (uint32_t)turn % 64 * 65536;
        *side = turn % 2 ? NAN : 0.0;
        x[3 * k] = turn % 3 ? NAN : 1e300;
        for (int wait = 0; wait < 100; wait++)
            *side = turn % 2 ? NAN : 0.0;
        list[k] = (uint32_t)k;
        *side = 4.0;
        x[3 * k] = 1.0;
        for (int wait = 0; wait < 100; wait++)
            *side = 4.0;
    }
    return NULL;
}

static void start(changing *c)
{
    *c = (changing){.box = {[0] = 4.0, [4] = 4.0, [8] = 4.0}};
    c->list = calloc(ATOMS, sizeof(*c->list));
    c->positions = calloc(3 * ATOMS, sizeof(*c->positions));
    ck_assert(c->list && c->positions);
    for (size_t k = 0; k < ATOMS; k++)
        c->list[k] = (uint32_t)k, c->positions[3 * k + 1] = 0.001 * (double)k;
    ck_assert_int_eq(pthread_create(&c->thread, NULL, change, c), 0);
}

static void end(changing *c)
{
    atomic_store(&c->stop, true);
    pthread_join(c->thread, NULL);
    free(c->list);
    free(c->positions);
}

static mote_coordination_plan_args plan_args(void)
{
    mote_coordination_plan_args args;
    mote_coordination_plan_args_init(&args);
    args.function = (mote_switch){.size = sizeof(args.function), .r_0 = 0.1, .d_max = 0.3};
    args.n_atoms = ATOMS;
    return args;
}

START_TEST(lists)
{
    changing c;
    bed b;
    bed_open(&b, NULL);
    start(&c);
    mote_coordination_plan_args args = plan_args();
    args.group_a = c.list;
    args.n_a = ATOMS;
    for (int k = 0; k < PLANS; k++) {
        mote_coordination *plan;
        args.shares = k % 2 ? 2 : 0;
        mote_status status = mote_coordination_create(b.ctx, &args, &plan);
        ck_assert_msg(!status || status == MOTE_ERROR_INVALID_ARGUMENT, "%s", mote_last_error());
        mote_coordination_release(plan);
    }
    end(&c);
    bed_close(&b);
}
END_TEST

/* _i: index of the form. */
START_TEST(boxes_and_positions)
{
    static const char *const forms[] = {"coordination.form=cpu", "coordination.form=gpu"};
    changing c;
    mote_coordination *plan;
    mote_host *host;
    bed b;
    bed_open(&b, forms[_i]);
    mote_coordination_plan_args args = plan_args();
    args.pbc = MOTE_PBC_ORTHORHOMBIC;
    args.method = MOTE_COORDINATION_CELLS;
    bed_ok(mote_coordination_create(b.ctx, &args, &plan));
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    start(&c);
    for (int k = 0; k < CALLS; k++) {
        double value;
        mote_coordination_host_args call;
        mote_coordination_host_args_init(&call);
        call.plan = plan;
        call.positions64 = c.positions;
        call.box = c.box;
        call.value = &value;
        mote_status status = mote_coordination_host(b.ctx, host, &call);
        ck_assert_msg(!status || status == MOTE_ERROR_BOX || status == MOTE_ERROR_POSITION, "%s",
                      mote_last_error());
    }
    end(&c);
    mote_host_release(host);
    mote_coordination_release(plan);
    bed_close(&b);
}
END_TEST

Suite *changing_suite(void)
{
    Suite *suite = suite_create("changing");
    TCase *cases = tcase_create("changing");
    tcase_add_test(cases, lists);
    tcase_add_loop_test(cases, boxes_and_positions, 0, 2);
    tcase_set_timeout(cases, 0);
    suite_add_tcase(suite, cases);
    return suite;
}
