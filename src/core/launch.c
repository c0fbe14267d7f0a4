/* SPDX-License-Identifier: Apache-2.0 */
#include "core/call.h"
#include "core/fail.h"
#include "core/log.h"
#include "core/quirks.h"

void mote_launch_begin(mote_launch *launch, mote_call *call, const mote_source *source,
                       const char *defines, const char *kernel)
{
    *launch = (mote_launch){.call = call};
    launch->status = mote_kernel_acquire(call->ctx, source, defines, kernel, &launch->lease);
}

/* A call that is being prepared has no arguments yet, only their names. */
static void set(mote_launch *launch, mote_argument argument, const void *value, size_t size)
{
    if (launch->status)
        return;
    cl_uint index = launch->next_arg++;
    if (index >= MOTE_CALL_MAX_ARGS) {
        launch->status =
            mote_fail(MOTE_ERROR_INTERNAL,
                      "%s: kernel %s is given more than %d arguments, the last one \"%s%s\"",
                      launch->call->name, launch->lease.name, MOTE_CALL_MAX_ARGS, argument.name,
                      argument.end);
        return;
    }
    if (launch->lease.parameters)
        launch->status = mote_parameters_check(launch->lease.parameters, launch->call->name,
                                               launch->lease.name, index, &argument);
    if (launch->status || launch->call->preparing)
        return;
    cl_int code = clSetKernelArg(launch->lease.kernel, index, size, value);
    if (code)
        launch->status =
            mote_fail(code,
                      "%s: clSetKernelArg failed with %s (%d) for argument %u, "
                      "\"%s%s\", of %zu bytes, of kernel %s",
                      launch->call->name, mote_status_name(code), (int)code, (unsigned)index,
                      argument.name, argument.end, size, launch->lease.name);
}

void mote_launch_mem(mote_launch *launch, const char *name, cl_mem mem)
{
    set(launch, (mote_argument){name, "", MOTE_PARAMETER_GLOBAL}, &mem, sizeof(mem));
}

void mote_launch_view(mote_launch *launch, const char *name, const mote_view *v)
{
    uint64_t at = v->mem ? v->offset : 0;
    mote_launch_mem(launch, name, v->mem);
    set(launch, (mote_argument){name, "_at", MOTE_PARAMETER_U64}, &at, sizeof(at));
}

void mote_launch_u32(mote_launch *launch, const char *name, uint32_t value)
{
    set(launch, (mote_argument){name, "", MOTE_PARAMETER_U32}, &value, sizeof(value));
}

void mote_launch_u64(mote_launch *launch, const char *name, uint64_t value)
{
    set(launch, (mote_argument){name, "", MOTE_PARAMETER_U64}, &value, sizeof(value));
}

void mote_launch_struct(mote_launch *launch, const char *name, const void *value, size_t size)
{
    set(launch, (mote_argument){name, "", MOTE_PARAMETER_STRUCT}, value, size);
}

/* Drivers may fail if local memory exceeds the device's limit. */
void mote_launch_local(mote_launch *launch, const char *name, size_t bytes)
{
    const mote_device_info *device = &launch->call->ctx->device;
    launch->local_bytes += bytes;
    if (!launch->status && launch->local_bytes > device->local_bytes)
        launch->status =
            mote_fail(MOTE_ERROR_UNSUPPORTED,
                      "%s: kernel %s needs %zu bytes of local memory, \"%s\" included, but %s has "
                      "only %llu",
                      launch->call->name, launch->lease.name, launch->local_bytes, name,
                      device->name, (unsigned long long)device->local_bytes);
    set(launch, (mote_argument){name, "", MOTE_PARAMETER_LOCAL}, NULL, bytes);
}

void mote_launch_bytes(mote_launch *launch, uint64_t bytes)
{
    launch->bytes = bytes;
}

void mote_launch_last(mote_launch *launch)
{
    launch->last = true;
}

/* The limits of the compiled kernel. */
typedef struct kernel_limits {
    size_t most, required[3]; /* work-items of a group */
    cl_ulong local_bytes;     /* memory that it declares, without its arguments */
} kernel_limits;

static mote_status ask_limit(const mote_launch *launch, cl_kernel_work_group_info what, size_t size,
                             void *value)
{
    const mote_call *call = launch->call;
    cl_int code = clGetKernelWorkGroupInfo(launch->lease.kernel, call->ctx->device.device, what,
                                           size, value, NULL);
    return code ? mote_fail_cl(code, call->name, "clGetKernelWorkGroupInfo") : MOTE_SUCCESS;
}

static mote_status ask_limits(const mote_launch *launch, size_t local, kernel_limits *limits)
{
    const mote_context *ctx = launch->call->ctx;
    bool low = mote_has_quirk(ctx, MOTE_QUIRK_LOW_LIMITS);
    *limits = (kernel_limits){0};
    mote_status st =
        ask_limit(launch, CL_KERNEL_WORK_GROUP_SIZE, sizeof(limits->most), &limits->most);
    if (!st)
        st = ask_limit(launch, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(limits->required),
                       limits->required);
    if (!st && !low)
        st = ask_limit(launch, CL_KERNEL_LOCAL_MEM_SIZE, sizeof(limits->local_bytes),
                       &limits->local_bytes);
    bool known = local == limits->required[0] || launch->exact;
    if ((low && known) || limits->most > ctx->device.max_work_group)
        limits->most = ctx->device.max_work_group;
    return st;
}

