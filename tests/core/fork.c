/* SPDX-License-Identifier: Apache-2.0 */
/* A process that has used OpenCL forks: in the child every call fails with a sentence, and nothing
 * hangs, including releases; the parent continues. A child that was forked before the first use
 * works. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mote/mote.h"

/* Objects that the parent has created. */
static mote_context *ctx;
static mote_host *host;
static mote_buffer *buffer;
static mote_coordination *plan;
static void *pinned;
static cl_command_queue queue;

static int failures;

static void say(bool good, const char *what)
{
    failures += !good;
    printf("# %s: %s\n", good ? "as it must be" : "WRONG", what);
    if (!good)
        printf("# last error: %s\n", mote_last_error());
}

static mote_status add_up(void)
{
    static const float values[] = {1, 2, 3};
    double sum = 0;
    mote_reduce_host_args args;
    mote_reduce_host_args_init(&args);
    args.values = values;
    args.type = MOTE_FLOAT32;
    args.n = 3;
    args.result = &sum;
    mote_status status = mote_reduce_host(ctx, host, &args);
    return status || sum == 6 ? status : MOTE_ERROR_INTERNAL;
}

static mote_status make_plan(mote_coordination **out)
{
    mote_coordination_plan_args args;
    static const uint32_t atoms[] = {0, 1};
    mote_coordination_plan_args_init(&args);
    args.function.r_0 = 0.3;
    args.n_atoms = 3;
    args.group_a = atoms;
    args.n_a = 2;
    return mote_coordination_create(ctx, &args, out);
}

static bool make_all(void)
{
    mote_status status = mote_context_open(NULL, &ctx);
    if (!status)
        status = mote_context_queue(ctx, 0, &queue);
    if (!status)
        status = mote_host_create(ctx, NULL, &host);
    if (!status)
        status = mote_buffer_create(ctx, MOTE_FLOAT32, 100, 0, &buffer);
    if (!status)
        status = mote_host_alloc(ctx, 100, &pinned);
    if (!status)
        status = make_plan(&plan);
    return !status && !add_up();
}

static void release_all(void)
{
    mote_coordination_release(plan);
    mote_host_free(ctx, pinned);
    mote_buffer_release(buffer);
    mote_host_release(host);
    mote_context_release(ctx);
}

static void refused(mote_status status, const char *what)
{
    say(status == MOTE_ERROR_UNSUPPORTED && strstr(mote_last_error(), "start workers with spawn"),
        what);
}

static void call_all(void)
{
    mote_device_info *devices;
    mote_context *other;
    mote_host *more_host;
    mote_buffer *more;
    mote_coordination *another;
    cl_command_queue new_queue;
    size_t count, bytes;
    void *memory;
    float number = 0;
    mote_memory report;
    mote_reduce_args args;
    mote_coordination_host_args frame;
    mote_tuning tuning;
    mote_tuning_init(&tuning);
    mote_memory_init(&report);
    mote_reduce_args_init(&args);
    mote_coordination_host_args_init(&frame);
    frame.plan = plan;
    refused(mote_devices(sizeof(mote_device_info), &devices, &count), "mote_devices");
    refused(mote_context_open(NULL, &other), "mote_context_open");
    refused(mote_context_create(mote_context_cl(ctx), mote_context_device(ctx)->device, &other),
            "mote_context_create");
    refused(mote_context_queue(ctx, 0, &new_queue), "mote_context_queue");
    refused(mote_context_memory(ctx, &report), "mote_context_memory");
    refused(mote_context_trim(ctx), "mote_context_trim");
    refused(mote_context_tune(ctx, NULL), "mote_context_tune");
    refused(mote_context_tuning(ctx, 0, &tuning), "mote_context_tuning");
    refused(mote_host_create(ctx, NULL, &more_host), "mote_host_create");
    refused(mote_host_alloc(ctx, 10, &memory), "mote_host_alloc");
    refused(mote_buffer_create(ctx, MOTE_FLOAT32, 10, 0, &more), "mote_buffer_create");
    refused(mote_buffer_write(buffer, 0, 1, &number, MOTE_FLOAT32, 1, queue, 0, NULL, NULL),
            "mote_buffer_write");
    refused(mote_buffer_read(buffer, 0, 1, &number, MOTE_FLOAT32, 1, queue, 0, NULL, NULL),
            "mote_buffer_read");
    refused(mote_buffer_resize(buffer, 1000, 1, queue, 0, NULL, NULL), "mote_buffer_resize");
    refused(mote_error_read(queue, mote_buffer_view(buffer).mem, 0, NULL, 0, NULL),
            "mote_error_read");
    refused(add_up(), "mote_reduce_host");
    refused(mote_reduce(ctx, queue, &args, 0, NULL, NULL), "mote_reduce");
    refused(mote_reduce_workspace_size(ctx, &args, &bytes), "mote_reduce_workspace_size");
    refused(make_plan(&another), "mote_coordination_create");
    refused(mote_coordination_host(ctx, NULL, &frame), "mote_coordination_host");
}

/* Returns whether a child that runs `work` ends by itself, without a failure. */
static bool child_succeeds(void (*work)(void))
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        failures = 0;
        work();
        fflush(stdout);
        _exit(failures != 0); /* exit handlers of drivers must run only in their own process */
    }
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static void work_alone(void)
{
    say(make_all(), "a child forked before the first call uses OpenCL");
    release_all();
}

static void work_after(void)
{
    call_all();
    release_all();
}

static void result(int number, bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", number, what);
}

int main(void)
{
    printf("1..3\n");
    result(1, child_succeeds(work_alone), "a child that was forked before works");
    bool good = make_all();
    if (!good)
        printf("# %s\n", mote_last_error());
    result(2, good && child_succeeds(work_after), "a child that was forked after is refused");
    result(3, good && !add_up(), "the parent goes on");
    clReleaseCommandQueue(queue);
    release_all();
    return EXIT_SUCCESS;
}
