/* SPDX-License-Identifier: Apache-2.0 */
/* Drivers that report absurd lengths of their answers, or absurd answers: no operation may crash,
 * hang or leak. */
#include "tests.h"

#include "core/context.h"
#include "core/program.h"
#include "core/temporary.h"
#include "groups.h"

#include "cl_sources.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fault_question {
    fault_call call;
    cl_uint what;
} fault_question;

/* Answers of any length. */
static const fault_question long_answers[] = {
    {FAULT_clGetPlatformInfo, CL_PLATFORM_NAME},
    {FAULT_clGetDeviceInfo, CL_DEVICE_NAME},
    {FAULT_clGetDeviceInfo, CL_DEVICE_VENDOR},
    {FAULT_clGetDeviceInfo, CL_DRIVER_VERSION},
    {FAULT_clGetDeviceInfo, CL_DEVICE_OPENCL_C_VERSION},
    {FAULT_clGetContextInfo, CL_CONTEXT_DEVICES},
    {FAULT_clGetProgramInfo, CL_PROGRAM_DEVICES},
    {FAULT_clGetProgramInfo, CL_PROGRAM_BINARY_SIZES},
    {FAULT_clGetProgramBuildInfo, CL_PROGRAM_BUILD_LOG},
};

static const size_t lengths[] = {0, 1, 7, 100 * 1024, SIZE_MAX / 2, SIZE_MAX - 7, SIZE_MAX};

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* Runs all steps from the devices to one kernel, and stores the program in the cache. */
static mote_status run_all(void)
{
    mote_device_info *devices = NULL;
    mote_context *ctx = NULL, *wrapped = NULL;
    mote_kernel_lease lease = {0};
    size_t count = 0;
    mote_status status = mote_devices(sizeof(mote_device_info), &devices, &count);
    mote_devices_free(devices);
    if (!status)
        status = mote_context_open(NULL, &ctx);
    if (!status)
        status =
            mote_context_create(mote_context_cl(ctx), mote_context_device(ctx)->device, &wrapped);
    if (!status)
        status =
            mote_kernel_acquire(wrapped, &mote_cl_common_error_merge, "", "error_merge", &lease);
    mote_kernel_give_back(&lease);
    mote_context_release(wrapped);
    mote_context_release(ctx);
    return status;
}

START_TEST(lengths_of_answers)
{
    const fault_question *q = &long_answers[_i];
    char folder[TEMPORARY_ROOM];
    int live[FAULT_HANDLES];
    fault_bed b;
    fault_track(true);
    temporary_make(folder);
    setenv("MOTE_CACHE_DIR", folder, 1);
    setenv("MOTE_CACHE", "on", 1);
    for (int i = 0; i < COUNT(lengths); i++) {
        /* A driver that writes more than it has reported cannot be handled. */
        if (q->what == CL_PROGRAM_BINARY_SIZES && lengths[i] && lengths[i] != SIZE_MAX)
            continue;
        temporary_remove(folder); /* so that the program is built */
        fault_count_live(live);
        fault_lie(q->call, q->what, lengths[i]);
        mote_status status = run_all();
        ck_assert_msg(!status || !fault_is_marked(), "%s of %zu bytes: %s without a sentence",
                      fault_call_name(q->call), lengths[i], mote_status_name(status));
        fault_reset();
        ck_assert_msg(fault_check_live(&b, live), "%s of %zu bytes: %s", fault_call_name(q->call),
                      lengths[i], b.message);
    }
    ck_assert_msg(!run_all(), "%s", mote_last_error());
    setenv("MOTE_CACHE", "off", 1);
    unsetenv("MOTE_CACHE_DIR");
    temporary_remove(folder);
}
END_TEST

