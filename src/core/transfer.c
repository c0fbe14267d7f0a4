/* SPDX-License-Identifier: Apache-2.0 */
/* mote_buffer_write and mote_buffer_read: one transfer, of one of three kinds. Elements of the
 * buffer's own type are copied unchanged; others are converted on the host piece by piece if the
 * call blocks, else on the device, through scratch. */
#include "core/buffer.h"
#include "core/convert.h"
#include "core/fail.h"

#include <stdlib.h>

#define PIECE_ELEMENTS ((size_t)128 * 1024)

typedef struct transfer {
    mote_call call;
    mote_view view; /* the elements of the buffer */
    bool to_device;
    bool kernel_access; /* kernels may access the buffer in this direction */
    mote_type type;     /* on the host */
    char *host;         /* only read if to_device */
} transfer;

/* Copies `bytes` between `host` and `offset` bytes in `mem`, as the next step of the call. A
 * blocking write may return when the bytes have been read, before they are on the device (Intel's
 * runtime for CPUs, on out-of-order queues), so its event is used. */
static mote_status move_bytes(transfer *t, cl_mem mem, size_t offset, size_t bytes, void *host,
                              bool blocking, bool last)
{
    cl_bool block = blocking ? CL_TRUE : CL_FALSE;
    cl_uint num_wait;
    const cl_event *wait;
    cl_event event = NULL;
    mote_status status = mote_call_flush(&t->call);
    if (status)
        return status;
    mote_call_wait_list(&t->call, &num_wait, &wait);
    bool waits = blocking && t->to_device;
    cl_event *made = waits || mote_call_wants_event(&t->call, last) ? &event : NULL;
    cl_int code = t->to_device ? clEnqueueWriteBuffer(t->call.queue, mem, block, offset, bytes,
                                                      host, num_wait, wait, made)
                               : clEnqueueReadBuffer(t->call.queue, mem, block, offset, bytes, host,
                                                     num_wait, wait, made);
    if (code)
        return mote_fail_cl(code, t->call.name,
                            t->to_device ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer");
    mote_call_enqueued(&t->call, event);
    code = waits ? clWaitForEvents(1, &event) : CL_SUCCESS;
    return code ? mote_fail_cl(code, t->call.name, "clWaitForEvents") : MOTE_SUCCESS;
}

static mote_status move_elements(transfer *t, const mote_view *v, void *host, bool blocking,
                                 bool last)
{
    size_t size = mote_type_size(v->type);
    return move_bytes(t, v->mem, v->offset * size, v->count * size, host, blocking, last);
}

static mote_status convert_on_host(transfer *t)
{
    size_t size = mote_type_size(t->type);
    size_t most = t->view.count < PIECE_ELEMENTS ? t->view.count : PIECE_ELEMENTS;
    void *stage = malloc(most * mote_type_size(t->view.type));
    mote_status status = MOTE_SUCCESS;
    if (!stage)
        return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "%s: out of host memory", t->call.name);
    for (size_t at = 0; !status && at < t->view.count; at += most) {
        mote_view piece = t->view;
        piece.offset += at;
        piece.count = t->view.count - at < most ? t->view.count - at : most;
        char *host = t->host + at * size;
        if (t->to_device)
            mote_convert(host, t->type, stage, piece.type, piece.count);
        status = move_elements(t, &piece, stage, true, at + piece.count == t->view.count);
        if (!status && !t->to_device)
            mote_convert(stage, piece.type, host, t->type, piece.count);
    }
    free(stage);
    return status;
}

/* Copies between scratch and a buffer that kernels must not access in this direction. */
static mote_status copy_elements(transfer *t, const mote_view *from, const mote_view *to, bool last)
{
    size_t size = mote_type_size(from->type);
    cl_uint num_wait;
    const cl_event *wait;
    cl_event event = NULL;
    mote_status status = mote_call_flush(&t->call);
    if (status)
        return status;
    mote_call_wait_list(&t->call, &num_wait, &wait);
    cl_int code = clEnqueueCopyBuffer(t->call.queue, from->mem, to->mem, from->offset * size,
                                      to->offset * size, from->count * size, num_wait, wait,
                                      mote_call_wants_event(&t->call, last) ? &event : NULL);
    if (code)
        return mote_fail_cl(code, t->call.name, "clEnqueueCopyBuffer");
    mote_call_enqueued(&t->call, event);
    return MOTE_SUCCESS;
}

