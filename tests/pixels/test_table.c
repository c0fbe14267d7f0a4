/* SPDX-License-Identifier: Apache-2.0 */
/* Every case of the table compared with the oracle: forms, strategies and queues. Random calls have
 * further variants (trial_clusters). */
#include "testkit/cases/pixels/patterns.h"
#include "shared/pixels_params.h"
#include "common/suite.h"
#include "harness.h"

/* Counts failures instead of stopping at the first difference, so that one run shows all of
 * them. */
static void run_part(bed *b, cl_command_queue queue, mote_pixels_strategy strategy, unsigned how,
                     bool big, size_t part, size_t parts)
{
    char first[MESSAGE_SIZE + 128] = "";
    int failed = 0, ran = 0;

    for (size_t i = 0; i < mote_pixels_case_count(); i++) {
        const mote_pixels_case *c = mote_pixels_case_at(i);
        char message[MESSAGE_SIZE] = "";

        if ((!c->small && !big) || i % parts != part)
            continue;
        ran++;
        if (mote_pixels_case_check(b->ctx, queue, c, strategy, how, message, sizeof(message)))
            continue;
        printf("# %s: %s\n", c->name, message);
        if (failed++ == 0)
            snprintf(first, sizeof(first), "%s: %s", c->name, message);
    }
    ck_assert_int_ge(ran, 90 / (int)parts);
    ck_assert_msg(failed == 0, "%d of %d cases differ, first %s", failed, ran, first);
}

static void run_table(bed *b, cl_command_queue queue, mote_pixels_strategy strategy, unsigned how,
                      bool big)
{
    run_part(b, queue, strategy, how, big, 0, 1);
}

START_TEST(automatic)
{
    bed b;

    bed_open(&b, NULL);
    run_table(&b, b.in_order, MOTE_PIXELS_AUTO, MOTE_RUN_GATED, true);
    run_table(&b, b.any_order, MOTE_PIXELS_AUTO, MOTE_RUN_GATED, false);
    bed_close(&b);
}
END_TEST

/* Tiles of the usual size and small ones, and digis in any order by slices of an event and by whole
 * events. */
static const char *const cpu_tunes[] = {
    "pixels.form=cpu",
    "pixels.form=cpu,pixels.cpu_tile=32,pixels.cpu_slices=1",
    "pixels.form=cpu,pixels.cpu_tile=64,pixels.cpu_slices=3,pixels.cpu_items=3",
};

/* Tests some cases of the table only: each combination of options takes seconds to build. */
START_TEST(cpu_form_sample)
{
    bed b;

    bed_open(&b, cpu_tunes[0]);
    run_part(&b, b.any_order, MOTE_PIXELS_UNION_FIND, MOTE_RUN_GATED, true, 0, 20);
    bed_close(&b);
}
END_TEST

/* Tests half of the cases, and each of the two runs with small tiles another quarter. */
START_TEST(cpu_form)
{
    size_t parts = _i ? 4 : 2;
    bed b;

    bed_open(&b, cpu_tunes[_i]);
    run_part(&b, b.any_order, MOTE_PIXELS_UNION_FIND, MOTE_RUN_GATED, true, (size_t)_i % parts,
             parts);
    bed_close(&b);
}
END_TEST

START_TEST(gpu_form_sample)
{
    bed b;

    bed_open(&b, "pixels.form=gpu");
    if (_i == 0)
        run_part(&b, b.any_order, MOTE_PIXELS_UNION_FIND, MOTE_RUN_GATED, false, 3, 48);
    else
        run_part(&b, b.in_order, MOTE_PIXELS_HISTOGRAM, MOTE_RUN_GATED, false, 11, 48);
    bed_close(&b);
}
END_TEST

/* On a CPU that runs by_size.cl, a module that is longer than a group is deferred, whatever the
 * order of its digis. For digis in any order, few modules are counted in local memory and many in
 * global memory; the modules of one event are counted by totals that must be zero again for the
 * next call. */
START_TEST(by_size_put_off)
{
    static const char *const tune = "pixels.form=gpu,pixels.by_size=1";
    static const struct {
        uint32_t modules;
        int events;
    } of[] = {{9, 2},
              {2 + MOTE_PIXELS_TALLY_MODULES, 2},
              {9, 1},
              {MOTE_PIXELS_EVENT_MODULES, 1},
              {1 + MOTE_PIXELS_EVENT_MODULES, 1}};
    mote_rng rng;
    mote_digis digis;
    bed b;

    bed_open(&b, tune);
    mote_digis_init(&digis, of[_i].modules, 60, 70);
    mote_rng_seed(&rng, 5);
    for (int event = 0; event < of[_i].events; event++) {
        mote_pattern_push(&digis, 7, MOTE_PATTERN_FULL, &rng);
        mote_pattern_push(&digis, 2, MOTE_PATTERN_CORNERS, &rng);
        mote_pattern_push(&digis, of[_i].modules - 1, MOTE_PATTERN_CORNERS, &rng);
        mote_digis_end_event(&digis);
    }
    check_run(&b, b.in_order, "contiguous", &digis,
              &(mote_pixels_options){.order = MOTE_ORDER_CONTIGUOUS}, 0);
    mote_digis_permute(&digis, 3, NULL);
    for (int call = 0; call < 3; call++)
        check_run(&b, b.in_order, "any order", &digis, &(mote_pixels_options){0}, 0);
    mote_digis_free(&digis);
    bed_close(&b);
}
END_TEST

