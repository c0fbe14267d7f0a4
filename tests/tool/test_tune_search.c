/* SPDX-License-Identifier: Apache-2.0 */
/* The decisions and the output of mote tune. Times, results and the clock are simulated: this file
 * replaces the functions of the benchmark and of the library that the search calls. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "common/suite.h"
#include "tool/tool.h"
#include "tool/tune/file.h"
#include "tool/tune/search.h"

#define NEVER    1e9 /* an end that the clock does not reach */
#define ROUNDS   9   /* rounds of timing, if there is enough time */
#define MOST_ROW 8

/* The times of calls with certain values. */
typedef struct row {
    const char *values;
    double us[2]; /* on each set; 0 = wrong results */
    double noise; /* added to every other round */
    double later; /* us on the first set from round `change` on; 0 = as before */
    unsigned change;
    unsigned timed[2]; /* rounds so far */
} row;

static struct {
    row rows[MOST_ROW];
    int set;          /* current set of the benchmark */
    double clock;     /* advances by a second in each round */
    const char *now;  /* values of the context */
    unsigned checked; /* results compared */
    bool left_out;    /* the benchmark skips the call on the second set */
    bool fails;       /* no call can be timed */
} world;

static const tune_group group = {
    .name = "group",
    .area = "pixels",
    .way = "way",
    .sets = {"first", "second"},
    .keys = {{"a.x", {1, 2}}, {"a.y", {3}}},
};

static row *find_row(const char *values)
{
    for (int i = 0; i < MOST_ROW && world.rows[i].values; i++)
        if (strcmp(world.rows[i].values, values) == 0)
            return &world.rows[i];
    ck_abort_msg("nobody was to try \"%s\"", values);
    return NULL;
}

double tool_seconds(void)
{
    return world.clock;
}

int tool_fail(int code, const char *format, ...)
{
    (void)format;
    return code;
}

const char *mote_last_error(void)
{
    return "made up";
}

mote_status mote_context_tune(mote_context *ctx, const char *text)
{
    (void)ctx;
    world.now = find_row(text)->values;
    return MOTE_SUCCESS;
}

static mote_bench_status check(void *job)
{
    (void)job;
    world.checked++;
    return find_row(world.now)->us[world.set] > 0 ? MOTE_BENCH_OK : MOTE_BENCH_DISAGREE;
}

mote_status mote_time_call(cl_command_queue queue, mote_timed_fn call, void *job,
                           mote_repeats repeats, mote_call_times *out)
{
    (void)queue;
    (void)call;
    (void)job;
    (void)repeats;
    row *r = find_row(world.now);
    unsigned round = r->timed[world.set]++;
    double us = world.set == 0 && round >= r->change && r->later > 0 ? r->later : r->us[world.set];
    ck_assert_msg(us > 0, "wrong results of \"%s\" were timed", r->values);
    world.clock += 1;
    *out = (mote_call_times){.device.median = us + (round % 2 ? r->noise : 0), .runs = 1};
    return world.fails ? CL_OUT_OF_RESOURCES : MOTE_SUCCESS;
}

mote_bench_status mote_bench(const mote_bench_options *options, char *message, size_t size)
{
    static const char *const ways[] = {"another way", "way", "way"};
    mote_bench_status status = MOTE_BENCH_OK;
    (void)message;
    (void)size;
    world.set = strcmp(options->set, group.sets[0]) == 0 ? 0 : 1;
    for (int i = 0; i < 3 && !status; i++) {
        mote_bench_trial trial = {.area = "pixels", .call = "c", .way = ways[i], .check = check};
        if (world.set == 1 && world.left_out)
            trial.way = "another way";
        status = options->trial(&trial, options->trial_user);
    }
    return status;
}

/* Runs the search with these rows, where the first call begins at 0 s. */
static tune_found searched(double end)
{
    tune_found found;
    ck_assert_int_eq(tune_search(NULL, &group, end, &found), TOOL_DONE);
    ck_assert(found.timed);
    return found;
}

static void set_world(const row *rows, size_t count)
{
    memset(&world, 0, sizeof(world));
    memcpy(world.rows, rows, count * sizeof(*rows));
}

/* Microseconds with some values, on each set. */
#define CALL(text, first, second) .values = text, .us = {first, second}

