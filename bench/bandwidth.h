/* SPDX-License-Identifier: Apache-2.0 */
/* The highest rates at which a device moves bytes, measured with several kernels: the limits of the
 * benchmark. */
#ifndef MOTE_BENCH_BANDWIDTH_H
#define MOTE_BENCH_BANDWIDTH_H

#include <stdbool.h>

#include "mote/mote.h"

/* Kinds of traffic. A copy counts the bytes that it reads and the bytes that it writes. The time of
 * a launch is excluded. */
typedef enum mote_traffic { MOTE_TRAFFIC_COPY, MOTE_TRAFFIC_FILL, MOTE_TRAFFIC_READ } mote_traffic;
#define MOTE_TRAFFICS 3

/* The best rate in GB/s, and the kernel or command that reached it; 0 and "" when none ran. */
typedef struct mote_rate {
    double gb_s;
    const char *by;
} mote_rate;

typedef struct mote_bandwidth {
    mote_rate memory[MOTE_TRAFFICS];
    mote_rate cache[MOTE_TRAFFICS]; /* rates for data that fits the device's cache */
    size_t cache_bytes;             /* the size of that data */
    double launch_us;               /* time of an empty kernel, measured as calls are */
} mote_bandwidth;

/* The bytes that a call must at least read and write. Each array counts once; if a call may read an
 * array in part, only that part counts. */
typedef struct mote_bytes {
    double read, written;
} mote_bytes;

/* Returns the least time in microseconds in which a call can move its bytes: the bytes read at the
 * rate of reading, plus the bytes written at the rate of filling, because memory does one at a
 * time. No call is faster than an empty launch. */
double mote_bandwidth_floor(const mote_bandwidth *bandwidth, mote_bytes bytes);

/* Measures by device events on `queue`, which must profile. */
mote_bandwidth mote_bandwidth_measure(mote_context *ctx, cl_command_queue queue, bool quick);

#endif
