/* SPDX-License-Identifier: Apache-2.0 */
/* The host layer: plain arrays, ids of any width. */
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/events.h"
#include "testkit/reference/pixels/digis_oracle.h"
#include "harness.h"

/* A batch with outputs, and the arguments that name them. */
typedef struct host_call {
    mote_digis digis;
    mote_pixels_options options;
    mote_pixels_host_args args;
    uint64_t *wide; /* 64-bit ids */
    uint16_t *narrow;
} host_call;

static void host_call_create(host_call *h, const char *topology, size_t events,
                             mote_pixels_duplicates duplicates)
{
    char message[MESSAGE_SIZE] = "";

    *h = (host_call){.options = {.charge_cut = 4000, .duplicates = duplicates}};
    ck_assert_msg(mote_case_events(topology, events, 3, &h->digis, message, sizeof(message)), "%s",
                  message);
    const mote_digis *d = &h->digis;

    h->wide = calloc(d->n, sizeof(uint64_t));
    h->narrow = calloc(d->n, sizeof(uint16_t));
    mote_pixels_host_args_init(&h->args);
    h->args.n = d->n;
    h->args.x = d->x;
    h->args.y = d->y;
    h->args.adc32 = d->adc;
    h->args.event_offsets = d->event_offsets;
    h->args.n_events = d->n_events;
    h->args.n_modules = d->n_modules;
    h->args.rows = d->rows;
    h->args.columns = d->columns;
    h->args.duplicates = h->options.duplicates;
    h->args.charge_cut = h->options.charge_cut;
    h->args.cluster_id = calloc(d->n, sizeof(int32_t));
    h->args.n_clusters = calloc(d->n_events * d->n_modules, sizeof(uint32_t));
    ck_assert(h->wide && h->narrow && h->args.cluster_id && h->args.n_clusters);
    for (size_t i = 0; i < d->n; i++)
        h->narrow[i] = (uint16_t)d->module_id[i];
}

static void host_call_free(host_call *h)
{
    free(h->wide);
    free(h->narrow);
    free(h->args.cluster_id);
    free(h->args.n_clusters);
    mote_digis_free(&h->digis);
}

static void compare_records(const mote_pixels_result *expected,
                            const mote_pixels_host_result *result)
{
    ck_assert_uint_eq(result->n_clusters, expected->n_total);
    ck_assert_mem_eq(result->properties, expected->properties,
                     expected->n_total * sizeof(mote_pixels_cluster_record));
}

/* The lists of digis are absent if they were not requested. */
static void compare_lists(const mote_digis *digis, const mote_pixels_result *expected,
                          const mote_pixels_host_result *result)
{
    uint32_t *offsets = calloc(expected->n_total + 1, sizeof(*offsets));
    uint32_t *list = calloc(digis->n, sizeof(*list));

    ck_assert(offsets && list);
    ck_assert(mote_oracle_cluster_digis(digis, expected->cluster_id, expected->cluster_start,
                                        expected->n_total, offsets, list));
    ck_assert((result->digis != NULL) == (digis->n_events < 3));
    if (result->digis) {
        ck_assert_mem_eq(result->digi_offsets, offsets, (expected->n_total + 1) * sizeof(*offsets));
        ck_assert_mem_eq(result->digis, list, offsets[expected->n_total] * sizeof(*list));
    }
    free(offsets);
    free(list);
}

