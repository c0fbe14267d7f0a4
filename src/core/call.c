/* SPDX-License-Identifier: Apache-2.0 */
#include "core/call.h"
#include "core/check.h"
#include "core/fail.h"
#include "core/fork.h"
#include "core/log.h"

#include <assert.h>

/* Scratch begins at multiples of this many words, so that pieces of every type and vector fit. */
#define SCRATCH_WORDS ((size_t)16)

#define PIECE_ALIGNMENT ((size_t)256)

static mote_status check_queue(mote_call *call)
{
    cl_context cl = NULL;
    cl_device_id device = NULL;
    cl_command_queue_properties properties = 0;
    cl_int code = clGetCommandQueueInfo(call->queue, CL_QUEUE_CONTEXT, sizeof(cl), &cl, NULL);
    if (!code)
        code = clGetCommandQueueInfo(call->queue, CL_QUEUE_DEVICE, sizeof(device), &device, NULL);
    if (!code)
        code = clGetCommandQueueInfo(call->queue, CL_QUEUE_PROPERTIES, sizeof(properties),
                                     &properties, NULL);
    if (code)
        return mote_fail_cl(code, call->name, "clGetCommandQueueInfo");
    if (cl != call->ctx->cl)
        return mote_fail(MOTE_ERROR_WRONG_CONTEXT,
                         "%s: queue belongs to another OpenCL context than ctx", call->name);
    if (device != call->ctx->device.device)
        return mote_fail(MOTE_ERROR_WRONG_CONTEXT,
                         "%s: queue belongs to another device than ctx, which is on %s", call->name,
                         call->ctx->device.name);
    call->in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    return MOTE_SUCCESS;
}

static mote_status check_wait_list(const mote_call *call)
{
    if ((call->num_wait > 0) != (call->wait != NULL))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: num_wait is %u, but wait is %s: give both or 0 and NULL", call->name,
                         (unsigned)call->num_wait, call->wait ? "not NULL" : "NULL");
    for (cl_uint i = 0; i < call->num_wait; i++) {
        cl_context cl = NULL;
        if (!call->wait[i])
            return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: wait[%u] is NULL", call->name,
                             (unsigned)i);
        cl_int code = clGetEventInfo(call->wait[i], CL_EVENT_CONTEXT, sizeof(cl), &cl, NULL);
        if (code)
            return mote_fail_cl(code, call->name, "clGetEventInfo");
        if (cl != call->ctx->cl)
            return mote_fail(MOTE_ERROR_WRONG_CONTEXT,
                             "%s: wait[%u] belongs to another OpenCL context than ctx", call->name,
                             (unsigned)i);
    }
    return MOTE_SUCCESS;
}

mote_status mote_call_begin(mote_call *call, const char *name, mote_context *ctx,
                            cl_command_queue queue, bool prepare, cl_uint num_wait,
                            const cl_event *wait, cl_event *event)
{
    *call = (mote_call){.ctx = ctx,
                        .name = name,
                        .queue = queue,
                        .preparing = prepare && !queue,
                        .num_wait = num_wait,
                        .wait = wait,
                        .event_out = event};
    mote_status status = mote_check_process(name);
    if (status)
        return status;
    if (!ctx)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: ctx is NULL", name);
    if (!queue && !prepare)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: queue is NULL", name);
    status = queue ? check_queue(call) : MOTE_SUCCESS;
    return status ? status : check_wait_list(call);
}

void mote_call_wait_list(const mote_call *call, cl_uint *num_wait, const cl_event **wait)
{
    *num_wait = 0;
    *wait = NULL;
    if (!call->enqueued) {
        *num_wait = call->num_wait;
        *wait = call->wait;
    } else if (!call->in_order) {
        *num_wait = 1;
        *wait = &call->last;
    }
}

bool mote_call_wants_event(const mote_call *call, bool last)
{
    return !call->in_order || mote_launch_callback_wanted() || (last && call->event_out);
}

void mote_call_enqueued(mote_call *call, cl_event event)
{
    if (call->last)
        clReleaseEvent(call->last);
    call->last = event;
    call->enqueued = true;
}

static cl_int enqueue_zeros(mote_call *call, cl_mem mem, size_t bytes)
{
    const cl_uint zero = 0;
    cl_uint num_wait;
    const cl_event *wait;
    cl_event event = NULL;
    mote_call_wait_list(call, &num_wait, &wait);
    cl_int code = clEnqueueFillBuffer(call->queue, mem, &zero, sizeof(zero), 0, bytes, num_wait,
                                      wait, call->in_order ? NULL : &event);
    if (!code) {
        mote_call_enqueued(call, event);
        mote_scratch_zeroed(call->block, num_wait == 0);
    }
    return code;
}

/* Some drivers allocate only now, so an allocation can fail here. */
static mote_status zero_block(mote_call *call, cl_mem mem, size_t bytes)
{
    cl_int code = enqueue_zeros(call, mem, bytes);
    if (mote_is_memory_code(code)) {
        mote_scratch_trim(call->ctx);
        code = enqueue_zeros(call, mem, bytes);
    }
    if (!code)
        return MOTE_SUCCESS;
    bytes = mote_scratch_size(call->block);
    mote_scratch_drop(call->ctx, call->block);
    call->block = NULL;
    if (mote_is_memory_code(code))
        return mote_fail(MOTE_ERROR_OUT_OF_DEVICE_MEMORY,
                         "%s: %zu bytes of scratch do not fit on %s (global memory %llu bytes): "
                         "split the input or free device memory",
                         call->name, bytes, call->ctx->device.name,
                         (unsigned long long)call->ctx->device.global_bytes);
    return mote_fail_cl(code, call->name, "clEnqueueFillBuffer");
}

