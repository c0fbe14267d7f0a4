/* SPDX-License-Identifier: Apache-2.0 */
/* The pool of scratch buffers.
 *
 * A block remembers the queue and the completion event of its last user. The same in-order queue
 * may reuse it at once; other queues only when that event has completed, which is polled on
 * acquisition; otherwise another block is allocated. Events cost some drivers more than a launch:
 * on in-order queues, no event is created until another queue wants the block. A new block is
 * filled with zeros on the acquiring call's queue, so kernels never read uninitialised memory. */
#ifndef MOTE_CORE_SCRATCH_H
#define MOTE_CORE_SCRATCH_H

#include "core/context.h"

typedef struct mote_scratch_block mote_scratch_block;

mote_scratch_pool *mote_scratch_pool_create(void);
void mote_scratch_pool_release(mote_scratch_pool *pool);

/* Returns a block of at least `bytes`; *mem is *block's memory. *fresh is 1 if the block has not
 * been zeroed yet: the caller enqueues the zeroing before any other use, and reports it by
 * mote_scratch_zeroed(). `name` is the public function, for the sentence. */
mote_status mote_scratch_acquire(mote_context *ctx, const char *name, cl_command_queue queue,
                                 bool in_order, size_t bytes, mote_scratch_block **block,
                                 cl_mem *mem, int *fresh);

/* Gives a block back. `done` is the event after which the block is free (retained here); NULL, for
 * in-order queues only: the block is free when everything enqueued so far is done, and the next
 * search of the pool enqueues a marker. */
void mote_scratch_give_back(mote_context *ctx, mote_scratch_block *block, cl_command_queue queue,
                            bool in_order, cl_event done);

/* Gives a block back whose borrower enqueued nothing. Commands of the block's previous borrower may
 * still be running, so its event stays in use. */
void mote_scratch_give_back_unused(mote_context *ctx, mote_scratch_block *block);

/* Returns the block's size in bytes, a multiple of 4. */
size_t mote_scratch_size(const mote_scratch_block *block);

/* Records that zeroing the block has been enqueued; `sure`: no event can prevent it. The zeroing is
 * not certain either if the block's call failed after some of its launches. */
void mote_scratch_zeroed(mote_scratch_block *block, bool sure);

/* Returns whether the block has certainly been zeroed. */
bool mote_scratch_is_sure(const mote_scratch_block *block);

/* Releases a block instead of returning it to the pool, because it is unknown when the block will
 * be free. OpenCL keeps its memory until enqueued commands are done. */
void mote_scratch_drop(mote_context *ctx, mote_scratch_block *block);

/* Releases the blocks that are free. */
void mote_scratch_trim(mote_context *ctx);

/* Adds the memory of the blocks to memory->scratch_*. */
void mote_scratch_report(mote_context *ctx, mote_memory *memory);

#endif
