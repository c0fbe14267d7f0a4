/* SPDX-License-Identifier: Apache-2.0 */
/* Each detector of the harness, tested with an operation that has the corresponding defect. */
#include "tests.h"

#include "core/fail.h"
#include "harness.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The defect of the operation below. */
typedef enum defect {
    NONE,
    LEAKS_BUFFER,
    LEAKS_MEMORY,
    LEAKS_EVENT,
    LOSES_STATUS,
    WRONG_STATUS,
    NO_SENTENCE,
    VAGUE_SENTENCE,
    WRITES_BESIDE,
    WRITES_INPUT,
    WRITES_EARLY,
    BREAKS_NEXT,
    LOSES_RESULT,
    LOSES_EVENT,
    WAITS,
    WAITS_FOR_EVENT,
    READS_BLOCKING,
    POLLS,
    PRINTS,
    COMPLAINS,
    RETRIES,
    DEFECTS
} defect;

static const struct {
    const char *words; /* of the complaint */
} expected[] = {
    [NONE] = {NULL},
    [LEAKS_BUFFER] = {"of buffer left alive"},
    [LEAKS_MEMORY] = {"of block of host memory left alive"},
    [LEAKS_EVENT] = {"of event left alive"},
    [LOSES_STATUS] = {"out: not what it should be"},
    [WRONG_STATUS] = {"wrong status MOTE_ERROR_INTERNAL"},
    [NO_SENTENCE] = {"no sentence"},
    [VAGUE_SENTENCE] = {"does not name what failed"},
    [WRITES_BESIDE] = {"memory after the view was written"},
    [WRITES_INPUT] = {"in: an input was written"},
    [WRITES_EARLY] = {"out: written, though nothing was enqueued"},
    [BREAKS_NEXT] = {"the next call"},
    [LOSES_RESULT] = {"out: not what it should be"},
    [LOSES_EVENT] = {"out: written, though nothing was enqueued"},
    [WAITS] = {"waits for the device in clFinish"},
    [WAITS_FOR_EVENT] = {"waits for the device in clWaitForEvents"},
    [READS_BLOCKING] = {"waits for the device in clEnqueueReadBuffer"},
    [POLLS] = {"asks for an event's state"},
    [PRINTS] = {"prints \"planted"},
    [COMPLAINS] = {"prints \"planted"},
    [RETRIES] = {"goes on calling"},
};

static defect planted;
static bool broken; /* set by a call that failed */
static mote_view from, to;

static void setup(fault_bed *b)
{
    static const cl_uint numbers[4] = {3, 1, 4, 1};
    from = fault_in(b, "in", MOTE_UINT32, 4, numbers);
    to = fault_out(b, "out", MOTE_UINT32, 4);
    broken = false;
}

static mote_status failure(cl_int code, const char *name)
{
    if (planted == NO_SENTENCE)
        return code;
    if (planted == WRONG_STATUS)
        return mote_fail(MOTE_ERROR_INTERNAL, "planted: %s", name);
    return mote_fail(code, "planted: %s failed", planted == VAGUE_SENTENCE ? "it" : name);
}

/* Copies `from` to `to`, `count` elements at `at`. */
static cl_int copy(fault_bed *b, const mote_view *source, const mote_view *target, size_t at,
                   size_t count, cl_event *event)
{
    return clEnqueueCopyBuffer(b->queue, source->mem, target->mem, source->offset * 4,
                               (target->offset + at) * 4, count * 4, 0, NULL, event);
}

/* The planted defects that do not depend on failures. */
static void misbehave(fault_bed *b)
{
    cl_uint number;
    cl_int state;
    if (planted == WAITS)
        clFinish(b->queue);
    if (planted == WAITS_FOR_EVENT)
        clWaitForEvents(1, &b->event);
    if (planted == READS_BLOCKING)
        clEnqueueReadBuffer(b->queue, from.mem, CL_TRUE, 0, 4, &number, 0, NULL, NULL);
    for (int i = 0; planted == POLLS && i < 3000; i++)
        clGetEventInfo(b->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state, NULL);
    if (planted == PRINTS)
        printf("planted");
    if (planted == COMPLAINS)
        fprintf(stderr, "planted");
    if (planted == WRITES_BESIDE)
        copy(b, &from, &to, 4, 1, NULL);
    if (planted == WRITES_INPUT)
        copy(b, &from, &from, 1, 1, NULL);
    for (int i = 0; planted == RETRIES && clFlush(b->queue) && i < 1000; i++)
        ;
}

static mote_status copy_through(fault_bed *b, cl_mem mem, const cl_uint *room)
{
    const mote_view middle = {mem, 0, 4, MOTE_UINT32};
    cl_event early = NULL;
    (void)room;
    if (planted == WRITES_EARLY)
        copy(b, &from, &to, 0, 1, NULL);
    if (planted == LEAKS_EVENT)
        copy(b, &from, &middle, 0, 1, &early);
    cl_int code = copy(b, &from, &middle, 0, 4, NULL);
    if (!code)
        code = copy(b, broken ? &to : &middle, &to, 0, 4, &b->event);
    if (planted == LOSES_RESULT && code)
        return MOTE_SUCCESS;
    if (planted == LEAKS_EVENT && !code)
        clReleaseEvent(early);
    if (code)
        return failure(code, "clEnqueueCopyBuffer");
    misbehave(b);
    code = clFlush(b->queue);
    if (code && planted == LOSES_EVENT) {
        clReleaseEvent(b->event);
        b->event = NULL;
    }
    return code ? failure(code, "clFlush") : MOTE_SUCCESS;
}

/* Copies through its own memory. */
static mote_status run(fault_bed *b)
{
    cl_int code = CL_SUCCESS;
    cl_uint *room = malloc(16);
    if (!room)
        return planted == LOSES_STATUS
                   ? MOTE_SUCCESS
                   : mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "planted: no memory");
    cl_mem mem = clCreateBuffer(mote_context_cl(b->ctx), CL_MEM_READ_WRITE, 16, NULL, &code);
    if (code) {
        if (planted != LEAKS_MEMORY)
            free(room);
        broken = planted == BREAKS_NEXT;
        if (code == CL_OUT_OF_RESOURCES || code == CL_MEM_OBJECT_ALLOCATION_FAILURE)
            code = MOTE_ERROR_OUT_OF_DEVICE_MEMORY;
        return failure(code, "clCreateBuffer");
    }
    mote_status status = copy_through(b, mem, room);
    if (planted != LEAKS_BUFFER || !status)
        clReleaseMemObject(mem);
    free(room);
    return status;
}

static const fault_operation operation = {.name = "planted", .setup = setup, .run = run};

START_TEST(defects)
{
    fault_bed b;
    planted = (defect)_i;
    fault_bed_open(&b, "");
    bool good = fault_sweep(&b, &operation);
    if (_i == NONE)
        ck_assert_msg(good, "%s", b.message);
    else
        ck_assert_msg(!good && strstr(b.message, expected[_i].words), "\"%s\" is not about %s",
                      good ? "" : b.message, expected[_i].words);
    bool closed = fault_bed_close(&b);
    bool leaks = _i == LEAKS_BUFFER || _i == LEAKS_MEMORY || _i == LEAKS_EVENT;
    ck_assert_msg(closed == !leaks, "%s", b.message);
}
END_TEST

Suite *fault_suite_planted(void)
{
    Suite *suite = suite_create("planted");
    TCase *one = tcase_create("defects");
    tcase_set_timeout(one, 0);
    tcase_add_loop_test(one, defects, NONE, DEFECTS);
    suite_add_tcase(suite, one);
    return suite;
}
