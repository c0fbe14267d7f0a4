/* SPDX-License-Identifier: Apache-2.0 */
/* Device strings, opening and wrapping. Runs with two PoCL devices (POCL_DEVICES). */
#include <stdio.h>
#include <string.h>

#include "core/context.h"
#include "core/device.h"
#include "common/suite.h"

/* An artificial machine: a CPU first, then two GPUs of one platform, then two platforms of one
 * name. */
static mote_device_info machine[6];
#define MACHINE_COUNT (sizeof(machine) / sizeof(machine[0]))

static void add(size_t at, uintptr_t platform, const char *platform_name, const char *vendor,
                const char *name, mote_device_class device_class, uint32_t units, int index)
{
    mote_device_info *info = &machine[at];
    memset(info, 0, sizeof(*info));
    info->platform_id = (cl_platform_id)platform; /* only compared */
    info->device_class = device_class;
    info->compute_units = units;
    snprintf(info->platform, sizeof(info->platform), "%s", platform_name);
    snprintf(info->vendor, sizeof(info->vendor), "%s", vendor);
    snprintf(info->name, sizeof(info->name), "%s", name);
    mote_device_spec(info, index);
}

static void make_machine(void)
{
    static const char long_name[] =
        "A Platform Whose Name Is Far Too Long To Be A Part Of Any Device String At All";
    add(0, 8, "Portable Computing Language", "GenuineIntel", "pthread-Xeon", MOTE_DEVICE_CPU, 64,
        0);
    add(1, 16, "NVIDIA CUDA", "NVIDIA Corporation", "NVIDIA T4", MOTE_DEVICE_GPU, 40, 0);
    add(2, 16, "NVIDIA CUDA", "NVIDIA Corporation", "NVIDIA H200", MOTE_DEVICE_GPU, 132, 1);
    add(3, 24, "rusticl", "Mesa/X.org", "AMD Radeon", MOTE_DEVICE_GPU, 60, 0);
    add(4, 32, "rusticl", "Mesa/X.org", "llvmpipe", MOTE_DEVICE_CPU, 64, 0);
    add(5, 40, long_name, "Somebody", "Thing", MOTE_DEVICE_GPU, 132, 0);
    mote_device_specs_settle(machine, MACHINE_COUNT);
}

static int find(const char *spec)
{
    const mote_device_info *found = mote_device_find(machine, MACHINE_COUNT, spec);
    return found ? (int)(found - machine) : -1;
}

START_TEST(device_strings)
{
    static const struct {
        const char *spec;
        int device;
    } cases[] = {
        {"gpu", 2},          {"GPU", 2},       {"cpu", 0},      {"nvidia", 1},
        {"h200", 2},         {"pocl", 0},      {"PoCL:0", 0},   {"pocl:1", -1},
        {"nvidia:1", 2},     {"nvidia:2", -1}, {"rusticl", 3},  {"mesa", 3},
        {"llvmpipe", 4},     {"xeon", 0},      {"nothing", -1}, {"rusticl:0", 3},
        {"0:0", 0},          {"3:0", 4},       {"4:0", 5},      {"9:0", -1},
        {"pocl:", -1},       {":0", -1},       {"pocl:-1", -1}, {"pocl:99999999999", -1},
        {"far too long", 5},
    };
    make_machine();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        ck_assert_msg(find(cases[i].spec) == cases[i].device, "%s gives %d", cases[i].spec,
                      find(cases[i].spec));
}
END_TEST

START_TEST(every_spec_opens_its_device)
{
    make_machine();
    for (size_t i = 0; i < MACHINE_COUNT; i++)
        ck_assert_msg(find(machine[i].spec) == (int)i, "%s of %zu gives %d", machine[i].spec, i,
                      find(machine[i].spec));
    ck_assert_str_eq(machine[0].spec, "pocl:0");
    ck_assert_str_eq(machine[2].spec, "nvidia:1");
    ck_assert_str_eq(machine[4].spec, "3:0");
}
END_TEST

START_TEST(list_of_devices)
{
    mote_device_info *devices = NULL;
    size_t count = 0;
    ck_assert_int_eq(mote_devices(sizeof(mote_device_info), &devices, &count), MOTE_SUCCESS);
    ck_assert_uint_ge(count, 1);
    for (size_t i = 0; i < count; i++) {
        mote_context *ctx = NULL;
        ck_assert_int_eq(mote_context_open(devices[i].spec, &ctx), MOTE_SUCCESS);
        const mote_device_info *info = mote_context_device(ctx);
        ck_assert_ptr_eq(info->device, devices[i].device);
        ck_assert_str_eq(info->name, devices[i].name);
        ck_assert_uint_gt(info->max_work_group, 0);
        ck_assert_uint_gt(info->compute_units, 0);
        ck_assert_uint_ge(info->global_bytes, info->max_alloc_bytes);
        ck_assert_uint_eq(info->size, sizeof(*info));
        mote_context_release(ctx);
    }
    mote_devices_free(devices);
    mote_devices_free(NULL);
}
END_TEST

