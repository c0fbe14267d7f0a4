/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that fail half-way, the commands that they enqueue, and that nothing leaks or blocks. */
#include "call_bed.h"
#include "common/suite.h"
#include "core/quirks.h"
#include "faults/inject.h"

#define N       ((size_t)1000)
#define SCRATCH (N * 4)

static bed b;
static cl_mem mem;
static cl_command_queue queues[2];

static void setup(void)
{
    call_bed_open(&b, NULL);
    mem = bed_numbers(&b, N);
    queues[0] = b.in_order;
    queues[1] = b.any_order;
    bed_ok(bed_call(b.ctx, NULL, NULL, N, 0, 0, SCRATCH, 0, NULL, NULL));
    fault_reset();
}

static void teardown(void)
{
    clReleaseMemObject(mem);
    fault_reset();
    call_bed_close(&b);
    ck_assert_int_eq(fault_live(FAULT_MEM), 0);
    ck_assert_int_eq(fault_live(FAULT_EVENT), 0);
}

static mote_status call(cl_command_queue queue, cl_event *event)
{
    return bed_call(b.ctx, queue, mem, N, 3, 1, SCRATCH, 0, NULL, event);
}

static void await(cl_event event)
{
    ck_assert_ptr_nonnull(event);
    ck_assert_int_eq(clWaitForEvents(1, &event), CL_SUCCESS);
    clReleaseEvent(event);
}

/* On an in-order queue only the final launch creates an event, and only on request. */
START_TEST(events_made)
{
    cl_event done = NULL;
    bed_ok(call(b.in_order, NULL)); /* zeroes the scratch */
    ck_assert_int_eq(faults[FAULT_clEnqueueFillBuffer].calls, 1);
    fault_reset();
    bed_ok(call(b.in_order, &done));
    ck_assert_int_eq(faults[FAULT_clEnqueueNDRangeKernel].calls, 2);
    ck_assert_int_eq(faults[FAULT_clEnqueueNDRangeKernel].events, 1);
    ck_assert_int_eq(faults[FAULT_clEnqueueMarkerWithWaitList].calls, 0);
    ck_assert_int_eq(faults[FAULT_clEnqueueFillBuffer].calls, 0);
    await(done);
    fault_reset();
    bed_ok(call(b.any_order, NULL));
    ck_assert_int_eq(faults[FAULT_clEnqueueNDRangeKernel].events, 2);
    ck_assert_int_eq(faults[FAULT_clEnqueueMarkerWithWaitList].calls, 0);
    ck_assert_int_eq(faults[FAULT_clFinish].calls, 0);
}
END_TEST

START_TEST(first_launch_fails)
{
    for (int i = 0; i < 2; i++) {
        cl_event done = (cl_event)&b;
        bed_ok(call(queues[i], &done));
        await(done);
        done = (cl_event)&b;
        fault_fail(FAULT_clEnqueueNDRangeKernel, 1, 1, CL_OUT_OF_RESOURCES);
        bed_refused(call(queues[i], &done), CL_OUT_OF_RESOURCES, "trial_store");
        ck_assert_ptr_null(done);
        ck_assert_uint_eq(bed_memory(b.ctx).scratch_busy, 0);
        ck_assert_int_eq(faults[FAULT_clEnqueueMarkerWithWaitList].calls, 0);
    }
}
END_TEST

/* The zeroing or the first launch has been enqueued: the event covers it, and the scratch waits for
 * it.
 */
START_TEST(second_launch_fails)
{
    for (int i = 0; i < 2; i++) {
        cl_int code;
        cl_event done = NULL, gate = clCreateUserEvent(mote_context_cl(b.ctx), &code);
        bed_ok(mote_context_trim(b.ctx));
        fault_fail(FAULT_clEnqueueNDRangeKernel, 2, 2, CL_OUT_OF_HOST_MEMORY);
        bed_refused(bed_call(b.ctx, queues[i], mem, N, 3, 1, SCRATCH, 1, &gate, &done),
                    CL_OUT_OF_HOST_MEMORY, "trial_load");
        ck_assert_ptr_nonnull(done);
        ck_assert_int_ne(bed_event_state(done), CL_COMPLETE);
        ck_assert_uint_gt(bed_memory(b.ctx).scratch_busy, 0);
        clSetUserEventStatus(gate, CL_COMPLETE);
        await(done);
        ck_assert_uint_eq(bed_memory(b.ctx).scratch_busy, 0);
        ck_assert_uint_gt(bed_memory(b.ctx).scratch_idle, 0);
        clReleaseEvent(gate);
        bed_ok(mote_context_trim(b.ctx));
    }
}
END_TEST

