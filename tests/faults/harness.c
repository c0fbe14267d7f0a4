/* SPDX-License-Identifier: Apache-2.0 */
#include "harness.h"
#include "printed.h"

#include "core/tune.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A call polls each of a few events for 25 us at most, which takes longest on a busy machine. */
#define MOST_POLLS    ((size_t)2000)
#define MOST_FAILURES ((size_t)100) /* failures of one call after a device was lost */

/* One kind of failure. */
typedef struct fault_mode {
    const char *name;
    unsigned families;
    bool lasting;
} fault_mode;

static const fault_mode modes[] = {
    {"once", FAULT_OPENCL | FAULT_MEMORY, false},
    {"from there on (device lost)", FAULT_OPENCL, true},
    {"from there on (no memory)", FAULT_MEMORY, true},
};

static const cl_int codes[] = {CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY,
                               CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_DEVICE_NOT_AVAILABLE};

static size_t failures; /* so far */

static bool complain(fault_bed *b, const char *what)
{
    snprintf(b->message, sizeof(b->message), "%s", what);
    return false;
}

typedef struct outcome {
    mote_status status;
    bool event; /* the call returned an event */
    fault_record record;
    char sentence[512];
    bool sentence_is_new;
} outcome;

/* Runs it once. All enqueued commands complete afterwards. */
static bool run(fault_bed *b, const fault_operation *op, const fault_plan *plan, outcome *t)
{
    int live[FAULT_HANDLES];
    *t = (outcome){0};
    fault_arrays_refill(b);
    mote_context_trim(b->ctx);
    fault_count_live(live);
    b->event = NULL;
    fault_arm(plan);
    t->status = op->run(b);
    t->record = fault_disarm();
    snprintf(t->sentence, sizeof(t->sentence), "%s", mote_last_error());
    t->sentence_is_new = !fault_is_marked();
    t->event = b->event != NULL;
    cl_int waited = b->event ? clWaitForEvents(1, &b->event) : CL_SUCCESS;
    if (b->event)
        clReleaseEvent(b->event);
    if (clFinish(b->queue) || waited)
        return complain(b, "what was enqueued fails");
    if (!t->status && op->undo)
        op->undo(b);
    if (t->record.waits) {
        snprintf(b->message, sizeof(b->message), "waits for the device in %s",
                 fault_call_name(t->record.waited));
        return false;
    }
    if (t->record.polls > MOST_POLLS)
        return complain(b, "asks for an event's state again and again");
    if (t->record.failures > MOST_FAILURES)
        return complain(b, "goes on calling what fails");
    mote_context_trim(b->ctx);
    return fault_check_live(b, live);
}