/* With wide ids, the programs are those that `mote clusters` uses. */
START_TEST(narrow_and_wide_ids)
{
    bed b;
    mote_host *host = NULL;

    bed_open(&b, NULL);
    ck_assert_int_eq(mote_host_create(b.ctx, NULL, &host), 0);
    /* Growing and shrinking inputs with one host. */
    for (size_t events = 3; events > 0; events--) {
        host_call h;
        mote_pixels_result expected;
        mote_pixels_host_result result = MOTE_PIXELS_HOST_RESULT_INIT;

        host_call_create(&h, events == 2 ? "30x40" : "60x50", events,
                         events % 2 ? MOTE_DUPLICATES_SUM : MOTE_DUPLICATES_DROP);
        ck_assert(mote_pixels_oracle(&h.digis, &h.options, &expected));
        if (events % 2)
            h.args.module_id16 = h.narrow;
        else
            h.args.module_id32 = h.digis.module_id;
        h.args.invalid_module_id = events % 2 ? 0 : MOTE_PIXELS_INVALID_MODULE_U16;
        h.args.digis = events < 3;
        ck_assert_msg(!mote_pixels_cluster_host(b.ctx, host, &h.args, &result), "%s",
                      mote_last_error());
        ck_assert_mem_eq(h.args.cluster_id, expected.cluster_id, h.digis.n * sizeof(int32_t));
        ck_assert_mem_eq(h.args.n_clusters, expected.n_clusters,
                         expected.n_slots * sizeof(uint32_t));
        ck_assert_uint_eq(result.n_modules, h.digis.n_modules);
        ck_assert_ptr_null(result.module_id);
        ck_assert_mem_eq(result.cluster_start, expected.cluster_start,
                         (expected.n_slots + 1) * sizeof(uint32_t));
        compare_records(&expected, &result);
        compare_lists(&h.digis, &expected, &result);
        /* The same without a host or a result. */
        memset(h.args.cluster_id, 0x5a, h.digis.n * sizeof(int32_t));
        ck_assert_msg(!mote_pixels_cluster_host(b.ctx, NULL, &h.args, NULL), "%s",
                      mote_last_error());
        ck_assert_mem_eq(h.args.cluster_id, expected.cluster_id, h.digis.n * sizeof(int32_t));
        mote_pixels_result_free(&expected);
        host_call_free(&h);
    }
    mote_host_release(host);
    bed_close(&b);
}
END_TEST

/* 64-bit ids have the order of the modules here, so that the k-th smallest id is that of the k-th
 * module with digis. */
START_TEST(ids_of_64_bits)
{
    bed b;
    host_call h;
    mote_host *host = NULL;
    mote_pixels_host_result result = MOTE_PIXELS_HOST_RESULT_INIT;
    mote_pixels_result expected;

    bed_open(&b, NULL);
    ck_assert_int_eq(mote_host_create(b.ctx, NULL, &host), 0);
    host_call_create(&h, "60x50", 2, MOTE_DUPLICATES_DROP);
    const mote_digis *d = &h.digis;
    uint64_t invalid = 12345;
    unsigned char *present = calloc(d->n_modules, 1);

    ck_assert_ptr_nonnull(present);
    for (size_t i = 0; i < d->n; i++) {
        bool bad = d->module_id[i] == d->invalid_module_id;

        h.wide[i] = bad ? invalid : (uint64_t)d->module_id[i] * 0x123456789abcdu + 99999;
        if (!bad)
            present[d->module_id[i]] = 1;
    }
    ck_assert(mote_pixels_oracle(d, &h.options, &expected));
    free(h.args.n_clusters);
    h.args.n_clusters = NULL;
    h.args.module_id64 = h.wide;
    h.args.n_modules = 0;
    h.args.invalid_module_id = invalid;
    ck_assert_msg(!mote_pixels_cluster_host(b.ctx, host, &h.args, &result), "%s",
                  mote_last_error());
    ck_assert_mem_eq(h.args.cluster_id, expected.cluster_id, d->n * sizeof(int32_t));
    compare_records(&expected, &result);
    size_t k = 0;

    for (size_t m = 0; m < d->n_modules; m++) {
        if (!present[m])
            continue;
        ck_assert_uint_lt(k, result.n_modules);
        ck_assert_uint_eq(result.module_id[k], (uint64_t)m * 0x123456789abcdu + 99999);
        for (size_t e = 0; e < d->n_events; e++)
            ck_assert_uint_eq(result.cluster_start[e * result.n_modules + k],
                              expected.cluster_start[e * d->n_modules + m]);
        k++;
    }
    ck_assert_uint_eq(k, result.n_modules);
    free(present);
    mote_pixels_result_free(&expected);
    mote_host_release(host);
    host_call_free(&h);
    bed_close(&b);
}
END_TEST

