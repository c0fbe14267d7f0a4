/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/bandwidth.h"

#include "bench/timing.h"
#include "cl_sources.h"

extern const mote_source mote_cl_bench_bandwidth;

#define GROUP      256
#define UNIT       16 /* bytes of a uint4 */
#define GPU_GROUPS 16 /* groups of a compute unit, for kernels with a loop */
#define CPU_ITEMS  4  /* of a compute unit */

enum { COPY = MOTE_TRAFFIC_COPY, FILL = MOTE_TRAFFIC_FILL, READ = MOTE_TRAFFIC_READ, LAUNCH };

/* A buffer of this size fits caches; twice as much is assumed to fit as well. */
#define GPU_CACHED ((size_t)1 << 25)
#define CPU_CACHED ((size_t)1 << 22)

typedef struct bed {
    cl_command_queue queue;
    cl_program program;
    cl_mem from, to;
    size_t bytes;
    cl_uint units;
    bool gpu;
    int runs;
} bed;

/* A kernel that moves the bytes of a buffer; in the loop form, a fixed number of work-items
 * continues until all bytes are moved. */
typedef struct way {
    const char *name;
    int what;
    bool gpu, steps;
    int units; /* units of 16 bytes that a work-item moves, unless it loops */
} way;

static const way ways[] = {
    {"fill_once", FILL, true, false, 1},  {"fill_steps", FILL, true, true, 1},
    {"copy_once", COPY, true, false, 1},  {"copy_steps", COPY, true, true, 1},
    {"read_four", READ, true, true, 1},   {"read_steps", READ, true, true, 1},
    {"read_block", READ, true, false, 4}, {"read_eight", READ, true, false, 8},
    {"fill_share", FILL, false, true, 1}, {"copy_share", COPY, false, true, 1},
    {"read_share", READ, false, true, 1},
};

static cl_int driver_copy(const bed *b, cl_event *event)
{
    return clEnqueueCopyBuffer(b->queue, b->from, b->to, 0, 0, b->bytes, 0, NULL, event);
}

static cl_int driver_fill(const bed *b, cl_event *event)
{
    static const cl_uint pattern[4] = {1, 2, 3, 4};
    return clEnqueueFillBuffer(b->queue, b->to, pattern, sizeof(pattern), 0, b->bytes, 0, NULL,
                               event);
}

static cl_int launch(const bed *b, const way *w, cl_kernel kernel, cl_event *event)
{
    size_t local = b->gpu ? GROUP : 1, items = b->bytes / UNIT / (size_t)w->units;
    if (w->steps)
        items = b->units * (b->gpu ? (size_t)GROUP * GPU_GROUPS : CPU_ITEMS);
    if (w->what == LAUNCH)
        items = local;
    return clEnqueueNDRangeKernel(b->queue, kernel, 1, NULL, &items, &local, 0, NULL, event);
}

static cl_kernel kernel_of(const bed *b, const way *w)
{
    cl_ulong n = b->bytes / UNIT;
    cl_int code;
    cl_kernel kernel = clCreateKernel(b->program, w->name, &code);
    if (!code)
        code = clSetKernelArg(kernel, 0, sizeof(b->to), &b->to);
    if (!code && w->what != LAUNCH)
        code = clSetKernelArg(kernel, 1, sizeof(n), &n);
    if (!code && w->what != LAUNCH && w->what != FILL)
        code = clSetKernelArg(kernel, 2, sizeof(b->from), &b->from);
    if (!code)
        return kernel;
    if (kernel)
        clReleaseKernel(kernel);
    return NULL;
}

/* Returns the least nanoseconds of the runs after the first, by a kernel or by the driver's own
 * command; 0 if one fails. */
static double least_time(const bed *b, const way *w, cl_kernel kernel,
                         cl_int (*command)(const bed *b, cl_event *event))
{
    double least = 0;
    for (int i = 0; i <= b->runs; i++) {
        cl_event event = NULL;
        cl_ulong start = 0, end = 0;
        if (kernel ? launch(b, w, kernel, &event) : command(b, &event))
            return 0;
        bool good = clWaitForEvents(1, &event) == CL_SUCCESS &&
                    mote_event_times(event, &start, &end) && end > start;
        clReleaseEvent(event);
        if (i > 0 && good && (least <= 0 || (double)(end - start) < least))
            least = (double)(end - start);
    }
    return least;
}

static void take_rate(mote_rate *best, double bytes, double time, const char *by)
{
    if (time > 0 && bytes / time > best->gb_s)
        *best = (mote_rate){bytes / time, by};
}

static double moved(const bed *b, int what)
{
    return (what == COPY ? 2.0 : 1.0) * (double)b->bytes;
}

