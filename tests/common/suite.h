/* SPDX-License-Identifier: Apache-2.0 */
/* Running Check suites in this process (PoCL hangs in forked children), reporting as TAP. */
#ifndef MOTE_TESTS_COMMON_SUITE_H
#define MOTE_TESTS_COMMON_SUITE_H

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct suite_test {
    const char *name;
    const TTest *const *test; /* START_TEST defines a variable */
    bool two_devices;         /* PoCL creates as many as the environment specifies */
    const char *tag;          /* SUITE_LONG or NULL */
} suite_test;

/* Returns the device string of the tests. */
static inline const char *suite_device(void)
{
    const char *device = getenv("MOTE_DEVICE");
    return device ? device : "pocl:0";
}

/* Runs the suites, or those that CK_RUN_SUITE and CK_RUN_CASE select; returns the exit status of
 * the program.
 */
static inline int suites_run(Suite *const *suites, size_t count)
{
    SRunner *runner = srunner_create(NULL);
    for (size_t i = 0; i < count; i++)
        srunner_add_suite(runner, suites[i]);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_set_tap(runner, "-");
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* For a program with several suites: SUITES(SUITE) lists SUITE(x_suite) for each function that
 * creates one; SUITES(SUITE_DECLARED) declares them, and SUITES(SUITE_MADE) calls them. */
#define SUITE_DECLARED(function) Suite *function(void);
#define SUITE_MADE(function)     function(),

/* A case with this tag runs only in the suite `thorough` or `long`. */
#define SUITE_THOROUGH "thorough"
#define SUITE_LONG     "long"

/* A case without a time limit; tag NULL: it is in every run. */
static inline TCase *suite_case(Suite *suite, const char *name, const char *tag)
{
    TCase *one = tcase_create(name);
    tcase_set_timeout(one, 0);
    if (tag)
        tcase_set_tags(one, tag);
    suite_add_tcase(suite, one);
    return one;
}

/* Adds turns 0 .. few - 1 of a test to one case, and the others up to count - 1 to another. */
static inline void suite_split(TCase *usual, TCase *rest, const TTest *test, size_t few,
                               size_t count)
{
    tcase_add_loop_test(usual, test, 0, (int)few);
    tcase_add_loop_test(rest, test, (int)few, (int)count);
}

/* `setup` and `teardown` run around every test; NULL for none. */
static inline int suite_run(const char *name, const suite_test *tests, size_t count,
                            void (*setup)(void), void (*teardown)(void))
{
    Suite *suite = suite_create(name);
    for (size_t i = 0; i < count; i++) {
        if (tests[i].two_devices && strncmp(suite_device(), "pocl", 4) != 0) {
            printf("# left out on one device: %s\n", tests[i].name);
            continue;
        }
        TCase *one = suite_case(suite, tests[i].name, tests[i].tag);
        tcase_add_checked_fixture(one, setup, teardown);
        tcase_add_test(one, *tests[i].test);
    }
    return suites_run(&suite, 1);
}

/* clang-format off */
#define SUITE_TEST(name) {#name, &name, false, NULL}
#define SUITE_TEST_OF_TWO(name) {#name, &name, true, NULL}
#define SUITE_TEST_LONG(name) {#name, &name, false, SUITE_LONG}
/* clang-format on */
#define SUITE_MAIN(name, tests) SUITE_MAIN_FIXTURE(name, tests, NULL, NULL)
#define SUITE_MAIN_FIXTURE(name, tests, setup, teardown)                                           \
    int main(void)                                                                                 \
    {                                                                                              \
        return suite_run(name, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown);        \
    }

#endif
