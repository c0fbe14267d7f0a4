/* SPDX-License-Identifier: Apache-2.0 */
#include "core/program_build.h"
#include "core/cache.h"
#include "core/device.h"
#include "core/log.h"
#include "core/quirks.h"
#include "core/source_dir.h"
#include "core/sub_groups.h"
#include "core/system.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Larger binaries are not stored; the limit also detects absurd sizes. */
#define BINARY_MAX ((size_t)32 << 20)

/* No compiler log is this long: a larger size is a driver's error. */
#define LOG_MAX ((size_t)256 << 20)

typedef struct build {
    const mote_context *ctx;
    const mote_source *source;
    mote_source read;  /* the memory of `source` if it is read from disk */
    mote_text text;    /* of `read` */
    mote_text prelude; /* lines that the driver needs before the source */
    mote_text options;
    mote_text key; /* key of the disk cache */
    cl_program program;
} build;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Adds macros that change the code of every source. */
static void add_prelude(build *b)
{
    if (mote_has_quirk(b->ctx, MOTE_QUIRK_LOSES_INLINE))
        mote_text_add(&b->prelude, "#undef inline\n"
                                   "#define inline __attribute__((always_inline))\n");
    if (mote_has_quirk(b->ctx, MOTE_QUIRK_CALLS))
        mote_text_add(&b->prelude, "#define inline inline __attribute__((always_inline))\n");
    if (mote_has_quirk(b->ctx, MOTE_QUIRK_ADDS_BARRIERS))
        mote_text_add(
            &b->prelude,
            "#define MOTE_RECONVERGE() __c11_atomic_signal_fence(__ATOMIC_SEQ_CST)\n"
            "#define barrier(flags) do { barrier(flags); MOTE_RECONVERGE(); } while (0)\n");
}

/* Adds the language version, functions and width of sub-groups, for sources that use them: other
 * sources are not rebuilt because of them. */
static void add_language(build *b)
{
    bool asks = b->ctx->sub_groups != MOTE_SUB_GROUPS_NONE &&
                strstr(b->source->text, "MOTE_SUB_GROUPS") != NULL;
    bool newer = asks && b->ctx->sub_groups == MOTE_SUB_GROUPS_KHR;
    mote_text_add(&b->options, "-cl-std=CL%s", newer ? "3.0" : "1.2");
    if (asks)
        mote_text_add(&b->options, " -DMOTE_SUB_GROUPS=%u", (unsigned)b->ctx->sub_groups);
    if (b->ctx->width > 0 && strstr(b->source->text, "MOTE_WIDTH"))
        mote_text_add(&b->options, " -DMOTE_WIDTH=%u", (unsigned)b->ctx->width);
}

/* Describes everything that determines the driver's result. */
static void describe(build *b, const char *defines)
{
    const mote_device_info *device = &b->ctx->device;
    bool plain = b->source->gpu_form && mote_has_quirk(b->ctx, MOTE_QUIRK_UNOPTIMISED);
    add_language(b);
    /* PoCL prints the number of warnings on the standard error of the calling program. Only users
     * who edit kernels need the warnings. */
    if (b->source != &b->read)
        mote_text_add(&b->options, " -w");
    if (mote_has_quirk(b->ctx, MOTE_QUIRK_PTX))
        mote_text_add(&b->options, " -DMOTE_NVIDIA=%u", (unsigned)b->ctx->capability);
    mote_text_add(&b->options, "%s%s%s %s", device->has_fp64 ? " -DMOTE_FP64=1" : "",
                  mote_has_quirk(b->ctx, MOTE_QUIRK_PREFETCH) ? " -DMOTE_PREFETCH=1" : "",
                  plain ? " -cl-opt-disable" : "", defines);
#ifndef NDEBUG
    if (mote_has_quirk(b->ctx, MOTE_QUIRK_PARAMETERS))
        mote_text_add(&b->options, " -cl-kernel-arg-info");
#endif
    add_prelude(b);
    XXH128_hash_t hash = XXH3_128bits(b->source->text, b->source->length);
    mote_text_add(&b->key,
                  "mote %s\nplatform %s\ndevice %s\ndriver %s\nlanguage %s\noptions %s\n"
                  "source %s %zu %016llx%016llx\n%s",
                  mote_version(), device->platform, device->name, device->driver, device->c_version,
                  mote_text_get(&b->options), b->source->name, b->source->length,
                  (unsigned long long)hash.high64, (unsigned long long)hash.low64,
                  mote_text_get(&b->prelude));
}

