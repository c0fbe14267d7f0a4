/* SPDX-License-Identifier: Apache-2.0 */
#include "core/sub_groups.h"
#include "core/device.h"
#include "core/log.h"
#include "core/quirks.h"
#include "core/text.h"
#include "core/tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAND  32u /* cl/common/band.clh */
#define WIDTH 16u /* the least one at which Intel's compiler does not find a smaller by itself */

#define MOST_WIDTH 128u /* of core.width */

/* Questions newer than OpenCL 1.2, or of extensions; drivers without them refuse to answer. */
#define ALL_VERSIONS    0x1066 /* CL_DEVICE_OPENCL_C_ALL_VERSIONS */
#define SUB_GROUP_SIZES 0x4108 /* CL_DEVICE_SUB_GROUP_SIZES_INTEL */

/* One entry of ALL_VERSIONS: cl_name_version. */
typedef struct language {
    cl_uint version; /* major in the upper 10 bits */
    char name[64];
} language;

/* Returns the whole answer, with a 0 appended; NULL if there is none. The caller frees it. */
static void *ask(cl_device_id device, cl_uint what, size_t *size)
{
    *size = 0;
    if (clGetDeviceInfo(device, what, 0, NULL, size) || *size == 0 || *size > MOTE_ANSWER_MAX)
        return NULL;
    char *answer = calloc(*size + 1, 1);
    if (answer && clGetDeviceInfo(device, what, *size, answer, NULL)) {
        free(answer);
        return NULL;
    }
    return answer;
}

static bool lists(const char *extensions, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = extensions; at && (at = strstr(at, name)); at += length)
        if ((at == extensions || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* A kernel may demand its width. */
static bool can_demand(const char *extensions)
{
    return lists(extensions, "cl_intel_required_subgroup_size");
}

static bool has_language_3(cl_device_id device)
{
    size_t size;
    language *all = ask(device, ALL_VERSIONS, &size);
    bool found = false;
    for (size_t i = 0; all && i < size / sizeof(*all); i++)
        found |= all[i].version >> 22 == 3;
    free(all);
    return found;
}

/* Returns whether a group of 32 can be one sub-group: kernels demand that size where they can. A
 * driver that does not report its sizes may have it; the kernel checks. */
static bool has_size(cl_device_id device, bool demands)
{
    size_t size;
    size_t *all = ask(device, SUB_GROUP_SIZES, &size);
    bool found = !all && !demands;
    for (size_t i = 0; all && i < size / sizeof(*all); i++)
        found |= demands ? all[i] == BAND : all[i] >= BAND;
    free(all);
    return found;
}

uint32_t mote_sub_groups_offered(const mote_device_info *device)
{
    size_t size;
    uint32_t offered = 0;
    char *extensions = ask(device->device, CL_DEVICE_EXTENSIONS, &size);
    bool demands = can_demand(extensions);
    bool fits = has_size(device->device, demands);
    if (fits && lists(extensions, "cl_khr_subgroup_shuffle") && has_language_3(device->device))
        offered |= 1u << MOTE_SUB_GROUPS_KHR;
    if (fits && demands && lists(extensions, "cl_intel_subgroups"))
        offered |= 1u << MOTE_SUB_GROUPS_INTEL;
    if (mote_text_contains(device->platform, "AMD Accelerated Parallel Processing") &&
        device->device_class == MOTE_DEVICE_GPU)
        offered |= 1u << MOTE_SUB_GROUPS_AMD;
    free(extensions);
    return offered;
}

mote_sub_groups mote_sub_groups_choose(const mote_context *ctx)
{
    bool warps = mote_has_quirk(ctx, MOTE_QUIRK_PTX);
    uint32_t offered = warps ? 0 : mote_sub_groups_offered(&ctx->device);
    size_t usual = MOTE_SUB_GROUPS_AMD;
    while (usual > MOTE_SUB_GROUPS_NONE && !(offered >> usual & 1))
        usual--;
    size_t chosen =
        mote_tune_size(ctx, "core.sub_groups", usual, MOTE_SUB_GROUPS_NONE, MOTE_SUB_GROUPS_AMD);
    if (chosen != MOTE_SUB_GROUPS_NONE && !(offered >> chosen & 1)) {
        mote_log(MOTE_LOG_WARN, "MOTE_TUNE: %s does not offer core.sub_groups=%zu: none are used",
                 ctx->device.name, chosen);
        chosen = MOTE_SUB_GROUPS_NONE;
    }
    return (mote_sub_groups)chosen;
}

/* Returns whether kernels may demand a width; *least gets the device's least one. */
static bool has_width(cl_device_id device, size_t width, size_t *least)
{
    size_t size;
    char *extensions = ask(device, CL_DEVICE_EXTENSIONS, &size);
    bool found = false, demands = can_demand(extensions);
    free(extensions);
    size_t *all = demands ? ask(device, SUB_GROUP_SIZES, &size) : NULL;
    *least = SIZE_MAX;
    for (size_t i = 0; all && i < size / sizeof(*all); i++) {
        found |= all[i] == width;
        *least = all[i] < *least ? all[i] : *least;
    }
    free(all);
    return found;
}

uint32_t mote_width_choose(const mote_context *ctx)
{
    size_t least;
    bool usual = ctx->device.device_class == MOTE_DEVICE_GPU &&
                 has_width(ctx->device.device, WIDTH, &least) && least == WIDTH;
    size_t chosen = mote_tune_size(ctx, "core.width", usual ? WIDTH : 0, 0, MOST_WIDTH);
    if (chosen != 0 && !has_width(ctx->device.device, chosen, &least)) {
        mote_log(MOTE_LOG_WARN, "MOTE_TUNE: %s does not offer core.width=%zu: none is demanded",
                 ctx->device.name, chosen);
        chosen = 0;
    }
    return (uint32_t)chosen;
}

const char *mote_registers_option(const mote_context *ctx)
{
    bool known = mote_has_quirk(ctx, MOTE_QUIRK_FEW_REGISTERS);
    bool wanted = mote_tune_size(ctx, "core.large_registers", 0, 0, 1) == 1;
    return known && wanted ? " -cl-intel-256-GRF-per-thread" : "";
}

void mote_limit_registers(char *defines, size_t size, size_t registers)
{
    size_t used = strlen(defines);
    if (registers)
        snprintf(defines + used, size - used, " -DREGISTERS=%zu -cl-nv-maxrregcount=%zu", registers,
                 registers);
}
