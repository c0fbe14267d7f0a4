/* SPDX-License-Identifier: Apache-2.0 */
/* The description of an operation: a public call on device buffers, which mote_prepare() and the
 * call's workspace size run as well.
 *
 *     typedef struct plan {
 *         mote_x_args args; (first: the runner copies the caller's arguments here)
 *         ...               (all zero when check() begins)
 *     } plan;
 *
 *     const mote_descriptor mote_x_operation = {
 *         MOTE_DESCRIBE(mote_x, mote_x_args, plan),
 *         MOTE_DESCRIBE_WORKSPACE(mote_x_args),
 *         MOTE_DESCRIBE_ERROR(mote_x_args),
 *         .check = check,
 *         .carve = carve_plan,
 *         .launch = launch_all,
 *     };
 *     MOTE_DEFINE_CALL(mote_x, mote_x_args, mote_x_operation)
 *     MOTE_DEFINE_WORKSPACE_SIZE(mote_x_workspace_size, mote_x_args, mote_x_operation)
 *
 * Every descriptor has a line in operations.h, with its number of mote_operation. */
#ifndef MOTE_CORE_OPERATION_H
#define MOTE_CORE_OPERATION_H

#include "core/check.h"

#include <stddef.h>

/* Room for the largest plan. */
#define MOTE_PLAN_BYTES ((size_t)16384)

typedef struct mote_descriptor {
    const char *name; /* the public function, for messages */
    const char *init; /* the initialiser of its arguments, for messages */
    size_t args_size, plan_size;
    size_t workspace_at; /* offsets in the arguments; 0: there is no such member */
    size_t error_at, error_offset_at, error_keep_at; /* likewise */

    /* Checks the copied arguments, fills in defaults and chooses the variant. The runner has
     * already checked the position of the error word; mote_check_views() checks it and the
     * workspace together with the views that it receives. */
    mote_status (*check)(mote_call *call, void *plan);

    /* Lays out the scratch. Runs twice: with an empty carve to count, then to assign. NULL: the
     * operation needs no scratch. */
    void (*carve)(const mote_call *call, void *plan, mote_carve *carve);

    /* Prepares the launches. */
    mote_status (*launch)(mote_call *call, const void *plan);
} mote_descriptor;

/* Does not compile for a plan that is too large. */
#define MOTE_PLAN_SIZE(plan) (sizeof(plan) * sizeof(char[sizeof(plan) <= MOTE_PLAN_BYTES ? 1 : -1]))

#define MOTE_DESCRIBE(function, args_type, plan)                                                   \
    .name = #function, .init = #args_type "_init", .args_size = sizeof(args_type),                 \
    .plan_size = MOTE_PLAN_SIZE(plan)
#define MOTE_DESCRIBE_WORKSPACE(args_type) .workspace_at = offsetof(args_type, workspace)
#define MOTE_DESCRIBE_ERROR(args_type)                                                             \
    .error_at = offsetof(args_type, error), .error_offset_at = offsetof(args_type, error_offset),  \
    .error_keep_at = offsetof(args_type, error_keep)

/* Checks, plans, acquires scratch and enqueues. With `prepare` set and no queue, nothing is
 * enqueued, but kernels are built and scratch is reserved. */
mote_status mote_operation_enqueue(const mote_descriptor *operation, mote_context *ctx,
                                   cl_command_queue queue, bool prepare, const void *args,
                                   cl_uint num_wait, const cl_event *wait, cl_event *event);

/* name: the public function. bytes: 0 when the call needs no scratch. */
mote_status mote_operation_workspace_size(const mote_descriptor *operation, const char *name,
                                          mote_context *ctx, const void *args, size_t *bytes);

#define MOTE_DEFINE_CALL(function, args_type, operation)                                           \
    mote_status function(mote_context *ctx, cl_command_queue queue, const args_type *args,         \
                         cl_uint num_wait, const cl_event *wait, cl_event *event)                  \
    {                                                                                              \
        return mote_operation_enqueue(&(operation), ctx, queue, false, args, num_wait, wait,       \
                                      event);                                                      \
    }

#define MOTE_DEFINE_WORKSPACE_SIZE(function, args_type, operation)                                 \
    mote_status function(mote_context *ctx, const args_type *args, size_t *bytes)                  \
    {                                                                                              \
        return mote_operation_workspace_size(&(operation), #function, ctx, args, bytes);           \
    }

#endif
