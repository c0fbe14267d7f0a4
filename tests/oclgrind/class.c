/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded under Oclgrind, which says that it is a CPU as well: with MOTE_TEST_GPU=1 it is a GPU
 * and nothing else. So it runs what is compiled for devices whose groups may leave a stage early.
 */
#define _GNU_SOURCE
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef cl_int CL_API_CALL device_info_fn(cl_device_id, cl_device_info, size_t, void *, size_t *);

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                       size_t *needed)
{
    void *found = dlsym(RTLD_NEXT, "clGetDeviceInfo");
    const char *gpu = getenv("MOTE_TEST_GPU");
    device_info_fn *next;

    memcpy(&next, &found, sizeof(next));
    cl_int code = next(device, what, size, value, needed);
    if (code == CL_SUCCESS && what == CL_DEVICE_TYPE && value && gpu && strcmp(gpu, "1") == 0)
        memcpy(value, &(cl_device_type){CL_DEVICE_TYPE_GPU}, sizeof(cl_device_type));
    return code;
}