/* A batch in parts gives the same results as one call, for any parts and any kind of memory. */
START_TEST(parts_of_a_batch)
{
    static const char *const tunes[] = {"pixels.host_digis=1", "pixels.host_digis=900",
                                        "pixels.host_digis=900,pixels.form=gpu"};
    bed b;
    host_call h;
    mote_host *host = NULL;
    mote_pixels_result expected;
    uint32_t *cuts;

    bed_open(&b, tunes[_i]);
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    host_call_create(&h, "60x50", 9, MOTE_DUPLICATES_SUM);
    ck_assert(mote_pixels_oracle(&h.digis, &h.options, &expected));
    h.args.module_id16 = h.narrow;
    for (int turn = 0; turn < 2; turn++) {
        memset(h.args.cluster_id, 0x5a, h.digis.n * sizeof(int32_t));
        memset(h.args.n_clusters, 0x5a, expected.n_slots * sizeof(uint32_t));
        bed_ok(mote_pixels_cluster_host(b.ctx, turn ? NULL : host, &h.args, NULL));
        ck_assert_mem_eq(h.args.cluster_id, expected.cluster_id, h.digis.n * sizeof(int32_t));
        ck_assert_mem_eq(h.args.n_clusters, expected.n_clusters,
                         expected.n_slots * sizeof(uint32_t));
    }
    mote_pixels_result_free(&expected);
    /* Cuts for each module, without counts. */
    cuts = calloc(h.digis.n_modules, sizeof(*cuts));
    ck_assert_ptr_nonnull(cuts);
    for (uint32_t m = 0; m < h.digis.n_modules; m++)
        cuts[m] = 1000 * (m % 5);
    h.options = (mote_pixels_options){.charge_cuts = cuts, .duplicates = MOTE_DUPLICATES_SUM};
    h.args.charge_cut = 0;
    h.args.charge_cuts = cuts;
    ck_assert(mote_pixels_oracle(&h.digis, &h.options, &expected));
    bed_ok(mote_pixels_cluster_host(b.ctx, host, &h.args, NULL));
    ck_assert_mem_eq(h.args.cluster_id, expected.cluster_id, h.digis.n * sizeof(int32_t));
    mote_pixels_result_free(&expected);
    /* The lowest digi of the whole batch is named. */
    size_t last = h.digis.n - 3;

    h.narrow[last] = h.narrow[last + 1] = 60000;
    ck_assert_int_eq(mote_pixels_cluster_host(b.ctx, host, &h.args, NULL), MOTE_ERROR_MODULE);
    char word[32];

    snprintf(word, sizeof(word), "digi %zu:", last);
    ck_assert_msg(strstr(mote_last_error(), word) != NULL, "%s", mote_last_error());
    mote_pixels_options_free(&h.options);
    mote_host_release(host);
    host_call_free(&h);
    bed_close(&b);
}
END_TEST

/* The inner cut applies to 64-bit ids below a number. */
START_TEST(inner_ids_of_64_bits)
{
    const uint64_t ids[4] = {UINT64_MAX - 1, 5, UINT64_C(1) << 40, 5};
    const uint16_t x[4] = {1, 1, 1, 9}, y[4] = {1, 1, 1, 9}, adc[4] = {50, 50, 50, 150};
    static const struct {
        uint64_t below;
        int32_t labels[4];
    } expected[] = {{UINT64_C(1) << 40, {-1, 0, -1, 1}},
                    {(UINT64_C(1) << 40) + 1, {-1, 0, 0, 1}},
                    {UINT64_MAX, {0, 0, 0, 1}},
                    {5, {-1, -1, -1, 0}}};
    mote_pixels_host_args args = MOTE_PIXELS_HOST_ARGS_INIT;
    int32_t labels[4];
    bed b;

    bed_open(&b, NULL);
    args.n = 4;
    args.module_id64 = ids;
    args.x = x;
    args.y = y;
    args.adc16 = adc;
    args.rows = args.columns = 10;
    args.charge_cut = 100;
    args.charge_cut_inner = 10;
    args.cluster_id = labels;
    for (size_t k = 0; k < sizeof(expected) / sizeof(expected[0]); k++) {
        args.inner_module_id = expected[k].below;
        bed_ok(mote_pixels_cluster_host(b.ctx, NULL, &args, NULL));
        ck_assert_mem_eq(labels, expected[k].labels, sizeof(labels));
    }
    args.inner_modules = 1;
    ck_assert_int_eq(mote_pixels_cluster_host(b.ctx, NULL, &args, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "inner_module_id"));
    args.inner_modules = 0;
    args.module_id64 = NULL;
    args.module_id16 = x;
    args.n_modules = 10;
    ck_assert_int_eq(mote_pixels_cluster_host(b.ctx, NULL, &args, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "inner_module_id"));
    bed_close(&b);
}
END_TEST