/* Finds the best rates for the buffers' size; `launch` nanoseconds are subtracted. */
static void try_ways(const bed *b, double launch, mote_rate *rates)
{
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        const way *w = &ways[i];
        cl_kernel kernel = w->gpu == b->gpu && w->what != LAUNCH ? kernel_of(b, w) : NULL;
        if (!kernel)
            continue;
        take_rate(&rates[w->what], moved(b, w->what), least_time(b, w, kernel, NULL) - launch,
                  w->name);
        clReleaseKernel(kernel);
    }
    take_rate(&rates[FILL], moved(b, FILL), least_time(b, NULL, NULL, driver_fill) - launch,
              "driver");
    take_rate(&rates[COPY], moved(b, COPY), least_time(b, NULL, NULL, driver_copy) - launch,
              "driver");
}

typedef struct empty_job {
    const bed *bed;
    const way *way;
    cl_kernel kernel;
} empty_job;

static mote_status call_empty(void *data)
{
    const empty_job *j = data;

    return launch(j->bed, j->way, j->kernel, NULL);
}

/* Returns the time of an empty kernel in nanoseconds: the smaller of its event's time and its time
 * when measured as calls are. */
static double empty_launch(const bed *b)
{
    const way empty = {"empty", LAUNCH, b->gpu, true, 1};
    empty_job job = {b, &empty, kernel_of(b, &empty)};
    mote_call_times times;
    double time = job.kernel ? least_time(b, &empty, job.kernel, NULL) : 0;

    if (job.kernel && b->gpu &&
        !mote_time_call(b->queue, call_empty, &job, (mote_repeats){.warm_up = 3, .runs = 50},
                        &times) &&
        1e3 * times.device.low < time)
        time = 1e3 * times.device.low;
    if (job.kernel)
        clReleaseKernel(job.kernel);
    return time;
}

static bool build(bed *b, cl_context context, cl_device_id device)
{
    cl_int code;
    const char *text = mote_cl_bench_bandwidth.text;
    b->program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    return !code && !clBuildProgram(b->program, 1, &device, "-cl-std=CL1.2 -w", NULL, NULL);
}

static void release(const bed *b)
{
    if (b->program)
        clReleaseProgram(b->program);
    if (b->from)
        clReleaseMemObject(b->from);
    if (b->to)
        clReleaseMemObject(b->to);
}

static double time_of(const mote_bandwidth *bandwidth, mote_traffic traffic, bool fits,
                      double bytes)
{
    double memory = bandwidth->memory[traffic].gb_s, cache = bandwidth->cache[traffic].gb_s;
    double rate = fits && cache > memory ? cache : memory;

    return rate > 0 ? bytes / rate * 1e-3 : 0;
}

double mote_bandwidth_floor(const mote_bandwidth *bandwidth, mote_bytes bytes)
{
    bool fits = bytes.read + bytes.written <= (double)bandwidth->cache_bytes;
    double us = time_of(bandwidth, MOTE_TRAFFIC_READ, fits, bytes.read) +
                time_of(bandwidth, MOTE_TRAFFIC_FILL, fits, bytes.written);

    return us > bandwidth->launch_us ? us : bandwidth->launch_us;
}

mote_bandwidth mote_bandwidth_measure(mote_context *ctx, cl_command_queue queue, bool quick)
{
    const mote_device_info *d = mote_context_device(ctx);
    cl_context context = mote_context_cl(ctx);
    mote_bandwidth result = {.launch_us = 0};
    bed b = {.queue = queue, .units = d->compute_units, .runs = quick ? 5 : 20};
    b.gpu = d->device_class == MOTE_DEVICE_GPU;
    size_t cached = b.gpu ? GPU_CACHED : CPU_CACHED;
    b.bytes = b.gpu ? (size_t)1 << 30 : (size_t)1 << 27;
    while (b.bytes > d->max_alloc_bytes || b.bytes > d->global_bytes / 4)
        b.bytes /= 2;
    for (int k = 0; k < MOTE_TRAFFICS; k++)
        result.memory[k].by = result.cache[k].by = "nothing";
    b.from = clCreateBuffer(context, CL_MEM_READ_WRITE, b.bytes, NULL, NULL);
    b.to = clCreateBuffer(context, CL_MEM_READ_WRITE, b.bytes, NULL, NULL);
    if (b.from && b.to && build(&b, context, d->device)) {
        double launch = empty_launch(&b);
        result.launch_us = launch * 1e-3;
        /* Memory that was never written may be one page of zeros, which reads fast. */
        driver_fill(&b, NULL);
        driver_copy(&(bed){.queue = queue, .from = b.to, .to = b.from, .bytes = b.bytes}, NULL);
        try_ways(&b, launch, result.memory);
        b.bytes = b.bytes < cached ? b.bytes : cached;
        result.cache_bytes = 2 * b.bytes;
        try_ways(&b, launch, result.cache);
    }
    release(&b);
    return result;
}
