/* SPDX-License-Identifier: Apache-2.0 */
/* Small calls of every area, of both layers, with expected results: for tests that make many calls
 * in many ways. */
#ifndef MOTE_TESTS_TRUST_MIXTURE_H
#define MOTE_TESTS_TRUST_MIXTURE_H

#include <stdbool.h>

#include "mote/mote.h"

/* Where results have the same bits. */
typedef enum mix_bits {
    MIX_INTEGERS, /* on every device */
    MIX_SUMS,     /* on devices with double precision */
    MIX_NUMBERS,  /* in every run on one device */
} mix_bits;

/* A caller that makes one call at a time: a context, shared or not, and its own queues. */
typedef struct mix_user {
    mote_context *ctx;
    mote_host *host;
    cl_command_queue in_order,
        any_order; /* any_order equals in_order if the device has no other queues */
} mix_user;

/* A call with its arrays. The result is the data's status in the first 8 bytes, then the outputs, 0
 * for unspecified ones. */
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
    bool has_fp64; /* the requirements of the device */
    bool failed;   /* memory ran out */
} mixture;

/* Calls for a context's device. `level` 0: calls of at most some hundred numbers and few kernels.
 * `level` 1: every kind of call. NULL if memory ran out. */
mixture *mix_make(mote_context *ctx, int level);
void mix_free(mixture *mix);

/* Creates one user of a context; false with a sentence. */
bool mix_user_open(mix_user *user, mote_context *ctx, char *message, size_t size);
void mix_user_close(mix_user *user);

/* Makes a call and writes its result. */
void mix_run(const mix_call *call, mix_user *user, void *result);

/* Returns whether a result is as expected. A call that judges its outputs has the status 0. */
bool mix_is_right(const mix_call *call, const void *result);

/* ---- for the areas --------------------------------------------------------------------------- */

/* Appends a call with `bytes` of outputs; the expected status is 0. The caller fills in the other
 * members, and the expected outputs if `expected` is requested. NULL if memory ran out. */
mix_call *mix_add(mixture *mix, const char *area, const char *name, size_t bytes,
                  unsigned char **expected);

void mix_add_operations(mixture *mix, mote_context *ctx, int level);

#endif
