/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a context by a device string. */
#include "core/context.h"
#include "core/device.h"
#include "core/fail.h"
#include "core/fork.h"
#include "core/system.h"
#include "core/text.h"

/* If drivers returned errors, the thread's last sentence describes them. */
static mote_status no_device(const mote_device_info *devices, size_t count, mote_status trouble,
                             const char *spec, const char *origin)
{
    if (count == 0 && trouble)
        return mote_fail(trouble, "mote_context_open: no OpenCL device can be used: %s",
                         mote_last_error());
    if (count == 0)
        return mote_fail(
            MOTE_ERROR_NO_DEVICE,
            "mote_context_open: no OpenCL device found: install the driver of the GPU, or "
            "PoCL for the CPU (Debian and Ubuntu: apt-get install pocl-opencl-icd)");
    mote_text list = {0};
    for (size_t i = 0; i < count; i++)
        mote_text_add(&list, "\n  %s  %s (%s, %s)", devices[i].spec, devices[i].name,
                      devices[i].platform,
                      devices[i].device_class == MOTE_DEVICE_CPU ? "cpu" : "gpu");
    mote_status status = mote_fail(
        MOTE_ERROR_NO_DEVICE,
        "mote_context_open: no device matches \"%s\"%s; use gpu, cpu, part of a name, or one "
        "of:%s%s%s",
        spec, origin, mote_text_get(&list), trouble ? "\nothers are left out: " : "",
        trouble ? mote_last_error() : "");
    mote_text_free(&list);
    return status;
}

static mote_status choose(const mote_device_info *devices, size_t count, mote_status trouble,
                          const char *spec, const mote_device_info **chosen)
{
    const char *origin = "";
    if (!spec || !*spec) {
        spec = mote_variable("MOTE_DEVICE");
        origin = " (from MOTE_DEVICE)";
    }
    if (spec && *spec)
        *chosen = mote_device_find(devices, count, spec);
    else {
        spec = "";
        *chosen = mote_device_best(devices, count, MOTE_DEVICE_GPU);
        if (!*chosen)
            *chosen = mote_device_best(devices, count, MOTE_DEVICE_CPU);
    }
    return *chosen ? MOTE_SUCCESS : no_device(devices, count, trouble, spec, origin);
}

static mote_status open_device(const mote_device_info *device, mote_context **out)
{
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)device->platform_id, 0};
    cl_int code = CL_SUCCESS;
    cl_context cl = clCreateContext(properties, 1, &device->device, NULL, NULL, &code);
    if (code)
        return mote_fail_cl(code, "mote_context_open", "clCreateContext");
    mote_status status = mote_context_wrap("mote_context_open", cl, device, out);
    clReleaseContext(cl); /* the mote_context has its own reference */
    return status;
}

mote_status mote_context_open(const char *spec, mote_context **out)
{
    if (!out)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_context_open: out is NULL");
    *out = NULL;
    mote_device_info *devices = NULL;
    const mote_device_info *chosen = NULL;
    size_t count = 0;
    mote_status trouble = MOTE_SUCCESS, status = mote_check_process("mote_context_open");
    if (!status)
        status = mote_devices_list(&devices, &count, &trouble);
    if (!status)
        status = choose(devices, count, trouble, spec, &chosen);
    if (!status)
        status = open_device(chosen, out);
    mote_devices_free(devices);
    return status;
}
