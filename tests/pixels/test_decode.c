/* SPDX-License-Identifier: Apache-2.0 */
/* Dead pixels and charges of adc counts: cases and new random digis in every form, known numbers,
 * and rejected calls. */
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/decode.h"
#include "testkit/cases/pixels/fill.h"
#include "common/suite.h"
#include "harness.h"

static const char *const forms[] = {"pixels.form=cpu",
                                    "pixels.form=cpu,pixels.cpu_tile=32,pixels.cpu_slices=1",
                                    "pixels.form=gpu", "pixels.form=gpu,pixels.by_size=1"};

/* Runs the cases of the table with decoding. */
static void run_cases(const char *tune, mote_pixels_strategy strategy)
{
    char message[MESSAGE_SIZE] = "";
    int ran = 0;
    bed b;

    bed_open(&b, tune);
    for (size_t i = 0; i < mote_pixels_case_count(); i++) {
        const mote_pixels_case *c = mote_pixels_case_at(i);

        if (c->fill != mote_fill_decoded || (!c->small && strategy == MOTE_PIXELS_HISTOGRAM))
            continue;
        ck_assert_msg(mote_pixels_case_check(b.ctx, ran % 2 ? b.any_order : b.in_order, c, strategy,
                                             ran % 3 ? MOTE_RUN_GATED : MOTE_RUN_ALIAS, message,
                                             sizeof(message)),
                      "%s: %s", c->name, message);
        ran++;
    }
    ck_assert_int_gt(ran, 8);
    bed_close(&b);
}

START_TEST(cases)
{
    run_cases(forms[_i], MOTE_PIXELS_UNION_FIND);
}
END_TEST

START_TEST(cases_histogram)
{
    run_cases("pixels.form=gpu", MOTE_PIXELS_HISTOGRAM);
}
END_TEST

/* Tests digis of two modules of 3 x 2 pixels with known charges. */
START_TEST(by_hand)
{
    static const uint32_t adc[] = {10, 11, 12, 13, 4000000000u, 7};
    /* 2.5 (adc - 4): 15, 17.5, 20; then 0.1f (adc - 0.5): 1.25, 4e8 rounded to float32, 0.65 */
    static const uint32_t charge[] = {15, 17, 20, 2, 400000000, 2};
    float gain[] = {2.5f, 0.1f}, pedestal[] = {4.0f, 0.5f};
    uint32_t mask[] = {0, 0, 1u << 2, 0};
    mote_pixels_options options = {.gain = gain, .pedestal = pedestal, .charge_min = 2};
    mote_pixels_result got = {0};
    mote_digis digis;
    bed b;

    bed_open(&b, forms[_i]);
    mote_digis_init(&digis, 2, 3, 2);
    digis.adc_type = MOTE_UINT32;
    for (uint32_t i = 0; i < 6; i++)
        mote_digis_push(&digis, i / 3, i % 3, i / 3 ? 0 : 1, adc[i]);
    mote_digis_end_event(&digis);
    for (uint32_t i = 0; i < 6; i++)
        ck_assert_uint_eq(mote_case_charge(&digis, &options, i), charge[i]);
    check_run(&b, b.in_order, "six digis", &digis, &options, 0);
    ck_assert(mote_pixels_oracle(&digis, &options, &got));
    ck_assert_uint_eq(got.n_total, 2);
    ck_assert_uint_eq(mote_pixels_charge(&got.properties[0]), 15 + 17 + 20);
    ck_assert_uint_eq(mote_pixels_charge(&got.properties[1]), 2 + 400000000 + 2);
    mote_pixels_result_free(&got);
    options.mask = mask; /* pixel (2, 0) of module 1 */
    options.adc_threshold = 17;
    check_run(&b, b.in_order, "six digis", &digis, &options, 0);
    ck_assert(mote_pixels_oracle(&digis, &options, &got));
    ck_assert_uint_eq(got.n_total, 2);
    ck_assert_uint_eq(mote_pixels_charge(&got.properties[0]), 17 + 20);
    ck_assert_uint_eq(mote_pixels_charge(&got.properties[1]), 400000000);
    ck_assert_int_eq(got.cluster_id[0], -1);
    ck_assert_int_eq(got.cluster_id[3], -1);
    ck_assert_int_eq(got.cluster_id[5], -1);
    mote_pixels_result_free(&got);
    mote_digis_free(&digis);
    bed_close(&b);
}
END_TEST

/* Tests rejected calls, with a part of the sentence. */
START_TEST(refused)
{
    mote_pixels_options options = {0};
    mote_pixels_cluster_args args;
    mote_pixels_device device;
    mote_digis digis;
    size_t bytes = 0;
    char message[MESSAGE_SIZE] = "";
    bed b;

    bed_open(&b, NULL);
    mote_digis_init(&digis, 4, 33, 5);
    mote_digis_push(&digis, 1, 2, 3, 4);
    mote_digis_end_event(&digis);
    options.mask = calloc(4 * 5 * 2, sizeof(uint32_t));
    options.gain = calloc(4, sizeof(float));
    ck_assert(options.mask && options.gain);
    ck_assert(mote_pixels_upload(b.ctx, b.in_order, &digis, &options, 0, &device, message,
                                 sizeof(message)));
    mote_pixels_arguments(&digis, &options, &device, &args);
    args.cluster_id = mote_view_make(NULL, 1, MOTE_INT32);
    ck_assert_int_eq(mote_pixels_cluster_workspace_size(b.ctx, &args, &bytes), MOTE_SUCCESS);
    args.mask.count--;
    check_refused(&b, &args, MOTE_ERROR_INVALID_ARGUMENT, "mask");
    args.mask = (mote_view){0};
    args.gain.count = 3;
    check_refused(&b, &args, MOTE_ERROR_INVALID_ARGUMENT, "gain");
    args.gain.count = 4;
    args.gain.type = MOTE_FLOAT64;
    check_refused(&b, &args, MOTE_ERROR_INVALID_TYPE, "gain");
    args.gain.type = MOTE_FLOAT32;
    args.adc = (mote_view){0};
    check_refused(&b, &args, MOTE_ERROR_INVALID_ARGUMENT, "adc is missing");
    args.adc = device.adc.view;
    args.gain = (mote_view){0};
    args.charge_min = 5;
    check_refused(&b, &args, MOTE_ERROR_INVALID_ARGUMENT, "charge_min");
    mote_pixels_device_release(&device);
    mote_pixels_options_free(&options);
    mote_digis_free(&digis);
    bed_close(&b);
}
END_TEST

Suite *decode_suite(void)
{
    Suite *suite = suite_create("decode");
    TCase *quick = suite_case(suite, "quick", NULL);
    TCase *more = suite_case(suite, "more", SUITE_LONG);

    tcase_add_test(quick, refused);
    tcase_add_decode_plain(quick, more);
    tcase_add_loop_test(quick, by_hand, 0, 1);
    tcase_add_test(more, cases_histogram);
    tcase_add_loop_test(more, cases, 0, 4);
    tcase_add_loop_test(more, by_hand, 1, 4);
    return suite;
}
