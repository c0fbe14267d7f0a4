/* SPDX-License-Identifier: Apache-2.0 */
/* The companions of mote_pixels_cluster(): prefix sums, charge cut on given labels, properties. */
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static const char *const forms[] = {"pixels.form=cpu", "pixels.form=gpu"};

static void check_cluster_start(bed *b, size_t k, uint32_t most)
{
    mote_pixels_cluster_start_args args;
    mote_guard counts, starts;
    uint32_t *in = calloc(k + 1, sizeof(uint32_t)), *out = calloc(k + 1, sizeof(uint32_t)), sum = 0;
    char message[MESSAGE_SIZE] = "";
    cl_event done = NULL;
    mote_rng rng;

    ck_assert(in && out);
    mote_rng_seed(&rng, k);
    for (size_t i = 0; i < k; i++)
        in[i] = mote_rng_below(&rng, most);
    ck_assert_int_eq(
        mote_guard_create(&counts, b->ctx, b->in_order, "n_clusters", MOTE_UINT32, k, in), 0);
    ck_assert_int_eq(
        mote_guard_create(&starts, b->ctx, b->in_order, "cluster_start", MOTE_UINT32, k + 1, NULL),
        0);
    mote_pixels_cluster_start_args_init(&args);
    if (k)
        args.n_clusters = counts.view;
    args.cluster_start = starts.view;
    mote_status status = mote_pixels_cluster_start(b->ctx, b->any_order, &args, 0, NULL, &done);

    ck_assert_msg(!status, "%s", mote_last_error());
    ck_assert_msg(mote_guard_read(&starts, b->any_order, out, 1, &done, message, sizeof(message)),
                  "%s", message);
    for (size_t i = 0; i < k; i++) {
        ck_assert_uint_eq(out[i], sum);
        sum += in[i];
    }
    ck_assert_uint_eq(out[k], sum);
    clReleaseEvent(done);
    mote_guard_release(&counts);
    mote_guard_release(&starts);
    free(in);
    free(out);
}

START_TEST(cluster_start)
{
    static const size_t sizes[] = {0, 1, 2, 63, 64, 65, 255, 256, 257, 4095, 4097, 70000, 300001};
    bed b;

    bed_open(&b, forms[_i]);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        check_cluster_start(&b, sizes[i], 1000);
    check_cluster_start(&b, 5000, UINT32_MAX); /* sums wrap */
    bed_close(&b);
}
END_TEST

/* Labels that no clustering made: a number at or above the module's count, an id out of range. */
START_TEST(charge_cut_bad_labels)
{
    static const uint32_t modules[6] = {0, 0, 1, 1, 65534, 1}, adc[6] = {5, 5, 5, 5, 5, 5};
    bed b;

    bed_open(&b, forms[_i]);
    for (int kind = 0; kind < 2; kind++) {
        mote_pixels_charge_cut_args args;
        mote_pixels_options options = {0};
        mote_pixels_device in;
        mote_guard labels, counts, error;
        mote_digis digis;
        int32_t label[6] = {0, -5, 0, 1, -1, 1};
        uint32_t count[2] = {1, 2}, index = 0;
        char message[MESSAGE_SIZE] = "";
        cl_event done = NULL;

        mote_digis_init(&digis, 2, 8, 8);
        for (int i = 0; i < 6; i++)
            mote_digis_push(&digis, modules[i], 1, 1, adc[i]);
        mote_digis_end_event(&digis);
        if (kind == 0)
            label[3] = label[5] = 2;
        else
            digis.module_id[2] = 2;
        ck_assert(mote_pixels_upload(b.ctx, b.in_order, &digis, &options, 0, &in, message,
                                     sizeof(message)));
        ck_assert_int_eq(
            mote_guard_create(&labels, b.ctx, b.in_order, "cluster_id", MOTE_INT32, 6, label), 0);
        ck_assert_int_eq(
            mote_guard_create(&counts, b.ctx, b.in_order, "n_clusters", MOTE_UINT32, 2, count), 0);
        ck_assert_int_eq(mote_guard_create(&error, b.ctx, b.in_order, "error word", MOTE_UINT32,
                                           MOTE_ERROR_SLOTS, NULL),
                         0);
        mote_pixels_charge_cut_args_init(&args);
        args.module_id = in.module_id.view;
        args.adc = in.adc.view;
        args.n_modules = 2;
        args.charge_cut = 10;
        args.cluster_id = labels.view;
        args.n_clusters = counts.view;
        args.error = error.view.mem;
        args.error_offset = error.margin;
        ck_assert_msg(!mote_pixels_charge_cut(b.ctx, b.in_order, &args, 0, NULL, &done), "%s",
                      mote_last_error());
        mote_status status =
            mote_error_read(b.in_order, args.error, args.error_offset, &index, 1, &done);

        ck_assert_int_eq(status, kind == 0 ? MOTE_ERROR_CLUSTER_ID : MOTE_ERROR_MODULE);
        ck_assert_uint_eq(index, kind == 0 ? 3 : 2);
        bool good = mote_guard_read(&labels, b.in_order, NULL, 0, NULL, message, sizeof(message)) &&
                    mote_guard_read(&counts, b.in_order, NULL, 0, NULL, message, sizeof(message));

        ck_assert_msg(good, "%s", message);
        clReleaseEvent(done);
        mote_guard_release(&labels);
        mote_guard_release(&counts);
        mote_guard_release(&error);
        mote_pixels_device_release(&in);
        mote_digis_free(&digis);
    }
    bed_close(&b);
}
END_TEST

