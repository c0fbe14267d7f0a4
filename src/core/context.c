/* SPDX-License-Identifier: Apache-2.0 */
#include "core/context.h"
#include "core/device.h"
#include "core/fail.h"
#include "core/fork.h"
#include "core/log.h"
#include "core/pinned.h"
#include "core/program.h"
#include "core/quirks.h"
#include "core/scratch.h"
#include "core/sub_groups.h"
#include "core/tune.h"

#include <stdlib.h>
#include <string.h>

static mote_status make(cl_context cl, const mote_device_info *device, mote_context **out)
{
    mote_context *ctx = calloc(1, sizeof(*ctx));
    if (!ctx)
        return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "mote_context: out of host memory");
    ctx->device = *device;
    ctx->quirks = mote_quirks_find(device);
    ctx->capability = mote_nvidia_capability(device);
    mote_status status = mote_tune_find(device, &ctx->tune);
    ctx->sub_groups = mote_sub_groups_choose(ctx);
    ctx->width = mote_width_choose(ctx);
    ctx->programs = mote_program_table_create();
    ctx->scratch = mote_scratch_pool_create();
    ctx->pinned = mote_pinned_list_create();
    if (!status && (!ctx->programs || !ctx->scratch || !ctx->pinned))
        status = mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "mote_context: out of host memory");
    if (status) {
        mote_context_release(ctx);
        return status;
    }
    ctx->cl = cl;
    bool short_loops = mote_has_quirk(ctx, MOTE_QUIRK_SHORT_LOOPS);
    mote_log(MOTE_LOG_INFO, "device %s (%s, driver %s), %s form", device->name, device->platform,
             device->driver,
             device->device_class == MOTE_DEVICE_CPU && !short_loops ? "CPU" : "GPU");
    if (short_loops)
        mote_log(MOTE_LOG_WARN,
                 "%s leaves the loops of a work-item after 65 535 rounds and gives no error: "
                 "results for some million elements can be wrong on it",
                 device->name);
    *out = ctx;
    return MOTE_SUCCESS;
}

mote_status mote_context_wrap(const char *name, cl_context cl, const mote_device_info *device,
                              mote_context **out)
{
    cl_int code = clRetainContext(cl);
    if (code)
        return mote_fail_cl(code, name, "clRetainContext");
    code = clRetainDevice(device->device);
    if (code) {
        clReleaseContext(cl);
        return mote_fail_cl(code, name, "clRetainDevice");
    }
    mote_status status = make(cl, device, out);
    if (status) {
        clReleaseDevice(device->device);
        clReleaseContext(cl);
    }
    return status;
}

static mote_status check_device_of(cl_context context, cl_device_id device)
{
    size_t size = 0;
    cl_int code = clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &size);
    if (code)
        return mote_fail_cl(code, "mote_context_create", "clGetContextInfo");
    if (size > MOTE_ANSWER_MAX)
        return mote_fail(CL_INVALID_VALUE,
                         "mote_context_create: clGetContextInfo reports %zu bytes of devices",
                         size);
    cl_device_id *ids = calloc(1, size + 1);
    if (!ids)
        return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "mote_context_create: out of host memory");
    code = clGetContextInfo(context, CL_CONTEXT_DEVICES, size, ids, NULL);
    bool found = false;
    for (size_t i = 0; !code && i < size / sizeof(*ids); i++)
        found = found || ids[i] == device;
    free(ids);
    if (code)
        return mote_fail_cl(code, "mote_context_create", "clGetContextInfo");
    if (!found)
        return mote_fail(
            MOTE_ERROR_WRONG_CONTEXT,
            "mote_context_create: the device is not one of the context's %zu device(s)",
            size / sizeof(*ids));
    return MOTE_SUCCESS;
}

static mote_status query_wrapped(cl_device_id device, mote_device_info *info)
{
    cl_platform_id platform = NULL;
    cl_bool compiler = CL_FALSE;
    cl_int code = clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL);
    if (!code)
        code = clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof(compiler), &compiler,
                               NULL);
    if (code)
        return mote_fail_cl(code, "mote_context_create", "clGetDeviceInfo");
    mote_status status = mote_device_query(platform, device, -1, info);
    if (!status && !compiler)
        status = mote_fail(MOTE_ERROR_UNSUPPORTED,
                           "mote_context_create: the device %s (%s) has no compiler, which every "
                           "kernel needs",
                           info->name, info->platform);
    return status;
}

mote_status mote_context_create(cl_context context, cl_device_id device, mote_context **out)
{
    if (out)
        *out = NULL;
    if (!context || !device || !out)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_context_create: %s is NULL",
                         !context ? "context" : (!device ? "device" : "out"));
    mote_device_info info;
    mote_status status = mote_check_process("mote_context_create");
    if (!status)
        status = check_device_of(context, device);
    if (!status)
        status = query_wrapped(device, &info);
    if (status)
        return status;
    return mote_context_wrap("mote_context_create", context, &info, out);
}

void mote_context_release(mote_context *ctx)
{
    if (!ctx || mote_is_forked())
        return;
    /* The tuning is released first: its log messages may make a callback use the context. */
    mote_tune_release(ctx->tune);
    ctx->tune = NULL;
    mote_program_table_release(ctx->programs);
    mote_scratch_pool_release(ctx->scratch);
    mote_pinned_list_release(ctx->pinned);
    if (ctx->cl) {
        clReleaseDevice(
            ctx->device.device); /* does nothing for a device that is not a sub-device */
        clReleaseContext(ctx->cl);
    }
    free(ctx);
}

cl_context mote_context_cl(const mote_context *ctx)
{
    return ctx ? ctx->cl : NULL;
}

const mote_device_info *mote_context_device(const mote_context *ctx)
{
    return ctx ? &ctx->device : NULL;
}

mote_status mote_context_queue(mote_context *ctx, cl_command_queue_properties properties,
                               cl_command_queue *queue)
{
    if (queue)
        *queue = NULL;
    if (!ctx || !queue)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_context_queue: %s is NULL",
                         ctx ? "queue" : "ctx");
    mote_status status = mote_check_process("mote_context_queue");
    if (status)
        return status;
    cl_int code = CL_SUCCESS;
    *queue = clCreateCommandQueue(ctx->cl, ctx->device.device, properties, &code);
    if (!code)
        return MOTE_SUCCESS;
    *queue = NULL;
    return mote_fail_cl(code, "mote_context_queue", "clCreateCommandQueue");
}

mote_status mote_context_memory(mote_context *ctx, mote_memory *memory)
{
    if (!ctx || !memory)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_context_memory: %s is NULL",
                         ctx ? "memory" : "ctx");
    if (memory->size < sizeof(memory->size))
        return mote_fail(MOTE_ERROR_INVALID_STRUCT,
                         "mote_context_memory: memory.size is %zu: call mote_memory_init() first",
                         memory->size);
    mote_status status = mote_check_process("mote_context_memory");
    if (status)
        return status;
    mote_memory now = {.size = memory->size};
    mote_scratch_report(ctx, &now);
    now.programs = mote_program_table_count(ctx->programs);
    memcpy(memory, &now, memory->size < sizeof(now) ? memory->size : sizeof(now));
    return MOTE_SUCCESS;
}

mote_status mote_context_trim(mote_context *ctx)
{
    if (!ctx)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_context_trim: ctx is NULL");
    mote_status status = mote_check_process("mote_context_trim");
    if (!status)
        mote_scratch_trim(ctx);
    return status;
}
