/* SPDX-License-Identifier: Apache-2.0 */
/* Pinned memory for callers. */
#include "core/fail.h"
#include "core/fork.h"
#include "core/log.h"
#include "core/pinned.h"
#include "mote/buffer.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct lent {
    struct lent *next;
    mote_pinned pinned;
} lent;

/* The lock guards the list and the queue, which is used for mapping and created at the first use.
 * It is not held while memory is mapped, nor while a message may be delivered to a caller's
 * callback. */
struct mote_pinned_list {
    pthread_mutex_t lock;
    cl_command_queue queue;
    lent *first;
};

mote_pinned_list *mote_pinned_list_create(void)
{
    mote_pinned_list *list = calloc(1, sizeof(*list));
    if (list && pthread_mutex_init(&list->lock, NULL) != 0) {
        free(list);
        return NULL;
    }
    return list;
}

void mote_pinned_list_release(mote_pinned_list *list)
{
    if (!list)
        return;
    while (list->first) {
        lent *piece = list->first;
        list->first = piece->next;
        mote_pinned_unmake(list->queue, &piece->pinned);
        free(piece);
    }
    if (list->queue)
        clReleaseCommandQueue(list->queue);
    pthread_mutex_destroy(&list->lock);
    free(list);
}

bool mote_pinned_list_holds(mote_pinned_list *list, const void *memory, size_t bytes)
{
    bool found = false;
    uintptr_t begin = (uintptr_t)memory;
    pthread_mutex_lock(&list->lock);
    for (const lent *p = list->first; p && !found; p = p->next) {
        uintptr_t base = (uintptr_t)p->pinned.memory;
        found = begin >= base && begin - base <= p->pinned.bytes &&
                bytes <= p->pinned.bytes - (begin - base);
    }
    pthread_mutex_unlock(&list->lock);
    return found;
}

static mote_status find_queue(mote_context *ctx, cl_command_queue *queue)
{
    mote_pinned_list *list = ctx->pinned;
    cl_command_queue made = NULL;
    pthread_mutex_lock(&list->lock);
    *queue = list->queue;
    pthread_mutex_unlock(&list->lock);
    if (*queue)
        return MOTE_SUCCESS;
    mote_status status = mote_context_queue(ctx, 0, &made);
    if (status)
        return status;
    pthread_mutex_lock(&list->lock);
    bool first = !list->queue; /* no other thread has created the queue first */
    if (first)
        list->queue = made;
    *queue = list->queue;
    pthread_mutex_unlock(&list->lock);
    if (!first)
        clReleaseCommandQueue(made);
    return MOTE_SUCCESS;
}

static mote_status make(mote_context *ctx, size_t bytes, lent *piece)
{
    mote_pinned_list *list = ctx->pinned;
    cl_command_queue queue = NULL;
    mote_status status = find_queue(ctx, &queue);
    if (!status)
        status = mote_pinned_make(ctx, queue, "mote_host_alloc", bytes, &piece->pinned);
    if (status)
        return status;
    pthread_mutex_lock(&list->lock);
    piece->next = list->first;
    list->first = piece;
    pthread_mutex_unlock(&list->lock);
    return MOTE_SUCCESS;
}

mote_status mote_host_alloc(mote_context *ctx, size_t bytes, void **out)
{
    if (out)
        *out = NULL;
    if (!ctx || !out || bytes == 0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_host_alloc: %s",
                         !ctx ? "ctx is NULL" : (!out ? "out is NULL" : "bytes is 0"));
    mote_status status = mote_check_process("mote_host_alloc");
    if (status)
        return status;
    lent *piece = calloc(1, sizeof(*piece));
    if (!piece)
        return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "mote_host_alloc: out of host memory");
    status = make(ctx, bytes, piece);
    if (status)
        free(piece);
    else
        *out = piece->pinned.memory;
    return status;
}

void mote_host_free(mote_context *ctx, void *memory)
{
    if (!ctx || !memory || mote_is_forked())
        return;
    pthread_mutex_lock(&ctx->pinned->lock);
    lent **link = &ctx->pinned->first;
    while (*link && (*link)->pinned.memory != memory)
        link = &(*link)->next;
    lent *piece = *link;
    cl_command_queue queue = ctx->pinned->queue;
    if (piece)
        *link = piece->next;
    pthread_mutex_unlock(&ctx->pinned->lock);
    if (piece)
        mote_pinned_unmake(queue, &piece->pinned);
    else
        mote_log(MOTE_LOG_ERROR,
                 "mote_host_free: the address did not come from mote_host_alloc() on this context");
    free(piece);
}