START_TEST(bad_data_has_a_sentence)
{
    bed b;
    host_call h;

    bed_open(&b, NULL);
    host_call_create(&h, "60x50", 1, MOTE_DUPLICATES_SUM);
    h.args.module_id16 = h.narrow;
    h.narrow[700] = h.narrow[650] = 60000;
    ck_assert_int_eq(mote_pixels_cluster_host(b.ctx, NULL, &h.args, NULL), MOTE_ERROR_MODULE);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "650"));
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "60000"));
    h.narrow[700] = h.narrow[650] = 1;
    h.digis.y[333] = 50;
    ck_assert_int_eq(mote_pixels_cluster_host(b.ctx, NULL, &h.args, NULL), MOTE_ERROR_COORDINATE);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "333"));
    h.digis.y[333] = 1;
    h.digis.event_offsets[0] = 5;
    ck_assert_int_eq(mote_pixels_cluster_host(b.ctx, NULL, &h.args, NULL),
                     MOTE_ERROR_EVENT_OFFSETS);
    host_call_free(&h);
    bed_close(&b);
}
END_TEST

START_TEST(bad_arguments)
{
    bed b;
    host_call h;
    mote_pixels_host_result result = MOTE_PIXELS_HOST_RESULT_INIT;

    bed_open(&b, NULL);
    host_call_create(&h, "20x20", 1, MOTE_DUPLICATES_SUM);
    ck_assert_int_ne(mote_pixels_cluster_host(b.ctx, NULL, &h.args, NULL), 0); /* no ids */
    h.args.module_id16 = h.narrow;
    h.args.module_id64 = h.wide;
    ck_assert_int_ne(mote_pixels_cluster_host(b.ctx, NULL, &h.args, NULL), 0); /* two */
    h.args.module_id64 = NULL;
    ck_assert_int_ne(mote_pixels_cluster_host(b.ctx, NULL, &h.args, &result), 0); /* no host */
    ck_assert_int_ne(mote_pixels_cluster_host(NULL, NULL, &h.args, NULL), 0);
    ck_assert_int_ne(mote_pixels_cluster_host(b.ctx, NULL, NULL, NULL), 0);
    h.args.adc16 = h.narrow;
    ck_assert_int_ne(mote_pixels_cluster_host(b.ctx, NULL, &h.args, NULL), 0); /* two charges */
    h.args.adc16 = NULL;
    h.args.x = NULL;
    ck_assert_int_ne(mote_pixels_cluster_host(b.ctx, NULL, &h.args, NULL), 0);
    h.args.x = h.digis.x;
    h.args.n = (size_t)1 << 31;
    ck_assert_int_eq(mote_pixels_cluster_host(b.ctx, NULL, &h.args, NULL), MOTE_ERROR_UNSUPPORTED);
    mote_pixels_host_args nothing;

    mote_pixels_host_args_init(&nothing);
    nothing.n_modules = 3;
    nothing.rows = nothing.columns = 4;
    ck_assert_msg(!mote_pixels_cluster_host(b.ctx, NULL, &nothing, NULL), "%s", mote_last_error());
    nothing.size = 0;
    ck_assert_int_eq(mote_pixels_cluster_host(b.ctx, NULL, &nothing, NULL),
                     MOTE_ERROR_INVALID_STRUCT);
    host_call_free(&h);
    bed_close(&b);
}
END_TEST

Suite *host_suite(void)
{
    Suite *suite = suite_create("host");
    TCase *cases = suite_case(suite, "host", NULL);
    TCase *parts = suite_case(suite, "parts", SUITE_THOROUGH);

    tcase_add_test(cases, narrow_and_wide_ids);
    tcase_add_test(cases, ids_of_64_bits);
    suite_split(cases, parts, parts_of_a_batch, 1, 3);
    tcase_add_test(parts, inner_ids_of_64_bits);
    tcase_add_test(cases, bad_data_has_a_sentence);
    tcase_add_test(cases, bad_arguments);
    return suite;
}
