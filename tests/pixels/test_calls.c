/* SPDX-License-Identifier: Apache-2.0 */
/* Random calls of every operation on digis, and starts of modules of the table's digis. */
#include <stdlib.h>

#include "harness.h"
#include "testkit/cases/pixels/fill.h"
#include "testkit/operation.h"

#define FORMS 2

static const char *const forms[FORMS] = {"pixels.form=cpu", "pixels.form=gpu"};
static const trial_operation *const all[] = {&trial_clusters, &trial_module_start,
                                             &trial_charge_cut, &trial_cluster_start, NULL};
static const trial_operation *const lists[] = {&trial_cluster_digis, &trial_measure, NULL};
static const trial_operation *const timed[] = {&trial_cluster_time, &trial_decode_timepix3, NULL};

/* Errors that must occur in random calls. */
#define ERRORS 4
static const mote_status errors[ERRORS] = {MOTE_ERROR_CAPACITY, MOTE_ERROR_CLUSTER_ID,
                                           MOTE_ERROR_EVENT_OFFSETS, MOTE_ERROR_MODULE};

/* Makes calls of the first programs of some operations. Returns a bit for each of the errors
 * that was reported. */
static unsigned make_calls(bed *b, const trial_operation *const *operations, size_t programs,
                           uint64_t calls, size_t most, bool gates)
{
    uint64_t made = 0;
    unsigned told = 0;

    for (size_t k = 0; operations[k]; k++)
        for (size_t p = 0; p < programs && operations[k]->programs[p].name; p++)
            for (uint64_t seed = 0; seed < calls; seed++) {
                trial_choices choices = operations[k]->programs[p].choices;
                trial_call c = {.operation = operations[k],
                                .ctx = b->ctx,
                                .choices = &choices,
                                .seed = seed,
                                .size = TRIAL_ANY,
                                .most = most,
                                .gates = gates,
                                .on_host = gates && seed % 5 == 4 && operations[k]->run_host};
                char message[MESSAGE_SIZE];
                bool good = trial_try(&c, gates && seed % 2 ? b->any_order : b->in_order, NULL,
                                      message, sizeof(message));

                ck_assert_msg(good, "%s", message);
                made += !c.impossible;
                for (unsigned e = 0; e < ERRORS; e++)
                    told |= c.told == errors[e] ? 1u << e : 0;
            }
    ck_assert_uint_gt(made, calls);
    return told;
}

START_TEST(random_calls)
{
    bed b;

    bed_open(&b, forms[_i]);
    unsigned told = make_calls(&b, all, 2, 60, 5000, true);
    told |= make_calls(&b, all + 1, 2, 400, 300, true); /* without clusters: quick */
    told |= make_calls(&b, lists, 2, 60, 1000, true);
    told |= make_calls(&b, timed, 2, 60, 1000, true);
    for (unsigned e = 0; e < ERRORS; e++)
        ck_assert_msg(told >> e & 1, "no call reports %s", mote_status_name(errors[e]));
    bed_close(&b);
}
END_TEST

/* Starts of modules of the table's small cases, each with four lengths of the output. */
static void check_starts(bed *b, size_t most)
{
    for (size_t k = 0; k < mote_pixels_case_count(); k++) {
        const mote_pixels_case *c = mote_pixels_case_at(k);
        mote_pixels_options options;
        mote_digis digis;

        if (!c->small || c->n > most)
            continue;
        ck_assert(mote_pixels_case_make(c, &digis, &options));
        for (int call = 0; call < 4; call++)
            check_run(b, b->in_order, c->name, &digis, &options, MOTE_RUN_STARTS);
        mote_digis_free(&digis);
        mote_pixels_options_free(&options);
    }
}

/* Tests runs that continue after more invalid digis than any block contains, and events that end
 * with them. */
START_TEST(module_starts)
{
    mote_pixels_options options = {0};
    mote_digis digis;
    bed b;

    bed_open(&b, forms[_i]);
    check_starts(&b, 3000);
    mote_digis_init(&digis, 50, 10, 10);
    for (uint32_t event = 0; event < 4; event++) {
        for (uint32_t i = 0; i < 40000 * event; i++)
            mote_digis_push_invalid(&digis);
        mote_digis_push(&digis, 7, 1, 1, 1);
        for (uint32_t i = 0; i < 70000; i++)
            mote_digis_push_invalid(&digis);
        mote_digis_push(&digis, 7, 2, 1, 1);
        mote_digis_push(&digis, 8, 2, 1, 1);
        mote_digis_push_invalid(&digis);
        mote_digis_push(&digis, 7, 2, 2, 1);
        mote_digis_end_event(&digis);
    }
    for (int call = 0; call < 4; call++)
        check_run(&b, call % 2 ? b.any_order : b.in_order, "long gaps", &digis, &options,
                  MOTE_RUN_STARTS);
    mote_digis_free(&digis);
    bed_close(&b);
}
END_TEST

/* Every other one of the table's small cases on plain arrays, which reject calibrations that are
 * not finite. */
START_TEST(plain_arrays)
{
    bed b;

    bed_open(&b, forms[_i]);
    for (size_t k = (size_t)_i; k < mote_pixels_case_count(); k += FORMS) {
        const mote_pixels_case *c = mote_pixels_case_at(k);
        mote_pixels_options options;
        mote_digis digis;

        if (!c->small || c->n > 3000 ||
            (c->fill == mote_fill_decoded && c->parameter & MOTE_DECODED_HOSTILE))
            continue;
        ck_assert(mote_pixels_case_make(c, &digis, &options));
        check_run(&b, b.in_order, c->name, &digis, &options, MOTE_RUN_HOST);
        mote_digis_free(&digis);
        mote_pixels_options_free(&options);
    }
    bed_close(&b);
}
END_TEST

/* Tests cases that a simulator can run, with tuning from the environment. */
START_TEST(simulated)
{
    bed b;

    bed_open(&b, getenv("MOTE_TUNE"));
    make_calls(&b, all, 1, 3, 500, false);
    make_calls(&b, lists, 1, 3, 500, false);
    check_starts(&b, 60);
    bed_close(&b);
}
END_TEST

Suite *simulated_suite(void)
{
    Suite *suite = suite_create("simulated");

    tcase_add_test(suite_case(suite, "simulated", NULL), simulated);
    return suite;
}

Suite *calls_suite(void)
{
    Suite *suite = suite_create("calls");
    TCase *cpu = suite_case(suite, "cpu", NULL);
    TCase *gpu = suite_case(suite, "gpu", SUITE_THOROUGH);

    suite_split(cpu, gpu, random_calls, 1, FORMS);
    suite_split(cpu, gpu, plain_arrays, 0, FORMS);
    tcase_add_loop_test(cpu, module_starts, 0, FORMS);
    return suite;
}
