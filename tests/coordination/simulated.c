/* SPDX-License-Identifier: Apache-2.0 */
/* The cases of the table for a simulator, tuned by MOTE_TUNE: simulated wide|narrow [CASE...];
 * narrow is a device without double precision; without names, all cases run. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/coordination/cases.h"
#include "core/context.h"

static bool is_named(const char *name, char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return count == 0;
}

static int run_cases(mote_context *ctx, cl_command_queue queue, char *const *names, int count)
{
    char message[1024];
    int ran = 0, failed = 0, least = count ? count : 10;
    for (size_t i = 0; i < mote_coordination_case_count(); i++) {
        mote_coordination_case c = mote_coordination_case_at(i);
        if (!is_named(c.name, names, count) || !mote_coordination_case_fits(ctx, &c))
            continue;
        ran++;
        if (mote_coordination_case_check(ctx, queue, &c, message, sizeof(message)))
            continue;
        failed++;
        printf("%s: %s\n", c.name, message);
    }
    printf("%d cases, %d differ\n", ran, failed);
    return failed || ran < least ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    mote_context *ctx = NULL;
    cl_command_queue queue = NULL;
    int result = EXIT_FAILURE;
    if (argc < 2) {
        fprintf(stderr, "usage: %s wide|narrow [CASE...]\n", argv[0]);
        return EXIT_FAILURE;
    }
    if (!mote_context_open(NULL, &ctx) && !mote_context_queue(ctx, 0, &queue)) {
        if (strcmp(argv[1], "narrow") == 0)
            ctx->device.has_fp64 = 0;
        result = run_cases(ctx, queue, argv + 2, argc - 2);
    } else {
        puts(mote_last_error());
    }
    if (queue)
        clReleaseCommandQueue(queue);
    mote_context_release(ctx);
    return result;
}
