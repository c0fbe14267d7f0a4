/* SPDX-License-Identifier: Apache-2.0 */
/* trials-small OPERATION PROGRAMS CALLS MOST: calls of each of the first programs of an operation
 * with at most MOST elements, for a simulator and for kernels on the host. Tuned by MOTE_TUNE.
 * trials-small OPERATION PROGRAMS 1 SIZE =: one call of this size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/operation.h"

static const trial_operation *find(const char *name)
{
    const trial_operation *const *at = trial_operations;
    while (*at && strcmp((*at)->name, name) != 0)
        at++;
    return *at;
}

static int run_all(trial_call *c, cl_command_queue queue, char **argv, bool exact)
{
    size_t programs = strtoul(argv[2], NULL, 10), calls = strtoul(argv[3], NULL, 10);
    const trial_program *p = c->operation->programs;
    char message[1024];
    int ran = 0, failed = 0;

    c->most = strtoul(argv[4], NULL, 10);
    c->size = exact ? c->most : TRIAL_ANY;
    for (size_t k = 0; k < programs && p[k].name; k++)
        for (size_t i = 0; i < calls; i++, ran++) {
            trial_choices choices = p[k].choices;
            c->choices = &choices;
            c->seed = i + 1;
            if (!trial_draw(c))
                continue;
            bool good = trial_fill(c, message, sizeof(message)) &&
                        trial_run(c, queue, NULL, message, sizeof(message));
            trial_drop(c);
            failed += !good;
            if (!good)
                printf("%s: %s\n", p[k].name, message);
        }
    printf("%d calls, %d differ\n", ran, failed);
    return failed || ran == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    trial_call call = {.operation = argc > 4 ? find(argv[1]) : NULL};
    cl_command_queue queue = NULL;
    int result = EXIT_FAILURE;

    if (!call.operation)
        fprintf(stderr, "usage: %s OPERATION PROGRAMS CALLS MOST [=]\n", argv[0]);
    else if (!mote_context_open(NULL, &call.ctx) && !mote_context_queue(call.ctx, 0, &queue))
        result = run_all(&call, queue, argv, argc > 5);
    else
        puts(mote_last_error());
    if (queue)
        clReleaseCommandQueue(queue);
    mote_context_release(call.ctx);
    return result;
}
