/* SPDX-License-Identifier: Apache-2.0 */
/* Adds calls of each operation that testkit/operation.h describes to the mixture. Each call is made
 * on plain arrays, and on device buffers with in-order and out-of-order queues. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/operation.h"
#include "mixture.h"

#define FEW_PROGRAMS         2 /* of level 0 */
#define FEW_CALLS            4
#define MANY_CALLS           18
#define MOST_ELEMENTS(level) ((size_t)((level) ? 30000 : 600))

enum { HOST, IN_ORDER, ANY_ORDER, WAYS };
static const char *const ways[] = {"on plain arrays", "on a queue in order",
                                   "on a queue out of order"};

static void drop(void *data)
{
    trial_drop(data);
    free(data);
}

/* Copies the outputs of the call, one after the other. */
static size_t copy_outputs(const trial_call *c, unsigned char *to)
{
    size_t bytes = 0;
    for (size_t k = 0; c->fields->fields[k].name; k++) {
        size_t size = c->array[k].count * mote_type_size(c->array[k].type);
        if (!(c->fields->fields[k].is & FIELD_WRITTEN))
            continue;
        if (to && size)
            memcpy(to + bytes, c->array[k].data, size);
        bytes += size;
    }
    return bytes;
}

/* trial_run() compares the results. The expected bytes are hashed instead, so the sign and the
 * payload of a NaN do not change a hash; if an operation judges its outputs, they are hashed.
 */
static mote_status run(const mix_call *call, mix_user *user, void *outputs)
{
    trial_call c = *(const trial_call *)call->data;
    char message[1024];
    c.ctx = user->ctx;
    c.got = outputs;
    if (!trial_run(&c, call->which == IN_ORDER ? user->in_order : user->any_order, user->host,
                   message, sizeof(message)))
        return printf("# %s\n", message), MOTE_ERROR_INTERNAL;
    if (!c.operation->judge)
        copy_outputs(&c, outputs);
    return MOTE_SUCCESS;
}

static void add(mixture *mix, const trial_operation *operation, const trial_program *program,
                mote_context *ctx, uint64_t seed, size_t most, int way)
{
    static const mix_bits bits[] = {MIX_INTEGERS, MIX_SUMS, MIX_NUMBERS};
    trial_choices choices = program->choices;
    trial_call *c = calloc(1, sizeof(*c));
    char name[90], message[300];
    unsigned char *expected = NULL;

    if (c)
        *c = (trial_call){.operation = operation,
                          .ctx = ctx,
                          .choices = &choices,
                          .seed = seed,
                          .size = TRIAL_ANY,
                          .most = most,
                          .on_host = way == HOST,
                          .telling = seed % 4 != 0};
    mix->failed = mix->failed || !c;
    if (!c || (way == HOST && !operation->run_host) || !trial_draw(c)) {
        free(c);
        return;
    }
    snprintf(name, sizeof(name), "%s, call %u, %s", program->name, (unsigned)seed, ways[way]);
    bool good = trial_fill(c, message, sizeof(message));
    mix_call *call = good ? mix_add(mix, operation->name, name, copy_outputs(c, NULL),
                                    operation->judge ? NULL : &expected)
                          : NULL;
    mix->failed = mix->failed || !call;
    if (!call) {
        drop(c);
        return;
    }
    if (expected)
        copy_outputs(c, expected);
    call->bits = bits[c->promise];
    call->run = run;
    call->data = c;
    call->free_data = drop;
    call->which = way;
}

void mix_add_operations(mixture *mix, mote_context *ctx, int level)
{
    for (size_t k = 0; trial_operations[k]; k++) {
        const trial_program *p = trial_operations[k]->programs;
        for (size_t i = 0; p[i].name && (level || i < FEW_PROGRAMS); i++)
            for (uint64_t seed = 1; seed <= (level ? MANY_CALLS : FEW_CALLS); seed++)
                for (int way = 0; way < WAYS; way++)
                    add(mix, trial_operations[k], &p[i], ctx, seed, MOST_ELEMENTS(level), way);
    }
}
