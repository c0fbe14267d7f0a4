/* SPDX-License-Identifier: Apache-2.0 */
/* Messages by level, the logger of MOTE_LOG, and launch records. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/log.h"
#include "recorder.h"
#include "common/suite.h"

static void one_of_each(void)
{
    mote_log(MOTE_LOG_ERROR, "an error %d", 1);
    mote_log(MOTE_LOG_WARN, "a warning %d", 2);
    mote_log(MOTE_LOG_INFO, "an info %d", 3);
    mote_log(MOTE_LOG_DEBUG, "a detail %d", 4);
}

START_TEST(levels)
{
    for (int level = MOTE_LOG_NONE; level <= MOTE_LOG_DEBUG; level++) {
        recorder_start((mote_log_level)level);
        one_of_each();
        ck_assert_uint_eq(recorder_count(MOTE_LOG_NONE, ""), (size_t)level);
        ck_assert_uint_eq(recorder_count(MOTE_LOG_WARN, "a warning 2"), level >= MOTE_LOG_WARN);
    }
    recorder_start((mote_log_level)1000);
    one_of_each();
    ck_assert_uint_eq(recorder_count(MOTE_LOG_NONE, ""), 4);
    recorder_stop();
    one_of_each();
    ck_assert_uint_eq(recorder_count(MOTE_LOG_NONE, ""), 4);
}
END_TEST

START_TEST(failures_are_logged)
{
    recorder_start(MOTE_LOG_ERROR);
    mote_fail(MOTE_ERROR_MODULE, "key %d", 5);
    ck_assert_uint_eq(recorder_count(MOTE_LOG_ERROR, "key 5"), 1);
    recorder_stop();
}
END_TEST

static size_t deepest, depth;

static void log_again(mote_log_level level, const char *message, void *user)
{
    (void)user;
    if (++depth > deepest)
        deepest = depth;
    if (depth < 10)
        mote_log(level, "%s, once more", message);
    depth--;
}

START_TEST(a_callback_that_logs_does_not_recurse)
{
    mote_log_set(MOTE_LOG_DEBUG, log_again, NULL);
    mote_log(MOTE_LOG_ERROR, "first");
    recorder_stop();
    ck_assert_uint_eq(deepest, 1);
}
END_TEST

static size_t longest;

static void measure(mote_log_level level, const char *message, void *user)
{
    (void)level;
    (void)user;
    longest = strlen(message);
}

START_TEST(long_messages_are_whole)
{
    static char text[100001];
    memset(text, 'x', sizeof(text) - 1);
    mote_log_set(MOTE_LOG_INFO, measure, NULL);
    mote_log(MOTE_LOG_INFO, "<%s>", text);
    recorder_stop();
    ck_assert_uint_eq(longest, sizeof(text) + 1);
}
END_TEST

/* Captures the output of MOTE_LOG=value on stderr for one message of each level. */
static void stderr_of(const char *value, char *out, size_t room)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fflush(stderr);
    int saved = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    if (value)
        setenv("MOTE_LOG", value, 1);
    else
        unsetenv("MOTE_LOG");
    mote_log_set(MOTE_LOG_NONE, NULL, NULL);
    one_of_each();
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    unsetenv("MOTE_LOG");
    mote_log_set(MOTE_LOG_NONE, NULL, NULL);
    rewind(file);
    out[fread(out, 1, room - 1, file)] = '\0';
    fclose(file);
}

START_TEST(logger_of_the_environment)
{
    char text[1000];
    stderr_of(NULL, text, sizeof(text));
    ck_assert_str_eq(text, "");
    stderr_of("none", text, sizeof(text));
    ck_assert_str_eq(text, "");
    stderr_of("error", text, sizeof(text));
    ck_assert_str_eq(text, "mote: error: an error 1\n");
    stderr_of("info", text, sizeof(text));
    ck_assert_str_eq(text,
                     "mote: error: an error 1\nmote: warn: a warning 2\nmote: info: an info 3\n");
    stderr_of("loud", text, sizeof(text));
    ck_assert_ptr_nonnull(strstr(text, "MOTE_LOG=loud is not one of"));
    ck_assert_ptr_nonnull(strstr(text, "a warning 2"));
    ck_assert_ptr_null(strstr(text, "an info 3"));
}
END_TEST

static void count_launch(const mote_launch_record *record, void *user)
{
    *(size_t *)user += record->global;
}

START_TEST(launch_records)
{
    size_t sum = 0;
    mote_launch_record record = {.size = sizeof(record), .kernel = "k", .global = 5};
    ck_assert_int_eq(mote_launch_callback_wanted(), 0);
    mote_launch_callback_call(&record);
    mote_launch_callback_set(count_launch, &sum);
    ck_assert_int_ne(mote_launch_callback_wanted(), 0);
    mote_launch_callback_call(&record);
    mote_launch_callback_call(&record);
    mote_launch_callback_set(NULL, NULL);
    mote_launch_callback_call(&record);
    ck_assert_uint_eq(sum, 10);
    ck_assert_int_eq(mote_launch_callback_wanted(), 0);
}
END_TEST

static void *log_in_thread(void *unused)
{
    for (int i = 0; i < 50; i++)
        mote_log(MOTE_LOG_INFO, "from a thread");
    return unused;
}

START_TEST(many_threads)
{
    pthread_t threads[8];
    recorder_start(MOTE_LOG_INFO);
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, log_in_thread, NULL), 0);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(recorder_count(MOTE_LOG_INFO, "from a thread"), 400);
    recorder_stop();
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(levels),
    SUITE_TEST(failures_are_logged),
    SUITE_TEST(a_callback_that_logs_does_not_recurse),
    SUITE_TEST(long_messages_are_whole),
    SUITE_TEST(logger_of_the_environment),
    SUITE_TEST(launch_records),
    SUITE_TEST(many_threads),
};

SUITE_MAIN("log", tests)
