/* SPDX-License-Identifier: Apache-2.0 */
/* Each described operation compared with its expected results: at every border of its sizes, with
 * every program, at a great length, and after mote_prepare(). Each operation is a suite. Random
 * calls are in tests/property. */
#include <stdlib.h>

#include "common/bed.h"
#include "common/suite.h"
#include "testkit/operation.h"

#define TUNES      16      /* upper limit for an operation */
#define FORMS      2       /* the first ones */
#define SPARSE     7       /* other tunes than FORMS build every seventh program */
#define FEW_SPARSE 20      /* the same for an operation with hundreds of programs or long builds */
#define DRAWS      10      /* of a program */
#define PLAIN      4       /* calls on plain arrays, for a prepared program */
#define MOST       30000   /* elements */
#define LONG       9000001 /* more blocks than a group has work-items */

/* Turn _i of a test is one of an operation's tunes. */
typedef struct turn {
    bed b;
    const trial_operation *operation;
    const char *tune;
    trial_call call;
    uint64_t calls;
} turn;

static void begin(turn *t, int i)
{
    *t = (turn){.operation = trial_operations[i / TUNES]};
    t->tune = t->operation->tunes[i % TUNES];
    bed_open(&t->b, t->tune);
}

static void end(turn *t)
{
    ck_assert_uint_gt(t->calls, 0);
    printf("# %s, %s: %llu calls\n", t->operation->name, t->tune, (unsigned long long)t->calls);
    bed_close(&t->b);
}

/* Draws a call. The seeds of all calls of a turn differ. Returns false if the device cannot run
 * it. */
static bool draw(turn *t, trial_choices *choices, size_t size, bool on_host, bool telling)
{
    uint64_t seed = ++t->calls;
    t->call = (trial_call){.operation = t->operation,
                           .ctx = t->b.ctx,
                           .choices = choices,
                           .seed = seed,
                           .size = size,
                           .most = MOST,
                           .on_host = on_host && t->operation->run_host,
                           .gates = true,
                           .telling = telling};
    return trial_draw(&t->call);
}

static void run(turn *t)
{
    char message[1024];
    bool good = trial_fill(&t->call, message, sizeof(message)) &&
                trial_run(&t->call, t->calls % 2 ? t->b.in_order : t->b.any_order, NULL, message,
                          sizeof(message));
    trial_drop(&t->call);
    ck_assert_msg(good, "MOTE_TUNE=%s: %s", t->tune, message);
}

/* Tests sizes on both sides of each border, with every remainder modulo four, at every alignment.
 */
START_TEST(test_sizes)
{
    turn t;
    begin(&t, _i);
    trial_choices choices = t.operation->programs[0].choices;
    for (const size_t *border = t.operation->borders; *border; border++)
        for (size_t size = *border < 2 ? 0 : *border - 2; size <= *border + 1; size++)
            for (size_t shift = 0; shift < 4; shift++)
                if (draw(&t, &choices, size, t.calls % 5 == 4, shift < 3)) {
                    t.call.shift = shift;
                    run(&t);
                }
    end(&t);
}
END_TEST

START_TEST(test_long)
{
    turn t;
    begin(&t, _i);
    trial_choices choices = t.operation->programs[0].choices;
    if (draw(&t, &choices, LONG, false, true))
        run(&t);
    end(&t);
}
END_TEST

#define TRIAL(name, area, cases)        false,
#define COSTLY_TRIAL(name, area, cases) true,
static const bool costly[] = {
#include "testkit/operations.inc"
};

/* Tests every combination of decisions. For operations with hundreds of programs or long builds,
 * each form runs a different part of the combinations. */
START_TEST(test_programs)
{
    turn t;
    begin(&t, _i);
    trial_choices choices = {.whole = t.operation->whole};
    bool few = choices.whole || costly[_i / TUNES];
    int step = few ? FEW_SPARSE : _i % TUNES < FORMS ? 1 : SPARSE, program = 0;
    do {
        bool all = (program + _i) % step == 0;
        /* The last draw, which permits most decisions, determines the next program. */
        for (int k = all ? 0 : DRAWS - 1; k < DRAWS; k++)
            if (draw(&t, &choices, TRIAL_ANY, k % 5 == 4, false) && all)
                run(&t);
        program++;
    } while (trial_choices_next(&choices));
    printf("# %d programs\n", program);
    end(&t);
}
END_TEST

/* A prepared call neither builds nor allocates. Its size is beyond the first border of scratch.
 * Plain arrays follow, which need the same programs. */
START_TEST(test_prepared)
{
    turn t;
    mote_memory before, after;
    begin(&t, _i);
    for (const trial_program *p = t.operation->programs; p->name; p++) {
        trial_choices choices = p->choices;
        _Alignas(max_align_t) unsigned char args[TRIAL_ARGS_BYTES];
        mote_memory_init(&before);
        mote_memory_init(&after);
        if (!draw(&t, &choices, MOST, false, true))
            continue;
        t.call.workspace = t.call.again = false;
        bed_ok(trial_args(&t.call, args));
        bed_ok(mote_prepare(t.b.ctx, t.operation->number, args));
        if (t.operation->close)
            t.operation->close(&t.call, args);
        bed_ok(mote_context_memory(t.b.ctx, &before));
        run(&t);
        bed_ok(mote_context_memory(t.b.ctx, &after));
        ck_assert_uint_gt(before.programs, 0);
        ck_assert_uint_eq(after.programs, before.programs);
        ck_assert_uint_eq(after.scratch_peak, before.scratch_peak);
        for (int k = 0; k < PLAIN && t.operation->run_host; k++)
            if (draw(&t, &choices, TRIAL_ANY, true, false))
                run(&t);
    }
    end(&t);
}
END_TEST

static Suite *suite_of(int k)
{
    /* The number of an operation's tunes in the usual run and in `thorough`. */
    static const struct {
        const char *name;
        const TTest *const *test;
        int usual, all;
    } tests[] = {{"sizes", &test_sizes, FORMS, TUNES},
                 {"long", &test_long, 1, TUNES},
                 {"programs", &test_programs, 0, TUNES},
                 {"prepared", &test_prepared, 0, FORMS}};
    Suite *suite = suite_create(trial_operations[k]->name);
    int tunes = 0;
    while (trial_operations[k]->tunes[tunes])
        tunes++;
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
        int all = tests[i].all < tunes ? tests[i].all : tunes, begin = k * TUNES;
        int usual = costly[k] ? 0 : tests[i].usual;
        if (costly[k] || (*tests[i].test == test_programs && trial_operations[k]->whole))
            all = FORMS; /* there are hundreds of programs */
        tcase_add_loop_test(suite_case(suite, tests[i].name, NULL), *tests[i].test, begin,
                            begin + usual);
        tcase_add_loop_test(suite_case(suite, tests[i].name, SUITE_THOROUGH), *tests[i].test,
                            begin + usual, begin + all);
    }
    return suite;
}

int main(void)
{
    size_t count = 0;
    while (trial_operations[count])
        count++;
    Suite **suites = calloc(count, sizeof(*suites));
    for (size_t k = 0; suites && k < count; k++)
        suites[k] = suite_of((int)k);
    int code = suites ? suites_run(suites, count) : EXIT_FAILURE;
    free(suites);
    return code;
}
