/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle, the generators and the file format, compared with independent results. */
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/events.h"
#include "testkit/cases/pixels/patterns.h"
#include "testkit/cases/pixels/pdig.h"
#include "harness.h"

static size_t clusters_of(const mote_digis *digis, const mote_pixels_options *options)
{
    mote_pixels_result result;

    ck_assert(mote_pixels_oracle(digis, options, &result));
    size_t total = result.n_total;

    mote_pixels_result_free(&result);
    return total;
}

START_TEST(classic_totals)
{
    static const size_t before[5] = {8960, 9960, 8960, 9960, 8960};
    static const size_t after[5] = {8959, 8960, 4510, 8960, 8960};

    for (int pass = 0; pass < 5; pass++) {
        mote_digis digis;
        mote_pixels_options none = {0}, cut = shared_options("ttbar");

        mote_digis_init(&digis, 1856, 160, 416);
        mote_case_classic(&digis, pass);
        ck_assert_uint_eq(clusters_of(&digis, &none), before[pass]);
        ck_assert_uint_eq(clusters_of(&digis, &cut), after[pass]);
        mote_digis_free(&digis);
    }
}
END_TEST

/* Labels an image by flooding from each pixel in (y, x) order. */
static void flood(const unsigned char *fired, int *label, int rows, int columns, bool corners)
{
    int *stack = malloc((size_t)rows * (size_t)columns * sizeof(int)), clusters = 0;

    ck_assert_ptr_nonnull(stack);
    for (int i = 0; i < rows * columns; i++)
        label[i] = -1;
    for (int start = 0; start < rows * columns; start++) {
        int depth = 0;

        if (!fired[start] || label[start] >= 0)
            continue;
        label[start] = clusters;
        stack[depth++] = start;
        while (depth) {
            int at = stack[--depth], x = at % rows, y = at / rows;

            for (int k = 0; k < 9; k++) {
                int nx = x + k % 3 - 1, ny = y + k / 3 - 1, next = ny * rows + nx;
                bool straight = nx == x || ny == y;

                if (nx < 0 || ny < 0 || nx >= rows || ny >= columns || (!straight && !corners) ||
                    !fired[next] || label[next] >= 0)
                    continue;
                label[next] = clusters;
                stack[depth++] = next;
            }
        }
        clusters++;
    }
    free(stack);
}

static void flood_and_compare(int rows, int columns, uint32_t percent, bool corners, mote_rng *rng)
{
    size_t pixels = (size_t)(rows * columns);
    unsigned char *fired = calloc(pixels, 1);
    int *label = calloc(pixels, sizeof(int));
    mote_pixels_options options = {.connectivity = corners ? 8 : 4};
    mote_pixels_result result;
    mote_digis digis;

    ck_assert(fired && label);
    mote_digis_init(&digis, 3, (uint32_t)rows, (uint32_t)columns);
    for (size_t i = 0; i < pixels; i++) {
        fired[i] = mote_rng_below(rng, 100) < percent;
        if (fired[i])
            mote_digis_push(&digis, 1, (uint32_t)i % (uint32_t)rows, (uint32_t)i / (uint32_t)rows,
                            100);
    }
    mote_digis_end_event(&digis);
    mote_digis_permute(&digis, mote_rng_next(rng), NULL);
    flood(fired, label, rows, columns, corners);
    ck_assert(mote_pixels_oracle(&digis, &options, &result));
    for (size_t i = 0; i < digis.n; i++)
        ck_assert_int_eq(result.cluster_id[i], label[digis.y[i] * rows + digis.x[i]]);
    mote_pixels_result_free(&result);
    mote_digis_free(&digis);
    free(fired);
    free(label);
}

START_TEST(oracle_equals_flooding)
{
    mote_rng rng;

    mote_rng_seed(&rng, 5);
    for (int i = 0; i < 60; i++)
        flood_and_compare(1 + i % 37, 1 + i * 7 % 41, 20 + (uint32_t)i % 60, i % 2, &rng);
}
END_TEST