static void carve(const transfer *t, mote_carve *scratch, mote_view *values, mote_view *twin)
{
    *values = mote_carve_take(scratch, t->view.count, t->type);
    *twin = t->kernel_access ? t->view : mote_carve_take(scratch, t->view.count, t->view.type);
}

/* Copies host -> values -> twin (-> buffer), or in the reverse order. */
static mote_status convert_on_device(transfer *t)
{
    mote_carve carving = {0};
    mote_view values, twin;
    carve(t, &carving, &values, &twin);
    size_t bytes = carving.used;
    carving = (mote_carve){0};
    mote_status status = mote_call_scratch(&t->call, bytes, NULL, &carving.scratch);
    if (status)
        return status;
    carve(t, &carving, &values, &twin);
    if (t->to_device) {
        status = move_elements(t, &values, t->host, false, false);
        if (!status)
            status = mote_convert_device(&t->call, &values, &twin, t->kernel_access);
        if (!status && !t->kernel_access)
            status = copy_elements(t, &twin, &t->view, true);
        return status;
    }
    if (!t->kernel_access)
        status = copy_elements(t, &t->view, &twin, false);
    if (!status)
        status = mote_convert_device(&t->call, &twin, &values, false);
    return status ? status : move_elements(t, &values, t->host, false, true);
}

static mote_status check(const transfer *t, const mote_buffer *buffer)
{
    const mote_view *v = &t->view;
    if (v->offset > buffer->size || v->count > buffer->size - v->offset)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: %zu elements from element %zu on exceed the buffer's size %zu",
                         t->call.name, v->count, v->offset, buffer->size);
    if (!mote_can_convert(t->type, v->type))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: %s (type %d) and the buffer's %s do not "
                         "convert into each other",
                         t->call.name, mote_type_name(t->type), (int)t->type,
                         mote_type_name(v->type));
    if (!t->host && v->count > 0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: values is NULL", t->call.name);
    return MOTE_SUCCESS;
}

static mote_status run(transfer *t, const mote_buffer *buffer, bool blocking)
{
    mote_status status = check(t, buffer);
    if (status || t->view.count == 0)
        return status;
    if (t->type == t->view.type)
        return move_elements(t, &t->view, t->host, blocking, true);
    return blocking ? convert_on_host(t) : convert_on_device(t);
}

mote_status mote_buffer_write(mote_buffer *buffer, size_t offset, size_t count, const void *values,
                              mote_type type, int blocking, cl_command_queue queue,
                              cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    if (event)
        *event = NULL;
    if (!buffer)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_buffer_write: buffer is NULL");
    transfer t = {.view = {buffer->mem, offset, count, buffer->type},
                  .to_device = true,
                  .kernel_access = buffer->flags != CL_MEM_READ_ONLY,
                  .type = type,
                  .host = (char *)(uintptr_t)values};
    mote_status status = mote_call_begin(&t.call, "mote_buffer_write", buffer->ctx, queue, false,
                                         num_wait, wait, event);
    if (!status)
        status = run(&t, buffer, blocking != 0);
    return mote_call_end(&t.call, status);
}

mote_status mote_buffer_read(const mote_buffer *buffer, size_t offset, size_t count, void *values,
                             mote_type type, int blocking, cl_command_queue queue, cl_uint num_wait,
                             const cl_event *wait, cl_event *event)
{
    if (event)
        *event = NULL;
    if (!buffer)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_buffer_read: buffer is NULL");
    transfer t = {.view = {buffer->mem, offset, count, buffer->type},
                  .kernel_access = buffer->flags != CL_MEM_WRITE_ONLY,
                  .type = type,
                  .host = values};
    mote_status status = mote_call_begin(&t.call, "mote_buffer_read", buffer->ctx, queue, false,
                                         num_wait, wait, event);
    if (!status)
        status = run(&t, buffer, blocking != 0);
    return mote_call_end(&t.call, status);
}
