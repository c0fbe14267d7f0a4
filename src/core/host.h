/* SPDX-License-Identifier: Apache-2.0 */
/* The members of a mote_host: numbered slots of grow-only device and pinned memory. */
#ifndef MOTE_CORE_HOST_H
#define MOTE_CORE_HOST_H

#include "core/context.h"
#include "core/copier.h"
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
    const void *copied; /* the array of which `device` is known to hold a copy */
    size_t copied_bytes;
    uint64_t copied_by; /* number of the last call in which `device` held this copy */
    mote_pinned pinned;
    void *plain; /* malloc'ed results that are returned to the caller */
    size_t plain_bytes;
    cl_mem lent; /* a buffer over `array` during one call */
    mote_host_array array;
} mote_host_slot;

struct mote_host {
    mote_context *ctx;
    cl_command_queue queue;
    cl_command_queue up, down; /* for copies in parallel to the work on `queue`, or NULL */
    cl_command_queue other;    /* for work in parallel to `queue`, or NULL */
    mote_copier *copier;       /* NULL until a large copy needs it, or if it is disabled */
    bool copier_tried;
    double device_seconds;
    uint64_t calls; /* number of calls begun so far */
    mote_host_slot slot[MOTE_HOST_SLOTS];
};

/* Make slot k's memory at least `bytes` long (its contents are lost when it grows); on failure, the
 * old memory is kept. The contents of device memory are then unknown. */
mote_status mote_host_device(mote_host *host, size_t k, size_t bytes, cl_mem *mem);
mote_status mote_host_pinned(mote_host *host, size_t k, size_t bytes, void **memory);
mote_status mote_host_plain(mote_host *host, size_t k, size_t bytes, void **memory);

/* Fails because clCreateBuffer has returned `code`. */
mote_status mote_host_no_buffer(const mote_host *host, size_t bytes, cl_int code);

/* Copies `bytes` to slot k's device memory, which grows if necessary, through pinned memory if that
 * is faster; it does not block: callers keep the source until the wait, and upload to a slot only
 * once until then. */
mote_status mote_host_upload(mote_host *host, size_t k, const void *source, size_t bytes);

/* Copies the first `bytes` of slot k's device memory, blocking; copies nothing if `target` itself
 * was lent to the slot. */
mote_status mote_host_download(mote_host *host, size_t k, void *target, size_t bytes);

/* Copies the device memory of up to MOTE_HOST_TARGETS slots, with one wait for all. */
#define MOTE_HOST_TARGETS 4
typedef struct mote_host_target {
    size_t slot;
    void *memory;
    size_t bytes;
} mote_host_target;
mote_status mote_host_download_all(mote_host *host, const mote_host_target *targets, size_t count);

/* Creates the queues `up`, `down` and `other`, once. */
mote_status mote_host_side_queues(mote_host *host);

/* A part of an array that is copied between the caller and a slot, whose memory is long enough
 * already.
 */
typedef struct mote_host_part {
    cl_command_queue queue;
    size_t slot, offset, bytes; /* bytes of the slot */
    void *memory;               /* memory of the caller; only read when copying to the device */
    void *stage;                /* pinned memory used for the copy, or NULL */
    cl_event done;
} mote_host_part;

/* Starts to copy a part to its slot, or to read it after the event `after` (NULL = at once); not
 * blocking. total: bytes of the whole array, which decide whether pinned memory is used. */
mote_status mote_host_send(mote_host *host, mote_host_part *part, size_t total, bool wants_event);
mote_status mote_host_fetch(mote_host *host, mote_host_part *part, size_t total, cl_event after);

/* Waits until a part has been read, and releases its event. */
mote_status mote_host_wait_part(mote_host *host, mote_host_part *part);

/* On a CPU device: creates slot k's buffer over the caller's array itself, until
 * mote_host_unwrap_all(). *mem is NULL if the array has to be copied: if the device is not a CPU,
 * if the array is not aligned to its elements, if a form for GPUs may run and the array is an input
 * or not aligned to 128 bytes, if the array shares bytes with another one and either is written, or
 * if the driver refuses. */
mote_status mote_host_wrap(mote_host *host, size_t k, const mote_host_array *array, cl_mem *mem);

/* Makes the results of kernels visible in the array of slot k, after the queue is finished; *done
 * is the event of this step, which the caller releases. */
mote_status mote_host_sync(mote_host *host, size_t k, cl_event *done);

/* mote_host_cache_note() records that slot k's device memory holds a copy of an array in this call;
 * mote_host_cache_holds() returns whether it held that copy in the previous call. A caller's
 * promise that an array has not changed covers only the time since the last call. If a call in
 * between used no copy, because it had no such array or used the array in place, the old copy is
 * not used again.
 */
void mote_host_cache_note(mote_host *host, size_t k, const void *array, size_t bytes);
bool mote_host_cache_holds(const mote_host *host, size_t k, const void *array, size_t bytes);

/* Marks the contents of all slots as unknown. */
void mote_host_cache_forget(mote_host *host);

/* Ends the lending of the array of one slot, or of all slots, when no command uses them any
 * more. */
void mote_host_unwrap(mote_host_slot *slot);
void mote_host_unwrap_all(mote_host *host);

/* Seconds of a monotonic clock. */
double mote_host_clock(void);

/* Waits for `event`, and records the waiting time as the call's device time. */
mote_status mote_host_wait(mote_host *host, cl_event event);

#endif