static mote_status use_workspace(const mote_call *call, size_t words, const mote_view *workspace,
                                 mote_view *scratch)
{
    size_t skip = (SCRATCH_WORDS - workspace->offset % SCRATCH_WORDS) % SCRATCH_WORDS;
    const mote_view_rule rule = {"workspace", workspace, MOTE_TYPE_BIT(MOTE_UINT32), words + skip,
                                 VIEW_WRITES};
    mote_status status = mote_check_view(call, &rule);
    if (!status)
        *scratch = (mote_view){.mem = workspace->mem,
                               .offset = workspace->offset + skip,
                               .count = words,
                               .type = MOTE_UINT32};
    return status;
}

static bool is_given(const mote_view *workspace)
{
    return workspace && (workspace->mem || workspace->count || workspace->type);
}

bool mote_call_has_workspace(const mote_call *call)
{
    return is_given(call->workspace);
}

/* A new block is zeroed as a whole. If an event may have prevented the zeroing, or an earlier call
 * failed, the first call that waits for no event zeroes the words of call->zeros again. */
static mote_status zero_what_needs(mote_call *call, cl_mem mem, bool fresh)
{
    if (fresh)
        return zero_block(call, mem, mote_scratch_size(call->block));
    if (call->num_wait > 0 || mote_scratch_is_sure(call->block))
        return MOTE_SUCCESS;
    return zero_block(call, mem, MOTE_CALL_ZEROS * sizeof(uint32_t));
}

mote_status mote_call_scratch(mote_call *call, size_t bytes, const mote_view *workspace,
                              mote_view *scratch)
{
    *scratch = (mote_view){0};
    if (bytes == 0)
        return MOTE_SUCCESS;
    size_t words = bytes / 4 + (bytes % 4 != 0), zeros = MOTE_CALL_ZEROS * sizeof(uint32_t);
    if (is_given(workspace))
        return use_workspace(call, words, workspace, scratch);
    cl_mem mem = NULL;
    int fresh = 0;
    mote_status status = mote_scratch_acquire(call->ctx, call->name, call->queue, call->in_order,
                                              bytes > SIZE_MAX - zeros ? bytes : bytes + zeros,
                                              &call->block, &mem, &fresh);
    if (!status && !call->preparing)
        status = zero_what_needs(call, mem, fresh);
    if (!status && (call->preparing || mote_scratch_is_sure(call->block)))
        call->zeros = (mote_view){.mem = mem, .count = MOTE_CALL_ZEROS, .type = MOTE_UINT32};
    if (!status) {
        *scratch =
            (mote_view){.mem = mem, .offset = MOTE_CALL_ZEROS, .count = words, .type = MOTE_UINT32};
    }
    return status;
}

/* Enqueues a marker that completes after the call's last command, or after the caller's wait list
 * if the call has no command yet. On an in-order queue, all earlier commands are complete then,
 * too. */
static cl_int enqueue_marker(mote_call *call)
{
    cl_uint num_wait;
    const cl_event *wait;
    cl_event event = NULL;
    mote_call_wait_list(call, &num_wait, &wait);
    cl_int code = clEnqueueMarkerWithWaitList(call->queue, num_wait, wait, &event);
    if (!code)
        mote_call_enqueued(call, event);
    return code;
}

/* A call that failed may have enqueued some of its launches, so its zeros may have been
 * overwritten. */
static void return_block(mote_call *call, mote_status status)
{
    if (!call->block)
        return;
    if (status && call->enqueued)
        mote_scratch_zeroed(call->block, false);
    if (call->enqueued)
        mote_scratch_give_back(call->ctx, call->block, call->queue, call->in_order, call->last);
    else
        mote_scratch_give_back_unused(call->ctx, call->block);
    call->block = NULL;
}

mote_status mote_call_end(mote_call *call, mote_status status)
{
    if (status)
        mote_call_discard(call);
    else
        status = mote_call_flush(call);
    bool covers = call->enqueued || (!status && call->event_out && !call->preparing);
    if (covers && !call->last && call->event_out) {
        cl_int code = enqueue_marker(call);
        if (code && !status)
            status = mote_fail_cl(code, call->name, "clEnqueueMarkerWithWaitList");
    }
    return_block(call, status);
    if (call->event_out)
        *call->event_out = call->last;
    else if (call->last)
        clReleaseEvent(call->last);
    call->last = NULL;
    return status;
}

mote_view mote_carve_take(mote_carve *carve, size_t count, mote_type type)
{
    size_t size = mote_type_size(type);
    size_t base = carve->scratch.offset * sizeof(uint32_t);
    mote_view piece = {.mem = carve->scratch.mem, .count = count, .type = type};
    assert(size > 0 && PIECE_ALIGNMENT % size == 0 && base % size == 0);
    /* A sum that exceeds all memory saturates, so that no allocation succeeds. */
    if (carve->used > SIZE_MAX - PIECE_ALIGNMENT ||
        count > (SIZE_MAX - PIECE_ALIGNMENT - carve->used) / size) {
        carve->used = SIZE_MAX;
        return piece;
    }
    size_t start = (carve->used + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    carve->used = start + count * size;
    assert(!piece.mem || carve->used <= carve->scratch.count * sizeof(uint32_t));
    piece.offset = (base + start) / size;
    return piece;
}
