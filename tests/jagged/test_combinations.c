/* SPDX-License-Identifier: Apache-2.0 */
/* Values given to elements, products and pairs. */
#include "common/suite.h"
#include "checks.h"

#include <stdio.h>

static const char *const tunes[] = {
    "jagged.form=cpu",
    "jagged.form=gpu",
    "jagged.form=cpu,jagged.items=37",
    ("jagged.form=gpu,jagged.group=64,jagged.variant=3,jagged.tile=40,reduce.scan_group=64,"
     "reduce.scan_one_group=0"),
    "jagged.form=gpu,jagged.variant=4",
};

#define TUNES (sizeof(tunes) / sizeof(tunes[0]))

/* The table's longest lists have a billion pairs; these are left out. */
#define MOST_COMBINATIONS 300000

START_TEST(gather_of_every_case)
{
    static const mote_type value_types[] = {MOTE_BOOL,  MOTE_UINT16, MOTE_FLOAT32,
                                            MOTE_INT64, MOTE_UINT32, MOTE_FLOAT64};
    const mote_type type = index_types[TURN_TYPE(_i)];
    bed b;

    bed_open(&b, tunes[TURN_TUNE(_i)]);
    for (size_t k = 0; k < mote_lists_case_count(); k++) {
        const mote_lists_case *one = mote_lists_case_at(k);
        const size_t turn = INDEX_TYPES * k + TURN_TYPE(_i);
        mote_case_lists lists;
        char label[128];

        if (!mote_lists_case_make(one, type, 0, &lists))
            continue;
        size_t n = mote_case_lists_elements(&lists);
        const size_t rooms[] = {n, n + 1000, n - n / 3, 0};
        snprintf(label, sizeof(label), "%s, %s", one->name, mote_type_name(type));
        check_gather(&b, turn % 2 ? b.in_order : b.any_order, &lists, value_types[turn % 6],
                     rooms[turn % 7 % 4],
                     turn % 5 ? MOTE_JAGGED_VALIDATE_DEFAULT : MOTE_JAGGED_VALIDATE_FULL, label);
        mote_case_lists_free(&lists);
    }
    bed_close(&b);
}
END_TEST

START_TEST(differences_of_every_type)
{
    static const mote_type types[] = {MOTE_BOOL,   MOTE_INT8,    MOTE_UINT8,   MOTE_INT16,
                                      MOTE_UINT16, MOTE_INT32,   MOTE_UINT32,  MOTE_INT64,
                                      MOTE_UINT64, MOTE_FLOAT16, MOTE_FLOAT32, MOTE_FLOAT64};
    static const mote_lists_case some[] = {
        {"lists of 4", {MOTE_LENGTH_POISSON, 2000, 4, 0, 0}, 3, 0},
        {"5 lists of 3000", {MOTE_LENGTH_CONSTANT, 5, 3000, 0, 0}, 0, 0},
        {"no list", {MOTE_LENGTH_CONSTANT, 0, 0, 0, 0}, 0, 0}};
    bed b;

    bed_open(&b, tunes[TURN_TUNE(_i)]);
    for (size_t t = TURN_TYPE(_i); b.ctx && t < sizeof(types) / sizeof(types[0]); t += INDEX_TYPES)
        for (size_t k = 0; k < sizeof(some) / sizeof(some[0]); k++) {
            mote_case_lists lists;
            char label[128];

            ck_assert(mote_lists_case_make(&some[k], index_types[TURN_TYPE(_i)], 0, &lists));
            snprintf(label, sizeof(label), "%s, %s", some[k].name, mote_type_name(types[t]));
            check_differences(&b, (t + k) % 2 ? b.in_order : b.any_order, &lists, types[t],
                              (t + k) % 2 == 0, label);
            mote_case_lists_free(&lists);
        }
    bed_close(&b);
}
END_TEST

/* How many combinations there are, at most MOST_COMBINATIONS + 1. */
static size_t count(const mote_case_lists *a, const mote_case_lists *b)
{
    size_t sum = 0;

    for (size_t k = 0; k < a->count && sum <= MOST_COMBINATIONS; k++) {
        int64_t begin, end, begin_b = 0, end_b = 0;

        mote_case_lists_bounds(a, k, &begin, &end);
        if (b)
            mote_case_lists_bounds(b, k, &begin_b, &end_b);
        size_t l = (size_t)(end - begin);
        sum += b ? l * (size_t)(end_b - begin_b) : l * (l - 1) / 2;
    }
    return sum > MOST_COMBINATIONS ? MOST_COMBINATIONS + 1 : sum;
}