/* Without even a marker the scratch stays with its in-order queue. */
START_TEST(marker_fails_too)
{
    cl_event done = (cl_event)&b;
    bed_ok(mote_context_trim(b.ctx));
    fault_fail(FAULT_clEnqueueNDRangeKernel, 2, 2, CL_OUT_OF_RESOURCES);
    fault_fail(FAULT_clEnqueueMarkerWithWaitList, 1, 1, CL_OUT_OF_HOST_MEMORY);
    bed_refused(call(b.in_order, &done), CL_OUT_OF_RESOURCES, "trial_load");
    ck_assert_ptr_null(done);
    ck_assert_int_eq(faults[FAULT_clEnqueueMarkerWithWaitList].calls, 1);
    ck_assert_int_eq(faults[FAULT_clFinish].calls, 0);
    clFinish(b.in_order);
    fault_reset();
    bed_ok(call(b.in_order, &done));
    await(done);
    ck_assert_int_eq(faults[FAULT_clCreateBuffer].calls, 0);
    const mote_memory memory = bed_memory(b.ctx);
    ck_assert_uint_eq(memory.scratch_busy, 0);
    ck_assert_uint_gt(memory.scratch_idle, 0);
}
END_TEST

START_TEST(marker_of_empty_input_fails)
{
    cl_event done = NULL;
    fault_fail(FAULT_clEnqueueMarkerWithWaitList, 1, 1, CL_OUT_OF_HOST_MEMORY);
    bed_refused(bed_call(b.ctx, b.in_order, NULL, 0, 1, 1, 0, 0, NULL, &done),
                CL_OUT_OF_HOST_MEMORY, "clEnqueueMarkerWithWaitList");
    ck_assert_ptr_null(done);
}
END_TEST

/* A driver that allocates late: after a failure, idle scratch is released and the call tries
 * again. */
START_TEST(zeroing_fails)
{
    cl_event done = NULL;
    fault_fail(FAULT_clEnqueueFillBuffer, 1, 1, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    bed_ok(call(b.in_order, &done));
    await(done);
    bed_expect(&b, mem, N, 3, 1);
    bed_ok(mote_context_trim(b.ctx));
    fault_fail(FAULT_clEnqueueFillBuffer, 1, 9, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    bed_refused(call(b.any_order, &done), MOTE_ERROR_OUT_OF_DEVICE_MEMORY, "of scratch");
    ck_assert_ptr_null(done);
    fault_reset();
    fault_fail(FAULT_clEnqueueFillBuffer, 1, 1, CL_OUT_OF_HOST_MEMORY);
    bed_refused(call(b.any_order, &done), CL_OUT_OF_HOST_MEMORY, "clEnqueueFillBuffer");
    const mote_memory memory = bed_memory(b.ctx);
    ck_assert_uint_eq(memory.scratch_busy + memory.scratch_idle, 0);
    bed_expect(&b, mem, N, 3, 1);
}
END_TEST

/* No call waits for the device. */
START_TEST(nothing_blocks)
{
    cl_int code;
    cl_event gate = clCreateUserEvent(mote_context_cl(b.ctx), &code), done[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++)
        bed_ok(bed_call(b.ctx, queues[i], mem, N, 1, 0, SCRATCH, 1, &gate, &done[i]));
    ck_assert_int_eq(faults[FAULT_clFinish].calls, 0);
    clSetUserEventStatus(gate, CL_COMPLETE);
    clReleaseEvent(gate);
    await(done[0]);
    await(done[1]);
}
END_TEST

static mote_status call_group(void)
{
    mote_call one;
    mote_launch l;
    bed_ok(mote_call_begin(&one, "test", b.ctx, b.in_order, false, 0, NULL, NULL));
    mote_launch_begin(&l, &one, &mote_cl_core_call_trial, "", "trial_group");
    mote_launch_mem(&l, "out", mem);
    return mote_call_end(&one, mote_launch_run(&l, 1, 64));
}

/* A compiled kernel may allow smaller work-groups than the device. The call then uses smaller
 * groups if the kernel permits them, and fails with a message otherwise. Devices whose drivers are
 * known to report wrong limits are not queried, so both kinds of device are simulated. */
START_TEST(limits_of_a_kernel)
{
    b.ctx->quirks &= ~(uint32_t)MOTE_QUIRK_LOW_LIMITS;
    bed_ok(call_group());
    fault_lie(FAULT_clGetKernelWorkGroupInfo, CL_KERNEL_WORK_GROUP_SIZE, 16);
    bed_refused(call_group(), MOTE_ERROR_UNSUPPORTED, "built for groups of 64 work-items");
    bed_refused(call_group(), MOTE_ERROR_UNSUPPORTED, "allows at most 16 of it");
    b.ctx->quirks |= MOTE_QUIRK_LOW_LIMITS;
    bed_ok(call_group());
    b.ctx->quirks &= ~(uint32_t)MOTE_QUIRK_LOW_LIMITS;
    fault_reset();
    fault_lie(FAULT_clGetKernelWorkGroupInfo, CL_KERNEL_LOCAL_MEM_SIZE, SIZE_MAX);
    bed_refused(call_group(), MOTE_ERROR_UNSUPPORTED, "bytes of local memory");
    fault_reset();
    bed_ok(call_group());
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(limits_of_a_kernel), SUITE_TEST(events_made),
    SUITE_TEST(first_launch_fails), SUITE_TEST(second_launch_fails),
    SUITE_TEST(marker_fails_too),   SUITE_TEST(marker_of_empty_input_fails),
    SUITE_TEST(zeroing_fails),      SUITE_TEST(nothing_blocks),
};

SUITE_MAIN_FIXTURE("call failure", tests, setup, teardown)
