/* SPDX-License-Identifier: Apache-2.0 */
/* The companions of mote_pixels_cluster(): module starts, charge cut on given labels, prefix sums.
 */
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static const char *const forms[] = {"pixels.form=cpu", "pixels.form=gpu"};

/* Runs by plain loops: starts[0] = number, then positions; modules of the runs. */
static uint32_t plain_runs(const mote_digis *digis, uint32_t *starts, uint32_t *modules)
{
    uint32_t runs = 0;

    for (size_t e = 0; e < digis->n_events; e++) {
        uint32_t current = digis->invalid_module_id;

        for (uint32_t i = digis->event_offsets[e]; i < digis->event_offsets[e + 1]; i++) {
            uint32_t module = digis->module_id[i];

            if (module == digis->invalid_module_id || module == current)
                continue;
            current = module;
            starts[++runs] = i;
            modules[runs - 1] = module;
        }
    }
    starts[0] = runs;
    return runs;
}

typedef struct starts_run {
    mote_guard starts, modules, labels, error;
    mote_status status;
    uint32_t index;
    uint32_t *got_starts, *got_modules;
    int32_t *got_labels;
} starts_run;

static void run_starts(bed *b, cl_command_queue queue, const mote_digis *digis, size_t capacity,
                       starts_run *r)
{
    mote_pixels_module_start_args args;
    mote_pixels_options options = {0};
    mote_pixels_device in;
    char message[MESSAGE_SIZE] = "";
    cl_event done = NULL;

    *r = (starts_run){0};
    ck_assert(mote_pixels_upload(b->ctx, queue, digis, &options, 0, &in, message, sizeof(message)));
    ck_assert_int_eq(mote_guard_create(&r->starts, b->ctx, queue, "module_start", MOTE_UINT32,
                                       capacity + 1, NULL),
                     0);
    ck_assert_int_eq(
        mote_guard_create(&r->modules, b->ctx, queue, "run_module", MOTE_UINT32, capacity, NULL),
        0);
    ck_assert_int_eq(
        mote_guard_create(&r->labels, b->ctx, queue, "cluster_id", MOTE_INT32, digis->n, NULL), 0);
    ck_assert_int_eq(mote_guard_create(&r->error, b->ctx, queue, "error word", MOTE_UINT32,
                                       MOTE_ERROR_SLOTS, NULL),
                     0);
    mote_pixels_module_start_args_init(&args);
    args.module_id = in.module_id.view;
    args.event_offsets = in.event_offsets.view;
    args.invalid_module_id = digis->invalid_module_id;
    args.module_start = r->starts.view;
    if (capacity)
        args.run_module = r->modules.view;
    if (digis->n)
        args.cluster_id = r->labels.view;
    args.error = r->error.view.mem;
    args.error_offset = r->error.margin;
    mote_status status = mote_pixels_module_start(b->ctx, queue, &args, 0, NULL, &done);

    ck_assert_msg(!status, "%s", mote_last_error());
    r->status = mote_error_read(queue, args.error, args.error_offset, &r->index, 1, &done);
    r->got_starts = calloc(capacity + 1, sizeof(uint32_t));
    r->got_modules = calloc(capacity + 1, sizeof(uint32_t));
    r->got_labels = calloc(digis->n + 1, sizeof(int32_t));
    ck_assert(r->got_starts && r->got_modules && r->got_labels);
    bool good =
        mote_guard_read(&r->starts, queue, r->got_starts, 1, &done, message, sizeof(message)) &&
        mote_guard_read(&r->modules, queue, r->got_modules, 1, &done, message, sizeof(message)) &&
        mote_guard_read(&r->labels, queue, r->got_labels, 1, &done, message, sizeof(message)) &&
        mote_guard_read(&r->error, queue, NULL, 1, &done, message, sizeof(message));

    ck_assert_msg(good, "%s", message);
    clReleaseEvent(done);
    mote_pixels_device_release(&in);
}

