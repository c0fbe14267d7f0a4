/* SPDX-License-Identifier: Apache-2.0 */
/* Lists every device of the machine. One broken driver must not hide the devices of the others. */
#include "core/context.h"
#include "core/device.h"
#include "core/fail.h"
#include "core/fork.h"
#include "core/log.h"

#include <stdlib.h>
#include <string.h>

/* As in core/check.c. */
#define MOST_GROWTH ((size_t)4096)

#define PLATFORM_NOT_FOUND (-1001) /* the loader's code for no driver at all */

typedef struct device_list {
    mote_device_info *devices;
    size_t count;
    mote_status trouble; /* the last failure that made the list omit a device */
} device_list;

static mote_status out_of_memory(void)
{
    return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "mote_devices: out of host memory");
}

static mote_status ask_usable(const mote_device_info *info, bool *usable)
{
    cl_bool available = CL_FALSE, compiler = CL_FALSE;
    cl_int code =
        clGetDeviceInfo(info->device, CL_DEVICE_AVAILABLE, sizeof(available), &available, NULL);
    if (!code)
        code = clGetDeviceInfo(info->device, CL_DEVICE_COMPILER_AVAILABLE, sizeof(compiler),
                               &compiler, NULL);
    *usable = !code && available && compiler;
    if (code)
        return mote_fail_cl(code, "mote_devices", "clGetDeviceInfo");
    if (!*usable)
        mote_log(MOTE_LOG_INFO, "device %s (%s) is left out: %s", info->name, info->platform,
                 available ? "it has no compiler" : "it is not available");
    return MOTE_SUCCESS;
}

/* The thread's last sentence does not change. */
static void leave_out(device_list *list, const char *what, mote_status status)
{
    mote_log(MOTE_LOG_WARN, "a %s is left out: %s", what, mote_last_error());
    list->trouble = status;
}

static mote_status add(device_list *list, cl_platform_id platform, const cl_device_id *ids,
                       size_t count)
{
    mote_device_info *grown =
        realloc(list->devices, (list->count + count) * sizeof(*list->devices));
    if (!grown)
        return out_of_memory();
    list->devices = grown;
    for (size_t i = 0; i < count; i++) {
        mote_device_info *info = &list->devices[list->count];
        bool usable = false;
        mote_status status = mote_device_query(platform, ids[i], (int)i, info);
        if (!status)
            status = ask_usable(info, &usable);
        if (status == MOTE_ERROR_OUT_OF_HOST_MEMORY)
            return status;
        if (status)
            leave_out(list, "device", status);
        list->count += usable;
    }
    return MOTE_SUCCESS;
}

static mote_status add_platform(device_list *list, cl_platform_id platform)
{
    cl_uint count = 0;
    cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
    if (code == CL_DEVICE_NOT_FOUND || (code == CL_SUCCESS && count == 0))
        return MOTE_SUCCESS;
    cl_device_id *ids = code ? NULL : calloc(count, sizeof(cl_device_id));
    if (!code && !ids)
        return out_of_memory();
    if (!code)
        code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids, NULL);
    mote_status status = MOTE_SUCCESS;
    if (code)
        leave_out(list, "platform", mote_fail_cl(code, "mote_devices", "clGetDeviceIDs"));
    else
        status = add(list, platform, ids, count);
    free(ids);
    return status;
}

static mote_status add_all(device_list *list)
{
    cl_uint count = 0;
    cl_int code = clGetPlatformIDs(0, NULL, &count);
    if (code == PLATFORM_NOT_FOUND || (code == CL_SUCCESS && count == 0))
        return MOTE_SUCCESS;
    if (code)
        return mote_fail_cl(code, "mote_devices", "clGetPlatformIDs");
    cl_platform_id *ids = calloc(count, sizeof(cl_platform_id));
    if (!ids)
        return out_of_memory();
    code = clGetPlatformIDs(count, ids, NULL);
    mote_status status = code ? mote_fail_cl(code, "mote_devices", "clGetPlatformIDs") : 0;
    for (cl_uint i = 0; i < count && !status; i++)
        status = add_platform(list, ids[i]);
    free(ids);
    return status;
}

mote_status mote_devices_list(mote_device_info **devices, size_t *count, mote_status *trouble)
{
    device_list list = {0};
    mote_status status = add_all(&list);
    *devices = NULL;
    *count = 0;
    *trouble = list.trouble;
    if (status || list.count == 0) {
        free(list.devices);
        return status;
    }
    mote_device_specs_settle(list.devices, list.count);
    *devices = list.devices;
    *count = list.count;
    return MOTE_SUCCESS;
}

/* Copies the array with the stride of a program of another version. */
static mote_status restride(size_t size, mote_device_info **devices, size_t count)
{
    size_t known = sizeof(**devices), shared = size < known ? size : known;
    unsigned char *array = calloc(count, size);
    if (!array)
        return out_of_memory();
    for (size_t i = 0; i < count; i++) {
        memcpy(array + i * size, &(*devices)[i], shared);
        memcpy(array + i * size, &size, sizeof(size));
    }
    free(*devices);
    *devices = (mote_device_info *)(void *)array;
    return MOTE_SUCCESS;
}

mote_status mote_devices(size_t size, mote_device_info **devices, size_t *count)
{
    mote_status trouble;
    if (devices)
        *devices = NULL;
    if (count)
        *count = 0;
    if (!devices || !count)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_devices: %s is NULL",
                         devices ? "count" : "devices");
    if (size < sizeof(size) || size % sizeof(size) != 0 || size > sizeof(**devices) + MOST_GROWTH)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "mote_devices: size is %zu: it must be sizeof(mote_device_info)", size);
    mote_status status = mote_check_process("mote_devices");
    if (!status)
        status = mote_devices_list(devices, count, &trouble);
    if (!status && *count > 0 && size != sizeof(**devices))
        status = restride(size, devices, *count);
    if (status) {
        mote_devices_free(*devices);
        *devices = NULL;
        *count = 0;
    }
    return status;
}

void mote_devices_free(mote_device_info *devices)
{
    free(devices);
}
