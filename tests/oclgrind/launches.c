/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded under Oclgrind: writes "SOURCE KERNEL SIZE" to the file MOTE_TEST_LAUNCHES when a
 * kernel is enqueued in groups of a size for the first time. */
#define _GNU_SOURCE
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 1024

typedef cl_int CL_API_CALL enqueue_fn(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                      const size_t *, const size_t *, cl_uint, const cl_event *,
                                      cl_event *);

/* The name in the first `#line 1 "NAME"`, which is that of the source itself. */
static void find_source(cl_kernel kernel, char *name, size_t size)
{
    cl_program program = NULL;
    size_t bytes = 0;

    snprintf(name, size, "?");
    if (clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(program), &program, NULL) ||
        clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &bytes))
        return;
    char *text = calloc(1, bytes + 1);
    if (text && !clGetProgramInfo(program, CL_PROGRAM_SOURCE, bytes, text, NULL)) {
        const char *found = strstr(text, "#line 1 \"");
        if (found) {
            found += strlen("#line 1 \"");
            snprintf(name, size, "%.*s", (int)strcspn(found, "\"\n"), found);
        }
    }
    free(text);
}

static void record(const char *path, const char *line)
{
    static char seen[MOST][128];
    static size_t number;

    for (size_t i = 0; i < number; i++)
        if (strcmp(seen[i], line) == 0)
            return;
    if (number == MOST)
        return;
    snprintf(seen[number++], sizeof(seen[0]), "%s", line);
    FILE *file = fopen(path, "a");
    if (!file)
        return;
    fprintf(file, "%s\n", line);
    fclose(file);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    static enqueue_fn *enqueue;
    const char *path = getenv("MOTE_TEST_LAUNCHES");

    if (!enqueue) {
        void *found = dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
        memcpy(&enqueue, &found, sizeof(found));
    }
    if (path && local) {
        char source[64], function[48] = "", line[128];
        find_source(kernel, source, sizeof(source));
        clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(function), function, NULL);
        snprintf(line, sizeof(line), "%s %s %zu", source, function, local[0]);
        record(path, line);
    }
    return enqueue(queue, kernel, dimensions, offset, global, local, num_wait, wait, event);
}
