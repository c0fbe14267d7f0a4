/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fail.h"
#include "pixels/operations.h"

typedef mote_status (*enqueue)(mote_context *ctx, cl_command_queue queue, bool prepare,
                               const void *args, cl_uint num_wait, const cl_event *wait,
                               cl_event *event);

static const enqueue operations[] = {
    [MOTE_OPERATION_PIXELS_MODULE_START] = mote_pixels_module_start_enqueue,
    [MOTE_OPERATION_PIXELS_CLUSTER] = mote_pixels_cluster_enqueue,
    [MOTE_OPERATION_PIXELS_CHARGE_CUT] = mote_pixels_charge_cut_enqueue,
    [MOTE_OPERATION_PIXELS_CLUSTER_START] = mote_pixels_cluster_start_enqueue,
};

mote_status mote_prepare(mote_context *ctx, mote_operation operation, const void *args)
{
    size_t number = (size_t)operation;
    if (number >= sizeof(operations) / sizeof(operations[0]) || !operations[number])
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "mote_prepare: operation %d is none of mote_operation", (int)operation);
    return operations[number](ctx, NULL, true, args, 0, NULL, NULL);
}
