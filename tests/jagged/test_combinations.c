/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of lists that are too long for plain loops. */
#include "common/suite.h"
#include "held.h"

static const char *const tunes[] = {
    "jagged.form=cpu",
    "jagged.form=gpu",
    "jagged.form=cpu,jagged.items=37",
    "jagged.form=gpu,jagged.group=64,jagged.variant=3,jagged.tile=40,reduce.scan_group=64,"
    "reduce.scan_one_group=0",
    "jagged.form=gpu,jagged.variant=4",
};

#define TUNES (int)(sizeof(tunes) / sizeof(tunes[0]))

/* Lists so long that square roots are not exact in floating point. Only their first and last pairs
 * are compared: many lists of two pairs each before and after a long list move these pairs to the
 * ends of the output. */
START_TEST(pairs_of_long_lists)
{
    static const int64_t lengths[] = {46341, 65536, 92682, (1ll << 31) - 1, 1ll << 32};
    enum { N = 4000 };
    int64_t expected[2][N];
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < sizeof(lengths) / sizeof(lengths[0]); k++) {
        const int64_t offsets[] = {7, 7, 7 + lengths[k]};
        mote_guard in = bed_array(&b, "offsets_a", MOTE_INT64, 3, offsets);
        mote_guard out = bed_array(&b, "offsets", MOTE_INT64, 3, NULL);
        mote_guard one = bed_array(&b, "first", MOTE_INT64, N, NULL);
        mote_guard two = bed_array(&b, "second", MOTE_INT64, N, NULL);
        const int64_t total = lengths[k] % 2 ? lengths[k] * ((lengths[k] - 1) / 2)
                                             : lengths[k] / 2 * (lengths[k] - 1);
        const int64_t counted[] = {0, 0, total};
        mote_jagged_combinations_args args;
        held h;

        mote_jagged_combinations_args_init(&args);
        held_begin(&b, &h);
        args.offsets_a = in.view;
        args.offsets = out.view;
        args.first = one.view;
        args.second = two.view;
        HELD_ERROR(&h, &args);
        for (int64_t i = 0; i < N; i++) {
            expected[0][i] = 7;
            expected[1][i] = 8 + i;
        }
        held_run(&b, &h, mote_jagged_pairs(b.ctx, b.in_order, &args, 1, &h.gate, &h.done),
                 MOTE_ERROR_CAPACITY, total < UINT32_MAX - 1 ? (uint32_t)total : UINT32_MAX - 1,
                 "long list");
        held_expect(&b, &h, &out, counted, MOTE_SUCCESS, "long list");
        held_expect(&b, &h, &one, expected[0], MOTE_SUCCESS, "long list");
        held_expect(&b, &h, &two, expected[1], MOTE_SUCCESS, "long list");
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
                pairs_of_long_lists, 1, TUNES);
    return suite;
}
