/* SPDX-License-Identifier: Apache-2.0 */
/* MOTE_CL_DIR: kernels read from disk. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cl_sources.h"
#include "core/source_dir.h"
#include "faults/printed.h"
#include "recorder.h"
#include "common/bed.h"
#include "common/suite.h"
#include "temporary.h"

extern const mote_source mote_cl_core_trial;

static char root[TEMPORARY_ROOM];

static void put(const char *name, const char *text)
{
    char path[2 * TEMPORARY_ROOM];
    snprintf(path, sizeof(path), "%s/%s", root, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

/* Makes a folder with the trial kernel, from which contexts read their sources, and a program cache
 * in this folder. */
static void setup(void)
{
    char path[2 * TEMPORARY_ROOM];
    temporary_make(root);
    snprintf(path, sizeof(path), "%s/cache", root);
    setenv("MOTE_CACHE_DIR", path, 1);
    setenv("MOTE_CACHE", "on", 1);
    snprintf(path, sizeof(path), "%s/core", root);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    setenv("MOTE_CL_DIR", root, 1);
}

static void teardown(void)
{
    unsetenv("MOTE_CL_DIR");
    temporary_remove(root);
}

static mote_status acquire(mote_context **ctx, mote_kernel_lease *lease)
{
    bed_ok(bed_context(suite_device(), ctx));
    return mote_kernel_acquire(*ctx, &mote_cl_core_trial, "", "trial_fill", lease);
}

/* Returns the result of trial_fill for 7 in a separate context. */
static cl_uint result(void)
{
    mote_context *ctx;
    mote_kernel_lease lease;
    cl_command_queue queue = NULL;
    cl_uint value = 7, out = 0;
    size_t one = 1;
    cl_int code;
    ck_assert_msg(acquire(&ctx, &lease) == MOTE_SUCCESS, "%s", mote_last_error());
    ck_assert_int_eq(mote_context_queue(ctx, 0, &queue), MOTE_SUCCESS);
    cl_mem mem = clCreateBuffer(mote_context_cl(ctx), CL_MEM_READ_WRITE, 4, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clSetKernelArg(lease.kernel, 0, sizeof(mem), &mem), CL_SUCCESS);
    ck_assert_int_eq(clSetKernelArg(lease.kernel, 1, sizeof(value), &value), CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(queue, lease.kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, &out, 0, NULL, NULL),
                     CL_SUCCESS);
    clReleaseMemObject(mem);
    clReleaseCommandQueue(queue);
    mote_kernel_give_back(&lease);
    mote_context_release(ctx);
    return out;
}

/* Checks that the kernel does not build, and that the sentence contains `words`. */
static void refuses(const char *words)
{
    mote_context *ctx;
    mote_kernel_lease lease;
    ck_assert_int_eq(acquire(&ctx, &lease), MOTE_ERROR_BUILD);
    ck_assert_ptr_null(lease.kernel);
    ck_assert_msg(strstr(mote_last_error(), words) != NULL, "no \"%s\" in: %s", words,
                  mote_last_error());
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "MOTE_CL_DIR"));
    mote_context_release(ctx);
}

START_TEST(same_text_as_embedded)
{
#define ADDRESS(source) &source,
    const mote_source *const all[] = {MOTE_CL_SOURCES(ADDRESS)};
#undef ADDRESS
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        mote_text text = {0};
        ck_assert_msg(mote_source_read(CL_DIR, all[i], &text) == MOTE_SUCCESS, "%s",
                      mote_last_error());
        ck_assert_msg(text.length == all[i]->length && strcmp(text.data, all[i]->text) == 0,
                      "%s differs", all[i]->name);
        mote_text_free(&text);
    }
}
END_TEST

START_TEST(edits_take_effect)
{
    put("core/trial.cl", "#include \"core/x.clh\"\r\n"
                         "__kernel void trial_fill(__global uint *out, uint value)\n"
                         "{ out[get_global_id(0)] = value + ADDED; }");
    put("core/x.clh", "#define ADDED 10\n");
    recorder_start(MOTE_LOG_DEBUG);
    ck_assert_uint_eq(result(), 17);
    ck_assert_uint_eq(result(), 17);
    ck_assert_uint_eq(recorder_count(MOTE_LOG_INFO, "read from MOTE_CL_DIR="), 2);
    ck_assert_uint_eq(recorder_count(MOTE_LOG_DEBUG, "loaded from the cache"), 1);
    put("core/x.clh", "#define ADDED 20\n");
    ck_assert_uint_eq(result(), 27);
    ck_assert_uint_eq(recorder_count(MOTE_LOG_DEBUG, "built in"), 2);
    setenv("MOTE_CL_DIR", "", 1);
    ck_assert_uint_eq(result(), 7);
    unsetenv("MOTE_CL_DIR");
    ck_assert_uint_eq(result(), 7);
    ck_assert_uint_eq(recorder_count(MOTE_LOG_INFO, "read from MOTE_CL_DIR="), 3);
    recorder_stop();
}
END_TEST

