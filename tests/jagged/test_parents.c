/* SPDX-License-Identifier: Apache-2.0 */
/* mote_jagged_parents() and mote_jagged_local_index() from offsets: every case in every form. */
#include "common/suite.h"
#include "labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The two forms, then other groups, tiles and items. */
static const char *const tunes[] = {
    NULL,
    "jagged.form=gpu",
    "jagged.form=gpu,jagged.tile=100,jagged.tiles=3",
    "jagged.form=gpu,jagged.variant=2",
    "jagged.form=gpu,jagged.variant=2,jagged.near=1,jagged.tile=60",
    "jagged.form=gpu,jagged.variant=3",
    "jagged.form=gpu,jagged.variant=4",
    "jagged.form=gpu,jagged.variant=3,jagged.group=36,jagged.tile=8",
    "jagged.form=gpu,jagged.group=36,jagged.tile=57,jagged.tiles=1",
    "jagged.form=gpu,jagged.group=36,jagged.tile=2016,jagged.tiles=15",
    "jagged.form=cpu,jagged.items=1",
    "jagged.form=cpu,jagged.items=61",
};

#define TUNES (sizeof(tunes) / sizeof(tunes[0]))

/* Shows which lengths were drawn when a test fails. */
static uint64_t fresh_seed(void)
{
    static uint64_t seed;

    if (seed == 0)
        seed = (uint64_t)time(NULL) | 1;
    return seed += 2;
}

static void name_case(char *name, const mote_lists_case *c, mote_type type, uint64_t seed,
                      const labels_call *how)
{
    snprintf(name, MESSAGE_SIZE, "%s, %s, seed %llu, strategy %d%s%s%s", c->name,
             mote_type_name(type), (unsigned long long)seed, (int)how->strategy,
             how->local_index ? ", local index" : "", how->absolute ? ", absolute" : "",
             how->full ? ", full" : "");
}

/* Case k in a way that differs from case to case and from test to test. */
static void check_case(bed *b, size_t k, mote_type type, labels_call how, unsigned turn)
{
    const mote_lists_case *c = mote_lists_case_at(k);
    uint64_t seed = fresh_seed();
    mote_case_lists lists;
    char name[MESSAGE_SIZE];

    if (!mote_lists_case_make(c, type, seed, &lists))
        return;
    if (how.absolute && lists.content > 1000000)
        how.absolute = false;
    how.shift = (turn + k) % 5;
    how.more = (turn + k) % 3 == 1 ? 5 + k : 0;
    how.full = (turn + k) % 2;
    how.gate = (turn + k) % 7 == 3;
    how.workspace = (turn + k) % 4 == 3;
    name_case(name, c, type, seed, &how);
    labels_check(b, (turn + k) % 3 ? b->in_order : b->any_order, &lists, &how, name);
    mote_case_lists_free(&lists);
}

/* A small group is tried with one type only: every other one is one more kernel to build. */
static void check_all(const char *tune, size_t type, labels_call how, unsigned turn)
{
    bool one_type = tune && strstr(tune, "group=36");
    bed b;

    if (one_type && type != how.local_index)
        return;
    bed_open(&b, tune);
    for (size_t k = 0; k < mote_lists_case_count(); k++)
        check_case(&b, k, index_types[type], how, turn + (unsigned)type);
    bed_close(&b);
}

/* Runs one turn of split_types(). */
static void check_turn(int i, labels_call how)
{
    check_all(tunes[TURN_TUNE(i)], TURN_TYPE(i), how, (unsigned)TURN_TUNE(i));
}

START_TEST(parents_relative)
{
    check_turn(_i, (labels_call){.strategy = MOTE_JAGGED_BALANCED});
}
END_TEST

START_TEST(parents_absolute)
{
    labels_call how = {.strategy = MOTE_JAGGED_BALANCED, .absolute = true};

    check_turn(_i, how);
}
END_TEST

START_TEST(local_index_balanced)
{
    labels_call how = {.strategy = MOTE_JAGGED_BALANCED, .local_index = true};

    check_turn(_i, how);
}
END_TEST

/* Lists of ten and one of 5000, which passes what its group has room for: up to the end of the last
 * part of elements, which need not be whole. */
static void check_last_part(bed *b, size_t n)
{
    size_t others = (n - 5000) / 10;
    labels_call how = {.strategy = MOTE_JAGGED_BALANCED, .local_index = n % 2};
    mote_case_lists lists = {.type = MOTE_INT32, .count = others + 1, .content = n};
    int32_t *offsets = malloc((lists.count + 1) * sizeof(*offsets));
    char name[MESSAGE_SIZE];

    ck_assert_ptr_nonnull(offsets);
    for (size_t k = 0; k < others; k++)
        offsets[k] = (int32_t)(10 * k);
    offsets[others] = (int32_t)(n - 5000);
    offsets[others + 1] = (int32_t)n;
    lists.offsets = offsets;
    snprintf(name, sizeof(name), "%zu elements", n);
    labels_check(b, b->in_order, &lists, &how, name);
    mote_case_lists_free(&lists);
}

/* A helper has a part for each of its work-items: numbers of parts that are whole or not. */
START_TEST(last_parts)
{
    bed b;

    bed_open(&b, "jagged.form=gpu,jagged.variant=3,jagged.group=4");
    for (size_t k = 0; k < 24; k++)
        check_last_part(&b, 262001 + 1999 * k);
    bed_close(&b);
}
END_TEST

/* The strategies without equal shares, and the choice of one. */
START_TEST(other_strategies)
{
    static const mote_jagged_strategy strategies[] = {MOTE_JAGGED_AUTO, MOTE_JAGGED_SEARCH,
                                                      MOTE_JAGGED_EVENT};
    labels_call how = {.strategy = strategies[_i % 3]};
    const char *tune = tunes[_i / 3];

    for (size_t t = 0; t < INDEX_TYPES; t++) {
        how.absolute = how.local_index = false;
        check_all(tune, t, how, 0);
        how.absolute = true;
        check_all(tune, t, how, 1);
        how.absolute = false;
        how.local_index = true;
        check_all(tune, t, how, 2);
    }
}
END_TEST

Suite *parents_suite(void)
{
    Suite *suite = suite_create("parents");
    TCase *forms = suite_case(suite, "forms", NULL);
    TCase *tuned = suite_case(suite, "tuned", SUITE_THOROUGH);
    split_types(forms, tuned, parents_relative, TUNES);
    split_types(forms, tuned, parents_absolute, TUNES);
    split_types(forms, tuned, local_index_balanced, TUNES);
    suite_split(forms, tuned, other_strategies, 1, 6);
    tcase_add_test(tuned, last_parts);
    return suite;
}
