/* SPDX-License-Identifier: Apache-2.0 */
/* Which calls may reuse scratch and when, the reported sizes, and the allocated memory. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "call_bed.h"
#include "common/suite.h"
#include "faults/inject.h"

#define N       ((size_t)1000)
#define KIB     ((size_t)1024)
#define THREADS 8
#define CALLS   200

static bed b;

static void setup(void)
{
    call_bed_open(&b, NULL);
    fault_reset();
}

static void teardown(void)
{
    fault_reset();
    call_bed_close(&b);
    ck_assert_int_eq(fault_live(FAULT_MEM), 0);
    ck_assert_int_eq(fault_live(FAULT_EVENT), 0);
}

static mote_scratch_block *acquire(cl_command_queue queue, bool in_order, size_t bytes, int *fresh)
{
    mote_scratch_block *block = NULL;
    cl_mem mem = NULL;
    size_t size = 0;
    bed_ok(mote_scratch_acquire(b.ctx, "trial", queue, in_order, bytes, &block, &mem, fresh));
    ck_assert_int_eq(clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(size), &size, NULL), CL_SUCCESS);
    ck_assert_uint_ge(size, bytes);
    ck_assert_uint_eq(size, mote_scratch_size(block));
    return block;
}

static cl_event gate(void)
{
    cl_int code;
    cl_event event = clCreateUserEvent(mote_context_cl(b.ctx), &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return event;
}

START_TEST(reuse)
{
    cl_event running = gate();
    int fresh = 0;
    mote_scratch_block *first = acquire(b.in_order, true, 100 * KIB, &fresh);
    ck_assert_int_eq(fresh, 1);
    mote_scratch_zeroed(first, true);
    mote_scratch_give_back(b.ctx, first, b.in_order, true, running);
    mote_scratch_block *other = acquire(b.any_order, false, 100 * KIB, &fresh);
    ck_assert_ptr_ne(other, first);
    ck_assert_int_eq(fresh, 1);
    mote_scratch_block *same = acquire(b.in_order, true, 100 * KIB, &fresh);
    ck_assert_ptr_eq(same, first);
    ck_assert_int_eq(fresh, 0);
    mote_scratch_give_back(b.ctx, same, b.in_order, true, running);
    mote_scratch_drop(b.ctx, other);
    clSetUserEventStatus(running, CL_COMPLETE);
    other = acquire(b.any_order, false, 100 * KIB, &fresh);
    ck_assert_ptr_eq(other, first);
    mote_scratch_give_back_unused(b.ctx, other);
    clReleaseEvent(running);
}
END_TEST

/* Without an event, a marker shows when the queue is done with a block. */
START_TEST(reuse_without_event)
{
    cl_event running = gate(), waits;
    int fresh;
    mote_scratch_block *first = acquire(b.in_order, true, KIB, &fresh);
    ck_assert_int_eq(clEnqueueMarkerWithWaitList(b.in_order, 1, &running, &waits), CL_SUCCESS);
    fault_reset();
    mote_scratch_give_back(b.ctx, first, b.in_order, true, NULL);
    ck_assert_ptr_eq(acquire(b.in_order, true, KIB, &fresh), first);
    mote_scratch_give_back(b.ctx, first, b.in_order, true, NULL);
    ck_assert_int_eq(faults[FAULT_clEnqueueMarkerWithWaitList].calls, 0);
    mote_scratch_block *second = acquire(b.any_order, false, KIB, &fresh);
    ck_assert_ptr_ne(second, first);
    ck_assert_int_eq(faults[FAULT_clEnqueueMarkerWithWaitList].calls, 1);
    ck_assert_uint_eq(bed_memory(b.ctx).scratch_busy, 128 * KIB);
    clSetUserEventStatus(running, CL_COMPLETE);
    clFinish(b.in_order);
    mote_scratch_block *third = acquire(b.any_order, false, KIB, &fresh);
    ck_assert_ptr_eq(third, first);
    ck_assert_int_eq(faults[FAULT_clEnqueueMarkerWithWaitList].calls, 1);
    mote_scratch_give_back_unused(b.ctx, second);
    mote_scratch_give_back_unused(b.ctx, third);
    clReleaseEvent(waits);
    clReleaseEvent(running);
}
END_TEST

