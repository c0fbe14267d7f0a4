/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and preparation of the calls besides clustering, and special cases of the host
 * layer. */
#include <stdlib.h>
#include <string.h>

#include "harness.h"

/* Returns a host call on digis, with its labels. */
static mote_pixels_host_args host_args(const mote_digis *d)
{
    mote_pixels_host_args a;

    mote_pixels_host_args_init(&a);
    a.n = d->n;
    a.module_id32 = d->module_id;
    a.invalid_module_id = d->invalid_module_id;
    a.x = d->x;
    a.y = d->y;
    a.adc32 = d->adc;
    a.event_offsets = d->event_offsets;
    a.n_events = d->n_events;
    a.n_modules = d->n_modules;
    a.rows = d->rows;
    a.columns = d->columns;
    a.cluster_id = calloc(d->n + 1, sizeof(int32_t));
    ck_assert_ptr_nonnull(a.cluster_id);
    return a;
}

static void check_result(const mote_digis *d, const mote_pixels_host_args *a,
                         const mote_pixels_host_result *got)
{
    mote_pixels_options options = {0};
    mote_pixels_result expected;

    ck_assert(mote_pixels_oracle(d, &options, &expected));
    ck_assert_mem_eq(a->cluster_id, expected.cluster_id, d->n * sizeof(int32_t));
    ck_assert_uint_eq(got->n_modules, d->n_modules);
    ck_assert_uint_eq(got->n_clusters, expected.n_total);
    ck_assert_mem_eq(got->cluster_start, expected.cluster_start,
                     (expected.n_slots + 1) * sizeof(uint32_t));
    ck_assert_mem_eq(got->properties, expected.properties,
                     expected.n_total * sizeof(mote_pixels_cluster_record));
    mote_pixels_result_free(&expected);
}

/* Every digi is a cluster: more than are expected at first, and then again with the existing room.
 */
START_TEST(more_clusters_than_expected)
{
    bed b;
    mote_digis d;
    mote_host *host = NULL;
    mote_pixels_host_result result = MOTE_PIXELS_HOST_RESULT_INIT;

    bed_open(&b, NULL);
    ck_assert(!mote_host_create(b.ctx, NULL, &host));
    mote_digis_init(&d, 2, 100, 100);
    for (uint32_t i = 0; i < 4000; i++)
        mote_digis_push(&d, i % 2, i / 2 % 50 * 2, i / 100 * 2, i);
    mote_digis_end_event(&d);
    mote_pixels_host_args a = host_args(&d);

    for (int turn = 0; turn < 2; turn++) {
        memset(a.cluster_id, 0x5a, d.n * sizeof(int32_t));
        ck_assert_msg(!mote_pixels_cluster_host(b.ctx, host, &a, &result), "%s", mote_last_error());
        ck_assert_uint_eq(result.n_clusters, 4000);
        check_result(&d, &a, &result);
        ck_assert(mote_host_device_seconds(host) > 0);
    }
    free(a.cluster_id);
    mote_digis_free(&d);
    mote_host_release(host);
    bed_close(&b);
}
END_TEST

