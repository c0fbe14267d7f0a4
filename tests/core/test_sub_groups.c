/* SPDX-License-Identifier: Apache-2.0 */
/* Functions and width of sub-groups that are chosen from the properties of a device. */
#include <string.h>

#include "common/suite.h"
#include "core/quirks.h"
#include "core/sub_groups.h"
#include "core/tune.h"

#define KHR   (1u << MOTE_SUB_GROUPS_KHR)
#define INTEL (1u << MOTE_SUB_GROUPS_INTEL)
#define AMD   (1u << MOTE_SUB_GROUPS_AMD)

#define DEMANDS "cl_khr_fp64 cl_intel_required_subgroup_size"

/* The answers of the current device; NULL and 0: it reports an error. */
static struct {
    const char *extensions;
    cl_uint language; /* major version */
    size_t sizes[4];
} says;

cl_int __wrap_clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t room, void *out,
                              size_t *needed);

/* Replaces the function of every driver: the program opens no device. */
cl_int __wrap_clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t room, void *out,
                              size_t *needed)
{
    struct {
        cl_uint version;
        char name[64];
    } language = {says.language << 22, "OpenCL C"};
    const void *answer = NULL;
    size_t size = 0;
    (void)device;
    if (what == CL_DEVICE_EXTENSIONS && says.extensions) {
        answer = says.extensions;
        size = strlen(says.extensions) + 1;
    } else if (what == 0x1066 && says.language) {
        answer = &language;
        size = sizeof(language);
    } else if (what == 0x4108 && says.sizes[0]) {
        answer = says.sizes;
        while (size < sizeof(says.sizes) && says.sizes[size / sizeof(says.sizes[0])])
            size += sizeof(says.sizes[0]);
    }
    if (!answer || (out && room < size))
        return CL_INVALID_VALUE;
    if (out)
        memcpy(out, answer, size);
    if (needed)
        *needed = size;
    return CL_SUCCESS;
}

START_TEST(what_is_offered)
{
    static const struct {
        const char *platform, *extensions;
        cl_uint language;
        size_t sizes[4];
        uint32_t offered;
    } devices[] = {
        {"any", NULL, 0, {0}, 0},
        {"any", "", 3, {32}, 0},
        {"any", "cl_khr_subgroup_shuffle_relative", 3, {32}, 0},
        {"any", "cl_khr_fp64 cl_khr_subgroup_shuffle", 3, {32}, KHR},
        {"any", "cl_khr_subgroup_shuffle cl_khr_fp64", 3, {0}, KHR},
        {"any", "cl_khr_subgroup_shuffle", 2, {32}, 0},
        {"any", "cl_khr_subgroup_shuffle", 0, {32}, 0},
        {"rusticl", "cl_khr_subgroup_shuffle", 3, {8}, 0},
        {"rusticl", "cl_khr_subgroup_shuffle", 3, {32, 64}, KHR},
        {"rusticl", "cl_khr_subgroup_shuffle", 3, {64}, KHR},
        {"Intel", "cl_intel_subgroups cl_intel_required_subgroup_size", 3, {8, 16, 32}, INTEL},
        {"Intel", "cl_intel_subgroups cl_intel_required_subgroup_size", 0, {8, 16}, 0},
        {"Intel", "cl_intel_subgroups cl_intel_required_subgroup_size", 3, {0}, 0},
        {"Intel", "cl_intel_subgroups", 3, {32}, 0},
        {"Intel",
         "cl_khr_subgroup_shuffle cl_intel_subgroups cl_intel_required_subgroup_size",
         3,
         {16, 32},
         KHR | INTEL},
        {"Intel",
         "cl_khr_subgroup_shuffle cl_intel_subgroups cl_intel_required_subgroup_size",
         3,
         {16, 64},
         0},
        {"AMD Accelerated Parallel Processing", "cl_khr_fp64 cl_amd_media_ops", 0, {0}, AMD},
    };
    for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
        mote_device_info device = {.device_class = MOTE_DEVICE_GPU};
        strcpy(device.platform, devices[i].platform);
        says.extensions = devices[i].extensions;
        says.language = devices[i].language;
        memcpy(says.sizes, devices[i].sizes, sizeof(says.sizes));
        ck_assert_msg(mote_sub_groups_offered(&device) == devices[i].offered, "device %zu: %x", i,
                      (unsigned)mote_sub_groups_offered(&device));
    }
}
END_TEST

START_TEST(vendors_come_first)
{
    mote_context ctx = {.device = {.device_class = MOTE_DEVICE_GPU}};
    says.extensions = "cl_khr_subgroup_shuffle cl_intel_subgroups cl_intel_required_subgroup_size";
    says.language = 3;
    says.sizes[0] = 32;
    says.sizes[1] = 0;
    ck_assert_int_eq(mote_sub_groups_choose(&ctx), MOTE_SUB_GROUPS_INTEL);
    says.extensions = "cl_khr_subgroup_shuffle";
    ck_assert_int_eq(mote_sub_groups_choose(&ctx), MOTE_SUB_GROUPS_KHR);
    says.extensions = NULL;
    ck_assert_int_eq(mote_sub_groups_choose(&ctx), MOTE_SUB_GROUPS_NONE);
}
END_TEST

