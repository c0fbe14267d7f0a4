/* SPDX-License-Identifier: Apache-2.0 */
/* Values that the host computes from records: means, variances, tables of properties. */
#include <string.h>

#include "harness.h"

/* Tests three pixels whose moments are simple: (65533, 2) q 1, (65534, 2) q 2, (65535, 3) q 1. */
START_TEST(means_and_variances)
{
    mote_pixels_cluster_record r = {.size = 3};
    mote_digis digis;
    mote_pixels_result result;
    mote_pixels_options options = {0};

    mote_digis_init(&digis, 1, 65536, 65536);
    mote_digis_push(&digis, 0, 65533, 2, 1);
    mote_digis_push(&digis, 0, 65534, 2, 2);
    mote_digis_push(&digis, 0, 65535, 3, 1);
    mote_digis_end_event(&digis);
    ck_assert(mote_pixels_oracle(&digis, &options, &result));
    ck_assert_uint_eq(result.n_total, 1);
    mote_pixels_moments m = mote_pixels_mean(&result.properties[0]);

    ck_assert_double_eq(m.x, 65534);
    ck_assert_double_eq(m.y, 2.25);
    ck_assert_double_eq(m.x_var, 0.5);
    ck_assert_double_eq(m.y_var, 0.1875);
    mote_pixels_result_free(&result);
    options.without_adc = true;
    ck_assert(mote_pixels_oracle(&digis, &options, &result));
    m = mote_pixels_mean(&result.properties[0]);
    ck_assert_double_eq_tol(m.x, 65534, 1e-9);
    ck_assert_double_eq_tol(m.y, 7.0 / 3, 1e-15);
    ck_assert_double_eq(m.x_var, 0);
    mote_pixels_result_free(&result);
    mote_digis_free(&digis);
    r.size = 0;
    m = mote_pixels_mean(&r);
    ck_assert_double_eq(m.x, 0);
    ck_assert_double_eq(m.y_var, 0);
}
END_TEST

START_TEST(means_of_many_records)
{
    mote_pixels_cluster_record records[3] = {
        {.size = 1, .charge = {2}, .sum_x = {10}, .sum_y = {14}, .sum_xx = {50}, .sum_yy = {98}},
        {.size = 2, .plain_x = {7}, .plain_y = {5}},
    };
    mote_pixels_moments many[4];

    memset(many, 0x5a, sizeof(many));
    mote_pixels_means(records, 3, many);
    for (int k = 0; k < 3; k++) {
        mote_pixels_moments one = mote_pixels_mean(&records[k]);
        ck_assert_mem_eq(&many[k], &one, sizeof(one));
    }
    ck_assert_uint_eq(((unsigned char *)&many[3])[0], 0x5a);
    mote_pixels_means(NULL, 0, NULL);
}
END_TEST

/* Two events of two modules, one of which is empty. */
static mote_pixels_host_result two_events(const mote_pixels_cluster_record *records,
                                          const uint32_t *start)
{
    mote_pixels_host_result result;
    mote_pixels_host_result_init(&result);
    result.n_modules = 2;
    result.n_clusters = start[4];
    result.cluster_start = start;
    result.properties = records;
    return result;
}

START_TEST(properties_of_all_clusters)
{
    static const uint32_t start[5] = {0, 2, 2, 3, 4}, event[4] = {0, 0, 1, 1};
    static const uint32_t label[4] = {0, 1, 0, 0}, module[4] = {0, 0, 0, 1};
    static const uint64_t ids[2] = {7, 1ULL << 60};
    mote_pixels_cluster_record records[4] = {
        {.size = 1, .charge = {2, 1}, .sum_x = {10}, .sum_y = {14}, .x_max = 3},
        {.size = 2, .plain_x = {7}, .plain_y = {5}, .first_digi = 9},
        {.size = 3, .charge = {4}, .sum_x = {8}, .sum_xx = {24}, .x_min = 1, .y_min = 2},
        {.size = 4, .y_max = 5},
    };
    mote_pixels_host_result result = two_events(records, start);
    mote_pixels_cluster_properties found[5];

    memset(found, 0x5a, sizeof(found));
    result.module_id = _i ? ids : NULL;
    mote_pixels_properties(&result, found);
    for (int k = 0; k < 4; k++) {
        const mote_pixels_cluster_record *r = &records[k];
        mote_pixels_moments m = mote_pixels_mean(r);
        mote_pixels_cluster_properties expected = {
            event[k], label[k],      _i ? ids[module[k]] : module[k],
            r->size,  r->first_digi, mote_pixels_charge(r),
            m.x,      m.y,           m.x_var,
            m.y_var,  r->x_min,      r->x_max,
            r->y_min, r->y_max};
        ck_assert_mem_eq(&found[k], &expected, sizeof(expected));
    }
    ck_assert_uint_eq(((unsigned char *)&found[4])[0], 0x5a);
    result.n_clusters = 0;
    mote_pixels_properties(&result, NULL);
    mote_pixels_properties(NULL, NULL);
}
END_TEST

Suite *moments_suite(void)
{
    Suite *suite = suite_create("moments");
    TCase *cases = suite_case(suite, "moments", NULL);

    tcase_add_test(cases, means_and_variances);
    tcase_add_test(cases, means_of_many_records);
    suite_split(cases, suite_case(suite, "gpu", SUITE_THOROUGH), properties_of_all_clusters, 1, 2);
    return suite;
}
