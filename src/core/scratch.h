/* SPDX-License-Identifier: Apache-2.0 */
/* The pool of scratch buffers.
 *
 * A block remembers the queue and the completion event of its last user. The same in-order queue may
 * reuse it at once; anyone else only when that event has completed, which is polled when acquiring;
 * otherwise another block is made. A new block is filled with zeros on the acquiring call's queue, so
 * kernels never read memory nothing wrote. */
#ifndef MOTE_CORE_SCRATCH_H
#define MOTE_CORE_SCRATCH_H

#include "core/context.h"

typedef struct mote_scratch_block mote_scratch_block;

mote_scratch_pool *mote_scratch_pool_create(void);
void mote_scratch_pool_release(mote_scratch_pool *pool);

/* Lends a block of at least `bytes`. *fresh is set to 1 when the block was made by this call and must be
 * zeroed by the caller before anything else uses it. */
mote_status mote_scratch_acquire(mote_context *ctx, cl_command_queue queue, bool in_order,
                                 size_t bytes, mote_scratch_block **block, cl_mem *mem, int *fresh);

/* Gives a block back. `done` is the event after which it is free (retained here); NULL = free now. */
void mote_scratch_give_back(mote_context *ctx, mote_scratch_block *block, cl_command_queue queue,
                            bool in_order, cl_event done);

#endif
