/* SPDX-License-Identifier: Apache-2.0 */
/* Environment variables are ignored in a process that has more rights than its caller. */
#include <stdlib.h>

#include "common/suite.h"
#include "core/program.h"
#include "core/system.h"
#include "core/tune_file.h"
#include "recorder.h"

extern const mote_source mote_cl_core_trial;

static bool privileged;

char *__real_secure_getenv(const char *name);
char *__wrap_secure_getenv(const char *name);
char *__wrap_secure_getenv(const char *name)
{
    return privileged ? NULL : __real_secure_getenv(name);
}

/* Builds the first kernel of a new context on the default device. */
static mote_status first_kernel(void)
{
    mote_context *ctx = NULL;
    mote_kernel_lease lease = {0};
    mote_status status = mote_context_open(NULL, &ctx);
    if (!status)
        status = mote_kernel_acquire(ctx, &mote_cl_core_trial, "", "trial_fill", &lease);
    mote_kernel_give_back(&lease);
    mote_context_release(ctx);
    return status;
}

START_TEST(variables_count)
{
    setenv("MOTE_CL_DIR", "/nonexistent", 1);
    ck_assert_int_eq(first_kernel(), MOTE_ERROR_BUILD);
    unsetenv("MOTE_CL_DIR");
    setenv("MOTE_CACHE_DIR", "/nonexistent", 1);
    unsetenv("MOTE_CACHE");
    ck_assert_uint_gt(mote_cache_path(NULL, 0), 0);
    setenv("MOTE_TUNE_FILE", "/nonexistent", 1);
    ck_assert_uint_gt(mote_tune_path(NULL, 0), 0);
    setenv("MOTE_TUNE", "no.such=1", 1);
    recorder_start(MOTE_LOG_WARN);
    ck_assert_int_eq(first_kernel(), MOTE_SUCCESS);
    ck_assert_uint_eq(recorder_count(MOTE_LOG_WARN, "no.such"), 1);
    setenv("MOTE_DEVICE", "no such device", 1);
    ck_assert_int_eq(first_kernel(), MOTE_ERROR_NO_DEVICE);
    recorder_stop();
}
END_TEST

/* The variables set by the previous test are still in the environment. */
START_TEST(variables_of_others_do_not_count)
{
    setenv("MOTE_CL_DIR", "/nonexistent", 1);
    setenv("XDG_CACHE_HOME", "/nonexistent", 1);
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    privileged = true;
    recorder_start(MOTE_LOG_DEBUG);
    ck_assert_msg(first_kernel() == MOTE_SUCCESS, "%s", mote_last_error());
    ck_assert_uint_eq(recorder_count(MOTE_LOG_NONE, "nonexistent"), 0);
    ck_assert_uint_eq(recorder_count(MOTE_LOG_NONE, "no.such"), 0);
    recorder_stop();
    ck_assert_uint_eq(mote_cache_path(NULL, 0), 0);
    ck_assert_uint_eq(mote_tune_path(NULL, 0), 0);
    privileged = false;
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(variables_count),
    SUITE_TEST(variables_of_others_do_not_count),
};

SUITE_MAIN("system", tests)
