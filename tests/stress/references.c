/* SPDX-License-Identifier: Apache-2.0 */
#include "references.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mote_context *open_context(void)
{
    mote_context *ctx = NULL;
    ck_assert_msg(mote_context_open(NULL, &ctx) == MOTE_SUCCESS, "%s", mote_last_error());
    return ctx;
}

size_t count_from(const char *variable, size_t usual)
{
    const char *text = getenv(variable);
    return text && *text ? strtoull(text, NULL, 10) : usual;
}

static bool differs(const mix_call *call, const unsigned char *expected, const unsigned char *got,
                    char *message, size_t size)
{
    size_t at = 0;
    int32_t status[2];
    while (at < call->bytes && expected[at] == got[at])
        at++;
    if (at == call->bytes)
        return false;
    memcpy(&status[0], expected, sizeof(int32_t));
    memcpy(&status[1], got, sizeof(int32_t));
    snprintf(message, size, "%s: byte %zu of %zu differs, status %s, not %s (%s)", call->name, at,
             call->bytes, mote_status_name(status[1]), mote_status_name(status[0]),
             status[1] ? mote_last_error() : "");
    return true;
}

void references_make(references *refs, int level)
{
    char message[MESSAGE_SIZE];
    mix_user user;
    mote_context *ctx = open_context();
    *refs = (references){.mix = mix_make(ctx, level)};
    ck_assert_ptr_nonnull(refs->mix);
    ck_assert_msg(mix_user_open(&user, ctx, message, sizeof(message)), "%s", message);
    refs->results = calloc(refs->mix->count, sizeof(*refs->results));
    ck_assert_ptr_nonnull(refs->results);
    for (size_t k = 0; k < refs->mix->count; k++) {
        const mix_call *call = &refs->mix->calls[k];
        unsigned char *result = refs->results[k] = malloc(call->bytes);
        ck_assert_ptr_nonnull(result);
        mix_run(call, &user, result);
        if (call->expected && differs(call, call->expected, result, message, sizeof(message)))
            ck_abort_msg("%s", message);
        ck_assert_msg(mix_is_right(call, result), "%s: %s", call->name, mote_last_error());
        if (refs->largest < call->bytes)
            refs->largest = call->bytes;
    }
    mix_user_close(&user);
    mote_context_release(ctx);
}

void references_free(references *refs)
{
    for (size_t k = 0; refs->results && k < refs->mix->count; k++)
        free(refs->results[k]);
    free(refs->results);
    mix_free(refs->mix);
}

bool references_again(const references *refs, size_t k, mix_user *user, void *room, char *message,
                      size_t size)
{
    mix_run(&refs->mix->calls[k], user, room);
    return !differs(&refs->mix->calls[k], refs->results[k], room, message, size);
}