/* Tests scattered 64-bit ids in which every byte differs; module k is the k-th smallest. */
START_TEST(scattered_wide_ids)
{
    enum { MODULES = 300, DIGIS = 5000 };
    static uint64_t value[MODULES], id[DIGIS];
    bed b;
    mote_digis d;
    mote_rng rng;
    mote_host *host = NULL;
    mote_pixels_host_result result = MOTE_PIXELS_HOST_RESULT_INIT;

    bed_open(&b, NULL);
    ck_assert(!mote_host_create(b.ctx, NULL, &host));
    mote_rng_seed(&rng, 64);
    /* Ascending ids with gaps of all sizes, among them 0 and the largest id. */
    for (uint64_t k = 0; k < MODULES; k++)
        value[k] = k < 100   ? k * k
                   : k < 200 ? (k * k * k) << 24
                             : UINT64_MAX - (299 - k) * 0x1234567;
    mote_digis_init(&d, MODULES, 20, 20);
    for (uint32_t i = 0; i < DIGIS; i++) {
        uint32_t module = i < MODULES ? MODULES - 1 - i : mote_rng_below(&rng, MODULES);

        id[i] = value[module];
        mote_digis_push(&d, module, mote_rng_below(&rng, 20), mote_rng_below(&rng, 20), i);
    }
    mote_digis_end_event(&d);
    mote_pixels_host_args a = host_args(&d);

    a.module_id32 = NULL;
    a.module_id64 = id;
    a.invalid_module_id = 0;
    ck_assert_msg(!mote_pixels_cluster_host(b.ctx, host, &a, &result), "%s", mote_last_error());
    check_result(&d, &a, &result);
    ck_assert_mem_eq(result.module_id, value, sizeof(value));
    /* No valid digi at all, and no digi at all. */
    for (uint32_t i = 0; i < DIGIS; i++)
        id[i] = 77;
    a.invalid_module_id = 77;
    for (int turn = 0; turn < 2; turn++) {
        ck_assert_msg(!mote_pixels_cluster_host(b.ctx, host, &a, &result), "%s", mote_last_error());
        ck_assert_uint_eq(result.n_modules, 0);
        ck_assert_uint_eq(result.n_clusters, 0);
        ck_assert_uint_eq(result.cluster_start[0], 0);
        ck_assert_int_eq(a.cluster_id[DIGIS - 1], -1);
        a.n = 0;
        d.event_offsets[1] = 0;
    }
    free(a.cluster_id);
    mote_digis_free(&d);
    mote_host_release(host);
    bed_close(&b);
}
END_TEST

static void refused(bed *b, const mote_pixels_host_args *a, mote_status status, const char *text)
{
    ck_assert_int_eq(mote_pixels_cluster_host(b->ctx, NULL, a, NULL), status);
    ck_assert_msg(strstr(mote_last_error(), text) != NULL, "\"%s\" lacks \"%s\"", mote_last_error(),
                  text);
}

START_TEST(sentences)
{
    bed b;
    mote_digis d;

    bed_open(&b, NULL);
    mote_digis_init(&d, 6, 160, 416);
    for (uint32_t i = 0; i < 20; i++)
        mote_digis_push(&d, i / 4, 10 + i, 3, 100);
    mote_digis_end_event(&d);
    mote_pixels_host_args a = host_args(&d);

    d.x[17] = 200;
    refused(&b, &a, MOTE_ERROR_COORDINATE,
            "digi 17: x = 200 is not below rows = 160 (module 4, y = 3)");
    d.x[17] = 20;
    d.y[3] = 416;
    refused(&b, &a, MOTE_ERROR_COORDINATE,
            "digi 3: y = 416 is not below columns = 416 (module 0, x = 13)");
    d.module_id[9] = 6;
    refused(&b, &a, MOTE_ERROR_MODULE, "digi 9: module id 6 is neither below n_modules = 6");
    d.y[3] = 3;
    d.module_id[9] = 0;
    a.order = MOTE_ORDER_CONTIGUOUS;
    refused(&b, &a, MOTE_ERROR_NOT_CONTIGUOUS, "digi 9: module 0 begins again");
    d.event_offsets[1] = 21;
    refused(&b, &a, MOTE_ERROR_EVENT_OFFSETS, "event_offsets[1]");
    d.event_offsets[1] = 20;
    a.rows = 0;
    refused(&b, &a, MOTE_ERROR_INVALID_ARGUMENT, "rows");
    a.rows = 160;
    a.invalid_module_id = (uint64_t)UINT32_MAX + 1;
    refused(&b, &a, MOTE_ERROR_INVALID_ARGUMENT, "invalid_module_id");
    a.event_offsets = NULL;
    a.n_events = 2;
    refused(&b, &a, MOTE_ERROR_INVALID_ARGUMENT, "n_events");
    free(a.cluster_id);
    mote_digis_free(&d);
    bed_close(&b);
}
END_TEST

/* A prepared call builds nothing and needs no more scratch; NULL memory objects are allowed.
 */
