/* SPDX-License-Identifier: Apache-2.0 */
/* The tune file: which lines are accepted, which errors are reported, and how a context uses the
 * values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/suite.h"
#include "core/tune.h"
#include "core/tune_file.h"
#include "mote/mote.h"
#include "recorder.h"
#include "temporary.h"

#define HEAD  "[device]\nname = a b\nplatform = p\ndriver = 1.0\n"
#define OTHER "[device]\nname = other\nplatform = p\ndriver = 1.0\n"

static const mote_device_info device = {.name = " a b ", .platform = "p", .driver = "1.0"};
static char folder[TEMPORARY_ROOM], path[TEMPORARY_ROOM + 16];

static void setup(void)
{
    temporary_make(folder);
    snprintf(path, sizeof(path), "%s/tune", folder);
    setenv("MOTE_TUNE_FILE", path, 1);
    unsetenv("MOTE_TUNE");
}

static void teardown(void)
{
    recorder_stop();
    unsetenv("MOTE_TUNE_FILE");
    unsetenv("MOTE_TUNE");
    temporary_remove(folder);
}

static void parses(const char *bytes, const char *expected, size_t warnings)
{
    char copy[1000];
    mote_text text = {0};
    snprintf(copy, sizeof(copy), "%s", bytes);
    recorder_start(MOTE_LOG_WARN);
    mote_tune_file_parse(copy, strlen(copy), "file", &device, &text);
    ck_assert_msg(strcmp(mote_text_get(&text), expected) == 0, "%s gives \"%s\"", bytes,
                  mote_text_get(&text));
    ck_assert_msg(recorder_count(MOTE_LOG_WARN, "file, line ") == warnings, "%s", bytes);
    mote_text_free(&text);
}

START_TEST(sections)
{
    parses("", "", 0);
    parses("# only a comment\n\n", "", 0);
    parses(HEAD, "", 0);
    parses(HEAD "pixels.tile = 64\r\n\n# c\n  reduce.form=cpu  ", "pixels.tile=64,reduce.form=cpu",
           0);
    parses("[device]\nname = other\nplatform = p\ndriver = 1.0\npixels.tile = 1\n" HEAD
           "pixels.tile = 2\n[device]\nname = a b\nplatform = p\ndriver = 1.1\npixels.tile = 3\n",
           "pixels.tile=2", 0);
    parses("[device]\nname = a\nplatform = p\ndriver = 1.0\npixels.tile = 1\n", "", 0);
    parses("[device]\nname = a b c\nplatform = p\ndriver = 1.0\npixels.tile = 1\n", "", 0);
}
END_TEST

START_TEST(wrong_values_leave_the_others)
{
    parses(HEAD "pixels.tiel = 1\npixels.tile = 2\n", "pixels.tile=2", 1);
    parses(HEAD "pixels.tile = gpu\npixels.form = 7\npixels.form = cpu\n", "pixels.form=cpu", 2);
    parses(HEAD "pixels.tile = 1,reduce.form=cpu\npixels.tile = -1\npixels.tile =\n", "", 3);
    parses(HEAD "pixels.tile = 99999999999999999999999\n", "", 1);
    /* Errors in another device's section are not reported. */
    parses("[device]\nname = x\nplatform = p\ndriver = 1.0\npixels.tiel = 1\n", "", 0);
}
END_TEST

START_TEST(wrong_lines_leave_no_section)
{
    static const char *const ends[] = {"pixels.tile\n", "= 3\n", "[devices]\n", "colour = red\n",
                                       "\x01\xff\n"};
    char text[400];
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        snprintf(text, sizeof(text), HEAD "pixels.tile = 64\n%s", ends[i]);
        parses(text, "", 1);
    }
    parses("pixels.tile = 64\n" HEAD "pixels.tile = 64\n", "", 1);
    parses("[device]\nname = a b\nplatform = p\npixels.tile = 64\n", "", 1);
    /* One sentence reports each invalid section; the other sections are used. */
    parses(OTHER "colour = red\nnothing\n" HEAD "pixels.tile = 64\n", "pixels.tile=64", 1);
    parses(HEAD "pixels.tile = 64\n" OTHER "pixels.tile = 1\nnothing\n", "pixels.tile=64", 1);
    parses(HEAD "pixels.tile = 64\nnothing\npixels.tile = 32\n" HEAD "reduce.form = cpu\n",
           "reduce.form=cpu", 1);
    parses(HEAD "reduce.form = cpu\n" HEAD "pixels.tile = 64\nnothing\n", "reduce.form=cpu", 1);
}
END_TEST

START_TEST(bytes_behind_a_zero)
{
    char bytes[] = HEAD "pixels.tile = 64\n\0pixels.tile = 65\n";
    mote_text text = {0};
    recorder_start(MOTE_LOG_WARN);
    mote_tune_file_parse(bytes, sizeof(bytes) - 1, "file", &device, &text);
    ck_assert_str_eq(mote_text_get(&text), "");
    ck_assert_uint_eq(recorder_count(MOTE_LOG_WARN, "it is no text"), 1);
    mote_text_free(&text);
}
END_TEST

