/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the building blocks of cl/common with plain loops, at several work-group sizes. */
#include <stdio.h>

#include "cl_sources.h"
#include "mote/layout/error.h"
#include "common/suite.h"
#include "reduce/words.h"

#define GROUPS      3
#define ROUNDS      7
#define SIZES       6
#define USUAL_SIZES 2
#define CELLS       ((size_t)GROUPS * ROUNDS * b.group)

extern const mote_source mote_cl_common_blocks;

/* One launch on a bed; the group size is that of the test. */
typedef struct block {
    bed bed;
    size_t group;
    mote_call call;
    mote_launch launch;
} block;

static void open(block *b, int which)
{
    static const size_t sizes[SIZES - 1] = {16, 64, 1, 2, 256};
    bed_open(&b->bed, "");
    size_t most = b->bed.ctx->device.max_work_group;
    b->group = which < SIZES - 1 && sizes[which] < most ? sizes[which] : most;
}

static void begin(block *b, const char *kernel)
{
    char defines[32];
    snprintf(defines, sizeof(defines), "-DWG=%zu", b->group);
    bed_ok(mote_call_begin(&b->call, "test", b->bed.ctx, b->bed.in_order, false, 0, NULL, NULL));
    mote_launch_begin(&b->launch, &b->call, &mote_cl_common_blocks, defines, kernel);
}

static void run(block *b, size_t groups)
{
    bed_ok(mote_call_end(&b->call, mote_launch_run(&b->launch, groups, b->group)));
}

static uint32_t *numbers(size_t count)
{
    uint32_t *values = malloc((count + 1) * sizeof(*values));
    ck_assert_ptr_nonnull(values);
    return values;
}

/* The predicate is true in none, all, one and some work-items of a group, depending on the
 * round. */
static uint32_t predicate(size_t round, size_t lid, size_t group, uint32_t *state)
{
    switch (round % 4) {
    case 0:
        return 0;
    case 1:
        return 5;
    case 2:
        return lid == (words_random(state) | round) % group;
    default:
        return words_random(state) % 8 == 0;
    }
}

START_TEST(test_sync_or)
{
    block b;
    uint32_t state = 7;
    open(&b, _i);
    uint32_t *said = numbers(CELLS);
    for (size_t i = 0; i < CELLS; i++)
        said[i] =
            predicate(i / b.group % ROUNDS + i / b.group / ROUNDS, i % b.group, b.group, &state);
    mote_view in = words_create(&b.bed, said, CELLS, 0), out = words_create(&b.bed, NULL, CELLS, 0);
    begin(&b, "try_sync_or");
    mote_launch_mem(&b.launch, "predicate", in.mem);
    mote_launch_u32(&b.launch, "rounds", ROUNDS);
    mote_launch_mem(&b.launch, "result", out.mem);
    run(&b, GROUPS);
    uint32_t *heard = words_read(&b.bed, &out);
    for (size_t row = 0; row < CELLS; row += b.group) {
        uint32_t any = 0;
        for (size_t i = 0; i < b.group; i++)
            any |= said[row + i] != 0;
        for (size_t i = 0; i < b.group; i++)
            ck_assert_msg((heard[row + i] != 0) == any, "row %zu: work-item %zu of %zu heard %u",
                          row / b.group, i, b.group, (unsigned)heard[row + i]);
    }
    free(said);
    free(heard);
    words_free(&in);
    words_free(&out);
    bed_close(&b.bed);
}
END_TEST

START_TEST(test_converge)
{
    block b;
    open(&b, _i);
    mote_view out = words_create(&b.bed, NULL, GROUPS * b.group, 0);
    begin(&b, "try_converge");
    mote_launch_mem(&b.launch, "result", out.mem);
    run(&b, GROUPS);
    uint32_t *rounds = words_read(&b.bed, &out);
    for (size_t i = 0; i < out.count; i++)
        ck_assert_uint_eq(rounds[i], b.group);
    free(rounds);
    words_free(&out);
    bed_close(&b.bed);
}
END_TEST

