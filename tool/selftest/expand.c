/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the expansions of lists on device buffers: these calls have no layer for plain arrays. */
#include "lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/guard.h"
#include "testkit/reference/jagged/oracle.h"

enum { NONZERO, GATHER, PRODUCT, PAIRS };

#define MOST_RESULTS ((size_t)1 << 20)
#define MOST_OUT     3

/* Lists of int32; `in` are the offsets and, where there are any, values. `out` are new offsets and
 * positions, in the order of the call's arguments, or values alone. */
typedef struct trial {
    selftest_device *device;
    const char *name; /* of the case */
    mote_case_lists lists;
    int which;
    size_t results;  /* elements that come out */
    int32_t *values; /* one an element, or one a list */
    size_t n_values, n_out;
    size_t count[MOST_OUT];
    void *expected[MOST_OUT];
    mote_guard in[2], out[MOST_OUT];
} trial;

static bool failed(trial *t, const char *what)
{
    snprintf(t->device->message, sizeof(t->device->message), "case %s: %s", t->name, what);
    return false;
}

static size_t count_results(const trial *t)
{
    size_t sum = 0;
    for (size_t k = 0; k < t->lists.count; k++) {
        int64_t begin, end;
        mote_case_lists_bounds(&t->lists, k, &begin, &end);
        size_t n = (size_t)(end - begin);
        sum += t->which == PRODUCT ? n * n : t->which == PAIRS ? n * (n - 1) / 2 : n;
        if (n > 1 << 15 && t->which >= PRODUCT)
            return SIZE_MAX; /* more than anyone wants; below, no sum can overflow */
    }
    return sum;
}

/* Every third value is 0. */
static bool make_values(trial *t)
{
    mote_rng rng;
    mote_rng_seed(&rng, t->lists.count);
    t->n_values = t->which == GATHER ? t->lists.count : t->which == NONZERO ? t->lists.content : 0;
    t->values = malloc((t->n_values + 1) * sizeof(int32_t));
    for (size_t i = 0; t->values && i < t->n_values; i++)
        t->values[i] = (int32_t)mote_rng_below(&rng, 3) - 1;
    return t->values != NULL;
}

static bool make_expected(trial *t)
{
    size_t m = t->lists.count;
    bool good = true;
    t->n_out = t->which == GATHER ? 1 : t->which == NONZERO ? 2 : 3;
    for (size_t k = 0; k < t->n_out; k++) {
        t->count[k] = k == 0 && t->which != GATHER ? m + 1 : t->results;
        t->expected[k] = calloc(t->count[k] + 1, sizeof(int32_t));
        good = good && t->expected[k];
    }
    if (!good)
        return false;
    void *offsets = t->expected[0], *first = t->expected[1], *second = t->expected[2];
    if (t->which == GATHER)
        mote_oracle_gather(&t->lists, t->values, sizeof(int32_t), offsets);
    else if (t->which == NONZERO)
        t->count[1] =
            mote_oracle_nonzero(&t->lists, t->values, MOTE_INT32, offsets, first, t->results);
    else if (t->which == PRODUCT)
        mote_oracle_product(&t->lists, &t->lists, offsets, first, second, t->results);
    else
        mote_oracle_pairs(&t->lists, offsets, first, second, t->results);
    return true;
}

static bool create(trial *t, mote_guard *guard, size_t count, const void *contents)
{
    cl_int code = mote_guard_create(guard, t->device->ctx, t->device->queue, "array", MOTE_INT32,
                                    count, contents);
    return code == CL_SUCCESS || failed(t, "an array cannot be made on the device");
}

static bool upload(trial *t)
{
    bool good = create(t, &t->in[0], t->lists.count + 1, t->lists.offsets);
    if (t->n_values)
        good = good && create(t, &t->in[1], t->n_values, t->values);
    for (size_t k = 0; k < t->n_out && good; k++)
        good = create(t, &t->out[k], t->count[k], NULL);
    return good;
}