START_TEST(nothing_matches)
{
    mote_context *ctx = (mote_context *)&ctx;
    mote_device_info *devices = NULL;
    size_t count = 0;
    ck_assert_int_eq(mote_devices(sizeof(mote_device_info), &devices, &count), MOTE_SUCCESS);
    ck_assert_int_eq(mote_context_open("no such thing", &ctx), MOTE_ERROR_NO_DEVICE);
    ck_assert_ptr_null(ctx);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "no such thing"));
    for (size_t i = 0; i < count; i++) {
        ck_assert_ptr_nonnull(strstr(mote_last_error(), devices[i].spec));
        ck_assert_ptr_nonnull(strstr(mote_last_error(), devices[i].name));
    }
    mote_devices_free(devices);
}
END_TEST

START_TEST(default_device)
{
    mote_context *ctx = NULL;
    unsetenv("MOTE_DEVICE");
    ck_assert_int_eq(mote_context_open(NULL, &ctx), MOTE_SUCCESS);
    mote_context_release(ctx);
    setenv("MOTE_DEVICE", "pocl:0", 1);
    ck_assert_int_eq(mote_context_open(NULL, &ctx), MOTE_SUCCESS);
    ck_assert_str_eq(mote_context_device(ctx)->spec, "pocl:0");
    mote_context_release(ctx);
    setenv("MOTE_DEVICE", "no such thing", 1);
    ck_assert_int_eq(mote_context_open(NULL, &ctx), MOTE_ERROR_NO_DEVICE);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "MOTE_DEVICE"));
    ck_assert_int_eq(mote_context_open("pocl:0", &ctx), MOTE_SUCCESS);
    mote_context_release(ctx);
    setenv("MOTE_DEVICE", "", 1);
    ck_assert_int_eq(mote_context_open("", &ctx), MOTE_SUCCESS);
    mote_context_release(ctx);
    unsetenv("MOTE_DEVICE");
}
END_TEST

/* The two PoCL devices that the environment specifies. */
static void two_devices(cl_device_id ids[2])
{
    mote_device_info *devices = NULL;
    size_t count = 0, found = 0;
    ck_assert_int_eq(mote_devices(sizeof(mote_device_info), &devices, &count), MOTE_SUCCESS);
    for (size_t i = 0; i < count && found < 2; i++)
        if (strncmp(devices[i].spec, "pocl:", 5) == 0)
            ids[found++] = devices[i].device;
    mote_devices_free(devices);
    ck_assert_msg(found == 2, "run with POCL_DEVICES=\"basic basic\"");
}

START_TEST(wrapping)
{
    cl_device_id ids[2];
    cl_int code;
    two_devices(ids);
    cl_context cl = clCreateContext(NULL, 1, &ids[1], NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    mote_context *ctx = NULL;
    ck_assert_int_eq(mote_context_create(cl, ids[1], &ctx), MOTE_SUCCESS);
    ck_assert_ptr_eq(mote_context_cl(ctx), cl);
    ck_assert_ptr_eq(mote_context_device(ctx)->device, ids[1]);
    ck_assert_str_eq(mote_context_device(ctx)->spec, "");
    clReleaseContext(cl);
    cl_command_queue queue = NULL;
    ck_assert_int_eq(mote_context_queue(ctx, CL_QUEUE_PROFILING_ENABLE, &queue), MOTE_SUCCESS);
    ck_assert_int_eq(clFinish(queue), CL_SUCCESS);
    clReleaseCommandQueue(queue);
    mote_context_release(ctx);
}
END_TEST

START_TEST(wrong_device)
{
    cl_device_id ids[2];
    cl_int code;
    two_devices(ids);
    cl_context cl = clCreateContext(NULL, 1, &ids[0], NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    mote_context *ctx = (mote_context *)&ctx;
    ck_assert_int_eq(mote_context_create(cl, ids[1], &ctx), MOTE_ERROR_WRONG_CONTEXT);
    ck_assert_ptr_null(ctx);
    cl_uint references = 0;
    clGetContextInfo(cl, CL_CONTEXT_REFERENCE_COUNT, sizeof(references), &references, NULL);
    ck_assert_uint_eq(references, 1);
    clReleaseContext(cl);
}
END_TEST

START_TEST(missing_arguments)
{
    mote_context *ctx = NULL;
    mote_device_info *devices = NULL;
    cl_command_queue queue = NULL;
    size_t count;
    ck_assert_int_eq(mote_devices(sizeof(mote_device_info), NULL, &count),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_devices(sizeof(mote_device_info), &devices, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_context_open("cpu", NULL), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_context_create(NULL, NULL, &ctx), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "context is NULL"));
    ck_assert_int_eq(mote_context_queue(NULL, 0, &queue), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_null(mote_context_cl(NULL));
    ck_assert_ptr_null(mote_context_device(NULL));
    mote_context_release(NULL);
    ck_assert_int_eq(mote_context_open("pocl:0", &ctx), MOTE_SUCCESS);
    ck_assert_int_eq(mote_context_queue(ctx, 0, NULL), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_lt(mote_context_queue(ctx, ~(cl_command_queue_properties)0, &queue), 0);
    ck_assert_ptr_null(queue);
    mote_context_release(ctx);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(device_strings),  SUITE_TEST(every_spec_opens_its_device),
    SUITE_TEST(list_of_devices), SUITE_TEST(nothing_matches),
    SUITE_TEST(default_device),  SUITE_TEST(wrapping),
    SUITE_TEST(wrong_device),    SUITE_TEST(missing_arguments),
};

SUITE_MAIN("context", tests)
