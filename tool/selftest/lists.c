/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include <assert.h>

#include "testkit/operations/jagged.h"

#define MOST 100 /* lines */

/* The operation of each line, and its decisions about kernels. */
static struct {
    const trial_operation *operation;
    const trial_program *program;
} calls[MOST];

static size_t count(int which)
{
    (void)which;
    return mote_lists_case_count();
}

/* Every other case is run on plain arrays where the operation takes these. */
static selftest_outcome check(selftest_device *device, int which, size_t k)
{
    trial_choices choices = calls[which].program->choices;
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

selftest_line selftest_lists[MOST + 1];

void selftest_lists_make(void)
{
    const trial_operation *operation = NULL;
    int n = 0;

    while ((operation = trial_next("jagged", operation)))
        for (const trial_program *p = operation->selftest; p->name; p++, n++) {
            assert(n < MOST);
            calls[n].operation = operation;
            calls[n].program = p;
            selftest_lists[n] = (selftest_line){p->name, n, count, check, p->variant};
        }
}
