/* SPDX-License-Identifier: Apache-2.0 */
/* The properties of one device. */
#include "core/context.h"
#include "core/device.h"
#include "core/fail.h"
#include "core/quirks.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of compute units determines launches, so a larger number is treated as a driver's
 * error. */
#define UNITS_MAX ((cl_uint)1 << 16)

/* The queries of one device; the first failure is stored and the following queries are skipped. */
typedef struct device_query {
    cl_device_id device;
    cl_platform_id platform;
    mote_status status;
} device_query;

static cl_int ask(const device_query *query, bool of_platform, cl_uint what, size_t size,
                  void *value, size_t *needed)
{
    return of_platform ? clGetPlatformInfo(query->platform, what, size, value, needed)
                       : clGetDeviceInfo(query->device, what, size, value, needed);
}

/* Queries a text of any length, truncated to fit; some drivers pad names with leading blanks. */
static void ask_text(device_query *query, bool of_platform, cl_uint what, char *out, size_t room)
{
    size_t size = 0;
    if (query->status)
        return;
    cl_int code = ask(query, of_platform, what, 0, NULL, &size);
    if (!code && size > MOTE_ANSWER_MAX) {
        query->status =
            mote_fail(CL_INVALID_VALUE, "mote_device_query: %s reports an answer of %zu bytes",
                      of_platform ? "clGetPlatformInfo" : "clGetDeviceInfo", size);
        return;
    }
    char *text = code ? NULL : calloc(size + 1, 1);
    if (!code && !text) {
        query->status = mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY,
                                  "a device's answer of %zu bytes does not fit in memory", size);
        return;
    }
    if (!code && size > 0)
        code = ask(query, of_platform, what, size, text, NULL);
    if (code)
        query->status = mote_fail_cl(code, "mote_device_query",
                                     of_platform ? "clGetPlatformInfo" : "clGetDeviceInfo");
    else
        snprintf(out, room, "%.*s", (int)room - 1, text + strspn(text, " "));
    free(text);
}

static void ask_value(device_query *query, cl_uint what, void *out, size_t size)
{
    if (query->status)
        return;
    cl_int code = clGetDeviceInfo(query->device, what, size, out, NULL);
    if (code)
        query->status = mote_fail_cl(code, "mote_device_query", "clGetDeviceInfo");
}

/* In OpenCL 1.2 a configuration other than 0 shows fp64; before, it was an extension. */
static uint32_t has_fp64(cl_device_id device)
{
    cl_device_fp_config config = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof(config), &config, NULL) ==
        CL_SUCCESS)
        return config != 0;
    size_t size = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS)
        return 0;
    char *extensions = size <= MOTE_ANSWER_MAX ? calloc(size + 1, 1) : NULL;
    uint32_t found =
        extensions && size > 0 &&
        clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, extensions, NULL) == CL_SUCCESS &&
        strstr(extensions, "cl_khr_fp64") != NULL;
    free(extensions);
    return found;
}

mote_status mote_device_query(cl_platform_id platform, cl_device_id device, int index,
                              mote_device_info *info)
{
    *info = (mote_device_info){.size = sizeof(*info), .device = device, .platform_id = platform};
    device_query query = {.device = device, .platform = platform};
    cl_device_type type = 0;
    cl_ulong local = 0, global = 0, max_alloc = 0;
    cl_uint units = 0;
    ask_text(&query, false, CL_DEVICE_NAME, info->name, sizeof(info->name));
    ask_text(&query, false, CL_DEVICE_VENDOR, info->vendor, sizeof(info->vendor));
    ask_text(&query, true, CL_PLATFORM_NAME, info->platform, sizeof(info->platform));
    ask_text(&query, false, CL_DRIVER_VERSION, info->driver, sizeof(info->driver));
    ask_text(&query, false, CL_DEVICE_OPENCL_C_VERSION, info->c_version, sizeof(info->c_version));
    ask_value(&query, CL_DEVICE_TYPE, &type, sizeof(type));
    ask_value(&query, CL_DEVICE_MAX_COMPUTE_UNITS, &units, sizeof(units));
    ask_value(&query, CL_DEVICE_MAX_WORK_GROUP_SIZE, &info->max_work_group,
              sizeof(info->max_work_group));
    ask_value(&query, CL_DEVICE_LOCAL_MEM_SIZE, &local, sizeof(local));
    ask_value(&query, CL_DEVICE_GLOBAL_MEM_SIZE, &global, sizeof(global));
    ask_value(&query, CL_DEVICE_MAX_MEM_ALLOC_SIZE, &max_alloc, sizeof(max_alloc));
    if (query.status)
        return query.status;
    info->device_class = type & CL_DEVICE_TYPE_CPU ? MOTE_DEVICE_CPU : MOTE_DEVICE_GPU;
    info->compute_units = units < 1 ? 1 : units > UNITS_MAX ? UNITS_MAX : units;
    info->max_work_group = info->max_work_group < 1 ? 1 : info->max_work_group;
    info->local_bytes = local;
    info->global_bytes = global;
    info->max_alloc_bytes = max_alloc;
    info->has_fp64 = has_fp64(device);
    if (index >= 0)
        mote_device_spec(info, index);
    return mote_quirk_refuse(info);
}
