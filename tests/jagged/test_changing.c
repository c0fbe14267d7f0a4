/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that another thread changes during a call: results are unspecified then, but nothing is
 * written outside of them. */
#include "common/suite.h"
#include "harness.h"

#include <pthread.h>
#include <stdatomic.h>

#define LISTS ((size_t)1000)
#define FAR   (1 << 19) /* what changed elements are too large by, at most */
#define GUARD ((size_t)1 << 20)
#define CALLS 20000

/* The arrays of a call, what the input is by turns, and behind the output room that must stay as it
 * is. */
typedef struct changing {
    int64_t *in, *good, *bad, *out;
    size_t count, outputs;
    mote_rng rng;
    mote_host *host;
    atomic_bool stop;
    pthread_t thread;
} changing;

static void *change(void *of)
{
    changing *c = of;

    while (!atomic_load(&c->stop)) {
        memcpy(c->in, c->bad, c->count * sizeof(int64_t));
        memcpy(c->in, c->good, c->count * sizeof(int64_t));
    }
    return NULL;
}

static void begin(changing *c, const bed *b, size_t count, size_t outputs)
{
    *c = (changing){.count = count, .outputs = outputs};
    bed_ok(mote_host_create(b->ctx, NULL, &c->host));
    c->in = malloc(count * sizeof(int64_t));
    c->good = malloc(count * sizeof(int64_t));
    c->bad = malloc(count * sizeof(int64_t));
    c->out = malloc((outputs + GUARD) * sizeof(int64_t));
    ck_assert(c->in && c->good && c->bad && c->out);
    mote_rng_seed(&c->rng, 1);
    memset(c->out, 0x5a, (outputs + GUARD) * sizeof(int64_t));
}

static void start(changing *c)
{
    for (size_t i = 0; i < c->count; i++) {
        c->good[i] = c->in[i];
        c->bad[i] = c->in[i] + (int64_t)mote_rng_below(&c->rng, FAR);
    }
    ck_assert_int_eq(pthread_create(&c->thread, NULL, change, c), 0);
}

static void end(changing *c)
{
    atomic_store(&c->stop, true);
    pthread_join(c->thread, NULL);
    for (size_t i = c->outputs; i < c->outputs + GUARD; i++)
        ck_assert_msg(c->out[i] == 0x5a5a5a5a5a5a5a5a, "element %zu of %zu was written", i,
                      c->outputs);
    mote_host_release(c->host);
    free(c->in);
    free(c->good);
    free(c->bad);
    free(c->out);
}

/* The call is right, or tells a list that it has seen wrong. */
static void told(mote_status status)
{
    ck_assert_msg(status == MOTE_SUCCESS || status == MOTE_ERROR_OFFSETS_NOT_MONOTONIC ||
                      status == MOTE_ERROR_OFFSETS_OUT_OF_RANGE || status == MOTE_ERROR_PARENTS,
                  "%s: %s", mote_status_name(status), mote_last_error());
}

START_TEST(offsets)
{
    changing c;
    mote_jagged_parents_host_args args;
    size_t n = 0;
    bed b;

    bed_open(&b, NULL);
    begin(&c, &b, LISTS + 1, 4 * LISTS);
    for (size_t k = 0; k <= LISTS; k++) {
        c.in[k] = (int64_t)n;
        n += mote_rng_below(&c.rng, 4);
    }
    c.outputs = (size_t)c.in[LISTS];
    c.count = LISTS; /* the last one tells the length */
    mote_jagged_parents_host_args_init(&args);
    args.type = MOTE_INT64;
    args.lists = LISTS;
    args.offsets = c.in;
    args.n = c.outputs;
    args.out = c.out;
    start(&c);
    for (int i = 0; i < CALLS; i++) {
        told(mote_jagged_parents_host(b.ctx, c.host, &args));
        told(mote_jagged_local_index_host(b.ctx, c.host, &args));
    }
    end(&c);
    bed_close(&b);
}
END_TEST

START_TEST(parents)
{
    changing c;
    mote_jagged_offsets_host_args args;
    size_t label = 0;
    bed b;

    bed_open(&b, NULL);
    begin(&c, &b, LISTS, LISTS + 1);
    for (size_t i = 0; i < LISTS; i++) {
        c.in[i] = (int64_t)label;
        label += label < LISTS - 8 ? mote_rng_below(&c.rng, 3) : 0;
    }
    mote_jagged_offsets_host_args_init(&args);
    args.type = MOTE_INT64;
    args.lists = LISTS;
    args.in = c.in;
    args.n = LISTS;
    args.out = c.out;
    start(&c);
    for (int i = 0; i < CALLS; i++)
        told(mote_jagged_offsets_from_parents_host(b.ctx, c.host, &args));
    end(&c);
    bed_close(&b);
}
END_TEST

Suite *changing_suite(void)
{
    Suite *suite = suite_create("changing");
    TCase *t = suite_case(suite, "changing", SUITE_THOROUGH);

    tcase_add_test(t, offsets);
    tcase_add_test(t, parents);
    return suite;
}
