/* SPDX-License-Identifier: Apache-2.0 */
/* The environment of operations: context, queue, and arrays that detect changes. */
#ifndef TESTS_FAULTS_BED_H
#define TESTS_FAULTS_BED_H

#include "testkit/operation.h"
#include "faults/inject.h"

#define FAULT_ARRAYS     24
#define FAULT_MESSAGE    1024
#define FAULT_ARGS_BYTES 2048 /* of the largest arguments, and more */

/* One array of an operation, on the device or the host, with guarded memory on both sides. */
typedef struct fault_array {
    const char *name;
    mote_type type;
    bool out;
    mote_guard guard;    /* of the device */
    unsigned char *host; /* on the host: margin, array, margin */
    size_t bytes;
    unsigned char *contents;  /* contents before each call; NULL = poison */
    unsigned char *reference; /* contents of an output after a call without failures */
    bool expected;            /* the reference is known in advance */
} fault_array;

/* One element, or all elements, of one input array that are replaced. */
typedef struct fault_corruption {
    const char *array; /* name of the array; NULL for none */
    size_t at;         /* element; SIZE_MAX = all */
    unsigned char value[8];
} fault_corruption;

typedef struct fault_bed {
    int before[FAULT_HANDLES]; /* objects alive before */
    mote_context *ctx;
    cl_command_queue queue; /* one of the two */
    cl_command_queue queues[2];
    mote_host *host;          /* for host calls; NULL for a temporary one */
    mote_operation operation; /* of mote_prepare() */
    union {
        max_align_t align;
        unsigned char bytes[FAULT_ARGS_BYTES];
    } args;                        /* arguments of the call, set by setup */
    trial_call call;               /* of a described operation, */
    void *plain[MOTE_FIELDS_MOST]; /* and its arrays, if they are plain */
    void *made;                    /* set by run, for undo */
    void *kept;                    /* set by setup, for the user of the harness */
    cl_event event;                /* event of an enqueuing call */
    fault_array arrays[FAULT_ARRAYS];
    size_t count;
    size_t error; /* the index in the error word, */
    bool has_error;
    mote_status expected;     /* and its expected status */
    const void *warm;         /* the operation of the last fault_endure() */
    fault_corruption corrupt; /* for the arrays that setup creates */
    mote_status corrupted;    /* the expected error in this case */
    char message[FAULT_MESSAGE];
} fault_bed;

/* Opens the device with this MOTE_TUNE, an in-order queue and an out-of-order queue; fails the test
 * if it cannot. */
void fault_bed_open(fault_bed *b, const char *tune);

/* Releases everything; false with a sentence in b->message if any object is still alive. */
bool fault_bed_close(fault_bed *b);

/* For setup: arrays of the device, with an element type, */
mote_view fault_in(fault_bed *b, const char *name, mote_type type, size_t count,
                   const void *contents);
mote_view fault_out(fault_bed *b, const char *name, mote_type type, size_t count);
mote_view fault_in_out(fault_bed *b, const char *name, mote_type type, size_t count,
                       const void *contents);

/* Sets the expected contents of the last array after a call without failures. */
void fault_expect(fault_bed *b, const void *contents);

/* Forgets the expectations of fault_expect() for all arrays: the next calls write none of them. */
void fault_forget(fault_bed *b);

/* Instead of a status: any report of the error word is accepted. */
#define FAULT_TOLD_ANY ((mote_status)1)

/* an error word that must contain `expected` after a call without failures, */
void fault_error(fault_bed *b, cl_mem *word, size_t *offset, mote_status expected);

/* and the arrays of the host. */
const void *fault_host_in(fault_bed *b, const char *name, size_t bytes, const void *contents);
void *fault_host_out(fault_bed *b, const char *name, size_t bytes);

/* ---- for the harness ------------------------------------------------------------------------- */

/* Sets the thread's last sentence to one that no operation produces; returns whether it is
 * unchanged. */
void fault_mark(void);
bool fault_is_marked(void);

/* Counts live objects, and sets the mark; false with a sentence in b->message if the number
 * differs. */
void fault_count_live(int live[FAULT_HANDLES]);
bool fault_check_live(fault_bed *b, const int before[FAULT_HANDLES]);

/* Restores contents and poison before a call. */
void fault_arrays_refill(fault_bed *b);

/* Requirements for outputs after a call. */
typedef enum fault_outputs {
    FAULT_RIGHT,  /* equal to their contents without failures */
    FAULT_INTACT, /* unchanged by the call */
    FAULT_ANY,
    FAULT_KEPT /* any contents, which are stored as the reference */
} fault_outputs;

/* Checks inputs, outputs and the memory around them; false with a sentence in b->message. */
bool fault_arrays_check(fault_bed *b, fault_outputs outputs);

/* Returns whether the error word contains the expected status. */
bool fault_arrays_error(fault_bed *b);

/* Returns the status in the error word of the arrays. */
mote_status fault_arrays_told(const fault_bed *b);

void fault_arrays_release(fault_bed *b);

#endif
