/* SPDX-License-Identifier: Apache-2.0 */
#include "operations.h"
#include "core/check.h"
#include "core/fail.h"

#include <string.h>

#define BY_NUMBER(number, descriptor) [number] = &descriptor,

static const mote_descriptor *const operations[] = {MOTE_OPERATIONS(BY_NUMBER)};

#define COUNT (sizeof(operations) / sizeof(operations[0]))

/* Rejects a structure whose size is that of another operation's structure. If both have the same
 * size, the views show the operation, as far as they differ. */
static mote_status check_owner(const mote_descriptor *operation, const void *args)
{
    size_t size = 0;
    if (args)
        memcpy(&size, args, sizeof(size));
    if (size == operation->args_size)
        return MOTE_SUCCESS;
    for (size_t i = 0; i < COUNT; i++)
        if (operations[i] && operations[i]->args_size == size)
            return mote_fail(MOTE_ERROR_INVALID_STRUCT,
                             "mote_prepare: args.size is %zu, as %s() sets it, but %s() takes what "
                             "%s() sets",
                             size, operations[i]->init, operation->name, operation->init);
    return MOTE_SUCCESS;
}

mote_status mote_prepare(mote_context *ctx, mote_operation operation, const void *args)
{
    size_t number = (size_t)operation;
    const mote_descriptor *known = number < COUNT ? operations[number] : NULL;
    mote_status st = mote_check_choice("mote_prepare", "operation", (int)operation,
                                       known ? known->name : NULL, "mote_operation");
    if (!st)
        st = check_owner(known, args);
    return st ? st : mote_operation_enqueue(known, ctx, NULL, true, args, 0, NULL, NULL);
}
