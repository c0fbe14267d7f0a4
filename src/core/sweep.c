/* SPDX-License-Identifier: Apache-2.0 */
#include "core/size.h"
#include "core/sweep.h"
#include "core/tune.h"

#define GPU_LOCAL       ((size_t)256)
#define GROUPS_PER_UNIT ((size_t)32)
#define ITEMS_PER_UNIT  ((size_t)8)
#define LEAST_AN_ITEM   ((size_t)1024) /* CPU form */

mote_sweep mote_sweep_make(const mote_context *ctx, const char *form, size_t n)
{
    const mote_device_info *device = &ctx->device;
    mote_sweep s = {.cpu = mote_tune_form(ctx, form) == MOTE_DEVICE_CPU};
    if (s.cpu) {
        s.local = 1;
        s.groups = min_size(n / LEAST_AN_ITEM + 1, ITEMS_PER_UNIT * device->compute_units);
    } else {
        s.local = min_size(GPU_LOCAL, device->max_work_group);
        s.groups = min_size(n / s.local + 1, GROUPS_PER_UNIT * device->compute_units);
    }
    if (s.groups == 0)
        s.groups = 1;
    return s;
}
