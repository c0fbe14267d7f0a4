/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest cases of the table for a simulator: simulated STRATEGY MOST_DIGIS; or modules of
 * many digis: simulated dense DIGIS. Tuned by MOTE_TUNE. */
#include "simulated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/cases.h"
#include "testkit/cases/pixels/fill.h"
#include "mote/mote.h"

#define MOST_SLOTS 3000

static bool fits(const mote_pixels_case *c, size_t most)
{
    mote_pixels_options options;
    mote_digis digis;

    if (!c->small || !mote_pixels_case_make(c, &digis, &options))
        return false;
    bool good = digis.n <= most && digis.n_events * digis.n_modules <= MOST_SLOTS;

    mote_digis_free(&digis);
    mote_pixels_options_free(&options);
    return good;
}

/* Digis of one module in order, in views that are far longer than the length on the device: no
 * other segment begins after their last one. */
static bool short_of_views(mote_context *ctx, cl_command_queue queue, mote_pixels_strategy strategy)
{
    mote_pixels_options options = {.order = MOTE_ORDER_CONTIGUOUS, .strategy = strategy};
    mote_digis digis;
    char message[1024] = "no memory";

    mote_digis_init(&digis, 8, 160, 416);
    for (uint32_t i = 0; i < 100; i++)
        mote_digis_push(&digis, 5, 2 * i % 160, 3 * i, 100 + i);
    mote_digis_end_event(&digis);
    bool good = !digis.failed && mote_pixels_check(ctx, queue, &digis, &options, MOTE_RUN_N_DEVICE,
                                                   message, sizeof(message));

    if (!good)
        printf("digis short of their views: %s\n", message);
    mote_digis_free(&digis);
    return good;
}

/* Compares the clusters of modules, some of which are marked, with the expected ones. */
static bool marked_modules(mote_context *ctx, cl_command_queue queue)
{
    uint8_t morph[] = {1, 0, 1};
    mote_pixels_options options = {.order = MOTE_ORDER_CONTIGUOUS, .morph = morph};
    mote_digis digis;
    char message[1024] = "no memory";

    mote_digis_init(&digis, 3, 17, 20);
    for (uint32_t i = 0; i < 75; i++)
        mote_digis_push(&digis, i / 25, i * i % 17, i % 25 < 20 ? i % 25 : 3 * i % 20, i);
    mote_digis_end_event(&digis);
    bool good = !digis.failed &&
                mote_pixels_check(ctx, queue, &digis, &options, 0, message, sizeof(message));

    if (!good)
        printf("marked modules: %s\n", message);
    mote_digis_free(&digis);
    return good;
}

static int conclude(int ran, int failed)
{
    printf("%d cases, %d differ\n", ran, failed);
    return failed || ran < 10 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int run_dense(mote_context *ctx, cl_command_queue queue, size_t digis)
{
    int ran = 0, failed = 0;

    simulated_dense(ctx, queue, (uint32_t)digis, &ran, &failed);
    return conclude(ran, failed);
}

/* One variant per case, in turn; with bad event offsets, when some scratch is not written, all
 * variants.
 */
static bool check_ways(mote_context *ctx, cl_command_queue queue, size_t i,
                       mote_pixels_strategy strategy)
{
    static const unsigned ways[] = {0, MOTE_RUN_N_DEVICE, MOTE_RUN_ALIAS | MOTE_RUN_WORKSPACE};
    const mote_pixels_case *c = mote_pixels_case_at(i);
    size_t count = c->fill == mote_fill_bad_offsets ? sizeof(ways) / sizeof(ways[0]) : 1;
    char message[1024];

    for (size_t k = i; k < i + count; k++)
        if (!mote_pixels_case_check(ctx, queue, c, strategy, ways[k % 3], message,
                                    sizeof(message))) {
            printf("%s: %s\n", c->name, message);
            return false;
        }
    return true;
}

static int run_cases(mote_context *ctx, cl_command_queue queue, mote_pixels_strategy strategy,
                     size_t most)
{
    int ran = 0, failed = 0;

    for (size_t i = 0; i < mote_pixels_case_count(); i++)
        if (fits(mote_pixels_case_at(i), most)) {
            ran++;
            failed += !check_ways(ctx, queue, i, strategy);
        }
    ran++;
    failed += !short_of_views(ctx, queue, strategy);
    if (strategy == MOTE_PIXELS_UNION_FIND) {
        ran++;
        failed += !marked_modules(ctx, queue);
    }
    return conclude(ran, failed);
}

int main(int argc, char **argv)
{
    mote_context *ctx = NULL;
    cl_command_queue queue = NULL;

    if (argc != 3) {
        fprintf(stderr, "usage: %s STRATEGY MOST_DIGIS | dense DIGIS\n", argv[0]);
        return EXIT_FAILURE;
    }
    mote_pixels_strategy strategy =
        strcmp(argv[1], "histogram") == 0 ? MOTE_PIXELS_HISTOGRAM : MOTE_PIXELS_UNION_FIND;

    if (mote_context_open(NULL, &ctx) || mote_context_queue(ctx, 0, &queue)) {
        fprintf(stderr, "%s\n", mote_last_error());
        mote_context_release(ctx);
        return EXIT_FAILURE;
    }
    size_t digis = strtoul(argv[2], NULL, 10);
    int result = strcmp(argv[1], "dense") == 0 ? run_dense(ctx, queue, digis)
                                               : run_cases(ctx, queue, strategy, digis);

    clReleaseCommandQueue(queue);
    mote_context_release(ctx);
    return result;
}