/* Reads the source from MOTE_CL_DIR if that is set. */
static mote_status choose_text(build *b)
{
    const char *folder = mote_variable("MOTE_CL_DIR");
    if (!folder || !*folder)
        return MOTE_SUCCESS;
    mote_status status = mote_source_read(folder, b->source, &b->text);
    if (status)
        return status;
    mote_log(MOTE_LOG_INFO, "%s: read from MOTE_CL_DIR=%s", b->source->name, folder);
    b->read = (mote_source){b->source->name, mote_text_get(&b->text), b->text.length,
                            b->source->gpu_form};
    b->source = &b->read;
    return MOTE_SUCCESS;
}

static cl_int compile(build *b)
{
    return clBuildProgram(b->program, 1, &b->ctx->device.device, mote_text_get(&b->options), NULL,
                          NULL);
}

static bool from_cache(build *b)
{
    unsigned char *payload = NULL;
    size_t length = 0;
    if (!mote_cache_load(mote_text_get(&b->key), &payload, &length))
        return false;
    const unsigned char *binary = payload;
    cl_int refused = CL_SUCCESS, code = CL_SUCCESS;
    b->program = clCreateProgramWithBinary(b->ctx->cl, 1, &b->ctx->device.device, &length, &binary,
                                           &refused, &code);
    if (!code)
        code = refused;
    if (!code)
        code = compile(b);
    free(payload);
    if (!code)
        return true;
    mote_log(MOTE_LOG_INFO, "%s: the driver refused the cached program with %s (%d)",
             b->source->name, mote_status_name(code), (int)code);
    if (b->program)
        clReleaseProgram(b->program);
    b->program = NULL;
    mote_cache_drop(mote_text_get(&b->key));
    return false;
}

/* Returns the whole build log, without trailing blanks; "" if it is empty. The caller frees it;
 * NULL if memory runs out. */
static char *build_log(cl_program program, cl_device_id device)
{
    size_t size = 0;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) ||
        size > LOG_MAX)
        size = 0;
    char *log = calloc(size + 1, 1);
    if (!log || size == 0)
        return log;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL))
        log[0] = '\0';
    size_t length = strlen(log);
    while (length > 0 && strchr(" \t\r\n", log[length - 1]))
        log[--length] = '\0';
    return log;
}

static mote_status from_source(build *b)
{
    const char *texts[] = {mote_text_get(&b->prelude), b->source->text};
    const size_t lengths[] = {b->prelude.length, b->source->length};
    cl_int code = CL_SUCCESS;
    size_t from = b->prelude.length > 0 ? 0 : 1;
    b->program = clCreateProgramWithSource(b->ctx->cl, (cl_uint)(2 - from), texts + from,
                                           lengths + from, &code);
    if (code) {
        b->program = NULL;
        return mote_fail_cl(code, b->source->name, "clCreateProgramWithSource");
    }
    code = compile(b);
    char *log = build_log(b->program, b->ctx->device.device);
    const char *shown = log ? log : "(no memory for the build log)";
    const mote_device_info *device = &b->ctx->device;
    mote_status status = MOTE_SUCCESS;
    if (code) {
        status = mote_fail(MOTE_ERROR_BUILD,
                           "%s: the build failed with %s (%d)\ndevice: %s (%s)\ndriver: %s\n"
                           "options: %s\nbuild log:\n%s",
                           b->source->name, mote_status_name(code), (int)code, device->name,
                           device->platform, device->driver, mote_text_get(&b->options), shown);
        clReleaseProgram(b->program);
        b->program = NULL;
    } else if (*shown)
        mote_log(MOTE_LOG_DEBUG, "%s: build log:\n%s", b->source->name, shown);
    free(log);
    return status;
}

