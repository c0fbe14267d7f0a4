/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels with one known defect each: Oclgrind, or the host OpenCL of tests/hostcl, must report
 * them; otherwise a run without reports proves nothing. The kernel "filled" has none, but reads
 * memory that was written by clEnqueueFillBuffer. */
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

#define COUNT 64

static const char *const source =
    "__kernel void race(__global int *out) { out[0] = (int)get_global_id(0); }\n"
    "__kernel void bounds(__global int *out) { out[get_global_id(0) + 1] = 1; }\n"
    "__kernel void local_race(__global int *out) {\n"
    "    __local int shared[64];\n"
    "    size_t i = get_local_id(0);\n"
    "    shared[i] = (int)i;\n"
    "    out[get_global_id(0)] = shared[63 - i];\n"
    "}\n"
    "__kernel void uninitialised(__global int *out) {\n"
    "    int some[4];\n"
    "    some[0] = 1;\n"
    "    out[get_global_id(0)] = some[get_global_id(0) % 4] > 0 ? 1 : 2;\n"
    "}\n"
    "__kernel void apart(__global int *out) {\n"
    "    if (get_local_id(0) < 3)\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = 1;\n"
    "}\n"
    "__kernel void overflow(__global int *out) {\n"
    "    out[get_global_id(0)] = 0x7ffffff0 + (int)get_global_id(0);\n"
    "}\n"
    "__kernel void filled(__global int *out) { out[get_global_id(0)] += 1; }\n";

/* Enqueues the kernel `name` of a program on COUNT work-items. */
static cl_int enqueue(cl_context context, cl_command_queue queue, cl_program program,
                      const char *name)
{
    const size_t count = COUNT;
    const cl_int zero = 0;
    cl_int error;
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, COUNT * sizeof(cl_int), NULL, &error);
    if (error)
        return error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    if (!error) {
        error = clSetKernelArg(kernel, 0, sizeof out, &out);
        if (!error && strcmp(name, "filled") == 0)
            error = clEnqueueFillBuffer(queue, out, &zero, sizeof zero, 0, COUNT * sizeof zero, 0,
                                        NULL, NULL);
        if (!error)
            error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, &count, 0, NULL, NULL);
        if (!error)
            error = clFinish(queue);
        clReleaseKernel(kernel);
    }
    clReleaseMemObject(out);
    return error;
}

/* Builds the kernels and runs the one called `name`. */
static cl_int build_and_run(cl_context context, cl_device_id device, const char *name)
{
    const char *text = source;
    cl_int error;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    if (error)
        return error;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    if (!error) {
        error = clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL);
        if (!error)
            error = enqueue(context, queue, program, name);
        clReleaseProgram(program);
    }
    clReleaseCommandQueue(queue);
    return error;
}

int main(int argc, char **argv)
{
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    cl_int error = clGetPlatformIDs(1, &platform, NULL);
    if (!error)
        error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    if (!error) {
        cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
        if (!error) {
            error = build_and_run(context, device, argc > 1 ? argv[1] : "");
            clReleaseContext(context);
        }
    }
    if (error)
        fprintf(stderr, "OpenCL error %d\n", (int)error);
    return error != 0;
}