START_TEST(what_width_is_demanded)
{
    static const struct {
        mote_device_class class;
        const char *extensions;
        size_t sizes[4];
        uint32_t width;
    } devices[] = {
        {MOTE_DEVICE_GPU, DEMANDS, {16, 32}, 16},
        {MOTE_DEVICE_GPU, DEMANDS, {32, 16}, 16},
        {MOTE_DEVICE_GPU, DEMANDS, {16}, 16},
        {MOTE_DEVICE_GPU,
         DEMANDS,
         {8, 16, 32},
         0}, /* compilers choose widths down to 8 themselves */
        {MOTE_DEVICE_GPU, DEMANDS, {32}, 0},
        {MOTE_DEVICE_GPU, DEMANDS, {0}, 0}, /* it does not report them */
        {MOTE_DEVICE_GPU, "cl_intel_subgroups", {16, 32}, 0},
        {MOTE_DEVICE_GPU, NULL, {16, 32}, 0},
        {MOTE_DEVICE_CPU, DEMANDS, {16, 32}, 0},
    };
    for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
        mote_context ctx = {.device = {.device_class = devices[i].class}};
        says.extensions = devices[i].extensions;
        memcpy(says.sizes, devices[i].sizes, sizeof(says.sizes));
        ck_assert_msg(mote_width_choose(&ctx) == devices[i].width, "device %zu: %u", i,
                      (unsigned)mote_width_choose(&ctx));
    }
}
END_TEST

/* Any width of the device can be requested, or none. */
START_TEST(a_width_may_be_asked_for)
{
    static const struct {
        const char *tune;
        uint32_t width;
    } wishes[] = {{"core.width=0", 0}, {"core.width=32", 32}, {"core.width=8", 0}};
    says.extensions = DEMANDS;
    memcpy(says.sizes, (const size_t[4]){16, 32}, sizeof(says.sizes));
    for (size_t i = 0; i < sizeof(wishes) / sizeof(wishes[0]); i++) {
        mote_context ctx = {.device = {.device_class = MOTE_DEVICE_GPU}};
        const char *texts[MOTE_TUNE_ORIGINS] = {[MOTE_TUNING_ENVIRONMENT] = wishes[i].tune};
        ck_assert_int_eq(mote_tune_create(texts, &ctx.tune), MOTE_SUCCESS);
        ck_assert_uint_eq(mote_width_choose(&ctx), wishes[i].width);
        mote_tune_release(ctx.tune);
    }
}
END_TEST

/* Only Intel's compiler for GPUs supports the option, and only on request. */
START_TEST(registers_are_asked_for)
{
    static const struct {
        const char *tune;
        uint32_t quirks;
        const char *option;
    } wishes[] = {
        {"core.large_registers=1", MOTE_QUIRK_FEW_REGISTERS, "-cl-intel-256-GRF-per-thread"},
        {"core.large_registers=0", MOTE_QUIRK_FEW_REGISTERS, ""},
        {"core.width=0", MOTE_QUIRK_FEW_REGISTERS, ""},
        {"core.large_registers=1", MOTE_QUIRK_PTX, ""}};
    for (size_t i = 0; i < sizeof(wishes) / sizeof(wishes[0]); i++) {
        mote_context ctx = {.quirks = wishes[i].quirks};
        const char *texts[MOTE_TUNE_ORIGINS] = {[MOTE_TUNING_ENVIRONMENT] = wishes[i].tune};
        ck_assert_int_eq(mote_tune_create(texts, &ctx.tune), MOTE_SUCCESS);
        const char *option = mote_registers_option(&ctx);
        ck_assert_str_eq(option + (*option == ' '), wishes[i].option);
        mote_tune_release(ctx.tune);
    }
}
END_TEST

/* Functions that the device lacks are not used. */
START_TEST(a_wish_is_no_offer)
{
    mote_context ctx = {.device = {.device_class = MOTE_DEVICE_GPU}};
    static const char *const texts[MOTE_TUNE_ORIGINS] = {[MOTE_TUNING_ENVIRONMENT] =
                                                             "core.sub_groups=2"};
    ck_assert_int_eq(mote_tune_create(texts, &ctx.tune), MOTE_SUCCESS);
    says.extensions = "cl_khr_subgroup_shuffle";
    says.language = 3;
    says.sizes[0] = 0;
    ck_assert_int_eq(mote_sub_groups_choose(&ctx), MOTE_SUB_GROUPS_NONE);
    mote_tune_release(ctx.tune);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(what_is_offered),          SUITE_TEST(vendors_come_first),
    SUITE_TEST(a_wish_is_no_offer),       SUITE_TEST(what_width_is_demanded),
    SUITE_TEST(a_width_may_be_asked_for), SUITE_TEST(registers_are_asked_for),
};

SUITE_MAIN("sub_groups", tests)
