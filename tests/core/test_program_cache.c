/* SPDX-License-Identifier: Apache-2.0 */
/* Programs in the disk cache, with contexts that are created and released as by several
 * processes. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/cache.h"
#include "core/program.h"
#include "core/quirks.h"
#include "mote/mote.h"
#include "recorder.h"
#include "common/suite.h"
#include "temporary.h"

extern const mote_source mote_cl_core_trial;

static char root[TEMPORARY_ROOM];

static void setup(void)
{
    temporary_make(root);
    setenv("MOTE_CACHE_DIR", root, 1);
    setenv("MOTE_CACHE", "on", 1);
}

/* Runs one life of a program: acquires a kernel, runs it, closes the context. */
static void run_and_close(mote_context *ctx, const char *defines, cl_uint expected)
{
    mote_kernel_lease lease;
    cl_command_queue queue = NULL;
    cl_uint value = 7, result = 0;
    cl_int code;
    size_t one = 1;
    ck_assert_int_eq(mote_kernel_acquire(ctx, &mote_cl_core_trial, defines, "trial_fill", &lease),
                     MOTE_SUCCESS);
    ck_assert_int_eq(mote_context_queue(ctx, 0, &queue), MOTE_SUCCESS);
    cl_mem mem = clCreateBuffer(mote_context_cl(ctx), CL_MEM_READ_WRITE, 4, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clSetKernelArg(lease.kernel, 0, sizeof(mem), &mem), CL_SUCCESS);
    ck_assert_int_eq(clSetKernelArg(lease.kernel, 1, sizeof(value), &value), CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(queue, lease.kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, &result, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(result, expected);
    clReleaseMemObject(mem);
    clReleaseCommandQueue(queue);
    mote_kernel_give_back(&lease);
    mote_context_release(ctx);
}

static void live(const char *defines, cl_uint expected)
{
    mote_context *ctx = NULL;
    ck_assert_int_eq(mote_context_open(suite_device(), &ctx), MOTE_SUCCESS);
    run_and_close(ctx, defines, expected);
}

/* Returns the origin of a life's program, from the messages since its beginning: 'b' built, 'c'
 * from the cache.
 */
static char how_it_came(void)
{
    size_t built = recorder_count(MOTE_LOG_DEBUG, "built in");
    size_t loaded = recorder_count(MOTE_LOG_DEBUG, "loaded from the cache");
    recorder_stop();
    ck_assert_uint_eq(built + loaded, 1);
    return built ? 'b' : 'c';
}

static char life(const char *defines, cl_uint expected)
{
    recorder_start(MOTE_LOG_DEBUG);
    live(defines, expected);
    return how_it_came();
}

START_TEST(second_life_does_not_build)
{
    setup();
    ck_assert_int_eq(life("-DTRIAL_FACTOR=2", 14), 'b');
    ck_assert_int_eq(life("-DTRIAL_FACTOR=2", 14), 'c');
    ck_assert_int_eq(life("-DTRIAL_FACTOR=3", 21), 'b');
    ck_assert_int_eq(life("-DTRIAL_FACTOR=3", 21), 'c');
    ck_assert_int_eq(life("-DTRIAL_FACTOR=2", 14), 'c');
    ck_assert_uint_eq(temporary_count(root, 0, NULL, 0), 2);
    setenv("MOTE_CACHE", "off", 1);
    ck_assert_int_eq(life("-DTRIAL_FACTOR=2", 14), 'b');
    temporary_remove(root);
}
END_TEST

/* If the driver has a cache of its own, mote stores no binaries, unless MOTE_CACHE=on is set. */
START_TEST(pocl_keeps_its_programs)
{
    setup();
    unsetenv("MOTE_CACHE");
    mote_context *ctx = NULL;
    ck_assert_int_eq(mote_context_open(suite_device(), &ctx), MOTE_SUCCESS);
    bool keeps = mote_has_quirk(ctx, MOTE_QUIRK_KEEPS_PROGRAMS);
    mote_context_release(ctx);
    ck_assert_int_eq(life("-DTRIAL_FACTOR=2", 14), 'b');
    ck_assert_uint_eq(temporary_count(root, 0, NULL, 0), keeps ? 0 : 1);
    ck_assert_int_eq(life("-DTRIAL_FACTOR=2", 14), keeps ? 'b' : 'c');
    setenv("MOTE_CACHE", "on", 1);
    ck_assert_int_eq(life("-DTRIAL_FACTOR=2", 14), keeps ? 'b' : 'c');
    ck_assert_int_eq(life("-DTRIAL_FACTOR=2", 14), 'c');
    ck_assert_uint_eq(temporary_count(root, 0, NULL, 0), 1);
    temporary_remove(root);
}
END_TEST

/* Computes a sum in a new context that is opened with these tuning values. */
static char tuned_life(const char *tune)
{
    float values[1000];
    double sum = 0;
    mote_context *ctx = NULL;
    mote_reduce_host_args args;
    for (int i = 0; i < 1000; i++)
        values[i] = (float)i;
    mote_reduce_host_args_init(&args);
    args.values = values;
    args.type = MOTE_FLOAT32;
    args.n = 1000;
    args.result = &sum;
    setenv("MOTE_TUNE", tune, 1);
    recorder_start(MOTE_LOG_DEBUG);
    ck_assert_int_eq(mote_context_open(suite_device(), &ctx), MOTE_SUCCESS);
    unsetenv("MOTE_TUNE");
    ck_assert_int_eq(mote_reduce_host(ctx, NULL, &args), MOTE_SUCCESS);
    ck_assert_double_eq(sum, 499500);
    mote_context_release(ctx);
    return how_it_came();
}

/* A program that was built with one tuning value is not used with another. */
START_TEST(tuned_programs_are_apart)
{
    setup();
    ck_assert_int_eq(tuned_life("reduce.form=gpu,reduce.sum_group=16"), 'b');
    ck_assert_int_eq(tuned_life("reduce.form=gpu,reduce.sum_group=32"), 'b');
    ck_assert_int_eq(tuned_life("reduce.form=gpu,reduce.sum_group=16"), 'c');
    ck_assert_int_eq(tuned_life("reduce.form=gpu,reduce.sum_group=32"), 'c');
    temporary_remove(root);
}
END_TEST

static void entry_path(char *path, size_t room)
{
    char name[128] = "";
    ck_assert_uint_eq(temporary_count(root, 0, name, sizeof(name)), 1);
    snprintf(path, room, "%s/%s", root, name);
}

START_TEST(damaged_program)
{
    char path[2 * TEMPORARY_ROOM];
    setup();
    ck_assert_int_eq(life("", 7), 'b');
    entry_path(path, sizeof(path));
    for (long at = 30; at < 3000; at += 700) {
        FILE *file = fopen(path, "r+b");
        ck_assert_ptr_nonnull(file);
        fseek(file, at, SEEK_SET);
        int byte = fgetc(file);
        fseek(file, at, SEEK_SET);
        fputc(byte ^ 0x10, file);
        fclose(file);
        ck_assert_int_eq(life("", 7), 'b');
        ck_assert_int_eq(life("", 7), 'c');
    }
    ck_assert_int_eq(truncate(path, 1000), 0);
    ck_assert_int_eq(life("", 7), 'b');
    temporary_remove(root);
}
END_TEST

/* A valid entry whose program the driver rejects: it is removed, and the source is built. */
START_TEST(refused_program)
{
    static const char junk[] = "this is no program of any driver, whatever its checksum says";
    char path[2 * TEMPORARY_ROOM], entry[4096];
    setup();
    ck_assert_int_eq(life("", 7), 'b');
    entry_path(path, sizeof(path));
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    size_t length = fread(entry, 1, sizeof(entry) - 1, file);
    fclose(file);
    ck_assert_uint_gt(length, 300);
    /* The key follows the head of 40 bytes; the first 8 of its length suffice for a small one. */
    size_t key_length = (size_t)(unsigned char)entry[8] + 256u * (unsigned char)entry[9];
    ck_assert_uint_lt(40 + key_length, length);
    char *key = entry + 40;
    key[key_length] = '\0';
    ck_assert_ptr_nonnull(strstr(key, "source core/trial.cl"));
    mote_cache_store(key, (const unsigned char *)junk, sizeof(junk));
    ck_assert_uint_eq(temporary_count(root, 0, NULL, 0), 1);
    recorder_start(MOTE_LOG_INFO);
    live("", 7);
    ck_assert_uint_eq(recorder_count(MOTE_LOG_INFO, "the driver refused the cached program"), 1);
    recorder_stop();
    ck_assert_int_eq(life("", 7), 'c');
    temporary_remove(root);
}
END_TEST

/* Wrapped contexts of two devices. PoCL stores the binary of the second one under the first, so one
 * is built each time; results must be correct in any case. */
START_TEST(context_of_two_devices)
{
    mote_device_info *devices = NULL;
    size_t count = 0;
    cl_device_id ids[2];
    cl_int code;
    setup();
    ck_assert_int_eq(mote_devices(sizeof(mote_device_info), &devices, &count), MOTE_SUCCESS);
    ck_assert_msg(count >= 2, "run with POCL_DEVICES=\"basic basic\"");
    ids[0] = devices[0].device;
    ids[1] = devices[1].device;
    mote_devices_free(devices);
    cl_context cl = clCreateContext(NULL, 2, ids, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    for (int i = 0; i < 4; i++) {
        mote_context *ctx = NULL;
        recorder_start(MOTE_LOG_DEBUG);
        ck_assert_int_eq(mote_context_create(cl, ids[i / 2], &ctx), MOTE_SUCCESS);
        run_and_close(ctx, i / 2 ? "-DTRIAL_FACTOR=2" : "", i / 2 ? 14 : 7);
        if (i == 1)
            ck_assert_uint_eq(recorder_count(MOTE_LOG_DEBUG, "loaded from the cache"), 1);
    }
    recorder_stop();
    clReleaseContext(cl);
    temporary_remove(root);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(second_life_does_not_build),
    SUITE_TEST(pocl_keeps_its_programs),
    SUITE_TEST(tuned_programs_are_apart),
    SUITE_TEST(damaged_program),
    SUITE_TEST(refused_program),
    SUITE_TEST_OF_TWO(context_of_two_devices),
};

SUITE_MAIN("program_cache", tests)
