/* SPDX-License-Identifier: Apache-2.0 */
/* Positions of clusters against the oracle: sums of any size, and clusters of any size. */
#include "harness.h"
#include "positions.h"

/* The GPU form sorts digis of modules that fit a group, or adds in global memory. */
static const char *const forms[] = {"pixels.form=cpu", "pixels.form=gpu",
                                    "pixels.form=gpu,pixels.positions_group=8",
                                    "pixels.form=gpu,pixels.positions_group=0"};

/* Charges and coordinates up to the largest: the sums pass 64 bits. */
static void fill_random(mote_digis *d, mote_rng *rng, uint32_t side, bool wide)
{
    mote_digis_init(d, 5, 65536, 65536);
    if (wide)
        d->adc_type = MOTE_UINT32;
    for (int event = 0; event < 2; event++) {
        for (size_t heap = 0; heap < 60; heap++) {
            uint32_t module = mote_rng_below(rng, 5), x = mote_rng_below(rng, 65536 - side);
            uint32_t y = mote_rng_below(rng, 65536 - side), pixels = 1 + mote_rng_below(rng, 40);
            uint32_t bits = mote_rng_below(rng, wide ? 33 : 17);

            for (uint32_t i = 0; i < pixels; i++) {
                uint64_t adc = mote_rng_next(rng) & ((UINT64_C(1) << bits) - 1);

                mote_digis_push(d, module, x + mote_rng_below(rng, side),
                                y + mote_rng_below(rng, side), (uint32_t)adc);
            }
        }
        mote_digis_end_event(d);
    }
    ck_assert(!d->failed);
}

/* random_sums runs 16 choices of options, each of which needs a program. */
#define CHOICES 16
#define TURNS   4 /* of few_digis */

/* The first CHOICES turns have each choice, and a quarter of them in each form. */
START_TEST(random_sums)
{
    const unsigned choice = (unsigned)(_i + 1) % CHOICES;
    const mote_pixels_options options = {
        .duplicates = (mote_pixels_duplicates)(choice % 4),
        .weight = (mote_pixels_weight)(choice % 3 == 2),
        .local = choice % 5 == 1,
        .float_numbers = choice % 2,
    };
    mote_digis digis;
    mote_rng rng;
    bed b;

    bed_open(&b, forms[(_i / CHOICES + _i) % 4]);
    mote_rng_seed(&rng, 77 + (uint64_t)_i);
    fill_random(&digis, &rng, 3 + choice % 5, choice % 8 >= 4);
    check_run(&b, choice % 2 ? b.any_order : b.in_order, "random", &digis, &options,
              choice % 3 ? MOTE_RUN_GATED : MOTE_RUN_WORKSPACE | MOTE_RUN_N_DEVICE);
    mote_digis_free(&digis);
    bed_close(&b);
}
END_TEST

/* Few digis in modules that ascend. */
static void fill_few(mote_digis *d, mote_rng *rng, uint32_t modules)
{
    mote_digis_init(d, modules, 160, 416);
    for (int event = 0; event < 2; event++) {
        for (uint32_t heap = 0; heap < 30; heap++) {
            uint32_t x = mote_rng_below(rng, 150), y = mote_rng_below(rng, 400);
            uint32_t pixels = 1 + mote_rng_below(rng, 20);

            for (uint32_t i = 0; i < pixels; i++)
                mote_digis_push(d, heap * (modules - 1) / 29, x + mote_rng_below(rng, 6),
                                y + mote_rng_below(rng, 6), mote_rng_below(rng, 60000));
        }
        mote_digis_end_event(d);
    }
    ck_assert(!d->failed);
}

/* Without properties the GPU form finds in the launch of positions where clusters begin, when there
 * are at most eight events x modules for each of its work-items. */
START_TEST(few_digis)
{
    const uint32_t modules[] = {1, 7, 600, 2048, 2049};
    const unsigned first = (unsigned)_i % TURNS * 5;
    mote_rng rng;
    bed b;

    bed_open(&b, _i < TURNS ? forms[0] : "pixels.form=gpu,pixels.positions_group=512");
    mote_rng_seed(&rng, 177 + (uint64_t)_i);
    for (unsigned round = first; round < first + 5; round++) {
        mote_pixels_options options = {
            .order = round % 2 ? MOTE_ORDER_CONTIGUOUS : MOTE_ORDER_ANY,
            .duplicates = (mote_pixels_duplicates)(round % 4),
            .weight = (mote_pixels_weight)(round % 3 == 2),
            .float_numbers = round % 2,
        };
        mote_digis digis;

        fill_few(&digis, &rng, modules[round % 5]);
        check_run(&b, round % 3 ? b.any_order : b.in_order, "few", &digis, &options,
                  MOTE_RUN_BARE |
                      (round % 3 ? MOTE_RUN_GATED : MOTE_RUN_WORKSPACE | MOTE_RUN_N_DEVICE));
        mote_digis_free(&digis);
    }
    bed_close(&b);
}
END_TEST

/* A cluster that is a whole module: variances of thousands of pixels, equal charges. */
START_TEST(large_cluster)
{
    mote_digis d;
    bed b;
    mote_pixels_options options = {.order = MOTE_ORDER_CONTIGUOUS};

    bed_open(&b, forms[_i]);
    mote_digis_init(&d, 1, 70, 90);
    for (uint32_t y = 0; y < 90; y++)
        for (uint32_t x = 0; x < 70; x++)
            mote_digis_push(&d, 0, x, y, 65535 - x % 2);
    mote_digis_end_event(&d);
    check_run(&b, b.in_order, "full module", &d, &options, 0);
    mote_digis_free(&d);
    bed_close(&b);
}
END_TEST

/* The GPU form builds a program for each policy, which takes PoCL a minute. */
void positions_sums(Suite *suite)
{
    TCase *few = suite_case(suite, "sums", NULL);
    TCase *all = suite_case(suite, "sums of all forms", SUITE_THOROUGH);

    suite_split(few, all, random_sums, 1, CHOICES);
    tcase_add_loop_test(suite_case(suite, "sums of all forms, all choices", SUITE_LONG),
                        random_sums, CHOICES, 4 * CHOICES);
    tcase_add_loop_test(all, few_digis, 0, 2 * TURNS);
    suite_split(few, all, large_cluster, 1, 4);
}
