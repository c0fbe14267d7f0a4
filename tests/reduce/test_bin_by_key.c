/* SPDX-License-Identifier: Apache-2.0 */
/* The counting sort compared with a simple one, in both forms. */
#include "common/suite.h"
#include "words.h"
#include "reduce/bin_by_key.h"

/* The two forms with default values, and with smaller groups. */
static const char *const tunes[] = {
    "reduce.form=gpu",
    "reduce.form=cpu",
    "reduce.form=gpu,reduce.bin_group=32",
    "reduce.form=gpu,reduce.bin_group=100,reduce.bin_columns_group=32",
};

#define FORMS 2
#define TUNES (sizeof(tunes) / sizeof(tunes[0]))

enum { RANDOM, RUNS, SORTED, BACKWARDS, EQUAL, INVALID, MIXED, KINDS };

static uint32_t make_key(int kind, size_t i, size_t n, uint32_t n_bins, uint32_t *state)
{
    uint32_t random = words_random(state), bins = n_bins ? n_bins : 1;
    switch (kind) {
    case RANDOM:
        return random % bins;
    case RUNS:
        return (uint32_t)(i / 37 * 2654435761u) % bins;
    case SORTED:
        return (uint32_t)((uint64_t)i * bins / n);
    case BACKWARDS:
        return (uint32_t)((uint64_t)(n - 1 - i) * bins / n);
    case EQUAL:
        return bins / 2;
    case INVALID:
        return n_bins + random % 3;
    default: /* Keys without a bin, of any size, among others. */
        return random % 5 == 0 ? UINT32_MAX : random % 7 == 0 ? n_bins + random % 9 : random % bins;
    }
}

/* Returns the position of every sorted element, by a counting sort with bin n_bins for keys of no
 * bin. */
static uint32_t *oracle(const uint32_t *key, size_t n, uint32_t n_bins)
{
    uint32_t *start = calloc((size_t)n_bins + 2, sizeof(*start));
    uint32_t *index = malloc((n + 1) * sizeof(*index));
    ck_assert(start && index);
    for (size_t i = 0; i < n; i++)
        start[(key[i] < n_bins ? key[i] : n_bins) + 1]++;
    for (uint32_t b = 0; b <= n_bins; b++)
        start[b + 1] += start[b];
    for (size_t i = 0; i < n; i++)
        index[start[key[i] < n_bins ? key[i] : n_bins]++] = (uint32_t)i;
    free(start);
    return index;
}

static void enqueue(bed *b, cl_command_queue queue, mote_bin_by_key *args)
{
    mote_call call;
    cl_event event = NULL;
    bed_ok(mote_call_begin(&call, "test", b->ctx, queue, false, 0, NULL, &event));
    size_t words = mote_bin_by_key_scratch(b->ctx, args->n, args->n_bins);
    mote_status status = mote_call_scratch(&call, words * sizeof(uint32_t), NULL, &args->scratch);
    if (!status)
        status = mote_bin_by_key_run(&call, args);
    bed_ok(mote_call_end(&call, status));
    ck_assert_int_eq(clWaitForEvents(1, &event), CL_SUCCESS);
    clReleaseEvent(event);
}

static void check(bed *b, cl_command_queue queue, size_t n, uint32_t n_bins, int kind,
                  size_t offset)
{
    uint32_t state = 99 + (uint32_t)n, *key = malloc((n + 1) * sizeof(*key));
    ck_assert_ptr_nonnull(key);
    for (size_t i = 0; i < n; i++)
        key[i] = make_key(kind, i, n, n_bins, &state);
    mote_bin_by_key args = {.n = n,
                            .n_bins = n_bins,
                            .key = words_create(b, key, n, offset),
                            .sorted_key = words_create(b, NULL, n, offset ? offset + 1 : 0),
                            .index = words_create(b, NULL, n, 2 * offset)};
    enqueue(b, queue, &args);
    uint32_t *expected = oracle(key, n, n_bins);
    uint32_t *sorted = words_read(b, &args.sorted_key), *index = words_read(b, &args.index);
    for (size_t p = 0; p < n; p++)
        ck_assert_msg(index[p] == expected[p] && sorted[p] == key[expected[p]],
                      "kind %d, %zu keys, %u bins: place %zu has element %u of key %u, not %u of "
                      "key %u",
                      kind, n, (unsigned)n_bins, p, (unsigned)index[p], (unsigned)sorted[p],
                      (unsigned)expected[p], (unsigned)key[expected[p]]);
    free(key);
    free(expected);
    free(sorted);
    free(index);
    words_free(&args.key);
    words_free(&args.sorted_key);
    words_free(&args.index);
}

