/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a hash of the result of each call of the mixture: if two devices must give the same bits,
 * these lines must be equal. A known result is compared first.
 *
 *     hashes [LEVEL]    on the device of MOTE_DEVICE; one line a call: where, hash, name */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "mixture.h"

static const char *const where[] = {
    [MIX_INTEGERS] = "everywhere", [MIX_SUMS] = "fp64", [MIX_NUMBERS] = "device"};

/* Returns whether the result is as expected, twice, and equal the second time. */
static bool one(const mix_call *call, mix_user *user)
{
    unsigned char *first = malloc(call->bytes), *second = malloc(call->bytes);
    const char *wrong = first && second ? NULL : "no memory";
    if (!wrong) {
        mix_run(call, user, first);
        if (!mix_is_right(call, first))
            wrong = "not as expected";
        mix_run(call, user, second);
        if (!wrong && memcmp(first, second, call->bytes) != 0)
            wrong = "not the same again";
    }
    if (wrong)
        printf("WRONG\t%s\t%s (last sentence: %s)\n", wrong, call->name, mote_last_error());
    else
        printf("%s\t%016llx\t%s\n", where[call->bits],
               (unsigned long long)XXH3_64bits(first, call->bytes), call->name);
    free(first);
    free(second);
    return !wrong;
}

int main(int argc, char **argv)
{
    char message[1024];
    mote_context *ctx = NULL;
    mix_user user;
    size_t wrong = 0;
    if (mote_context_open(NULL, &ctx)) {
        fprintf(stderr, "%s\n", mote_last_error());
        return 3;
    }
    mixture *mix = mix_make(ctx, argc > 1 ? atoi(argv[1]) > 0 : 0);
    if (!mix || !mix_user_open(&user, ctx, message, sizeof(message))) {
        fprintf(stderr, "%s\n", mix ? message : "no memory");
        return 3;
    }
    for (size_t k = 0; k < mix->count; k++) {
        wrong += !one(&mix->calls[k], &user);
        fflush(stdout);
    }
    mix_user_close(&user);
    mix_free(mix);
    mote_context_release(ctx);
    return wrong > 0;
}
