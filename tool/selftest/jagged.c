/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/jagged/run.h"

static selftest_outcome differs(selftest_device *device, const mote_lists_case *each,
                                mote_type type, const char *what)
{
    snprintf(device->message, sizeof(device->message), "case %s, %s: %s", each->name,
             mote_type_name(type), what);
    return SELFTEST_DIFFERS;
}

static selftest_outcome compare(selftest_device *device, const mote_lists_case *each,
                                const mote_jagged_run *run, void *found, void *expected)
{
    mote_type type = run->lists.type;
    size_t size = mote_type_size(type);
    mote_jagged_run_expect(run, expected);
    if (mote_jagged_run_call(run, device->ctx, NULL, found))
        return differs(device, each, type, mote_last_error());
    for (size_t i = 0; i < run->count; i++) {
        char text[100];
        if (memcmp((char *)found + i * size, (char *)expected + i * size, size) == 0)
            continue;
        snprintf(text, sizeof(text), "result %zu is %lld, expected %lld", i,
                 (long long)mote_index_get(found, type, i),
                 (long long)mote_index_get(expected, type, i));
        return differs(device, each, type, text);
    }
    return SELFTEST_AGREES;
}

/* int64 only here and there: each type has kernels of its own. */
static mote_type type_of(int which)
{
    return which == MOTE_WORK_LOCAL_INDEX || which == MOTE_WORK_COUNTS ? MOTE_INT64 : MOTE_INT32;
}

static size_t count(int which)
{
    (void)which;
    return mote_lists_case_count();
}

static selftest_outcome check(selftest_device *device, int which, size_t k)
{
    const mote_lists_case *each = mote_lists_case_at(k);
    mote_jagged_run run;
    if (!mote_jagged_run_make(&run, each, type_of(which), 0, (mote_jagged_work)which))
        return SELFTEST_NOT_HERE; /* the type cannot hold the case */
    void *found = malloc((run.count + 1) * sizeof(int64_t));
    void *expected = malloc((run.count + 1) * sizeof(int64_t));
    selftest_outcome outcome = found && expected
                                   ? compare(device, each, &run, found, expected)
                                   : differs(device, each, run.lists.type, "no memory");
    free(found);
    free(expected);
    mote_jagged_run_free(&run);
    return outcome;
}

const selftest_line selftest_jagged[] = {
    {"jagged parents, auto", MOTE_WORK_PARENTS, count, check, false},
    {"jagged parents, search", MOTE_WORK_SEARCH, count, check, true},
    {"jagged parents, event", MOTE_WORK_EVENT, count, check, true},
    {"jagged parents, balanced", MOTE_WORK_BALANCED, count, check, true},
    {"jagged parents, starts and stops", MOTE_WORK_SPANS, count, check, false},
    {"jagged local_index", MOTE_WORK_LOCAL_INDEX, count, check, false},
    {"jagged counts", MOTE_WORK_COUNTS, count, check, false},
    {"jagged offsets_from_counts", MOTE_WORK_FROM_COUNTS, count, check, false},
    {"jagged offsets_from_parents", MOTE_WORK_FROM_PARENTS, count, check, false},
    {NULL, 0, NULL, NULL, false},
};
