/* SPDX-License-Identifier: Apache-2.0 */
/* Each operation on lists that testkit/operation.h describes: every case of the table, every error
 * in each of them, and arbitrary offsets. Sizes, programs and random calls are in tests/trials and
 * tests/property. */
#include "calls.h"
#include "common/suite.h"

#include <stdio.h>

/* Returns operation k on lists, or NULL if there are fewer. */
static const trial_operation *operation_at(int k)
{
    const trial_operation *at = trial_next("jagged", NULL);

    while (at && k-- > 0)
        at = trial_next("jagged", at);
    return at;
}

#define TUNES 16 /* an operation has fewer */

/* In turn _i of a test, an operation runs with one of its tunes. Building and running all programs
 * takes minutes, so the first tune runs every sixth or twelfth program, if there are so many, and
 * the others every third one, beginning one program later than the tune before. */
typedef struct turn {
    bed b;
    const trial_operation *operation;
    const char *tune;
    size_t first, step; /* the programs that run: `first` and every `step`-th one after it */
    size_t running;     /* the number of these */
    uint64_t seed;
    bool small; /* for a simulator */
    int calls;
} turn;

static void begin(turn *t, int i)
{
    *t = (turn){.operation = operation_at(i / TUNES)};
    t->tune = t->operation->tunes[i % TUNES];
    size_t programs = 0;
    while (t->operation->programs[programs].name)
        programs++;
    t->step = programs < 3 ? 1 : programs < 6 || i % TUNES > 0 ? 3 : programs < 12 ? 6 : 12;
    t->first = (size_t)i % TUNES % t->step;
    t->running = (programs - t->first + t->step - 1) / t->step;
    bed_open(&t->b, t->tune);
}

static void end(turn *t, int least)
{
    printf("# %s, %s: %d calls\n", t->operation->name, t->tune, t->calls);
    ck_assert_int_ge(t->calls, least);
    bed_close(&t->b);
}

static void run_program(turn *t, const trial_lists_given *given, const trial_choices *choices)
{
    t->calls += call_try(&t->b, t->operation, choices, given, t->seed++, t->small);
}

/* The programs of the operation run in turn. */
static void run(turn *t, const trial_lists_given *given)
{
    size_t k = t->first + t->step * (t->seed % t->running);
    run_program(t, given, &t->operation->programs[k].choices);
}

/* Additional cases: lists with lengths at which layouts and kernels change, and lists of which more
 * than a few do not fit local memory. */
static const mote_lists_case more[] = {
    {"lengths around 6144", {MOTE_LENGTH_BOUNDARY, 9, 0, 6144, 0}, 2, 3},
    {"2 to 31", {MOTE_LENGTH_PRIMES, 95, 0, 31, 0}, 3, 1},
    {"9 or none", {MOTE_LENGTH_ALTERNATE, 71, 9, 0, 0}, 0, 0},
    {"1 or none", {MOTE_LENGTH_FILLED, 150, 0.4, 0, 0}, 2, 40},
    {"about 1000", {MOTE_LENGTH_POISSON, 9, 1000, 0, 0}, 0, 0},
    {"4500 of 30000 do not fit", {MOTE_LENGTH_POISSON, 30000, 53, 0, 0}, 0, 0},
    {"50 lists an element", {MOTE_LENGTH_FILLED, 200000, 0.02, 0, 0}, 2, 40},
    {"two huge and empty ones", {MOTE_LENGTH_TWO_HUGE, 902, 0, 20000, 0}, 0, 0},
};

#define MORE (sizeof(more) / sizeof(more[0]))

START_TEST(test_cases)
{
    size_t table = mote_lists_case_count();
    turn t;

    begin(&t, _i);
    for (size_t k = 0; k < table + MORE; k++)
        for (size_t p = 0; p < t.running; p++)
            run(&t,
                &(trial_lists_given){.shape = k < table ? mote_lists_case_at(k) : &more[k - table],
                                     .fault = -1});
    end(&t, 30 * (int)t.running);
}
END_TEST

START_TEST(test_faults)
{
    turn t;

    begin(&t, _i);
    for (size_t k = 0; k < mote_lists_case_count(); k++)
        for (int fault = 0; fault < MOTE_FAULTS; fault++)
            run(&t, &(trial_lists_given){.shape = mote_lists_case_at(k), .fault = fault});
    end(&t, 100);
}
END_TEST

