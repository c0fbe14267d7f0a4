/* SPDX-License-Identifier: Apache-2.0 */
/* Clustering a batch of two events on a context, an out-of-order queue and buffers of one's own. */
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>

#define DIGIS   8
#define EVENTS  2
#define MODULES 2

static const uint32_t event_offsets[EVENTS + 1] = {0, 5, 8};
static const uint16_t module_id[DIGIS] = {0, 0, 0, 1, 1, 1, 0, 0};
static const uint16_t x[DIGIS] = {10, 11, 40, 3, 4, 100, 0, 1};
static const uint16_t y[DIGIS] = {7, 7, 9, 5, 6, 20, 0, 1};
static const uint16_t adc[DIGIS] = {900, 1300, 500, 800, 700, 4000, 300, 300};

/* Every return code of OpenCL and of mote goes through here. */
static void check(mote_status status, const char *what)
{
    if (status == MOTE_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n%s\n", what, mote_status_name(status), mote_last_error());
    exit(EXIT_FAILURE);
}

static mote_view create(mote_context *ctx, size_t count, mote_type type)
{
    cl_int code;
    cl_mem mem = clCreateBuffer(mote_context_cl(ctx), CL_MEM_READ_WRITE,
                                count * mote_type_size(type), NULL, &code);
    check(code, "clCreateBuffer");
    return mote_view_make(mem, count, type);
}

/* The copy has been made when *done is complete. */
static mote_view upload(mote_context *ctx, cl_command_queue queue, const void *values, size_t count,
                        mote_type type, cl_event *done)
{
    mote_view v = create(ctx, count, type);
    check(clEnqueueWriteBuffer(queue, v.mem, CL_FALSE, 0, count * mote_type_size(type), values, 0,
                               NULL, done),
          "clEnqueueWriteBuffer");
    return v;
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");

    mote_context *ctx;
    cl_command_queue queue;
    check(mote_context_create(context, device, &ctx), "mote_context_create");
    check(mote_context_queue(ctx, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &queue), "queue");

    cl_event up[5], clustered, down[2];
    mote_pixels_cluster_args args;
    mote_pixels_cluster_args_init(&args);
    args.event_offsets = upload(ctx, queue, event_offsets, EVENTS + 1, MOTE_UINT32, &up[0]);
    args.module_id = upload(ctx, queue, module_id, DIGIS, MOTE_UINT16, &up[1]);
    args.x = upload(ctx, queue, x, DIGIS, MOTE_UINT16, &up[2]);
    args.y = upload(ctx, queue, y, DIGIS, MOTE_UINT16, &up[3]);
    args.adc = upload(ctx, queue, adc, DIGIS, MOTE_UINT16, &up[4]);
    args.n_modules = MODULES, args.rows = 160, args.columns = 416;
    args.charge_cut = 1000;
    args.cluster_id = create(ctx, DIGIS, MOTE_INT32);
    args.n_clusters = create(ctx, EVENTS * MODULES, MOTE_UINT32);
    mote_view error = create(ctx, MOTE_ERROR_SLOTS, MOTE_UINT32);
    args.error = error.mem;

    /* Nothing below waits on the host before clWaitForEvents(). */
    int32_t cluster_id[DIGIS];
    uint32_t n_clusters[EVENTS * MODULES], index;
    check(mote_pixels_cluster(ctx, queue, &args, 5, up, &clustered), "mote_pixels_cluster");
    check(clEnqueueReadBuffer(queue, args.cluster_id.mem, CL_FALSE, 0, sizeof(cluster_id),
                              cluster_id, 1, &clustered, &down[0]),
          "clEnqueueReadBuffer");
    check(clEnqueueReadBuffer(queue, args.n_clusters.mem, CL_FALSE, 0, sizeof(n_clusters),
                              n_clusters, 1, &clustered, &down[1]),
          "clEnqueueReadBuffer");
    check(clWaitForEvents(2, down), "clWaitForEvents");
    check(mote_error_read(queue, args.error, 0, &index, 1, &clustered), "mote_error_read");
    for (int k = 0; k < EVENTS * MODULES; k++)
        printf("event %d, module %d: %u clusters\n", k / MODULES, k % MODULES, n_clusters[k]);
    for (int i = 0; i < DIGIS; i++)
        printf("digi %d: cluster %d\n", i, cluster_id[i]);

    /* A digi outside its module is found on the device: the call succeeds, the error word tells. */
    args.rows = 40;
    cl_event last;
    check(mote_pixels_cluster(ctx, queue, &args, 0, NULL, &last), "mote_pixels_cluster");
    mote_status status = mote_error_read(queue, args.error, 0, &index, 1, &last);
    printf("40 rows: %s at digi %u\n", mote_status_name(status), index);

    const cl_event events[] = {up[0],     up[1],   up[2],   up[3], up[4],
                               clustered, down[0], down[1], last};
    const cl_mem memory[] = {
        args.event_offsets.mem, args.module_id.mem,  args.x.mem,          args.y.mem,
        args.adc.mem,           args.cluster_id.mem, args.n_clusters.mem, args.error};
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
        check(clReleaseEvent(events[i]), "clReleaseEvent");
    for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]); i++)
        check(clReleaseMemObject(memory[i]), "clReleaseMemObject");
    check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
    mote_context_release(ctx);
    check(clReleaseContext(context), "clReleaseContext");
    return 0;
}
