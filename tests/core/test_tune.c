/* SPDX-License-Identifier: Apache-2.0 */
/* MOTE_TUNE: accepted values, and reported errors. */
#include <string.h>

#include "core/tune.h"
#include "recorder.h"
#include "common/suite.h"
#include "pixels/cluster_plan.h"

static mote_context with(const char *text)
{
    mote_context ctx = {.device.device_class = MOTE_DEVICE_CPU};
    const char *const texts[MOTE_TUNE_ORIGINS] = {[MOTE_TUNING_ENVIRONMENT] = text};
    ck_assert_int_eq(mote_tune_create(texts, &ctx.tune), MOTE_SUCCESS);
    return ctx;
}

START_TEST(values)
{
    mote_context ctx = with("pixels.group=64,reduce.tile=100000,,pixels.form=gpu,pixels.group=32");
    ck_assert_uint_eq(mote_tune_size(&ctx, "pixels.group", 7, 1, 1024), 32);
    ck_assert_uint_eq(mote_tune_size(&ctx, "reduce.tile", 7, 1, 1024), 1024);
    ck_assert_uint_eq(mote_tune_size(&ctx, "pixels.group", 7, 48, 1024), 48);
    ck_assert_uint_eq(mote_tune_size(&ctx, "pixels.grou", 7, 1, 1024), 7);
    ck_assert_int_eq(mote_tune_form(&ctx, "pixels.form"), MOTE_DEVICE_GPU);
    ck_assert_int_eq(mote_tune_form(&ctx, "other.form"), MOTE_DEVICE_CPU);
    mote_tune_release(ctx.tune);
}
END_TEST

START_TEST(nothing_set)
{
    static const char *const texts[] = {NULL, "", ",", ",,,"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        recorder_start(MOTE_LOG_DEBUG);
        mote_context ctx = with(texts[i]);
        ck_assert_uint_eq(mote_tune_size(&ctx, "a.b", 5, 1, 9), 5);
        ck_assert_int_eq(mote_tune_form(&ctx, "a.b"), MOTE_DEVICE_CPU);
        mote_tune_release(ctx.tune);
        ck_assert_uint_eq(recorder_count(MOTE_LOG_NONE, ""), 0);
    }
    recorder_stop();
}
END_TEST

START_TEST(malformed_values)
{
    static const char *const bad[] = {
        "a.b",     "a.b=",    "=5",     "a=5",      ".b=5",    "a.=5",
        "a.b=-1",  "a.b=4k",  "a.b= 5", "a.b=0x10", "a.b=1.5", "a.b=99999999999999999999999",
        "a.b=GPU", "a.b=5=6", "ab=1.5",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        recorder_start(MOTE_LOG_WARN);
        mote_context ctx = with(bad[i]);
        for (int k = 0; k < 3; k++) {
            ck_assert_msg(mote_tune_size(&ctx, "a.b", 3, 1, 9) == 3, "%s was taken", bad[i]);
            ck_assert_int_eq(mote_tune_form(&ctx, "a.b"), MOTE_DEVICE_CPU);
        }
        mote_tune_release(ctx.tune);
        ck_assert_uint_eq(recorder_count(MOTE_LOG_WARN, "is ignored"), 1);
    }
    recorder_stop();
}
END_TEST

START_TEST(wrong_kind_is_reported_once)
{
    recorder_start(MOTE_LOG_WARN);
    mote_context ctx = with("a.size=gpu,a.form=12");
    for (int k = 0; k < 3; k++) {
        ck_assert_uint_eq(mote_tune_size(&ctx, "a.size", 3, 1, 9), 3);
        ck_assert_int_eq(mote_tune_form(&ctx, "a.form"), MOTE_DEVICE_CPU);
    }
    ck_assert_uint_eq(recorder_count(MOTE_LOG_WARN, "a.size=gpu"), 1);
    ck_assert_uint_eq(recorder_count(MOTE_LOG_WARN, "a.form=12"), 1);
    mote_tune_release(ctx.tune);
    recorder_stop();
}
END_TEST

