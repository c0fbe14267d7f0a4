/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that can be enqueued. A range outside of its buffer ends the process: the library must
 * check. */
#include "host.h"

#include <stdlib.h>
#include <string.h>

/* Checks that a range is inside its buffer. */
static void check_range(cl_mem mem, size_t at, size_t bytes)
{
    if (bytes == 0 || at > mem->size || bytes > mem->size - at)
        host_stop("bytes %zu .. %zu + %zu of a buffer of %zu", at, at, bytes, mem->size);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t at,
                           size_t bytes, void *to, cl_uint count, const cl_event *wait,
                           cl_event *event)
{
    check_range(mem, at, bytes);
    host_command c = {.to = to, .from = mem->bytes + at, .bytes = bytes, .mems = {mem}};
    return host_enqueue(queue, c, count, wait, event, blocking);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t at,
                            size_t bytes, const void *from, cl_uint count, const cl_event *wait,
                            cl_event *event)
{
    check_range(mem, at, bytes);
    host_command c = {.to = mem->bytes + at, .from = from, .bytes = bytes, .mems = {mem}};
    return host_enqueue(queue, c, count, wait, event, blocking);
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_at,
                           size_t to_at, size_t bytes, cl_uint count, const cl_event *wait,
                           cl_event *event)
{
    check_range(from, from_at, bytes);
    check_range(to, to_at, bytes);
    host_command c = {
        .to = to->bytes + to_at, .from = from->bytes + from_at, .bytes = bytes, .mems = {from, to}};
    return host_enqueue(queue, c, count, wait, event, false);
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem, const void *pattern, size_t width,
                           size_t at, size_t bytes, cl_uint count, const cl_event *wait,
                           cl_event *event)
{
    check_range(mem, at, bytes);
    if (width == 0 || at % width || bytes % width)
        host_stop("a fill of %zu bytes at %zu with a pattern of %zu", bytes, at, width);
    char *copy = malloc(width);
    memcpy(copy, pattern, width);
    host_command c = {
        .to = mem->bytes + at, .from = copy, .bytes = bytes, .pattern = width, .mems = {mem}};
    return host_enqueue(queue, c, count, wait, event, false);
}

/* A buffer over an array has its own bytes, as OpenCL allows: they are copied to the array when
 * they are mapped, and not before. */
void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, cl_map_flags flags,
                         size_t at, size_t bytes, cl_uint count, const cl_event *wait,
                         cl_event *event, cl_int *code)
{
    host_command c = {.mems = {mem}};
    check_range(mem, at, bytes);
    if (mem->array && flags != CL_MAP_READ)
        host_stop("a buffer over an array is mapped for writing");
    if (mem->array) {
        c.to = mem->array + at;
        c.from = mem->bytes + at;
        c.bytes = bytes;
    }
    cl_int done = host_enqueue(queue, c, count, wait, event, blocking);
    if (code)
        *code = done;
    return (mem->array ? mem->array : mem->bytes) + at;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *mapped, cl_uint count,
                               const cl_event *wait, cl_event *event)
{
    (void)mapped;
    return host_enqueue(queue, (host_command){.mems = {mem}}, count, wait, event, false);
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *wait,
                                   cl_event *event)
{
    return host_enqueue(queue, (host_command){.fence = count == 0}, count, wait, event, false);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *wait, cl_event *event)
{
    if (dimensions != 1 || offset || !local || *local == 0 || *global % *local ||
        *local > HOST_MOST_ITEMS || (kernel->group && *local != kernel->group))
        host_stop("a launch of %zu work-items in groups of %zu", *global, local ? *local : 0);
    struct _cl_kernel *copy = malloc(sizeof(*copy));
    *copy = *kernel;
    host_retain(kernel->program);
    for (size_t k = 0; kernel->letters[k]; k++) {
        cl_mem mem = NULL;
        if (!kernel->arguments[k].size)
            host_stop("argument %zu of a kernel is not set", k);
        if (kernel->letters[k] == 'g')
            memcpy(&mem, kernel->arguments[k].value, sizeof(mem));
        if (mem)
            host_retain(mem);
    }
    host_command c = {.kernel = copy, .global = *global, .local = *local};
    return host_enqueue(queue, c, count, wait, event, false);
}
