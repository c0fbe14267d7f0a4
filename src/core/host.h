/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a mote_host: numbered slots of grow-only device and pinned memory. */
#ifndef MOTE_CORE_HOST_H
#define MOTE_CORE_HOST_H

#include "core/context.h"
#include "core/pinned.h"
#include "mote/buffer.h"

#define MOTE_HOST_SLOTS 16

typedef struct mote_host_slot {
    cl_mem device;
    size_t device_bytes;
    mote_pinned pinned;
    void *plain; /* malloc'ed results handed to the caller */
    size_t plain_bytes;
} mote_host_slot;

struct mote_host {
    mote_context *ctx;
    cl_command_queue queue;
    double device_seconds;
    mote_host_slot slot[MOTE_HOST_SLOTS];
};

/* Make slot k's memory at least `bytes` long (contents lost when it grows); a failure keeps the old
 * one. */
mote_status mote_host_device(mote_host *host, size_t k, size_t bytes, cl_mem *mem);
mote_status mote_host_pinned(mote_host *host, size_t k, size_t bytes, void **memory);
mote_status mote_host_plain(mote_host *host, size_t k, size_t bytes, void **memory);

/* Copies `bytes` to slot k's device memory, making it long enough, through pinned memory where that
 * is faster; not blocking: callers keep the source until the wait, and upload a slot once until
 * then. */
mote_status mote_host_upload(mote_host *host, size_t k, const void *source, size_t bytes);

/* Blocking copy of the first `bytes` of slot k's device memory. */
mote_status mote_host_download(mote_host *host, size_t k, void *target, size_t bytes);

/* Waits for `event`, and notes as the call's device time how long that took. */
mote_status mote_host_wait(mote_host *host, cl_event event);

#endif
