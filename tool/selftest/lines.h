/* SPDX-License-Identifier: Apache-2.0 */
/* mote selftest: one line of output for each primitive, or for each method of a primitive.
 *
 * A line uses few kernels, because building them takes most of the time of a first run. The
 * project's tests cover far more variants. */
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
    bool variant; /* most of it is checked by another line; it runs last */
} selftest_line;

/* Lines of each area, ending with name == NULL. */
extern const selftest_line selftest_pixels[];
extern const selftest_line selftest_coordination[];

/* The lines of described operations (testkit/operation.h), which selftest_described_make() makes
 * from the descriptions. */
extern selftest_line selftest_described[];
void selftest_described_make(void);

#endif
