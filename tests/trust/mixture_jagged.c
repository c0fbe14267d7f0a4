/* SPDX-License-Identifier: Apache-2.0 */
/* The case table of jagged arrays: offsets, counts, parents, on host arrays. */
#include <stdio.h>
#include <stdlib.h>

#include "cases/jagged/oracle.h"
#include "mixture.h"

/* Lists and elements of level 0 and 1. */
static const size_t most[2] = {700, 30000};

enum { AUTO, SEARCH, EVENT, BALANCED, SCATTERED, LOCAL_INDEX, COUNTS, FROM_COUNTS, FROM_PARENTS };
static const char *const names[] = {"parents",          "parents by search", "parents by event",
                                    "balanced parents", "parents of spans",  "local index",
                                    "counts",           "offsets of counts", "offsets of parents"};
#define KINDS (sizeof(names) / sizeof(names[0]))

typedef struct jagged {
    mote_case_lists lists;
    void *input; /* counts or parents, where the call takes them */
    size_t n;
} jagged;

static void free_jagged(void *data)
{
    jagged *j = data;
    mote_case_lists_free(&j->lists);
    free(j->input);
    free(j);
}

static mote_status run_elements(const mix_call *call, mix_user *user, void *outputs)
{
    const jagged *j = call->data;
    mote_jagged_parents_host_args args;
    mote_jagged_parents_host_args_init(&args);
    args.type = j->lists.type;
    args.lists = j->lists.count;
    args.offsets = j->lists.offsets;
    args.starts = j->lists.starts;
    args.stops = j->lists.stops;
    args.out = outputs;
    args.n = j->n;
    args.strategy = call->which < SCATTERED ? (mote_jagged_strategy)call->which : MOTE_JAGGED_AUTO;
    return call->which == LOCAL_INDEX ? mote_jagged_local_index_host(user->ctx, user->host, &args)
                                      : mote_jagged_parents_host(user->ctx, user->host, &args);
}

static mote_status run_lists(const mix_call *call, mix_user *user, void *outputs)
{
    const jagged *j = call->data;
    mote_jagged_offsets_host_args args;
    mote_jagged_offsets_host_args_init(&args);
    args.type = j->lists.type;
    args.lists = j->lists.count;
    args.in = call->which == COUNTS ? j->lists.offsets : j->input;
    args.n = call->which == FROM_PARENTS ? j->n : 0;
    args.out = outputs;
    if (call->which == COUNTS)
        return mote_jagged_counts_host(user->ctx, user->host, &args);
    return call->which == FROM_COUNTS
               ? mote_jagged_offsets_from_counts_host(user->ctx, user->host, &args)
               : mote_jagged_offsets_from_parents_host(user->ctx, user->host, &args);
}

/* What comes out, and what goes in where that is not the lists themselves. */
static bool fill(jagged *j, int which, void *expected)
{
    uint32_t index;
    j->input = calloc(j->n + j->lists.count + 1, sizeof(int64_t));
    if (!j->input)
        return false;
    if (which < LOCAL_INDEX)
        mote_oracle_parents(&j->lists, which == SCATTERED, j->n, expected);
    else if (which == LOCAL_INDEX)
        mote_oracle_local_index(&j->lists, j->n, expected);
    else if (which == COUNTS)
        mote_oracle_counts(&j->lists, expected);
    else if (which == FROM_COUNTS) {
        mote_oracle_counts(&j->lists, j->input);
        mote_oracle_offsets_from_counts(j->lists.type, j->lists.count, j->input, expected, &index);
    } else {
        mote_oracle_parents(&j->lists, false, j->n, j->input);
        mote_oracle_offsets_from_parents(j->lists.type, j->n, j->input, j->lists.count, expected,
                                         &index);
    }
    return true;
}

/* NULL when the type cannot hold the lists, they are too many, or memory ran out. */
static jagged *make(const mote_lists_case *c, mote_type type, int which, int level)
{
    jagged *j = calloc(1, sizeof(*j));
    mote_case_lists scattered;
    if (!j || !mote_lists_case_make(c, type, 1, &j->lists)) {
        free(j);
        return NULL;
    }
    if (which == SCATTERED) {
        bool good = mote_case_lists_scatter(&j->lists, 1, &scattered);
        mote_case_lists_free(&j->lists);
        if (good)
            j->lists = scattered;
    }
    j->n = which == SCATTERED ? j->lists.content : mote_case_lists_elements(&j->lists);
    if ((j->lists.offsets || j->lists.starts) && j->lists.count <= most[level] &&
        j->n <= most[level])
        return j;
    free_jagged(j);
    return NULL;
}

static void add(mixture *mix, const mote_lists_case *c, mote_type type, int which, int level)
{
    unsigned char *expected;
    char name[90];
    jagged *j = make(c, type, which, level);
    if (!j)
        return;
    size_t out = which <= LOCAL_INDEX ? j->n : j->lists.count + (which >= FROM_COUNTS);
    snprintf(name, sizeof(name), "%s of %s, %s", names[which], c->name, mote_type_name(type));
    mix_call *call = mix_add(mix, "jagged", name, out * mote_type_size(type), &expected);
    if (!call || !fill(j, which, expected)) {
        mix->failed = true;
        free_jagged(j);
        return;
    }
    call->bits = MIX_INTEGERS;
    call->run = which <= LOCAL_INDEX ? run_elements : run_lists;
    call->data = j;
    call->free_data = free_jagged;
    call->which = which;
}

void mix_add_jagged(mixture *mix, int level)
{
    static const mote_type types[] = {MOTE_INT32, MOTE_UINT32, MOTE_INT64};
    for (size_t k = 0; k < mote_lists_case_count(); k++)
        for (int t = 0; t < (level ? 3 : 1); t++)
            for (int which = 0; which < (int)KINDS; which++)
                add(mix, mote_lists_case_at(k), types[t], which, level);
}
