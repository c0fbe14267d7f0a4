/* SPDX-License-Identifier: Apache-2.0 */
/* An operation is run once without failures, then with each of its calls to OpenCL and of its
 * allocations failing in turn: the status and the sentence must match, nothing may leak, inputs and
 * memory around arrays may not change, and the next call must give the results of the first one. It
 * may neither print nor, unless it is flagged, wait for the device. */
#ifndef TESTS_FAULTS_HARNESS_H
#define TESTS_FAULTS_HARNESS_H

#include "bed.h"

#define FAULT_WAITS  1u  /* the operation may wait for the device */
#define FAULT_DRY    2u  /* it computes nothing: outputs do not change */
#define FAULT_PINNED 8u  /* it treats a buffer as host memory */
#define FAULT_ALONE  16u /* it has neither a queue nor a host */
#define FAULT_LENDS  32u /* on CPUs it uses arrays of the host in place */
/* It makes many OpenCL and memory calls, so each of these fails on one queue only. */
#define FAULT_ONCE   64u
#define FAULT_SILENT 4u /* it returns no event, even if it has enqueued commands */

typedef struct fault_operation {
    const char *name;
    void (*setup)(fault_bed *b);         /* makes arrays and arguments; NULL for none */
    const trial_operation *described;    /* makes them instead, */
    bool (*wanted)(const trial_call *c); /* rejects draws; NULL: no draw is rejected */
    mote_status (*run)(fault_bed *b);
    mote_status (*size)(fault_bed *b); /* its workspace function; NULL for none */
    mote_operation operation;          /* for mote_prepare(); 0 for none */
    void (*undo)(
        fault_bed *b); /* releases the objects that a successful run has created; NULL for none */
    void (*cleanup)(fault_bed *b); /* releases the objects that setup kept; NULL for none */
    unsigned flags;
} fault_operation;

/* Makes an operation's arrays and arguments. */
void fault_setup(fault_bed *b, const fault_operation *op);

/* Runs an operation without failures; false with a sentence in b->message. */
bool fault_try(fault_bed *b, const fault_operation *op);

/* Runs it with every failure, and then its preparation and its workspace function in the same way;
 * false with the first complaint in b->message. */
bool fault_sweep(fault_bed *b, const fault_operation *op);

/* Runs it once; any result is accepted, including a failure with a sentence. Nothing may leak, and
 * inputs and memory around arrays may not change. Returns false with a sentence in b->message. */
bool fault_endure(fault_bed *b, const fault_operation *op);

/* Sweeps every operation of a table: on both kinds of queues or, if it waits, with a temporary and
 * with a persistent mote_host. The test fails with all complaints. */
void fault_sweep_all(const char *tune, const fault_operation *operations, size_t count);

/* The functions of a table's rows, named after the library's functions. */
#define FAULT_ENQUEUES(function, arguments)                                                        \
    static mote_status run_##function(fault_bed *b)                                                \
    {                                                                                              \
        return function(b->ctx, b->queue, (const arguments *)(const void *)&b->args, 0, NULL,      \
                        &b->event);                                                                \
    }
#define FAULT_SIZES(function, arguments)                                                           \
    static mote_status run_##function##_workspace_size(fault_bed *b)                               \
    {                                                                                              \
        size_t bytes = 0;                                                                          \
        return function##_workspace_size(b->ctx, (const arguments *)(const void *)&b->args,        \
                                         &bytes);                                                  \
    }
#define FAULT_HOST(function, arguments)                                                            \
    static mote_status run_##function(fault_bed *b)                                                \
    {                                                                                              \
        return function(b->ctx, b->host, (const arguments *)(const void *)&b->args);               \
    }

/* Rows: a call that enqueues, one with a workspace function, one on arrays of the host. */
#define FAULT_ROW(made_by, function, number)                                                       \
    {                                                                                              \
        .name = #function ", " #made_by, .setup = made_by, .run = run_##function,                  \
        .operation = number                                                                        \
    }
#define FAULT_SIZED_ROW(made_by, function, number)                                                 \
    {                                                                                              \
        .name = #function ", " #made_by, .setup = made_by, .run = run_##function,                  \
        .size = run_##function##_workspace_size, .operation = number                               \
    }
#define FAULT_HOST_ROW(made_by, function)                                                          \
    {                                                                                              \
        .name = #function ", " #made_by, .setup = made_by, .run = run_##function,                  \
        .flags = FAULT_WAITS | FAULT_LENDS                                                         \
    }

/* Makes the arguments of a call in its setup. */
#define FAULT_ARGS(b, type, name)                                                                  \
    _Static_assert(sizeof(type) < FAULT_ARGS_BYTES, "room for " #type);                            \
    type *name = (type *)(void *)&(b)->args;                                                       \
    type##_init(name)

#endif
