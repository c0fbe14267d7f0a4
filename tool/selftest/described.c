/* SPDX-License-Identifier: Apache-2.0 */
/* Random calls of operations without named cases, with the first decisions of their descriptions
 * (testkit/operation.h). */
#include "lines.h"

#include "testkit/operation.h"

/* The size of each call: pairs of entries, hits, digis or packets. */
static const size_t sizes[] = {0, 1, 4, 100, 1000, 4000, 16384, 40000};

static size_t count(int which)
{
    (void)which;
    return sizeof(sizes) / sizeof(sizes[0]);
}

static selftest_outcome check(selftest_device *device, int which, size_t k)
{
    static const trial_operation *const operations[] = {
        &trial_neighbours,    &trial_pair_histogram, &trial_steinhardt,      &trial_cluster_time,
        &trial_cluster_digis, &trial_measure,        &trial_decode_timepix3,
    };
    trial_choices choices = operations[which]->programs[0].choices;
    trial_call c = {.operation = operations[which],
                    .ctx = device->ctx,
                    .choices = &choices,
                    .seed = k + 1,
                    .size = sizes[k]};
    return trial_try(&c, device->queue, NULL, device->message, sizeof(device->message))
               ? SELFTEST_AGREES
               : SELFTEST_DIFFERS;
}

const selftest_line selftest_described[] = {
    {"neighbours, float32", 0, count, check, false},
    {"pair histogram, float32", 1, count, check, false},
    {"order parameters", 2, count, check, false},
    {"pixels in space and time", 3, count, check, false},
    {"pixels, digis of clusters", 4, count, check, false},
    {"pixels, measurements", 5, count, check, false},
    {"packets of Timepix3", 6, count, check, false},
    {NULL, 0, NULL, NULL, false},
};
