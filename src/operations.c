/* SPDX-License-Identifier: Apache-2.0 */
#include "operations.h"
#include "core/fail.h"

#define BY_NUMBER(number, descriptor) [number] = &descriptor,

static const mote_descriptor *const operations[] = {MOTE_OPERATIONS(BY_NUMBER)};

mote_status mote_prepare(mote_context *ctx, mote_operation operation, const void *args)
{
    size_t number = (size_t)operation;
    if (number >= sizeof(operations) / sizeof(operations[0]) || !operations[number])
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "mote_prepare: operation %d is not a value of mote_operation",
                         (int)operation);
    return mote_operation_enqueue(operations[number], ctx, NULL, true, args, 0, NULL, NULL);
}
