/* SPDX-License-Identifier: Apache-2.0 */
/* Starts of modules against plain loops. */
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

void check_module_starts(bed *b, cl_command_queue queue, const mote_digis *digis)
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
            check_module_starts(&b, k % 2 ? b.in_order : b.any_order, &digis);
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
    check_module_starts(&b, b.in_order, &digis);
    mote_digis_free(&digis);
    bed_close(&b);
}
END_TEST

Suite *module_start_suite(void)
{
    Suite *suite = suite_create("module_start");
    TCase *cases = tcase_create("module_start");

    tcase_add_loop_test(cases, module_start_small_cases, 0, 2);
    tcase_add_loop_test(cases, module_start_long_gaps, 0, 2);
    tcase_set_timeout(cases, 0);
    suite_add_tcase(suite, cases);
    return suite;
}
