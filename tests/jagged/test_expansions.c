/* SPDX-License-Identifier: Apache-2.0 */
/* What lists are expanded to: kept elements. */
#include "held.h"

#include <math.h>
#include <stdio.h>

static const char *const tunes[] = {
    "jagged.form=cpu",
    "jagged.form=gpu",
    "jagged.form=gpu,jagged.group=64,jagged.nonzero_groups_a_unit=1",
    "jagged.form=gpu,jagged.group=24",
};

#define TUNES (sizeof(tunes) / sizeof(tunes[0]))

static const mote_type value_types[] = {MOTE_BOOL,  MOTE_INT32,   MOTE_UINT32,
                                        MOTE_INT64, MOTE_FLOAT32, MOTE_FLOAT64};

/* Positions longer than this do not fit a test. */
#define MOST_CONTENT 400000

/* A value; every so-manyth is 0, some of a kind that is easily taken for another. */
static void set_value(void *values, mote_type type, size_t i, uint32_t every, mote_rng *rng)
{
    static const double odd[] = {NAN, -0.0, INFINITY, 1e-40, 4.9e-324, -1, 3};
    bool zero = mote_rng_below(rng, every) == 0;
    uint64_t bits = mote_rng_next(rng);

    if (type == MOTE_FLOAT32)
        ((float *)values)[i] = zero ? 0.0f : (float)odd[bits % 7];
    else if (type == MOTE_FLOAT64)
        ((double *)values)[i] = zero ? 0.0 : odd[bits % 7];
    else if (type == MOTE_BOOL)
        ((unsigned char *)values)[i] = zero ? 0 : (unsigned char)(bits % 255 + 1);
    else if (type == MOTE_INT64)
        ((int64_t *)values)[i] = zero ? 0 : (int64_t)(bits & 0xffffffff00000000u);
    else
        ((uint32_t *)values)[i] = zero ? 0 : (uint32_t)bits;
}

static void *make_values(size_t n, mote_type type, uint32_t every, uint64_t seed)
{
    void *values = make_array(n, type);
    mote_rng rng;

    mote_rng_seed(&rng, seed);
    for (size_t i = 0; i < n; i++)
        set_value(values, type, i, every, &rng);
    return values;
}

typedef struct nonzero_case {
    const mote_case_lists *lists;
    const void *values;
    mote_type type; /* of values */
    size_t n;
    size_t capacity;
    bool workspace;
    const char *label;
} nonzero_case;

static void check_nonzero(bed *b, cl_command_queue queue, const nonzero_case *c)
{
    mote_type type = c->lists->type;
    size_t m = c->lists->count;
    uint32_t index = 0;
    mote_status status = mote_jagged_find_error(c->lists, c->n, false, &index);
    void *offsets = make_array(m + 1, type), *positions = make_array(c->capacity, type);
    mote_guard in = bed_array(b, "offsets", type, m + 1, c->lists->offsets), scratch = {0};
    mote_guard values = bed_array(b, "values", c->type, c->n, c->values);
    mote_guard out = bed_array(b, "offsets_out", type, m + 1, NULL);
    mote_guard kept = bed_array(b, "positions", type, c->capacity, NULL);
    mote_nonzero_args args;
    held h;

    memset(positions, 0xA5, c->capacity * mote_type_size(type));
    if (!status)
        index = (uint32_t)mote_jagged_nonzero(c->lists, c->values, c->type, offsets, positions,
                                              c->capacity);
    bool bad = status != MOTE_SUCCESS;
    if (!bad && index > c->capacity)
        status = MOTE_ERROR_CAPACITY;
    mote_nonzero_args_init(&args);
    held_begin(b, &h);
    args.offsets = in.view;
    args.values = values.view;
    args.offsets_out = out.view;
    args.positions = kept.view;
    HELD_ERROR(&h, &args);
    if (c->workspace) {
        size_t bytes = 0;

        bed_ok(mote_nonzero_workspace_size(b->ctx, &args, &bytes));
        scratch = held_workspace(b, bytes);
        args.workspace = scratch.view;
    }
    held_run(b, &h, mote_nonzero(b->ctx, queue, &args, 1, &h.gate, &h.done), status, index,
             c->label);
    bed_unchanged(b, &in, c->lists->offsets, h.done, c->label);
    bed_unchanged(b, &values, c->values, h.done, c->label);
    if (c->workspace)
        held_margins(b, &h, &scratch, c->label);
    held_expect(b, &h, &out, offsets, bad ? status : MOTE_SUCCESS, c->label);
    held_expect(b, &h, &kept, positions, bad ? status : MOTE_SUCCESS, c->label);
    held_end(&h);
    free(offsets);
    free(positions);
}

