/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of lengths and values at which kernels go other ways. */
#include "more.h"

#include <stdlib.h>
#include <string.h>

#include "testkit/cases/reduce/run.h"

static void check(mote_reduce_case c, bool fp64)
{
    c.task.has_fp64 = fp64;
    if (fp64 || c.task.type != MOTE_FLOAT64)
        more_count(mote_reduce_run(more_ctx, more_queue, &c, more_message, sizeof(more_message)),
                   "sum");
}

void more_sums(void)
{
    static const size_t lengths[] = {1, 2, 3, 4, 5, 40, 1026, 1027, 4099, 8195, 20000};
    static const mote_reduce_kind kinds[] = {MOTE_SUM_SCALES, MOTE_SUM_INFINITY,
                                             MOTE_SUM_INFINITIES, MOTE_SUM_NAN, MOTE_SUM_ALL_NAN};
    static const mote_reduce_task tasks[] = {
        {.type = MOTE_FLOAT32},
        {.type = MOTE_FLOAT32, .accumulation = MOTE_ACCUMULATE_COMPENSATED},
        {.type = MOTE_FLOAT64, .accumulation = MOTE_ACCUMULATE_COMPENSATED},
        {.type = MOTE_FLOAT32, .reduction = MOTE_REDUCE_MAX},
        {.type = MOTE_FLOAT64, .reduction = MOTE_REDUCE_MIN, .nan = MOTE_NAN_SKIP},
        {.type = MOTE_INT64},
    };
    const char *tune = getenv("MOTE_TUNE");
    bool fp64 = mote_context_device(more_ctx)->has_fp64 && !(tune && strstr(tune, "fp64=0"));
    for (size_t t = 0; t < sizeof(tasks) / sizeof(tasks[0]); t++)
        for (size_t k = 0; k < 3 * sizeof(lengths) / sizeof(lengths[0]); k++) {
            bool sum = tasks[t].type == MOTE_FLOAT32 && !tasks[t].reduction;
            check((mote_reduce_case){.task = tasks[t],
                                     .rows = 1 + k % 3,
                                     .n = lengths[k % (sizeof(lengths) / sizeof(lengths[0]))],
                                     .kind =
                                         tasks[t].type == MOTE_INT64 ? MOTE_SUM_UNIT : kinds[k % 5],
                                     .result = sum ? MOTE_FLOAT32 : MOTE_TYPE_NONE,
                                     .low = sum && k % 2,
                                     .shift = k % 4,
                                     .seed = k},
                  fp64);
        }
    /* Blocks of more than one tile. */
    check((mote_reduce_case){.task = tasks[0], .rows = 1, .n = 8192 * 8192 + 5}, fp64);
}