/* Some rounds have marks. */
START_TEST(test_meet)
{
    block b;
    open(&b, _i);
    const uint32_t marks[] = {(uint32_t)b.group / 2 + 1, 0, (uint32_t)b.group, 1};
    const size_t rounds = sizeof(marks) / sizeof(marks[0]), count = GROUPS * rounds * b.group;
    uint32_t *before = numbers(count);
    for (size_t i = 0; i < count; i++)
        before[i] = 7 * (uint32_t)i;
    mote_view in = words_create(&b.bed, marks, rounds, 0);
    mote_view out = words_create(&b.bed, before, count, 0);
    begin(&b, "try_meet");
    mote_launch_mem(&b.launch, "marks", in.mem);
    mote_launch_u32(&b.launch, "rounds", (uint32_t)rounds);
    mote_launch_mem(&b.launch, "result", out.mem);
    run(&b, GROUPS);
    uint32_t *after = words_read(&b.bed, &out);
    for (size_t i = 0; i < count; i++) {
        uint32_t m = marks[i / b.group % rounds], lid = (uint32_t)(i % b.group);
        ck_assert_msg(after[i] - before[i] == (m ? lid < m : 2 * (lid == 0)),
                      "group of %zu, %u marks: work-item %u added %u", b.group, (unsigned)m,
                      (unsigned)lid, (unsigned)(after[i] - before[i]));
    }
    free(before);
    free(after);
    words_free(&in);
    words_free(&out);
    bed_close(&b.bed);
}
END_TEST

static void check_scan(const block *b, const uint32_t *value, uint32_t *const out[4])
{
    for (size_t row = 0; row < (size_t)GROUPS * ROUNDS; row++) {
        uint32_t all = 0, sum = 0;
        for (size_t i = 0; i < b->group; i++)
            all += value[row * b->group + i];
        for (size_t i = 0; i < b->group; i++) {
            size_t at = row * b->group + i;
            ck_assert_uint_eq(out[0][at], sum);
            sum += value[at];
            ck_assert_uint_eq(out[1][at], sum);
            ck_assert_uint_eq(out[2][at], all);
            ck_assert_uint_eq(out[3][at], all);
        }
    }
}

START_TEST(test_scan)
{
    block b;
    static const char *const names[] = {"exclusive", "inclusive", "total", "total_again"};
    uint32_t state = 11, *out[4];
    mote_view view[4];
    open(&b, _i);
    uint32_t *value = numbers(CELLS);
    for (size_t i = 0; i < CELLS; i++)
        value[i] = i / b.group % ROUNDS == 3 ? words_random(&state) : words_random(&state) & 3;
    mote_view in = words_create(&b.bed, value, CELLS, 0);
    begin(&b, "try_scan");
    mote_launch_mem(&b.launch, "value", in.mem);
    mote_launch_u32(&b.launch, "rounds", ROUNDS);
    for (int k = 0; k < 4; k++) {
        view[k] = words_create(&b.bed, NULL, CELLS, 0);
        mote_launch_mem(&b.launch, names[k], view[k].mem);
    }
    run(&b, GROUPS);
    for (int k = 0; k < 4; k++)
        out[k] = words_read(&b.bed, &view[k]);
    check_scan(&b, value, out);
    for (int k = 0; k < 4; k++) {
        free(out[k]);
        words_free(&view[k]);
    }
    free(value);
    words_free(&in);
    bed_close(&b.bed);
}
END_TEST

/* The existing bins, the number of values and the capacity. */
typedef struct histogram_case {
    uint32_t count, bins, values, capacity;
} histogram_case;

static void check_histogram(const histogram_case *c, const uint32_t *value, const uint32_t *ends,
                            const uint32_t *content)
{
    uint32_t *seen = calloc(c->count + 1, sizeof(*seen)), before = 0;
    ck_assert_ptr_nonnull(seen);
    for (uint32_t bin = 0; bin < c->bins; bin++) {
        ck_assert_uint_eq(ends[bin], before);
        for (uint32_t i = 0; i < c->count; i++)
            before += value[i] == bin;
        for (uint32_t p = ends[bin]; p < before && p < c->capacity; p++) {
            ck_assert_uint_lt(content[p], c->count);
            ck_assert_uint_eq(value[content[p]], bin);
            ck_assert_uint_eq(seen[content[p]]++, 0);
        }
    }
    ck_assert_uint_eq(ends[c->bins], before);
    for (uint32_t p = before < c->capacity ? before : c->capacity; p < c->count; p++)
        ck_assert_uint_eq(content[p], WORDS_POISON);
    free(seen);
}