START_TEST(what_is_wrong_is_named)
{
    refuses("core/trial.cl cannot be read: No such file");
    put("core/trial.cl", "\n#include \"gone.clh\"\n");
    refuses("core/trial.cl:2: cannot find \"gone.clh\"");
    put("core/trial.cl", "#include \"core/x.clh\"\n");
    put("core/x.clh", "/* embed: include every time */\n#if 1\n#include \"trial.cl\"\n#endif\n");
    refuses("core/x.clh:3: \"trial.cl\" includes itself");
    put("core/x.clh", "int caf\xc3\xa9;\n");
    refuses("x.clh: not ASCII at byte 7");
    setenv("MOTE_CL_DIR", "/nonexistent", 1);
    refuses("/nonexistent/core/trial.cl cannot be read: No such file");
    setenv("MOTE_CL_DIR", "/dev/null", 1);
    refuses("/dev/null/core/trial.cl cannot be read: Not a directory");
}
END_TEST

/* Each file pastes the next one twice: 2^30 copies unless copies are limited. */
START_TEST(too_much_is_refused)
{
    char name[32], text[128];
    put("core/trial.cl", "#include \"core/0.clh\"\n");
    for (int i = 0; i < 30; i++) {
        snprintf(name, sizeof(name), "core/%d.clh", i);
        snprintf(text, sizeof(text),
                 "/* embed: include every time */\n#include \"%d.clh\"\n#include \"%d.clh\"\n",
                 i + 1, i + 1);
        put(name, text);
    }
    put("core/30.clh", "/* embed: include every time */\n");
    refuses("includes too much");
}
END_TEST

static const char warns[] = "#warning trial_warns\n"
                            "__kernel void trial_fill(__global uint *out, uint value)\n"
                            "{ out[get_global_id(0)] = value; }";

/* Builds a kernel that causes a compiler warning and returns how often the log reports the warning.
 * `printed` receives the output of the driver. */
static size_t warnings(char *printed, size_t room)
{
    const mote_source source = {"core/trial.cl", warns, sizeof(warns) - 1, false};
    mote_context *ctx;
    mote_kernel_lease lease;
    bed_ok(bed_context(suite_device(), &ctx));
    recorder_start(MOTE_LOG_DEBUG);
    printed_begin();
    mote_status status = mote_kernel_acquire(ctx, &source, "", "trial_fill", &lease);
    printed_end(printed, room);
    size_t count = recorder_count(MOTE_LOG_DEBUG, "trial_warns");
    recorder_stop();
    ck_assert_msg(!status, "%s", mote_last_error());
    mote_kernel_give_back(&lease);
    mote_context_release(ctx);
    return count;
}

/* True if the compiler puts warnings into its log; NVIDIA's does not. */
static bool compiler_warns(void)
{
    static char log[10000];
    const char *text = warns;
    mote_context *ctx;
    cl_int code;
    bed_ok(bed_context(suite_device(), &ctx));
    cl_device_id device = mote_context_device(ctx)->device;
    cl_program program = clCreateProgramWithSource(mote_context_cl(ctx), 1, &text, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clBuildProgram(program, 1, &device, "", NULL, NULL), CL_SUCCESS);
    ck_assert_int_eq(
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL),
        CL_SUCCESS);
    clReleaseProgram(program);
    mote_context_release(ctx);
    return strstr(log, "trial_warns") != NULL;
}

/* Compiler warnings appear for kernels read from MOTE_CL_DIR only, because they concern
 * developers. */
START_TEST(warnings_are_not_for_users)
{
    char printed[1000];
    put("core/trial.cl", warns);
    ck_assert_uint_eq(warnings(printed, sizeof(printed)), compiler_warns());
    unsetenv("MOTE_CL_DIR");
    ck_assert_uint_eq(warnings(printed, sizeof(printed)), 0);
    ck_assert_str_eq(printed, "");
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(same_text_as_embedded),      SUITE_TEST(edits_take_effect),
    SUITE_TEST(warnings_are_not_for_users), SUITE_TEST(what_is_wrong_is_named),
    SUITE_TEST(too_much_is_refused),
};

SUITE_MAIN_FIXTURE("source_dir", tests, setup, teardown)
