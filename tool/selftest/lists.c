/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include "testkit/operations/jagged.h"

/* The operation of each line, and its first decisions. */
static const struct {
    const trial_operation *operation;
    trial_choices choices;
} calls[] = {
#define CALL(operation, ...)                                                                       \
    {                                                                                              \
        &(operation),                                                                              \
        {                                                                                          \
            .fixed = sizeof((uint8_t[]){__VA_ARGS__}), .value = { __VA_ARGS__ }                    \
        }                                                                                          \
    }
    CALL(trial_parents, TRIAL_RELATIVE, MOTE_INT32, MOTE_JAGGED_AUTO),
    CALL(trial_parents, TRIAL_RELATIVE, MOTE_INT32, MOTE_JAGGED_SEARCH),
    CALL(trial_parents, TRIAL_RELATIVE, MOTE_INT32, MOTE_JAGGED_EVENT),
    CALL(trial_parents, TRIAL_RELATIVE, MOTE_INT32, MOTE_JAGGED_BALANCED),
    CALL(trial_parents, TRIAL_SPANS, MOTE_INT32),
    CALL(trial_local_index, MOTE_INT64),
    CALL(trial_counts, 0, MOTE_INT64),
    CALL(trial_from_counts, 0, MOTE_INT32),
    CALL(trial_from_parents, MOTE_INT32),
    CALL(trial_jagged_reduce, MOTE_FLOAT32, MOTE_REDUCE_SUM, 0, MOTE_NAN_PROPAGATE, MOTE_INT32),
    CALL(trial_jagged_reduce, MOTE_INT32, MOTE_REDUCE_MAX, 0, MOTE_NAN_PROPAGATE, MOTE_INT32),
    CALL(trial_jagged_reduce, MOTE_FLOAT32, MOTE_REDUCE_ARGMIN, 0, MOTE_NAN_PROPAGATE, MOTE_INT32),
    CALL(trial_jagged_reduce, MOTE_INT32, MOTE_REDUCE_COUNT, 0, MOTE_NAN_PROPAGATE, MOTE_INT32),
    CALL(trial_jagged_reduce, MOTE_BOOL, MOTE_REDUCE_ANY, 0, MOTE_NAN_PROPAGATE, MOTE_INT32),
    CALL(trial_nonzero, MOTE_INT32, MOTE_INT32),
    CALL(trial_gather, 0, MOTE_INT32, MOTE_INT32),
    CALL(trial_product, MOTE_INT32),
    CALL(trial_pairs, MOTE_INT32),
    CALL(trial_scan, MOTE_FLOAT32, MOTE_REDUCE_SUM, 0, 0, MOTE_INT32),
    CALL(trial_scan, MOTE_INT32, MOTE_REDUCE_MAX, 0, 1, MOTE_INT32),
};

static size_t count(int which)
{
    (void)which;
    return mote_lists_case_count();
}

/* Every other case is run on plain arrays where the operation takes these. */
static selftest_outcome check(selftest_device *device, int which, size_t k)
{
    trial_choices choices = calls[which].choices;
    trial_lists_given given = {.shape = mote_lists_case_at(k), .fault = -1};
    trial_call c = {.operation = calls[which].operation,
                    .ctx = device->ctx,
                    .choices = &choices,
                    .seed = k + 1,
                    .size = TRIAL_ANY,
                    .most = (size_t)1 << 17,
                    .given = &given,
                    .on_host = calls[which].operation->run_host && k % 2,
                    .telling = true};

    if (!trial_draw(&c))
        return SELFTEST_NOT_HERE; /* the type cannot hold the case, or it is too large */
    bool good = trial_fill(&c, device->message, sizeof(device->message)) &&
                trial_run(&c, device->queue, NULL, device->message, sizeof(device->message));
    trial_drop(&c);
    return good ? SELFTEST_AGREES : SELFTEST_DIFFERS;
}

const selftest_line selftest_lists[] = {
    {"jagged parents, auto", 0, count, check, false},
    {"jagged parents, search", 1, count, check, true},
    {"jagged parents, event", 2, count, check, true},
    {"jagged parents, balanced", 3, count, check, true},
    {"jagged parents, starts and stops", 4, count, check, false},
    {"jagged local_index", 5, count, check, false},
    {"jagged counts", 6, count, check, false},
    {"jagged offsets_from_counts", 7, count, check, false},
    {"jagged offsets_from_parents", 8, count, check, false},
    {"jagged reduce, sum float32", 9, count, check, false},
    {"jagged reduce, max int32", 10, count, check, true},
    {"jagged reduce, argmin float32", 11, count, check, true},
    {"jagged reduce, count", 12, count, check, true},
    {"jagged reduce, any bool", 13, count, check, true},
    {"jagged nonzero", 14, count, check, false},
    {"jagged gather_by_parent", 15, count, check, false},
    {"jagged product", 16, count, check, false},
    {"jagged pairs", 17, count, check, false},
    {"jagged scan, sum float32", 18, count, check, false},
    {"jagged scan, exclusive max int32", 19, count, check, true},
    {NULL, 0, NULL, NULL, false},
};
