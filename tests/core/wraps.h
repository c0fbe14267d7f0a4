/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL calls that the linker wraps: counted, made to fail, and their handles counted. */
#ifndef TESTS_CORE_WRAPS_H
#define TESTS_CORE_WRAPS_H

#include <CL/cl.h>

typedef struct wrap {
    int calls;       /* so far */
    int events;      /* calls that asked for an event */
    int first, last; /* the calls that fail, from 1; last 0 = none */
    cl_int code;     /* what they fail with */
} wrap;

extern wrap wrap_ndrange, wrap_marker, wrap_create, wrap_finish;
extern wrap wrap_fill, wrap_copy, wrap_write, wrap_read;

/* Handles alive: made and retained less released, as far as the wrapped calls made them. */
extern int wrap_live_mem, wrap_live_events;

/* Forgets counts and failures, not the handles. */
void wraps_reset(void);

/* Lets calls first .. last from now on fail. */
void wrap_fail(wrap *w, int first, int last, cl_int code);

#endif