static void starts_free(starts_run *r)
{
    mote_guard_release(&r->starts);
    mote_guard_release(&r->modules);
    mote_guard_release(&r->labels);
    mote_guard_release(&r->error);
    free(r->got_starts);
    free(r->got_modules);
    free(r->got_labels);
}

/* Full capacity, one that is too small, and none at all. */
static void check_starts(bed *b, cl_command_queue queue, const mote_digis *digis)
{
    uint32_t *starts = calloc(digis->n + 1, sizeof(uint32_t));
    uint32_t *modules = calloc(digis->n + 1, sizeof(uint32_t));

    ck_assert(starts && modules);
    uint32_t runs = plain_runs(digis, starts, modules);
    size_t capacities[] = {digis->n, runs, runs / 2, 0};

    for (int c = 0; c < 4; c++) {
        starts_run r;
        size_t fits = capacities[c] < runs ? capacities[c] : runs;

        run_starts(b, queue, digis, capacities[c], &r);
        ck_assert_int_eq(r.status, fits < runs ? MOTE_ERROR_CAPACITY : MOTE_SUCCESS);
        if (fits < runs)
            ck_assert_uint_eq(r.index, runs);
        ck_assert_mem_eq(r.got_starts, starts, (fits + 1) * sizeof(uint32_t));
        ck_assert_mem_eq(r.got_modules, modules, fits * sizeof(uint32_t));
        for (size_t i = 0; i < digis->n; i++)
            ck_assert_int_eq(r.got_labels[i], (int32_t)i);
        starts_free(&r);
    }
    free(starts);
    free(modules);
}

START_TEST(module_start_small_cases)
{
    bed b;

    bed_open(&b, forms[_i]);
    for (size_t k = 0; k < mote_pixels_case_count(); k++) {
        const mote_pixels_case *c = mote_pixels_case_at(k);
        mote_pixels_options options;
        mote_digis digis;
        uint32_t index = 0;

        if (!c->small || c->n > 3000)
            continue;
        ck_assert(mote_pixels_case_make(c, &digis, &options));
        if (mote_pixels_find_error(&digis, &options, &index) != MOTE_ERROR_EVENT_OFFSETS)
            check_starts(&b, k % 2 ? b.in_order : b.any_order, &digis);
        mote_digis_free(&digis);
        mote_pixels_options_free(&options);
    }
    bed_close(&b);
}
END_TEST

/* Runs that go on behind more invalid digis than any block holds, and events that end in them. */
START_TEST(module_start_long_gaps)
{
    bed b;
    mote_digis digis;

    bed_open(&b, forms[_i]);
    mote_digis_init(&digis, 50, 10, 10);
    for (uint32_t event = 0; event < 4; event++) {
        for (uint32_t i = 0; i < 40000 * event; i++)
            mote_digis_push_invalid(&digis);
        mote_digis_push(&digis, 7, 1, 1, 1);
        for (uint32_t i = 0; i < 70000; i++)
            mote_digis_push_invalid(&digis);
        mote_digis_push(&digis, 7, 2, 1, 1);
        mote_digis_push(&digis, 8, 2, 1, 1);
        mote_digis_push_invalid(&digis);
        mote_digis_push(&digis, 7, 2, 2, 1);
        mote_digis_end_event(&digis);
    }
    check_starts(&b, b.in_order, &digis);
    mote_digis_free(&digis);
    bed_close(&b);
}
END_TEST

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

Suite *calls_suite(void)
{
    Suite *suite = suite_create("calls");
    TCase *cases = tcase_create("calls");

    tcase_add_loop_test(cases, module_start_small_cases, 0, 2);
    tcase_add_loop_test(cases, module_start_long_gaps, 0, 2);
    tcase_add_loop_test(cases, cluster_start, 0, 2);
    tcase_add_loop_test(cases, charge_cut_bad_labels, 0, 2);
    tcase_add_loop_test(cases, properties_capacity, 0, 2);
    tcase_set_timeout(cases, 0);
    suite_add_tcase(suite, cases);
    return suite;
}