START_TEST(unasked_keys_are_told)
{
    recorder_start(MOTE_LOG_INFO);
    mote_context ctx = with("a.used=1,a.typo=1");
    mote_tune_size(&ctx, "a.used", 3, 1, 9);
    mote_tune_release(ctx.tune);
    ck_assert_uint_eq(recorder_count(MOTE_LOG_INFO, "nothing asked for"), 1);
    ck_assert_uint_eq(recorder_count(MOTE_LOG_INFO, "a.typo"), 1);
    recorder_stop();
}
END_TEST

START_TEST(unknown_keys_are_told_at_once)
{
    recorder_start(MOTE_LOG_WARN);
    mote_context ctx = with("pixels.tile=64,pixels.tiel=64,jagged.form=cpu");
    ck_assert_uint_eq(recorder_count(MOTE_LOG_WARN, "no key \"pixels.tiel\""), 1);
    ck_assert_uint_eq(recorder_count(MOTE_LOG_WARN, ""), 1);
    mote_tune_release(ctx.tune);
    recorder_stop();
}
END_TEST

START_TEST(later_origins_count_over_earlier_ones)
{
    static const char *const texts[MOTE_TUNE_ORIGINS] = {
        [MOTE_TUNING_FILE] = "pixels.tile=2,reduce.form=gpu,jagged_reduce.tile=3",
        [MOTE_TUNING_ENVIRONMENT] = "pixels.tile=4,jagged_reduce.tile=gpu",
    };
    mote_context ctx = {.device.device_class = MOTE_DEVICE_CPU};
    mote_tuning_origin origin;
    ck_assert_int_eq(mote_tune_create(texts, &ctx.tune), MOTE_SUCCESS);
    ck_assert_uint_eq(mote_tune_size(&ctx, "pixels.tile", 7, 1, 99), 4);
    ck_assert_int_eq(mote_tune_form(&ctx, "reduce.form"), MOTE_DEVICE_GPU);
    ck_assert_str_eq(mote_tune_value(ctx.tune, "pixels.tile", &origin), "4");
    ck_assert_int_eq(origin, MOTE_TUNING_ENVIRONMENT);
    ck_assert_uint_eq(mote_tune_size(&ctx, "jagged_reduce.tile", 7, 1, 99), 3);
    ck_assert_str_eq(mote_tune_value(ctx.tune, "jagged_reduce.tile", &origin), "3");
    ck_assert_int_eq(origin, MOTE_TUNING_FILE);
    ck_assert_ptr_null(mote_tune_value(ctx.tune, "pixels.arena", &origin));
    ck_assert_int_eq(origin, MOTE_TUNING_DERIVED);
    mote_tune_release(ctx.tune);
}
END_TEST

START_TEST(registers_that_a_group_has)
{
    static const struct {
        const char *text;
        size_t group, expected;
    } cases[] = {
        {"", 512, 64},
        {"pixels.registers=0", 512, 0},
        {"pixels.registers=1", 512, 32},
        {"pixels.registers=96", 512, 96},
        {"pixels.registers=200", 512, 128},
        {"pixels.registers=200", 256, 200},
        {"pixels.registers=99999", 64, 255},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        mote_context ctx = with(cases[i].text);
        ck_assert_uint_eq(mote_pixels_registers(&ctx, cases[i].group), cases[i].expected);
        mote_tune_release(ctx.tune);
    }
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(registers_that_a_group_has),
    SUITE_TEST(values),
    SUITE_TEST(later_origins_count_over_earlier_ones),
    SUITE_TEST(nothing_set),
    SUITE_TEST(malformed_values),
    SUITE_TEST(wrong_kind_is_reported_once),
    SUITE_TEST(unasked_keys_are_told),
    SUITE_TEST(unknown_keys_are_told_at_once),
};

SUITE_MAIN("tune", tests)
