/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/coordination/limit.h"

#include <stdio.h>

#define CHAINS 10 /* independent chains, which hide the latency of an fma */
#define RUNS   8

/* The factors are arguments and keep every number near 1. */
static const char source[] =
    "#ifdef FP64\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#endif\n"
    "#define STEP(x) x = fma(x, b, c);\n"
    "#define ALL STEP(p) STEP(q) STEP(r) STEP(s) STEP(t) STEP(u) STEP(v) STEP(w) STEP(y) STEP(z)\n"
    "__kernel void fmas(uint steps, REAL factor, __global VEC *sink)\n"
    "{\n"
    "    VEC b = (VEC)(factor), c = (VEC)((REAL)1 - factor);\n"
    "    VEC p = b, q = b * 2, r = b * 3, s = b * 4, t = b * 5;\n"
    "    VEC u = b * 6, v = b * 7, w = b * 8, y = b * 9, z = b * 10;\n"
    "    for (uint i = 0; i < steps; i++) {\n"
    "        ALL ALL ALL ALL\n"
    "    }\n"
    "    sink[get_global_id(0)] = p + q + r + s + t + u + v + w + y + z;\n"
    "}\n";

typedef struct trial {
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem sink;
    cl_uint steps;
    size_t global, local, lanes;
} trial;

static cl_int build(trial *t, mote_context *ctx, cl_device_id device, bool in_double)
{
    bool cpu = t->lanes > 1;
    const char *text = source;
    char options[120];
    cl_int code;

    snprintf(options, sizeof(options), "-w -DREAL=%s -DVEC=%s%s%s", in_double ? "double" : "float",
             in_double ? "double" : "float",
             !cpu        ? ""
             : in_double ? "8"
                         : "16",
             in_double ? " -DFP64" : "");
    t->program = clCreateProgramWithSource(mote_context_cl(ctx), 1, &text, NULL, &code);
    if (!code)
        code = clBuildProgram(t->program, 1, &device, options, NULL, NULL);
    if (!code)
        t->kernel = clCreateKernel(t->program, "fmas", &code);
    if (!code)
        t->sink =
            clCreateBuffer(mote_context_cl(ctx), CL_MEM_READ_WRITE, t->global * 64, NULL, &code);
    return code;
}

static cl_int set_arguments(trial *t, bool in_double)
{
    const double factor = 0.999;
    const float narrow = 0.999f;
    cl_int code = clSetKernelArg(t->kernel, 0, sizeof(t->steps), &t->steps);

    if (!code && in_double)
        code = clSetKernelArg(t->kernel, 1, sizeof(factor), &factor);
    else if (!code)
        code = clSetKernelArg(t->kernel, 1, sizeof(narrow), &narrow);
    return code ? code : clSetKernelArg(t->kernel, 2, sizeof(t->sink), &t->sink);
}

/* Nanoseconds of one launch; 0 if it failed. */
static double launch(const trial *t)
{
    cl_event event = NULL;
    cl_ulong start = 0, end = 0;
    cl_int code = clEnqueueNDRangeKernel(t->queue, t->kernel, 1, NULL, &t->global, &t->local, 0,
                                         NULL, &event);

    if (!code)
        code = clWaitForEvents(1, &event);
    if (!code)
        code =
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL);
    if (!code)
        code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL);
    if (event)
        clReleaseEvent(event);
    return !code && end > start ? (double)(end - start) : 0;
}

static double best_rate(const trial *t)
{
    double all = 4.0 * CHAINS * (double)t->steps * (double)(t->global * t->lanes), best = 0;

    for (int run = 0; run <= RUNS; run++) {
        double time = launch(t);

        if (run > 0 && time > 0 && all / time > best)
            best = all / time;
    }
    return best;
}

double mote_fma_rate(mote_context *ctx, cl_command_queue queue, bool in_double)
{
    const mote_device_info *d = mote_context_device(ctx);
    bool cpu = d->device_class == MOTE_DEVICE_CPU;
    trial t = {.queue = queue, .steps = cpu ? 40000 : 1000, .local = cpu ? 1 : 128};
    cl_device_id device = NULL;
    double rate = 0;

    t.lanes = !cpu ? 1 : in_double ? 8 : 16;
    t.global = cpu ? 4 * d->compute_units : 16 * t.local * d->compute_units;
    if ((!in_double || d->has_fp64) &&
        !clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device), &device, NULL) &&
        !build(&t, ctx, device, in_double) && !set_arguments(&t, in_double))
        rate = best_rate(&t);
    if (t.sink)
        clReleaseMemObject(t.sink);
    if (t.kernel)
        clReleaseKernel(t.kernel);
    if (t.program)
        clReleaseProgram(t.program);
    return rate;
}
