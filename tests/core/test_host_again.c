/* SPDX-License-Identifier: Apache-2.0 */
/* A caller may promise that an array is unchanged since the last host call. Whatever its address,
 * size, alignment and kind of copy, and whatever calls came in between, the device must have the
 * array's contents. */
#include <limits.h>
#include <string.h>
#include <time.h>

#include "call_bed.h"
#include "testkit/rng.h"
#include "core/host_job.h"
#include "common/suite.h"
#include "faults/inject.h"

#define CALLS ((size_t)3000)
#define SLOTS ((size_t)3)
#define AREAS ((size_t)3)
#define BYTES ((size_t)300000)

/* An array as passed to a call. */
typedef struct array {
    uint32_t *words; /* NULL if the call has no array */
    size_t count;
} array;

/* A slot of the host layer and the memory of its arrays. The last area is pinned memory. */
typedef struct slot {
    char *area[AREAS];
    array last;   /* array of the last call */
    bool changed; /* written since the last call */
} slot;

static bed b;
static mote_device_class own_class;
static mote_rng rng;
static unsigned long long seed;
static slot slots[SLOTS];
static uint32_t next_word;
static size_t skipped; /* copies that the library avoided */

static void change(slot *s, const array *a)
{
    for (size_t i = 0; i < a->count; i++)
        a->words[i] = next_word++;
    s->changed = true;
}

/* Chooses an array, in most cases that of the last call. */
static array choose(const slot *s)
{
    static const size_t counts[] = {0, 1, 10, 100, 50000};
    static const size_t shifts[] = {0, 4, 64, 128};
    if (s->last.words && mote_rng_below(&rng, 4) > 0)
        return s->last;
    if (mote_rng_below(&rng, 6) == 0)
        return (array){0};
    char *area = s->area[mote_rng_below(&rng, AREAS)];
    return (array){(uint32_t *)(void *)(area + shifts[mote_rng_below(&rng, 4)]),
                   counts[mote_rng_below(&rng, 5)]};
}

static bool is_last(const slot *s, const array *a)
{
    return a->words && a->words == s->last.words && a->count == s->last.count;
}

static void check_there(const mote_host *host, const mote_view *view, const array *a, size_t call,
                        size_t k)
{
    static uint32_t there[BYTES / sizeof(uint32_t)];
    if (!a->words || a->count == 0)
        return;
    ck_assert_uint_eq(view->count, a->count);
    bed_ok(clEnqueueReadBuffer(mote_host_queue(host), view->mem, CL_TRUE, 0,
                               a->count * sizeof(uint32_t), there, 0, NULL, NULL));
    ck_assert_msg(
        memcmp(there, a->words, a->count * sizeof(uint32_t)) == 0,
        "call %zu, slot %zu: %zu words, the first is %u instead of %u: MOTE_TEST_SEED=%llu", call,
        k, a->count, (unsigned)there[0], (unsigned)a->words[0], seed);
}

/* Uploads an array for each slot. Some are promised to be unchanged, but only if that is true. */
static mote_status inputs(mote_host_job *job, size_t call)
{
    mote_status st = MOTE_SUCCESS;
    mote_view views[SLOTS] = {{0}};
    array chosen[SLOTS];
    for (size_t k = 0; k < SLOTS; k++)
        chosen[k] = choose(&slots[k]);
    for (size_t k = 0; k < SLOTS && !st; k++) {
        slot *s = &slots[k];
        int writes = faults[FAULT_clEnqueueWriteBuffer].calls;
        if (mote_rng_below(&rng, 2) && (s->changed || !is_last(s, &chosen[k])))
            change(s, &chosen[k]);
        bool vouched = mote_rng_below(&rng, 3) > 0 && !(s->changed && is_last(s, &chosen[k]));
        st = (vouched ? mote_host_job_upload_again : mote_host_job_upload)(
            job, k, chosen[k].words, chosen[k].count, MOTE_UINT32, &views[k]);
        skipped += vouched && is_last(s, &chosen[k]) && chosen[k].count > 0 &&
                   b.ctx->device.device_class == MOTE_DEVICE_GPU &&
                   faults[FAULT_clEnqueueWriteBuffer].calls == writes;
    }
    for (size_t k = 0; k < SLOTS && !st; k++)
        check_there(job->host, &views[k], &chosen[k], call, k);
    for (size_t k = 0; k < SLOTS; k++)
        slots[k] = (slot){.area = {slots[k].area[0], slots[k].area[1], slots[k].area[2]},
                          .last = chosen[k]};
    return st;
}

