/* SPDX-License-Identifier: Apache-2.0 */
/* Where operations run: context, queue, and arrays that notice what is done to them. */
#ifndef TESTS_FAULTS_BED_H
#define TESTS_FAULTS_BED_H

#include "testkit/operation.h"
#include "faults/inject.h"

#define FAULT_ARRAYS     24
#define FAULT_MESSAGE    1024
#define FAULT_ARGS_BYTES 2048 /* of the largest arguments, and more */

/* One array of an operation, of the device or the host, with watched memory on both sides. */
typedef struct fault_array {
    const char *name;
    mote_type type;
    bool out;
    mote_guard guard;    /* of the device */
    unsigned char *host; /* of the host: margin, array, margin */
    size_t bytes;
    unsigned char *contents;  /* before each call; NULL = poison */
    unsigned char *reference; /* of an output, after a call in which nothing failed */
    bool expected;            /* the reference is known beforehand */
} fault_array;

/* One element, or all, of one input array, to be replaced. */
typedef struct fault_spoil {
    const char *array; /* its name; NULL for none */
    size_t at;         /* element; SIZE_MAX = all */
    unsigned char value[8];
} fault_spoil;

typedef struct fault_bed {
    int before[FAULT_HANDLES]; /* what was alive before */
    mote_context *ctx;
    cl_command_queue queue; /* one of the two */
    cl_command_queue queues[2];
    mote_host *host;          /* of host calls; NULL for a temporary one */
    mote_operation operation; /* of mote_prepare() */
    union {
        max_align_t align;
        unsigned char bytes[FAULT_ARGS_BYTES];
    } args;                        /* of the call, made by setup */
    trial_call call;               /* of a described operation, */
    void *plain[MOTE_FIELDS_MOST]; /* and its arrays, if they are plain */
    void *made;                    /* by run, for undo */
    void *kept;                    /* by setup, for the harness's user */
    cl_event event;                /* of an enqueuing call */
    fault_array arrays[FAULT_ARRAYS];
    size_t count;
    size_t error; /* which array is the error word, */
    bool has_error;
    mote_status expected; /* and what it must hold */
    const void *warm;     /* the operation that was endured last */
    fault_spoil spoil;    /* for the arrays that setup makes */
    mote_status spoilt;   /* what must be told then */
    char message[FAULT_MESSAGE];
} fault_bed;

/* Opens the device with this MOTE_TUNE, and a queue in order and one out of order; fails the test
 * if it cannot. */
void fault_bed_open(fault_bed *b, const char *tune);

/* Releases everything; false with a sentence in b->message when anything is left alive. */
bool fault_bed_close(fault_bed *b);

/* For setup: arrays of the device, with an element type, */
mote_view fault_in(fault_bed *b, const char *name, mote_type type, size_t count,
                   const void *contents);
mote_view fault_out(fault_bed *b, const char *name, mote_type type, size_t count);
mote_view fault_in_out(fault_bed *b, const char *name, mote_type type, size_t count,
                       const void *contents);

/* Says what the array made last must hold after a call in which nothing failed. */
void fault_expect(fault_bed *b, const void *contents);

/* Drops what fault_expect() said of all arrays: the next calls write none of them. */
void fault_forget(fault_bed *b);

/* Instead of a status: whatever the error word tells is right. */
#define FAULT_TOLD_ANY ((mote_status)1)

/* an error word that must hold `expected` after a call in which nothing failed, */
void fault_error(fault_bed *b, cl_mem *word, size_t *offset, mote_status expected);

/* and arrays of the host. */
const void *fault_host_in(fault_bed *b, const char *name, size_t bytes, const void *contents);
void *fault_host_out(fault_bed *b, const char *name, size_t bytes);

/* ---- for the harness ------------------------------------------------------------------------- */

/* Makes the thread's last sentence one that no operation leaves behind; whether it still is. */
void fault_mark(void);
bool fault_is_marked(void);

/* What is alive, with the mark; false with a sentence in b->message when it is not as before. */
void fault_count_live(int live[FAULT_HANDLES]);
bool fault_check_live(fault_bed *b, const int before[FAULT_HANDLES]);

/* Contents and poison anew, before a call. */
void fault_arrays_refill(fault_bed *b);

/* What outputs must be after a call. */
typedef enum fault_outputs {
    FAULT_RIGHT,  /* what they were when nothing failed */
    FAULT_INTACT, /* as before the call */
    FAULT_ANY,
    FAULT_KEPT /* any, and to be remembered as right */
} fault_outputs;

/* Inputs, outputs and what is beside them; false with a sentence in b->message. */
bool fault_arrays_check(fault_bed *b, fault_outputs outputs);

/* Whether the error word that was remembered holds what is expected. */
bool fault_arrays_error(fault_bed *b);

/* What it holds. */
mote_status fault_arrays_told(const fault_bed *b);

void fault_arrays_release(fault_bed *b);

#endif
