/* SPDX-License-Identifier: Apache-2.0 */
/* Small calls of every area, of both layers, with what they must give: for tests that make many of
 * them in many ways. */
#ifndef MOTE_TESTS_TRUST_MIXTURE_H
#define MOTE_TESTS_TRUST_MIXTURE_H

#include <stdbool.h>

#include "mote/mote.h"

/* Which results are the same bits where. */
typedef enum mix_bits {
    MIX_INTEGERS, /* on every device */
    MIX_SUMS,     /* on devices with double precision */
    MIX_NUMBERS,  /* in every run on one device */
} mix_bits;

/* Whoever makes calls, one at a time: a context, shared or not, and queues of its own. */
typedef struct mix_user {
    mote_context *ctx;
    mote_host *host;
    cl_command_queue in_order, any_order; /* any_order is in_order where the device has no other */
} mix_user;

/* A call with its arrays. The result is the data's status in the first 8 bytes, then the outputs,
 * 0 where there are none. */
typedef struct mix_call {
    char name[100];
    mix_bits bits;
    size_t bytes;                  /* of the result */
    const unsigned char *expected; /* NULL: the call judges its outputs itself */
    mote_status (*run)(const struct mix_call *call, mix_user *user, void *outputs);
    void *data;
    void (*free_data)(void *data);
    int which;
} mix_call;

typedef struct mixture {
    mix_call *calls;
    size_t count, room;
    bool has_fp64; /* the devices it is for */
    bool failed;   /* memory ran out */
} mixture;

/* Calls for a context's device. Of `level` 0: calls of at most some hundred numbers and few
 * kernels. 1: every kind of call. NULL when memory ran out. */
mixture *mix_make(mote_context *ctx, int level);
void mix_free(mixture *mix);

/* One user of a context; false with a sentence. */
bool mix_user_open(mix_user *user, mote_context *ctx, char *message, size_t size);
void mix_user_close(mix_user *user);

/* Makes a call and writes its result. */
void mix_run(const mix_call *call, mix_user *user, void *result);

/* Whether a result is as expected. A call that judges its outputs has the status 0. */
bool mix_is_right(const mix_call *call, const void *result);

/* ---- for the areas --------------------------------------------------------------------------- */

/* Appends a call with `bytes` of outputs; the status expected is 0. The caller fills in the rest,
 * and the expected outputs where `expected` is asked for. NULL when memory ran out. */
mix_call *mix_add(mixture *mix, const char *area, const char *name, size_t bytes,
                  unsigned char **expected);

void mix_add_operations(mixture *mix, mote_context *ctx, int level);

#endif
