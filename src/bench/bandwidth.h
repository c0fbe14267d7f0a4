/* SPDX-License-Identifier: Apache-2.0 */
/* What a device moves at best, measured by the best of several kernels: the limits of the
 * benchmark. */
#ifndef MOTE_BENCH_BANDWIDTH_H
#define MOTE_BENCH_BANDWIDTH_H

#include <stdbool.h>

#include "mote/mote.h"

/* Ways to move bytes; a copy counts those read and those written. The time of a launch is not
 * counted. */
typedef enum mote_traffic { MOTE_TRAFFIC_COPY, MOTE_TRAFFIC_FILL, MOTE_TRAFFIC_READ } mote_traffic;
#define MOTE_TRAFFICS 3

/* The best rate in GB/s, and the kernel or command that reached it; 0 and "" when none ran. */
typedef struct mote_rate {
    double gb_s;
    const char *by;
} mote_rate;

typedef struct mote_bandwidth {
    mote_rate memory[MOTE_TRAFFICS];
    mote_rate cache[MOTE_TRAFFICS]; /* for what fits the device's cache */
    size_t cache_bytes;             /* what is taken to fit */
    double launch_us;               /* of a kernel that does nothing, timed as calls are */
} mote_bandwidth;

/* The bytes that a call must read and write at least: each array once, and of an array that a call
 * may read in part, that part. */
typedef struct mote_bytes {
    double read, written;
} mote_bytes;

/* The least microseconds in which a call can move its bytes: those read at the rate of reading and
 * those written at the rate of filling, one after the other, since memory does one at a time. No
 * call is quicker than an empty launch. */
double mote_bandwidth_floor(const mote_bandwidth *bandwidth, mote_bytes bytes);

/* Measures by device events on `queue`, which must profile. */
mote_bandwidth mote_bandwidth_measure(mote_context *ctx, cl_command_queue queue, bool quick);

#endif
