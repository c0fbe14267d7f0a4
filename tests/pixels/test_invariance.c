/* SPDX-License-Identifier: Apache-2.0 */
/* Properties that must not affect results: order of digis, batching, empty neighbours,
 * repetition. */
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/events.h"
#include "testkit/cases/pixels/patterns.h"
#include "common/suite.h"
#include "harness.h"

static const char *const forms[] = {"pixels.form=cpu", "pixels.form=gpu"};

/* Returns the expected results, which are those of the device. */
static void run(bed *b, const mote_digis *digis, const mote_pixels_options *options,
                mote_pixels_result *result)
{
    check_run(b, b->in_order, "events", digis, options, 0);
    ck_assert(mote_pixels_oracle(digis, options, result));
    ck_assert_int_eq(result->status, 0);
}

static void make_events(mote_digis *digis, size_t events)
{
    char message[MESSAGE_SIZE] = "";

    ck_assert_msg(mote_case_events("40x52", events, 9, digis, message, sizeof(message)), "%s",
                  message);
}

/* Removes the first digi from records, because it is a position in the input. */
static void forget_first_digis(mote_pixels_result *result)
{
    for (size_t k = 0; k < result->n_total; k++)
        result->properties[k].first_digi = 0;
}

/* Each policy needs a separate program. The usual run tests the first one only, with charge
 * cuts. */
static const mote_pixels_duplicates policies[] = {MOTE_DUPLICATES_SUM, MOTE_DUPLICATES_DROP,
                                                  MOTE_DUPLICATES_MAX, MOTE_DUPLICATES_FIRST};

#define POLICIES 3 /* policies whose results do not depend on the order of digis */

START_TEST(order_of_digis)
{
    bed b;
    mote_digis digis, shuffled;

    bed_open(&b, forms[_i / POLICIES]);
    make_events(&digis, 2);
    uint32_t *from = malloc(digis.n * sizeof(uint32_t));

    ck_assert_ptr_nonnull(from);
    /* Copies with another charge, so that the policies have an effect. */
    for (size_t i = 3; i + 1 < digis.event_offsets[1]; i += 29)
        if (digis.module_id[i] != digis.invalid_module_id) {
            digis.module_id[i + 1] = digis.module_id[i];
            digis.x[i + 1] = digis.x[i];
            digis.y[i + 1] = digis.y[i];
        }
    mote_pixels_options options = {.duplicates = policies[_i % POLICIES], .charge_cut = 3000};
    mote_pixels_result plain, permuted;

    run(&b, &digis, &options, &plain);
    ck_assert_uint_gt(plain.n_total, 1000);
    ck_assert(mote_digis_copy(&digis, &shuffled));
    mote_digis_permute(&shuffled, (uint64_t)_i + 77, from);
    run(&b, &shuffled, &options, &permuted);
    for (size_t i = 0; i < digis.n; i++) {
        ck_assert_int_eq(permuted.cluster_id[i], plain.cluster_id[from[i]]);
        ck_assert_uint_eq(permuted.module_id_out[i], plain.module_id_out[from[i]]);
    }
    ck_assert_mem_eq(permuted.n_clusters, plain.n_clusters, plain.n_slots * sizeof(uint32_t));
    ck_assert_uint_eq(permuted.n_total, plain.n_total);
    forget_first_digis(&plain);
    forget_first_digis(&permuted);
    ck_assert_mem_eq(permuted.properties, plain.properties,
                     plain.n_total * sizeof(mote_pixels_cluster_record));
    mote_pixels_result_free(&plain);
    mote_pixels_result_free(&permuted);
    mote_digis_free(&shuffled);
    free(from);
    mote_digis_free(&digis);
    bed_close(&b);
}
END_TEST

START_TEST(batch_equals_single_events)
{
    bed b;
    mote_digis digis;
    mote_pixels_options options = {.charge_cut = 4000, .duplicates = policies[_i % 4]};
    mote_pixels_result batch;

    bed_open(&b, forms[_i / 4]);
    make_events(&digis, 4);
    run(&b, &digis, &options, &batch);
    for (size_t e = 0; e < digis.n_events; e++) {
        mote_digis one;
        mote_pixels_result single;
        size_t first = digis.event_offsets[e], slot = e * digis.n_modules;
        uint32_t start = batch.cluster_start[slot];

        ck_assert(mote_digis_event(&digis, e, &one));
        run(&b, &one, &options, &single);
        ck_assert_mem_eq(single.cluster_id, batch.cluster_id + first, one.n * sizeof(int32_t));
        ck_assert_mem_eq(single.module_id_out, batch.module_id_out + first,
                         one.n * sizeof(uint32_t));
        ck_assert_mem_eq(single.n_clusters, batch.n_clusters + slot,
                         digis.n_modules * sizeof(uint32_t));
        for (size_t m = 0; m <= digis.n_modules; m++)
            ck_assert_uint_eq(single.cluster_start[m] + start, batch.cluster_start[slot + m]);
        ck_assert_mem_eq(single.properties, batch.properties + start,
                         single.n_total * sizeof(mote_pixels_cluster_record));
        mote_pixels_result_free(&single);
        mote_digis_free(&one);
    }
    mote_pixels_result_free(&batch);
    mote_digis_free(&digis);
    bed_close(&b);
}
END_TEST

/* A CPU rarely reveals a missing fence: on a GPU MOTE_TEST_REPEAT is set to 1000. */
static int repetitions(void)
{
    const char *text = getenv("MOTE_TEST_REPEAT");
    int n = text ? atoi(text) : 0;

    return n > 0 ? n : 20;
}

START_TEST(repetition)
{
    bed b;
    mote_digis digis;
    mote_pixels_options options = {.duplicates = policies[0], .charge_cut = 1};
    mote_pixels_result first;

    bed_open(&b, forms[_i]);
    mote_digis_init(&digis, 2, 64, 64);
    mote_rng rng;

    mote_rng_seed(&rng, 1);
    mote_pattern_push(&digis, 1, MOTE_PATTERN_RANDOM_40, &rng);
    mote_pattern_push(&digis, 0, MOTE_PATTERN_SPIRAL, &rng);
    mote_digis_end_event(&digis);
    mote_digis_permute(&digis, 4, NULL);
    run(&b, &digis, &options, &first);
    for (int i = repetitions(); i > 0; i--) {
        mote_pixels_result again;

        run(&b, &digis, &options, &again);
        ck_assert_mem_eq(again.cluster_id, first.cluster_id, digis.n * sizeof(int32_t));
        ck_assert_mem_eq(again.properties, first.properties,
                         first.n_total * sizeof(mote_pixels_cluster_record));
        mote_pixels_result_free(&again);
    }
    mote_pixels_result_free(&first);
    mote_digis_free(&digis);
    bed_close(&b);
}
END_TEST

Suite *invariance_suite(void)
{
    Suite *suite = suite_create("invariance");
    TCase *cpu = suite_case(suite, "cpu", NULL);
    TCase *gpu = suite_case(suite, "gpu", SUITE_THOROUGH);

    suite_split(cpu, gpu, order_of_digis, 1, 2 * POLICIES);
    suite_split(cpu, gpu, batch_equals_single_events, 1, 2 * 4);
    suite_split(cpu, gpu, repetition, 1, 2);
    return suite;
}
