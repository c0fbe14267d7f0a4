/* SPDX-License-Identifier: Apache-2.0 */
/* A call that fails before it enqueues anything returns its block unchanged. */
#include "core/scratch.h"
#include "common/suite.h"

typedef struct bed {
    mote_context *ctx;
    cl_command_queue mine, other;
    cl_event running; /* completes when the test sets it */
} bed;

static void bed_open(bed *b)
{
    cl_int code = CL_SUCCESS;
    ck_assert_msg(!mote_context_open(NULL, &b->ctx), "%s", mote_last_error());
    ck_assert_int_eq(mote_context_queue(b->ctx, 0, &b->mine), MOTE_SUCCESS);
    ck_assert_int_eq(mote_context_queue(b->ctx, 0, &b->other), MOTE_SUCCESS);
    b->running = clCreateUserEvent(mote_context_cl(b->ctx), &code);
    ck_assert_int_eq(code, CL_SUCCESS);
}

static void bed_close(bed *b)
{
    clReleaseEvent(b->running);
    clReleaseCommandQueue(b->mine);
    clReleaseCommandQueue(b->other);
    mote_context_release(b->ctx);
}

static cl_mem lend(bed *b, cl_command_queue queue, mote_scratch_block **block)
{
    cl_mem mem = NULL;
    int fresh = 0;
    ck_assert_msg(!mote_scratch_acquire(b->ctx, "test", queue, true, 1000, block, &mem, &fresh),
                  "%s", mote_last_error());
    return mem;
}

START_TEST(keeps_the_last_user)
{
    bed b;
    mote_scratch_block *first, *second;
    bed_open(&b);
    cl_mem mem = lend(&b, b.mine, &first);
    mote_scratch_give_back(b.ctx, first, b.mine, true, b.running);

    ck_assert_ptr_eq(lend(&b, b.mine, &first), mem);
    mote_scratch_give_back_unused(b.ctx, first);
    ck_assert_ptr_ne(lend(&b, b.other, &second), mem);
    mote_scratch_give_back_unused(b.ctx, second);

    mote_memory memory;
    mote_memory_init(&memory);
    ck_assert_int_eq(mote_context_memory(b.ctx, &memory), MOTE_SUCCESS);
    ck_assert_uint_gt(memory.scratch_busy, 0);
    ck_assert_uint_gt(memory.scratch_idle, 0);

    clSetUserEventStatus(b.running, CL_COMPLETE);
    ck_assert_int_eq(mote_context_trim(b.ctx), MOTE_SUCCESS);
    ck_assert_int_eq(mote_context_memory(b.ctx, &memory), MOTE_SUCCESS);
    ck_assert_uint_eq(memory.scratch_busy + memory.scratch_idle, 0);
    bed_close(&b);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(keeps_the_last_user),
};

SUITE_MAIN("scratch_unused", tests)
