/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hold.h"

#define MICROSECONDS 200
#define TRIAL        20000u /* steps that are timed to find how many are needed */

static const char source[] = "__kernel void hold(uint steps, __global uint *sink)\n"
                             "{\n"
                             "    uint x = steps;\n"
                             "    for (uint i = 0; i < steps; i++)\n"
                             "        x = x * 1664525u + (x >> 7);\n"
                             "    *sink = x;\n"
                             "}\n";

static cl_int enqueue(const mote_hold *hold, cl_event *event)
{
    const size_t one = 1;
    return clEnqueueNDRangeKernel(hold->queue, hold->kernel, 1, NULL, &one, &one, 0, NULL, event);
}

static cl_int set_steps(const mote_hold *hold, cl_uint steps)
{
    return clSetKernelArg(hold->kernel, 0, sizeof(steps), &steps);
}

/* Sets how many steps take the time, measured on the device itself. */
static cl_int calibrate(const mote_hold *hold)
{
    cl_event event = NULL;
    cl_ulong start = 0, end = 0;
    cl_int code = set_steps(hold, TRIAL);
    for (int run = 0; !code && run < 2; run++) {
        if (event)
            clReleaseEvent(event);
        event = NULL;
        code = enqueue(hold, &event);
        if (!code)
            code = clFinish(hold->queue);
    }
    if (!code)
        code =
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL);
    if (!code)
        code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL);
    if (event)
        clReleaseEvent(event);
    if (code || end <= start)
        return code ? code : CL_PROFILING_INFO_NOT_AVAILABLE;
    double steps = 1e3 * MICROSECONDS * TRIAL / (double)(end - start);
    return set_steps(hold, steps < 1e8 ? (cl_uint)steps : 100000000u);
}

static cl_int build(mote_hold *hold, cl_context context, cl_device_id device)
{
    const char *text = source;
    cl_int code;
    hold->program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    if (!code)
        code = clBuildProgram(hold->program, 1, &device, "-w", NULL, NULL);
    if (!code)
        hold->kernel = clCreateKernel(hold->program, "hold", &code);
    if (!code)
        hold->sink = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL, &code);
    if (!code)
        code = clSetKernelArg(hold->kernel, 1, sizeof(hold->sink), &hold->sink);
    return code ? code : calibrate(hold);
}

void mote_hold_open(mote_hold *hold, cl_command_queue queue)
{
    cl_context context = NULL;
    cl_device_id device = NULL;
    cl_device_type type = 0;
    *hold = (mote_hold){.queue = queue};
    cl_int code = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context), &context, NULL);
    if (!code)
        code = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device), &device, NULL);
    if (!code)
        code = clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type), &type, NULL);
    if (!code && (type & CL_DEVICE_TYPE_GPU) && build(hold, context, device))
        mote_hold_close(hold);
}

cl_int mote_hold_enqueue(const mote_hold *hold)
{
    return hold->program ? enqueue(hold, NULL) : CL_SUCCESS;
}

void mote_hold_close(mote_hold *hold)
{
    if (hold->sink)
        clReleaseMemObject(hold->sink);
    if (hold->kernel)
        clReleaseKernel(hold->kernel);
    if (hold->program)
        clReleaseProgram(hold->program);
    *hold = (mote_hold){0};
}
