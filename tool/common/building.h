/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the time that the driver spends on building kernels, which happens once for each device.
 * All functions may be called from any thread. */
#ifndef MOTE_TOOL_COMMON_BUILDING_H
#define MOTE_TOOL_COMMON_BUILDING_H

#include "../tool.h"

/* Installs the build callback that measures builds. */
void building_watch(void);

/* A measured call of the library. Drivers for CPUs compile a kernel at its first launch and do not
 * report this. The whole call therefore counts as build time if a program was compiled during
 * it. */
typedef struct building_call {
    double start;
    /* Compilations before the call; UINT_MAX if the device compiles during builds. */
    unsigned built;
} building_call;

building_call building_begin(const mote_context *ctx);

/* Ends a measured call. Returns true if the call counts as build time, in which case its results
 * must not enter a rate. */
bool building_end(const building_call *call);

/* Returns the seconds spent on building kernels so far. *at_work: whether kernels are being built
 * now. */
double building_seconds(bool *at_work);

/* Writes `seconds` as a summary shows them: "2.500 s, 2.100 s of them for building kernels". */
const char *building_text(double seconds, char *text, size_t size);

#endif
