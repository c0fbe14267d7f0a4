/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded under Oclgrind, which records the first host access as if it covered the whole buffer:
 * after clEnqueueFillBuffer with one pattern, the whole buffer is treated as uninitialised. This
 * fill writes all bytes. */
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

static void CL_CALLBACK release(cl_event event, cl_int status, void *bytes)
{
    (void)event;
    (void)status;
    free(bytes);
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
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
