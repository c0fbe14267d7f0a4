/* SPDX-License-Identifier: Apache-2.0 */
#include "core/quirks.h"
#include "core/fail.h"
#include "core/log.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct quirk {
    uint32_t flag;
    const char *platform, *device; /* words in their names; NULL: any */
    long least_driver;             /* major version; 0: any */
    bool cpu_only;
    const char *what;
} quirk;

static const char pocl[] = "Portable Computing Language";

static const quirk quirks[] = {
    {MOTE_QUIRK_PTX, "NVIDIA CUDA", NULL, 0, false, "kernels use inline PTX"},
    {MOTE_QUIRK_LOW_LIMITS, "NVIDIA CUDA", NULL, 0, false,
     "256 is told as the most work-items even of a kernel that was built for more"},
    {MOTE_QUIRK_LOW_LIMITS, NULL, "llvmpipe", 0, false,
     "32 work-items and twice its local memory are told even of a kernel that was built for more"},
    /* The CPU forms have longer loops than its limit. */
    {MOTE_QUIRK_SHORT_LOOPS, NULL, "llvmpipe", 0, false,
     "a work-item's loops end after 65 535 rounds: GPU forms, no strategy that loops over a list"},
    /* PoCL 7 does so with a function that queries its work-item, and then does not find
     * get_local_id: the build succeeds, and the kernel fails when it runs. */
    {MOTE_QUIRK_LOSES_INLINE, pocl, NULL, 7, false,
     "every inline function is forced into its caller"},
    /* PoCL adds its own barrier before each barrier that depends on a condition. It searches
     * backwards from there for the point that the whole group reaches, and mistakes a block with
     * only a barrier and a branch for the kernel's previous barrier. If an earlier search has put a
     * barrier into that block, the new barrier ends up after the branch, which only a part of the
     * group may take: the following loop then runs for all work-items or for none. 6.0 gave wrong
     * labels; 3.1 to 7.1 search in the same way. If an instruction follows every barrier, there are
     * no such blocks. It also duplicates the code after a barrier under a condition: once for each
     * branch that leaves the block of that condition. If work-items have diverged, for one more
     * iteration of a loop, there are two copies, each with its own barrier, and the whole group
     * follows the path of one work-item: with 6.0, sums of lists were wrong. With MOTE_RECONVERGE()
     * there is only one such branch. */
    {MOTE_QUIRK_ADDS_BARRIERS, pocl, NULL, 0, true, "a compiler's fence follows every barrier"},
    /* Large functions are not inlined, and 16 KiB of scratch are reserved for any function that
     * they may call; this happened with pixels/label/union_find.cl for modules of 65 536 x 65 536
     * pixels. */
    {MOTE_QUIRK_CALLS, "AMD Accelerated Parallel Processing", NULL, 0, false,
     "inline functions are never called"},
    {MOTE_QUIRK_PREFETCH, pocl, NULL, 0, true,
     "memory is asked for ahead by the compiler's function"},
    /* PoCL specialises kernels for the work-group sizes of their launches, but a binary does not
     * contain these kernels. If PoCL 3.1 is queried for a binary, it compiles each kernel again for
     * any size, which doubles the time of a first call. */
    {MOTE_QUIRK_KEEPS_PROGRAMS, pocl, NULL, 0, true,
     "programs are kept in the driver's own cache alone, unless MOTE_CACHE=on"},
    {MOTE_QUIRK_PARAMETERS, pocl, NULL, 0, true,
     "debug builds of mote compare the names of kernels' parameters"},
    /* Intel's GPUs: platforms "Intel(R) OpenCL Graphics" and, before, "... HD Graphics". */
    {MOTE_QUIRK_FEW_REGISTERS, "Graphics", NULL, 0, false, "work-items have fewer numbers at once"},
    /* These compilers unroll loops over work-items. On such devices, GPU forms run only in tests
     * and with the histogram strategy. */
    {MOTE_QUIRK_UNOPTIMISED, pocl, NULL, 0, true, "GPU forms are built without optimisation"},
    {MOTE_QUIRK_UNOPTIMISED, "Intel(R) OpenCL", NULL, 0, true,
     "GPU forms are built without optimisation"},
    /* Its option --uninitialized treats such a buffer as memory that was never written. */
    {MOTE_QUIRK_LENT, "Oclgrind", NULL, 0, false, "arrays of the host are copied"},
    /* It interprets the optimiser's output, and stops at intrinsics that it does not know. */
    {MOTE_QUIRK_UNOPTIMISED, "Oclgrind", NULL, 0, true, "GPU forms are built without optimisation"},
};

static bool applies(const quirk *q, const mote_device_info *device)
{
    if (q->platform && !mote_text_contains(device->platform, q->platform))
        return false;
    if (q->device && !mote_text_contains(device->name, q->device))
        return false;
    if (q->cpu_only && device->device_class != MOTE_DEVICE_CPU)
        return false;
    return strtol(device->driver, NULL, 10) >= q->least_driver;
}

uint32_t mote_quirks_find(const mote_device_info *device)
{
    uint32_t found = 0;
    for (size_t i = 0; i < sizeof(quirks) / sizeof(quirks[0]); i++)
        if (applies(&quirks[i], device)) {
            mote_log(MOTE_LOG_DEBUG, "driver %s: %s", device->driver, quirks[i].what);
            found |= quirks[i].flag;
        }
    return found;
}

/* Queries of cl_nv_device_attribute_query. */
#define LAST_CAPABILITY  70 /* common/last.clh */
#define CAPABILITY_MAJOR 0x4000
#define CAPABILITY_MINOR 0x4001

uint32_t mote_nvidia_capability(const mote_device_info *device)
{
    cl_uint major = 0, minor = 0;
    cl_int code = clGetDeviceInfo(device->device, CAPABILITY_MAJOR, sizeof(major), &major, NULL);
    if (!code)
        code = clGetDeviceInfo(device->device, CAPABILITY_MINOR, sizeof(minor), &minor, NULL);
    return code || major == 0 || minor > 9 ? 1 : 10 * major + minor;
}

bool mote_has_last_group(const mote_context *ctx)
{
    return mote_has_quirk(ctx, MOTE_QUIRK_PTX) && ctx->capability >= LAST_CAPABILITY;
}

#if defined(__x86_64__) && defined(__GNUC__)
static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}
#else
static bool has_avx512(void)
{
    return false;
}
#endif

/* The PoCL 3.0 of the Python wheel links its own functions compiled for AVX-512, but compiles
 * kernels without AVX-512 if its LLVM does not know the AMD processor (Zen 4 and later). 64-byte
 * vectors are then passed in two different ways: the sum of 5000 ones was -1.4e20. If it compiles
 * with AVX-512, the device's name shows it. */
bool mote_quirk_mixes_vectors(const mote_device_info *device, bool avx512)
{
    return avx512 && mote_text_contains(device->platform, pocl) &&
           strncmp(device->driver, "3.0", 3) == 0 && strcmp(device->vendor, "AuthenticAMD") == 0 &&
           !mote_text_contains(device->name, "avx512");
}

mote_status mote_quirk_refuse(const mote_device_info *device)
{
    if (!mote_quirk_mixes_vectors(device, has_avx512()))
        return MOTE_SUCCESS;
    return mote_fail(
        MOTE_ERROR_UNSUPPORTED,
        "PoCL %s does not know the AVX-512 of this processor (%s), so that its kernels "
        "give wrong results: install a newer one (Debian and Ubuntu: apt-get install "
        "pocl-opencl-icd)",
        device->driver, device->name);
}
