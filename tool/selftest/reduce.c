/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include "testkit/operation.h"

#define CALLS 36
#define MOST  300000 /* elements */

static size_t count(int which)
{
    (void)which;
    return CALLS;
}

static selftest_outcome check(selftest_device *device, int which, size_t k)
{
    trial_choices choices = trial_reduce.programs[which].choices;
    trial_call c = {.operation = &trial_reduce,
                    .ctx = device->ctx,
                    .choices = &choices,
                    .seed = k + 1,
                    .size = TRIAL_ANY,
                    .most = MOST};
    return trial_try(&c, device->queue, NULL, device->message, sizeof(device->message))
               ? SELFTEST_AGREES
               : SELFTEST_DIFFERS;
}

const selftest_line selftest_reduce[] = {
    {"reduce sum, float32", 0, count, check, false},
    {"reduce sum, int64", 5, count, check, true},
    {"reduce sum, compensated", 4, count, check, true},
    {NULL, 0, NULL, NULL, false},
};
