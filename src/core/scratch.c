/* SPDX-License-Identifier: Apache-2.0 */
#include "core/scratch.h"
#include "core/fail.h"
#include "core/log.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define GRAIN      ((size_t)64 * 1024)
#define MOST_POLLS 50
#define PAUSE_NS   100000 /* between polls */

struct mote_scratch_block {
    mote_scratch_block *next;
    cl_mem mem;
    size_t size;
    bool lent;
    bool needs_zero;
    bool is_sure;  /* certainly zeroed: a fill fails if an event that it waits for fails */
    cl_event done; /* event of the last user; NULL = free, or unmarked */
    cl_command_queue
        queue;     /* in-order queue of the last user, retained so that its address is not reused */
    bool unmarked; /* the last user created no event: a marker on its queue shows when it is done */
};

/* The lock guards all members, and every block that is not in use. */
struct mote_scratch_pool {
    pthread_mutex_t lock;
    mote_scratch_block *first;
    uint64_t total, peak;
};

mote_scratch_pool *mote_scratch_pool_create(void)
{
    mote_scratch_pool *pool = calloc(1, sizeof(*pool));
    if (pool && pthread_mutex_init(&pool->lock, NULL) != 0) {
        free(pool);
        return NULL;
    }
    return pool;
}

/* Forgets the last user. */
static void settle(mote_scratch_block *block)
{
    if (block->done)
        clReleaseEvent(block->done);
    if (block->queue)
        clReleaseCommandQueue(block->queue);
    block->done = NULL;
    block->queue = NULL;
    block->unmarked = false;
}

static void destroy(mote_scratch_block *block)
{
    settle(block);
    clReleaseMemObject(block->mem);
    free(block);
}

void mote_scratch_pool_release(mote_scratch_pool *pool)
{
    if (!pool)
        return;
    while (pool->first) {
        mote_scratch_block *block = pool->first;
        pool->first = block->next;
        destroy(block);
    }
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

/* Returns whether the last user is done; a failed user is done as well. */
static bool is_free(mote_scratch_block *block)
{
    cl_int state = CL_QUEUED;
    if (block->unmarked) {
        if (clEnqueueMarkerWithWaitList(block->queue, 0, NULL, &block->done) != CL_SUCCESS)
            return false;
        block->unmarked = false;
        clFlush(block->queue); /* the queue may have no other user any more */
    }
    if (!block->done)
        return true;
    if (clGetEventInfo(block->done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state,
                       NULL) != CL_SUCCESS ||
        state > CL_COMPLETE)
        return false;
    block->is_sure = block->is_sure && state == CL_COMPLETE;
    settle(block);
    return true;
}

/* Returns whether a block is free. Waits up to some milliseconds for a marker that is enqueued only
 * here: on an idle queue of a GPU it takes microseconds. */
static bool is_free_soon(mote_scratch_block *block)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    bool is_marked_here = block->unmarked, free = is_free(block);
    for (int i = 1; i < MOST_POLLS && is_marked_here && !block->unmarked && !free; i++) {
        nanosleep(&pause, NULL);
        free = is_free(block);
    }
    return free;
}

/* The size of the block that is allocated for `bytes`: steps of a quarter, so that growing requests
 * use few sizes. */
static size_t block_size(size_t bytes, uint64_t most)
{
    size_t size = GRAIN;
    while (size < bytes && size <= SIZE_MAX / 2)
        size = (size + size / 4 + GRAIN - 1) / GRAIN * GRAIN;
    return size < bytes || size > most ? bytes : size;
}

/* Finds the smallest block that fits and is not far too large; call it under the lock. */
static mote_scratch_block *find(mote_scratch_pool *pool, cl_command_queue own, size_t bytes,
                                size_t size)
{
    mote_scratch_block *best = NULL;
    for (mote_scratch_block *b = pool->first; b; b = b->next) {
        if (b->lent || b->size < bytes || b->size / 4 > size || (best && best->size <= b->size))
            continue;
        if (own ? b->queue == own : is_free(b))
            best = b;
    }
    return best;
}

/* Under the lock: the queue's own block if there is one, so that queues neither use each other's
 * blocks nor query whether they are free. */
static mote_scratch_block *find_block(mote_scratch_pool *pool, cl_command_queue queue,
                                      bool in_order, size_t bytes, size_t size)
{
    mote_scratch_block *own = in_order && queue ? find(pool, queue, bytes, size) : NULL;
    return own ? own : find(pool, NULL, bytes, size);
}

/* Under the lock. */
static void unlink_block(mote_scratch_pool *pool, const mote_scratch_block *block)
{
    mote_scratch_block **link = &pool->first;
    while (*link != block)
        link = &(*link)->next;
    *link = block->next;
    pool->total -= block->size;
}

/* Under the lock. */
static void trim(mote_scratch_pool *pool)
{
    mote_scratch_block *next;
    for (mote_scratch_block *b = pool->first; b; b = next) {
        next = b->next;
        if (b->lent || !is_free_soon(b))
            continue;
        unlink_block(pool, b);
        destroy(b);
    }
}

/* Under the lock: allocates device memory of *size, or only `bytes` after all idle memory was
 * released.
 */
static cl_int allocate(mote_context *ctx, size_t bytes, size_t *size, cl_mem *mem)
{
    cl_int code = CL_SUCCESS;
    *mem = clCreateBuffer(ctx->cl, CL_MEM_READ_WRITE, *size, NULL, &code);
    if (!mote_is_memory_code(code))
        return code;
    trim(ctx->scratch);
    *size = bytes;
    *mem = clCreateBuffer(ctx->cl, CL_MEM_READ_WRITE, *size, NULL, &code);
    return code;
}