/* ---- garbage --------------------------------------------------------------------------------- */

static void set(mote_case_lists *lists, size_t k, int64_t value)
{
    if (lists->offsets)
        mote_index_set(lists->offsets, lists->type, k, value);
    else if (k < lists->count)
        mote_index_set(k % 2 ? lists->starts : lists->stops, lists->type, k, value);
}

/* Replaces all numbers by random ones, without any order. */
static void scramble(mote_case_lists *lists, mote_rng *rng, const void *about)
{
    (void)about;
    for (size_t k = 0; k <= lists->count; k++) {
        int64_t value = mote_rng_between(rng, -3, (int64_t)lists->content + 3);

        if (mote_rng_below(rng, 4) == 0)
            value = (int64_t)mote_rng_next(rng);
        if (mote_rng_below(rng, 3) == 0)
            value = k % 2 ? (int64_t)lists->content : 0;
        set(lists, k, value);
    }
}

/* Replaces a third of the numbers by random bits. */
static void sprinkle(mote_case_lists *lists, mote_rng *rng, const void *about)
{
    (void)about;
    for (size_t k = 0; k <= lists->count; k++)
        if (mote_rng_below(rng, 3) == 0)
            set(lists, k, (int64_t)mote_rng_next(rng));
}

/* Assigns all elements to every other list. */
static void swing(mote_case_lists *lists, mote_rng *rng, const void *about)
{
    (void)about;
    int64_t low = mote_rng_below(rng, 2) ? 0 : (int64_t)lists->content / 2;

    for (size_t k = 0; k <= lists->count; k++)
        set(lists, k, k % 2 ? (int64_t)lists->content : low);
}

/* Assigns the same 32 elements repeatedly to each 1024 lists, in lists of 8. */
static void set_teeth(mote_case_lists *lists, mote_rng *rng, const void *about)
{
    (void)rng, (void)about;
    for (size_t k = 0; k <= lists->count; k++)
        set(lists, k, (int64_t)(k / 1024 * 64 + (k % 8 <= 4 ? k % 8 * 8 : 0)));
}

/* Starts and stops that share elements: the last list wins, or the overlap is reported. */
static void overlap(mote_case_lists *lists, mote_rng *rng, const void *about)
{
    (void)about;
    uint32_t most = 1 + mote_rng_below(rng, (uint32_t)lists->content);

    for (size_t k = 0; lists->starts && k < lists->count; k++) {
        int64_t start = mote_rng_below(rng, (uint32_t)lists->content);
        int64_t stop = start + mote_rng_below(rng, most);

        mote_index_set(lists->starts, lists->type, k, start);
        mote_index_set(lists->stops, lists->type, k,
                       stop < (int64_t)lists->content ? stop : (int64_t)lists->content);
    }
}

/* The call must end in a time that does not grow with lists times elements. If only some of the
 * programs run, a third of the changes run. */
START_TEST(test_garbage)
{
    static const size_t sizes[][2] = {{1, 1},       {2, 300},   {3, 17},       {50, 7},
                                      {700, 5000},  {40, 300},  {9000, 9000},  {70000, 500},
                                      {300, 70000}, {20, 3000}, {3000, 300000}};
    static void (*const changes[])(mote_case_lists *, mote_rng *,
                                   const void *) = {scramble, sprinkle, swing, set_teeth, overlap};
    turn t;

    begin(&t, _i);
    const size_t step = t.step > 1 ? 3 : 1;
    for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++)
        for (size_t c = (k + t.first) % step; c < sizeof(changes) / sizeof(changes[0]); c += step)
            for (size_t p = 0; p < 2 * t.running; p++) {
                mote_lists_case shape = {
                    "garbage", {MOTE_LENGTH_EVEN, sizes[k][0], 0, (int64_t)sizes[k][1], 0}, 0, 0};
                run(&t, &(trial_lists_given){&shape, -1, changes[c], NULL, false});
            }
    end(&t, 55 * (int)t.running / (int)step); /* half of the calls */
}
END_TEST

/* ---- offsets given --------------------------------------------------------------------------- */

