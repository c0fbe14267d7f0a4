/* SPDX-License-Identifier: Apache-2.0 */
/* Compares random sums, minima and maxima of rows, scans and bins with the oracles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/guard.h"
#include "testkit/operation.h"
#include "core/call.h"
#include "property/property.h"
#include "reduce/bin_by_key.h"
#include "reduce/scan.h"

static size_t one_of(mote_rng *rng, const size_t *from, size_t count)
{
    return from[mote_rng_below(rng, (uint32_t)count)];
}

#define ONE_OF(rng, ...)                                                                           \
    one_of(rng, (const size_t[]){__VA_ARGS__}, sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t))

static void tune_more(mote_rng *rng, char *text, size_t size)
{
    snprintf(text, size,
             "reduce.sum_group=%zu,reduce.sum_groups=%zu,reduce.sum_items=%zu,"
             "reduce.sum_once=%zu,reduce.scan_one_group=%zu,reduce.scan_group=%zu,"
             "reduce.scan_groups_a_unit=%zu,reduce.bin_group=%zu,reduce.bin_columns_group=%zu,"
             "reduce.histogram_group=%zu%s",
             ONE_OF(rng, 16, 64, 128, 256, 512, 1024), ONE_OF(rng, 1, 2, 64),
             ONE_OF(rng, 1, 3, 4, 16), ONE_OF(rng, 0, 3, 2048), ONE_OF(rng, 0, 100, 8192),
             ONE_OF(rng, 1, 64, 256), ONE_OF(rng, 1, 24), ONE_OF(rng, 32, 96, 256),
             ONE_OF(rng, 32, 64, 256), ONE_OF(rng, 1, 48, 512),
             mote_rng_below(rng, 3) ? "" : ",reduce.fp64=0");
}

static void tune(mote_rng *rng, const char *form, char *text, size_t size)
{
    int used = form ? snprintf(text, size, "reduce.form=%s", form) : 0;

    if (!form)
        text[0] = 0;
    if (mote_rng_below(rng, 2))
        return;
    if (form)
        used += snprintf(text + used, size - (size_t)used, ",");
    tune_more(rng, text + used, size - (size_t)used);
}

/* ---- scans and bins, which other areas call -------------------------------------------------- */

typedef struct words {
    uint32_t *in, *expected[2];
    mote_guard from, to[2];
    size_t n;
    uint32_t bins;
} words;

static mote_status scan(mote_call *call, const words *w)
{
    mote_view scratch;
    size_t count = mote_scan_u32_scratch(call->ctx, w->n);
    mote_status status = mote_call_scratch(call, count * sizeof(uint32_t), NULL, &scratch);
    return status ? status : mote_scan_u32(call, &w->from.view, &w->to[0].view, &scratch, true);
}

static mote_status bin(mote_call *call, const words *w)
{
    mote_bin_by_key args = {.n = w->n,
                            .n_bins = w->bins,
                            .key = w->from.view,
                            .sorted_key = w->to[0].view,
                            .index = w->to[1].view};
    size_t count = mote_bin_by_key_scratch(call->ctx, w->n, w->bins);
    mote_status status = mote_call_scratch(call, count * sizeof(uint32_t), NULL, &args.scratch);
    return status ? status : mote_bin_by_key_run(call, &args);
}

static void expect_scan(words *w)
{
    for (size_t i = 0; i < w->n; i++)
        w->expected[0][i + 1] = w->expected[0][i] + w->in[i];
}

/* Computes the expected order: the elements of each bin in input order, bin after bin, then the
 * elements without a bin. */
static bool expect_bins(words *w)
{
    uint32_t *start = calloc((size_t)w->bins + 2, sizeof(*start));

    if (!start)
        return false;
    for (size_t i = 0; i < w->n; i++)
        start[(w->in[i] < w->bins ? w->in[i] : w->bins) + 1]++;
    for (uint32_t b = 0; b <= w->bins; b++)
        start[b + 1] += start[b];
    for (size_t i = 0; i < w->n; i++) {
        uint32_t place = start[w->in[i] < w->bins ? w->in[i] : w->bins]++;

        w->expected[0][place] = w->in[i];
        w->expected[1][place] = (uint32_t)i;
    }
    free(start);
    return true;
}

