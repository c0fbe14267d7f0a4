/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps a queue busy for a moment, so that what is enqueued meanwhile runs without waiting for the
 * host: the times of its kernels are then the device's alone. */
#ifndef MOTE_BENCH_HOLD_H
#define MOTE_BENCH_HOLD_H

#include "mote/status.h"

typedef struct mote_hold {
    cl_command_queue queue;
    cl_program program; /* NULL: holding does nothing */
    cl_kernel kernel;
    cl_mem sink;
} mote_hold;

/* Prepares to hold a profiling queue. A device that is not a GPU, or whose queues cannot be held,
 * is not held. */
void mote_hold_open(mote_hold *hold, cl_command_queue queue);

/* Enqueues a kernel of one work-item that touches no memory to speak of and takes about 200 us. */
cl_int mote_hold_enqueue(const mote_hold *hold);

void mote_hold_close(mote_hold *hold);

#endif