/* Numbers that determine sizes and shapes of launches. */
static const struct {
    fault_question question;
    size_t answer;
} numbers[] = {
    {{FAULT_clGetDeviceInfo, CL_DEVICE_MAX_COMPUTE_UNITS}, 0},
    {{FAULT_clGetDeviceInfo, CL_DEVICE_MAX_COMPUTE_UNITS}, UINT32_MAX},
    {{FAULT_clGetDeviceInfo, CL_DEVICE_LOCAL_MEM_SIZE}, 0},
    {{FAULT_clGetDeviceInfo, CL_DEVICE_LOCAL_MEM_SIZE}, SIZE_MAX},
    {{FAULT_clGetDeviceInfo, CL_DEVICE_GLOBAL_MEM_SIZE}, 0},
    {{FAULT_clGetDeviceInfo, CL_DEVICE_MAX_MEM_ALLOC_SIZE}, 0},
    {{FAULT_clGetDeviceInfo, CL_DEVICE_MAX_MEM_ALLOC_SIZE}, SIZE_MAX},
    {{FAULT_clGetKernelWorkGroupInfo, CL_KERNEL_WORK_GROUP_SIZE}, 0},
    {{FAULT_clGetKernelWorkGroupInfo, CL_KERNEL_WORK_GROUP_SIZE}, SIZE_MAX},
    {{FAULT_clGetKernelInfo, CL_KERNEL_NUM_ARGS}, 0},
    {{FAULT_clGetMemObjectInfo, CL_MEM_SIZE}, 0},
    {{FAULT_clGetMemObjectInfo, CL_MEM_SIZE}, SIZE_MAX},
    {{FAULT_clGetMemObjectInfo, CL_MEM_OFFSET}, SIZE_MAX},
};

static void endure_all(fault_bed *b, const fault_operation *operations, size_t count,
                       const fault_question *q)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(fault_endure(b, &operations[i]), "%s, question %x: %s",
                      fault_call_name(q->call), (unsigned)q->what, b->message);
}

/* Reads the properties of a device that reports false values; only these change, so that built
 * programs can be reused. */
static void ask_device(fault_bed *b)
{
    mote_context *ctx = NULL;
    ck_assert_msg(
        !mote_context_create(mote_context_cl(b->ctx), mote_context_device(b->ctx)->device, &ctx),
        "%s", mote_last_error());
    b->ctx->device = *mote_context_device(ctx);
    mote_context_release(ctx);
}

START_TEST(answers)
{
    fault_bed b;
    fault_bed_open(&b, fault_form_tunes[_i]);
    for (int i = 0; i < COUNT(numbers); i++) {
        const fault_question *q = &numbers[i].question;
        fault_lie(q->call, q->what, numbers[i].answer);
        ask_device(&b);
        endure_all(&b, fault_described, fault_described_count, q);
        endure_all(&b, fault_jagged, fault_jagged_count, q);
        endure_all(&b, fault_pixels, fault_pixels_count, q);
        endure_all(&b, fault_coordination, fault_coordination_count, q);
        fault_reset();
        ask_device(&b);
    }
    ck_assert_msg(fault_bed_close(&b), "%s", b.message);
}
END_TEST

/* Counts the calls that create a plan, and those of them that are rejected. */
static int try_plans(fault_bed *b, const fault_groups *groups, int *plans)
{
    int refused = 0;
    *plans = 0;
    for (size_t i = 0; i < fault_coordination_count; i++) {
        if (fault_coordination[i].setup)
            continue;
        refused += fault_groups_try(b, &fault_coordination[i], 1, groups);
        *plans += fault_coordination[i].undo != NULL;
    }
    return refused;
}

START_TEST(tiny_groups)
{
    fault_bed b;
    fault_bed_open(&b, fault_form_tunes[_i]);
    for (size_t most = 1; most <= 8; most *= 2) {
        fault_groups groups = {.most = most};
        int refused = 0, plans = 0;
        fault_lie(FAULT_clGetDeviceInfo, CL_DEVICE_MAX_WORK_GROUP_SIZE, most);
        ask_device(&b);
        fault_reset();
        fault_groups_watch(&groups);
        refused += fault_groups_try(&b, fault_described, fault_described_count, &groups);
        refused += fault_groups_try(&b, fault_jagged, fault_jagged_count, &groups);
        refused += fault_groups_try(&b, fault_pixels, fault_pixels_count, &groups);
        ck_assert_int_eq(refused, 0);
        refused = try_plans(&b, &groups, &plans);
        ck_assert_int_eq(refused, most < 8 ? plans : 0);
        fault_groups_watch(NULL);
    }
    ck_assert_msg(fault_bed_close(&b), "%s", b.message);
}
END_TEST

Suite *fault_suite_bad_answers(void)
{
    Suite *suite = suite_create("bad_answers");
    TCase *first = tcase_create("lengths");
    tcase_set_timeout(first, 0);
    tcase_add_loop_test(first, lengths_of_answers, 0, COUNT(long_answers));
    suite_add_tcase(suite, first);
    for (int i = 0; i < FAULT_FORMS; i++) {
        TCase *one = tcase_create(fault_forms[i]);
        tcase_set_timeout(one, 0);
        tcase_add_loop_test(one, answers, i, i + 1);
        tcase_add_loop_test(one, tiny_groups, i, i + 1);
        suite_add_tcase(suite, one);
    }
    return suite;
}
