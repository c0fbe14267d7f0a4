/* SPDX-License-Identifier: Apache-2.0 */
/* A device that reports another vendor's GPU: every operation must choose launches that this GPU
 * could run: groups that it and the compiled kernel allow, of whole waves, and local memory that it
 * has (core/launch.c checks this). Results must equal those of the tables, and those of a second
 * run. */
#include "tests.h"

#include "common/suite.h"
#include "core/context.h"
#include "core/quirks.h"
#include "groups.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

typedef struct pretended {
    const char *name;
    uint32_t units;
    size_t most, local_bytes; /* of a group */
    size_t wave;
    uint32_t quirks;
} pretended;

/* Shorter runs use the first one only. */
static const pretended devices[] = {
    {"32 KiB, groups of 256, SIMD 8", 24, 256, 32768, 8, MOTE_QUIRK_FEW_REGISTERS},
    {"CDNA", 104, 1024, 65536, 64, 0},
    {"CDNA, groups of 256", 104, 256, 65536, 64, 0},
    {"RDNA", 40, 1024, 65536, 32, 0},
    {"RDNA, groups of 256", 40, 256, 65536, 32, 0},
    {"Intel, SIMD 32", 96, 1024, 65536, 32, MOTE_QUIRK_FEW_REGISTERS},
    {"Intel, SIMD 16", 24, 512, 65536, 16, MOTE_QUIRK_FEW_REGISTERS},
    {"Intel, SIMD 8", 24, 256, 65536, 8, MOTE_QUIRK_FEW_REGISTERS},
    {"32 KiB, groups of 1024", 12, 1024, 32768, 32, 0},
};

/* The launches of a device. */
static struct {
    const pretended *device;
    size_t largest;
    char uneven[128]; /* the last kernel whose groups are not whole waves */
} seen;

/* Kernels with 32 work-items in all, or one for each frame. */
static bool is_small(const char *kernel)
{
    return strcmp(kernel, "error_clear") == 0 || strcmp(kernel, "frames_make") == 0;
}

static void note(const mote_launch_record *record, void *user)
{
    (void)user;
    seen.largest = record->local > seen.largest ? record->local : seen.largest;
    if (record->local % seen.device->wave && !is_small(record->kernel))
        snprintf(seen.uneven, sizeof(seen.uneven), "%s in groups of %zu", record->kernel,
                 record->local);
}

static void try_table(fault_bed *b, const fault_operation *operations, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ck_assert_msg(fault_try(b, &operations[i]), "%s: %s", seen.device->name, b->message);
        ck_assert_msg(seen.largest <= seen.device->most, "%s, %s: a group of %zu where %zu is most",
                      seen.device->name, operations[i].name, seen.largest, seen.device->most);
        ck_assert_msg(!*seen.uneven, "%s, %s: %s", seen.device->name, operations[i].name,
                      seen.uneven);
    }
}

static void pretend(fault_bed *b, const pretended *device)
{
    fault_bed_open(b, "");
    b->ctx->device.device_class = MOTE_DEVICE_GPU;
    b->ctx->device.compute_units = device->units;
    b->ctx->device.max_work_group = device->most;
    b->ctx->device.local_bytes = device->local_bytes;
    b->ctx->quirks |= device->quirks;
    memset(&seen, 0, sizeof(seen));
    seen.device = device;
    mote_launch_callback_set(note, NULL);
}

/* Kernels that were compiled for fewer work-items than the device allows, which the device reports.
 */
static void try_limited(fault_bed *b)
{
    fault_groups groups = {.most = 32};
    b->ctx->quirks &= ~(uint32_t)MOTE_QUIRK_LOW_LIMITS;
    fault_groups_watch(&groups);
    fault_lie(FAULT_clGetKernelWorkGroupInfo, CL_KERNEL_WORK_GROUP_SIZE, groups.most);
    int refused = fault_groups_try(b, fault_described, fault_described_count, &groups);
    refused += fault_groups_try(b, fault_jagged, fault_jagged_count, &groups);
    refused += fault_groups_try(b, fault_pixels, fault_pixels_count, &groups);
    refused += fault_groups_try(b, fault_coordination, fault_coordination_count, &groups);
    fault_reset();
    fault_groups_watch(NULL);
    ck_assert_int_gt(refused, 0);
    ck_assert_uint_gt(groups.launched, 0);
}

START_TEST(every_operation)
{
    fault_bed b;
    pretend(&b, &devices[_i]);
    try_table(&b, fault_described, fault_described_count);
    try_table(&b, fault_jagged, fault_jagged_count);
    try_table(&b, fault_pixels, fault_pixels_count);
    try_table(&b, fault_coordination, fault_coordination_count);
    mote_launch_callback_set(NULL, NULL);
    try_limited(&b);
    ck_assert_msg(fault_bed_close(&b), "%s", b.message);
}
END_TEST

Suite *fault_suite_devices(void)
{
    Suite *suite = suite_create("devices");
    TCase *first = suite_case(suite, "first", NULL);
    TCase *rest = suite_case(suite, "rest", NULL);
    tcase_add_loop_test(first, every_operation, 0, 1);
    tcase_add_loop_test(rest, every_operation, 1, (int)(sizeof(devices) / sizeof(devices[0])));
    return suite;
}