static void run_histogram(block *b, const histogram_case *c)
{
    uint32_t state = 3 + c->count, *value = numbers(c->count), kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        value[i] = words_random(&state) % c->values;
        kept += value[i] < c->bins;
    }
    mote_view in = words_create(&b->bed, value, c->count, 0);
    mote_view ends = words_create(&b->bed, NULL, c->bins + 1, 0);
    mote_view content = words_create(&b->bed, NULL, c->count, 0);
    mote_view counted = words_create(&b->bed, NULL, b->group, 0);
    begin(b, "try_histogram");
    mote_launch_mem(&b->launch, "value", in.mem);
    mote_launch_u32(&b->launch, "count", c->count);
    mote_launch_u32(&b->launch, "bins", c->bins);
    mote_launch_u32(&b->launch, "capacity", c->capacity);
    mote_launch_mem(&b->launch, "ends_out", ends.mem);
    mote_launch_mem(&b->launch, "content", content.mem);
    mote_launch_mem(&b->launch, "counted", counted.mem);
    mote_launch_local(&b->launch, "ends", (c->bins + 1) * sizeof(uint32_t));
    run(b, 1);
    uint32_t *e = words_read(&b->bed, &ends), *p = words_read(&b->bed, &content);
    uint32_t *k = words_read(&b->bed, &counted);
    for (size_t i = 0; i < b->group; i++)
        ck_assert_uint_eq(k[i], kept);
    check_histogram(c, value, e, p);
    free(value);
    free(e);
    free(p);
    free(k);
    words_free(&in);
    words_free(&ends);
    words_free(&content);
    words_free(&counted);
}

START_TEST(test_histogram)
{
    static const histogram_case cases[] = {
        {1, 1, 1, 1},           {100, 1, 1, 100},      {1000, 160, 160, 1000},
        {1000, 160, 300, 1000}, {1000, 160, 200, 300}, {3000, 1025, 1025, 3000},
        {50, 2000, 3, 50},      {20, 5, 5, 0},
    };
    block b;
    open(&b, _i);
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++)
        run_histogram(&b, &cases[k]);
    bed_close(&b.bed);
}
END_TEST

#define WORD_SLOTS 16
#define NO_SLOT    UINT32_MAX

START_TEST(test_error_report)
{
    block b;
    uint32_t state = 5, none[WORD_SLOTS], lowest[WORD_SLOTS];
    open(&b, _i);
    size_t count = 10 * b.group + 100;
    uint32_t *slot = numbers(count);
    for (size_t s = 0; s < WORD_SLOTS; s++)
        none[s] = lowest[s] = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        slot[i] = words_random(&state) % 40;
        if (slot[i] >= WORD_SLOTS - 1 || i < 13)
            slot[i] = NO_SLOT;
        else if (lowest[slot[i]] == UINT32_MAX)
            lowest[slot[i]] = (uint32_t)i;
    }
    mote_view in = words_create(&b.bed, slot, count, 0);
    mote_view word = words_create(&b.bed, none, WORD_SLOTS, 0);
    const cl_mem words[] = {word.mem, NULL};
    for (int k = 0; k < 2; k++) {
        begin(&b, "try_error_report");
        mote_launch_mem(&b.launch, "slot", in.mem);
        mote_launch_u32(&b.launch, "count", (uint32_t)count);
        mote_launch_mem(&b.launch, "error", words[k]);
        run(&b, GROUPS);
    }
    uint32_t *told = words_read(&b.bed, &word);
    for (size_t s = 0; s < WORD_SLOTS; s++)
        ck_assert_uint_eq(told[s], lowest[s]);
    free(told);
    free(slot);
    words_free(&in);
    words_free(&word);
    bed_close(&b.bed);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("common_blocks");
    TCase *usual = suite_case(suite, "blocks", NULL);
    TCase *rest = suite_case(suite, "sizes", SUITE_THOROUGH);
    suite_split(usual, rest, test_sync_or, USUAL_SIZES, SIZES);
    suite_split(usual, rest, test_converge, USUAL_SIZES, SIZES);
    suite_split(usual, rest, test_meet, USUAL_SIZES, SIZES);
    suite_split(usual, rest, test_scan, USUAL_SIZES, SIZES);
    suite_split(usual, rest, test_histogram, USUAL_SIZES, SIZES);
    suite_split(usual, rest, test_error_report, USUAL_SIZES, SIZES);
    return suites_run(&suite, 1);
}