/* Other lists, as many as there are of a. */
static void make_other(const mote_case_lists *a, unsigned turn, mote_case_lists *out)
{
    static const mote_length_kind kinds[] = {MOTE_LENGTH_POISSON, MOTE_LENGTH_CONSTANT,
                                             MOTE_LENGTH_ALTERNATE, MOTE_LENGTH_POWER};
    const mote_lists_case one = {.lengths = {.kind = kinds[turn % 4],
                                             .lists = a->count,
                                             .mean = turn % 3 ? 2 : 9,
                                             .seed = fresh_seed()},
                                 .first = turn % 2 ? 70 : 0};

    ck_assert(mote_lists_case_make(&one, a->type, 0, out));
}

START_TEST(combinations_of_every_case)
{
    unsigned ran = 0;
    bed b;

    bed_open(&b, tunes[TURN_TUNE(_i)]);
    for (size_t k = 0; k < mote_lists_case_count(); k++)
        for (unsigned t = 0; t < 2; t++) {
            const mote_lists_case *one = mote_lists_case_at(k);
            const unsigned turn = (unsigned)(2 * (INDEX_TYPES * k + TURN_TYPE(_i))) + t;
            mote_case_lists lists, other;
            char label[128];

            if (!mote_lists_case_make(one, index_types[TURN_TYPE(_i)], 0, &lists))
                continue;
            make_other(&lists, turn, &other);
            combine_case c = {.a = &lists, .b = t ? &other : NULL, .label = label};
            size_t n = count(c.a, c.b);
            const size_t rooms[] = {n, n + 1000, n - n / 3, 0};
            c.capacity = rooms[turn % 7 % 4];
            c.workspace = turn % 5 == 0;
            snprintf(label, sizeof(label), "%s of %s, %s", t ? "product" : "pairs", one->name,
                     mote_type_name(lists.type));
            if (n <= MOST_COMBINATIONS) {
                check_combine(&b, turn % 2 ? b.in_order : b.any_order, &c);
                ran++;
            }
            mote_case_lists_free(&lists);
            mote_case_lists_free(&other);
        }
    ck_assert_uint_ge(INDEX_TYPES * ran, 200);
    bed_close(&b);
}
END_TEST

static mote_case_lists of(mote_type type, size_t count, const void *offsets)
{
    return (mote_case_lists){.type = type, .count = count, .offsets = (void *)(uintptr_t)offsets};
}

/* Lists so long that square roots are not exact in floating point. Only their first and last pairs
 * are compared: many lists of two pairs each before and after a long list move these to the ends of
 * the output. */
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

/* The first list whose combinations the type cannot count. */
START_TEST(combinations_overflow)
{
    static const uint32_t u[] = {0, 10, 92693, 92695};
    static const uint32_t u2[] = {0, 10, 92692, 92965}; /* one shorter would do */
    static const uint32_t u3[] = {0, 10, 4000000000u, 4000000003u};
    static const int32_t i[] = {0, 65536, 131072, 131072};
    static const int32_t i2[] = {0, 46341, 92683, 92683};
    static const int64_t l[] = {0, 3, 6000000000, 6000000009};
    static const int64_t l3[] = {0, 6534837759985044318, 6534837759985044318, INT64_MAX};
    static const int64_t l2[] = {5, 4000000005, 8000000005, INT64_MAX};
    const struct {
        mote_type type;
        const void *a, *b;
        uint32_t index;
    } rows[] = {
        {MOTE_UINT32, u, NULL, 1},  {MOTE_UINT32, u2, NULL, 2}, {MOTE_UINT32, u3, u3, 1},
        {MOTE_UINT32, u3, NULL, 1}, {MOTE_INT32, i, NULL, 1},   {MOTE_INT32, i, i, 0},
        {MOTE_INT32, i2, NULL, 1},  {MOTE_INT32, i2, i2, 0},    {MOTE_INT64, l, NULL, 1},
        {MOTE_INT64, l, l, 1},      {MOTE_INT64, l2, NULL, 1},  {MOTE_INT64, l2, l2, 0},
        {MOTE_INT64, l3, NULL, 0},  {MOTE_INT64, l3, l3, 0},
    };
    bed b;

    bed_open(&b, tunes[TURN_TUNE(_i)]);
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        if (rows[r].type != index_types[TURN_TYPE(_i)])
            continue;
        mote_case_lists lists = of(rows[r].type, 3, rows[r].a);
        mote_case_lists other = of(rows[r].type, 3, rows[r].b);
        combine_case c = {.a = &lists,
                          .b = rows[r].b ? &other : NULL,
                          .capacity = 900,
                          .status = MOTE_ERROR_OFFSETS_OUT_OF_RANGE,
                          .index = rows[r].index};
        char label[32];

        c.label = label;
        snprintf(label, sizeof(label), "row %zu", r);
        check_combine(&b, r % 2 ? b.in_order : b.any_order, &c);
    }
    bed_close(&b);
}
END_TEST