/* Finds our device among the program's devices: a wrapped context may have several. */
static bool find_device(const build *b, cl_uint *count, cl_uint *at)
{
    size_t size = 0;
    if (clGetProgramInfo(b->program, CL_PROGRAM_DEVICES, 0, NULL, &size) || size > MOTE_ANSWER_MAX)
        return false;
    cl_device_id *ids = calloc(1, size + 1);
    bool found = false;
    *count = (cl_uint)(size / sizeof(*ids));
    if (ids && !clGetProgramInfo(b->program, CL_PROGRAM_DEVICES, size, ids, NULL))
        for (cl_uint i = 0; i < *count && !found; i++)
            if (ids[i] == b->ctx->device.device) {
                found = true;
                *at = i;
            }
    free(ids);
    return found;
}

/* Stores the binary of our device alone: a NULL pointer makes the driver skip a device. PoCL stores
 * the binary of a context's second device under the first; such a program has size 0 here and is
 * not cached. */
static void store(const build *b)
{
    cl_uint count = 0, at = 0;
    if (!find_device(b, &count, &at))
        return;
    size_t *sizes = calloc(count, sizeof(*sizes));
    unsigned char **binaries = calloc(count, sizeof(*binaries));
    if (sizes && binaries &&
        !clGetProgramInfo(b->program, CL_PROGRAM_BINARY_SIZES, count * sizeof(*sizes), sizes,
                          NULL) &&
        sizes[at] > 0 && sizes[at] <= BINARY_MAX)
        binaries[at] = malloc(sizes[at]);
    if (binaries && binaries[at]) {
        if (!clGetProgramInfo(b->program, CL_PROGRAM_BINARIES, count * sizeof(*binaries), binaries,
                              NULL))
            mote_cache_store(mote_text_get(&b->key), binaries[at], sizes[at]);
        free(binaries[at]);
    }
    free(sizes);
    free(binaries);
}

static void tell(const build *b, double seconds, bool failed)
{
    const mote_build_record record = {.size = sizeof(record),
                                      .source = b->source->name,
                                      .device = b->ctx->device.name,
                                      .seconds = seconds,
                                      .failed = failed};
    mote_build_callback_call(&record);
}

/* Returns whether the library's own cache stores the program. */
static bool is_kept(const build *b)
{
    return !mote_has_quirk(b->ctx, MOTE_QUIRK_KEEPS_PROGRAMS) || mote_cache_is_demanded();
}

/* The time of storing counts as building, because some drivers compile only when the binary is
 * queried. */
static mote_status build_and_store(build *b, const char *defines)
{
    double start = now();
    tell(b, -1, false);
    mote_status status = from_source(b);
    if (!status) {
        mote_log(MOTE_LOG_DEBUG, "%s [%s]: built in %.1f ms", b->source->name, defines,
                 1e3 * (now() - start));
        if (is_kept(b) && mote_cache_is_on())
            store(b);
    }
    tell(b, now() - start, status != MOTE_SUCCESS);
    return status;
}

/* Loads the program from the cache, else builds the source. */
static mote_status make(build *b, const char *defines)
{
    double start = now();
    describe(b, defines);
    if (b->prelude.failed || b->options.failed || b->key.failed)
        return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "%s: out of host memory", b->source->name);
    if (is_kept(b) && from_cache(b)) {
        mote_log(MOTE_LOG_DEBUG, "%s [%s]: loaded from the cache in %.1f ms", b->source->name,
                 defines, 1e3 * (now() - start));
        return MOTE_SUCCESS;
    }
    return build_and_store(b, defines);
}

mote_status mote_program_build(const mote_context *ctx, const mote_source *source,
                               const char *defines, cl_program *program)
{
    build b = {.ctx = ctx, .source = source};
    mote_status status = choose_text(&b);
    if (!status)
        status = make(&b, defines);
    mote_text_free(&b.text);
    mote_text_free(&b.prelude);
    mote_text_free(&b.options);
    mote_text_free(&b.key);
    *program = b.program;
    return status;
}
