/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of particles in three events: parents, sums, and all combinations of two kinds. */
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>

#define EVENTS 3
#define N      5 /* electrons */

static const int32_t electrons[EVENTS + 1] = {0, 2, 2, 5}; /* offsets: two, none, three */
static const int32_t muons[EVENTS + 1] = {0, 1, 3, 5};     /* one, two, two */
static const float energy[N] = {10, 20, 5, 7, 9};

/* Every return code of OpenCL and of mote goes through here. */
static void check(mote_status status, const char *what)
{
    if (status == MOTE_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n%s\n", what, mote_status_name(status), mote_last_error());
    exit(EXIT_FAILURE);
}

/* Returns a view of `count` elements, with these values or, for NULL, without. */
static mote_view device(mote_context *ctx, const void *values, size_t count, mote_type type)
{
    cl_int code;
    cl_mem_flags copy = values ? CL_MEM_COPY_HOST_PTR : 0;
    cl_mem mem = clCreateBuffer(mote_context_cl(ctx), CL_MEM_READ_WRITE | copy,
                                count * mote_type_size(type), (void *)values, &code);
    check(code, "clCreateBuffer");
    return mote_view_make(mem, count, type);
}

static void read(cl_command_queue queue, mote_view v, void *values)
{
    check(clEnqueueReadBuffer(queue, v.mem, CL_TRUE, 0, v.count * mote_type_size(v.type), values, 0,
                              NULL, NULL),
          "clEnqueueReadBuffer");
}

/* The number of the event that each electron belongs to. */
static void show_parents(mote_context *ctx, cl_command_queue queue, mote_view offsets)
{
    int32_t parents[N];
    mote_jagged_parents_args args;
    mote_jagged_parents_args_init(&args);
    args.offsets = offsets;
    args.parents = device(ctx, NULL, N, MOTE_INT32);
    check(mote_jagged_parents(ctx, queue, &args, 0, NULL, NULL), "mote_jagged_parents");
    read(queue, args.parents, parents);
    for (int i = 0; i < N; i++)
        printf("electron %d is of event %d\n", i, parents[i]);
    clReleaseMemObject(args.parents.mem);
}

/* Straight from the offsets: parents are not needed. */
static void show_sums(mote_context *ctx, cl_command_queue queue, mote_view offsets)
{
    float sums[EVENTS];
    mote_jagged_reduce_args args;
    mote_jagged_reduce_args_init(&args);
    args.offsets = offsets;
    args.values = device(ctx, energy, N, MOTE_FLOAT32);
    args.reduction = MOTE_REDUCE_SUM;
    args.result = device(ctx, NULL, EVENTS, MOTE_FLOAT32);
    check(mote_jagged_reduce(ctx, queue, &args, 0, NULL, NULL), "mote_jagged_reduce");
    read(queue, args.result, sums);
    for (int k = 0; k < EVENTS; k++)
        printf("event %d: energy %g\n", k, sums[k]);
    clReleaseMemObject(args.values.mem);
    clReleaseMemObject(args.result.mem);
}

/* How many pairs there are is known after a first call, which has no room for any. Where an upper
 * bound is known, one call with that capacity is enough. */
static void show_pairs(mote_context *ctx, cl_command_queue queue, mote_view a, mote_view b)
{
    int32_t offsets[EVENTS + 1];
    mote_jagged_combinations_args args;
    mote_jagged_combinations_args_init(&args);
    args.offsets_a = a, args.offsets_b = b;
    args.offsets = device(ctx, NULL, EVENTS + 1, MOTE_INT32);
    check(mote_jagged_product(ctx, queue, &args, 0, NULL, NULL), "count");
    read(queue, args.offsets, offsets);
    size_t count = (size_t)offsets[EVENTS];
    args.first = device(ctx, NULL, count, MOTE_INT32);
    args.second = device(ctx, NULL, count, MOTE_INT32);
    check(mote_jagged_product(ctx, queue, &args, 0, NULL, NULL), "mote_jagged_product");
    int32_t *first = malloc(2 * count * sizeof(*first)), *second = first + count;
    check(first ? MOTE_SUCCESS : MOTE_ERROR_OUT_OF_HOST_MEMORY, "malloc");
    read(queue, args.first, first);
    read(queue, args.second, second);
    for (int k = 0; k < EVENTS; k++)
        for (int32_t p = offsets[k]; p < offsets[k + 1]; p++)
            printf("event %d: electron %d, muon %d\n", k, first[p], second[p]);
    free(first);
    clReleaseMemObject(args.offsets.mem);
    clReleaseMemObject(args.first.mem);
    clReleaseMemObject(args.second.mem);
}

int main(void)
{
    mote_context *ctx;
    cl_command_queue queue;
    check(mote_context_open(NULL, &ctx), "mote_context_open");
    check(mote_context_queue(ctx, 0, &queue), "mote_context_queue");
    mote_view a = device(ctx, electrons, EVENTS + 1, MOTE_INT32);
    mote_view b = device(ctx, muons, EVENTS + 1, MOTE_INT32);
    show_parents(ctx, queue, a);
    show_sums(ctx, queue, a);
    show_pairs(ctx, queue, a, b);
    clReleaseMemObject(a.mem);
    clReleaseMemObject(b.mem);
    clReleaseCommandQueue(queue);
    mote_context_release(ctx);
    return 0;
}