#define WORLD(...)                                                                                 \
    set_world((const row[]){__VA_ARGS__}, sizeof((const row[]){__VA_ARGS__}) / sizeof(row))

static void stays_default(const tune_found *found, double us)
{
    ck_assert_str_eq(found->text, "");
    ck_assert_double_eq(found->usual_us, us);
    ck_assert_double_eq(found->us, us);
}

START_TEST(gain_is_kept)
{
    WORLD({CALL("", 100, 50)}, {CALL("a.x=1", 94, 40)}, {CALL("a.x=2", 80, 40)},
          {CALL("a.x=2,a.y=3", 60, 30)});
    tune_found found = searched(NEVER);
    ck_assert_str_eq(found.text, "a.x=2,a.y=3");
    ck_assert_double_eq(found.usual_us, 100);
    ck_assert_double_eq(found.us, 60);
    ck_assert(!found.lost);
    ck_assert_uint_eq(found.wrong, 0);
}
END_TEST

START_TEST(wrong_result_is_dropped)
{
    WORLD({CALL("", 100, 50)}, {CALL("a.x=1", 0, 1)}, {CALL("a.x=2", 80, 40)},
          {CALL("a.x=2,a.y=3", 0, 1)});
    tune_found found = searched(NEVER);
    ck_assert_str_eq(found.text, "a.x=2");
    ck_assert_double_eq(found.us, 80);
    ck_assert_uint_eq(found.wrong, 2);
}
END_TEST

/* A default that gives wrong results cannot be compared. */
START_TEST(wrong_default_ends_it)
{
    tune_found found;
    WORLD({CALL("", 0, 0)}, {CALL("a.x=1", 1, 1)}, {CALL("a.x=2", 1, 1)});
    ck_assert_int_eq(tune_search(NULL, &group, NEVER, &found), TOOL_DISAGREE);
    ck_assert_uint_eq(world.checked, 1);
    ck_assert_str_eq(found.text, "");
}
END_TEST

START_TEST(small_gain_keeps_the_default)
{
    WORLD({CALL("", 100, 50)}, {CALL("a.x=1", 96, 10)}, {CALL("a.x=2", 97, 10)},
          {CALL("a.y=3", 95.5, 10)});
    tune_found found = searched(NEVER);
    stays_default(&found, 100);
    ck_assert(!found.lost);
    ck_assert_uint_eq(world.rows[1].timed[1], 0);
}
END_TEST

/* A much lower median, but overlapping rounds. */
START_TEST(noise_keeps_the_default)
{
    WORLD({CALL("", 100, 50), .noise = 40}, {CALL("a.x=1", 60, 10), .noise = 60},
          {CALL("a.x=2", 200, 10)}, {CALL("a.y=3", 200, 10)});
    tune_found found = searched(NEVER);
    stays_default(&found, 100);
}
END_TEST

/* The best of several values was lucky: timed again, it is as slow as the default. */
START_TEST(luck_keeps_the_default)
{
    WORLD({CALL("", 100, 50)}, {CALL("a.x=1", 50, 10), .later = 100, .change = ROUNDS},
          {CALL("a.x=2", 200, 10)}, {CALL("a.y=3", 200, 10)});
    tune_found found = searched(NEVER);
    stays_default(&found, 100);
    ck_assert_uint_eq(world.rows[1].timed[0], 2 * ROUNDS);
}
END_TEST

/* A gain that exists in one key's rounds, but not compared with the default at the end. */
START_TEST(fading_gain_keeps_the_default)
{
    WORLD({CALL("", 100, 50)}, {CALL("a.x=1", 50, 10), .later = 100, .change = 2 * ROUNDS},
          {CALL("a.x=2", 200, 10)}, {CALL("a.x=1,a.y=3", 200, 10)});
    tune_found found = searched(NEVER);
    stays_default(&found, 100);
    ck_assert_uint_eq(world.rows[1].timed[1], 0);
}
END_TEST

/* The second set decides on the values that were best on the first one. */
static void second_set(double us)
{
    WORLD({CALL("", 100, 50)}, {CALL("a.x=1", 60, us)}, {CALL("a.x=2", 80, 40)},
          {CALL("a.x=1,a.y=3", 200, 10)});
}

