/* SPDX-License-Identifier: Apache-2.0 */
/* One enqueuing API call: its wait list, its chain of launches, its scratch, its final event.
 *
 *     mote_call call;
 *     mote_status st = mote_call_begin(&call, "mote_x", ctx, queue, false, num_wait, wait,
 *                                      event);
 *     if (!st) st = mote_call_scratch(&call, bytes, &args.workspace, &scratch);
 *     if (!st) st = first_launch(&call, ...);
 *     if (!st) st = second_launch(&call, ...);
 *     return mote_call_end(&call, st);
 *
 * Launches form a chain: each waits for the previous one, the first one for the caller's wait list.
 * On an in-order queue without a launch callback, only the last one creates an event.
 * mote_call_end() gives the caller an event that covers everything enqueued, even after a failure
 * in mid-call, and returns the scratch to the pool.
 *
 * A call in preparing mode (mote_prepare) builds every kernel and acquires the scratch but enqueues
 * nothing: the same code serves both. */
#ifndef MOTE_CORE_CALL_H
#define MOTE_CORE_CALL_H

#include "core/program.h"
#include "core/scratch.h"
#include "mote/buffer.h"

#define MOTE_CALL_MAX_ARGS 72

/* A launch that is prepared but not enqueued yet; without a kernel, the clearing of the error word.
 */
typedef struct mote_pending {
    mote_kernel_lease lease;
    size_t groups, local;
    uint64_t bytes;
    bool last;
} mote_pending;

#define MOTE_CALL_MAX_PENDING 16

typedef struct mote_call {
    mote_context *ctx;
    const char *name; /* public function, for messages */
    cl_command_queue queue;
    bool in_order;
    bool preparing;
    cl_uint num_wait;
    const cl_event *wait;
    cl_event *event_out;
    /* Covers everything so far; NULL if the queue is in order and it is not needed yet. */
    cl_event last;
    bool enqueued;    /* anything at all */
    mote_view error;  /* the slots of the error word; the NULL view when there is none */
    bool keeps_error; /* the caller's word is not cleared: kernels use an error word of the call */
    const mote_view *workspace; /* workspace in the arguments; NULL if they have none */
    mote_scratch_block *block;
    mote_view zeros; /* words that every call finds and leaves zero, or the NULL view if scratch is
                        not from the pool, or if an event may have prevented the zeroing */
    mote_pending pending[MOTE_CALL_MAX_PENDING];
    size_t num_pending;
} mote_call;

/* Checks queue, wait list and context (MOTE_ERROR_WRONG_CONTEXT, MOTE_ERROR_INVALID_ARGUMENT). With
 * queue == NULL and prepare set, the call is in preparing mode. */
mote_status mote_call_begin(mote_call *call, const char *name, mote_context *ctx,
                            cl_command_queue queue, bool prepare, cl_uint num_wait,
                            const cl_event *wait, cl_event *event);

/* Acquires scratch for the call: the caller's workspace if it is not NULL (checked for size, type
 * MOTE_UINT32), else a block of the pool, with call->zeros. It is called at most once per call; 0
 * bytes give a NULL view. The view is of MOTE_UINT32 and begins at a multiple of 64 bytes. */
mote_status mote_call_scratch(mote_call *call, size_t bytes, const mote_view *workspace,
                              mote_view *scratch);

/* Returns whether the arguments have a workspace. */
bool mote_call_has_workspace(const mote_call *call);

/* Words of call->zeros: the first ones count ended groups; those from MOTE_CALL_TOTALS on are for
 * sums that several launches of a call compute and the last one clears. */
#define MOTE_CALL_TOTALS 64
#define MOTE_CALL_ZEROS  (MOTE_CALL_TOTALS + 4096)

/* Bytes that the alignment of a workspace can cost, because it may begin anywhere. */
#define MOTE_WORKSPACE_SLACK 64

/* Functions for commands other than launches: the wait list of the call's next command, whether it
 * must create an event (`last`: it is the call's final one), and the record that it was enqueued,
 * which owns the event. */
void mote_call_wait_list(const mote_call *call, cl_uint *num_wait, const cl_event **wait);
bool mote_call_wants_event(const mote_call *call, bool last);
void mote_call_enqueued(mote_call *call, cl_event event);

/* Ends the call: final event, scratch, and `status` (or the first failure of these steps). */
mote_status mote_call_end(mote_call *call, mote_status status);

/* A launch under construction. Arguments are set in the order of the kernel's parameters, each with
 * the parameter's name; debug builds compare the two. A failure is kept until mote_launch_run(). */
typedef struct mote_launch {
    mote_call *call;
    mote_kernel_lease lease;
    cl_uint next_arg;
    size_t local_bytes; /* __local memory passed as arguments */
    bool exact;         /* depends on its group size, although it has no reqd_work_group_size */
    uint64_t bytes;
    bool last;
    mote_status status;
} mote_launch;

void mote_launch_begin(mote_launch *launch, mote_call *call, const mote_source *source,
                       const char *defines, const char *kernel);
void mote_launch_mem(mote_launch *launch, const char *name, cl_mem mem); /* NULL allowed */
/* Sets two parameters: the pointer NAME, and the ulong NAME_at, an offset in elements. */
void mote_launch_view(mote_launch *launch, const char *name, const mote_view *v);
void mote_launch_u32(mote_launch *launch, const char *name, uint32_t value);
void mote_launch_u64(mote_launch *launch, const char *name, uint64_t value);
void mote_launch_local(mote_launch *launch, const char *name, size_t bytes); /* __local memory */
void mote_launch_struct(mote_launch *launch, const char *name, const void *value, size_t size);
void mote_launch_bytes(mote_launch *launch,
                       uint64_t bytes); /* least traffic, for the launch callback */

/* Marks the call's final launch: it creates the event itself, for which mote_call_end() would
 * otherwise need a marker. Best effort; another launch may still follow. */
void mote_launch_last(mote_launch *launch);

/* Enqueues the prepared launches. Arguments of all launches of a call are set before the first one
 * is enqueued, so that the device does not wait for the host in between. mote_call_end() calls this
 * function; code that enqueues another command must call it first. */
mote_status mote_call_flush(mote_call *call);

/* Discards the prepared launches, after a failure. */
void mote_call_discard(mote_call *call);

/* Prepares a launch of `groups` work-groups of `local` work-items (1D); the kernel is returned on
 * every path. groups == 0 enqueues nothing and succeeds. */
mote_status mote_launch_run(mote_launch *launch, size_t groups, size_t local);

/* Carves aligned pieces (256 bytes) out of a scratch view. With mem == NULL it only counts: run the
 * same code once to compute the size, and once to carve. */
typedef struct mote_carve {
    mote_view scratch;
    size_t used; /* bytes */
} mote_carve;
mote_view mote_carve_take(mote_carve *carve, size_t count, mote_type type);

#endif
