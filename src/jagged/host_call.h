/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on lists in plain arrays that a table of their arrays describes. */
#ifndef MOTE_JAGGED_HOST_CALL_H
#define MOTE_JAGGED_HOST_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include "mote/jagged.h"

/* The beginning of all arguments of these calls. */
typedef struct mote_host_head {
    size_t size;
    mote_type offsets_type;
    size_t lists;
    const void *offsets; /* or offsets_a */
} mote_host_head;

/* Offsets have one element more than `count` says. */
enum {
    HOST_LISTS = 1,    /* offsets of input lists */
    HOST_OUT = 2,      /* an output; all other arrays are inputs */
    HOST_NEW = 4,      /* offsets of output lists, the last of which is the number of results */
    HOST_ROOM = 8,     /* an output of which only the results are read, not all elements */
    HOST_OPTIONAL = 16 /* may be NULL */
};

/* An array of a call. Each position is that of a member of the call's plan, which begins with the
 * arguments. */
typedef struct mote_host_field {
    const char *name;
    unsigned short array; /* const void * or void * */
    unsigned short type;  /* mote_type */
    unsigned short count; /* size_t, number of elements */
    unsigned short view;  /* mote_view in the device's arguments */
    unsigned flags;
} mote_host_field;

#define HOST_FIELD(plan, name, array, type, count, view, flags)                                    \
    {                                                                                              \
        name, offsetof(plan, array), offsetof(plan, type), offsetof(plan, count),                  \
            offsetof(plan, device.view), flags                                                     \
    }

#define MOTE_HOST_FIELDS 12

typedef struct mote_host_call {
    const char *name, *init; /* the function, and the initialiser of its arguments */
    size_t args_size;
    mote_host_field fields[MOTE_HOST_FIELDS]; /* ended by a NULL name */
    size_t content; /* position of the length of `values`, which offsets may not exceed; 0 if there
                       is none */
    size_t error;   /* position of the error word in the device's arguments */
    /* Initialises the device's arguments, and copies the options. Fails for arguments that the
     * device's call does not reject. */
    mote_status (*set)(void *plan);
    mote_status (*run)(mote_context *ctx, cl_command_queue queue, const void *plan, cl_event *done);
} mote_host_call;

/* Defines a call: its initialiser, its descriptor from the fields that follow, and its function.
 * The functions set_NAME() and the type NAME_plan must exist. `device`: the device's call. */
#define MOTE_DEFINE_HOST_CALL(title, call_device, content_at, ...)                                 \
    static mote_status run_##title(mote_context *ctx, cl_command_queue queue, const void *plan,    \
                                   cl_event *done)                                                 \
    {                                                                                              \
        return call_device(ctx, queue, &((const title##_plan *)plan)->device, 0, NULL, done);      \
    }                                                                                              \
    static const mote_host_call title##_call = {                                                   \
        .name = "mote_jagged_" #title "_host",                                                     \
        .init = "mote_jagged_" #title "_host_args_init",                                           \
        .args_size = sizeof(mote_jagged_##title##_host_args),                                      \
        .fields = {__VA_ARGS__},                                                                   \
        .content = content_at,                                                                     \
        .error = offsetof(title##_plan, device.error),                                             \
        .set = set_##title,                                                                        \
        .run = run_##title,                                                                        \
    };                                                                                             \
    mote_status mote_jagged_##title##_host(mote_context *ctx, mote_host *host,                     \
                                           const mote_jagged_##title##_host_args *args)            \
    {                                                                                              \
        title##_plan plan = {.count = 0};                                                          \
        return mote_host_call_run(&title##_call, ctx, host, args, &plan);                          \
    }

/* Makes the call. `plan` is zero. */
mote_status mote_host_call_run(const mote_host_call *call, mote_context *ctx, mote_host *host,
                               const void *args, void *plan);

#endif