/* Rejects launches for which some drivers would end the process, or use the arguments of an earlier
 * launch. A kernel without reqd_work_group_size does not depend on its group size, so the size is
 * halved until the driver accepts it (Mesa's llvmpipe 22.3: 32). */
static mote_status check(const mote_launch *launch, size_t *groups_inout, size_t *local_inout)
{
    size_t groups = *groups_inout, local = *local_inout;
    const mote_call *call = launch->call;
    const mote_device_info *device = &call->ctx->device;
    cl_uint args = 0;
    kernel_limits limits;
    cl_int code =
        clGetKernelInfo(launch->lease.kernel, CL_KERNEL_NUM_ARGS, sizeof(args), &args, NULL);
    if (code)
        return mote_fail_cl(code, call->name, "clGetKernelInfo");
    if (args != launch->next_arg)
        return mote_fail(MOTE_ERROR_INTERNAL, "%s: kernel %s takes %u arguments, not %u",
                         call->name, launch->lease.name, (unsigned)args,
                         (unsigned)launch->next_arg);
    mote_status st = ask_limits(launch, local, &limits);
    if (st)
        return st;
    if (limits.local_bytes > device->local_bytes)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: kernel %s needs %llu bytes of local memory, but %s has only %llu",
                         call->name, launch->lease.name, (unsigned long long)limits.local_bytes,
                         device->name, (unsigned long long)device->local_bytes);
    if (local == 0 || groups > SIZE_MAX / local)
        return mote_fail(MOTE_ERROR_INTERNAL,
                         "%s: kernel %s cannot have %zu groups of %zu work-items", call->name,
                         launch->lease.name, groups, local);
    while (limits.required[0] == 0 && !launch->exact && launch->local_bytes == 0 &&
           local > limits.most && local % 2 == 0) {
        local /= 2;
        groups *= 2;
    }
    *groups_inout = groups;
    *local_inout = local;
    if (local > limits.most && limits.most < device->max_work_group)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: kernel %s was built for groups of %zu work-items, but %s allows at "
                         "most %zu of it; MOTE_TUNE can make groups smaller",
                         call->name, launch->lease.name, local, device->name, limits.most);
    if (local > limits.most)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: kernel %s needs groups of %zu work-items, but %s allows at most %zu",
                         call->name, launch->lease.name, local, device->name, limits.most);
    return MOTE_SUCCESS;
}

static void report(const mote_pending *p, cl_event event)
{
    const mote_launch_record record = {.size = sizeof(record),
                                       .kernel = p->lease.name,
                                       .event = event,
                                       .global = p->groups * p->local,
                                       .local = p->local,
                                       .bytes = p->bytes};
    mote_launch_callback_call(&record);
}

/* Enqueues a kernel or, if there is none, the clearing of the error word. */
static mote_status enqueue(mote_call *call, const mote_pending *p)
{
    const cl_uint clear = MOTE_ERROR_SLOT_CLEAR;
    size_t global = p->groups * p->local;
    cl_uint num_wait;
    const cl_event *wait;
    cl_event event = NULL, *wanted = mote_call_wants_event(call, p->last) ? &event : NULL;
    mote_call_wait_list(call, &num_wait, &wait);
    cl_int code = p->lease.kernel
                      ? clEnqueueNDRangeKernel(call->queue, p->lease.kernel, 1, NULL, &global,
                                               &p->local, num_wait, wait, wanted)
                      : clEnqueueFillBuffer(call->queue, call->error.mem, &clear, sizeof(clear),
                                            call->error.offset * sizeof(clear),
                                            sizeof(mote_error_word), num_wait, wait, wanted);
    if (mote_is_memory_code(code) && !p->lease.kernel)
        return mote_fail(MOTE_ERROR_OUT_OF_DEVICE_MEMORY,
                         "%s: the error word does not fit on %s: free device memory", call->name,
                         call->ctx->device.name);
    if (code && !p->lease.kernel)
        return mote_fail_cl(code, call->name, "clEnqueueFillBuffer");
    if (code)
        return mote_fail(code,
                         "%s: clEnqueueNDRangeKernel failed with %s (%d) for kernel %s, %zu "
                         "work-items in groups of %zu",
                         call->name, mote_status_name(code), (int)code, p->lease.name, global,
                         p->local);
    mote_call_enqueued(call, event);
    if (event)
        report(p, event);
    return MOTE_SUCCESS;
}

mote_status mote_call_flush(mote_call *call)
{
    mote_status status = MOTE_SUCCESS;
    for (size_t i = 0; i < call->num_pending && !status; i++)
        status = enqueue(call, &call->pending[i]);
    mote_call_discard(call);
    return status;
}

void mote_call_discard(mote_call *call)
{
    for (size_t i = 0; i < call->num_pending; i++)
        mote_kernel_give_back(&call->pending[i].lease);
    call->num_pending = 0;
}

mote_status mote_launch_run(mote_launch *launch, size_t groups, size_t local)
{
    mote_call *call = launch->call;
    mote_status status = launch->status;
    if (!status && groups > 0)
        status = check(launch, &groups, &local);
    if (!status && call->num_pending == MOTE_CALL_MAX_PENDING)
        status = mote_call_flush(call);
    if (status || groups == 0 || call->preparing)
        mote_kernel_give_back(&launch->lease);
    else
        call->pending[call->num_pending++] =
            (mote_pending){launch->lease, groups, local, launch->bytes, launch->last};
    return status;
}
