/* SPDX-License-Identifier: Apache-2.0 */
/* Digis of few modules, with every policy for duplicates: modules that are sorted because a bitmap
 * would be too large, one that is larger than the others, wrong event offsets, no error word. */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>

#include "testkit/cases/pixels/cases.h"
#include "testkit/operation.h"

#define MODULES 6

static void check(const mote_digis *digis, const mote_pixels_options *options, unsigned how,
                  const char *name)
{
    more_count(mote_pixels_check(more_ctx, more_queue, digis, options, how, more_message,
                                 sizeof(more_message)),
               name);
}

/* `count` digis of a module, with invalid ones among them; `twice`: a quarter of them twice. */
static void push_module(mote_digis *digis, uint32_t module, uint32_t count, uint32_t size,
                        bool twice, mote_rng *rng)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = twice ? mote_rng_below(rng, size) : i % size;
        uint32_t y = twice ? mote_rng_below(rng, size) : i / size;
        uint32_t adc = mote_rng_below(rng, 60000);
        mote_digis_push(digis, module, x, y, adc);
        if (twice && i % 4 == 0)
            mote_digis_push(digis, module, x, y, adc / 2 + 7);
        if (i % 9 == 0)
            mote_digis_push_invalid(digis);
    }
}

/* Modules of `large` rows and columns have no bitmap on CPUs. */
static void make(mote_digis *digis, size_t events, bool large, uint32_t most, bool twice,
                 uint64_t seed)
{
    mote_rng rng;
    mote_rng_seed(&rng, seed);
    mote_digis_init(digis, MODULES, large ? 4000 : 90, large ? 4000 : 70);
    for (size_t e = 0; e < events; e++) {
        for (uint32_t m = 0; m < MODULES; m++)
            push_module(digis, m, m == 1 ? most : 9 * m, m % 2 ? 70 : 9, twice, &rng);
        mote_digis_end_event(digis);
    }
}

/* `count` digis of a module, none of them repeated or invalid. */
static void push_plain(mote_digis *digis, uint32_t module, uint32_t count, mote_rng *rng)
{
    for (uint32_t i = 0; i < count; i++)
        mote_digis_push(digis, module, i % 1300, i / 1300 * 2 + i % 2, mote_rng_below(rng, 60000));
}

static void set_cuts(mote_pixels_options *options)
{
    options->charge_cuts = calloc(MODULES, sizeof(*options->charge_cuts));
    for (uint32_t m = 0; options->charge_cuts && m < MODULES; m++)
        options->charge_cuts[m] = 20000 * m;
}

static void every_policy(void)
{
    static const unsigned ways[] = {MOTE_RUN_SILENT | MOTE_RUN_ONE_EVENT, 0, MOTE_RUN_N_DEVICE,
                                    MOTE_RUN_LABELS | MOTE_RUN_SILENT, MOTE_RUN_ONE_EVENT};
    for (size_t k = 0; k < 32; k++) {
        bool large = k / 4 % 2;
        mote_digis digis;
        mote_pixels_options options = {
            .duplicates = (mote_pixels_duplicates)(k % 4),
            .order = (k + k / 4) % 2 ? MOTE_ORDER_CONTIGUOUS : MOTE_ORDER_ANY,
            .strategy = k % 8 == 6 ? MOTE_PIXELS_HISTOGRAM : MOTE_PIXELS_UNION_FIND,
            .connectivity = k / 8 % 2 ? 4 : 8,
            .adc_threshold = k / 16 ? 9000 : 0};
        make(&digis, k % 5 % 2 ? 3 : 1, large, k / 8 == 1 ? 5000 : 200, k < 16, k);
        check(&digis, &options, ways[k % 5], "every policy");
        mote_digis_free(&digis);
    }
}

/* Modules without errors or repeated pixels: one that exceeds the memory of a CPU's work-item, and
 * begins with an odd or an even digi, and few pixels in modules without a bitmap.
 */
static void plain_modules(void)
{
    for (size_t k = 0; k < 12; k++) {
        mote_digis digis;
        mote_rng rng;
        mote_pixels_options options = {.charge_cut = k % 3 ? 30000 : 0,
                                       .without_adc = k % 3 == 0,
                                       .order = k / 2 % 2 ? MOTE_ORDER_CONTIGUOUS : MOTE_ORDER_ANY};
        uint32_t size = k < 8 ? 0 : 4000;
        mote_rng_seed(&rng, k);
        mote_digis_init(&digis, 3, size ? size : 1344, size ? size : 432);
        push_plain(&digis, 0, 1 + k % 2, &rng);
        push_plain(&digis, 1, size ? 8 : 9000, &rng);
        push_plain(&digis, 2, 60, &rng);
        mote_digis_end_event(&digis);
        check(&digis, &options, k % 3 == 1 ? MOTE_RUN_LABELS : 0, "plain modules");
        mote_digis_free(&digis);
    }
}

/* Tests charge cuts that a separate call applies, with valid and invalid digis. */
static void cuts_apart(void)
{
    for (size_t k = 0; k < 8; k++) {
        mote_digis digis;
        mote_pixels_options options = {.charge_cut = 30000, .order = MOTE_ORDER_CONTIGUOUS};
        if (k % 2)
            set_cuts(&options);
        make(&digis, k < 4 ? 1 : 2, false, 100, true, k);
        if (k == 6)
            digis.module_id[3] = MODULES;
        check(&digis, &options,
              MOTE_RUN_APART | (k % 4 < 2 ? MOTE_RUN_ONE_EVENT | MOTE_RUN_SILENT : 0), "cut apart");
        mote_digis_free(&digis);
        mote_pixels_options_free(&options);
    }
}

/* Event offsets that do not begin with 0, decrease, or end elsewhere. */
static void wrong_events(void)
{
    for (size_t k = 0; k < 6; k++) {
        mote_digis digis;
        mote_pixels_options options = {.order = MOTE_ORDER_CONTIGUOUS, .charge_cut = 30000};
        make(&digis, 3, false, 100, true, k);
        digis.event_offsets[k % 3 == 0 ? 0 : k % 3 + 1] = k % 3 == 0   ? 2
                                                          : k % 3 == 1 ? 1
                                                                       : (uint32_t)digis.n - 1;
        check(&digis, &options, k < 3 ? 0 : MOTE_RUN_APART, "wrong events");
        mote_digis_free(&digis);
    }
}

/* Random calls of the other operations on digis. */
static void companions(void)
{
    static const trial_operation *const operations[] = {&trial_module_start, &trial_charge_cut,
                                                        &trial_cluster_start};
    for (size_t k = 0; k < 60; k++) {
        const trial_operation *operation = operations[k % 3];
        trial_choices choices = operation->programs[0].choices;
        trial_call c = {.operation = operation,
                        .ctx = more_ctx,
                        .choices = &choices,
                        .seed = k,
                        .size = TRIAL_ANY,
                        .most = 900};
        more_count(trial_try(&c, more_queue, NULL, more_message, sizeof(more_message)),
                   operation->name);
    }
}

void cases_pixels(void)
{
    every_policy();
    plain_modules();
    cuts_apart();
    wrong_events();
    companions();
}
