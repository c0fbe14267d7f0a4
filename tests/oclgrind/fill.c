/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded under Oclgrind, which records the first host access as if it covered the whole buffer:
 * after clEnqueueFillBuffer with one pattern, the whole buffer is treated as uninitialised. This
 * fill writes all bytes of large regions, and runs a kernel for small ones, which need not begin at
 * the buffer's first byte. */
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

#define SMALL ((size_t)1024)

static void CL_CALLBACK release(cl_event event, cl_int status, void *bytes)
{
    (void)event;
    (void)status;
    free(bytes);
}

static cl_int write_all(cl_command_queue queue, cl_mem buffer, const void *pattern,
                        size_t pattern_size, size_t offset, size_t size, cl_uint num_wait,
                        const cl_event *wait, cl_event *event)
{
    cl_event done = NULL;
    char *bytes = malloc(size);
    if (!bytes)
        return CL_OUT_OF_HOST_MEMORY;
    for (size_t at = 0; at + pattern_size <= size; at += pattern_size)
        memcpy(bytes + at, pattern, pattern_size);
    cl_int error =
        clEnqueueWriteBuffer(queue, buffer, CL_FALSE, offset, size, bytes, num_wait, wait, &done);
    if (error) {
        free(bytes);
        return error;
    }
    error = clSetEventCallback(done, CL_COMPLETE, release, bytes);
    if (event)
        *event = done;
    else
        clReleaseEvent(done);
    return error;
}

static cl_kernel make_kernel(cl_mem buffer)
{
    static const char *const source =
        "__kernel void fill(__global uint *words, ulong at, uint pattern)\n"
        "{\n"
        "    words[at + get_global_id(0)] = pattern;\n"
        "}\n";
    cl_context context = NULL;
    cl_int error = clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof(context), &context, NULL);
    cl_program program =
        error ? NULL : clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &error);
    if (program)
        error = clBuildProgram(program, 0, NULL, "", NULL, NULL);
    cl_kernel kernel = program && !error ? clCreateKernel(program, "fill", &error) : NULL;
    if (program)
        clReleaseProgram(program);
    return kernel;
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                           size_t pattern_size, size_t offset, size_t size, cl_uint num_wait,
                           const cl_event *wait, cl_event *event)
{
    const size_t word = sizeof(cl_uint), words = size / word;
    const cl_ulong at = offset / word;
    if (pattern_size != word || size > SMALL || size % word || offset % word)
        return write_all(queue, buffer, pattern, pattern_size, offset, size, num_wait, wait, event);
    cl_kernel kernel = make_kernel(buffer);
    if (!kernel)
        return CL_OUT_OF_HOST_MEMORY;
    cl_int error = clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
    if (!error)
        error = clSetKernelArg(kernel, 1, sizeof(at), &at);
    if (!error)
        error = clSetKernelArg(kernel, 2, word, pattern);
    if (!error)
        error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &words, NULL, num_wait, wait, event);
    clReleaseKernel(kernel);
    return error;
}
