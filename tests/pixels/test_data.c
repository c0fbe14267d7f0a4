/* SPDX-License-Identifier: Apache-2.0 */
/* The shared events and the measured frames. */
#include <stdlib.h>
#include <string.h>

#include "common/suite.h"
#include "harness.h"

/* Known totals: without a cut, and with it. */
static const struct set {
    const char *name;
    size_t n, clusters, after_cut;
} sets[] = {
    {"ttbar", 1131998, 258228, 224371},
    {"phase2", 1144014, 328172, 268967},
    {"hi", 1228239, 226488, 208116},
    {"patho", 2007655, 0, 0},
};

static size_t run_total(bed *b, const mote_digis *digis, const mote_pixels_options *options,
                        const char *name)
{
    mote_pixels_result expected;

    ck_assert(mote_pixels_oracle(digis, options, &expected));
    check_run(b, b->in_order, name, digis, options, 0);
    size_t total = expected.n_total;

    mote_pixels_result_free(&expected);
    return total;
}

/* All events of a set: as one batch with the cut, each separately without it, one permuted. */
START_TEST(events)
{
    const struct set *set = &sets[_i];
    mote_pixels_options plain = {.order = MOTE_ORDER_CONTIGUOUS};
    mote_pixels_options cut = shared_options(set->name);
    mote_digis digis, one;
    bed b;
    size_t total = 0;

    if (!shared_events(set->name, &digis))
        return;
    bed_open(&b, NULL);
    ck_assert_uint_eq(digis.n, set->n);
    size_t with_cut = run_total(&b, &digis, &cut, set->name);

    for (size_t e = 0; e < digis.n_events; e++) {
        ck_assert(mote_digis_event(&digis, e, &one));
        total += run_total(&b, &one, &plain, set->name);
        mote_digis_free(&one);
    }
    if (set->clusters) {
        ck_assert_uint_eq(with_cut, set->after_cut);
        ck_assert_uint_eq(total, set->clusters);
    }
    ck_assert(mote_digis_event(&digis, digis.n_events > 6 ? 6 : 0, &one));
    mote_digis_permute(&one, 8, NULL);
    cut.duplicates = MOTE_DUPLICATES_SUM;
    run_total(&b, &one, &cut, set->name);
    mote_digis_free(&one);
    mote_digis_free(&digis);
    bed_close(&b);
}
END_TEST

/* The same with the GPU form: one event, both strategies. */
START_TEST(events_gpu_form)
{
    mote_digis digis, one;
    bed b;

    if (!shared_events(sets[_i].name, &digis))
        return;
    bed_open(&b, "pixels.form=gpu");
    ck_assert(mote_digis_event(&digis, 0, &one));
    mote_pixels_options options = shared_options(sets[_i].name);

    options.strategy = MOTE_PIXELS_UNION_FIND;
    run_total(&b, &one, &options, sets[_i].name);
    options.strategy = MOTE_PIXELS_HISTOGRAM;
    run_total(&b, &one, &options, sets[_i].name);
    mote_digis_free(&one);
    mote_digis_free(&digis);
    bed_close(&b);
}
END_TEST

typedef struct frames {
    mote_digis digis;
    uint64_t *ids;
    int32_t *truth;
    size_t reserved;
} frames;

static void push_pixel(frames *f, const unsigned long long *v)
{
    if (f->digis.n == f->reserved) {
        f->reserved = f->reserved * 2 + 1024;
        f->ids = realloc(f->ids, f->reserved * sizeof(uint64_t));
        f->truth = realloc(f->truth, f->reserved * sizeof(int32_t));
        ck_assert(f->ids && f->truth);
    }
    f->ids[f->digis.n] = v[0];
    f->truth[f->digis.n] = (int32_t)v[1];
    mote_digis_push(&f->digis, 0, (uint32_t)v[2], (uint32_t)v[3], (uint32_t)v[5]);
}

/* Columns: geometry_id, measurement_id, channel0, channel1, timestamp, value. */
static bool read_frames(const char *path, frames *f)
{
    char line[256];
    FILE *file = shared_open(path);

    *f = (frames){0};
    if (!file)
        return false;
    mote_digis_init(&f->digis, 1, 256, 256);
    ck_assert_ptr_nonnull(fgets(line, sizeof(line), file));
    ck_assert_int_eq(
        strncmp(line, "geometry_id,measurement_id,channel0,channel1,timestamp,value", 59), 0);
    while (fgets(line, sizeof(line), file)) {
        unsigned long long v[6] = {0};
        char *at = line;

        for (int i = 0; i < 6; i++) {
            v[i] = (unsigned long long)strtod(at, &at);
            at += *at == ',';
        }
        push_pixel(f, v);
    }
    mote_digis_end_event(&f->digis);
    fclose(file);
    return true;
}

START_TEST(measured_frames)
{
    static const struct {
        const char *path;
        size_t n, clusters;
    } files[] = {{"data/timepix/alpha_60s.csv", 14395, 3689},
                 {"data/timepix/percolation.csv", 0, 0}};
    mote_pixels_host_args args;
    mote_pixels_host_result result = MOTE_PIXELS_HOST_RESULT_INIT;
    mote_host *host = NULL;
    frames f;
    bed b;

    if (!read_frames(files[_i].path, &f))
        return;
    bed_open(&b, NULL);
    ck_assert_int_eq(mote_host_create(b.ctx, NULL, &host), 0);
    int32_t *labels = calloc(f.digis.n, sizeof(int32_t));

    ck_assert_ptr_nonnull(labels);
    mote_pixels_host_args_init(&args);
    args.n = f.digis.n;
    args.module_id64 = f.ids;
    args.x = f.digis.x;
    args.y = f.digis.y;
    args.adc32 = f.digis.adc;
    args.rows = args.columns = 256;
    args.cluster_id = labels;
    ck_assert_msg(!mote_pixels_cluster_host(b.ctx, host, &args, &result), "%s", mote_last_error());
    for (size_t i = 0; i < f.digis.n; i++)
        ck_assert_msg(labels[i] == f.truth[i], "%s: row %zu is in cluster %d, truth %d",
                      files[_i].path, i, labels[i], f.truth[i]);
    if (files[_i].n) {
        ck_assert_uint_eq(f.digis.n, files[_i].n);
        ck_assert_uint_eq(result.n_clusters, files[_i].clusters);
    }
    free(labels);
    free(f.ids);
    free(f.truth);
    mote_digis_free(&f.digis);
    mote_host_release(host);
    bed_close(&b);
}
END_TEST

Suite *data_suite(void)
{
    Suite *suite = suite_create("data");
    TCase *cases = suite_case(suite, "data", SUITE_THOROUGH);

    tcase_add_loop_test(cases, events, 0, 4);
    tcase_add_loop_test(cases, events_gpu_form, 0, 3);
    tcase_add_loop_test(cases, measured_frames, 0, 2);
    return suite;
}