START_TEST(nonzero_of_every_case)
{
    static const uint32_t every[] = {1, 2, 3, 100, 1000000};
    unsigned turn = 0;
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < mote_lists_case_count(); k++)
        for (size_t t = 0; t < 3; t++, turn++) {
            const mote_lists_case *one = mote_lists_case_at(k);
            uint64_t seed = fresh_seed();
            mote_case_lists lists;
            char label[128];

            if (one->first > MOST_CONTENT || !mote_lists_case_make(one, index_types[t], 0, &lists))
                continue;
            nonzero_case c = {.lists = &lists,
                              .type = value_types[turn % 6],
                              .n = lists.content,
                              .capacity = turn % 4 == 3 ? lists.content / 3 : lists.content,
                              .workspace = turn % 5 == 0,
                              .label = label};
            snprintf(label, sizeof(label), "%s, %s of %s, seed %llu", one->name,
                     mote_type_name(index_types[t]), mote_type_name(c.type),
                     (unsigned long long)seed);
            void *values = make_values(c.n, c.type, every[turn / 3 % 5], seed);
            c.values = values;
            check_nonzero(&b, turn % 2 ? b.in_order : b.any_order, &c);
            free(values);
            mote_case_lists_free(&lists);
        }
    bed_close(&b);
}
END_TEST

/* Room for none, for one less, for just enough, for more. */
START_TEST(nonzero_capacity)
{
    static const int32_t offsets[] = {1, 4, 4, 9000};
    const mote_case_lists lists = {
        .type = MOTE_INT32, .count = 3, .offsets = (void *)(uintptr_t)offsets, .content = 9001};
    void *values = make_values(9001, MOTE_FLOAT32, 3, fresh_seed());
    int32_t out[4], *positions = make_array(9001, MOTE_INT32);
    size_t n = mote_jagged_nonzero(&lists, values, MOTE_FLOAT32, out, positions, 9001);
    bed b;

    bed_open(&b, tunes[_i]);
    const size_t capacities[] = {0, 1, n - 1, n, n + 1};
    for (size_t k = 0; k < 5; k++) {
        nonzero_case c = {.lists = &lists,
                          .values = values,
                          .type = MOTE_FLOAT32,
                          .n = 9001,
                          .capacity = capacities[k],
                          .label = "capacity"};
        check_nonzero(&b, b.any_order, &c);
    }
    free(values);
    free(positions);
    bed_close(&b);
}
END_TEST

/* Faults at random places, and any bits at all. */
START_TEST(nonzero_errors)
{
    mote_rng rng;
    bed b;

    bed_open(&b, tunes[_i]);
    for (unsigned k = 0; k < 30; k++) {
        mote_type type = index_types[k % 3];
        uint64_t seed = fresh_seed();
        mote_lists_case one = {.lengths = {.kind = MOTE_LENGTH_POISSON, .lists = 900, .mean = 5}};
        mote_case_lists lists;
        char label[64];

        snprintf(label, sizeof(label), "%s, seed %llu", mote_type_name(type),
                 (unsigned long long)seed);
        mote_rng_seed(&rng, seed);
        ck_assert(mote_lists_case_make(&one, type, seed, &lists));
        nonzero_case c = {.lists = &lists,
                          .type = MOTE_INT32,
                          .n = lists.content,
                          .capacity = 50,
                          .label = label};
        void *values = make_values(c.n, c.type, 2, seed);
        c.values = values;
        if (k < 20) {
            mote_case_lists_spoil(&lists, (mote_lists_fault)(k % 4), seed);
            c.n = lists.content;
        } else {
            unsigned char *bytes = lists.offsets;

            for (size_t i = 0; i < 901 * mote_type_size(type); i++)
                bytes[i] = (unsigned char)mote_rng_next(&rng);
        }
        if (mote_jagged_find_error(&lists, c.n, false, &(uint32_t){0}))
            check_nonzero(&b, b.in_order, &c);
        free(values);
        mote_case_lists_free(&lists);
    }
    bed_close(&b);
}
END_TEST

Suite *expansions_suite(void)
{
    Suite *suite = suite_create("expansions");
    TCase *all = tcase_create("expansions");

    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, nonzero_of_every_case, 0, TUNES);
    tcase_add_loop_test(all, nonzero_capacity, 0, TUNES);
    tcase_add_loop_test(all, nonzero_errors, 0, TUNES);
    suite_add_tcase(suite, all);
    return suite;
}