/* An out-of-order queue does not order commands by itself. */
START_TEST(no_early_reuse_out_of_order)
{
    cl_event running = gate();
    int fresh;
    mote_scratch_block *first = acquire(b.any_order, false, KIB, &fresh);
    mote_scratch_give_back(b.ctx, first, b.any_order, false, running);
    mote_scratch_block *second = acquire(b.any_order, false, KIB, &fresh);
    ck_assert_ptr_ne(second, first);
    mote_scratch_give_back_unused(b.ctx, second);
    clSetUserEventStatus(running, CL_COMPLETE);
    clReleaseEvent(running);
}
END_TEST

/* Failed work is complete as well, but the contents of its block are unknown. */
START_TEST(reuse_after_failure)
{
    cl_event running = gate();
    int fresh;
    mote_scratch_block *first = acquire(b.any_order, false, KIB, &fresh);
    mote_scratch_zeroed(first, true);
    mote_scratch_give_back(b.ctx, first, b.any_order, false, running);
    clSetUserEventStatus(running, -5);
    mote_scratch_block *second = acquire(b.any_order, false, KIB, &fresh);
    ck_assert_ptr_eq(second, first);
    ck_assert(!mote_scratch_is_sure(second));
    mote_scratch_give_back_unused(b.ctx, second);
    clReleaseEvent(running);
}
END_TEST

START_TEST(sizes)
{
    int fresh;
    mote_scratch_block *small = acquire(b.in_order, true, 1, &fresh);
    mote_scratch_block *large = acquire(b.in_order, true, 1024 * KIB, &fresh);
    ck_assert_uint_eq(mote_scratch_size(small), 64 * KIB);
    ck_assert_uint_le(mote_scratch_size(large), 1024 * KIB * 5 / 4 + 64 * KIB);
    mote_scratch_give_back_unused(b.ctx, small);
    mote_scratch_give_back_unused(b.ctx, large);
    mote_scratch_block *fits = acquire(b.in_order, true, 64 * KIB, &fresh);
    ck_assert_ptr_eq(fits, small);
    mote_scratch_block *second = acquire(b.in_order, true, 64 * KIB, &fresh);
    ck_assert_ptr_ne(second, large); /* out of proportion */
    mote_scratch_block *third = acquire(b.in_order, true, 300 * KIB, &fresh);
    ck_assert_ptr_eq(third, large);
    mote_scratch_give_back_unused(b.ctx, fits);
    mote_scratch_give_back_unused(b.ctx, second);
    mote_scratch_give_back_unused(b.ctx, third);
}
END_TEST

START_TEST(report_and_trim)
{
    cl_event running = gate();
    int fresh;
    mote_memory none = bed_memory(b.ctx);
    ck_assert_uint_eq(none.scratch_busy + none.scratch_idle + none.scratch_peak, 0);
    mote_scratch_block *first = acquire(b.any_order, false, KIB, &fresh);
    mote_scratch_block *second = acquire(b.any_order, false, KIB, &fresh);
    ck_assert_uint_eq(bed_memory(b.ctx).scratch_busy, 128 * KIB);
    mote_scratch_give_back_unused(b.ctx, first);
    mote_scratch_give_back(b.ctx, second, b.any_order, false, running);
    ck_assert_uint_eq(bed_memory(b.ctx).scratch_busy, 64 * KIB);
    ck_assert_uint_eq(bed_memory(b.ctx).scratch_idle, 64 * KIB);
    bed_ok(mote_context_trim(b.ctx));
    ck_assert_uint_eq(bed_memory(b.ctx).scratch_busy, 64 * KIB);
    ck_assert_uint_eq(bed_memory(b.ctx).scratch_idle, 0);
    clSetUserEventStatus(running, CL_COMPLETE);
    ck_assert_uint_eq(bed_memory(b.ctx).scratch_idle, 64 * KIB);
    bed_ok(mote_context_trim(b.ctx));
    const mote_memory end = bed_memory(b.ctx);
    ck_assert_uint_eq(end.scratch_busy + end.scratch_idle, 0);
    ck_assert_uint_eq(end.scratch_peak, 128 * KIB);
    ck_assert_int_eq(fault_live(FAULT_MEM), 0);
    clReleaseEvent(running);
}
END_TEST

