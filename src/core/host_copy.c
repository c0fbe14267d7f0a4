/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between plain arrays and slots. Large ones go through pinned memory in pieces, so that
 * copying on the host and on the bus overlap. */
#include "core/fail.h"
#include "core/host.h"

#include <string.h>

#define STAGE_FROM  ((size_t)64 * 1024) /* below, the driver's own way costs less than ours */
#define PIECE       ((size_t)4 * 1024 * 1024)
#define MOST_PIECES 64

static bool staged(const mote_host *host, const void *memory, size_t bytes)
{
    return host->ctx->device.device_class != MOTE_DEVICE_CPU && bytes >= STAGE_FROM &&
           !mote_pinned_list_holds(host->ctx->pinned, memory, bytes);
}

static size_t piece_size(size_t bytes)
{
    size_t size = bytes / MOST_PIECES + 1;
    return size < PIECE ? PIECE : size;
}

static mote_status write_piece(const mote_host *host, cl_mem mem, size_t offset, size_t bytes,
                               const void *source)
{
    cl_int code =
        clEnqueueWriteBuffer(host->queue, mem, CL_FALSE, offset, bytes, source, 0, NULL, NULL);
    return code ? mote_fail_cl(code, "mote_host", "clEnqueueWriteBuffer") : MOTE_SUCCESS;
}

mote_status mote_host_upload(mote_host *host, size_t k, const void *source, size_t bytes)
{
    cl_mem mem;
    void *stage;
    mote_status status = mote_host_device(host, k, bytes, &mem);
    if (status || bytes == 0)
        return status;
    if (!staged(host, source, bytes) || mote_host_pinned(host, k, bytes, &stage))
        return write_piece(host, mem, 0, bytes, source);
    size_t piece = piece_size(bytes);
    for (size_t at = 0; !status && at < bytes; at += piece) {
        size_t length = bytes - at < piece ? bytes - at : piece;
        memcpy((char *)stage + at, (const char *)source + at, length);
        status = write_piece(host, mem, at, length, (char *)stage + at);
    }
    return status;
}

/* Enqueues the read of every piece, then copies each out as it arrives. */
static mote_status read_staged(const mote_host *host, cl_mem mem, char *target, size_t bytes,
                               char *stage)
{
    cl_event arrived[MOST_PIECES];
    size_t piece = piece_size(bytes), count = 0;
    cl_int code = CL_SUCCESS;
    const char *failed = "clEnqueueReadBuffer";
    for (size_t at = 0; !code && at < bytes; at += piece) {
        size_t length = bytes - at < piece ? bytes - at : piece;
        code = clEnqueueReadBuffer(host->queue, mem, CL_FALSE, at, length, stage + at, 0, NULL,
                                   &arrived[count]);
        count += !code;
    }
    for (size_t i = 0; i < count; i++) {
        size_t at = i * piece, length = bytes - at < piece ? bytes - at : piece;
        cl_int waited = clWaitForEvents(1, &arrived[i]);
        if (!waited)
            memcpy(target + at, stage + at, length);
        else if (!code) {
            code = waited;
            failed = "clWaitForEvents";
        }
        clReleaseEvent(arrived[i]);
    }
    return code ? mote_fail_cl(code, "mote_host", failed) : MOTE_SUCCESS;
}

mote_status mote_host_download(mote_host *host, size_t k, void *target, size_t bytes)
{
    void *stage;
    if (bytes == 0)
        return MOTE_SUCCESS;
    if (k < MOTE_HOST_SLOTS && host->slot[k].lent && host->slot[k].array.memory == target)
        return mote_host_settle(host, k);
    if (k >= MOTE_HOST_SLOTS || host->slot[k].device_bytes < bytes)
        return mote_fail(MOTE_ERROR_INTERNAL, "mote_host: slot %zu does not hold %zu bytes", k,
                         bytes);
    cl_mem mem = host->slot[k].device;
    if (staged(host, target, bytes) && !mote_host_pinned(host, k, bytes, &stage))
        return read_staged(host, mem, target, bytes, stage);
    cl_int code = clEnqueueReadBuffer(host->queue, mem, CL_TRUE, 0, bytes, target, 0, NULL, NULL);
    return code ? mote_fail_cl(code, "mote_host", "clEnqueueReadBuffer") : MOTE_SUCCESS;
}