/* Tests pixels set by hand: (2,3) three times, (3,3) once; (6,6) twice at the very end. */
START_TEST(policies_by_hand)
{
    static const uint32_t x[] = {2, 3, 2, 2, 6, 6}, y[] = {3, 3, 3, 3, 6, 6};
    static const uint32_t adc[] = {10, 7, 30, 20, 5, 8};
    static const int32_t labels[4][6] = {
        {-1, 0, -1, -1, -1, -1}, {0, 0, -1, -1, 1, -1}, {0, 0, 0, 0, 1, 1}, {0, 0, 0, 0, 1, 1}};
    static const uint64_t charges[4] = {7, 17, 67, 37};

    for (int policy = 0; policy < 4; policy++) {
        mote_pixels_options options = {.duplicates = (mote_pixels_duplicates)policy};
        mote_pixels_result result;
        mote_digis digis;

        mote_digis_init(&digis, 1, 8, 8);
        for (int i = 0; i < 6; i++)
            mote_digis_push(&digis, 0, x[i], y[i], adc[i]);
        mote_digis_end_event(&digis);
        ck_assert(mote_pixels_oracle(&digis, &options, &result));
        for (int i = 0; i < 6; i++)
            ck_assert_int_eq(result.cluster_id[i], labels[policy][i]);
        ck_assert_uint_eq(mote_pixels_charge(&result.properties[0]), charges[policy]);
        ck_assert_uint_eq(result.properties[0].size, policy ? 2 : 1);
        ck_assert_uint_eq(result.properties[0].first_digi, policy ? 0 : 1);
        mote_pixels_result_free(&result);
        mote_digis_free(&digis);
    }
}
END_TEST

/* Users compare generated events, so they may not change unnoticed. */
START_TEST(generator_is_reproducible)
{
    mote_digis digis;
    char message[MESSAGE_SIZE] = "";
    uint64_t hash = 14695981039346656037u;

    ck_assert_msg(mote_case_events("phase1", 1, 42, &digis, message, sizeof(message)), "%s",
                  message);
    for (size_t i = 0; i < digis.n; i++) {
        uint64_t word = (uint64_t)digis.module_id[i] << 48 | (uint64_t)digis.x[i] << 32 |
                        (uint64_t)digis.y[i] << 16 | digis.adc[i];

        hash = (hash ^ word) * 1099511628211u;
    }
    ck_assert_uint_eq(hash, 0xc8e89f1af73872f7u);
    ck_assert_uint_gt(digis.n, 40000);
    ck_assert_uint_lt(digis.n, 80000);
    mote_digis_free(&digis);
    ck_assert(!mote_case_events("phase3", 1, 42, &digis, message, sizeof(message)));
    ck_assert_ptr_nonnull(strstr(message, "phase3"));
    ck_assert(!mote_case_events("0x5", 1, 42, &digis, message, sizeof(message)));
    ck_assert(!mote_case_events("70000x5", 1, 42, &digis, message, sizeof(message)));
}
END_TEST

static mote_pdig_status parse(const void *data, size_t bytes, char *message)
{
    mote_digis digis;
    mote_pdig_status status = mote_pdig_parse(data, bytes, &digis, message, MESSAGE_SIZE);

    if (status == MOTE_PDIG_OK)
        mote_digis_free(&digis);
    else
        ck_assert(strlen(message) > 10);
    return status;
}

