/* SPDX-License-Identifier: Apache-2.0 */
/* Parents and local indices of the smallest cases for a simulator: simulated-parents MOST, tuned by
 * MOTE_TUNE. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/guard.h"
#include "testkit/reference/jagged/oracle.h"
#include "mote/mote.h"

typedef struct way {
    bool local_index, absolute, spans, overlap;
    mote_jagged_strategy strategy;
    mote_jagged_validate validate;
} way;

static const way ways[] = {
    {.strategy = MOTE_JAGGED_BALANCED, .validate = MOTE_JAGGED_VALIDATE_FULL},
    {.strategy = MOTE_JAGGED_BALANCED, .local_index = true},
    {.strategy = MOTE_JAGGED_BALANCED, .absolute = true},
    {.strategy = MOTE_JAGGED_SEARCH, .local_index = true, .validate = MOTE_JAGGED_VALIDATE_FULL},
    {.strategy = MOTE_JAGGED_EVENT, .absolute = true},
    {.spans = true, .overlap = true},
    {.spans = true},
};

#define OVERLAP 5

typedef struct arrays {
    mote_guard offsets, starts, stops, out, word;
} arrays;

static mote_status enqueue(mote_context *ctx, cl_command_queue queue, const way *w, const arrays *a)
{
    mote_jagged_parents_args args;
    mote_jagged_local_index_args index;

    mote_jagged_parents_args_init(&args);
    mote_jagged_local_index_args_init(&index);
    args.offsets = index.offsets = a->offsets.view;
    args.starts = a->starts.view;
    args.stops = a->stops.view;
    args.parents = index.local_index = a->out.view;
    args.absolute = w->absolute;
    args.strategy = index.strategy = w->strategy;
    args.validate = index.validate = w->validate;
    args.overlap = w->overlap ? MOTE_JAGGED_OVERLAP_CHECK : MOTE_JAGGED_OVERLAP_IGNORE;
    args.error = index.error = a->word.view.mem;
    args.error_offset = index.error_offset = a->word.view.offset * sizeof(uint32_t);
    return w->local_index ? mote_jagged_local_index(ctx, queue, &index, 0, NULL, NULL)
                          : mote_jagged_parents(ctx, queue, &args, 0, NULL, NULL);
}

static bool compare(cl_command_queue queue, const arrays *a, const void *expected, char *message,
                    size_t size)
{
    mote_error_word word;
    void *got = malloc(a->out.bytes + 1);
    bool good = got && mote_guard_read(&a->out, queue, got, 0, NULL, message, size) &&
                mote_guard_read(&a->word, queue, &word, 0, NULL, message, size);

    if (good && mote_error_decode(&word, NULL)) {
        snprintf(message, size, "%s", mote_last_error());
        good = false;
    } else if (good && a->out.bytes && memcmp(got, expected, a->out.bytes) != 0) {
        snprintf(message, size, "labels differ");
        good = false;
    }
    free(got);
    return good;
}

static bool create(arrays *a, mote_context *ctx, cl_command_queue queue,
                   const mote_case_lists *lists, size_t n)
{
    mote_type type = lists->type;
    size_t m = lists->count;
    bool bad = false;

    if (lists->offsets) {
        bad = mote_guard_create(&a->offsets, ctx, queue, "offsets", type, m + 1, lists->offsets);
    } else {
        bad = mote_guard_create(&a->starts, ctx, queue, "starts", type, m, lists->starts);
        bad = bad || mote_guard_create(&a->stops, ctx, queue, "stops", type, m, lists->stops);
    }
    bad = bad || mote_guard_create(&a->out, ctx, queue, "labels", type, n, NULL);
    return !bad && !mote_guard_create(&a->word, ctx, queue, "error word", MOTE_UINT32,
                                      MOTE_ERROR_SLOTS, NULL);
}

static bool check(mote_context *ctx, cl_command_queue queue, const mote_case_lists *lists,
                  const way *w, char *message, size_t size)
{
    bool whole = w->absolute || w->spans;
    size_t n = whole ? lists->content : mote_case_lists_elements(lists);
    void *expected = malloc((n + 1) * sizeof(int64_t));
    arrays a = {0};
    bool good = expected && create(&a, ctx, queue, lists, n);

    snprintf(message, size, "no memory");
    if (good && w->local_index)
        mote_oracle_local_index(lists, n, expected);
    else if (good)
        mote_oracle_parents(lists, whole, n, expected);
    if (good && enqueue(ctx, queue, w, &a)) {
        snprintf(message, size, "%s", mote_last_error());
        good = false;
    }
    good = good && compare(queue, &a, expected, message, size);
    mote_guard_release(&a.offsets);
    mote_guard_release(&a.starts);
    mote_guard_release(&a.stops);
    mote_guard_release(&a.out);
    mote_guard_release(&a.word);
    free(expected);
    return good;
}

/* Each case in two ways, some in OVERLAP too; types by turns. */
static int run_cases(mote_context *ctx, cl_command_queue queue, size_t most)
{
    static const mote_type types[] = {MOTE_INT32, MOTE_INT64, MOTE_UINT32};
    const size_t count = sizeof(ways) / sizeof(ways[0]);
    char message[1024];
    int ran = 0, failed = 0;

    for (size_t k = 0; k < 3 * mote_lists_case_count(); k++) {
        const mote_lists_case *c = mote_lists_case_at(k / 3);
        size_t i = k / 3 * 2 + k % 3;
        const way *w = &ways[k % 3 == 2 ? OVERLAP : (i + i / 2) % count];
        mote_case_lists lists, spans;

        if ((k % 3 == 2 && k / 3 % 4) || !mote_lists_case_make(c, types[i % 3], 1, &lists))
            continue;
        bool good = mote_case_lists_scatter(&lists, 1, &spans);
        const mote_case_lists *used = w->spans ? &spans : &lists;

        if (good && used->count <= most && used->content <= most) {
            ran++;
            good = check(ctx, queue, used, w, message, sizeof(message));
            failed += !good;
            if (!good)
                printf("%s, way %zu: %s\n", c->name, (size_t)(w - ways), message);
        }
        mote_case_lists_free(&lists);
        mote_case_lists_free(&spans);
    }
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
