/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that the linker wraps (calls.inc): they are counted, can be made to fail, and the objects
 * that they create are counted. */
#ifndef TESTS_FAULTS_INJECT_H
#define TESTS_FAULTS_INJECT_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum fault_call {
#define CALL_CODE(name, ...)          FAULT_##name,
#define CALL_INFO(name, ...)          FAULT_##name,
#define CALL_WAIT(name, ...)          FAULT_##name,
#define CALL_ENQUEUE(name, ...)       FAULT_##name,
#define CALL_MAKE(type, name, ...)    FAULT_##name,
#define CALL_KEEP(name, type, handle) FAULT_##name,
#define CALL_DROP(name, type, handle) FAULT_##name,
#define CALL_HEAP(name)               FAULT_##name,
#include "calls.inc"
#undef CALL_CODE
#undef CALL_INFO
#undef CALL_WAIT
#undef CALL_ENQUEUE
#undef CALL_MAKE
#undef CALL_KEEP
#undef CALL_DROP
#undef CALL_HEAP
    FAULT_CALLS
} fault_call;

const char *fault_call_name(fault_call call);

/* ---- one function, from any thread ----------------------------------------------------------- */

typedef struct fault_count {
    int calls;       /* so far */
    int events;      /* calls that requested an event */
    int first, last; /* the calls that fail, from 1; last 0 = none */
    cl_int code;     /* the code that they return */
} fault_count;

/* Counts since the last fault_reset(). */
extern fault_count faults[FAULT_CALLS];

/* Resets counts, failures and false values, but not the live objects. */
void fault_reset(void);

/* Makes calls first .. last from now on fail. */
void fault_fail(fault_call call, int first, int last, cl_int code);

/* Makes an information function (clGet...Info) return false values for `what`: a query of the
 * length returns `size`, and the value is then all letters without a terminator; a query of the
 * value alone returns `size` in each number. */
void fault_lie(fault_call call, cl_uint what, size_t size);

/* ---- what is alive --------------------------------------------------------------------------- */

typedef enum fault_handle {
    FAULT_NOTHING,
    FAULT_CONTEXT,
    FAULT_DEVICE,
    FAULT_QUEUE,
    FAULT_MEM,
    FAULT_EVENT,
    FAULT_PROGRAM,
    FAULT_KERNEL,
    FAULT_HEAP, /* blocks of host memory, allocated by threads that track them */
    FAULT_HANDLES
} fault_handle;

const char *fault_handle_name(fault_handle handle);

/* Objects created or retained minus those released, in the whole process. */
int fault_live(fault_handle handle);

/* Enables or disables counting of blocks that this thread allocates; it is disabled at first. */
void fault_track(bool on);

/* ---- every call of one thread ---------------------------------------------------------------- */

#define FAULT_OPENCL 1u
#define FAULT_MEMORY 2u

typedef struct fault_plan {
    unsigned families;  /* the calls that are counted and may fail */
    size_t first, last; /* the calls that fail, from 1; last 0 = none */
    cl_int code;        /* of OpenCL's */
    bool may_wait;      /* otherwise functions that wait for the device fail, and are recorded */
} fault_plan;

/* Events between fault_arm() and fault_disarm(). */
typedef struct fault_record {
    size_t calls;             /* number of calls in the plan's families */
    size_t failures;          /* that were caused */
    bool failed[FAULT_CALLS]; /* where */
    size_t waits;             /* forbidden ones */
    fault_call waited;        /* in which, last */
    size_t polls;             /* queries of the state of an event */
} fault_record;

void fault_arm(const fault_plan *plan);
fault_record fault_disarm(void);

/* ---- for the wrappers ------------------------------------------------------------------------ */

/* Called before a call: CL_SUCCESS allows it. A call that must not wait gets FAULT_FORBIDDEN.
 */
cl_int fault_enter(fault_call call, bool waits, bool event);
#define FAULT_FORBIDDEN CL_INVALID_OPERATION

bool fault_bad_answer(fault_call call, cl_uint what, size_t size, void *value, size_t *needed);
cl_int fault_made(fault_handle handle, bool given, cl_int code);
cl_int fault_gone(fault_handle handle, cl_int code);

/* Memory: whether this call must fail, and the allocation and release of blocks. */
bool fault_starved(fault_call call);
void fault_block_made(const void *block);
bool fault_block_gone(const void *block); /* whether it was counted */

#endif
