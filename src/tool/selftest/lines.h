/* SPDX-License-Identifier: Apache-2.0 */
/* mote selftest: one line of output for each primitive, or way to compute it.
 *
 * A line has few kernels: where none is built yet, building them is what takes the time. The tests
 * of the project run far more. */
#ifndef MOTE_TOOL_SELFTEST_LINES_H
#define MOTE_TOOL_SELFTEST_LINES_H

#include "../tool.h"

#define SELFTEST_MESSAGE 500

typedef enum selftest_outcome {
    SELFTEST_AGREES,
    SELFTEST_DIFFERS, /* the message says in what */
    SELFTEST_NOT_HERE /* the case does not belong to the line, or not to the device */
} selftest_outcome;

typedef struct selftest_device {
    mote_context *ctx;
    cl_command_queue queue;
    char message[SELFTEST_MESSAGE];
} selftest_device;

typedef struct selftest_line {
    const char *name;
    int which;                  /* for check and count, which serve several lines */
    size_t (*count)(int which); /* cases to try, from 0 */
    selftest_outcome (*check)(selftest_device *device, int which, size_t k);
    bool variant; /* another line checks most of it: this one comes last where time is short */
} selftest_line;

/* Lines of each area, ending with name == NULL. */
extern const selftest_line selftest_pixels[];
extern const selftest_line selftest_reduce[];
extern const selftest_line selftest_jagged[];
extern const selftest_line selftest_segments[];
extern const selftest_line selftest_expand[];
extern const selftest_line selftest_coordination[];

#endif
