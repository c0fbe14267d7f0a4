/* SPDX-License-Identifier: Apache-2.0 */
/* The quirks of each driver, and the programs that are built without optimisation because of
 * them. */
#include <stdlib.h>
#include <string.h>

#include "cl_sources.h"
#include "common/suite.h"
#include "core/quirks.h"

#define POCL "Portable Computing Language"
#define CPU  MOTE_DEVICE_CPU
#define GPU  MOTE_DEVICE_GPU

#define POCL_QUIRKS                                                                                \
    (MOTE_QUIRK_UNOPTIMISED | MOTE_QUIRK_ADDS_BARRIERS | MOTE_QUIRK_PREFETCH |                     \
     MOTE_QUIRK_KEEPS_PROGRAMS | MOTE_QUIRK_PARAMETERS)

typedef struct driver {
    const char *platform, *device, *version;
    mote_device_class device_class;
    uint32_t quirks;
} driver;

START_TEST(every_driver)
{
    static const driver drivers[] = {
        {POCL, "cpu-haswell", "3.1", CPU, POCL_QUIRKS},
        {POCL, "cpu-haswell", "6.0", CPU, POCL_QUIRKS},
        {POCL, "cpu-haswell", "7.0", CPU, POCL_QUIRKS | MOTE_QUIRK_LOSES_INLINE},
        {POCL, "cpu-haswell", "10.1", CPU, POCL_QUIRKS | MOTE_QUIRK_LOSES_INLINE},
        {POCL, "CUDA device", "6.0", GPU, 0},
        {"Intel(R) OpenCL", "Xeon", "2026.20.1", CPU, MOTE_QUIRK_UNOPTIMISED},
        {"Intel(R) OpenCL Graphics", "Arc", "25.1", GPU, MOTE_QUIRK_FEW_REGISTERS},
        {"Intel(R) OpenCL HD Graphics", "UHD", "22.43", GPU, MOTE_QUIRK_FEW_REGISTERS},
        {"NVIDIA CUDA", "NVIDIA H200", "570.1", GPU, MOTE_QUIRK_PTX | MOTE_QUIRK_LOW_LIMITS},
        {"rusticl", "llvmpipe (LLVM 15.0.6, 256 bits)", "22.3.6", CPU,
         MOTE_QUIRK_SHORT_LOOPS | MOTE_QUIRK_LOW_LIMITS},
        {"rusticl", "AMD Radeon", "24.1", GPU, 0},
        {"AMD Accelerated Parallel Processing", "gfx90a", "3614.0", GPU, MOTE_QUIRK_CALLS},
        {"Oclgrind", "Oclgrind Simulator", "21.10", CPU, MOTE_QUIRK_UNOPTIMISED | MOTE_QUIRK_LENT},
    };
    for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
        const driver *d = &drivers[i];
        mote_device_info device = {.device_class = d->device_class};
        strcpy(device.platform, d->platform);
        strcpy(device.name, d->device);
        strcpy(device.driver, d->version);
        ck_assert_msg(mote_quirks_find(&device) == d->quirks, "%s %s: %x", d->platform, d->version,
                      (unsigned)mote_quirks_find(&device));
    }
}
END_TEST

/* Only the PoCL that is known to be wrong, and only on affected processors. */
START_TEST(vectors_are_mixed)
{
    static const struct {
        const char *vendor, *device, *version;
        bool avx512, mixes;
    } cases[] = {
        {"AuthenticAMD", "pthread-AMD EPYC", "3.0-rc2", true, true},
        {"AuthenticAMD", "pthread-AMD EPYC", "3.0-rc2", false, false},
        {"AuthenticAMD", "pthread-skylake-avx512-AMD EPYC", "3.0", true, false},
        {"AuthenticAMD", "pthread-AMD EPYC", "3.1+debian", true, false},
        {"GenuineIntel", "pthread-Intel(R) Xeon(R)", "3.0-rc2", true, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        mote_device_info device = {.platform = POCL, .device_class = CPU};
        strcpy(device.vendor, cases[i].vendor);
        strcpy(device.name, cases[i].device);
        strcpy(device.driver, cases[i].version);
        ck_assert_msg(mote_quirk_mixes_vectors(&device, cases[i].avx512) == cases[i].mixes, "%s %s",
                      cases[i].device, cases[i].version);
    }
}
END_TEST

START_TEST(sources_know_their_form)
{
    ck_assert(mote_cl_reduce_sum.gpu_form);
    ck_assert(mote_cl_pixels_label_histogram.gpu_form);
    ck_assert(!mote_cl_reduce_sum_cpu.gpu_form);
    ck_assert(!mote_cl_jagged_expand_element_index_search.gpu_form);
    ck_assert(!mote_cl_common_error_merge.gpu_form);
}
END_TEST

/* A kernel that compiles only without optimisation checks the options. */
START_TEST(gpu_forms_are_built_plainly)
{
    static const char text[] = "#ifdef __OPTIMIZE__\n#error optimised\n#endif\n"
                               "__kernel void plain() {}\n";
    mote_source source = {"core/plain.cl", text, sizeof(text) - 1, true};
    mote_kernel_lease lease;
    mote_context *ctx;
    ck_assert_int_eq(mote_context_open("pocl", &ctx), MOTE_SUCCESS);
    ck_assert(mote_has_quirk(ctx, MOTE_QUIRK_UNOPTIMISED));
    ck_assert_msg(!mote_kernel_acquire(ctx, &source, "", "plain", &lease), "%s", mote_last_error());
    mote_kernel_give_back(&lease);
    source.gpu_form = false;
    ck_assert_int_eq(mote_kernel_acquire(ctx, &source, "-DAGAIN", "plain", &lease),
                     MOTE_ERROR_BUILD);
    ck_assert_msg(!strstr(mote_last_error(), "-cl-opt-disable"), "%s", mote_last_error());
    mote_context_release(ctx);
}
END_TEST

/* A kernel that compiles only if barriers are followed by a fence. */
START_TEST(barriers_are_followed_by_a_fence)
{
    static const char text[] = "#ifndef barrier\n#error alone\n#endif\n"
                               "__kernel void meet(__global int *out)\n"
                               "{ if (*out) barrier(CLK_LOCAL_MEM_FENCE); else *out = 1; }\n";
    const mote_source source = {"core/meet.cl", text, sizeof(text) - 1, true};
    mote_kernel_lease lease;
    mote_context *ctx;
    ck_assert_int_eq(mote_context_open("pocl", &ctx), MOTE_SUCCESS);
    ck_assert_msg(!mote_kernel_acquire(ctx, &source, "", "meet", &lease), "%s", mote_last_error());
    mote_kernel_give_back(&lease);
    mote_context_release(ctx);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(every_driver),
    SUITE_TEST(vectors_are_mixed),
    SUITE_TEST(sources_know_their_form),
    SUITE_TEST(gpu_forms_are_built_plainly),
    SUITE_TEST(barriers_are_followed_by_a_fence),
};

SUITE_MAIN("quirks", tests)