/* The marker of an idle queue may complete later. Nothing waits for work that still runs. */
START_TEST(trim_without_event)
{
    cl_event running = gate(), waits;
    int fresh;
    mote_scratch_block *block = acquire(b.in_order, true, KIB, &fresh);
    ck_assert_int_eq(clEnqueueMarkerWithWaitList(b.in_order, 1, &running, &waits), CL_SUCCESS);
    mote_scratch_give_back(b.ctx, block, b.in_order, true, NULL);
    fault_reset();
    bed_ok(mote_context_trim(b.ctx));
    int polls = faults[FAULT_clGetEventInfo].calls;
    ck_assert_int_gt(polls, 10);
    bed_ok(mote_context_trim(b.ctx));
    ck_assert_int_eq(faults[FAULT_clGetEventInfo].calls, polls + 1);
    ck_assert_uint_eq(bed_memory(b.ctx).scratch_busy, 64 * KIB);
    clSetUserEventStatus(running, CL_COMPLETE);
    clFinish(b.in_order);
    bed_ok(mote_context_trim(b.ctx));
    ck_assert_uint_eq(bed_memory(b.ctx).scratch_busy, 0);
    ck_assert_int_eq(fault_live(FAULT_MEM), 0);
    clReleaseEvent(waits);
    clReleaseEvent(running);
}
END_TEST

START_TEST(memory_refuses)
{
    mote_memory memory = {0};
    mote_memory_init(NULL);
    bed_refused(mote_context_memory(b.ctx, &memory), MOTE_ERROR_INVALID_STRUCT,
                "mote_memory_init()");
    bed_refused(mote_context_memory(NULL, &memory), MOTE_ERROR_INVALID_ARGUMENT, "ctx");
    bed_refused(mote_context_memory(b.ctx, NULL), MOTE_ERROR_INVALID_ARGUMENT, "memory");
    bed_refused(mote_context_trim(NULL), MOTE_ERROR_INVALID_ARGUMENT, "ctx");
    memory.size = offsetof(mote_memory, scratch_peak);
    memory.scratch_peak = 77;
    bed_ok(mote_context_memory(b.ctx, &memory));
    ck_assert_uint_eq(memory.scratch_peak, 77);
    ck_assert_uint_eq(memory.size, offsetof(mote_memory, scratch_peak));
}
END_TEST

START_TEST(too_much)
{
    mote_scratch_block *block;
    cl_mem mem;
    int fresh;
    size_t most = (size_t)mote_context_device(b.ctx)->max_alloc_bytes;
    char number[32];
    snprintf(number, sizeof(number), "%zu", most);
    bed_refused(
        mote_scratch_acquire(b.ctx, "trial", b.in_order, true, most + 1, &block, &mem, &fresh),
        MOTE_ERROR_OUT_OF_DEVICE_MEMORY, number);
    bed_refused(
        mote_scratch_acquire(b.ctx, "trial", b.in_order, true, SIZE_MAX, &block, &mem, &fresh),
        MOTE_ERROR_OUT_OF_DEVICE_MEMORY, number);
    ck_assert_int_eq(faults[FAULT_clCreateBuffer].calls, 0);
}
END_TEST

