/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that succeed: order on both kinds of queue, events, arguments, the launch callback. */
#include "call_bed.h"
#include "mote/log.h"
#include "common/suite.h"

#define N       ((size_t)1000)
#define SCRATCH (N * 4)

static bed b;

static void setup(void)
{
    call_bed_open(&b, NULL);
}

static void teardown(void)
{
    call_bed_close(&b);
}

static mote_status call(cl_command_queue queue, cl_mem mem, uint32_t factor, uint32_t add,
                        cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    return bed_call(b.ctx, queue, mem, N, factor, add, SCRATCH, num_wait, wait, event);
}

static cl_event gate(void)
{
    cl_int code;
    cl_event event = clCreateUserEvent(mote_context_cl(b.ctx), &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return event;
}

static void open_gate(cl_event event)
{
    ck_assert_int_eq(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
    clReleaseEvent(event);
}

static void await(cl_event event)
{
    ck_assert_int_eq(clWaitForEvents(1, &event), CL_SUCCESS);
    ck_assert_int_eq(bed_event_state(event), CL_COMPLETE);
    clReleaseEvent(event);
}

/* All work is done after the calls have returned. */
START_TEST(in_order_behind_an_event)
{
    cl_mem mem = bed_numbers(&b, N);
    cl_event first = gate(), done = NULL;
    bed_ok(call(b.in_order, mem, 3, 1, 1, &first, NULL));
    bed_ok(call(b.in_order, mem, 5, 2, 0, NULL, NULL));
    bed_ok(call(b.in_order, mem, 7, 3, 0, NULL, &done));
    ck_assert_int_ne(bed_event_state(done), CL_COMPLETE);
    open_gate(first);
    await(done);
    bed_expect(&b, mem, N, 3 * 5 * 7, (1 * 5 + 2) * 7 + 3);
    clReleaseMemObject(mem);
}
END_TEST

START_TEST(any_order_behind_an_event)
{
    cl_mem mem = bed_numbers(&b, N);
    cl_event first = gate(), second = NULL, third = NULL, done = NULL;
    bed_ok(call(b.any_order, mem, 3, 1, 1, &first, &second));
    bed_ok(call(b.any_order, mem, 5, 2, 1, &second, &third));
    bed_ok(call(b.any_order, mem, 7, 3, 1, &third, &done));
    ck_assert_int_ne(bed_event_state(done), CL_COMPLETE);
    open_gate(first);
    await(done);
    bed_expect(&b, mem, N, 3 * 5 * 7, (1 * 5 + 2) * 7 + 3);
    clReleaseEvent(second);
    clReleaseEvent(third);
    clReleaseMemObject(mem);
}
END_TEST

/* The call waits for each of several events. */
START_TEST(waits_for_all_events)
{
    cl_mem mem = bed_numbers(&b, N);
    cl_event gates[] = {gate(), gate(), gate()}, done = NULL;
    bed_ok(call(b.any_order, mem, 2, 9, 3, gates, &done));
    open_gate(gates[2]);
    open_gate(gates[0]);
    ck_assert_int_ne(bed_event_state(done), CL_COMPLETE);
    bed_expect(&b, mem, N, 1, 0);
    open_gate(gates[1]);
    await(done);
    bed_expect(&b, mem, N, 2, 9);
    clReleaseMemObject(mem);
}
END_TEST

/* Returns whether a call that waits for an event, or for none, has words that are zero. */
static bool has_zeros(cl_uint num_wait, const cl_event *wait)
{
    mote_call call;
    mote_view scratch;
    bed_ok(mote_call_begin(&call, "trial", b.ctx, b.in_order, false, num_wait, wait, NULL));
    bed_ok(mote_call_scratch(&call, SCRATCH, NULL, &scratch));
    bool has = call.zeros.mem != NULL;
    if (has) {
        uint32_t words[MOTE_CALL_ZEROS];
        ck_assert_ptr_eq(call.zeros.mem, scratch.mem);
        ck_assert_uint_ge(scratch.offset, call.zeros.offset + call.zeros.count);
        ck_assert_int_eq(clEnqueueReadBuffer(b.in_order, call.zeros.mem, CL_TRUE, 0, sizeof(words),
                                             words, 0, NULL, NULL),
                         CL_SUCCESS);
        for (size_t i = 0; i < MOTE_CALL_ZEROS; i++)
            ck_assert_uint_eq(words[i], 0);
    }
    bed_ok(mote_call_end(&call, MOTE_SUCCESS));
    return has;
}

/* An event that fails would prevent new scratch from being zeroed: calls do not use these words
 * until a call that waits for no event has zeroed them. */
START_TEST(zeros_behind_an_event)
{
    cl_event first = gate();
    ck_assert(!has_zeros(1, &first));
    ck_assert(!has_zeros(1, &first));
    open_gate(first);
    ck_assert(has_zeros(0, NULL));
    first = gate();
    ck_assert(has_zeros(0, NULL));
    open_gate(first);
}
END_TEST

/* A call that fails between its launches may leave any contents. */
START_TEST(zeros_behind_a_failure)
{
    const cl_uint ones = CL_UINT_MAX;
    mote_call call;
    mote_view scratch;
    ck_assert(has_zeros(0, NULL));
    bed_ok(mote_call_begin(&call, "trial", b.ctx, b.in_order, false, 0, NULL, NULL));
    bed_ok(mote_call_scratch(&call, SCRATCH, NULL, &scratch));
    ck_assert_ptr_nonnull(call.zeros.mem);
    ck_assert_int_eq(clEnqueueFillBuffer(b.in_order, call.zeros.mem, &ones, sizeof(ones), 0,
                                         MOTE_CALL_ZEROS * sizeof(ones), 0, NULL, NULL),
                     CL_SUCCESS);
    mote_call_enqueued(&call, NULL);
    ck_assert_int_eq(mote_call_end(&call, MOTE_ERROR_OUT_OF_HOST_MEMORY),
                     MOTE_ERROR_OUT_OF_HOST_MEMORY);
    cl_event first = gate();
    ck_assert(!has_zeros(1, &first));
    open_gate(first);
    ck_assert(has_zeros(0, NULL));
}
END_TEST

/* A call without work still returns an event, which waits as the work would. */
START_TEST(empty_input)
{
    cl_command_queue queues[] = {b.in_order, b.any_order};
    for (int i = 0; i < 2; i++) {
        cl_event first = gate(), done = NULL, free_done = NULL;
        bed_ok(bed_call(b.ctx, queues[i], NULL, 0, 3, 1, 0, 0, NULL, &free_done));
        ck_assert_ptr_nonnull(free_done);
        await(free_done);
        bed_ok(bed_call(b.ctx, queues[i], NULL, 0, 3, 1, 0, 1, &first, &done));
        ck_assert_ptr_nonnull(done);
        ck_assert_int_ne(bed_event_state(done), CL_COMPLETE);
        open_gate(first);
        await(done);
        bed_ok(bed_call(b.ctx, queues[i], NULL, 0, 3, 1, 0, 0, NULL, NULL));
    }
}
END_TEST

/* The variable of the caller's event may also contain its wait list. */
START_TEST(one_variable_for_both_events)
{
    cl_mem mem = bed_numbers(&b, N);
    cl_event first = gate(), event = first;
    bed_ok(call(b.any_order, mem, 3, 1, 1, &event, &event));
    ck_assert_ptr_ne(event, first);
    open_gate(first);
    await(event);
    bed_expect(&b, mem, N, 3, 1);
    clReleaseMemObject(mem);
}
END_TEST

START_TEST(wrong_handles)
{
    cl_mem mem = bed_numbers(&b, N);
    cl_command_queue foreign = NULL;
    cl_int code;
    cl_event event = NULL, none = NULL;
    cl_event other = clCreateUserEvent(mote_context_cl(b.other), &code);
    bed_ok(mote_context_queue(b.other, 0, &foreign));
    bed_refused(bed_call(NULL, b.in_order, mem, N, 1, 1, SCRATCH, 0, NULL, &event),
                MOTE_ERROR_INVALID_ARGUMENT, "ctx is NULL");
    mote_call one;
    bed_refused(
        mote_call_end(&one, mote_call_begin(&one, "f", b.ctx, NULL, false, 0, NULL, &event)),
        MOTE_ERROR_INVALID_ARGUMENT, "f: queue is NULL");
    bed_refused(call(foreign, mem, 1, 1, 0, NULL, &event), MOTE_ERROR_WRONG_CONTEXT, "queue");
    bed_refused(call(b.in_order, mem, 1, 1, 1, NULL, &event), MOTE_ERROR_INVALID_ARGUMENT,
                "num_wait is 1");
    bed_refused(call(b.in_order, mem, 1, 1, 0, &other, &event), MOTE_ERROR_INVALID_ARGUMENT,
                "num_wait is 0");
    bed_refused(call(b.in_order, mem, 1, 1, 1, &none, &event), MOTE_ERROR_INVALID_ARGUMENT,
                "wait[0] is NULL");
    bed_refused(call(b.in_order, mem, 1, 1, 1, &other, &event), MOTE_ERROR_WRONG_CONTEXT,
                "wait[0]");
    ck_assert_ptr_null(event);
    bed_expect(&b, mem, N, 1, 0);
    clSetUserEventStatus(other, CL_COMPLETE);
    clReleaseEvent(other);
    clReleaseCommandQueue(foreign);
    clReleaseMemObject(mem);
}
END_TEST

/* Tests a queue of the right OpenCL context but of its other device. */
START_TEST(wrong_device)
{
    mote_device_info *all = NULL;
    size_t count = 0;
    cl_int code;
    bed_ok(mote_devices(sizeof(mote_device_info), &all, &count));
    ck_assert_uint_ge(count, 2);
    const cl_device_id both[] = {all[0].device, all[1].device};
    cl_context cl = clCreateContext(NULL, 2, both, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    cl_command_queue queue = clCreateCommandQueue(cl, both[1], 0, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    mote_context *ctx = NULL;
    bed_ok(mote_context_create(cl, both[0], &ctx));
    bed_refused(bed_call(ctx, queue, NULL, 0, 1, 1, 0, 0, NULL, NULL), MOTE_ERROR_WRONG_CONTEXT,
                "another device");
    mote_context_release(ctx);
    clReleaseCommandQueue(queue);
    clReleaseContext(cl);
    mote_devices_free(all);
}
END_TEST

static mote_status optional(cl_mem out, const mote_view *v, size_t local, size_t bytes, int extra)
{
    mote_call one;
    mote_launch launch;
    mote_status status = mote_call_begin(&one, "optional", b.ctx, b.in_order, false, 0, NULL, NULL);
    mote_launch_begin(&launch, &one, &mote_cl_core_call_trial, "", "trial_optional");
    mote_launch_mem(&launch, "out", out);
    mote_launch_view(&launch, "optional", v);
    mote_launch_local(&launch, "room", bytes);
    mote_launch_u32(&launch, "value", 41);
    for (int i = 0; i < extra; i++)
        mote_launch_u32(&launch, "extra", 0);
    status = status ? status : mote_launch_run(&launch, 1, local);
    return mote_call_end(&one, status);
}

START_TEST(arguments)
{
    cl_mem out = bed_numbers(&b, 8), in = bed_numbers(&b, 8);
    const mote_view none = {.offset = 5}, some = {.mem = in, .offset = 6, .count = 2};
    bed_ok(optional(out, &none, 8, 32, 0));
    bed_expect(&b, out, 1, 0, 41);
    bed_ok(optional(out, &some, 8, 32, 0));
    bed_expect(&b, out, 1, 0, 6);
    bed_refused(optional(out, &none, 8, 32, 1), CL_INVALID_ARG_INDEX, "trial_optional");
    bed_refused(optional(out, &none, 8, 32, MOTE_CALL_MAX_ARGS), CL_INVALID_ARG_INDEX,
                "trial_optional");
    bed_refused(optional(out, &none, (size_t)1 << 30, 32, 0), MOTE_ERROR_UNSUPPORTED, "at most");
    bed_refused(optional(out, &none, 0, 32, 0), MOTE_ERROR_INTERNAL, "groups of 0");
    bed_refused(optional(out, &none, 8, (size_t)1 << 40, 0), MOTE_ERROR_UNSUPPORTED,
                "local memory");
    bed_expect(&b, out, 1, 0, 6);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
}
END_TEST

/* Kernels without work-group functions get smaller groups than requested if the device does not
 * support the requested size. */
START_TEST(large_groups)
{
    const size_t local = 2 * mote_context_device(b.ctx)->max_work_group, n = 3 * local - 5;
    cl_mem data = bed_numbers(&b, 4 * local), out = bed_numbers(&b, 4 * local);
    mote_call one;
    mote_launch launch;
    bed_ok(mote_call_begin(&one, "large", b.ctx, b.in_order, false, 0, NULL, NULL));
    mote_launch_begin(&launch, &one, &mote_cl_core_call_trial, "", "trial_store");
    mote_launch_view(&launch, "data", &(const mote_view){.mem = data});
    mote_launch_view(&launch, "scratch", &(const mote_view){.mem = out});
    mote_launch_u64(&launch, "n", n);
    bed_ok(mote_call_end(&one, mote_launch_run(&launch, 3, local)));
    bed_expect(&b, out, n, 2, 0);
    bed_expect(&b, data, 4 * local, 1, 0);
    clReleaseMemObject(data);
    clReleaseMemObject(out);
}
END_TEST

/* A missing argument must not take its value from the previous launch. */
START_TEST(missing_argument)
{
    cl_mem out = bed_numbers(&b, 8);
    const mote_view none = {0};
    mote_call one;
    mote_launch launch;
    bed_ok(optional(out, &none, 8, 32, 0));
    bed_ok(mote_call_begin(&one, "missing", b.ctx, b.in_order, false, 0, NULL, NULL));
    mote_launch_begin(&launch, &one, &mote_cl_core_call_trial, "", "trial_optional");
    mote_launch_mem(&launch, "out", out);
    bed_refused(mote_call_end(&one, mote_launch_run(&launch, 1, 8)), MOTE_ERROR_INTERNAL,
                "takes 5 arguments, not 1");
    clReleaseMemObject(out);
}
END_TEST

static mote_launch_record records[8];
static size_t recorded;

static void record(const mote_launch_record *r, void *user)
{
    ck_assert_ptr_eq(user, &recorded);
    ck_assert_ptr_nonnull(r->event);
    if (recorded < 8)
        records[recorded] = *r;
    recorded++;
}

START_TEST(launch_callback)
{
    cl_mem mem = bed_numbers(&b, N);
    recorded = 0;
    mote_launch_callback_set(record, &recorded);
    mote_status status = call(b.in_order, mem, 3, 1, 0, NULL, NULL);
    mote_launch_callback_set(NULL, NULL);
    bed_ok(status);
    bed_ok(call(b.in_order, mem, 1, 0, 0, NULL, NULL));
    ck_assert_uint_eq(recorded, 2);
    ck_assert_str_eq(records[0].kernel, "trial_store");
    ck_assert_str_eq(records[1].kernel, "trial_load");
    ck_assert_uint_eq(records[1].global, 1024);
    ck_assert_uint_eq(records[1].local, BED_GROUP);
    ck_assert_uint_eq(records[0].bytes, 0);
    ck_assert_uint_eq(records[1].bytes, 8 * N);
    bed_expect(&b, mem, N, 3, 1);
    clReleaseMemObject(mem);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(in_order_behind_an_event),
    SUITE_TEST(any_order_behind_an_event),
    SUITE_TEST(waits_for_all_events),
    SUITE_TEST(zeros_behind_an_event),
    SUITE_TEST(zeros_behind_a_failure),
    SUITE_TEST(empty_input),
    SUITE_TEST(one_variable_for_both_events),
    SUITE_TEST(wrong_handles),
    SUITE_TEST_OF_TWO(wrong_device),
    SUITE_TEST(arguments),
    SUITE_TEST(large_groups),
    SUITE_TEST(missing_argument),
    SUITE_TEST(launch_callback),
};

SUITE_MAIN_FIXTURE("call", tests, setup, teardown)