/* Faults at random places of either array, and any bits at all. */
START_TEST(faults)
{
    enum { LISTS = 3000 };
    mote_rng rng;
    bed b;

    bed_open(&b, tunes[TURN_TUNE(_i)]);
    for (unsigned k = (unsigned)TURN_TYPE(_i); k < 30; k += INDEX_TYPES) {
        mote_type type = index_types[TURN_TYPE(_i)];
        uint64_t seed = fresh_seed();
        mote_lists_case one = {.lengths = {.kind = MOTE_LENGTH_POISSON, .lists = LISTS, .mean = 3}};
        mote_case_lists lists, good;
        char label[64];

        snprintf(label, sizeof(label), "%s, seed %llu", mote_type_name(type),
                 (unsigned long long)seed);
        mote_rng_seed(&rng, seed);
        ck_assert(mote_lists_case_make(&one, type, seed, &lists));
        ck_assert(mote_lists_case_make(&one, type, seed + 1, &good));
        combine_case c = {.a = &lists, .capacity = 20000, .label = label};
        if (k < 20) {
            mote_case_lists_spoil(&lists, (mote_lists_fault)(k % 2), seed);
        } else {
            unsigned char *bytes = lists.offsets;

            for (size_t i = 0; i < (LISTS + 1) * mote_type_size(type); i++)
                bytes[i] = (unsigned char)mote_rng_next(&rng);
        }
        c.status = mote_oracle_find_error(&lists, MOTE_NO_CONTENT, false, &c.index);
        if (c.status) {
            check_gather(&b, b.any_order, &lists, MOTE_INT32, 15000, MOTE_JAGGED_VALIDATE_FULL,
                         label);
            /* If offsets are random bits, sums can overflow before the first bad list. */
            if (k < 20) {
                check_combine(&b, b.in_order, &c);
                c.b = &good;
                check_combine(&b, b.any_order, &c);
                c.a = &good;
                c.b = &lists;
                check_combine(&b, b.in_order, &c);
            }
        }
        mote_case_lists_free(&lists);
        mote_case_lists_free(&good);
    }
    bed_close(&b);
}
END_TEST

Suite *combinations_suite(void)
{
    const TTest *const good[] = {gather_of_every_case, combinations_of_every_case};
    const TTest *const others[] = {differences_of_every_type, combinations_overflow, faults};
    Suite *suite = suite_create("combinations");
    TCase *forms = suite_case(suite, "forms", NULL);
    TCase *items = suite_case(suite, "items", SUITE_THOROUGH);
    TCase *groups = suite_case(suite, "groups", SUITE_LONG);

    for (size_t t = 0; t < sizeof(good) / sizeof(good[0]); t++) {
        split_types(forms, items, good[t], 3);
        tcase_add_loop_test(groups, good[t], 3 * INDEX_TYPES, TUNES * INDEX_TYPES);
    }
    for (size_t t = 0; t < sizeof(others) / sizeof(others[0]); t++) {
        suite_split(forms, items, others[t], 1, 3 * INDEX_TYPES);
        tcase_add_loop_test(groups, others[t], 3 * INDEX_TYPES, TUNES * INDEX_TYPES);
    }
    suite_split(items, groups, pairs_of_long_lists, 3, TUNES);
    return suite;
}