/* Runs another operation, whose results replace the arrays in the slots. */
static mote_status outputs(mote_host_job *job)
{
    mote_status st = MOTE_SUCCESS;
    for (size_t k = 0; k < SLOTS && !st; k++) {
        const uint32_t zero = 0;
        array to = mote_rng_below(&rng, 2) ? choose(&slots[k]) : (array){0};
        mote_view view = {0};
        if (mote_rng_below(&rng, 3) == 0)
            continue;
        st = mote_host_job_output(job, k, to.words, to.count ? to.count : 10, MOTE_UINT32, &view);
        if (!st)
            st = clEnqueueFillBuffer(mote_host_queue(job->host), view.mem, &zero, sizeof(zero), 0,
                                     view.count * sizeof(zero), 0, NULL, NULL);
        if (!st && to.words && to.count)
            st = mote_host_download(job->host, k, to.words, to.count * sizeof(uint32_t));
    }
    for (size_t k = 0; k < SLOTS; k++)
        slots[k].last = (array){0};
    return st;
}

static void one_call(mote_host *host, size_t call)
{
    mote_host_job job;
    static const char *const tunes[] = {"", "jagged.form=gpu"};
    /* Any device is treated as a GPU in half of the calls, so that arrays are copied. A GPU is
     * never treated as a CPU, because pinned memory would then be plain memory. */
    b.ctx->device.device_class = mote_rng_below(&rng, 2) ? MOTE_DEVICE_GPU : own_class;
    bed_ok(mote_context_tune(b.ctx, tunes[mote_rng_below(&rng, 2)]));
    for (size_t k = 0; k < SLOTS; k++)
        if (slots[k].last.words && mote_rng_below(&rng, 2))
            change(&slots[k], &slots[k].last);
    bool fails = mote_rng_below(&rng, 10) == 0;
    bed_ok(mote_host_job_begin(&job, "trial", b.ctx, host));
    if (fails)
        fault_fail(FAULT_clEnqueueWriteBuffer, 1 + (int)mote_rng_below(&rng, 2), INT_MAX,
                   CL_OUT_OF_RESOURCES);
    mote_status st = mote_rng_below(&rng, 5) ? inputs(&job, call) : outputs(&job);
    if (!st)
        bed_ok(clFinish(mote_host_queue(host)));
    ck_assert(!st || fails);
    ck_assert_int_eq(mote_host_job_end(&job, st), st);
    fault_reset();
}

START_TEST(random_calls)
{
    mote_host *host = NULL;
    const char *given = getenv("MOTE_TEST_SEED");
    seed = given ? strtoull(given, NULL, 10) : (unsigned long long)time(NULL);
    printf("# MOTE_TEST_SEED=%llu\n", seed);
    mote_rng_seed(&rng, seed);
    call_bed_open(&b, NULL);
    own_class = b.ctx->device.device_class;
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    for (size_t k = 0; k < SLOTS; k++) {
        void *pinned = NULL;
        bed_ok(mote_host_alloc(b.ctx, BYTES, &pinned));
        slots[k].area[0] = aligned_alloc(128, (BYTES + 127) / 128 * 128);
        slots[k].area[1] = aligned_alloc(128, (BYTES + 127) / 128 * 128);
        slots[k].area[2] = pinned;
        ck_assert(slots[k].area[0] && slots[k].area[1]);
        for (size_t i = 0; i < AREAS; i++)
            memset(slots[k].area[i], 0, BYTES);
    }
    for (size_t call = 0; call < CALLS; call++)
        one_call(host, call);
    b.ctx->device.device_class = own_class;
    ck_assert_uint_ge(skipped, CALLS / 30);
    mote_host_release(host);
    for (size_t k = 0; k < SLOTS; k++) {
        free(slots[k].area[0]);
        free(slots[k].area[1]);
        mote_host_free(b.ctx, slots[k].area[2]);
    }
    call_bed_close(&b);
}
END_TEST

static const suite_test tests[] = {SUITE_TEST(random_calls)};

SUITE_MAIN("host again", tests)
