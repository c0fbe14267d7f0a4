/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded before libOpenCL: an OpenCL that changes the one after it, as environment variables
 * specify.
 *
 *   MOTE_TEST_GPU        1: every device is a GPU and nothing else
 *   MOTE_TEST_COPIES     file to which each copy to a device adds a line with its bytes
 *   MOTE_TEST_LAUNCHES   file to which the first launch of a kernel in groups of a size adds
 *                        "SOURCE KERNEL SIZE"
 *   MOTE_TEST_FAIL_AT    this launch (from 1) and all later launches on the same queue fail
 *   MOTE_TEST_BUILD_MS   additional milliseconds for each build
 *   MOTE_TEST_LAUNCH_MS  additional milliseconds for the first launch
 */
#define _GNU_SOURCE
#include <CL/cl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 1024 /* kernels in groups of a size */

#define EXPORTED __attribute__((visibility("default")))

/* Declares `next`, the function of this name in the next library. */
#define NEXT(name)                                                                                 \
    __typeof__(name) *next;                                                                        \
    *(void **)&next = dlsym(RTLD_NEXT, #name)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void wait_ms(const char *variable)
{
    const char *ms = getenv(variable);
    long wait = ms ? atol(ms) : 0;
    nanosleep(&(struct timespec){wait / 1000, wait % 1000 * 1000000}, NULL);
}

static void append(const char *path, const char *format, ...)
{
    va_list values;
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    va_start(values, format);
    vfprintf(file, format, values);
    va_end(values);
    fclose(file);
}

EXPORTED cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                                size_t *needed)
{
    NEXT(clGetDeviceInfo);
    const char *gpu = getenv("MOTE_TEST_GPU");
    cl_int code = next(device, what, size, value, needed);
    if (!code && what == CL_DEVICE_TYPE && value && gpu && strcmp(gpu, "1") == 0)
        *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
    return code;
}

EXPORTED cl_int clBuildProgram(cl_program program, cl_uint n, const cl_device_id *devices,
                               const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                               void *user)
{
    NEXT(clBuildProgram);
    wait_ms("MOTE_TEST_BUILD_MS");
    return next(program, n, devices, options, notify, user);
}

EXPORTED cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                     size_t offset, size_t bytes, const void *from, cl_uint num,
                                     const cl_event *wait, cl_event *event)
{
    NEXT(clEnqueueWriteBuffer);
    append(getenv("MOTE_TEST_COPIES"), "%zu\n", bytes);
    return next(queue, buffer, blocking, offset, bytes, from, num, wait, event);
}

/* ---- launches, one at a time ----------------------------------------------------------------- */

/* The broken queue is retained, so that no later queue has its address. */
static bool is_broken(cl_command_queue queue)
{
    static long launches;
    static cl_command_queue broken;
    const char *at = getenv("MOTE_TEST_FAIL_AT");
    if (at && ++launches >= atol(at) && !broken && clRetainCommandQueue(queue) == CL_SUCCESS)
        broken = queue;
    return broken && queue == broken;
}

/* The name in the first `#line 1 "NAME"`, which is the source itself. */
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

static void record(cl_kernel kernel, size_t group)
{
    static char seen[MOST][128];
    static size_t number;
    const char *path = getenv("MOTE_TEST_LAUNCHES");
    char source[64], function[48] = "", line[sizeof(seen[0])];
    if (!path || number == MOST)
        return;
    find_source(kernel, source, sizeof(source));
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(function), function, NULL);
    snprintf(line, sizeof(line), "%s %s %zu", source, function, group);
    for (size_t i = 0; i < number; i++)
        if (strcmp(seen[i], line) == 0)
            return;
    memcpy(seen[number++], line, sizeof(line));
    append(path, "%s\n", line);
}

EXPORTED cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                       const size_t *offset, const size_t *global,
                                       const size_t *local, cl_uint num, const cl_event *wait,
                                       cl_event *event)
{
    NEXT(clEnqueueNDRangeKernel);
    static bool waited;
    pthread_mutex_lock(&lock);
    bool fails = is_broken(queue), first = !fails && !waited;
    waited = waited || first;
    if (!fails && local)
        record(kernel, local[0]);
    pthread_mutex_unlock(&lock);
    if (fails)
        return CL_OUT_OF_RESOURCES;
    if (first)
        wait_ms("MOTE_TEST_LAUNCH_MS");
    return next(queue, kernel, dimensions, offset, global, local, num, wait, event);
}