START_TEST(files_are_checked)
{
    unsigned char image[4096];
    char message[MESSAGE_SIZE] = "";
    mote_digis digis, again;
    FILE *file = tmpfile();

    ck_assert_ptr_nonnull(file);
    mote_digis_init(&digis, 9, 33, 44);
    for (uint32_t i = 0; i < 50; i++)
        mote_digis_push(&digis, i % 9, i % 33, i % 44, 1000 + i);
    mote_digis_end_event(&digis);
    mote_digis_end_event(&digis);
    mote_digis_push_invalid(&digis);
    mote_digis_end_event(&digis);
    ck_assert_int_eq(mote_pdig_write(file, &digis, message, sizeof(message)), MOTE_PDIG_OK);
    rewind(file);
    size_t bytes = fread(image, 1, sizeof(image), file);

    fclose(file);
    ck_assert_uint_eq(bytes, 20 + 3 * 4 + 51 * 8);
    ck_assert_int_eq(mote_pdig_parse(image, bytes, &again, message, sizeof(message)), MOTE_PDIG_OK);
    ck_assert_uint_eq(again.n, 51);
    ck_assert_uint_eq(again.n_events, 3);
    ck_assert_uint_eq(again.columns, 44);
    ck_assert_mem_eq(again.module_id, digis.module_id, 51 * sizeof(uint32_t));
    ck_assert_mem_eq(again.x, digis.x, 51 * sizeof(uint16_t));
    ck_assert_mem_eq(again.y, digis.y, 51 * sizeof(uint16_t));
    ck_assert_mem_eq(again.adc, digis.adc, 51 * sizeof(uint32_t));
    mote_digis_free(&again);
    mote_digis_free(&digis);

    for (size_t cut = 0; cut < bytes; cut++)
        ck_assert_int_eq(parse(image, cut, message), MOTE_PDIG_BAD);
    image[bytes] = 0;
    ck_assert_int_eq(parse(image, bytes + 1, message), MOTE_PDIG_BAD);
    image[0] ^= 1;
    ck_assert_int_eq(parse(image, bytes, message), MOTE_PDIG_BAD);
    ck_assert_ptr_nonnull(strstr(message, "PDIG"));
    image[0] ^= 1;
    image[23] = 0xff; /* an event whose header has 2^31 digis or more */
    ck_assert_int_eq(parse(image, bytes, message), MOTE_PDIG_BAD);
    image[23] = 0x7f; /* a number that would need 10 GB of memory */
    ck_assert_int_eq(parse(image, bytes, message), MOTE_PDIG_BAD);
    image[23] = 0;
    memset(image + 12, 0, 4); /* no rows */
    ck_assert_int_eq(parse(image, bytes, message), MOTE_PDIG_BAD);
    ck_assert_ptr_nonnull(strstr(message, "rows"));
}
END_TEST

/* Comparison and guards must detect one wrong value; otherwise every other test here proves
 * nothing. */
START_TEST(detectors_detect)
{
    bed b;
    mote_guard guard;
    char message[MESSAGE_SIZE] = "";
    uint32_t words[5] = {1, 2, 3, 4, 5}, wrong = 9;
    mote_digis digis;
    mote_pixels_options options = {0};
    mote_pixels_result expected, got;

    bed_open(&b, NULL);
    for (size_t at = 31; at <= 37; at++) {
        ck_assert(!mote_guard_create(&guard, b.ctx, b.in_order, "words", MOTE_UINT32, 5, words));
        ck_assert(!clEnqueueWriteBuffer(b.in_order, guard.view.mem, CL_TRUE, at * 4, 4, &wrong, 0,
                                        NULL, NULL));
        bool beside = at < 32 || at > 36;

        ck_assert_int_eq(
            mote_guard_read(&guard, b.in_order, NULL, 0, NULL, message, sizeof(message)), !beside);
        ck_assert(
            !mote_guard_unchanged(&guard, b.in_order, words, 0, NULL, message, sizeof(message)));
        mote_guard_release(&guard);
    }
    bed_close(&b);

    mote_digis_init(&digis, 2, 8, 8);
    mote_digis_push(&digis, 1, 2, 2, 5);
    mote_digis_push(&digis, 1, 6, 2, 5);
    mote_digis_end_event(&digis);
    for (int change = 0; change < 6; change++) {
        ck_assert(mote_pixels_oracle(&digis, &options, &expected));
        ck_assert(mote_pixels_oracle(&digis, &options, &got));
        ck_assert(mote_pixels_compare(&digis, &expected, &got, message, sizeof(message)));
        got.cluster_id[1] += change == 0;
        got.module_id_out[0] += change == 1;
        got.n_clusters[0] += change == 2;
        got.cluster_start[2] += change == 3;
        got.properties[1].y_max += change == 4;
        got.status = change == 5 ? MOTE_ERROR_MODULE : got.status;
        ck_assert(!mote_pixels_compare(&digis, &expected, &got, message, sizeof(message)));
        mote_pixels_result_free(&expected);
        mote_pixels_result_free(&got);
    }
    mote_digis_free(&digis);
}
END_TEST

Suite *oracle_suite(void)
{
    Suite *suite = suite_create("oracle");
    TCase *cases = tcase_create("oracle");

    tcase_add_test(cases, classic_totals);
    tcase_add_test(cases, oracle_equals_flooding);
    tcase_add_test(cases, policies_by_hand);
    tcase_add_test(cases, generator_is_reproducible);
    tcase_add_test(cases, files_are_checked);
    tcase_add_test(cases, detectors_detect);
    tcase_set_timeout(cases, 0);
    suite_add_tcase(suite, cases);
    return suite;
}