typedef struct row {
    mote_type type;
    int64_t offsets[4];
} row;

static void set_row(mote_case_lists *lists, mote_rng *rng, const void *about)
{
    const row *r = about;

    (void)rng;
    for (size_t k = 0; k < 4; k++)
        set(lists, k, r->offsets[k]);
}

/* Tests lists of which the type of offsets can count all combinations exactly, or not those of one
 * list. */
START_TEST(test_many_combinations)
{
    static const row rows[] = {
        {MOTE_UINT32, {0, 10, 92693, 92695}},
        {MOTE_UINT32, {0, 10, 92692, 92965}}, /* one combination less would fit */
        {MOTE_UINT32, {0, 10, 4000000000, 4000000003}},
        {MOTE_INT32, {0, 65536, 131072, 131072}},
        {MOTE_INT32, {0, 46341, 92683, 92683}},
        {MOTE_INT64, {0, 3, 6000000000, 6000000009}},
        {MOTE_INT64, {5, 4000000005, 8000000005, INT64_MAX}},
        {MOTE_INT64, {0, 6534837759985044318, 6534837759985044318, INT64_MAX}},
        {MOTE_INT32, {0, 2345, 4690, 4690}}, /* three elements: one such list fits */
        {MOTE_UINT32, {0, 568, 666, 666}},   /* four elements: one more would not fit */
        {MOTE_UINT32, {0, 568, 667, 667}},
        {MOTE_INT64, {0, 3810779, 3810779, 7621559}},
        {MOTE_INT64, {9, 121986, 121986, 243964}},
    };
    static const mote_lists_case shape = {
        "many combinations", {MOTE_LENGTH_CONSTANT, 3, 1, 0, 0}, 0, 0};
    const trial_operation *const all[] = {&trial_product, &trial_pairs, &trial_combinations};
    const trial_operation *operation = all[_i % 3];
    int which = 0;
    turn t;

    while (operation_at(which) != operation)
        which++;
    begin(&t, which * TUNES + _i / 3);
    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++)
        for (int again = 0; again < 3; again++) {
            uint8_t type = (uint8_t)rows[k].type, n = (uint8_t)(4 - again / 2), of = again == 1;
            trial_choices choices = {.fixed = 1, .value = {type}};
            if (operation == &trial_combinations)
                choices = (trial_choices){.fixed = 3, .value = {of, n, type}};
            run_program(&t, &(trial_lists_given){&shape, -1, set_row, &rows[k], false}, &choices);
        }
    end(&t, 15);
}
END_TEST

/* Lists of ten and one of 5000, which exceeds the capacity of its group: up to the end of the last
 * part of elements, which may be incomplete. */
static void set_last_list(mote_case_lists *lists, mote_rng *rng, const void *about)
{
    (void)rng, (void)about;
    for (size_t k = 0; k < lists->count; k++)
        set(lists, k, 10 * (int64_t)k);
}

/* A helper has a part for each of its work-items: numbers of parts that are multiples, or not. */
START_TEST(test_last_parts)
{
    turn t = {.operation = _i ? &trial_local_index : &trial_parents,
              .tune = "jagged.form=gpu,jagged.variant=3,jagged.group=4",
              .step = 1,
              .running = 1};

    bed_open(&t.b, t.tune);
    for (size_t k = 0; k < 24; k++) {
        size_t n = 262001 + 1999 * k, lists = (n - 5000) / 10 + 1;
        mote_lists_case shape = {
            "the last part", {MOTE_LENGTH_EVEN, lists, 0, (int64_t)n, 0}, 0, 0};
        run(&t, &(trial_lists_given){&shape, -1, set_last_list, NULL, true});
    }
    end(&t, 24);
}
END_TEST

/* ---- small calls, for a simulator and for kernels on the host -------------------------------- */

/* Lists that are longer than a tile of 1024; a list that is longer than a block and is spread;
 * lists of which CPUs process several at a time; and enough lists for several work-items of a CPU.
 * */
static const mote_lists_case small_too[] = {
    {"around 512", {MOTE_LENGTH_BOUNDARY, 9, 0, 512, 0}, 3, 1},
    {"one of 16400", {MOTE_LENGTH_ONE_HUGE, 5, 30, 16400, 0}, 0, 0},
    {"about 60", {MOTE_LENGTH_POISSON, 25, 60, 0, 0}, 0, 20},
    {"5000 of 1", {MOTE_LENGTH_CONSTANT, 5000, 1, 0, 0}, 0, 0},
};