static mote_status call_gather(const trial *t)
{
    mote_jagged_gather_by_parent_args args;
    mote_jagged_gather_by_parent_args_init(&args);
    args.offsets = t->in[0].view;
    args.values = t->in[1].view;
    args.result = t->out[0].view;
    return mote_jagged_gather_by_parent(t->device->ctx, t->device->queue, &args, 0, NULL, NULL);
}

static mote_status call_nonzero(const trial *t)
{
    mote_jagged_nonzero_args args;
    mote_jagged_nonzero_args_init(&args);
    args.offsets = t->in[0].view;
    args.values = t->in[1].view;
    args.offsets_out = t->out[0].view;
    args.positions = t->out[1].view;
    return mote_jagged_nonzero(t->device->ctx, t->device->queue, &args, 0, NULL, NULL);
}

static mote_status call_combinations(const trial *t)
{
    mote_jagged_combinations_args args;
    mote_jagged_combinations_args_init(&args);
    args.offsets_a = t->in[0].view;
    args.offsets = t->out[0].view;
    args.first = t->out[1].view;
    args.second = t->out[2].view;
    if (t->which == PAIRS)
        return mote_jagged_pairs(t->device->ctx, t->device->queue, &args, 0, NULL, NULL);
    args.offsets_b = t->in[0].view;
    return mote_jagged_product(t->device->ctx, t->device->queue, &args, 0, NULL, NULL);
}

static bool call(trial *t)
{
    mote_status status = t->which == GATHER    ? call_gather(t)
                         : t->which == NONZERO ? call_nonzero(t)
                                               : call_combinations(t);
    return status == MOTE_SUCCESS || failed(t, mote_last_error());
}

static bool compare_one(trial *t, size_t k)
{
    char message[300];
    size_t count = t->count[k], i = 0;
    int32_t *found = malloc((count + 1) * sizeof(int32_t)), *expected = t->expected[k];
    bool good = found || failed(t, "no memory");
    if (good &&
        !mote_guard_read(&t->out[k], t->device->queue, found, 0, NULL, message, sizeof(message)))
        good = failed(t, message);
    while (good && i < count && found[i] == expected[i])
        i++;
    if (good && i < count) {
        snprintf(message, sizeof(message), "element %zu of result %zu is %d, expected %d", i, k,
                 found[i], expected[i]);
        good = failed(t, message);
    }
    free(found);
    return good;
}

static bool compare(trial *t)
{
    bool good = true;
    for (size_t k = 0; k < t->n_out && good; k++)
        good = compare_one(t, k);
    return good;
}

static void release(trial *t)
{
    for (size_t k = 0; k < MOST_OUT; k++) {
        mote_guard_release(&t->out[k]);
        free(t->expected[k]);
    }
    mote_guard_release(&t->in[0]);
    mote_guard_release(&t->in[1]);
    free(t->values);
    mote_case_lists_free(&t->lists);
}

static size_t count(int which)
{
    (void)which;
    return mote_lists_case_count();
}

static selftest_outcome check(selftest_device *device, int which, size_t k)
{
    const mote_lists_case *each = mote_lists_case_at(k);
    trial t = {.device = device, .name = each->name, .which = which};
    if (each->first > (int64_t)MOST_RESULTS || !mote_lists_case_make(each, MOTE_INT32, 0, &t.lists))
        return SELFTEST_NOT_HERE;
    t.results = count_results(&t);
    selftest_outcome outcome = SELFTEST_NOT_HERE;
    if (t.results <= MOST_RESULTS) {
        bool good = (make_values(&t) && make_expected(&t)) || failed(&t, "no memory");
        good = good && upload(&t) && call(&t) && compare(&t);
        outcome = good ? SELFTEST_AGREES : SELFTEST_DIFFERS;
    }
    release(&t);
    return outcome;
}

const selftest_line selftest_expand[] = {
    {"jagged nonzero", NONZERO, count, check, false},
    {"jagged gather_by_parent", GATHER, count, check, false},
    {"jagged product", PRODUCT, count, check, false},
    {"jagged pairs", PAIRS, count, check, false},
    {NULL, 0, NULL, NULL, false},
};