static void second_set_loses(unsigned wrong)
{
    tune_found found = searched(NEVER);
    stays_default(&found, 100);
    ck_assert(found.lost);
    ck_assert_uint_eq(found.wrong, wrong);
}

START_TEST(second_set_rejects)
{
    second_set(52);
    second_set_loses(0);
}
END_TEST

START_TEST(second_set_may_lose_a_little)
{
    second_set(50.5);
    tune_found found = searched(NEVER);
    ck_assert_str_eq(found.text, "a.x=1");
    ck_assert(!found.lost);
}
END_TEST

START_TEST(second_set_gives_wrong_results)
{
    second_set(0);
    second_set_loses(1);
}
END_TEST

START_TEST(second_set_is_left_out)
{
    second_set(10);
    world.left_out = true;
    second_set_loses(0);
}
END_TEST

/* In this case no key is tried. */
START_TEST(time_is_over_before_the_first_key)
{
    WORLD({CALL("", 100, 50)});
    tune_found found = searched(0);
    stays_default(&found, 100);
    ck_assert_uint_eq(world.rows[0].timed[0], 2 * 3);
}
END_TEST

/* The first key is completed with few rounds, and the second one is not changed. */
START_TEST(time_is_over_within_a_key)
{
    WORLD({CALL("", 100, 50)}, {CALL("a.x=1", 60, 40)}, {CALL("a.x=2", 80, 40)});
    tune_found found = searched(2);
    ck_assert_str_eq(found.text, "a.x=1");
    ck_assert_uint_eq(world.rows[2].timed[0], 3);
    ck_assert_double_lt(world.clock, 30);
}
END_TEST

START_TEST(failure_is_told)
{
    tune_found found;
    WORLD({CALL("", 100, 50)}, {CALL("a.x=1", 60, 40)}, {CALL("a.x=2", 80, 40)});
    world.fails = true;
    ck_assert_int_eq(tune_search(NULL, &group, NEVER, &found), TOOL_DEVICE);
    ck_assert_str_eq(found.text, "");
    ck_assert(!found.timed);
}
END_TEST

/* The written file, in memory. */
struct out_file {
    size_t length;
    char text[2048];
};

void out_bytes(out_file *out, const void *bytes, size_t count)
{
    ck_assert_uint_lt(count, sizeof(out->text) - out->length);
    memcpy(out->text + out->length, bytes, count);
    out->length += count;
    out->text[out->length] = '\0';
}

void out_text(out_file *out, const char *text)
{
    out_bytes(out, text, strlen(text));
}

void out_print(out_file *out, const char *format, ...)
{
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof(text), format, values);
    va_end(values);
    out_text(out, text);
}

#define OWN   "[device]\nname = d\nplatform = p\ndriver = 1\n"
#define OTHER "[device]\nname = d\nplatform = p\ndriver = 2\na.x = 7\n"

START_TEST(values_are_written)
{
    static const mote_device_info device = {.name = "d", .platform = "p", .driver = "1"};
    WORLD({CALL("", 100, 50)}, {CALL("a.x=1", 94, 40)}, {CALL("a.x=2", 80, 40)},
          {CALL("a.x=2,a.y=3", 60, 30)});
    tune_found found = searched(NEVER);
    out_file out = {0};
    tune_file_write(&out, "# mine\n" OWN "a.y = 9\n" OTHER, &device, found.text);
    ck_assert_str_eq(out.text, "# mine\n" OTHER OWN "a.x = 2\na.y = 3\n");
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(gain_is_kept),
    SUITE_TEST(wrong_result_is_dropped),
    SUITE_TEST(wrong_default_ends_it),
    SUITE_TEST(small_gain_keeps_the_default),
    SUITE_TEST(noise_keeps_the_default),
    SUITE_TEST(luck_keeps_the_default),
    SUITE_TEST(fading_gain_keeps_the_default),
    SUITE_TEST(second_set_rejects),
    SUITE_TEST(second_set_may_lose_a_little),
    SUITE_TEST(second_set_gives_wrong_results),
    SUITE_TEST(second_set_is_left_out),
    SUITE_TEST(time_is_over_before_the_first_key),
    SUITE_TEST(time_is_over_within_a_key),
    SUITE_TEST(failure_is_told),
    SUITE_TEST(values_are_written),
};

SUITE_MAIN("tune_search", tests)
