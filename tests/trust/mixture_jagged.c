/* SPDX-License-Identifier: Apache-2.0 */
/* The case table of jagged arrays: offsets, counts, parents, on host arrays. */
#include <stdio.h>
#include <stdlib.h>

#include "testkit/cases/jagged/run.h"
#include "mixture.h"

/* Lists and elements of level 0 and 1. */
static const size_t most[2] = {700, 30000};

static const char *const names[MOTE_WORKS] = {
    "parents",          "parents by search", "parents by event",
    "balanced parents", "parents of spans",  "local index",
    "counts",           "offsets of counts", "offsets of parents"};

static void free_run(void *data)
{
    mote_jagged_run_free(data);
    free(data);
}

static mote_status run_call(const mix_call *call, mix_user *user, void *outputs)
{
    return mote_jagged_run_call(call->data, user->ctx, user->host, outputs);
}

/* NULL when the type cannot hold the lists, they are too many, or memory ran out. */
static mote_jagged_run *make(const mote_lists_case *c, mote_type type, mote_jagged_work work,
                             int level)
{
    mote_jagged_run *run = calloc(1, sizeof(*run));
    if (!run || !mote_jagged_run_make(run, c, type, 1, work)) {
        free(run);
        return NULL;
    }
    size_t n = work == MOTE_WORK_SPANS ? run->lists.content : run->elements;
    if (run->lists.count <= most[level] && n <= most[level])
        return run;
    free_run(run);
    return NULL;
}

static void add(mixture *mix, const mote_lists_case *c, mote_type type, mote_jagged_work work,
                int level)
{
    unsigned char *expected;
    char name[90];
    mote_jagged_run *run = make(c, type, work, level);
    if (!run)
        return;
    snprintf(name, sizeof(name), "%s of %s, %s", names[work], c->name, mote_type_name(type));
    mix_call *call = mix_add(mix, "jagged", name, run->count * mote_type_size(type), &expected);
    if (!call) {
        mix->failed = true;
        free_run(run);
        return;
    }
    mote_jagged_run_expect(run, expected);
    call->bits = MIX_INTEGERS;
    call->run = run_call;
    call->data = run;
    call->free_data = free_run;
    call->which = (int)work;
}

void mix_add_jagged(mixture *mix, int level)
{
    static const mote_type types[] = {MOTE_INT32, MOTE_UINT32, MOTE_INT64};
    for (size_t k = 0; k < mote_lists_case_count(); k++)
        for (int t = 0; t < (level ? 3 : 1); t++)
            for (int work = 0; work < MOTE_WORKS; work++)
                add(mix, mote_lists_case_at(k), types[t], (mote_jagged_work)work, level);
}
