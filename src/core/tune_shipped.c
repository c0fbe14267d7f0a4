/* SPDX-License-Identifier: Apache-2.0 */
#include "core/tune_shipped.h"
#include "core/text.h"

typedef struct shipped {
    const char *platform, *device; /* words of their names; NULL: any */
    mote_device_class device_class;
    const char *text;
} shipped;

/* Only what does not depend on the sizes of a call. */
#define HOPPER                                                                                     \
    "reduce.sum_groups=64,reduce.scan_groups_a_unit=24,segments.tile=4096,pixels.registers=64,"     \
    "coordination.tile=128,coordination.finish_group=128,coordination.finish_batch=16"
#define POCL                                                                                       \
    "reduce.sum_items=4,pixels.cpu_tile=1024,coordination.cpu_own=2,coordination.strip=1024,"      \
    "coordination.finish_group=64,coordination.finish_batch=2"

static const shipped table[] = {
    {"NVIDIA CUDA", "H100", MOTE_DEVICE_GPU, HOPPER},
    {"NVIDIA CUDA", "H200", MOTE_DEVICE_GPU, HOPPER}, /* GH200 too */
    {"Portable Computing Language", NULL, MOTE_DEVICE_CPU, POCL},
};

const char *mote_tune_shipped(const mote_device_info *device)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (mote_text_contains(device->platform, table[i].platform) &&
            (!table[i].device || mote_text_contains(device->name, table[i].device)) &&
            device->device_class == table[i].device_class)
            return table[i].text;
    return NULL;
}