START_TEST(gpu_form)
{
    bed b;

    bed_open(&b, "pixels.form=gpu");
    run_table(&b, b.any_order, MOTE_PIXELS_UNION_FIND, MOTE_RUN_GATED, true);
    run_table(&b, b.in_order, MOTE_PIXELS_UNION_FIND, MOTE_RUN_GATED, false);
    bed_close(&b);
}
END_TEST

START_TEST(gpu_form_histogram)
{
    bed b;

    bed_open(&b, "pixels.form=gpu");
    run_table(&b, b.in_order, MOTE_PIXELS_HISTOGRAM, MOTE_RUN_GATED, false);
    run_table(&b, b.any_order, MOTE_PIXELS_HISTOGRAM, MOTE_RUN_GATED, false);
    bed_close(&b);
}
END_TEST

/* The cut by a separate call gives the same results as the fused one, if both are defined in the
 * same way. */
START_TEST(cut_apart)
{
    bed b;
    int ran = 0;

    bed_open(&b, _i ? "pixels.form=gpu" : "pixels.form=cpu");
    for (size_t i = 0; i < mote_pixels_case_count(); i++) {
        const mote_pixels_case *c = mote_pixels_case_at(i);
        mote_pixels_options options;
        mote_digis digis;
        uint32_t index = 0;

        if (c->options.duplicates == MOTE_DUPLICATES_MAX || c->options.without_adc)
            continue;
        ck_assert(mote_pixels_case_make(c, &digis, &options));
        bool decoded = options.mask || options.gain;
        bool has_cut = (options.charge_cut || options.charge_cuts) && !decoded;

        if (has_cut && !mote_pixels_find_error(&digis, &options, &index) &&
            (c->small || i % 3 == 0)) {
            check_run(&b, i % 2 ? b.any_order : b.in_order, c->name, &digis, &options,
                      MOTE_RUN_APART | (i % 4 < 2 ? MOTE_RUN_GATED : MOTE_RUN_ALIAS));
            ran++;
        }
        mote_digis_free(&digis);
        mote_pixels_options_free(&options);
    }
    ck_assert_int_gt(ran, 8);
    bed_close(&b);
}
END_TEST

Suite *table_suite(void)
{
    Suite *suite = suite_create("table");
    TCase *forms = suite_case(suite, "forms", NULL);
    TCase *more = suite_case(suite, "more", SUITE_LONG);

    tcase_add_test(forms, cpu_form_sample);
    suite_split(forms, more, gpu_form_sample, 1, 2);
    tcase_add_test(more, automatic);
    tcase_add_loop_test(more, cpu_form, 0, 3);
    tcase_add_loop_test(more, cut_apart, 0, 2);
    tcase_add_loop_test(more, by_size_put_off, 0, 5);
    tcase_add_test(more, gpu_form);
    tcase_add_test(more, gpu_form_histogram);
    return suite;
}

/* Small cases at every work-group size, both strategies: each size needs a build for every
 * combination of options, so each runs another quarter of the table. */
START_TEST(work_group)
{
    static const int sizes[] = {16, 64, 256, 32, 128};
    static const int tiles[] = {64, 512, 64, 512, 512}; /* small tiles have more borders */
    char tune[96];
    bed b;

    snprintf(tune, sizeof(tune), "pixels.form=gpu,pixels.work_group=%d,pixels.tile=%d", sizes[_i],
             tiles[_i]);
    bed_open(&b, tune);
    run_part(&b, b.in_order, MOTE_PIXELS_UNION_FIND, 0, false, (size_t)_i % 4, 4);
    run_part(&b, b.in_order, MOTE_PIXELS_HISTOGRAM, 0, false, (size_t)(_i + 2) % 4, 4);
    bed_close(&b);
}
END_TEST

Suite *groups_suite(void)
{
    Suite *suite = suite_create("groups");
    TCase *some = suite_case(suite, "some", SUITE_THOROUGH);
    TCase *more = suite_case(suite, "more", SUITE_LONG);

    tcase_add_loop_test(some, work_group, 0, 1);
    tcase_add_loop_test(more, work_group, 1, 5);
    return suite;
}
