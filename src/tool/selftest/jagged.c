/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/jagged/oracle.h"

/* What is run on a case. The first four are a strategy's number. */
enum { AUTO, SEARCH, EVENT, BALANCED, SCATTERED, LOCAL_INDEX, COUNTS, FROM_COUNTS, FROM_PARENTS };

typedef struct trial {
    selftest_device *device;
    const mote_lists_case *each;
    mote_case_lists lists;
    int which;
    size_t count; /* of results */
    void *found, *expected;
    void *input; /* counts or parents */
} trial;

static selftest_outcome differs(const trial *t, const char *what)
{
    snprintf(t->device->message, sizeof(t->device->message), "case %s, %s: %s", t->each->name,
             mote_type_name(t->lists.type), what);
    return SELFTEST_DIFFERS;
}

static mote_status call_elements(const trial *t)
{
    mote_jagged_parents_host_args args;
    mote_jagged_parents_host_args_init(&args);
    args.type = t->lists.type;
    args.lists = t->lists.count;
    args.offsets = t->lists.offsets;
    args.starts = t->lists.starts;
    args.stops = t->lists.stops;
    args.out = t->found;
    args.n = t->count;
    args.strategy = t->which < SCATTERED ? (mote_jagged_strategy)t->which : MOTE_JAGGED_AUTO;
    return t->which == LOCAL_INDEX ? mote_jagged_local_index_host(t->device->ctx, NULL, &args)
                                   : mote_jagged_parents_host(t->device->ctx, NULL, &args);
}

static mote_status call_lists(const trial *t)
{
    mote_jagged_offsets_host_args args;
    mote_jagged_offsets_host_args_init(&args);
    args.type = t->lists.type;
    args.lists = t->lists.count;
    args.in = t->input;
    args.n = mote_case_lists_elements(&t->lists);
    args.out = t->found;
    if (t->which == COUNTS)
        return mote_jagged_counts_host(t->device->ctx, NULL, &args);
    return t->which == FROM_COUNTS
               ? mote_jagged_offsets_from_counts_host(t->device->ctx, NULL, &args)
               : mote_jagged_offsets_from_parents_host(t->device->ctx, NULL, &args);
}

/* Where the input is not the offsets themselves. */
static void make_input(trial *t)
{
    if (t->which == COUNTS)
        memcpy(t->input, t->lists.offsets, (t->lists.count + 1) * mote_type_size(t->lists.type));
    else if (t->which == FROM_COUNTS)
        mote_oracle_counts(&t->lists, t->input);
    else if (t->which == FROM_PARENTS)
        mote_oracle_parents(&t->lists, false, mote_case_lists_elements(&t->lists), t->input);
}

static void make_expected(trial *t)
{
    uint32_t index;
    size_t m = t->lists.count;
    mote_type type = t->lists.type;
    if (t->which <= SCATTERED)
        mote_oracle_parents(&t->lists, false, t->count, t->expected);
    else if (t->which == LOCAL_INDEX)
        mote_oracle_local_index(&t->lists, t->count, t->expected);
    else if (t->which == COUNTS)
        mote_oracle_counts(&t->lists, t->expected);
    else if (t->which == FROM_COUNTS)
        mote_oracle_offsets_from_counts(type, m, t->input, t->expected, &index);
    else
        mote_oracle_offsets_from_parents(type, mote_case_lists_elements(&t->lists), t->input, m,
                                         t->expected, &index);
}

static size_t results(const trial *t)
{
    if (t->which == SCATTERED)
        return t->lists.content;
    if (t->which <= LOCAL_INDEX)
        return mote_case_lists_elements(&t->lists);
    return t->lists.count + (t->which != COUNTS);
}

static selftest_outcome compare(trial *t)
{
    size_t size = mote_type_size(t->lists.type);
    make_input(t);
    make_expected(t);
    mote_status status = t->which <= LOCAL_INDEX ? call_elements(t) : call_lists(t);
    if (status != MOTE_SUCCESS)
        return differs(t, mote_last_error());
    for (size_t i = 0; i < t->count; i++) {
        char text[100];
        if (memcmp((char *)t->found + i * size, (char *)t->expected + i * size, size) == 0)
            continue;
        snprintf(text, sizeof(text), "result %zu is %lld, expected %lld", i,
                 (long long)mote_index_get(t->found, t->lists.type, i),
                 (long long)mote_index_get(t->expected, t->lists.type, i));
        return differs(t, text);
    }
    return SELFTEST_AGREES;
}

static selftest_outcome run(trial *t)
{
    size_t input = mote_case_lists_elements(&t->lists) + t->lists.count + 1;
    t->count = results(t);
    t->found = malloc((t->count + 1) * sizeof(int64_t));
    t->expected = malloc((t->count + 1) * sizeof(int64_t));
    t->input = malloc((input + 1) * sizeof(int64_t));
    selftest_outcome outcome =
        t->found && t->expected && t->input ? compare(t) : differs(t, "no memory");
    free(t->found);
    free(t->expected);
    free(t->input);
    mote_case_lists_free(&t->lists);
    return outcome;
}

/* int64 only here and there: each type has kernels of its own. */
static mote_type type_of(int which)
{
    return which == LOCAL_INDEX || which == COUNTS ? MOTE_INT64 : MOTE_INT32;
}

static size_t count(int which)
{
    (void)which;
    return mote_lists_case_count();
}

static selftest_outcome check(selftest_device *device, int which, size_t k)
{
    trial t = {.device = device, .each = mote_lists_case_at(k), .which = which};
    if (!mote_lists_case_make(t.each, type_of(which), 0, &t.lists))
        return SELFTEST_NOT_HERE; /* the type cannot hold the case */
    if (which == SCATTERED) {
        mote_case_lists whole = t.lists;
        bool made = mote_case_lists_scatter(&whole, 1, &t.lists);
        mote_case_lists_free(&whole);
        if (!made)
            return differs(&t, "no memory");
    }
    return run(&t);
}

const selftest_line selftest_jagged[] = {
    {"jagged parents, auto", AUTO, count, check},
    {"jagged parents, search", SEARCH, count, check},
    {"jagged parents, event", EVENT, count, check},
    {"jagged parents, balanced", BALANCED, count, check},
    {"jagged parents, starts and stops", SCATTERED, count, check},
    {"jagged local_index", LOCAL_INDEX, count, check},
    {"jagged counts", COUNTS, count, check},
    {"jagged offsets_from_counts", FROM_COUNTS, count, check},
    {"jagged offsets_from_parents", FROM_PARENTS, count, check},
    {NULL, 0, NULL, NULL},
};