static mote_context *opened(size_t warnings)
{
    mote_context *ctx;
    recorder_start(MOTE_LOG_WARN);
    ck_assert_msg(mote_context_open(suite_device(), &ctx) == MOTE_SUCCESS, "%s", mote_last_error());
    ck_assert_uint_eq(recorder_count(MOTE_LOG_WARN, path), warnings);
    recorder_stop();
    return ctx;
}

/* Checks the value of reduce.scan_group, for which there is no built-in file. */
static void has(const mote_context *ctx, mote_tuning_origin origin, const char *value)
{
    mote_tuning tuning;
    mote_tuning_init(&tuning);
    for (size_t i = 0;; i++) {
        ck_assert_int_eq(mote_context_tuning(ctx, i, &tuning), MOTE_SUCCESS);
        ck_assert_ptr_nonnull(tuning.key);
        if (strcmp(tuning.key, "reduce.scan_group") == 0)
            break;
    }
    ck_assert_int_eq(tuning.origin, origin);
    ck_assert_msg(!value || strcmp(tuning.value, value) == 0, "%s", tuning.value);
}

static void write_for(const mote_device_info *info, const char *values)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "[device]\nname = %s\nplatform = %s\ndriver = %s\n%s\n", info->name,
            info->platform, info->driver, values);
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(contexts)
{
    mote_context *ctx = opened(1); /* a variable names the file, but it does not exist */
    mote_device_info info = *mote_context_device(ctx);
    has(ctx, MOTE_TUNING_DERIVED, NULL);
    mote_context_release(ctx);
    write_for(&info, "reduce.scan_group = 32");
    ctx = opened(0);
    has(ctx, MOTE_TUNING_FILE, "32");
    ck_assert_int_eq(mote_context_tune(ctx, "reduce.scan_group=16"), MOTE_SUCCESS);
    has(ctx, MOTE_TUNING_CALLER, "16");
    ck_assert_int_eq(mote_context_tune(ctx, NULL), MOTE_SUCCESS);
    has(ctx, MOTE_TUNING_DERIVED, NULL);
    mote_context_release(ctx);
    setenv("MOTE_TUNE", "reduce.scan_group=64", 1);
    ctx = opened(0);
    has(ctx, MOTE_TUNING_ENVIRONMENT, "64");
    mote_context_release(ctx);
    unsetenv("MOTE_TUNE");
    setenv("MOTE_TUNE_FILE", "", 1);
    ctx = opened(0);
    has(ctx, MOTE_TUNING_DERIVED, NULL);
    mote_context_release(ctx);
}
END_TEST

START_TEST(files_that_are_none)
{
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    mote_context_release(opened(1));
    ck_assert_int_eq(remove(path), 0);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    mote_context_release(opened(1));
    ck_assert_int_eq(remove(path), 0);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    for (int i = 0; i <= MOTE_TUNE_FILE_MOST; i++)
        fputc('#', file);
    ck_assert_int_eq(fclose(file), 0);
    mote_context_release(opened(1));
}
END_TEST

START_TEST(paths)
{
    char found[600], expected[600];
    ck_assert_uint_eq(mote_tune_path(NULL, 0), strlen(path));
    unsetenv("MOTE_TUNE_FILE");
    const char *old = getenv("XDG_CONFIG_HOME");
    char *kept = old ? strdup(old) : NULL;
    setenv("XDG_CONFIG_HOME", folder, 1);
    snprintf(expected, sizeof(expected), "%s/mote/tune", folder);
    ck_assert_uint_eq(mote_tune_path(found, sizeof(found)), strlen(expected));
    ck_assert_str_eq(found, expected);
    mote_context_release(opened(0)); /* no variable names it, so it need not exist */
    setenv("XDG_CONFIG_HOME", "relative", 1);
    mote_tune_path(found, sizeof(found));
    ck_assert_ptr_null(strstr(found, "relative"));
    if (kept)
        setenv("XDG_CONFIG_HOME", kept, 1);
    else
        unsetenv("XDG_CONFIG_HOME");
    free(kept);
    setenv("MOTE_TUNE_FILE", "", 1);
    ck_assert_uint_eq(mote_tune_path(found, sizeof(found)), 0);
    ck_assert_str_eq(found, "");
}
END_TEST

START_TEST(refused)
{
    mote_tuning tuning = {0};
    setenv("MOTE_TUNE_FILE", "", 1);
    mote_context *ctx = opened(0);
    mote_tuning_init(NULL);
    ck_assert_int_eq(mote_context_tuning(ctx, 0, &tuning), MOTE_ERROR_INVALID_STRUCT);
    mote_tuning_init(&tuning);
    ck_assert_int_eq(mote_context_tuning(NULL, 0, &tuning), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_context_tuning(ctx, 0, NULL), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_context_tuning(ctx, SIZE_MAX, &tuning), MOTE_SUCCESS);
    ck_assert_ptr_null(tuning.key);
    ck_assert_int_eq(mote_context_tune(NULL, ""), MOTE_ERROR_INVALID_ARGUMENT);
    mote_context_release(ctx);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(sections),
    SUITE_TEST(wrong_values_leave_the_others),
    SUITE_TEST(wrong_lines_leave_no_section),
    SUITE_TEST(bytes_behind_a_zero),
    SUITE_TEST(contexts),
    SUITE_TEST(files_that_are_none),
    SUITE_TEST(paths),
    SUITE_TEST(refused),
};

SUITE_MAIN_FIXTURE("tune_file", tests, setup, teardown)
