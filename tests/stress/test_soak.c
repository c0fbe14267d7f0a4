/* SPDX-License-Identifier: Apache-2.0 */
/* Many calls in one process: memory and handles do not grow, bits do not change. */
#define _DEFAULT_SOURCE
#include <check.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/suite.h"
#include "faults/inject.h"
#include "references.h"

/* The first part of the calls fills the caches of the library, of the driver and of malloc. */
#define WARM_PART 4

/* The growth that timing alone may cause: arenas and free lists of the driver's threads. */
#define BYTES_LET ((size_t)256 * 1024)
#define RSS_LET   ((size_t)4096 * 1024)

typedef struct state {
    size_t malloced, resident;
    int live[FAULT_HANDLES];
    uint64_t programs, scratch;
} state;

/* Sanitizers keep freed memory for a while, so that only the counts are meaningful. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RESIDENT_TELLS 0
#else
#define RESIDENT_TELLS 1
#endif

static size_t resident_bytes(void)
{
    char line[200];
    size_t kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof(line), file))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = strtoull(line + 6, NULL, 10);
    if (file)
        fclose(file);
    return kib * 1024;
}

static state look(mix_user *user)
{
    mote_memory memory;
    mote_memory_init(&memory);
    clFinish(user->in_order);
    clFinish(user->any_order);
    ck_assert_int_eq(mote_context_memory(user->ctx, &memory), MOTE_SUCCESS);
    ck_assert_uint_eq(memory.scratch_busy, 0);
    struct mallinfo2 info = mallinfo2();
    state s = {.malloced = info.uordblks + info.hblkhd,
               .resident = resident_bytes(),
               .programs = memory.programs,
               .scratch = memory.scratch_idle};
    for (int h = 0; h < FAULT_HANDLES; h++)
        s.live[h] = fault_live((fault_handle)h);
    return s;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void calls(const references *refs, mix_user *user, size_t count, mote_rng *rng)
{
    char message[MESSAGE_SIZE];
    void *room = malloc(refs->largest);
    ck_assert_ptr_nonnull(room);
    for (size_t i = 0; i < count; i++) {
        size_t k = mote_rng_below(rng, (uint32_t)refs->mix->count);
        if (!references_again(refs, k, user, room, message, sizeof(message)))
            ck_abort_msg("call %zu: %s", i, message);
    }
    free(room);
}

static void report(const char *when, const state *s)
{
    printf("# %s: %zu bytes of malloc, %zu KiB resident, %zu programs, %zu bytes of scratch\n#   "
           "alive:",
           when, s->malloced, s->resident / 1024, (size_t)s->programs, (size_t)s->scratch);
    for (int h = FAULT_NOTHING + 1; h < FAULT_HANDLES; h++)
        printf(" %s %d", fault_handle_name((fault_handle)h), s->live[h]);
    printf("\n");
}

START_TEST(nothing_grows)
{
    const size_t count = count_from("MOTE_TEST_CALLS", 5000);
    char message[MESSAGE_SIZE];
    references refs;
    mix_user user;
    mote_rng rng;
    mote_rng_seed(&rng, 1);
    fault_track(true);
    references_make(&refs, 0);
    mote_context *ctx = open_context();
    ck_assert_msg(mix_user_open(&user, ctx, message, sizeof(message)), "%s", message);
    for (size_t k = 0; k < refs.mix->count; k++) /* makes every program */
        calls(&(references){&(mixture){.calls = &refs.mix->calls[k], .count = 1}, &refs.results[k],
                            refs.largest},
              &user, 1, &rng);
    calls(&refs, &user, count / WARM_PART, &rng);
    const state before = look(&user);
    double start = seconds();
    calls(&refs, &user, count - count / WARM_PART, &rng);
    double took = seconds() - start;
    const state after = look(&user);
    report("before", &before);
    report("after", &after);
    printf("# %zu calls of %zu kinds, %.1f us each\n", count, refs.mix->count,
           1e6 * took / (double)(count - count / WARM_PART));
    for (int h = 0; h < FAULT_HANDLES; h++)
        ck_assert_msg(before.live[h] == after.live[h], "%d %s became %d", before.live[h],
                      fault_handle_name((fault_handle)h), after.live[h]);
    ck_assert_uint_eq(before.programs, after.programs);
    ck_assert_uint_eq(before.scratch, after.scratch);
    ck_assert_uint_le(after.malloced, before.malloced + BYTES_LET);
    if (RESIDENT_TELLS)
        ck_assert_uint_le(after.resident, before.resident + RSS_LET);
    mix_user_close(&user);
    mote_context_release(ctx);
    references_free(&refs);
    fault_track(false);
    mote_context_memory(
        NULL, NULL); /* the sentence of this call replaces the last one, which was counted */
    for (int h = 0; h < FAULT_HANDLES; h++)
        ck_assert_msg(fault_live((fault_handle)h) == 0, "%d %s remain", fault_live((fault_handle)h),
                      fault_handle_name((fault_handle)h));
}
END_TEST

static const suite_test tests[] = {SUITE_TEST(nothing_grows)};

SUITE_MAIN("soak", tests)
