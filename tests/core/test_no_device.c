/* SPDX-License-Identifier: Apache-2.0 */
/* A machine without any OpenCL driver: the environment gives the loader an empty list. */
#include <string.h>

#include "mote/context.h"
#include "common/suite.h"

START_TEST(no_driver)
{
    mote_device_info *devices = NULL;
    size_t count = 7;
    mote_context *ctx = NULL;
    ck_assert_int_eq(mote_devices(sizeof(mote_device_info), &devices, &count), MOTE_SUCCESS);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(mote_context_open(NULL, &ctx), MOTE_ERROR_NO_DEVICE);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "pocl-opencl-icd"));
    ck_assert_int_eq(mote_context_open("gpu", &ctx), MOTE_ERROR_NO_DEVICE);
    ck_assert_ptr_null(ctx);
    mote_devices_free(devices);
}
END_TEST

static const suite_test tests[] = {SUITE_TEST(no_driver)};

SUITE_MAIN("no_device", tests)