/* A failed allocation releases idle memory and is repeated without the reserve. */
START_TEST(allocation_fails)
{
    mote_scratch_block *block;
    cl_mem mem;
    int fresh;
    block = acquire(b.in_order, true, KIB, &fresh);
    mote_scratch_give_back_unused(b.ctx, block);
    fault_fail(FAULT_clCreateBuffer, 1, 1, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    block = acquire(b.in_order, true, 1000 * KIB, &fresh);
    ck_assert_uint_eq(mote_scratch_size(block), 1000 * KIB);
    ck_assert_uint_eq(bed_memory(b.ctx).scratch_busy, 1000 * KIB);
    ck_assert_uint_eq(bed_memory(b.ctx).scratch_idle, 0);
    fault_fail(FAULT_clCreateBuffer, 1, 2, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    mote_scratch_block *second = block;
    bed_refused(mote_scratch_acquire(b.ctx, "trial", b.in_order, true, 999, &second, &mem, &fresh),
                MOTE_ERROR_OUT_OF_DEVICE_MEMORY, "1024000 bytes of scratch in use");
    ck_assert_ptr_null(second);
    fault_fail(FAULT_clCreateBuffer, 1, 1, CL_INVALID_CONTEXT);
    bed_refused(mote_scratch_acquire(b.ctx, "trial", b.in_order, true, 999, &second, &mem, &fresh),
                CL_INVALID_CONTEXT, "clCreateBuffer");
    mote_scratch_give_back_unused(b.ctx, block);
}
END_TEST

/* A prepared block is zeroed by the first call, which allocates nothing. */
START_TEST(prepared)
{
    cl_mem mem = bed_numbers(&b, N);
    bed_ok(bed_call(b.ctx, NULL, NULL, N, 1, 1, 4 * N, 0, NULL, NULL));
    ck_assert_int_eq(faults[FAULT_clEnqueueNDRangeKernel].calls +
                         faults[FAULT_clEnqueueFillBuffer].calls +
                         faults[FAULT_clEnqueueMarkerWithWaitList].calls,
                     0);
    ck_assert_uint_eq(bed_memory(b.ctx).scratch_idle, 64 * KIB);
    ck_assert_uint_eq(bed_memory(b.ctx).programs, 1);
    fault_reset();
    bed_ok(bed_call(b.ctx, b.in_order, mem, N, 3, 1, 4 * N, 0, NULL, NULL));
    bed_ok(bed_call(b.ctx, b.in_order, mem, N, 5, 2, 4 * N, 0, NULL, NULL));
    ck_assert_int_eq(faults[FAULT_clCreateBuffer].calls, 0);
    ck_assert_int_eq(faults[FAULT_clEnqueueFillBuffer].calls, 1);
    ck_assert_uint_eq(bed_memory(b.ctx).programs, 1);
    bed_expect(&b, mem, N, 15, 7);
    clReleaseMemObject(mem);
}
END_TEST

START_TEST(workspace)
{
    cl_mem mem = bed_numbers(&b, 4096);
    const mote_view good = {.mem = mem, .offset = 32, .count = 250, .type = MOTE_UINT32};
    const mote_view odd = {.mem = mem, .offset = 1, .count = 266, .type = MOTE_UINT32};
    const mote_view small = {.mem = mem, .offset = 0, .count = 249, .type = MOTE_UINT32};
    mote_view scratch;
    mote_call call;
    fault_reset();
    bed_ok(mote_call_begin(&call, "trial", b.ctx, b.in_order, false, 0, NULL, NULL));
    bed_ok(mote_call_scratch(&call, N, &good, &scratch));
    ck_assert_uint_eq(scratch.offset, 32);
    ck_assert_uint_eq(scratch.count, 250);
    bed_ok(mote_call_scratch(&call, N, &odd, &scratch));
    ck_assert_uint_eq(scratch.offset, 16);
    bed_refused(mote_call_scratch(&call, N, &small, &scratch), MOTE_ERROR_INVALID_ARGUMENT,
                "workspace");
    bed_ok(mote_call_scratch(&call, 0, &small, &scratch));
    ck_assert_ptr_null(scratch.mem);
    bed_ok(mote_call_end(&call, MOTE_SUCCESS));
    ck_assert_int_eq(faults[FAULT_clCreateBuffer].calls, 0);
    clReleaseMemObject(mem);
}
END_TEST

START_TEST(carve)
{
    mote_carve counting = {0}, carving = {.scratch = {(cl_mem)&b, 16, 4096, MOTE_UINT32}};
    mote_carve *both[] = {&counting, &carving};
    for (int i = 0; i < 2; i++) {
        mote_view piece = mote_carve_take(both[i], 3, MOTE_UINT8);
        ck_assert_uint_eq(piece.offset, both[i]->scratch.offset * 4);
        piece = mote_carve_take(both[i], 5, MOTE_UINT64);
        ck_assert_uint_eq(piece.offset * 8, both[i]->scratch.offset * 4 + 256);
        ck_assert_uint_eq(piece.count, 5);
        ck_assert_int_eq(piece.type, MOTE_UINT64);
        ck_assert_ptr_eq(piece.mem, both[i]->scratch.mem);
        mote_carve_take(both[i], 0, MOTE_UINT32);
        mote_carve_take(both[i], 2, MOTE_UINT16);
        ck_assert_uint_eq(both[i]->used, 512 + 4);
    }
    mote_carve_take(&counting, SIZE_MAX / 2, MOTE_UINT32);
    ck_assert_uint_eq(counting.used, SIZE_MAX);
    mote_carve_take(&counting, 1, MOTE_UINT32);
    ck_assert_uint_eq(counting.used, SIZE_MAX);
}
END_TEST

typedef struct worker {
    pthread_t thread;
    cl_command_queue queue;
    cl_mem mem;
    mote_status status;
} worker;

static void *work(void *argument)
{
    worker *w = argument;
    for (int i = 0; !w->status && i < CALLS; i++)
        w->status = bed_call(b.ctx, w->queue, w->mem, N, 3, 1, 4 * N, 0, NULL, NULL);
    clFinish(w->queue);
    return NULL;
}

START_TEST(threads)
{
    worker workers[THREADS] = {0};
    uint32_t factor = 1, add = 0;
    for (int i = 0; i < CALLS; i++, add = add * 3 + 1)
        factor *= 3;
    for (int i = 0; i < THREADS; i++) {
        bed_ok(mote_context_queue(b.ctx, 0, &workers[i].queue));
        workers[i].mem = bed_numbers(&b, N);
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        ck_assert_int_eq(workers[i].status, MOTE_SUCCESS);
        bed_expect(&b, workers[i].mem, N, factor, add);
        clReleaseMemObject(workers[i].mem);
    }
    bed_memory(b.ctx); /* enqueues markers after completed work, which take a moment */
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(clFinish(workers[i].queue), CL_SUCCESS);
        clReleaseCommandQueue(workers[i].queue);
    }
    ck_assert_uint_eq(bed_memory(b.ctx).scratch_busy, 0);
    ck_assert_uint_le(bed_memory(b.ctx).scratch_peak, THREADS * 64 * KIB);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(reuse),
    SUITE_TEST(no_early_reuse_out_of_order),
    SUITE_TEST(sizes),
    SUITE_TEST(reuse_after_failure),
    SUITE_TEST(too_much),
    SUITE_TEST(report_and_trim),
    SUITE_TEST(trim_without_event),
    SUITE_TEST(prepared),
    SUITE_TEST(memory_refuses),
    SUITE_TEST(workspace),
    SUITE_TEST(allocation_fails),
    SUITE_TEST(carve),
    SUITE_TEST(threads),
    SUITE_TEST(reuse_without_event),
};

SUITE_MAIN_FIXTURE("scratch", tests, setup, teardown)