#define SMALL_TOO (sizeof(small_too) / sizeof(small_too[0]))

/* A list for which both forms of sorting merge pieces. */
static const mote_lists_case one_long = {
    "one of 9000", {MOTE_LENGTH_ONE_HUGE, 5, 30, 9000, 0}, 0, 0};

static char small_tune[500]; /* text of MOTE_TUNE, which a bed replaces */

/* Runs cases of the table with at most MOTE_TEST_ELEMENTS elements, with one program each and, if
 * that is not set, the last of the other cases; for reductions and scans, all of these with each
 * program. Scans always run the last one, because three of their kernels need several tiles. */
static void run_small(const trial_operation *operation)
{
    const char *given = getenv("MOTE_TEST_ELEMENTS");
    bool scans = operation == &trial_scan;
    bool each = !given && (operation == &trial_jagged_reduce || scans);
    size_t most = given ? strtoul(given, NULL, 10) : 1100;
    turn t = {.operation = operation, .tune = small_tune, .step = 1, .small = true};

    while (operation->programs[t.running].name)
        t.running++;
    bed_open(&t.b, t.tune);
    for (size_t k = 0; k < mote_lists_case_count(); k++) {
        const mote_lists_case *c = mote_lists_case_at(k);
        size_t elements = (size_t)mote_lengths_add(&c->lengths, &c->lengths).elements;

        bool small = c->lengths.lists <= most && elements <= most && c->first <= (int64_t)most;

        if (small)
            run(&t, &(trial_lists_given){.shape = c, .fault = -1});
    }
    for (size_t k = each ? 0 : SMALL_TOO - 1; k < SMALL_TOO && (!given || scans); k++)
        for (size_t p = 0; p < (each ? t.running : 1); p++)
            run(&t, &(trial_lists_given){.shape = &small_too[k], .fault = -1});
    for (int again = 0; again < 2 && operation == &trial_sort; again++)
        run(&t, &(trial_lists_given){.shape = &one_long, .fault = -1});
    end(&t, 8);
}

START_TEST(test_small_parents)
{
    run_small(_i ? &trial_local_index : &trial_parents);
}
END_TEST

START_TEST(test_small_reduce)
{
    run_small(&trial_jagged_reduce);
}
END_TEST

/* The operations that the tests above do not run. */
START_TEST(test_small_lists)
{
    const trial_operation *operation = operation_at(_i);

    if (operation != &trial_parents && operation != &trial_local_index &&
        operation != &trial_jagged_reduce)
        run_small(operation);
}
END_TEST

Suite *simulated_suite(void)
{
    const char *tune = getenv("MOTE_TUNE");
    Suite *suite = suite_create("simulated");
    int operations = 0;

    while (operation_at(operations))
        operations++;
    snprintf(small_tune, sizeof(small_tune), "%s", tune ? tune : "");
    tcase_add_loop_test(suite_case(suite, "parents", NULL), test_small_parents, 0, 2);
    tcase_add_test(suite_case(suite, "reduce", NULL), test_small_reduce);
    tcase_add_loop_test(suite_case(suite, "lists", NULL), test_small_lists, 0, operations);
    return suite;
}

Suite *calls_suite(void)
{
    static const TTest *const *const tests[] = {&test_cases, &test_faults, &test_garbage};
    Suite *suite = suite_create("calls");
    TCase *forms = suite_case(suite, "forms", NULL);
    TCase *tuned = suite_case(suite, "tuned", SUITE_LONG);

    for (int k = 0; operation_at(k); k++) {
        int tunes = 0, from = k * TUNES;
        while (operation_at(k)->tunes[tunes])
            tunes++;
        for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
            tcase_add_loop_test(forms, *tests[i], from, from + 1);
            tcase_add_loop_test(tuned, *tests[i], from + 1, from + tunes);
        }
    }
    suite_split(forms, tuned, test_many_combinations, 3, 18);
    tcase_add_loop_test(tuned, test_last_parts, 0, 2);
    return suite;
}
