/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include <stdio.h>

#include "testkit/cases/reduce/run.h"

/* Sums of one type and kind; each line needs the kernels of its own. */
static const mote_reduce_task tasks[] = {
    {.type = MOTE_FLOAT32},
    {.type = MOTE_INT64},
    {.type = MOTE_FLOAT32, .accumulation = MOTE_ACCUMULATE_COMPENSATED},
};

/* Rows and values of each, on both sides of the layout's sizes. */
static const size_t shapes[][2] = {{1, 0},    {1, 1},    {1, 31},    {1, 1025},
                                   {1, 8192}, {1, 8193}, {1, 50021}, {1, 262147},
                                   {7, 3},    {300, 17}, {9, 1024},  {3, 20001}};

static const mote_reduce_kind kinds[] = {MOTE_SUM_UNIT, MOTE_SUM_ILL, MOTE_SUM_NAN};

#define SHAPES (sizeof(shapes) / sizeof(shapes[0]))
#define KINDS  (sizeof(kinds) / sizeof(kinds[0]))

static size_t count(int which)
{
    (void)which;
    return SHAPES * KINDS;
}

static selftest_outcome check(selftest_device *device, int which, size_t k)
{
    mote_reduce_case c = {.task = tasks[which],
                          .rows = shapes[k % SHAPES][0],
                          .n = shapes[k % SHAPES][1],
                          .kind = kinds[k / SHAPES],
                          .seed = k + 1};
    bool has_fp64 = mote_context_device(device->ctx)->has_fp64;
    c.task.has_fp64 = has_fp64;
    if (!has_fp64 && c.task.type == MOTE_FLOAT32)
        c.result = MOTE_FLOAT32;
    char message[400];
    if (mote_reduce_run(device->ctx, device->queue, &c, message, sizeof(message)))
        return SELFTEST_AGREES;
    snprintf(device->message, sizeof(device->message), "%zu x %zu values, %s: %s", c.rows, c.n,
             mote_reduce_kind_name(c.kind), message);
    return SELFTEST_DIFFERS;
}

const selftest_line selftest_reduce[] = {
    {"reduce sum, float32", 0, count, check, false},
    {"reduce sum, int64", 1, count, check, true},
    {"reduce sum, compensated", 2, count, check, true},
    {NULL, 0, NULL, NULL, false},
};