/* Properties that do not fit: reported with the length needed, everything else right. */
START_TEST(properties_capacity)
{
    bed b;
    const mote_pixels_case *c = NULL;

    for (size_t i = 0; i < mote_pixels_case_count() && !c; i++)
        if (strcmp(mote_pixels_case_at(i)->name, "crowded over words, sum") == 0)
            c = mote_pixels_case_at(i);
    ck_assert_ptr_nonnull(c);
    bed_open(&b, forms[_i]);
    mote_pixels_options options;
    mote_pixels_cluster_args args;
    mote_pixels_result expected;
    mote_pixels_device in;
    mote_guard labels, counts, records, error;
    mote_digis digis;
    uint32_t index = 0;
    char message[MESSAGE_SIZE] = "";
    cl_event done = NULL;

    ck_assert(mote_pixels_case_make(c, &digis, &options));
    ck_assert(mote_pixels_oracle(&digis, &options, &expected));
    ck_assert_uint_gt(expected.n_total, 20);
    ck_assert(
        mote_pixels_upload(b.ctx, b.in_order, &digis, &options, 0, &in, message, sizeof(message)));
    ck_assert(
        !mote_guard_create(&labels, b.ctx, b.in_order, "cluster_id", MOTE_INT32, digis.n, NULL));
    ck_assert(!mote_guard_create(&counts, b.ctx, b.in_order, "n_clusters", MOTE_UINT32,
                                 expected.n_slots, NULL));
    ck_assert(!mote_guard_create(&records, b.ctx, b.in_order, "properties",
                                 MOTE_PIXELS_CLUSTER_TYPE, expected.n_total - 9, NULL));
    ck_assert(!mote_guard_create(&error, b.ctx, b.in_order, "error word", MOTE_UINT32,
                                 MOTE_ERROR_SLOTS, NULL));
    mote_pixels_arguments(&digis, &options, &in, &args);
    args.cluster_id = labels.view;
    args.n_clusters = counts.view;
    args.properties = records.view;
    args.error = error.view.mem;
    args.error_offset = error.margin;
    ck_assert_msg(!mote_pixels_cluster(b.ctx, b.in_order, &args, 0, NULL, &done), "%s",
                  mote_last_error());
    ck_assert_int_eq(mote_error_read(b.in_order, args.error, args.error_offset, &index, 1, &done),
                     MOTE_ERROR_CAPACITY);
    ck_assert_uint_eq(index, expected.n_total);
    mote_pixels_result got = {.n = digis.n, .n_slots = expected.n_slots};

    got.cluster_id = calloc(digis.n, sizeof(int32_t));
    got.n_clusters = calloc(expected.n_slots, sizeof(uint32_t));
    bool good =
        mote_guard_read(&labels, b.in_order, got.cluster_id, 0, NULL, message, sizeof(message)) &&
        mote_guard_read(&counts, b.in_order, got.n_clusters, 0, NULL, message, sizeof(message)) &&
        mote_guard_read(&records, b.in_order, NULL, 0, NULL, message, sizeof(message)) &&
        mote_pixels_compare(&digis, &expected, &got, message, sizeof(message));

    ck_assert_msg(good, "%s", message);
    mote_pixels_result_free(&expected);
    mote_pixels_result_free(&got);
    clReleaseEvent(done);
    mote_guard_release(&labels);
    mote_guard_release(&counts);
    mote_guard_release(&records);
    mote_guard_release(&error);
    mote_pixels_device_release(&in);
    mote_digis_free(&digis);
    mote_pixels_options_free(&options);
    bed_close(&b);
}
END_TEST

/* What a simulator can run, tuned from outside. */
START_TEST(simulated)
{
    static const size_t sizes[] = {1, 65, 700, 4097};
    const char *tune = getenv("MOTE_TUNE");
    size_t ran = 0, most = tune ? 3 : 4; /* 4097: more than one work-item of the CPU form takes */
    bed b;

    bed_open(&b, tune);
    for (size_t k = 0; k < mote_pixels_case_count() && ran < 3; k++) {
        const mote_pixels_case *c = mote_pixels_case_at(k);
        mote_pixels_options options;
        mote_digis digis;
        uint32_t index = 0;

        if (!c->small || c->n < 20 || c->n > 60)
            continue;
        ran++;
        ck_assert(mote_pixels_case_make(c, &digis, &options));
        if (!mote_pixels_find_error(&digis, &options, &index)) {
            check_module_starts(&b, b.in_order, &digis);
            options.charge_cut = 1000;
            options.duplicates = MOTE_DUPLICATES_DROP;
            check_run(&b, b.in_order, c->name, &digis, &options, MOTE_RUN_APART);
        }
        mote_digis_free(&digis);
        mote_pixels_options_free(&options);
    }
    for (size_t i = 0; i < most; i++)
        check_cluster_start(&b, sizes[i], 1000);
    bed_close(&b);
}
END_TEST

Suite *simulated_suite(void)
{
    Suite *suite = suite_create("simulated");
    TCase *cases = tcase_create("simulated");

    tcase_add_test(cases, simulated);
    tcase_set_timeout(cases, 0);
    suite_add_tcase(suite, cases);
    return suite;
}

Suite *calls_suite(void)
{
    Suite *suite = suite_create("calls");
    TCase *cpu = suite_case(suite, "cpu", NULL);
    TCase *gpu = suite_case(suite, "gpu", SUITE_THOROUGH);

    suite_split(cpu, gpu, cluster_start, 1, 2);
    suite_split(cpu, gpu, charge_cut_bad_labels, 1, 2);
    tcase_add_loop_test(cpu, properties_capacity, 0, 2);
    return suite;
}
