/* SPDX-License-Identifier: Apache-2.0 */
#include "mixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATUS_BYTES ((size_t)8)

mix_call *mix_add(mixture *mix, const char *area, const char *name, size_t bytes,
                  unsigned char **expected)
{
    if (mix->count == mix->room) {
        size_t room = mix->room ? 2 * mix->room : 64;
        mix_call *grown = realloc(mix->calls, room * sizeof(*grown));
        mix->failed = mix->failed || !grown;
        if (!grown)
            return NULL;
        mix->calls = grown;
        mix->room = room;
    }
    unsigned char *memory = expected ? calloc(1, STATUS_BYTES + bytes) : NULL;
    mix->failed = mix->failed || (expected && !memory);
    if (expected && !memory)
        return NULL;
    mix_call *call = &mix->calls[mix->count++];
    *call = (mix_call){.bytes = STATUS_BYTES + bytes, .expected = memory};
    snprintf(call->name, sizeof(call->name), "%s, %s", area, name);
    if (expected)
        *expected = memory + STATUS_BYTES;
    return call;
}

mixture *mix_make(mote_context *ctx, int level)
{
    mixture *mix = calloc(1, sizeof(*mix));
    if (!mix)
        return NULL;
    mix->has_fp64 = mote_context_device(ctx)->has_fp64;
    mix_add_operations(mix, ctx, level);
    if (!mix->failed)
        return mix;
    mix_free(mix);
    return NULL;
}

void mix_free(mixture *mix)
{
    if (!mix)
        return;
    for (size_t k = 0; k < mix->count; k++) {
        mix_call *call = &mix->calls[k];
        if (call->free_data)
            call->free_data(call->data);
        free((void *)call->expected);
    }
    free(mix->calls);
    free(mix);
}

bool mix_user_open(mix_user *user, mote_context *ctx, char *message, size_t size)
{
    *user = (mix_user){.ctx = ctx};
    mote_status status = mote_context_queue(ctx, 0, &user->in_order);
    if (!status)
        status = mote_host_create(ctx, user->in_order, &user->host);
    if (status) {
        snprintf(message, size, "%s", mote_last_error());
        mix_user_close(user);
        return false;
    }
    if (mote_context_queue(ctx, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &user->any_order)) {
        clRetainCommandQueue(user->in_order);
        user->any_order = user->in_order;
    }
    return true;
}

void mix_user_close(mix_user *user)
{
    mote_host_release(user->host);
    if (user->any_order)
        clReleaseCommandQueue(user->any_order);
    if (user->in_order)
        clReleaseCommandQueue(user->in_order);
    *user = (mix_user){0};
}

void mix_run(const mix_call *call, mix_user *user, void *result)
{
    unsigned char *outputs = (unsigned char *)result + STATUS_BYTES;
    memset(result, 0, call->bytes);
    int32_t status = call->run(call, user, outputs);
    if (status)
        memset(outputs, 0, call->bytes - STATUS_BYTES); /* outputs are then unspecified */
    memcpy(result, &status, sizeof(status));
}

bool mix_is_right(const mix_call *call, const void *result)
{
    int32_t status;
    memcpy(&status, result, sizeof(status));
    return call->expected ? memcmp(result, call->expected, call->bytes) == 0 : status == 0;
}
