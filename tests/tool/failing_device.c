/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is loaded before libOpenCL and simulates failures. Launch number MOTE_TEST_FAIL_AT
 * (from 1) and all later launches on the same queue fail; other queues keep working. The broken
 * queue is retained, so that no later queue gets its address. Each build takes MOTE_TEST_BUILD_MS
 * milliseconds longer, and the first launch MOTE_TEST_LAUNCH_MS milliseconds longer. */
#define _GNU_SOURCE
#include <CL/cl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

typedef cl_int (*launch_fn)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                            const size_t *, cl_uint, const cl_event *, cl_event *);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long launches;
static cl_command_queue broken;

static int is_broken(cl_command_queue queue)
{
    const char *at = getenv("MOTE_TEST_FAIL_AT");
    pthread_mutex_lock(&lock);
    if (at && ++launches >= atol(at) && !broken && clRetainCommandQueue(queue) == CL_SUCCESS)
        broken = queue;
    int found = queue == broken;
    pthread_mutex_unlock(&lock);
    return found;
}

static void wait_ms(const char *variable)
{
    const char *ms = getenv(variable);
    long wait = ms ? atol(ms) : 0;
    nanosleep(&(struct timespec){wait / 1000, wait % 1000 * 1000000}, NULL);
}

static void wait_first(void)
{
    static int waited;
    pthread_mutex_lock(&lock);
    int first = !waited++;
    pthread_mutex_unlock(&lock);
    if (first)
        wait_ms("MOTE_TEST_LAUNCH_MS");
}

__attribute__((visibility("default"))) cl_int clEnqueueNDRangeKernel(
    cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
    const size_t *global, const size_t *local, cl_uint num, const cl_event *wait, cl_event *event)
{
    launch_fn launch;
    *(void **)&launch = dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
    if (is_broken(queue))
        return CL_OUT_OF_RESOURCES;
    wait_first();
    return launch(queue, kernel, dimensions, offset, global, local, num, wait, event);
}

typedef cl_int (*build_fn)(cl_program, cl_uint, const cl_device_id *, const char *,
                           void(CL_CALLBACK *)(cl_program, void *), void *);

__attribute__((visibility("default"))) cl_int clBuildProgram(
    cl_program program, cl_uint n, const cl_device_id *devices, const char *options,
    void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    build_fn build;
    wait_ms("MOTE_TEST_BUILD_MS");
    *(void **)&build = dlsym(RTLD_NEXT, "clBuildProgram");
    return build(program, n, devices, options, notify, user);
}