static bool words_make(property_draw *draw, words *w)
{
    uint32_t most = mote_rng_below(&draw->rng, 2) ? w->bins : UINT32_MAX;
    bool runs = mote_rng_below(&draw->rng, 2);

    w->in = calloc(w->n + 1, sizeof(uint32_t));
    w->expected[0] = calloc(w->n + 1, sizeof(uint32_t));
    w->expected[1] = calloc(w->n + 1, sizeof(uint32_t));
    if (!w->in || !w->expected[0] || !w->expected[1])
        return false;
    for (size_t i = 0; i < w->n; i++)
        w->in[i] = runs && i > 0 && mote_rng_below(&draw->rng, 30)
                       ? w->in[i - 1]
                       : mote_rng_below(&draw->rng, most);
    return !mote_guard_create(&w->from, draw->ctx, draw->queue, "input", MOTE_UINT32, w->n,
                              w->in) &&
           !mote_guard_create(&w->to[0], draw->ctx, draw->queue, "output", MOTE_UINT32,
                              w->n + !w->bins, NULL) &&
           !mote_guard_create(&w->to[1], draw->ctx, draw->queue, "positions", MOTE_UINT32,
                              w->bins ? w->n : 0, NULL);
}

/* Runs a scan if there are no bins, else a distribution over bins. */
static bool words_run(property_draw *draw, words *w)
{
    mote_call call;
    cl_event done = NULL;
    mote_status status =
        mote_call_begin(&call, "draw", draw->ctx, draw->queue, false, 0, NULL, &done);
    bool good = true;

    if (!status)
        status = mote_call_end(&call, w->bins ? bin(&call, w) : scan(&call, w));
    if (status) {
        snprintf(draw->message, sizeof(draw->message), "%s", mote_last_error());
        return false;
    }
    if (w->bins)
        good = expect_bins(w);
    else
        expect_scan(w);
    for (int k = 0; good && k < 2; k++)
        good = mote_guard_unchanged(&w->to[k], draw->queue, w->expected[k], done != NULL,
                                    done ? &done : NULL, draw->message, sizeof(draw->message));
    good = good && mote_guard_unchanged(&w->from, draw->queue, w->in, done != NULL,
                                        done ? &done : NULL, draw->message, sizeof(draw->message));
    if (done)
        clReleaseEvent(done);
    return good;
}

static bool draw_words(property_draw *draw, bool bins)
{
    words w = {.n = trial_draw_size(&draw->rng, trial_reduce.borders)};

    if (bins)
        w.bins = 1 + mote_rng_below(&draw->rng, (uint32_t)1 << mote_rng_below(&draw->rng, 18));
    bool good = words_make(draw, &w) && words_run(draw, &w);
    size_t used = strlen(draw->message);

    if (!good)
        snprintf(draw->message + used, sizeof(draw->message) - used, " (%s of %zu, %u bins)",
                 bins ? "bins" : "scan", w.n, (unsigned)w.bins);
    mote_guard_release(&w.from);
    mote_guard_release(&w.to[0]);
    mote_guard_release(&w.to[1]);
    free(w.in);
    free(w.expected[0]);
    free(w.expected[1]);
    return good;
}

static bool draw(property_draw *draw)
{
    uint32_t what = mote_rng_below(&draw->rng, 10);

    return what < 8 ? property_draw_call(draw, "reduce", TRIAL_ANY - 1)
                    : draw_words(draw, what == 9);
}

int main(int argc, char **argv)
{
    const property_area area = {"reduce", tune, draw};
    return property_main(argc, argv, &area);
}