/* Reports why there is no new block; without the lock, because the message may be delivered to a
 * caller's callback. */
static mote_status fail_new(const mote_context *ctx, const char *name, size_t bytes, uint64_t held,
                            cl_int code)
{
    if (code == MOTE_ERROR_OUT_OF_HOST_MEMORY)
        return mote_fail(code, "%s: out of host memory", name);
    if (!mote_is_memory_code(code))
        return mote_fail_cl(code, name, "clCreateBuffer");
    return mote_fail(
        MOTE_ERROR_OUT_OF_DEVICE_MEMORY,
        "%s: %zu bytes of scratch do not fit on %s beside %llu bytes of scratch in use "
        "(global memory %llu bytes): split the input or free device memory",
        name, bytes, ctx->device.name, (unsigned long long)held,
        (unsigned long long)ctx->device.global_bytes);
}

/* Under the lock: creates a block, in use, and links it. */
static cl_int make(mote_context *ctx, size_t bytes, size_t size, mote_scratch_block **out)
{
    mote_scratch_pool *pool = ctx->scratch;
    mote_scratch_block *block = calloc(1, sizeof(*block));
    if (!block)
        return MOTE_ERROR_OUT_OF_HOST_MEMORY;
    cl_int code = allocate(ctx, bytes, &size, &block->mem);
    if (code) {
        free(block);
        return code;
    }
    *block = (mote_scratch_block){
        .next = pool->first, .mem = block->mem, .size = size, .lent = true, .needs_zero = true};
    pool->first = block;
    pool->total += size;
    if (pool->peak < pool->total)
        pool->peak = pool->total;
    *out = block;
    return CL_SUCCESS;
}

mote_status mote_scratch_acquire(mote_context *ctx, const char *name, cl_command_queue queue,
                                 bool in_order, size_t bytes, mote_scratch_block **block,
                                 cl_mem *mem, int *fresh)
{
    mote_scratch_pool *pool = ctx->scratch;
    mote_scratch_block *found = NULL;
    cl_int code = CL_SUCCESS;
    size_t most =
        ctx->device.max_alloc_bytes < SIZE_MAX ? (size_t)ctx->device.max_alloc_bytes : SIZE_MAX;
    *block = NULL;
    *mem = NULL;
    *fresh = 0;
    if (bytes > most - most % 4)
        return mote_fail(MOTE_ERROR_OUT_OF_DEVICE_MEMORY,
                         "%s: needs %zu bytes of scratch, but one buffer of %s holds at most %zu "
                         "bytes: split the input",
                         name, bytes, ctx->device.name, most);
    bytes = (bytes + 3) / 4 * 4; /* filled by words */
    size_t size = block_size(bytes, most);
    pthread_mutex_lock(&pool->lock);
    found = find_block(pool, queue, in_order, bytes, size);
    bool is_new = !found;
    if (found)
        found->lent = true;
    else
        code = make(ctx, bytes, size, &found);
    uint64_t held = pool->total;
    pthread_mutex_unlock(&pool->lock);
    if (code)
        return fail_new(ctx, name, bytes, held, code);
    if (is_new)
        mote_log(MOTE_LOG_DEBUG, "%s: new scratch block of %zu bytes for %zu", name, found->size,
                 bytes);
    *block = found;
    *mem = found->mem;
    *fresh = found->needs_zero;
    return MOTE_SUCCESS;
}

size_t mote_scratch_size(const mote_scratch_block *block)
{
    return block->size;
}

void mote_scratch_zeroed(mote_scratch_block *block, bool sure)
{
    block->needs_zero = false;
    block->is_sure = sure;
}

bool mote_scratch_is_sure(const mote_scratch_block *block)
{
    return block->is_sure;
}

void mote_scratch_give_back(mote_context *ctx, mote_scratch_block *block, cl_command_queue queue,
                            bool in_order, cl_event done)
{
    cl_command_queue own = in_order && clRetainCommandQueue(queue) == CL_SUCCESS ? queue : NULL;
    if ((done && clRetainEvent(done) != CL_SUCCESS) || (!done && !own)) {
        if (own)
            clReleaseCommandQueue(own);
        mote_scratch_drop(ctx, block);
        return;
    }
    pthread_mutex_lock(&ctx->scratch->lock);
    settle(block);
    block->done = done;
    block->queue = own;
    block->unmarked = !done;
    block->lent = false;
    pthread_mutex_unlock(&ctx->scratch->lock);
}

void mote_scratch_give_back_unused(mote_context *ctx, mote_scratch_block *block)
{
    pthread_mutex_lock(&ctx->scratch->lock);
    block->lent = false;
    pthread_mutex_unlock(&ctx->scratch->lock);
}

void mote_scratch_drop(mote_context *ctx, mote_scratch_block *block)
{
    pthread_mutex_lock(&ctx->scratch->lock);
    unlink_block(ctx->scratch, block);
    pthread_mutex_unlock(&ctx->scratch->lock);
    destroy(block);
}

void mote_scratch_trim(mote_context *ctx)
{
    pthread_mutex_lock(&ctx->scratch->lock);
    trim(ctx->scratch);
    pthread_mutex_unlock(&ctx->scratch->lock);
}

void mote_scratch_report(mote_context *ctx, mote_memory *memory)
{
    mote_scratch_pool *pool = ctx->scratch;
    pthread_mutex_lock(&pool->lock);
    for (mote_scratch_block *b = pool->first; b; b = b->next) {
        if (b->lent || !is_free(b))
            memory->scratch_busy += b->size;
        else
            memory->scratch_idle += b->size;
    }
    memory->scratch_peak = pool->peak;
    pthread_mutex_unlock(&pool->lock);
}
