/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of few values for a simulator, tuned by MOTE_TUNE. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/reduce/run.h"
#include "mote/mote.h"

static int run_cases(mote_context *ctx, cl_command_queue queue, bool has_fp64)
{
    static const size_t shapes[][2] = {{1, 0},    {3, 3},    {5, 17},   {2, 130},  {2, 1023},
                                       {1, 1500}, {1, 8192}, {2, 9001}, {1, 30000}};
    static const mote_reduce_task tasks[] = {
        {.type = MOTE_FLOAT32},
        {.type = MOTE_FLOAT64, .accumulation = MOTE_ACCUMULATE_COMPENSATED},
        {.type = MOTE_INT32},
        {.type = MOTE_FLOAT32, .reduction = MOTE_REDUCE_MAX, .nan = MOTE_NAN_SKIP},
    };
    char message[1024];
    int ran = 0, failed = 0;
    for (size_t t = 0; t < sizeof(tasks) / sizeof(tasks[0]); t++)
        for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
            mote_reduce_case c = {.task = tasks[t],
                                  .rows = shapes[s][0],
                                  .n = shapes[s][1],
                                  .kind = tasks[t].reduction ? MOTE_SUM_NAN : MOTE_SUM_SCALES,
                                  .seed = s,
                                  .shift = s % 2,
                                  .workspace = s % 2 != 0};
            c.task.has_fp64 = has_fp64;
            if (!has_fp64 && c.task.type == MOTE_FLOAT64)
                continue;
            ran++;
            if (mote_reduce_run(ctx, queue, &c, message, sizeof(message)))
                continue;
            failed++;
            puts(message);
        }
    printf("%d cases, %d differ\n", ran, failed);
    return failed || ran < 10 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(void)
{
    mote_context *ctx = NULL;
    cl_command_queue queue = NULL;
    int result = EXIT_FAILURE;
    const char *tune = getenv("MOTE_TUNE");
    bool no_fp64 = tune && strstr(tune, "reduce.fp64=0");
    if (!mote_context_open(NULL, &ctx) && !mote_context_queue(ctx, 0, &queue))
        result = run_cases(ctx, queue, mote_context_device(ctx)->has_fp64 && !no_fp64);
    else
        puts(mote_last_error());
    if (queue)
        clReleaseCommandQueue(queue);
    mote_context_release(ctx);
    return result;
}
