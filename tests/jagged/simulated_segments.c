/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of the smallest cases for a simulator: simulated-segments MOST, tuned by MOTE_TUNE. */
#include <stdio.h>
#include <stdlib.h>

#include "testkit/cases/jagged/segments_run.h"

typedef struct question {
    mote_reduction reduction;
    mote_type values;
} question;

static const question questions[] = {
    {MOTE_REDUCE_SUM, MOTE_FLOAT32},
    {MOTE_REDUCE_ARGMAX, MOTE_FLOAT32},
    {MOTE_REDUCE_PROD, MOTE_FLOAT32},
    {MOTE_REDUCE_COUNT, MOTE_FLOAT32},
    {MOTE_REDUCE_MIN, MOTE_INT64},
    {MOTE_REDUCE_ANY, MOTE_BOOL},
    {MOTE_REDUCE_COUNTNONZERO, MOTE_FLOAT32},
};

#define QUESTIONS (sizeof(questions) / sizeof(questions[0]))

/* Lists that pass a tile of 1024, one that passes a block and is spread, and several that CPUs take
 * at a time. */
static const mote_lists_case more[] = {
    {"around 512", {MOTE_LENGTH_BOUNDARY, 9, 0, 512, 0}, 3, 1},
    {"one of 16400", {MOTE_LENGTH_ONE_HUGE, 5, 30, 16400, 0}, 0, 0},
    {"about 60", {MOTE_LENGTH_POISSON, 25, 60, 0, 0}, 0, 20},
};

#define MORE (sizeof(more) / sizeof(more[0]))

static bool check(mote_context *ctx, cl_command_queue queue, const mote_lists_case *c, size_t i,
                  size_t most, int *ran)
{
    static const mote_type types[] = {MOTE_INT32, MOTE_INT64, MOTE_UINT32};
    const question *q = &questions[i % QUESTIONS];
    mote_type index = types[q->values % 3];
    mote_jagged_segments_trial t = {
        .what = {.type = q->values,
                 .reduction = q->reduction,
                 .nan = i % 2 ? MOTE_NAN_SKIP : MOTE_NAN_PROPAGATE,
                 .result = mote_jagged_segments_result_type(q->reduction, q->values, index)},
        .shift = i % 3,
        .workspace = i % 4 == 0};
    char message[1024];
    bool good = true;

    if (!mote_lists_case_make(c, index, i + 1, &t.lists))
        return true;
    if (t.lists.count <= most && t.lists.content <= most) {
        ++*ran;
        good = mote_jagged_segments_trial_fill(&t, i % MOTE_SEGMENTS_KINDS, i) &&
               mote_jagged_segments_trial_run(ctx, queue, &t, message, sizeof(message));
        if (!good)
            printf("%s, reduction %d: %s\n", c->name, (int)q->reduction, message);
    }
    mote_jagged_segments_trial_free(&t);
    return good;
}

/* Each case of the table once, the others with every question. */
static int run_cases(mote_context *ctx, cl_command_queue queue, size_t most)
{
    int ran = 0, failed = 0;

    for (size_t k = 0; k < mote_lists_case_count(); k++)
        failed += !check(ctx, queue, mote_lists_case_at(k), k, most, &ran);
    for (size_t i = 0; i < MORE * QUESTIONS; i++)
        failed += !check(ctx, queue, &more[i / QUESTIONS], i, SIZE_MAX, &ran);
    printf("%d cases, %d differ\n", ran, failed);
    return failed || ran < 20 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    mote_context *ctx = NULL;
    cl_command_queue queue = NULL;

    if (argc != 2) {
        fprintf(stderr, "usage: %s MOST\n", argv[0]);
        return EXIT_FAILURE;
    }
    if (mote_context_open(NULL, &ctx) || mote_context_queue(ctx, 0, &queue)) {
        fprintf(stderr, "%s\n", mote_last_error());
        mote_context_release(ctx);
        return EXIT_FAILURE;
    }
    int result = run_cases(ctx, queue, strtoul(argv[1], NULL, 10));

    clReleaseCommandQueue(queue);
    mote_context_release(ctx);
    return result;
}