START_TEST(test_sizes)
{
    static const size_t sizes[] = {0,   1,   2,    31,   32,   33,   127,  128,  129,
                                   255, 257, 1023, 1024, 1025, 2048, 2049, 5000, 9000};
    bed b;
    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++)
        for (int kind = 0; kind < KINDS; kind++)
            check(&b, kind % 2 ? b.in_order : b.any_order, sizes[k], 77, kind, k % 3);
    bed_close(&b);
}
END_TEST

START_TEST(test_bins)
{
    static const uint32_t bins[] = {0,    1,    2,    15,   16,    17,    1023,   1024,
                                    1857, 4095, 4096, 4097, 37140, 65536, 1000000};
    bed b;
    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < sizeof(bins) / sizeof(bins[0]); k++) {
        check(&b, b.any_order, 6000, bins[k], k % 2 ? RANDOM : MIXED, 3);
        check(&b, b.in_order, 6000, bins[k], RUNS, 0);
    }
    bed_close(&b);
}
END_TEST

/* As many keys as an event has, of all distributions; and one key many times. */
START_TEST(test_event)
{
    bed b;
    bed_open(&b, tunes[_i]);
    for (int kind = 0; kind < KINDS; kind++)
        check(&b, b.in_order, 57000, 1857, kind, 0);
    check(&b, b.any_order, 66560, 1, EQUAL, 1);
    bed_close(&b);
}
END_TEST

START_TEST(test_large)
{
    bed b;
    bed_open(&b, tunes[_i]);
    check(&b, b.any_order, 1000003, 37140, MIXED, 0);
    bed_close(&b);
}
END_TEST

START_TEST(test_refuses)
{
    bed b;
    mote_call call;
    bed_open(&b, tunes[_i]);
    mote_bin_by_key args = {.n = (size_t)1 << 31, .n_bins = 10};
    bed_ok(mote_call_begin(&call, "test", b.ctx, b.in_order, false, 0, NULL, NULL));
    ck_assert_int_eq(mote_bin_by_key_run(&call, &args), MOTE_ERROR_UNSUPPORTED);
    args.n = 1000;
    args.scratch = (mote_view){.type = MOTE_UINT32, .count = 1};
    ck_assert_int_eq(mote_bin_by_key_run(&call, &args), MOTE_ERROR_INTERNAL);
    ck_assert(!call.enqueued);
    bed_ok(mote_call_end(&call, MOTE_SUCCESS));
    bed_close(&b);
}
END_TEST

/* Tests cases that a simulator can run, with tuning from the environment. */
START_TEST(test_small)
{
    static const size_t sizes[] = {1, 33, 300};
    bed b;
    bed_open(&b, getenv("MOTE_TUNE"));
    for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
        check(&b, b.in_order, sizes[k], 7, MIXED, k);
        check(&b, b.in_order, sizes[k], 5000, RANDOM, 0);
    }
    bed_close(&b);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reduce_bin_by_key");
    TCase *forms = suite_case(suite, "forms", NULL);
    TCase *groups = suite_case(suite, "groups", SUITE_THOROUGH);
    tcase_add_test(suite_case(suite, "simulated", NULL), test_small);
    suite_split(forms, groups, test_sizes, FORMS, TUNES);
    suite_split(forms, groups, test_bins, FORMS, TUNES);
    suite_split(forms, groups, test_event, FORMS, TUNES);
    suite_split(forms, groups, test_large, FORMS, TUNES);
    suite_split(forms, groups, test_refuses, FORMS, TUNES);
    return suites_run(&suite, 1);
}
