/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include "testkit/operation.h"

/* Elements of a row or a histogram, on both sides of the layout's sizes. */
static const size_t sizes[] = {0, 1, 3, 17, 31, 1024, 1025, 8192, 8193, 20001, 50021, 262147};

#define SIZES (sizeof(sizes) / sizeof(sizes[0]))
/* The operation of each line, and one of its programs. */
static const struct {
    const trial_operation *operation;
    size_t program;
} calls[] = {{&trial_reduce, 0},
             {&trial_reduce, 5},
             {&trial_reduce, 4},
             {&trial_histogram, 0},
             {&trial_histogram, 1}};

#define TURNS 3 /* of all sizes; the last has contents of all kinds, as all NaN */

static size_t count(int which)
{
    (void)which;
    return TURNS * SIZES;
}

static selftest_outcome check(selftest_device *device, int which, size_t k)
{
    trial_choices choices = calls[which].operation->programs[calls[which].program].choices;
    trial_call c = {.operation = calls[which].operation,
                    .ctx = device->ctx,
                    .choices = &choices,
                    .seed = k + 1,
                    .size = sizes[k % SIZES],
                    .most = 2 * sizes[SIZES - 1],
                    .telling = k / SIZES < TURNS - 1};
    return trial_try(&c, device->queue, NULL, device->message, sizeof(device->message))
               ? SELFTEST_AGREES
               : SELFTEST_DIFFERS;
}

const selftest_line selftest_reduce[] = {
    {"reduce sum, float32", 0, count, check, false},
    {"reduce sum, int64", 1, count, check, true},
    {"reduce sum, compensated", 2, count, check, true},
    {"histogram of weights, float32", 3, count, check, false},
    {"histogram, float32", 4, count, check, true},
    {NULL, 0, NULL, NULL, false},
};
