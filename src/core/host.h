/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a mote_host: numbered slots of grow-only device and pinned memory. */
#ifndef MOTE_CORE_HOST_H
#define MOTE_CORE_HOST_H

#include "core/context.h"
#include "core/pinned.h"
#include "mote/buffer.h"

#define MOTE_HOST_SLOTS 32

/* An array of the caller. */
typedef struct mote_host_array {
    void *memory;
    size_t bytes, element; /* bytes of an element */
    bool writes;           /* kernels write it */
} mote_host_array;

typedef struct mote_host_slot {
    cl_mem device;
    size_t device_bytes;
    mote_pinned pinned;
    void *plain; /* malloc'ed results handed to the caller */
    size_t plain_bytes;
    cl_mem lent; /* for one call: a buffer over `array` */
    mote_host_array array;
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

/* Fails: clCreateBuffer has returned `code`. */
mote_status mote_host_no_buffer(const mote_host *host, size_t bytes, cl_int code);

/* Copies `bytes` to slot k's device memory, making it long enough, through pinned memory where that
 * is faster; not blocking: callers keep the source until the wait, and upload a slot once until
 * then. */
mote_status mote_host_upload(mote_host *host, size_t k, const void *source, size_t bytes);

/* Blocking copy of the first `bytes` of slot k's device memory; none where `target` itself was lent
 * to the slot. */
mote_status mote_host_download(mote_host *host, size_t k, void *target, size_t bytes);

/* On a CPU device: gives slot k a buffer over the caller's array itself, until mote_host_reclaim().
 * *mem is NULL when the array has to be copied: on other devices, where it is not aligned to its
 * elements, where it shares bytes with another one and either is written, or when the driver
 * refuses. */
mote_status mote_host_lend(mote_host *host, size_t k, const mote_host_array *array, cl_mem *mem);

/* Makes what kernels have written show in the array of slot k; blocks. */
mote_status mote_host_settle(mote_host *host, size_t k);

/* Takes the array of one slot back, or those of all, when nothing uses them any more. */
void mote_host_take_back(mote_host_slot *slot);
void mote_host_reclaim(mote_host *host);

/* Waits for `event`, and notes as the call's device time how long that took. */
mote_status mote_host_wait(mote_host *host, cl_event event);

#endif
