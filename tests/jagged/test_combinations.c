/* SPDX-License-Identifier: Apache-2.0 */
/* Tests combinations of elements of lists that are too long for plain loops. */
#include "common/suite.h"
#include "pending_call.h"

static const char *const tunes[] = {
    "jagged.form=cpu",
    "jagged.form=gpu",
    "jagged.form=cpu,jagged.items=37",
    "jagged.form=gpu,jagged.group=64,jagged.variant=3,jagged.tile=40,reduce.scan_group=64,"
    "reduce.scan_one_group=0",
    "jagged.form=gpu,jagged.variant=4",
};

#define TUNES (int)(sizeof(tunes) / sizeof(tunes[0]))

/* The number n of elements of a combination, and the length of the list. */
typedef struct long_list {
    uint32_t n;
    int64_t length;
} long_list;

/* Returns the number of combinations, which 63 bits can hold. */
static int64_t count(const long_list *l)
{
    int64_t length = l->length;
    long double count = (long double)(length % 2 ? length : length / 2) *
                        (long double)(length % 2 ? (length - 1) / 2 : length - 1);

    for (uint32_t i = 2; i < l->n; i++)
        count = count * (long double)(length - i) / (i + 1);
    return (int64_t)count;
}

/* The lists are so long that roots are not exact in floating point. Only the first combinations are
 * compared. Combinations are counted from the end, so the numbers of the first ones are large. */
START_TEST(combinations_of_long_lists)
{
    static const long_list lists[] = {
        {2, 46341}, {2, 65536},   {2, 92682},   {2, (1ll << 31) - 1}, {2, 1ll << 32},
        {3, 65536}, {3, 2500001}, {3, 3810779}, {4, 50000},           {4, 121977}};
    enum { N = 4000 };
    static const char *const names[] = {"first", "second", "third", "fourth"};
    int64_t expected[4][N];
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++) {
        const long_list *l = &lists[k];
        const int64_t offsets[] = {7, 7, 7 + l->length}, total = count(l);
        const int64_t counted[] = {0, 0, total};
        mote_guard in = bed_array(&b, "offsets_a", MOTE_INT64, 3, offsets);
        mote_guard out = bed_array(&b, "offsets", MOTE_INT64, 3, NULL), found[4];
        mote_jagged_combinations_args args;
        held h;

        mote_jagged_combinations_args_init(&args);
        held_begin(&b, &h);
        args.offsets_a = in.view;
        args.offsets = out.view;
        args.n = l->n;
        for (uint32_t i = 0; i < l->n; i++)
            found[i] = bed_array(&b, names[i], MOTE_INT64, N, NULL);
        args.first = found[0].view;
        args.second = found[1].view;
        if (l->n > 2)
            args.third = found[2].view;
        if (l->n > 3)
            args.fourth = found[3].view;
        HELD_ERROR(&h, &args);
        for (uint32_t i = 0; i < l->n; i++)
            for (int64_t at = 0; at < N; at++)
                expected[i][at] = 7 + i + (i + 1 == l->n ? at : 0);
        held_run(&b, &h, mote_jagged_combinations(b.ctx, b.in_order, &args, 1, &h.gate, &h.done),
                 MOTE_ERROR_CAPACITY, total < UINT32_MAX - 1 ? (uint32_t)total : UINT32_MAX - 1,
                 "long list");
        held_expect(&b, &h, &out, counted, MOTE_SUCCESS, "long list");
        for (uint32_t i = 0; i < l->n; i++)
            held_expect(&b, &h, &found[i], expected[i], MOTE_SUCCESS, "long list");
        bed_unchanged(&b, &in, offsets, h.done, "long list");
        held_end(&h);
    }
    bed_close(&b);
}
END_TEST

Suite *combinations_suite(void)
{
    Suite *suite = suite_create("combinations");

    suite_split(suite_case(suite, "forms", NULL), suite_case(suite, "tuned", SUITE_THOROUGH),
                combinations_of_long_lists, 1, TUNES);
    return suite;
}
