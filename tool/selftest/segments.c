/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/reference/jagged/segments_oracle.h"

/* One reduction of one type a line; each needs kernels of its own. */
static const struct {
    mote_reduction reduction;
    mote_type type;
} trials[] = {{MOTE_REDUCE_SUM, MOTE_FLOAT32},
              {MOTE_REDUCE_MAX, MOTE_INT32},
              {MOTE_REDUCE_ARGMIN, MOTE_FLOAT32},
              {MOTE_REDUCE_COUNT, MOTE_INT32},
              {MOTE_REDUCE_ANY, MOTE_BOOL}};

/* Small numbers, so that equal ones and zeros are frequent. */
static void fill(mote_type type, size_t count, mote_rng *rng, void *values)
{
    for (size_t i = 0; i < count; i++) {
        int64_t number = mote_rng_between(rng, -50, 50);
        if (type == MOTE_FLOAT32)
            ((float *)values)[i] = (float)number * 0.1f;
        else if (type == MOTE_INT32)
            ((int32_t *)values)[i] = (int32_t)number;
        else
            ((uint8_t *)values)[i] = number == 0;
    }
}

static mote_status call(selftest_device *device, const mote_case_lists *lists,
                        const mote_jagged_segments_what *what, void *result)
{
    mote_jagged_segments_host_args args;
    mote_jagged_segments_host_args_init(&args);
    args.offsets_type = lists->type;
    args.lists = lists->count;
    args.offsets = lists->offsets;
    args.values_type = what->type;
    args.values = what->values;
    args.values_length = lists->content;
    args.reduction = what->reduction;
    args.result_type = what->result;
    args.result = result;
    return mote_jagged_segments_host(device->ctx, NULL, &args);
}

static selftest_outcome compare(selftest_device *device, const mote_lists_case *each,
                                const mote_case_lists *lists, const mote_jagged_segments_what *what,
                                void *found, void *expected)
{
    size_t size = mote_type_size(what->result);
    mote_status status = call(device, lists, what, found);
    mote_oracle_segments(lists, what, expected);
    size_t k = 0;
    while (k < lists->count &&
           memcmp((char *)found + k * size, (char *)expected + k * size, size) == 0)
        k++;
    if (status == MOTE_SUCCESS && k == lists->count)
        return SELFTEST_AGREES;
    if (status != MOTE_SUCCESS)
        snprintf(device->message, sizeof(device->message), "case %s: %s", each->name,
                 mote_last_error());
    else
        snprintf(device->message, sizeof(device->message), "case %s: the result of list %zu",
                 each->name, k);
    return SELFTEST_DIFFERS;
}

static selftest_outcome run(selftest_device *device, const mote_lists_case *each,
                            const mote_case_lists *lists, int which)
{
    mote_type type = trials[which].type;
    void *values = malloc((lists->content + 1) * mote_type_size(type));
    void *found = calloc(lists->count + 1, sizeof(int64_t));
    void *expected = calloc(lists->count + 1, sizeof(int64_t));
    selftest_outcome outcome = SELFTEST_DIFFERS;
    snprintf(device->message, sizeof(device->message), "no memory");
    if (values && found && expected) {
        mote_jagged_segments_what what = {
            .values = values,
            .type = type,
            .reduction = trials[which].reduction,
            .result = mote_jagged_segments_result_type(trials[which].reduction, type, lists->type)};
        mote_rng rng;
        mote_rng_seed(&rng, lists->count);
        fill(type, lists->content, &rng, values);
        outcome = compare(device, each, lists, &what, found, expected);
    }
    free(values);
    free(found);
    free(expected);
    return outcome;
}

static size_t count(int which)
{
    (void)which;
    return mote_lists_case_count();
}

static selftest_outcome check(selftest_device *device, int which, size_t k)
{
    const mote_lists_case *each = mote_lists_case_at(k);
    mote_case_lists lists;
    /* Without double precision the bits of sums are another layout's. */
    bool sum = trials[which].reduction == MOTE_REDUCE_SUM;
    if ((sum && !mote_context_device(device->ctx)->has_fp64) ||
        each->first > 1 << 20 || /* so much content there is not */
        !mote_lists_case_make(each, MOTE_INT32, 0, &lists))
        return SELFTEST_NOT_HERE;
    selftest_outcome outcome = run(device, each, &lists, which);
    mote_case_lists_free(&lists);
    return outcome;
}

const selftest_line selftest_segments[] = {
    {"jagged segments, sum float32", 0, count, check, false},
    {"jagged segments, max int32", 1, count, check, true},
    {"jagged segments, argmin float32", 2, count, check, true},
    {"jagged segments, count", 3, count, check, true},
    {"jagged segments, any bool", 4, count, check, true},
    {NULL, 0, NULL, NULL, false},
};
