/* SPDX-License-Identifier: Apache-2.0 */
/* Devices, contexts, queues, hosts, and the tasks of a call besides its work. */
#include "tables.h"

#include "core/context.h"

#include <check.h>

#define N ((size_t)20000) /* floats: enough for a copy through pinned memory */

static float values[N];

static mote_status devices(fault_bed *b)
{
    mote_device_info *list = NULL;
    size_t count = 0;
    mote_status status = mote_devices(sizeof(mote_device_info), &list, &count);
    b->made = list;
    return status;
}

static void free_devices(fault_bed *b)
{
    mote_devices_free(b->made);
}

static mote_status open(fault_bed *b)
{
    mote_context *ctx = NULL;
    mote_status status = mote_context_open(mote_context_device(b->ctx)->spec, &ctx);
    b->made = ctx;
    return status;
}

static mote_status create(fault_bed *b)
{
    mote_context *ctx = NULL;
    mote_status status =
        mote_context_create(mote_context_cl(b->ctx), mote_context_device(b->ctx)->device, &ctx);
    b->made = ctx;
    return status;
}

static void release_context(fault_bed *b)
{
    mote_context_release(b->made);
}

static mote_status queue(fault_bed *b)
{
    cl_command_queue made = NULL;
    mote_status status = mote_context_queue(b->ctx, 0, &made);
    b->made = made;
    return status;
}

static void release_queue(fault_bed *b)
{
    clReleaseCommandQueue(b->made);
}

static void sum(fault_bed *b)
{
    FAULT_ARGS(b, mote_reduce_args, args);
    for (size_t i = 0; i < N; i++)
        values[i] = (float)(i % 13);
    args->values = fault_in(b, "values", MOTE_FLOAT32, N, values);
    args->result = fault_out(b, "result", MOTE_FLOAT64, 1);
}

/* A call without an event: its scratch needs a marker before it can be released. */
static mote_status scratch(fault_bed *b)
{
    mote_memory memory;
    mote_memory_init(&memory);
    const mote_reduce_args *args = (const mote_reduce_args *)(const void *)&b->args;
    mote_status status = mote_reduce(b->ctx, b->queue, args, 0, NULL, NULL);
    if (!status)
        status = mote_context_memory(b->ctx, &memory);
    return status ? status : mote_context_trim(b->ctx);
}

static mote_status run_sum(fault_bed *b)
{
    const mote_reduce_args *args = (const mote_reduce_args *)(const void *)&b->args;
    return mote_reduce(b->ctx, b->queue, args, 0, NULL, &b->event);
}

static void on_launch(const mote_launch_record *record, void *user)
{
    *(size_t *)user += record->global;
}

static void watch_launches(fault_bed *b)
{
    static size_t items;
    sum(b);
    mote_launch_callback_set(on_launch, &items);
}

static void watch_no_launches(fault_bed *b)
{
    (void)b;
    mote_launch_callback_set(NULL, NULL);
}

static void on_message(mote_log_level level, const char *message, void *user)
{
    *(size_t *)user += (size_t)level + (message[0] != '\0');
}

static void watch_messages(fault_bed *b)
{
    static size_t count;
    sum(b);
    mote_log_set(MOTE_LOG_DEBUG, on_message, &count);
}

static void watch_no_messages(fault_bed *b)
{
    (void)b;
    mote_log_set(MOTE_LOG_NONE, NULL, NULL);
}

static mote_status host(fault_bed *b)
{
    mote_host *made = NULL;
    mote_status status = mote_host_create(b->ctx, b->host ? b->queue : NULL, &made);
    mote_host_release(made);
    return status;
}

static mote_status pinned(fault_bed *b)
{
    void *memory = NULL;
    mote_status status = mote_host_alloc(b->ctx, 5000, &memory);
    mote_host_free(b->ctx, memory);
    return status;
}

static mote_device_class class_before;

static void as_class(fault_bed *b, mote_device_class pretended)
{
    class_before = b->ctx->device.device_class;
    b->ctx->device.device_class = pretended;
}

/* Treats the device as a CPU: memory of the host is not pinned. */
static void as_cpu(fault_bed *b)
{
    as_class(b, MOTE_DEVICE_CPU);
}

/* Treats the device as a GPU: arrays of the host are copied through pinned memory. The queue for
 * pinned memory is kept. */
static void as_gpu(fault_bed *b)
{
    void *memory = NULL;
    as_class(b, MOTE_DEVICE_GPU);
    ck_assert_int_eq(mote_host_alloc(b->ctx, 1, &memory), MOTE_SUCCESS);
    mote_host_free(b->ctx, memory);
}

static void as_before(fault_bed *b)
{
    b->ctx->device.device_class = class_before;
}

static void staged_sum(fault_bed *b)
{
    FAULT_ARGS(b, mote_reduce_host_args, args);
    as_gpu(b);
    args->type = MOTE_FLOAT32;
    args->n = 1;
    args->rows = N;
    args->values = fault_host_in(b, "values", sizeof(values), values);
    args->result = fault_host_out(b, "result", N * sizeof(double));
}

FAULT_HOST(mote_reduce_host, mote_reduce_host_args)

static void error_word(fault_bed *b)
{
    uint32_t slots[MOTE_ERROR_SLOTS];
    for (int i = 0; i < MOTE_ERROR_SLOTS; i++)
        slots[i] = MOTE_ERROR_SLOT_CLEAR;
    fault_in(b, "word", MOTE_UINT32, MOTE_ERROR_SLOTS, slots);
}

static mote_status read_error(fault_bed *b)
{
    const mote_view *v = &b->arrays[0].guard.view;
    return mote_error_read(b->queue, v->mem, v->offset * 4, NULL, 0, NULL);
}

/* clang-format off */
const fault_operation fault_core[] = {
    {.name = "mote_devices", .run = devices, .undo = free_devices, .flags = FAULT_ALONE},
    {.name = "mote_context_open", .run = open, .undo = release_context, .flags = FAULT_ALONE},
    {.name = "mote_context_create", .run = create, .undo = release_context, .flags = FAULT_ALONE},
    {.name = "mote_context_queue", .run = queue, .undo = release_queue, .flags = FAULT_ALONE},
    {.name = "mote_context_trim", .setup = sum, .run = scratch, .flags = FAULT_SILENT},
    {.name = "a call with a launch callback", .setup = watch_launches, .run = run_sum, .cleanup = watch_no_launches},
    {.name = "a call with a logger", .setup = watch_messages, .run = run_sum, .cleanup = watch_no_messages},
    {.name = "mote_host_create", .run = host, .flags = FAULT_WAITS},
    {.name = "mote_host_alloc", .setup = as_cpu, .run = pinned, .cleanup = as_before, .flags = FAULT_WAITS | FAULT_ALONE},
    {.name = "mote_host_alloc, pinned", .setup = as_gpu, .run = pinned, .cleanup = as_before, .flags = FAULT_WAITS | FAULT_ALONE | FAULT_PINNED},
    {.name = "mote_reduce_host, staged", .setup = staged_sum, .run = run_mote_reduce_host, .cleanup = as_before, .flags = FAULT_WAITS},
    {.name = "mote_error_read", .setup = error_word, .run = read_error, .flags = FAULT_WAITS},
};
/* clang-format on */
const size_t fault_core_count = sizeof(fault_core) / sizeof(fault_core[0]);
