/* SPDX-License-Identifier: Apache-2.0 */
/* A small OpenCL on the host's processor that finds defects in kernels: it implements only the
 * functions that the library calls. Loaded before the real one (LD_PRELOAD, or linked in), it
 * compiles each program by clang with AddressSanitizer and UndefinedBehaviorSanitizer and runs one
 * work-item at a time.
 *
 * Environment:
 *   HOST_CL_COMPILE  command that compiles, to which "--output X.so TEXT -- OPTIONS" is added
 *   HOST_CL_PROGRAMS folder where compiled programs are kept
 *   HOST_CL_PROFILES folder for the counts of what ran; where LLVM_PROFILE_FILE says, when unset
 *   HOST_CL_CPU      1: the device says that it is a CPU
 *   HOST_CL_WAVE     work-items that take turns at each atomic, 1 when unset; waves run one by one
 *   HOST_CL_SUB_GROUP  the device has cl_khr_subgroup_shuffle, with sub-groups of this size
 *   HOST_CL_NVIDIA   the device says that it is NVIDIA's, of this compute capability (90: 9.0)
 */
#ifndef TESTS_HOSTCL_HOST_H
#define TESTS_HOSTCL_HOST_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOST_LOCAL_BYTES 49152
#define HOST_MOST_ITEMS  1024
#define HOST_MOST_ARGS   96
#define HOST_WARP        32

/* The first members of every object. */
typedef struct host_object {
    int references;
    void (*destroy)(void *self);
} host_object;

struct _cl_platform_id {
    int unused;
};
struct _cl_device_id {
    int unused;
};
struct _cl_context {
    host_object object;
};

struct _cl_mem {
    host_object object;
    cl_context context;
    cl_mem_flags flags;
    size_t size, origin;
    cl_mem parent; /* of a sub-buffer */
    char *bytes;   /* exactly as many as requested: the byte after them must not be accessed */
    char *array;   /* for CL_MEM_USE_HOST_PTR: `bytes` are a copy of it */
};

struct _cl_program {
    host_object object;
    char *text, *log;
    void *library; /* NULL until built */
    char *profile; /* never freed, because it is read when the process ends */
};

typedef struct host_argument {
    size_t size; /* 0: not set */
    char value[1024];
} host_argument;

struct _cl_kernel {
    host_object object;
    cl_program program;
    void (*call)(const uint64_t *arguments);
    const char *letters, *names, *types;
    const cl_uint *sizes; /* of values */
    cl_uint group;
    host_argument arguments[HOST_MOST_ARGS];
};

struct _cl_command_queue {
    host_object object;
    cl_context context;
    cl_device_id device;
    cl_command_queue_properties properties;
};

struct _cl_event {
    host_object object;
    cl_context context;
    cl_int status;
    cl_ulong queued, start, end;
    void (*callback)(cl_event, cl_int, void *);
    void *data;
};

/* An enqueued command, which retains all objects that it needs. A command with neither kernel nor
 * bytes is a marker. */
typedef struct host_command {
    struct host_command *next;
    cl_command_queue queue;
    cl_event event;
    bool fence; /* all earlier commands of its queue must be complete */
    cl_uint count;
    cl_event *wait;
    cl_mem mems[2];
    char *to;
    const char *from;
    size_t bytes, pattern; /* a pattern of this number of bytes is repeated; 0: copy */
    struct _cl_kernel *kernel;
    size_t global, local;
} host_command;

/* Ends the process with a sentence, because the program under test has broken a rule. */
_Noreturn void host_stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

void *host_make(size_t bytes, void (*destroy)(void *self));
cl_int host_retain(void *object);
cl_int host_release(void *object);

/* Returns a value as clGet...Info does. */
cl_int host_answer(const void *value, size_t bytes, size_t size, void *out, size_t *needed);

/* Appends a command to its queue. Retains the given objects, but owns kernel and pattern; *out
 * receives the caller's event. */
cl_int host_enqueue(cl_command_queue queue, host_command given, cl_uint count, const cl_event *wait,
                    cl_event *out, bool blocking);

/* Returns a number from the environment, within bounds; the lower bound if it is not set. */
size_t host_number(const char *name, size_t least, size_t most);

/* Runs a kernel for all of its work-items. */
void host_run(const struct _cl_kernel *kernel, size_t global, size_t local);

/* The current work-item, the number of work-items in its group, and an address in its kernel's
 * code. */
size_t host_item(void);
size_t host_items(void);
uintptr_t host_code(void);

/* Wait, at an address in the kernel, for all other work-items of the group or the warp. */
void host_meet_group(const void *where);
void host_meet_warp(const void *where);

/* Called after each group: its copies in warps.c must be complete. */
void host_warps_end(void);

#endif