static bool is_memory_code(cl_int code)
{
    return code == CL_OUT_OF_RESOURCES || code == CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

/* True if the machine has other devices than the one under test. If a failure hides that device,
 * the device string then does not match any of several devices. */
static bool is_among_others(void)
{
    mote_device_info *devices = NULL;
    size_t count = 0;
    bool several = !mote_devices(sizeof(*devices), &devices, &count) && count > 1;
    mote_devices_free(devices);
    return several;
}

/* Returns whether a call that failed in this way may make an operation return this status. */
static bool fits(fault_call call, cl_int code, mote_status status, bool pinned)
{
    switch (call) {
    case FAULT_malloc:
    case FAULT_calloc:
    case FAULT_realloc:
    case FAULT_aligned_alloc:
        return status == MOTE_ERROR_OUT_OF_HOST_MEMORY;
    case FAULT_clBuildProgram:
        return status == MOTE_ERROR_BUILD;
    case FAULT_clGetDeviceIDs:
    case FAULT_clGetDeviceInfo:
    case FAULT_clGetPlatformInfo:
        return status == code || (status == MOTE_ERROR_NO_DEVICE && is_among_others());
    case FAULT_clEnqueueMapBuffer:
        return status ==
               (pinned && code != CL_DEVICE_NOT_AVAILABLE ? MOTE_ERROR_OUT_OF_HOST_MEMORY : code);
    case FAULT_clCreateBuffer:
        if (pinned)
            return status == MOTE_ERROR_OUT_OF_HOST_MEMORY;
    /* fall through */
    case FAULT_clEnqueueFillBuffer:
        return status == (is_memory_code(code) ? MOTE_ERROR_OUT_OF_DEVICE_MEMORY : code);
    default:
        return status == code;
    }
}

/* Compares status and sentence with the failure. */
static bool check_status(fault_bed *b, const fault_operation *op, const fault_plan *plan,
                         const outcome *t)
{
    bool memory = false, named = false;
    fault_call call = 0;
    while (call < FAULT_CALLS &&
           !(t->record.failed[call] && fits(call, plan->code, t->status, op->flags & FAULT_PINNED)))
        call++;
    if (call == FAULT_CALLS) {
        snprintf(b->message, sizeof(b->message), "wrong status %s (\"%.300s\")",
                 mote_status_name(t->status), t->sentence);
        return false;
    }
    if (!t->sentence_is_new)
        return complain(b, "no sentence about the failure");
    for (call = 0; call < FAULT_CALLS; call++)
        named = named || (t->record.failed[call] && strstr(t->sentence, fault_call_name(call)));
    memory = strstr(t->sentence, "memory") || strstr(t->sentence, " bytes of scratch");
    if (named || memory || t->status == MOTE_ERROR_BUILD)
        return true;
    snprintf(b->message, sizeof(b->message), "the sentence \"%.300s\" does not name what failed",
             t->sentence);
    return false;
}

/* Checks the effects of a call with failures. */
static bool check(fault_bed *b, const fault_operation *op, const fault_plan *plan, const outcome *t)
{
    if (!t->status)
        return fault_arrays_check(b, FAULT_RIGHT);
    if (!check_status(b, op, plan, t))
        return false;
    /* A call that has enqueued commands returns no event only if its marker failed. */
    bool nothing = !t->event && !(op->flags & (FAULT_WAITS | FAULT_SILENT)) &&
                   !t->record.failed[FAULT_clEnqueueMarkerWithWaitList];
    return fault_arrays_check(b, nothing ? FAULT_INTACT : FAULT_ANY);
}

/* Checks that a call in the form for CPUs copies no arrays on a CPU. It reads only the error word
 * and a few sums. */
static bool copies_nothing(fault_bed *b, int written, int read)
{
    if (faults[FAULT_clEnqueueWriteBuffer].calls == written &&
        faults[FAULT_clEnqueueReadBuffer].calls <= read + 1)
        return true;
    return complain(b, "copies arrays that the device could use as they lie");
}

static bool run_clean(fault_bed *b, const fault_operation *op, fault_outputs outputs)
{
    const fault_plan plan = {.may_wait = op->flags & FAULT_WAITS};
    int written = faults[FAULT_clEnqueueWriteBuffer].calls;
    int read = faults[FAULT_clEnqueueReadBuffer].calls;
    bool cpu = mote_context_device(b->ctx)->device_class == MOTE_DEVICE_CPU &&
               !mote_tune_any_gpu_form(b->ctx);
    outcome t;
    if (!run(b, op, &plan, &t))
        return false;
    if (t.status) {
        snprintf(b->message, sizeof(b->message), "fails with %s (\"%.300s\")",
                 mote_status_name(t.status), t.sentence);
        return false;
    }
    if (!fault_arrays_check(b, outputs))
        return false;
    return !cpu || !(op->flags & FAULT_LENDS) || copies_nothing(b, written, read);
}

/* Adds the circumstances of a complaint to the message. */
static void explain(fault_bed *b, const fault_operation *op, const char *when)
{
    char complaint[FAULT_MESSAGE];
    snprintf(complaint, sizeof(complaint), "%s", b->message);
    snprintf(b->message, sizeof(b->message), "%s, %s: %.700s", op->name, when, complaint);
}

/* The first call builds kernels, which are kept. */
static void warm(fault_bed *b, const fault_operation *op)
{
    const fault_plan plan = {.may_wait = true};
    fault_arrays_refill(b);
    b->event = NULL;
    fault_arm(&plan);
    mote_status status = op->run(b);
    fault_disarm();
    if (b->event)
        clReleaseEvent(b->event);
    clFinish(b->queue);
    if (!status && op->undo)
        op->undo(b);
}

static bool first_calls(fault_bed *b, const fault_operation *op)
{
    warm(b, op);
    if (run_clean(b, op, FAULT_KEPT) && ((op->flags & FAULT_DRY) || fault_arrays_error(b)) &&
        (b->expected || run_clean(b, op, FAULT_RIGHT)))
        return true;
    explain(b, op, "without failures");
    return false;
}

static bool sweep_mode(fault_bed *b, const fault_operation *op, const fault_mode *mode)
{
    fault_plan plan = {.families = mode->families, .may_wait = op->flags & FAULT_WAITS};
    char when[160];
    for (size_t k = 1;; k++) {
        outcome t;
        plan.first = k;
        plan.last = mode->lasting ? SIZE_MAX : k;
        plan.code = codes[k % (sizeof(codes) / sizeof(codes[0]))];
        bool good = run(b, op, &plan, &t);
        fault_call call = 0;
        while (call < FAULT_CALLS && !t.record.failed[call])
            call++;
        snprintf(when, sizeof(when), "call %zu (%s) failing %s with %s", k, fault_call_name(call),
                 mode->name, mote_status_name(plan.code));
        if (!good || (t.record.failures && !check(b, op, &plan, &t))) {
            explain(b, op, when);
            return false;
        }
        if (!t.record.failures)
            return true;
        failures++;
        if (!run_clean(b, op, FAULT_RIGHT)) {
            explain(b, op, when);
            explain(b, op, "the next call");
            return false;
        }
    }
}

static bool sweep(fault_bed *b, const fault_operation *op)
{
    bool good = first_calls(b, op);
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]) && good; i++)
        good = sweep_mode(b, op, &modes[i]);
    return good;
}