static void check_prepared(bed *b, mote_operation operation, const void *args)
{
    mote_memory before, after;

    mote_memory_init(&before);
    mote_memory_init(&after);
    ck_assert(!mote_context_memory(b->ctx, &before));
    ck_assert_msg(!mote_prepare(b->ctx, operation, args), "%s", mote_last_error());
    ck_assert(!mote_context_memory(b->ctx, &after));
    ck_assert_uint_gt(after.programs, 0);
    ck_assert_uint_eq(after.scratch_busy, before.scratch_busy);
}

static mote_view absent(size_t count, mote_type type)
{
    return mote_view_make(NULL, count, type);
}

START_TEST(preparation_and_refusals)
{
    bed b;
    mote_pixels_module_start_args starts;
    mote_pixels_charge_cut_args cut;
    mote_pixels_cluster_start_args sums;
    size_t bytes = 0;

    bed_open(&b, NULL);
    mote_pixels_module_start_args_init(&starts);
    starts.module_id = absent(1000, MOTE_UINT32);
    starts.module_start = absent(101, MOTE_UINT32);
    check_prepared(&b, MOTE_OPERATION_PIXELS_MODULE_START, &starts);
    ck_assert(!mote_pixels_module_start_workspace_size(b.ctx, &starts, &bytes));
    ck_assert_uint_gt(bytes, 0);
    starts.run_module = absent(99, MOTE_UINT32);
    ck_assert_int_eq(mote_prepare(b.ctx, MOTE_OPERATION_PIXELS_MODULE_START, &starts),
                     MOTE_ERROR_INVALID_ARGUMENT);
    starts.run_module = (mote_view){0};
    starts.module_start = (mote_view){0};
    ck_assert_int_eq(mote_prepare(b.ctx, MOTE_OPERATION_PIXELS_MODULE_START, &starts),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "module_start"));

    mote_pixels_charge_cut_args_init(&cut);
    cut.module_id = absent(1000, MOTE_UINT16);
    cut.adc = absent(1000, MOTE_UINT32);
    cut.n_modules = 30;
    cut.charge_cut = 5;
    cut.cluster_id = absent(1000, MOTE_INT32);
    cut.n_clusters = absent(30, MOTE_UINT32);
    check_prepared(&b, MOTE_OPERATION_PIXELS_CHARGE_CUT, &cut);
    ck_assert(!mote_pixels_charge_cut_workspace_size(b.ctx, &cut, &bytes));
    ck_assert_uint_ge(bytes, 8000);
    cut.adc = (mote_view){0};
    ck_assert_int_eq(mote_prepare(b.ctx, MOTE_OPERATION_PIXELS_CHARGE_CUT, &cut),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "adc"));
    cut.charge_cut = 0;
    cut.n_clusters.count = 29;
    ck_assert_int_eq(mote_prepare(b.ctx, MOTE_OPERATION_PIXELS_CHARGE_CUT, &cut),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "n_clusters"));
    cut.n_clusters.count = 30;
    cut.module_id_out = absent(1000, MOTE_UINT32);
    ck_assert_int_eq(mote_prepare(b.ctx, MOTE_OPERATION_PIXELS_CHARGE_CUT, &cut),
                     MOTE_ERROR_INVALID_TYPE);

    mote_pixels_cluster_start_args_init(&sums);
    sums.n_clusters = absent(100000, MOTE_UINT32);
    sums.cluster_start = absent(100001, MOTE_UINT32);
    check_prepared(&b, MOTE_OPERATION_PIXELS_CLUSTER_START, &sums);
    sums.cluster_start.count = 100000;
    ck_assert_int_eq(mote_pixels_cluster_start_workspace_size(b.ctx, &sums, &bytes),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_prepare(b.ctx, (mote_operation)0, &sums), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_prepare(b.ctx, (mote_operation)99, &sums), MOTE_ERROR_INVALID_ARGUMENT);
    bed_close(&b);
}
END_TEST

Suite *companions_suite(void)
{
    Suite *suite = suite_create("companions");
    TCase *cases = tcase_create("companions");

    tcase_add_test(cases, more_clusters_than_expected);
    tcase_add_test(cases, scattered_wide_ids);
    tcase_add_test(cases, sentences);
    tcase_add_test(cases, preparation_and_refusals);
    tcase_set_timeout(cases, 0);
    suite_add_tcase(suite, cases);
    return suite;
}
