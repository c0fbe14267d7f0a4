/* SPDX-License-Identifier: Apache-2.0 */
/* Random calls of the described operations (testkit/operation.h). */
#include "lines.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "testkit/operations/jagged.h"

#define MOST 150 /* lines */

/* The cases of an area's operations: named lists, or calls of these sizes, repeated with contents
 * of other kinds; the last repetition has contents that may hide errors, as all NaN. */
typedef struct plan {
    const char *area;
    const size_t *sizes;
    size_t count, turns;
} plan;

/* Elements of a row or a histogram, on both sides of the layout's sizes. */
static const size_t rows[] = {0, 1, 3, 17, 31, 1024, 1025, 8192, 8193, 20001, 50021, 262147};
/* Pairs of entries, hits, digis or packets. */
static const size_t others[] = {0, 1, 4, 100, 1000, 4000, 16384, 40000};

static const plan plans[] = {
    {"reduce", rows, sizeof(rows) / sizeof(rows[0]), 3},
    {"jagged", NULL, 0, 0},
    {"coordination", others, sizeof(others) / sizeof(others[0]), 1},
    {"pixels", others, sizeof(others) / sizeof(others[0]), 1},
};

/* The named cases of coordination.c and pixels.c check these. */
static const trial_operation *const checked[] = {&trial_clusters, &trial_charge_cut,
                                                 &trial_cluster_start, &trial_coordination};

static struct {
    const plan *plan;
    const trial_operation *operation;
    trial_choices choices;
    char name[60]; /* if the line has none */
} calls[MOST];

selftest_line selftest_described[MOST + 1];

static size_t count(int which)
{
    const plan *p = calls[which].plan;
    return p->sizes ? p->count * p->turns : mote_lists_case_count();
}

/* Every other case of lists is run on plain arrays. */
static selftest_outcome check(selftest_device *device, int which, size_t k)
{
    const plan *p = calls[which].plan;
    const trial_operation *operation = calls[which].operation;
    trial_choices choices = calls[which].choices;
    trial_lists_given given = {.fault = -1};
    trial_call c = {.operation = operation,
                    .ctx = device->ctx,
                    .choices = &choices,
                    .seed = k + 1,
                    .on_host = !p->sizes && operation->run_host && k % 2,
                    .telling = true};

    if (p->sizes) {
        c.size = p->sizes[k % p->count];
        c.most = 2 * p->sizes[p->count - 1];
        c.telling = k / p->count < p->turns - 1;
    } else {
        given.shape = mote_lists_case_at(k);
        c.given = &given;
        c.size = TRIAL_ANY;
        c.most = (size_t)1 << 17;
    }
    if (!trial_draw(&c))
        return SELFTEST_NOT_HERE; /* the type cannot hold the case, or it is too large */
    bool good = trial_fill(&c, device->message, sizeof(device->message)) &&
                trial_run(&c, device->queue, NULL, device->message, sizeof(device->message));
    trial_drop(&c);
    return good ? SELFTEST_AGREES : SELFTEST_DIFFERS;
}

static void add(const plan *p, const trial_operation *operation, const trial_program *program,
                int n)
{
    const char *name = program->name;

    assert(n < MOST);
    calls[n].plan = p;
    calls[n].operation = operation;
    calls[n].choices = program->choices;
    if (!operation->selftest) {
        snprintf(calls[n].name, sizeof(calls[n].name), "%s, %s", operation->name, name);
        name = calls[n].name;
    }
    selftest_described[n] = (selftest_line){name, n, count, check, program->variant};
}

static bool is_checked(const trial_operation *operation)
{
    for (size_t k = 0; k < sizeof(checked) / sizeof(checked[0]); k++)
        if (checked[k] == operation)
            return true;
    return false;
}

void selftest_described_make(void)
{
    int n = 0;

    for (size_t k = 0; k < sizeof(plans) / sizeof(plans[0]); k++)
        for (const trial_operation *at = trial_next(plans[k].area, NULL); at;
             at = trial_next(plans[k].area, at)) {
            const trial_program *p = at->selftest ? at->selftest : at->programs;
            for (; !is_checked(at) && p->name; p++) {
                add(&plans[k], at, p, n++);
                if (!at->selftest)
                    break;
            }
        }
}
