/* SPDX-License-Identifier: Apache-2.0 */
/* The pair kernels of every form against plain loops: known values, every function, the shared
 * cases. */
#include "harness.h"

#include "cases/coordination/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const tunes[] = {
    "coordination.form=cpu",
    "coordination.form=gpu",
    "coordination.form=gpu,coordination.load=1",
    "coordination.form=gpu,coordination.group=16,coordination.own=2,coordination.tile=24,"
    "coordination.groups=40,coordination.finish_group=16",
};

#define TUNES (int)COUNT(tunes)

/* Runs a system and compares it with its truth. */
static void check(bed *b, const char *what, const mote_system *s, const mote_truth *truth,
                  const mote_coordination_how *how, double relative, double *worst)
{
    char message[MESSAGE_SIZE];
    mote_coordination *plan;
    mote_coordination_result result;
    ck_assert_msg(!mote_coordination_plan_of(b->ctx, s, how->precision, how->method, &plan), "%s",
                  mote_last_error());
    ck_assert_msg(mote_coordination_run(b->ctx, how->gated ? b->any_order : b->in_order, s, plan,
                                        how, &result, message, sizeof(message)),
                  "%s: %s", what, message);
    ck_assert_msg(!result.status, "%s: %s", what, mote_last_error());
    ck_assert_msg(mote_coordination_compare(s, truth, how, &result, relative, worst, message,
                                            sizeof(message)),
                  "%s: %s", what, message);
    mote_coordination_result_free(&result);
    mote_coordination_release(plan);
}

START_TEST(liquids)
{
    static const struct {
        size_t n_atoms;
        double d_max, value;
    } known[] = {
        {1000, INFINITY, 2981.29333427}, {1000, 0.0, 2976.46448911}, {1000, 0.75, 2760.79394361}};
    bed b;
    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < COUNT(known); k++) {
        mote_system s;
        mote_truth truth;
        ck_assert(mote_system_liquid(&s, known[k].n_atoms));
        s.pbc = MOTE_PBC_ORTHORHOMBIC;
        s.function.d_max = known[k].d_max;
        ck_assert(mote_truth_make(&truth, &s, 1e-7));
        ck_assert(fabsl(truth.value[0].sum / known[k].value - 1.0L) < 1e-11);
        for (int precision = 0; precision < 3; precision++) {
            mote_coordination_how how = {.precision = (mote_precision)precision, .gated = k == 1};
            double worst = 0.0;
            check(&b, "liquid", &s, &truth, &how, precision == 2 ? 1e-13 : 4e-6, &worst);
            printf("# liquid %zu d_max %g precision %d: %g\n", known[k].n_atoms, known[k].d_max,
                   precision, worst);
        }
        mote_truth_free(&truth);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("all_pairs");
    TCase *all = tcase_create("all_pairs");
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, liquids, 0, TUNES);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_set_tap(runner, "-");
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
