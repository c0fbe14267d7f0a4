/* SPDX-License-Identifier: Apache-2.0 */
#include "call_bed.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

void bed_refused(mote_status status, mote_status expected, const char *words)
{
    ck_assert_msg(status == expected, "%s instead of %s: %s", mote_status_name(status),
                  mote_status_name(expected), mote_last_error());
    ck_assert_msg(strstr(mote_last_error(), words) != NULL, "\"%s\" does not say \"%s\"",
                  mote_last_error(), words);
}

void call_bed_open(bed *b, const char *tune)
{
    setenv("MOTE_CACHE", "off", 1);
    bed_open(b, tune);
    bed_open_other(b);
    ck_assert_msg(b->any_order != b->in_order, "the device has no out-of-order queue");
}

void call_bed_close(bed *b)
{
    ck_assert_int_eq(clFinish(b->in_order), CL_SUCCESS);
    ck_assert_int_eq(clFinish(b->any_order), CL_SUCCESS);
    bed_close(b);
}

cl_mem bed_numbers(const bed *b, size_t n)
{
    uint32_t *numbers = malloc(n * sizeof(*numbers));
    cl_int code = CL_SUCCESS;
    ck_assert_ptr_nonnull(numbers);
    for (size_t i = 0; i < n; i++)
        numbers[i] = (uint32_t)i;
    cl_mem mem = clCreateBuffer(mote_context_cl(b->ctx), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                n * sizeof(*numbers), numbers, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    free(numbers);
    return mem;
}

void bed_expect(const bed *b, cl_mem mem, size_t n, uint32_t factor, uint32_t add)
{
    uint32_t *numbers = malloc(n * sizeof(*numbers));
    ck_assert_ptr_nonnull(numbers);
    ck_assert_int_eq(clEnqueueReadBuffer(b->in_order, mem, CL_TRUE, 0, n * sizeof(*numbers),
                                         numbers, 0, NULL, NULL),
                     CL_SUCCESS);
    for (size_t i = 0; i < n; i++)
        ck_assert_uint_eq(numbers[i], (uint32_t)i * factor + add);
    free(numbers);
}

static mote_status launches(mote_call *call, const mote_view *data, const mote_view *scratch,
                            const uint32_t step[2])
{
    mote_launch launch;
    size_t groups = (data->count + BED_GROUP - 1) / BED_GROUP;
    mote_launch_begin(&launch, call, &mote_cl_core_call_trial, "", "trial_store");
    mote_launch_view(&launch, "data", data);
    mote_launch_view(&launch, "scratch", scratch);
    mote_launch_u64(&launch, "n", data->count);
    mote_status status = mote_launch_run(&launch, groups, BED_GROUP);
    if (status)
        return status;
    mote_launch_begin(&launch, call, &mote_cl_core_call_trial, "", "trial_load");
    mote_launch_view(&launch, "data", data);
    mote_launch_view(&launch, "scratch", scratch);
    mote_launch_u64(&launch, "n", data->count);
    mote_launch_struct(&launch, "step", step, 2 * sizeof(*step));
    mote_launch_bytes(&launch, data->count * 8);
    mote_launch_last(&launch);
    return mote_launch_run(&launch, groups, BED_GROUP);
}

mote_status bed_call(mote_context *ctx, cl_command_queue queue, cl_mem mem, size_t n,
                     uint32_t factor, uint32_t add, size_t scratch, cl_uint num_wait,
                     const cl_event *wait, cl_event *event)
{
    const mote_view data = mote_view_make(mem, n, MOTE_UINT32);
    const uint32_t step[2] = {factor, add};
    mote_view room;
    mote_call call;
    mote_status status =
        mote_call_begin(&call, "bed_call", ctx, queue, !queue, num_wait, wait, event);
    if (!status)
        status = mote_call_scratch(&call, scratch, NULL, &room);
    if (!status)
        status = launches(&call, &data, &room, step);
    return mote_call_end(&call, status);
}

cl_int bed_event_state(cl_event event)
{
    cl_int state = 1000;
    ck_assert_int_eq(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state, NULL),
        CL_SUCCESS);
    return state;
}

mote_memory bed_memory(mote_context *ctx)
{
    mote_memory memory;
    mote_memory_init(&memory);
    bed_ok(mote_context_memory(ctx, &memory));
    return memory;
}
