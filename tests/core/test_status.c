/* SPDX-License-Identifier: Apache-2.0 */
/* Names of statuses, and the sentence of the last failure. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/fail.h"
#include "common/suite.h"

START_TEST(names_of_codes)
{
    ck_assert_str_eq(mote_status_name(MOTE_SUCCESS), "MOTE_SUCCESS");
    ck_assert_str_eq(mote_status_name(-20000), "MOTE_ERROR_INVALID_ARGUMENT");
    ck_assert_str_eq(mote_status_name(-20011), "MOTE_ERROR_INTERNAL");
    ck_assert_str_eq(mote_status_name(-20105), "MOTE_ERROR_CLUSTER_ID");
    ck_assert_str_eq(mote_status_name(-5), "CL_OUT_OF_RESOURCES");
    ck_assert_str_eq(mote_status_name(-1001), "CL_PLATFORM_NOT_FOUND_KHR");
    for (int code = 1; code <= 72; code++) {
        bool hole = code >= 20 && code <= 29;
        const char *name = mote_status_name(-code);
        ck_assert_msg((strncmp(name, "CL_", 3) == 0) == !hole, "%d is called %s", -code, name);
    }
    for (int code = -20011; code <= -20000; code++)
        ck_assert_int_eq(strncmp(mote_status_name(code), "MOTE_ERROR_", 11), 0);
    for (int code = -20103; code <= -20100; code++)
        ck_assert_int_eq(strncmp(mote_status_name(code), "MOTE_ERROR_", 11), 0);
    ck_assert_str_eq(mote_status_name(1), "unknown status");
    ck_assert_str_eq(mote_status_name(INT32_MIN), "unknown status");
}
END_TEST

START_TEST(sentences)
{
    ck_assert_int_eq(mote_fail(MOTE_ERROR_MODULE, "module %d of %s", 7, "x"), MOTE_ERROR_MODULE);
    ck_assert_str_eq(mote_last_error(), "module 7 of x");
    mote_fail(MOTE_ERROR_MODULE, "again: %s", mote_last_error());
    ck_assert_str_eq(mote_last_error(), "again: module 7 of x");
    ck_assert_int_eq(mote_fail_cl(CL_OUT_OF_RESOURCES, "mote_x", "clFlush"), CL_OUT_OF_RESOURCES);
    ck_assert_str_eq(mote_last_error(), "mote_x: clFlush failed with CL_OUT_OF_RESOURCES (-5)");
}
END_TEST

START_TEST(long_sentence)
{
    size_t length = 3000000;
    char *text = malloc(length + 1);
    ck_assert_ptr_nonnull(text);
    memset(text, 'a', length);
    text[length] = '\0';
    mote_fail(MOTE_ERROR_BUILD, "%s!", text);
    ck_assert_uint_eq(strlen(mote_last_error()), length + 1);
    ck_assert_int_eq(mote_last_error()[length], '!');
    free(text);
}
END_TEST

static void *fail_in_thread(void *number)
{
    char expected[64];
    bool right = mote_last_error()[0] == '\0';
    for (int i = 0; i < 200; i++) {
        mote_fail(MOTE_ERROR_MODULE, "thread %d, failure %d", *(int *)number, i);
        snprintf(expected, sizeof(expected), "thread %d, failure %d", *(int *)number, i);
        right = right && strcmp(mote_last_error(), expected) == 0;
    }
    return right ? number : NULL;
}

START_TEST(each_thread_has_its_own)
{
    pthread_t threads[8];
    int numbers[8];
    mote_fail(MOTE_ERROR_MODULE, "mine");
    for (int i = 0; i < 8; i++) {
        numbers[i] = i;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, fail_in_thread, &numbers[i]), 0);
    }
    for (int i = 0; i < 8; i++) {
        void *right = NULL;
        pthread_join(threads[i], &right);
        ck_assert_ptr_nonnull(right);
    }
    ck_assert_str_eq(mote_last_error(), "mine");
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(names_of_codes),
    SUITE_TEST(sentences),
    SUITE_TEST(long_sentence),
    SUITE_TEST(each_thread_has_its_own),
};

SUITE_MAIN("status", tests)