static mote_status prepare(fault_bed *b)
{
    return mote_prepare(b->ctx, b->operation, &b->args);
}

/* Runs the preparation and the workspace function of an operation, which have the same arguments.
 * They must not change any array. */
static bool sweep_companions(fault_bed *b, const fault_operation *op)
{
    char name[160];
    fault_operation dry = {.name = name, .flags = FAULT_DRY};
    bool good = true;
    fault_forget(b);
    if (op->operation) {
        snprintf(name, sizeof(name), "%s, prepared", op->name);
        b->operation = op->operation;
        dry.run = prepare;
        good = sweep(b, &dry);
    }
    if (good && op->size) {
        snprintf(name, sizeof(name), "%s, workspace size", op->name);
        dry.run = op->size;
        good = sweep(b, &dry);
    }
    return good;
}

/* Runs a part between setup and cleanup, and checks that nothing is printed. */
static bool with_setup(fault_bed *b, const fault_operation *op,
                       bool (*part)(fault_bed *b, const fault_operation *op))
{
    char text[200];
    fault_setup(b, op);
    printed_begin();
    bool good = part(b, op);
    if (op->cleanup)
        op->cleanup(b);
    fault_arrays_release(b);
    if (!printed_end(text, sizeof(text)) || !good)
        return good;
    snprintf(b->message, sizeof(b->message), "prints \"%s\"", text);
    explain(b, op, "somewhere");
    return false;
}

static bool sweep_family(fault_bed *b, const fault_operation *op)
{
    return sweep(b, op) && sweep_companions(b, op);
}

static bool run_corrupted(fault_bed *b, const fault_operation *op)
{
    const fault_plan plan = {.may_wait = op->flags & FAULT_WAITS};
    outcome t;
    if (b->warm != op)
        warm(b, op);
    b->warm = op;
    bool good = run(b, op, &plan, &t) && fault_arrays_check(b, FAULT_ANY);
    if (good && t.status && !t.sentence_is_new)
        good = complain(b, "no sentence about the failure");
    if (!good)
        explain(b, op, "in adversity");
    return good;
}

bool fault_endure(fault_bed *b, const fault_operation *op)
{
    return with_setup(b, op, run_corrupted);
}

bool fault_try(fault_bed *b, const fault_operation *op)
{
    return with_setup(b, op, first_calls);
}

bool fault_sweep(fault_bed *b, const fault_operation *op)
{
    return with_setup(b, op, sweep_family);
}

void fault_sweep_all(const char *tune, const fault_operation *operations, size_t count)
{
    fault_bed b;
    char complaints[4 * FAULT_MESSAGE] = "";
    size_t length = 0;
    mote_host *lasting = NULL;
    failures = 0;
    fault_bed_open(&b, tune);
    ck_assert_msg(!mote_host_create(b.ctx, b.queues[0], &lasting), "%s", mote_last_error());
    for (size_t i = 0; i < count; i++)
        for (int q = 0; q < (operations[i].flags & (FAULT_ALONE | FAULT_ONCE) ? 1 : 2); q++) {
            bool on_host = operations[i].flags & FAULT_WAITS;
            b.queue = b.queues[on_host ? 0 : q];
            b.host = on_host && q ? lasting : NULL;
            if (!fault_sweep(&b, &operations[i]) && length < sizeof(complaints))
                length += (size_t)snprintf(complaints + length, sizeof(complaints) - length, "%s\n",
                                           b.message);
        }
    mote_host_release(lasting);
    printf("# %s: %zu operations, %zu failures\n", tune, count, failures);
    if (!fault_bed_close(&b) && length < sizeof(complaints))
        snprintf(complaints + length, sizeof(complaints) - length, "%s\n", b.message);
    ck_assert_msg(!complaints[0], "%s: %s", tune, complaints);
}
